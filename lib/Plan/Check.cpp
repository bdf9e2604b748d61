//===- Check.cpp - Prove a plan on symbolic lanes -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardCalls.h"
#include "coll/Plan/Lanes.h"
#include "coll/Plan/Plan.h"
#include "coll/Plan/Specification.h"
#include "coll/Plan/Strategy.h"
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
  Error checkEncodings(size_t index, const Step &step);
  Error checkEncode(size_t index, Encoding encoding) const;
  Error checkRedux(size_t index, const Step &step) const;
  Error checkReduxParts(size_t index, ReduxForm form) const;
  Error checkVote(size_t index, const Step &step) const;
  Error runNumbers(size_t index, const Step &step, Lanes &result);
  Error runStep(size_t index, const Step &step);
  Error runMoveOrCombine(size_t index, const Step &step, Lanes &result);
  ID combineLanes(PlanValue value, unsigned first, unsigned last);
  void runRedux(const Step &step, Lanes &result);
  void runVote(const Step &step, Lanes &result);
  ID getMoved(const Step &step, unsigned lane, bool &predicate) const;
  Error compare();
  Error checkCalls(const std::set<ID> &tree) const;
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
  std::vector<Lanes> values;       ///< By PlanValue, then by lane.
  std::vector<Encoding> encodings; ///< By PlanValue.

  /// A call of the operator.
  struct Call {
    size_t step;
    unsigned lane;
    ID result;
  };
  std::vector<Call> calls;
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
  encodings.assign(values.size(), Encoding::Element);
  for (size_t index = 0; index < plan.getSteps().size(); ++index)
    if (Error error = runStep(index, plan.getSteps()[index]))
      return error;
  return compare();
}

Error PlanChecker::checkOperands(size_t index, const Step &step) const {
  bool isMove = step.kind == StepKind::Move || step.kind == StepKind::Combine;
  bool needsSource =
      step.kind != StepKind::Identity && step.kind != StepKind::Neutral;
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
  if (step.move.kind == MoveKind::Shared && !key.hasScratch)
    return fail(index, "there is no shared memory for the move");
  if (step.guard.kind == GuardKind::Predicate && !step.move.isShuffle())
    return fail(index, "only shuffles have a predicate");
  if (step.old != noValue && !step.move.hasOld())
    return fail(index, "the move has no old operand");
  return step.tied ? checkTied(index, step) : Error::success();
}

Error PlanChecker::checkTied(size_t index, const Step &step) const {
  if (step.kind != StepKind::Combine || step.move.kind != MoveKind::DPP ||
      step.move.boundCtrl || step.guard.kind != GuardKind::LaneMask ||
      step.otherwise != step.own || step.old != step.own)
    return fail(index, "only masked in-place DPP steps can be tied");
  if (!hasDPPInstruction(key))
    return fail(index, "tied, but no DPP instruction has the operator");
  if (encodings[step.own] != getDPPEncoding(key))
    return fail(index, "tied, but the value is not encoded for that");
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
  if (Error error = checkEncodings(index, step))
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
    if (Error error = checkRedux(index, step))
      return error;
    runRedux(step, result);
    break;
  case StepKind::Vote:
    if (Error error = checkVote(index, step))
      return error;
    runVote(step, result);
    break;
  case StepKind::Encode:
  case StepKind::Decode:
    result = values[step.source];
    break;
  case StepKind::Numbers:
    if (Error error = runNumbers(index, step, result))
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
      // result is not taken; if it is total, on zero bits too, and on what was
      // proved to change nothing.
      auto isFiller = [&](ID id) {
        return pool.isFiller(id) && !(key.op.isTotal && id == pool.getZero()) &&
               !(key.op.hasNeutral && id == pool.getNeutral());
      };
      if (key.op.kind == OperatorKind::Custom &&
          (isFiller(value) || isFiller(own)))
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
    if (isWanted && step.kind == StepKind::Combine)
      calls.push_back({index, lane, value});
    result[lane] = isWanted ? value : values[step.otherwise][lane];
  }
  return Error::success();
}

