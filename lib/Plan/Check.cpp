//===- Check.cpp - Prove a plan on symbolic lanes -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Lanes.h"
#include "coll/Plan/Plan.h"
#include "coll/Plan/Specification.h"
#include <algorithm>

using namespace coll;
using llvm::Error;
using ID = Expressions::ID;

static Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(text);
}

namespace {
class PlanChecker {
public:
  PlanChecker(const PlanKey &key, const Plan &plan, const WarpShape &warp)
      : key(key), plan(plan), warp(warp), pool(key.op) {}

  Error run();

private:
  using Lanes = std::vector<ID>;

  Error checkOperands(size_t index, const Step &step) const;
  Error checkTied(size_t index, const Step &step) const;
  Error runStep(size_t index, const Step &step);
  Error runMoveOrCombine(size_t index, const Step &step, Lanes &result);
  Error runRedux(size_t index, const Step &step, Lanes &result);
  ID getMoved(const Step &step, unsigned lane, bool &predicate) const;
  Error compare();
  Error compareResult(unsigned result, unsigned lane, ID expected);
  std::vector<std::vector<ID>> specifyShuffle(unsigned first, unsigned ranks);
  std::vector<std::vector<ID>> specify(llvm::ArrayRef<ID> elements);
  ID withInit(ID value) {
    return key.hasInit ? pool.combine(Expressions::init, value) : value;
  }
  Error fail(size_t index, const llvm::Twine &text) const {
    return makeError("v" + llvm::Twine(plan.getStepValue(index)) + ": " + text);
  }

  const PlanKey &key;
  const Plan &plan;
  WarpShape warp;
  Expressions pool;
  std::vector<Lanes> values; ///< By PlanValue, then by lane.
};
} // namespace

Error PlanChecker::run() {
  Lanes input(warp.size, Expressions::undefined);
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane)
    input[lane] = Expressions::firstElement + lane;
  values.push_back(input);
  if (key.hasInit) {
    std::fill_n(input.begin(), warp.presentLanes, Expressions::init);
    values.push_back(input);
  }
  for (size_t index = 0; index < plan.getSteps().size(); ++index)
    if (Error error = runStep(index, plan.getSteps()[index]))
      return error;
  return compare();
}

Error PlanChecker::checkOperands(size_t index, const Step &step) const {
  bool isMove = step.kind == StepKind::Move || step.kind == StepKind::Combine;
  bool needsSource =
      isMove || step.kind == StepKind::Redux || step.kind == StepKind::Remove;
  bool needsOwn =
      step.kind == StepKind::Combine || step.kind == StepKind::Remove;
  bool needsOtherwise = isMove && step.guard.kind != GuardKind::Always;
  auto isDefined = [&](PlanValue value) { return value < values.size(); };
  if ((needsSource && !isDefined(step.source)) ||
      (needsOwn && !isDefined(step.own)) ||
      (needsOtherwise && !isDefined(step.otherwise)) ||
      (step.old != noValue && !isDefined(step.old)))
    return fail(index, "an operand is not defined before its use");
  if (!isMove)
    return Error::success();
  if (std::optional<std::string> missing =
          findMissingFeature(step.move, key.target))
    return fail(index, *missing);
  if (step.guard.kind == GuardKind::Predicate && !step.move.isShuffle())
    return fail(index, "only shuffles have a predicate");
  if (step.old != noValue && !step.move.hasOld())
    return fail(index, "the move has no old operand");
  return step.tied ? checkTied(index, step) : Error::success();
}

Error PlanChecker::checkTied(size_t index, const Step &step) const {
  if (step.kind != StepKind::Combine || step.move.kind != MoveKind::DPP ||
      step.move.boundCtrl || step.guard.kind != GuardKind::LaneMask ||
      step.otherwise != step.own)
    return fail(index, "only masked in-place DPP steps can be tied");
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane) {
    bool isWritten = findSource(step.move, lane, warp).kind == LaneSource::Lane;
    bool isWanted = warp.get(step.guard.mask) >> lane & 1;
    if (isWritten != isWanted)
      return fail(index, "tied, but DPP and mask disagree in lane " +
                             llvm::Twine(lane));
  }
  return Error::success();
}

