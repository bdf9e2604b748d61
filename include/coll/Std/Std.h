//===- Std.h - The standard library's modules -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modules of lib/Std, embedded as text, so that a compiler needs no files
// of its own.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_STD_STD_H
#define COLL_STD_STD_H

#include "llvm/ADT/StringRef.h"

namespace coll {

/// The source text of the module that `import` calls `name`, such as
/// "std.math". It lives as long as the program and ends with a null character.
/// Empty if there is no such module.
llvm::StringRef getStdModule(llvm::StringRef name);

} // namespace coll

#endif // COLL_STD_STD_H
