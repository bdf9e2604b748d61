//===- Redux.cpp - One instruction for 32-bit integers --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// redux.sync combines a 32-bit integer of all members in one instruction, in an
// order that it does not promise: it is for exact operators. The member mask
// names the lanes that are present.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "coll/Plan/PlanBuilder.h"

using namespace coll;

static bool hasReduxForm(OperatorKind kind) {
  switch (kind) {
  case OperatorKind::Add:
  case OperatorKind::SMin:
  case OperatorKind::SMax:
  case OperatorKind::UMin:
  case OperatorKind::UMax:
  case OperatorKind::And:
  case OperatorKind::Or:
  case OperatorKind::Xor:
    return true;
  default:
    return false;
  }
}

std::optional<Plan> nvidia::buildRedux(const PlanKey &key) {
  if (key.kind != CollectiveKind::Reduce || !key.target.has(Feature::Redux) ||
      !key.isWholeWarp() || !key.element.isSingle(/*isFloat=*/false) ||
      !hasReduxForm(key.op.kind) || key.getMaxRanks() < 2)
    return std::nullopt;
  const LeafType &leaf = key.element.leaves.front();
  if (leaf.lanes != 1 || leaf.bits > 32)
    return std::nullopt;
  PlanBuilder builder(key);
  Step step;
  step.kind = StepKind::Redux;
  step.source = builder.getInput();
  step.mask = key.forWarps(getLowLanes);
  return builder.finishReduce(builder.add(step));
}
