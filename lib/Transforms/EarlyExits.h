//===- EarlyExits.h - What follows an early exit ----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some lanes of a warp return, or go on with the next trip, and the others
// execute what follows. That is the other arm of the branch, which all lanes
// come back from.
//
// Before:
//   coll.if %c { A; coll.return }
//   B
//   coll.return
// After:
//   coll.if %c { A } else { B }
//   coll.return
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_EARLYEXITS_H
#define COLL_LIB_TRANSFORMS_EARLYEXITS_H

#include "coll/Dialect/Coll/IR/Coll.h"

namespace coll::ir {

/// Nests what follows the early exits before `op`, in the bodies of functions
/// and loops around it, under conditions that are not `isUniform`. True if
/// there were any.
bool nestAfterExits(mlir::Operation *op,
                    llvm::function_ref<bool(mlir::Value)> isUniform);

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_EARLYEXITS_H