Error PlanChecker::runStep(size_t index, const Step &step) {
  if (Error error = checkOperands(index, step))
    return error;
  Lanes result(warp.size, Expressions::undefined);
  auto fill = [&](ID id) {
    std::fill_n(result.begin(), warp.presentLanes, id);
  };
  switch (step.kind) {
  case StepKind::Identity:
    if (!key.op.hasIdentity)
      return fail(index, "the operator has no identity");
    fill(pool.getIdentity());
    break;
  case StepKind::Neutral:
    if (!key.op.hasNeutral)
      return fail(index, "the operator has no neutral value");
    fill(pool.getNeutral());
    break;
  case StepKind::Remove:
    for (unsigned lane = 0; lane < warp.presentLanes; ++lane)
      result[lane] =
          pool.remove(values[step.source][lane], values[step.own][lane]);
    break;
  case StepKind::Redux:
    if (Error error = runRedux(index, step, result))
      return error;
    break;
  case StepKind::Move:
  case StepKind::Combine:
    if (Error error = runMoveOrCombine(index, step, result))
      return error;
    break;
  }
  values.push_back(std::move(result));
  return Error::success();
}

ID PlanChecker::getMoved(const Step &step, unsigned lane,
                         bool &predicate) const {
  LaneSource source = findSource(step.move, lane, warp);
  predicate = source.predicate;
  switch (source.kind) {
  case LaneSource::Lane:
    return values[step.source][source.lane];
  case LaneSource::Old:
    return step.old == noValue ? ID(Expressions::undefined)
                               : values[step.old][lane];
  case LaneSource::Zero:
    return pool.getZero();
  case LaneSource::Undefined:
    break;
  }
  return Expressions::undefined;
}

Error PlanChecker::runMoveOrCombine(size_t index, const Step &step,
                                    Lanes &result) {
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane) {
    bool predicate = false;
    ID value = getMoved(step, lane, predicate);
    if (step.kind == StepKind::Combine) {
      ID own = values[step.own][lane];
      // A user's operator is called on real elements only, even where its
      // result is not taken.
      if (key.op.kind == OperatorKind::Custom &&
          (pool.isFiller(value) || pool.isFiller(own)))
        return fail(index, "the operator is called on an " +
                               llvm::Twine(pool.str(std::min(value, own))) +
                               " operand in lane " + llvm::Twine(lane));
      value = step.side == Side::SourceLeft ? pool.combine(value, own)
                                            : pool.combine(own, value);
    }
    bool isWanted = true;
    if (step.guard.kind == GuardKind::Predicate)
      isWanted = predicate;
    else if (step.guard.kind == GuardKind::LaneMask)
      isWanted = warp.get(step.guard.mask) >> lane & 1;
    result[lane] = isWanted ? value : values[step.otherwise][lane];
  }
  return Error::success();
}

Error PlanChecker::runRedux(size_t index, const Step &step, Lanes &result) {
  if (!key.target.has(Feature::Redux))
    return fail(index, key.target.str() + " has no redux");
  uint64_t present = getLowLanes(warp.presentLanes);
  if (warp.get(step.mask) != present)
    return fail(index, "the members of redux are not the present lanes");
  if (!key.op.isExact || !key.element.isSingle(/*isFloat=*/false))
    return fail(index, "redux is for exact operators on one integer");
  ID all = values[step.source][0];
  for (unsigned lane = 1; lane < warp.presentLanes; ++lane)
    all = pool.combine(all, values[step.source][lane]);
  std::fill_n(result.begin(), warp.presentLanes, all);
  return Error::success();
}