/// Which encodings an operator and an element have.
Error PlanChecker::checkEncode(size_t index, Encoding encoding) const {
  const ElementInfo &element = key.element;
  bool isFloat = element.isScalar(/*isFloat=*/true);
  bool isInteger = element.isScalar(/*isFloat=*/false);
  unsigned bits = element.leaves.empty() ? 0 : element.leaves.front().bits;
  bool isNarrow = bits == 16 || (isInteger && bits == 8);
  if (encoding == Encoding::Wide && (key.op.kind == OperatorKind::Custom ||
                                     !(isFloat || isInteger) || !isNarrow))
    return fail(index, "only one number of 8 or 16 bits is made wide");
  bool isSigned =
      key.op.kind == OperatorKind::SMin || key.op.kind == OperatorKind::SMax;
  if (encoding == Encoding::Unsigned && !(isInteger && isSigned && bits == 64))
    return fail(index, "only 64-bit integers of smin and smax lose their sign");
  if (encoding == Encoding::Keys && !(isFloat && isFloatMinMax(key.op.kind)))
    return fail(index, "only min and max of one float have keys");
  if (encoding == Encoding::Element)
    return fail(index, "an element needs no encoding");
  return Error::success();
}

/// Elements and what stands for them are not mixed.
Error PlanChecker::checkEncodings(size_t index, const Step &step) {
  Encoding encoding = Encoding::Element;
  if (step.source != noValue)
    encoding = encodings[step.source];
  for (PlanValue other : {step.own, step.old, step.otherwise})
    if (other != noValue && encodings[other] != encoding)
      return fail(index, "the operands are in different encodings");
  if (step.kind == StepKind::Encode) {
    if (encoding != Encoding::Element)
      return fail(index, "what is encoded is no element");
    if (Error error = checkEncode(index, step.encoding))
      return error;
    encoding = step.encoding;
  } else if (step.kind == StepKind::Decode) {
    if (encoding == Encoding::Element || encoding != step.encoding)
      return fail(index, "what is decoded is in another encoding");
    encoding = Encoding::Element;
  }
  bool isForElements = step.kind == StepKind::Remove ||
                       step.kind == StepKind::Vote ||
                       step.kind == StepKind::Numbers;
  if ((isForElements && encoding != Encoding::Element) ||
      (step.kind == StepKind::Combine && encoding == Encoding::Keys))
    return fail(index, "the operator is for elements");
  encodings.push_back(encoding);
  return Error::success();
}

/// AMD reduces words by plans of their own, which are as right as others.
Error PlanChecker::checkReduxParts(size_t index, ReduxForm form) const {
  llvm::SmallVector<PlanKey, 2> parts = getReduxParts(key, form);
  if (parts.empty())
    return fail(index, "this form of redux is for other elements");
  for (const PlanKey &part : parts) {
    llvm::Expected<Choice> choice = choosePlan(part);
    if (!choice)
      return choice.takeError();
    if (Error error = PlanChecker(part, choice->plan, warp).run())
      return error;
  }
  return Error::success();
}

Error PlanChecker::checkRedux(size_t index, const Step &step) const {
  if (!key.op.isExact)
    return fail(index, "redux is for exact operators");
  Encoding encoding = encodings[step.source];
  bool isKeys = encoding == Encoding::Keys;
  LeafType leaf = key.element.leaves.front();
  if (step.form == ReduxForm::Float) {
    if (!key.target.has(Feature::ReduxF32))
      return fail(index, key.target.str() + " has no redux-f32");
    if (isKeys || !key.element.isScalar(/*isFloat=*/true) || leaf.bits == 64 ||
        !isFloatMinMax(key.op.kind))
      return fail(index, "this redux is for min and max of f32");
    return Error::success();
  }
  if (key.target.isAMD())
    return checkReduxParts(index, step.form);
  if (!key.target.has(Feature::Redux))
    return fail(index, key.target.str() + " has no redux");
  if (step.form == ReduxForm::Arg) {
    if (!key.op.arg || key.element.leaves.size() != 2 || leaf.lanes != 1)
      return fail(index, "this redux is for pairs of a value and its rank");
    return Error::success();
  }
  if (!isKeys &&
      (!key.element.isSingle(/*isFloat=*/false) || !hasRedux(key.op.kind)))
    return fail(index, "redux is for integers and some operators");
  unsigned bits = encoding == Encoding::Wide ? 32 : leaf.bits;
  if (isKeys)
    bits = std::max(leaf.bits, 32u);
  bool isMinMax = isKeys || isIntegerMinMax(key.op.kind);
  bool isRight = false;
  switch (step.form) {
  case ReduxForm::Words:
    isRight =
        bits == 32 || (isBitwise(key.op.kind) && bits * leaf.lanes % 32 == 0);
    break;
  case ReduxForm::HighThenLow:
    isRight = bits == 64 && leaf.lanes == 1 && isMinMax;
    break;
  case ReduxForm::Fields:
    isRight = bits == 64 && leaf.lanes == 1 && key.op.kind == OperatorKind::Add;
    break;
  case ReduxForm::Float:
  case ReduxForm::Arg:
    break;
  }
  if (!isRight)
    return fail(index, "this form of redux is for other elements");
  return Error::success();
}

