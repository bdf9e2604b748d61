//===- BlocksExpander.h - Collectives of several blocks ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A collective of the grid or of a cluster is one of each block, whose results
// the blocks then hand each other. How they do that, and how the results of all
// blocks are combined, is the subclasses' business.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_BLOCKSEXPANDER_H
#define COLL_LIB_TRANSFORMS_BLOCKSEXPANDER_H

#include "coll/Target/Target.h"
#include "coll/Transforms/Combiner.h"

namespace coll::ir {

class BlocksExpander {
public:
  virtual ~BlocksExpander() = default;

  /// Replaces `op`, a collective of the group, once `report` was called with
  /// what it takes. Fails, with an error, if there is no expansion of it.
  mlir::LogicalResult
  expand(mlir::Operation *op,
         llvm::function_ref<void(llvm::StringRef cost)> report);
  /// The rank in the group and its size, `i32`.
  mlir::Value createRank(mlir::ImplicitLocOpBuilder &at);
  mlir::Value createSize(mlir::ImplicitLocOpBuilder &at);
  /// Ends the expansion of a kernel.
  virtual void finish() {}

protected:
  BlocksExpander(KernelOp kernel, const Target &target);

  /// The blocks in the order of combination.
  struct Order {
    bool isReverse = false;
  };

  /// A barrier that orders all accesses of shared and global memory.
  virtual void sync() = 0;
  /// Gives all blocks the values that this block's thread `leader` has.
  virtual void publish(mlir::ValueRange values, int64_t leader) = 0;
  /// What the block of this index has published; outside of the group that of
  /// some block.
  virtual Leaves load(mlir::TypeRange types, mlir::Value block) = 0;
  /// This block's index in the group and the number of blocks, `i64`.
  virtual mlir::Value blockIndex(mlir::ImplicitLocOpBuilder &at) = 0;
  virtual mlir::Value blockCount(mlir::ImplicitLocOpBuilder &at) = 0;
  /// The tree of what all blocks have published.
  virtual Leaves combineAll(const Combiner &combiner,
                            mlir::TypeRange types) = 0;
  struct Prefix {
    Leaves before; ///< Any values in the first block.
    Leaves total;  ///< If it was asked for.
  };
  /// What the blocks before have published, combined from left to right.
  virtual Prefix combineBefore(const Combiner &combiner, mlir::TypeRange types,
                               Order order, bool needsTotal) = 0;

  mlir::Value blockRank();
  mlir::Value isEqual(mlir::Value left, int64_t right);
  /// Where in the order this block stands.
  mlir::Value position(Order order);
  /// The block that stands there.
  mlir::Value blockAt(mlir::Value position, Order order);
  /// Notes that values of these types are published.
  void countSlot(mlir::TypeRange types);
  /// "2 barriers of the grid, 16 bytes of workspace a block"
  std::string describeCost(mlir::Operation *op) const;
  /// Whether any order of combination gives the same values.
  static bool isExact(const Combiner &combiner, mlir::TypeRange types);

  KernelOp kernel;
  Target target;
  int64_t blockSize;
  GroupAttr blockGroup;
  /// Of the collective that is being expanded.
  unsigned numBarriers = 0, numBytes = 0;
  /// Bytes of the largest result of a block.
  unsigned slotBytes = 0;
  mlir::ImplicitLocOpBuilder b;

private:
  std::optional<Leaves> dispatch(mlir::Operation *operation);
  Leaves reduce(ReduceOp op);
  Leaves scan(ScanOp op);
  void publishTotal(ScanOp op, mlir::ValueRange inclusive);
  /// The block's own exclusive scan, by the operator of the scan `op`.
  ScanTotalOp createScanTotal(mlir::Operation *op, mlir::ValueRange values);
  /// The exclusive results and, if asked for, the total.
  Leaves exclusiveScan(mlir::Operation *op, const Combiner &combiner,
                       mlir::ValueRange values, mlir::ValueRange first,
                       bool needsTotal);
  Leaves broadcast(mlir::ValueRange values, mlir::Value from);
  mlir::Value vote(VoteKind kind, mlir::Value predicate);
  mlir::Value population(mlir::Value predicate);
  mlir::Value rankAmong(mlir::Value predicate);
  mlir::Value isUniform(mlir::ValueRange values);
};

/// Of the grid: through the kernel's workspace.
std::unique_ptr<BlocksExpander> createGridExpander(KernelOp kernel,
                                                   const Target &target);
/// Of the clusters of a kernel that has them: through shared memory.
std::unique_ptr<BlocksExpander> createClusterExpander(KernelOp kernel,
                                                      const Target &target);

/// This block's index in its grid, x fastest, and the number of blocks, `i64`.
mlir::Value createGridIndex(mlir::ImplicitLocOpBuilder &b);
mlir::Value createGridCount(mlir::ImplicitLocOpBuilder &b);

/// Bytes that a value takes where it is published.
unsigned getPublishedBytes(mlir::Type type);

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_BLOCKSEXPANDER_H
