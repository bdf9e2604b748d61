//===- Extents.h - Extents that shapes give and must agree on ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef COLL_RUNTIME_EXTENTS_H
#define COLL_RUNTIME_EXTENTS_H

#include "coll/Bundle/Bundle.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace coll {

/// "parameter 'x': message".
llvm::Error makeParamError(const ParamManifest &param,
                           const llvm::Twine &message);

/// The extents of one launch as they become known.
class ExtentBinder {
public:
  explicit ExtentBinder(const KernelManifest &kernel)
      : kernel(kernel), known(kernel.extents.size()) {}

  /// `origin` is what says so: "'x'", "--extent". A second value that differs
  /// from the first is an error that names both.
  llvm::Error bind(unsigned extent, int64_t value, llvm::StringRef origin);
  /// Binds the extents of a view and checks its rank and constant dimensions.
  llvm::Error bindShape(const ParamManifest &param,
                        llvm::ArrayRef<int64_t> shape);

  /// Of a dimension, if it is known yet.
  std::optional<int64_t> get(const ViewDim &dim) const;
  /// The names of the extents without a value.
  llvm::SmallVector<llvm::StringRef> getMissing() const;
  /// Once there is none missing.
  std::vector<int64_t> getValues() const;
  std::vector<int64_t> getShape(const ParamManifest &param) const;
  /// The pitches, where those of `given` that are empty are as rows are dense.
  std::vector<int64_t>
  getPitches(llvm::ArrayRef<std::optional<int64_t>> given) const;

private:
  struct KnownExtent {
    int64_t value;
    std::string origin;
  };

  const KernelManifest &kernel;
  std::vector<std::optional<KnownExtent>> known;
};

} // namespace coll

#endif // COLL_RUNTIME_EXTENTS_H