/// The same for shuffles, of the group of `ranks` lanes from lane `first`.
std::vector<std::vector<ID>> PlanChecker::specifyShuffle(unsigned first,
                                                         unsigned ranks) {
  std::vector<ID> values;
  for (unsigned lane = first; lane < first + ranks; ++lane) {
    std::optional<unsigned> source =
        key.getShuffleSource(lane, warp.presentLanes);
    ID element = Expressions::firstElement + source.value_or(lane);
    values.push_back(!source && key.hasInit ? ID(Expressions::init) : element);
  }
  return {values};
}

/// The specified results of one group, by result and rank.
std::vector<std::vector<ID>> PlanChecker::specify(llvm::ArrayRef<ID> elements) {
  Specification spec(pool, elements.vec());
  std::vector<ID> total(elements.size(), spec.total());
  std::vector<ID> first;
  switch (key.kind) {
  case CollectiveKind::Reduce:
    return {std::vector<ID>(elements.size(), withInit(spec.reduce()))};
  case CollectiveKind::InclusiveScan:
    for (ID value : spec.inclusiveScan())
      first.push_back(withInit(value));
    return {first};
  case CollectiveKind::ExclusiveScan:
  case CollectiveKind::ScanTotal:
    first = spec.exclusiveScan();
    break;
  case CollectiveKind::Broadcast:
  case CollectiveKind::ShuffleUp:
  case CollectiveKind::ShuffleDown:
  case CollectiveKind::ShuffleXor:
    return specifyShuffle(elements.front() - Expressions::firstElement,
                          elements.size());
  }
  if (key.hasInit) {
    first.front() = Expressions::init;
    for (ID &value : llvm::MutableArrayRef<ID>(first).drop_front())
      value = withInit(value);
  }
  if (key.kind == CollectiveKind::ExclusiveScan)
    return {first};
  return {first, total};
}

Error PlanChecker::compare() {
  unsigned count = key.kind == CollectiveKind::ScanTotal ? 2 : 1;
  if (plan.getResults().size() != count)
    return makeError("expected " + llvm::Twine(count) + " results, got " +
                     llvm::Twine(plan.getResults().size()));
  for (PlanValue value : plan.getResults())
    if (value >= values.size())
      return makeError("result v" + llvm::Twine(value) + " is not defined");
  llvm::ArrayRef<ID> input = values.front();
  for (unsigned first = 0; first < warp.presentLanes; first += key.groupSize) {
    unsigned ranks = std::min(key.groupSize, warp.presentLanes - first);
    std::vector<std::vector<ID>> expected = specify(input.slice(first, ranks));
    for (unsigned result = 0; result < count; ++result)
      for (unsigned rank = 0; rank < ranks; ++rank)
        if (Error error =
                compareResult(result, first + rank, expected[result][rank]))
          return error;
  }
  return Error::success();
}

Error PlanChecker::compareResult(unsigned result, unsigned lane, ID expected) {
  ID actual = values[plan.getResults()[result]][lane];
  if (actual == expected)
    return Error::success();
  return makeError("with " + llvm::Twine(warp.presentLanes) +
                   " lanes present, result " + llvm::Twine(result) +
                   " of lane " + llvm::Twine(lane) + ": expected " +
                   pool.str(expected) + ", got " + pool.str(actual));
}

Error coll::checkPlan(const PlanKey &key, const Plan &plan,
                      unsigned presentLanes) {
  unsigned warpSize = key.getWarpSize();
  if (presentLanes == 0 || presentLanes > warpSize)
    return makeError("a warp has 1 to " + llvm::Twine(warpSize) +
                     " present lanes, not " + llvm::Twine(presentLanes));
  bool isTail = key.getPresentLanes().full != presentLanes;
  return PlanChecker(key, plan, {warpSize, presentLanes, isTail}).run();
}

Error coll::checkPlan(const PlanKey &key, const Plan &plan) {
  for (unsigned present : key.getPresentCounts())
    if (Error error = checkPlan(key, plan, present))
      return error;
  return Error::success();
}
