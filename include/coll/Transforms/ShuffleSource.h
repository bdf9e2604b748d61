//===- ShuffleSource.h - The rank that a shuffle reads from -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_SHUFFLESOURCE_H
#define COLL_TRANSFORMS_SHUFFLESOURCE_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace coll::ir {

/// Where a shuffle reads from.
struct ShuffleSource {
  /// The source's rank, `i32`; the thread's own where that is outside.
  mlir::Value rank;
  /// Whether the source is inside the group; null if it always is.
  mlir::Value isInside;
};

/// Computes the source of `op` for the thread of rank `own` in a group of
/// `size` ranks, both `i32`.
ShuffleSource findShuffleSource(mlir::ImplicitLocOpBuilder &b, ShuffleOp op,
                                mlir::Value own, mlir::Value size);

} // namespace coll::ir

#endif // COLL_TRANSFORMS_SHUFFLESOURCE_H
