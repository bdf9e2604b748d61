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
// one less, because against two shuffle steps it saves instructions; another
// one that does not wait for it takes a few cycles more. In tiles it is known
// to be slower than the shuffles even of 16 lanes: every tile of the warp is a
// pass of its own. A select is folded into the operation where that is one
// instruction. The predicate of a shuffle arrives after its value: a scan of
// five steps takes 183 cycles with it, and 151 with conditions on the lane.
//
// AMD, from the ISA documents and LLVM's scheduling models: 4 for a vector
// instruction (a wave64 takes four cycles on gfx9). gfx9 wants two wait states
// between a vector instruction and a DPP instruction that reads its result,
// gfx940 and gfx950 two between one that writes a carry and one that reads it.
// readlane delivers a scalar, with a few cycles to the next use. ds_swizzle has
// the latency of LDS, so has a load behind a store. A mask of lanes
// is a constant in scalar registers, which is loaded once; where the last warp
// needs another one, it is chosen first.
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Lanes.h"
#include "coll/Plan/Strategy.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;

namespace {
/// Latencies of one 32-bit instruction.
namespace nvidia {
constexpr unsigned shuffle = 24, predicate = 6, operation = 6, redux = 59,
                   tilePass = 70, nextRedux = 4, vote = 17, population = 12,
                   doubleCompare = 16;
} // namespace nvidia
namespace amd {
constexpr unsigned operation = 4, hazard = 8, readLane = 12, permlane = 8,
                   ldsSwizzle = 64, swap = 12, copyLane = 16, mask = 1,
                   chosenMask = 8, vote = 11, ranksOfTile = 12, carry = 4,
                   carryHazard = 8, ldsExchange = 64;
} // namespace amd
/// What it takes to cut one out of a word, and to put it into one.
constexpr unsigned narrowNumber = 6;

class CostModel {
public:
  CostModel(const PlanKey &key, const Plan &plan) : key(key), plan(plan) {}

