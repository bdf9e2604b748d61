//===- PlanBuilder.cpp - Write plans step by step -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/PlanBuilder.h"
#include "GuardCalls.h"
#include <algorithm>

using namespace coll;

PlanValue PlanBuilder::identity() {
  Step step;
  step.kind = StepKind::Identity;
  return plan.addStep(step);
}

PlanValue PlanBuilder::neutral() {
  Step step;
  step.kind = StepKind::Neutral;
  return plan.addStep(step);
}

PlanValue PlanBuilder::move(Move move, PlanValue source, PlanValue old) {
  return moveWhere(Guard::always(), move, source, noValue, old);
}

PlanValue PlanBuilder::moveWhere(Guard guard, Move move, PlanValue source,
                                 PlanValue otherwise, PlanValue old) {
  Step step;
  step.kind = StepKind::Move;
  step.move = move;
  step.source = source;
  step.old = old;
  step.otherwise = otherwise;
  step.guard = guard;
  return plan.addStep(step);
}

PlanValue PlanBuilder::combine(Move move, PlanValue value, Side side,
                               Guard guard, PlanValue old) {
  Step step;
  step.kind = StepKind::Combine;
  step.move = move;
  step.source = value;
  step.own = value;
  step.old = old;
  step.otherwise = guard.kind == GuardKind::Always ? noValue : value;
  step.side = side;
  step.guard = guard;
  return plan.addStep(step);
}

PlanValue PlanBuilder::combineTied(Move dpp, PlanValue source, PlanValue own,
                                   Side side, WarpConstant mask) {
  Step step;
  step.kind = StepKind::Combine;
  step.move = dpp;
  step.source = source;
  step.own = step.old = step.otherwise = own;
  step.side = side;
  step.guard = Guard::lanes(mask);
  step.tied = true;
  return plan.addStep(step);
}

PlanValue PlanBuilder::combineHere(PlanValue left, PlanValue right, Guard guard,
                                   PlanValue otherwise) {
  Step step;
  step.kind = StepKind::Combine;
  step.source = left;
  step.own = right;
  step.otherwise = otherwise;
  step.guard = guard;
  return plan.addStep(step);
}

PlanValue PlanBuilder::encode(Encoding encoding, PlanValue value) {
  Step step;
  step.kind = StepKind::Encode;
  step.encoding = encoding;
  step.source = value;
  return plan.addStep(step);
}

PlanValue PlanBuilder::decode(Encoding encoding, PlanValue value) {
  Step step;
  step.kind = StepKind::Decode;
  step.encoding = encoding;
  step.source = value;
  return plan.addStep(step);
}

PlanValue PlanBuilder::redux(ReduxForm form, PlanValue value) {
  Step step;
  step.kind = StepKind::Redux;
  step.form = form;
  step.source = value;
  return plan.addStep(step);
}

PlanValue PlanBuilder::vote(VoteRanks ranks, PlanValue value) {
  Step step;
  step.kind = StepKind::Vote;
  step.ranks = ranks;
  step.source = value;
  return plan.addStep(step);
}

PlanValue PlanBuilder::numbers(PlanValue value) {
  Step step;
  step.kind = StepKind::Numbers;
  step.source = value;
  return plan.addStep(step);
}

uint64_t PlanBuilder::getRanksFrom(unsigned size, unsigned rank) {
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (lane % size >= rank)
      mask |= uint64_t(1) << lane;
  return mask;
}

WarpConstant PlanBuilder::getPresentLane(unsigned lane) const {
  return key.forWarps(
      [&](uint64_t present) { return std::min<uint64_t>(lane, present - 1); });
}

WarpConstant PlanBuilder::getLastGroup() const {
  return key.forWarps([&](uint64_t present) {
    uint64_t first = (present - 1) / key.groupSize * key.groupSize;
    return getLowLanes(first + key.groupSize) & ~getLowLanes(first);
  });
}

PlanValue PlanBuilder::withInit(PlanValue value) {
  return key.hasInit ? combineHere(plan.getInit(), value) : value;
}

Plan PlanBuilder::finishReduce(PlanValue value) {
  return finish({withInit(value)});
}

PlanValue PlanBuilder::exclusive(
    PlanValue inclusive,
    llvm::function_ref<PlanValue(PlanValue, PlanValue)> shift) {
  if (key.op.isInvertible && key.op.isIdentityNeutral) {
    Step step;
    step.kind = StepKind::Remove;
    step.source = inclusive;
    step.own = getInput();
    return withInit(plan.addStep(step));
  }
  if (!key.hasInit)
    return shift(inclusive, identity());
  if (key.op.hasNeutral)
    return withInit(shift(inclusive, neutral()));
  // Rank 0 is not combined: it has `init` itself.
  PlanValue shifted = shift(inclusive, plan.getInit());
  return combineHere(plan.getInit(), shifted,
                     Guard::lanes(getRanksFrom(key.groupSize, 1)), shifted);
}

Plan PlanBuilder::finishScan(
    PlanValue inclusive,
    llvm::function_ref<PlanValue(PlanValue, PlanValue)> shift,
    llvm::function_ref<PlanValue(PlanValue)> total) {
  if (key.kind == CollectiveKind::InclusiveScan)
    return finish({withInit(inclusive)});
  PlanValue prefix = exclusive(inclusive, shift);
  if (key.kind == CollectiveKind::ExclusiveScan)
    return finish({prefix});
  return finish({prefix, total(inclusive)});
}

Plan PlanBuilder::finishScan(PlanValue prefix, PlanValue total) {
  return finishScanWithInit(withInit(prefix), total);
}

Plan PlanBuilder::finishScanWithInit(PlanValue prefix, PlanValue total) {
  if (key.kind == CollectiveKind::ScanTotal)
    return finish({prefix, total});
  return finish({prefix});
}

Plan PlanBuilder::finish(llvm::ArrayRef<PlanValue> results) {
  plan.setResults(results);
  plan = guardCalls(key, std::move(plan));
  plan.computeCost(key);
  return std::move(plan);
}
