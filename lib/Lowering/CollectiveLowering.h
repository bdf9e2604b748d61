//===- CollectiveLowering.h - One kernel's warp collectives -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_COLLECTIVELOWERING_H
#define COLL_LIB_LOWERING_COLLECTIVELOWERING_H

#include "SelectPlans.h"
#include "coll/Lowering/TargetEmitter.h"
#include "coll/Transforms/ShuffleSource.h"

namespace coll {

class CollectiveLowering {
public:
  CollectiveLowering(ir::KernelOp kernel, const TargetEmitter &target,
                     const PlanSelector &plans);

  /// Replaces the collective `op` by what carries it out.
  mlir::LogicalResult lower(mlir::Operation *op);

private:
  using Value = mlir::Value;

  void findConvergent();
  bool lowerWideSync(mlir::Operation *op);
  std::optional<ir::Leaves> dispatch(mlir::Operation *op);
  PlanKey createKey(CollectiveKind kind, mlir::TypeRange types) const;
  /// The same for a reduction or scan.
  PlanKey createKey(CollectiveKind kind, const ir::Combiner &combiner,
                    mlir::ValueRange values,
                    llvm::ArrayRef<mlir::TypedAttr> neutral) const;

  // Reductions and scans
  std::optional<ir::Leaves> reduce(ir::ReduceOp op);
  std::optional<ir::Leaves> scan(ir::ScanOp op);
  template <typename ScanOp>
  std::optional<ir::Leaves> scanWithInit(ScanOp op, CollectiveKind kind);
  template <typename ScanOp>
  std::optional<ir::Leaves> exclusiveScan(ScanOp op, CollectiveKind kind);

  // Moves
  std::optional<ir::Leaves> broadcast(ir::BroadcastOp op);
  std::optional<ir::Leaves> shuffle(ir::ShuffleOp op);
  /// A move by a constant that the chip has an instruction for.
  std::optional<ir::Leaves> moveByPlan(mlir::Operation *op, CollectiveKind kind,
                                       mlir::ValueRange values,
                                       mlir::ValueRange fill, Value argument);
  ir::ShuffleSource findSource(ir::ShuffleOp op);

  // Votes and masks
  Value ballot(Value predicate);
  /// A mask of the warp's lanes with those of other groups cleared.
  Value keepGroup(Value lanes);
  /// The same as a mask of ranks.
  Value toRanks(Value lanes);
  ir::Leaves uniform(ir::UniformOp op);
  ir::Leaves match(ir::MatchOp op);

  Value rank();
  Value firstLane();

  ir::KernelOp kernel;
  const TargetEmitter &target;
  const PlanSelector &plans;
  /// Collectives of tiles that the whole warp is sure to execute together, for
  /// NVIDIA's instructions, which name the lanes that do.
  llvm::DenseSet<mlir::Operation *> convergent;
  ir::GroupAttr groupAttr;
  LaneGroup group;
  mlir::ImplicitLocOpBuilder b;
};

} // namespace coll

#endif // COLL_LIB_LOWERING_COLLECTIVELOWERING_H
