//===- MemberLowering.h - Groups that are made at run time ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_MEMBERLOWERING_H
#define COLL_LIB_LOWERING_MEMBERLOWERING_H

#include "MemberGroup.h"
#include "coll/Analysis/Uniformity.h"
#include "coll/Transforms/ShuffleSource.h"

namespace coll {

/// Carries out what works on the lanes of a mask.
class MemberLowering {
public:
  MemberLowering(ir::KernelOp kernel, const TargetEmitter &target);

  /// Finds who is in the active groups, and which operations are executed by
  /// larger groups together. Called once, before anything is lowered.
  mlir::LogicalResult prepare();
  /// Whether `op` makes, or is about, a group that is made at run time.
  static bool isForMembers(mlir::Operation *op);
  /// Replaces `op`; one that makes a group stays, for `finish`.
  mlir::LogicalResult lower(mlir::Operation *op);
  /// Removes what made groups.
  void finish();

private:
  using Value = mlir::Value;
  using Leaves = ir::Leaves;
  /// Who executes an operation together: the members of a group that is made at
  /// run time or, if that is null, of a static one.
  struct Sharers {
    Value members;
    ir::GroupAttr group;
  };

  void findSharers(mlir::Operation *op, const UniformityAnalysis &analysis);
  LaneGroup getLaneGroup(const Sharers &sharers);
  MemberGroup &getGroup(Value group) { return *groups.find(group)->second; }
  void makeActive(ir::ActiveOp op);
  void makePart(ir::PartitionOp op);
  Value getBaseLanes(ir::PartitionOp op);
  std::optional<Leaves> dispatch(mlir::Operation *op);

  // The collectives of `current`, which `together` execute.
  Leaves reduce(ir::ReduceOp op);
  Value reduceFlag(ir::CombineKind kind, Value flag);
  /// By an instruction of the chip, or null.
  Value reduceWord(ir::CombineKind kind, Value value);
  Leaves scan(const ir::Combiner &combiner, mlir::ValueRange values);
  void scanSegments(const ir::Combiner &combiner, Leaves &values);
  template <typename ScanLikeOp>
  Leaves exclusiveScan(ScanLikeOp op, bool withTotal);
  Leaves broadcast(ir::BroadcastOp op);
  Leaves shuffle(ir::ShuffleOp op);
  Value findSourceLane(ir::ShuffleOp op, const ir::ShuffleSource &source);
  Value vote(ir::VoteKind kind, Value predicate);
  Value uniform(ir::UniformOp op);
  Value ballotRanks(Value predicate);

  // What lanes tell each other.
  Value ballot(Value predicate);
  Value match(mlir::ValueRange values);
  Leaves move(mlir::ValueRange values, Value lane);

  ir::KernelOp kernel;
  const TargetEmitter &target;
  mlir::ImplicitLocOpBuilder b;
  LaneMasks masks;
  llvm::DenseMap<Value, std::unique_ptr<MemberGroup>> groups;
  llvm::DenseMap<mlir::Operation *, Value> activeMasks;
  llvm::DenseMap<mlir::Operation *, Sharers> sharers;
  llvm::SmallVector<mlir::Operation *> makers;
  MemberGroup *current = nullptr;
  LaneGroup together = {};
};

} // namespace coll

#endif // COLL_LIB_LOWERING_MEMBERLOWERING_H
