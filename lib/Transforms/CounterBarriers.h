//===- CounterBarriers.h - Barriers of some warps, by counting --*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For groups of some warps of a block on chips that have no barrier for them: a
// word of shared memory counts the warps that have come, of all times together,
// and each warp knows how many must have come before it may go on. Warps of a
// block go on fairly, so that who waits may poll.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_COUNTERBARRIERS_H
#define COLL_LIB_TRANSFORMS_COUNTERBARRIERS_H

#include "coll/Transforms/Combiner.h"
#include "llvm/ADT/DenseMap.h"

namespace coll::ir {

class CounterBarriers {
public:
  /// `groups`, each once, are all that `sync` will be asked for: `block.warps`
  /// groups and tiles of several warps. Their counters are set to zero where
  /// the kernel starts.
  CounterBarriers(KernelOp kernel, unsigned warpSize,
                  llvm::ArrayRef<GroupAttr> groups);

  bool has(GroupAttr group) const { return counters.contains(group); }
  /// A barrier that orders all memory of the group, at `b`.
  void sync(mlir::ImplicitLocOpBuilder &b, GroupAttr group) const;

private:
  struct Counter {
    unsigned index = 0; ///< Of a tile: of the first one's.
    mlir::Value due;    ///< The variable with the count to wait for.
  };
  mlir::Value getIndex(mlir::ImplicitLocOpBuilder &b, GroupAttr group,
                       unsigned first) const;

  unsigned warpSize;
  GroupAttr warpGroup, blockGroup;
  mlir::Value array;
  llvm::DenseMap<GroupAttr, Counter> counters;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_COUNTERBARRIERS_H
