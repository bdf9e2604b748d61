//===- Cost.cpp - What the steps of a plan cost ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The unit is about one cycle of latency on the critical path; what the chips
// overlap is not modelled. It is meant to rank plans, not to predict time.
//
// NVIDIA, measured on an H200: five steps of shuffle and add take 151 cycles,
// so 24 for a shuffle and 6 for an operation. redux.sync takes 60; it counts
// one less, because against two shuffle steps it saves instructions. A select
// by the shuffle's predicate is folded into the operation where that is one
// instruction.
//
// AMD, from the ISA documents and LLVM's scheduling models: 4 for a vector
// instruction (a wave64 takes four cycles on gfx9). gfx9 wants two wait states
// between a vector instruction and a DPP instruction that reads its result.
// readlane delivers a scalar, with a few cycles to the next use. ds_swizzle has
// the latency of LDS.
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Plan.h"

using namespace coll;

namespace {
/// Latencies of one 32-bit instruction.
namespace nvidia {
constexpr unsigned shuffle = 24, operation = 6, redux = 59;
} // namespace nvidia
namespace amd {
constexpr unsigned operation = 4, hazard = 8, readLane = 12, permlane = 8,
                   ldsSwizzle = 64, swap = 12;
} // namespace amd

class CostModel {
public:
  CostModel(const PlanKey &key, const Plan &plan) : key(key), plan(plan) {}

  unsigned getCost(const Step &step) const {
    return key.target.isNVIDIA() ? getNVIDIACost(step) : getAMDCost(step);
  }

private:
  unsigned getNVIDIACost(const Step &step) const;
  unsigned getAMDCost(const Step &step) const;
  unsigned getAMDMoveCost(const Step &step) const;
  bool isFused(const Step &step) const;
  bool isNeutral(PlanValue value) const;
  /// Selects of all words by the guard; 0 if there is none.
  unsigned countSelects(const Step &step) const {
    return step.guard.kind == GuardKind::Always ? 0 : key.getWords();
  }

  const PlanKey &key;
  const Plan &plan;
};
} // namespace

unsigned CostModel::getNVIDIACost(const Step &step) const {
  unsigned words = key.getWords();
  unsigned cost = 0;
  switch (step.kind) {
  case StepKind::Identity:
  case StepKind::Neutral:
    return words;
  case StepKind::Redux:
    // Narrow integers are extended and truncated.
    return nvidia::redux + (key.element.leaves.front().bits < 32 ? 8 : 0);
  case StepKind::Remove:
    return nvidia::operation * words;
  case StepKind::Combine:
    cost += nvidia::operation * key.op.instructions;
    break;
  case StepKind::Move:
    break;
  }
  if (step.move.kind != MoveKind::None)
    cost += nvidia::shuffle * words;
  if (step.move.operand != LaneOperand::Constant)
    cost += 1; // The loop-invariant operand.
  bool isFolded = step.kind == StepKind::Combine && key.op.instructions == 1 &&
                  step.guard.kind == GuardKind::Predicate;
  if (!isFolded)
    cost += nvidia::operation * countSelects(step);
  return cost;
}

bool CostModel::isNeutral(PlanValue value) const {
  for (const auto &[index, step] : llvm::enumerate(plan.getSteps()))
    if (plan.getStepValue(index) == value)
      return step.kind == StepKind::Neutral;
  return false;
}

/// True if LLVM makes one v_<op>_dpp of the move and the operator: 32-bit
/// operators of one instruction (not integer mul), without a select, where
/// either all lanes have a source or an integer's neutral value fills the gap.
bool CostModel::isFused(const Step &step) const {
  if (step.kind != StepKind::Combine || step.move.kind != MoveKind::DPP ||
      step.guard.kind != GuardKind::Always || key.op.instructions != 1 ||
      key.getWords() != 1 || key.op.kind == OperatorKind::Custom)
    return false;
  bool isFloat = key.element.isSingle(/*isFloat=*/true);
  if (!isFloat && key.op.kind == OperatorKind::Mul)
    return false;
  if (step.move.boundCtrl)
    return step.old == noValue;
  return !isFloat && isNeutral(step.old);
}

/// The move alone, all words of it.
unsigned CostModel::getAMDMoveCost(const Step &step) const {
  unsigned words = key.getWords();
  switch (step.move.kind) {
  case MoveKind::None:
    return 0;
  case MoveKind::DPP: {
    // `old` is copied first, because the instruction overwrites it.
    unsigned instructions = step.old == noValue ? 1 : 2;
    return words * amd::operation * instructions +
           (key.target.isGFX9() ? amd::hazard : 0);
  }
  case MoveKind::PermlaneX16:
  case MoveKind::Permlane64:
    return words * amd::permlane;
  case MoveKind::Permlane16Swap:
  case MoveKind::Permlane32Swap:
    return words * amd::swap;
  case MoveKind::ReadLane:
    return words * amd::readLane;
  case MoveKind::DsSwizzle:
    return words * amd::operation + amd::ldsSwizzle;
  case MoveKind::ShflBfly:
  case MoveKind::ShflUp:
  case MoveKind::ShflDown:
  case MoveKind::ShflIdx:
    break;
  }
  return 0;
}

unsigned CostModel::getAMDCost(const Step &step) const {
  switch (step.kind) {
  case StepKind::Identity:
  case StepKind::Neutral:
    return key.getWords();
  case StepKind::Redux:
  case StepKind::Move:
    return getAMDMoveCost(step) + amd::operation * countSelects(step);
  case StepKind::Remove:
    return amd::operation * key.getWords();
  case StepKind::Combine:
    break;
  }
  if (isFused(step))
    return amd::operation + (key.target.isGFX9() ? amd::hazard : 0);
  return getAMDMoveCost(step) + amd::operation * key.op.instructions +
         amd::operation * countSelects(step);
}

unsigned Plan::computeCost(const PlanKey &key) {
  CostModel model(key, *this);
  cost = 0;
  for (Step &step : steps) {
    step.cost = model.getCost(step);
    cost += step.cost;
  }
  return cost;
}
