//===- SharedLibrary.h - A driver's library, opened at run time -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_SHAREDLIBRARY_H
#define COLL_RUNTIME_SHAREDLIBRARY_H

#include "coll/Runtime/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace coll {

/// A library of a driver. It stays open until the process ends, as drivers
/// start threads of their own.
class SharedLibrary {
public:
  /// Opens the path in the environment variable `variable`, if that is set,
  /// else the first of `names` that there is. The error is a DeviceError with
  /// the loader's words and `advice`.
  static llvm::Expected<SharedLibrary> open(const char *variable,
                                            llvm::ArrayRef<const char *> names,
                                            llvm::StringRef advice);

  llvm::StringRef getPath() const { return path; }

  /// Binds `pointer` to the symbol, or to null, and notes it in the list.
  template <typename Fn>
  void bind(Fn *&pointer, const char *symbol,
            const char *optionalUse = nullptr) {
    pointer = reinterpret_cast<Fn *>(library.getAddressOfSymbol(symbol));
    entryPoints.push_back({symbol, optionalUse == nullptr, pointer != nullptr,
                           optionalUse ? optionalUse : ""});
  }

  /// Fails if a required symbol did not bind, naming all of them.
  llvm::Error checkRequired() const;
  const std::vector<EntryPoint> &getEntryPoints() const { return entryPoints; }

private:
  llvm::sys::DynamicLibrary library;
  std::string path;
  std::vector<EntryPoint> entryPoints;
};

} // namespace coll

#endif // COLL_RUNTIME_SHAREDLIBRARY_H