  unsigned getCost(const Step &step) const {
    return key.target.isNVIDIA() ? getNVIDIACost(step) : getAMDCost(step);
  }

private:
  unsigned getNVIDIACost(const Step &step) const;
  unsigned getNVIDIAOperatorCost() const;
  unsigned getReduxCost(const Step &step) const;
  unsigned getVoteCost(const Step &step) const;
  unsigned getAMDVoteCost(const Step &step) const;
  unsigned getAMDReduxCost(const Step &step) const;
  unsigned getNumbersCost() const;
  unsigned getAMDOperatorCost() const;
  unsigned countCopies(const Step &step) const;
  unsigned getCarryCost() const;
  unsigned getEncodingCost(const Step &step) const;
  unsigned getAMDCost(const Step &step) const;
  unsigned getAMDMoveCost(const Step &step) const;
  unsigned getAMDGuardCost(const Step &step) const;
  bool isOverwritable(PlanValue value) const;
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

unsigned CostModel::getReduxCost(const Step &step) const {
  unsigned lanes = 0;
  for (unsigned present : key.getPresentCounts())
    lanes = std::max(lanes, present);
  unsigned passes = llvm::divideCeil(lanes, key.groupSize);
  unsigned redux = passes == 1 ? nvidia::redux : passes * nvidia::tilePass;
  switch (step.form) {
  case ReduxForm::Words: {
    // One key for each f16 and bf16, one word for each narrow integer.
    unsigned words = std::max(key.getWords(), 1u);
    return redux + (words - 1) * nvidia::nextRedux;
  }
  case ReduxForm::HighThenLow: // Compare and select between the two.
    return 2 * redux + 2 * nvidia::operation;
  case ReduxForm::Fields: // One step to cut, two to put together.
    return redux + 2 * nvidia::nextRedux + 3 * nvidia::operation;
  case ReduxForm::Float: // Narrow floats are extended and truncated.
    return redux +
           (key.element.leaves.front().bits < 32 ? 2 * nvidia::operation : 0);
  case ReduxForm::Arg: {
    // A vote, two operations to find its first lane; floats have keys, and the
    // value is fetched from there.
    const LeafType &value = key.element.leaves.front();
    unsigned steps = value.bits == 64 ? 2 : 1;
    unsigned cost = steps * (redux + nvidia::operation) + nvidia::vote +
                    2 * nvidia::operation;
    if (value.isFloat)
      cost += 3 * nvidia::operation + nvidia::shuffle * value.getWords();
    return cost;
  }
  }
  return redux;
}

/// A comparison makes a scalar mask; counting is one instruction more, or two.
unsigned CostModel::getAMDVoteCost(const Step &step) const {
  unsigned cost = amd::vote + amd::operation;
  if (step.ranks != VoteRanks::All)
    cost += 2 * amd::operation;
  return cost + (key.isWholeWarp() ? 0 : amd::ranksOfTile);
}

/// The parts' plans, and what stands between them.
unsigned CostModel::getAMDReduxCost(const Step &step) const {
  unsigned cost = 0;
  for (const PlanKey &part : getReduxParts(key, step.form))
    if (llvm::Expected<Choice> choice = choosePlan(part))
      cost += choice->plan.getCost();
    else
      llvm::consumeError(choice.takeError());
  const LeafType &value = key.element.leaves.front();
  // A comparison, and a select by it.
  if (step.form == ReduxForm::HighThenLow)
    return cost + 2 * amd::operation + amd::mask;
  // An all-NaN group has no best value.
  if (value.isFloat)
    cost += 2 * amd::operation;
  if (!key.isWholeWarp()) // Floats carry the sign of a zero with the rank.
    return cost + (value.isFloat ? 5 : 2) * amd::operation;
  // Floats are read from the lane that was found.
  return cost + amd::vote + amd::operation +
         (value.isFloat ? amd::readLane * value.getWords() : 0);
}

/// Narrow numbers are cut out of their words, and joined again. Of equal costs
/// the one with one DPP instruction a word is better, and else the whole
/// vector.
unsigned CostModel::getNumbersCost() const {
  const LeafType &leaf = key.element.leaves.front();
  llvm::Expected<Choice> choice = choosePlan(*getNumberKey(key));
  if (!choice) {
    llvm::consumeError(choice.takeError());
    return 0;
  }
  unsigned cost = leaf.lanes * choice->plan.getCost();
  if (leaf.bits < 32)
    return cost + leaf.lanes * narrowNumber;
  return key.target.isAMD() ? cost - 1 : cost + 1;
}

unsigned CostModel::getVoteCost(const Step &step) const {
  unsigned cost = nvidia::vote;
  bool isPopulation =
      !isBitwise(key.op.kind) || key.op.kind == OperatorKind::Xor;
  if (isPopulation)
    cost += nvidia::population;
  if (step.ranks != VoteRanks::All)
    cost += nvidia::operation + (isPopulation ? 0 : nvidia::operation);
  return cost;
}

/// Keys: NaN is made one, then a shift and a logic operation each way.
unsigned CostModel::getEncodingCost(const Step &step) const {
  bool isEncode = step.kind == StepKind::Encode;
  if (step.encoding != Encoding::Keys)
    return isEncode ? nvidia::operation : 0;
  unsigned bits = key.element.leaves.front().bits;
  unsigned cost = 2 * nvidia::operation;
  if (bits == 16)
    cost += nvidia::operation;
  if (isEncode)
    cost += bits == 64 ? nvidia::doubleCompare + nvidia::operation
                       : nvidia::operation;
  return cost;
}

/// Numbers of 8 and 16 bits are cut out, combined, and joined again, if they
/// are no floats and not combined bit by bit.
unsigned CostModel::getNVIDIAOperatorCost() const {
  const LeafType &leaf = key.element.leaves.front();
  unsigned instructions = key.op.instructions;
  if (key.op.kind != OperatorKind::Custom && leaf.lanes != 1 && !leaf.isFloat &&
      leaf.bits < 32 && !isBitwise(key.op.kind))
    instructions = leaf.lanes * (leaf.bits == 8 ? 4 : 2);
  return nvidia::operation * instructions;
}

unsigned CostModel::getNVIDIACost(const Step &step) const {
  unsigned words = key.getWords();
  unsigned cost = 0;
  switch (step.kind) {
  case StepKind::Identity:
  case StepKind::Neutral:
    return words;
  case StepKind::Redux:
    return getReduxCost(step);
  case StepKind::Vote:
    return getVoteCost(step);
  case StepKind::Encode:
  case StepKind::Decode:
    return getEncodingCost(step);
  case StepKind::Numbers:
    return getNumbersCost();
  case StepKind::Remove:
    return nvidia::operation * words;
  case StepKind::Combine:
    cost += getNVIDIAOperatorCost();
    break;
  case StepKind::Move:
    break;
  }
  if (step.move.kind != MoveKind::None)
    cost += nvidia::shuffle * key.element.getPackedWords();
  if (step.move.operand != LaneOperand::Constant)
    cost += 1; // The loop-invariant operand.
  bool isFolded = step.kind == StepKind::Combine && key.op.instructions == 1;
  if (!isFolded)
    cost += nvidia::operation * countSelects(step);
  if (step.guard.kind == GuardKind::Predicate)
    cost += nvidia::predicate;
  // A mask is shifted by the lane and tested, once where that is repeated.
  if (step.guard.kind == GuardKind::LaneMask && !key.isRepeated)
    cost += 2 * nvidia::operation;
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
      key.getWords() != 1 || key.op.kind == OperatorKind::Custom ||
      key.element.leaves.front().bits == 1 ||
      key.element.leaves.front().lanes != 1)
    return false;
  bool isFloat = key.element.isSingle(/*isFloat=*/true);
  if (!isFloat && key.op.kind == OperatorKind::Mul)
    return false;
  if (step.move.boundCtrl)
    return step.old == noValue;
  return !isFloat && isNeutral(step.old);
}

/// True if the step that uses `value` as `old` may overwrite it: it is made by
/// a step, is no constant, and nobody else needs it.
bool CostModel::isOverwritable(PlanValue value) const {
  for (const auto &[index, step] : llvm::enumerate(plan.getSteps()))
    if (plan.getStepValue(index) == value)
      return (step.kind == StepKind::Move || step.kind == StepKind::Combine) &&
             plan.countUses(value) == 1;
  return false;
}

/// Selects by a mask of lanes.
unsigned CostModel::getAMDGuardCost(const Step &step) const {
  if (step.guard.kind == GuardKind::Always)
    return 0;
  bool isChosen = !step.guard.mask.isSame() && key.presence.hasFullWarp;
  return amd::operation * countSelects(step) +
         (isChosen ? amd::chosenMask : amd::mask);
}

/// Words of `old` that are copied first, as they are needed again: DPP
/// overwrites them. Zero bits need no copy.
unsigned CostModel::countCopies(const Step &step) const {
  if (step.old == noValue || isOverwritable(step.old))
    return 0;
  bool isMasked = step.move.rowMask != 0xf || step.move.bankMask != 0xf;
  bool bringsZeros = isNeutral(step.old) && !isMasked;
  return key.getWords() - (bringsZeros ? key.op.zeroNeutralWords : 0);
}

/// What instructions wait for a carry of tied steps on two words, or for the
/// borrow that chooses.
unsigned CostModel::getCarryCost() const {
  if (key.getWords() != 2 || isBitwise(key.op.kind))
    return 0;
  bool isHazard = key.target.getFamily() == AMDFamily::GFX940 ||
                  key.target.getFamily() == AMDFamily::GFX950;
  return (isHazard ? amd::carryHazard : amd::carry) *
         (isIntegerMinMax(key.op.kind) ? 2 : 1);
}

/// The operator where it is no DPP instruction. Of bf16 it is that of f32, and
/// what rounds it. No instruction has vectors of it, or of bytes: their numbers
/// are cut out, combined, and joined again.
unsigned CostModel::getAMDOperatorCost() const {
  const LeafType &leaf = key.element.leaves.front();
  if (key.op.kind != OperatorKind::Custom && leaf.lanes != 1 &&
      (leaf.isBF16 || leaf.bits == 8))
    return amd::operation * leaf.lanes * (leaf.isBF16 ? 8 : 3);
  bool isBF16 = key.element.isScalar(/*isFloat=*/true) &&
                key.element.leaves.front().isBF16;
  unsigned rounded = isBF16 ? countDPPInstructions(key) : 0;
  return amd::operation * std::max(key.op.instructions, rounded);
}

/// The move alone, all words of it.
unsigned CostModel::getAMDMoveCost(const Step &step) const {
  unsigned words = key.getWords();
  switch (step.move.kind) {
  case MoveKind::None:
    return 0;
  case MoveKind::DPP: {
    return (words + countCopies(step)) * amd::operation +
           (key.target.isGFX9() ? amd::hazard : 0);
  }
  case MoveKind::DPP8:
    return words * amd::operation;
  case MoveKind::Permlane16:
  case MoveKind::PermlaneX16:
  case MoveKind::Permlane64:
    return words * amd::permlane;
  case MoveKind::Permlane16Swap:
  case MoveKind::Permlane32Swap:
    return words * amd::swap;
  case MoveKind::ReadLane:
    return words * amd::readLane;
  case MoveKind::CopyLane:
    return words * amd::copyLane;
  case MoveKind::DsSwizzle:
    return words * amd::operation + amd::ldsSwizzle;
  case MoveKind::Shared: // The address, and a store and a load a word.
    return amd::ldsExchange + (2 * words + 2) * amd::operation;
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
    return getAMDReduxCost(step);
  case StepKind::Encode:
  case StepKind::Decode: // A narrow integer is extended by what makes it.
    return step.encoding == Encoding::Unsigned ? amd::operation : 0;
  case StepKind::Move:
    return getAMDMoveCost(step) + getAMDGuardCost(step);
  case StepKind::Vote:
    return getAMDVoteCost(step);
  case StepKind::Numbers:
    return getNumbersCost();
  case StepKind::Remove:
    return amd::operation * key.getWords();
  case StepKind::Combine:
    break;
  }
  if (step.tied || isFused(step))
    return amd::operation * std::max(countDPPInstructions(key), 1u) +
           getCarryCost() + (key.target.isGFX9() ? amd::hazard : 0);
  // A bit is in a scalar mask: it becomes a number to be moved, and a bit
  // again.
  bool isBit = key.element.isScalar(/*isFloat=*/false) &&
               key.element.leaves.front().bits == 1;
  return getAMDMoveCost(step) + getAMDOperatorCost() +
         (isBit ? 2 * amd::operation + amd::mask : 0) + getAMDGuardCost(step);
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