Error PlanChecker::checkVote(size_t index, const Step &step) const {
  bool isBit = key.element.isScalar(/*isFloat=*/false) &&
               key.element.leaves.front().bits == 1 && isBitwise(key.op.kind);
  bool isCount = key.isFlag && key.element.isScalar(/*isFloat=*/false) &&
                 key.op.kind == OperatorKind::Add;
  if (!isBit && !isCount)
    return fail(index, "votes are for one bit, or to count flags");
  return Error::success();
}

/// One number's plan is proved by itself, and gives what the key asks for.
Error PlanChecker::runNumbers(size_t index, const Step &step, Lanes &result) {
  std::optional<PlanKey> number = getNumberKey(key);
  if (!number || step.source != Plan::getInput())
    return fail(index, "this is for vectors, as they are given");
  llvm::Expected<Choice> choice = choosePlan(*number);
  if (!choice)
    return choice.takeError();
  if (Error error = PlanChecker(*number, choice->plan, warp).run())
    return error;
  llvm::ArrayRef<ID> input = values[step.source];
  for (unsigned first = 0; first < warp.presentLanes; first += key.groupSize) {
    unsigned ranks = std::min(key.groupSize, warp.presentLanes - first);
    std::vector<ID> specified = specify(input.slice(first, ranks)).front();
    for (unsigned rank = 0; rank < ranks; ++rank)
      if (key.isDemanded(first + rank, warp.presentLanes))
        result[first + rank] = specified[rank];
  }
  return Error::success();
}

/// The elements of lanes `first` to `last`, as an exact operator sees them.
ID PlanChecker::combineLanes(PlanValue value, unsigned first, unsigned last) {
  ID all = values[value][first];
  for (unsigned lane = first + 1; lane <= last; ++lane)
    all = pool.combine(all, values[value][lane]);
  return all;
}

void PlanChecker::runRedux(const Step &step, Lanes &result) {
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane) {
    unsigned first = lane / key.groupSize * key.groupSize;
    unsigned last = std::min(first + key.groupSize, warp.presentLanes) - 1;
    result[lane] = combineLanes(step.source, first, last);
  }
}

void PlanChecker::runVote(const Step &step, Lanes &result) {
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane) {
    unsigned first = lane / key.groupSize * key.groupSize;
    unsigned last = std::min(first + key.groupSize, warp.presentLanes) - 1;
    if (step.ranks == VoteRanks::UpToOwn)
      last = lane;
    if (step.ranks == VoteRanks::BelowOwn && lane == first) {
      result[lane] = pool.getIdentity();
      continue;
    }
    if (step.ranks == VoteRanks::BelowOwn)
      last = lane - 1;
    result[lane] = combineLanes(step.source, first, last);
  }
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
  case CollectiveKind::Rotate:
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
    else if (encodings[value] != Encoding::Element)
      return makeError("result v" + llvm::Twine(value) + " is no element");
  llvm::ArrayRef<ID> input = values.front();
  std::set<ID> tree;
  for (unsigned first = 0; first < warp.presentLanes; first += key.groupSize) {
    unsigned ranks = std::min(key.groupSize, warp.presentLanes - first);
    std::vector<std::vector<ID>> expected = specify(input.slice(first, ranks));
    for (unsigned result = 0; result < count; ++result)
      for (unsigned rank = 0; rank < ranks; ++rank) {
        if (!key.isDemanded(first + rank, warp.presentLanes))
          continue;
        pool.addNodes(expected[result][rank], tree);
        if (Error error =
                compareResult(result, first + rank, expected[result][rank]))
          return error;
      }
  }
  return callsTreeOnly(key) ? checkCalls(tree) : Error::success();
}

/// `tree` has all that the collective's results are made of.
Error PlanChecker::checkCalls(const std::set<ID> &tree) const {
  for (const Call &call : calls)
    if (!tree.count(call.result))
      return fail(call.step, "the operator is called for " +
                                 llvm::Twine(pool.str(call.result)) +
                                 " in lane " + llvm::Twine(call.lane) +
                                 ", which nobody asks for");
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
