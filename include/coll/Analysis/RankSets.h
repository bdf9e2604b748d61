//===- RankSets.h - Which threads reach an operation ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The block's size is a compile-time constant, so that conditions on ranks are
// computed for each of its threads: `warp.rank == 0`, `warp.elect()`,
// `thread.rank % 32 == 0 && i < n`. Sets of ranks hold all threads that may be
// there: where a condition is not known, both arms have the thread.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_ANALYSIS_RANKSETS_H
#define COLL_ANALYSIS_RANKSETS_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>

namespace coll {

/// The ranks in the block of the threads of some warps.
llvm::BitVector getRanks(ir::KernelOp kernel, ir::GroupAttr warps);

/// Sets are of ranks of the block. What is known stays right while operations
/// are neither added nor removed.
class RankSets {
public:
  RankSets(ir::KernelOp kernel, unsigned warpSize);

  /// The threads that may execute `op`.
  llvm::BitVector getReach(mlir::Operation *op);
  /// The threads that may need `value`: they reach something that has an effect
  /// or decides control flow, and that was computed from it.
  llvm::BitVector getReaders(mlir::Value value);
  /// An integer's value in the thread with the block's rank `rank`, if it is
  /// known: its bits, of which those above its width are 0.
  std::optional<uint64_t> getValue(mlir::Value value, unsigned rank) {
    const Values &values = evaluate(value);
    return values.empty() ? std::nullopt : values[rank];
  }
  /// Whether `value` is known to be the same in all threads of `ranks`.
  bool isSame(mlir::Value value, const llvm::BitVector &ranks);
  /// The rank in its group, inside the block, of the block's rank `rank`. More
  /// than any rank where some warps are the group and it is in none of them.
  unsigned getRank(ir::GroupAttr group, unsigned rank) const {
    return group.isWarps() ? rank - group.getFirst() : rank % getSize(group);
  }
  /// Ranks of the group that the block's rank `rank` is in.
  unsigned getRanks(ir::GroupAttr group, unsigned rank) const;

private:
  /// By rank of the block; empty where nothing is known of any.
  using Values = std::vector<std::optional<uint64_t>>;

  unsigned getSize(ir::GroupAttr group) const;
  const Values &evaluate(mlir::Value value);
  Values compute(mlir::Value value);
  Values computePosition(mlir::Operation *op) const;
  Values computeThreadId(ir::ThreadIdOp op);
  Values computeBranch(ir::IfOp op, unsigned result);
  Values computeCall(ir::InlineOp op, unsigned result);
  Values computePlain(mlir::Operation *op);
  llvm::BitVector getReach(mlir::Block *block);
  /// Branches of `block` with an arm that its threads do not come back from.
  llvm::ArrayRef<ir::IfOp> getExits(mlir::Block *block);
  /// Takes the threads out whose condition is known to be `value`.
  void exclude(llvm::BitVector &ranks, mlir::Value condition, bool value);
  void visitUse(mlir::OpOperand &use, llvm::BitVector &readers,
                llvm::SmallVectorImpl<mlir::Value> &work);
  void visitView(mlir::Value view, llvm::BitVector &readers,
                 llvm::SmallVectorImpl<mlir::Value> &work);

  ir::KernelOp kernel;
  unsigned warpSize, blockSize;
  unsigned depth = 0; ///< Of the computation that is going on.
  llvm::DenseMap<mlir::Value, std::unique_ptr<Values>> known;
  llvm::DenseMap<mlir::Block *, llvm::BitVector> reaches;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<ir::IfOp>> exits;
};

} // namespace coll

#endif // COLL_ANALYSIS_RANKSETS_H
