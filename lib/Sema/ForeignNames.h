//===- ForeignNames.h - What other languages call it ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of CUDA, HIP, C and Rust that programmers bring along, with Coll's name
// of the same thing. Messages about unknown names offer it.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_FOREIGNNAMES_H
#define COLL_LIB_SEMA_FOREIGNNAMES_H

#include "llvm/ADT/StringRef.h"

namespace coll::sema {

/// Where a name stands.
enum class NameUse {
  Plain,       ///< A type, value or function: `float`, `threadIdx`.
  GroupMember, ///< `warp.lane`
  GroupMethod, ///< `block.inclusive_scan(add, v)`
  ViewMember,  ///< `x.size`
  Operator,    ///< `reduce(sum, v)`
  Atomic,      ///< `atomic.inc`
};

/// What Coll calls `name`, or an empty string.
llvm::StringRef translateForeignName(NameUse use, llvm::StringRef name);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_FOREIGNNAMES_H
