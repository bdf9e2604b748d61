//===- SharedLibrary.cpp - A driver's library, opened at run time ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedLibrary.h"
#include <cstdlib>

using namespace coll;
using namespace llvm;

Expected<SharedLibrary> SharedLibrary::open(const char *variable,
                                            ArrayRef<const char *> names,
                                            StringRef advice) {
  const char *chosen = std::getenv(variable);
  if (chosen && *chosen)
    names = chosen;
  std::string firstReason;
  for (const char *name : names) {
    SharedLibrary result;
    std::string reason;
    result.library = sys::DynamicLibrary::getPermanentLibrary(name, &reason);
    if (result.library.isValid()) {
      result.path = name;
      return result;
    }
    if (firstReason.empty())
      firstReason = reason;
  }
  return make_error<DeviceError>("opening " + std::string(names.front()), "",
                                 firstReason, advice.str());
}

Error SharedLibrary::checkRequired() const {
  std::string missing;
  for (const EntryPoint &entry : entryPoints)
    if (entry.required && !entry.found)
      missing += (missing.empty() ? "" : ", ") + entry.symbol;
  if (missing.empty())
    return Error::success();
  return make_error<DeviceError>("binding " + path, "",
                                 "the library lacks " + missing,
                                 "update the driver");
}
