//===- PlanEmitter.h - Plans as operations ----------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_PLANEMITTER_H
#define COLL_LIB_LOWERING_PLANEMITTER_H

#include "coll/Lowering/TargetEmitter.h"
#include "coll/Plan/Plan.h"

namespace coll {

/// What a plan works on.
struct PlanOperands {
  mlir::ValueRange input;
  mlir::ValueRange init;        ///< Plans with init only.
  ir::Leaves identity;          ///< What StepKind::Identity gives.
  const ir::Combiner *combiner; ///< Null for moves.
  /// What StepKind::Neutral gives of a user's operator.
  llvm::ArrayRef<mlir::TypedAttr> neutral = {};
  const PlanKey *key = nullptr; ///< What the plan is for, if it is a vector.
};

/// Emits one operation, or a few, a step; gives the leaves of all results.
ir::Leaves emitPlan(mlir::ImplicitLocOpBuilder &b, const TargetEmitter &target,
                    const LaneGroup &group, const Plan &plan,
                    const PlanOperands &operands);

} // namespace coll

#endif // COLL_LIB_LOWERING_PLANEMITTER_H
