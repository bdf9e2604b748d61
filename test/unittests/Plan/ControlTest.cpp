//===- ControlTest.cpp - Wrong plans that the check must refuse -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check that accepts everything proves nothing. Each plan here is wrong in
// one way that real compilers have been; most are right for another operator,
// which is checked too.
//
//===----------------------------------------------------------------------===//

#include "PlanTestUtils.h"
#include "coll/Plan/PlanBuilder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace coll;
using testing::HasSubstr;

static const OperatorCase addI32 =
    getBuiltin(OperatorKind::Add, ElementInfo::integer(32));
static const OperatorCase minI32 =
    getBuiltin(OperatorKind::SMin, ElementInfo::integer(32));
static const OperatorCase minF32 =
    getBuiltin(OperatorKind::MinNum, ElementInfo::floating(32));
static const OperatorCase addF32 =
    getBuiltin(OperatorKind::Add, ElementInfo::floating(32));
static const OperatorCase ordered = getCustom(false, false);
static const OperatorCase commutative = getCustom(true, false);

/// "" if the plan is right.
static std::string check(const PlanKey &key, const Plan &plan) {
  return llvm::toString(checkPlan(key, plan));
}

static Plan finish(PlanBuilder &builder, PlanValue value) {
  return builder.finishReduce(value);
}

/// A scan by shfl.up over the whole warp, without rows.
static Plan getHillisSteele(const PlanKey &key) {
  PlanBuilder builder(key);
  PlanValue value = builder.getInput();
  for (unsigned distance = 1; distance < key.groupSize; distance *= 2)
    value = builder.combine(Move::up(distance, 0), value, Side::SourceLeft,
                            Guard::predicate());
  return finish(builder, value);
}

TEST(Control, HillisSteeleOver32IsAnotherTree) {
  Target target = getTarget("sm_90");
  PlanKey key = getKey(CollectiveKind::InclusiveScan, addF32, 32, target);
  EXPECT_THAT(check(key, getHillisSteele(key)),
              HasSubstr("result 0 of lane 16: expected"));
  key = getKey(CollectiveKind::InclusiveScan, addI32, 32, target);
  EXPECT_EQ(check(key, getHillisSteele(key)), "");
}

static Plan getButterfly(const PlanKey &key, llvm::ArrayRef<unsigned> distances,
                         WarpConstant clamp, Guard guard) {
  PlanBuilder builder(key);
  PlanValue value = builder.getInput();
  for (unsigned distance : distances)
    value = builder.combine(Move::bfly(distance, clamp), value,
                            Side::SourceLeft, guard);
  return finish(builder, value);
}

TEST(Control, DescendingButterflyIsAnotherTree) {
  Target target = getTarget("sm_90");
  WarpConstant all = WarpConstant::same(31);
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 4, target);
  EXPECT_EQ(check(key, getButterfly(key, {2, 1}, all, Guard::always())),
            "with 32 lanes present, result 0 of lane 0: expected ((e0 e1) (e2 "
            "e3)), got ((e0 e2) (e1 e3))");
  EXPECT_EQ(check(key, getButterfly(key, {1, 2}, all, Guard::always())), "");
  key = getKey(CollectiveKind::Reduce, addI32, 4, target);
  EXPECT_EQ(check(key, getButterfly(key, {2, 1}, all, Guard::always())), "");
}

TEST(Control, ButterflySwapsOperands) {
  Target target = getTarget("sm_90");
  WarpConstant all = WarpConstant::same(31);
  PlanKey key = getKey(CollectiveKind::Reduce, ordered, 2, target);
  EXPECT_EQ(check(key, getButterfly(key, {1}, all, Guard::always())),
            "with 32 lanes present, result 0 of lane 0: expected (e0 e1), got "
            "(e1 e0)");
  key = getKey(CollectiveKind::Reduce, commutative, 2, target);
  EXPECT_EQ(check(key, getButterfly(key, {1}, all, Guard::always())), "");
}

TEST(Control, ClampAboveTheLastLaneReadsAbsentLanes) {
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 4, getTarget("sm_90"),
                       {/*hasFullWarp=*/true, /*tail=*/5});
  EXPECT_THAT(check(key, getButterfly(key, {1, 2}, WarpConstant::same(31),
                                      Guard::predicate())),
              HasSubstr("lane 4: expected e4, got undefined"));
  EXPECT_EQ(check(key, getButterfly(key, {1, 2}, key.getLastLane(),
                                    Guard::predicate())),
            "");
}

TEST(Control, ButterflyWithoutPredicateAddsTwice) {
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 2, getTarget("sm_90"),
                       {/*hasFullWarp=*/false, /*tail=*/1});
  Plan plan = getButterfly(key, {1}, key.getLastLane(), Guard::always());
  EXPECT_THAT(check(key, plan), HasSubstr("expected e0, got (e0 e0)"));
  key = getKey(CollectiveKind::Reduce, minI32, 2, key.target, key.presence);
  EXPECT_EQ(check(key, plan), "");
}

/// The first step of a row scan, whose gaps are filled by `fill`.
static Plan getFilledScan(const PlanKey &key, bool boundCtrl, StepKind fill) {
  PlanBuilder builder(key);
  Step step;
  step.kind = fill;
  PlanValue old = boundCtrl ? noValue : builder.add(step);
  PlanValue value = builder.getInput();
  for (unsigned distance : {1, 2, 4, 8})
    value =
        builder.combine(Move::dpp(dpp::rowShr(distance), 0xf, 0xf, boundCtrl),
                        value, Side::SourceLeft, Guard::always(), old);
  return finish(builder, value);
}

TEST(Control, ZeroIsNotNeutralForFloatAdd) {
  Target target = getTarget("gfx1100");
  PlanKey key = getKey(CollectiveKind::InclusiveScan, addF32, 16, target);
  EXPECT_THAT(check(key, getFilledScan(key, true, StepKind::Neutral)),
              HasSubstr("lane 0: expected e0, got"));
  EXPECT_THAT(check(key, getFilledScan(key, false, StepKind::Identity)),
              HasSubstr("lane 0: expected e0, got"));
  EXPECT_EQ(check(key, getFilledScan(key, false, StepKind::Neutral)), "");
  key = getKey(CollectiveKind::InclusiveScan, addI32, 16, target);
  EXPECT_EQ(check(key, getFilledScan(key, true, StepKind::Neutral)), "");
  EXPECT_EQ(check(key, getFilledScan(key, false, StepKind::Identity)), "");
  key = getKey(CollectiveKind::InclusiveScan, minI32, 16, target);
  EXPECT_THAT(check(key, getFilledScan(key, true, StepKind::Neutral)),
              HasSubstr("lane 0: expected e0, got (zero e0)"));
}

TEST(Control, InfinityIsNotNeutralForMinNum) {
  OperatorCase minNum =
      getBuiltin(OperatorKind::MinNum, ElementInfo::floating(32));
  Target target = getTarget("gfx1100");
  PlanKey key = getKey(CollectiveKind::InclusiveScan, minNum, 16, target);
  EXPECT_THAT(check(key, getFilledScan(key, false, StepKind::Identity)),
              HasSubstr("lane 0: expected e0, got"));
  OperatorCase minimum =
      getBuiltin(OperatorKind::Minimum, ElementInfo::floating(32));
  key = getKey(CollectiveKind::InclusiveScan, minimum, 16, target);
  EXPECT_EQ(check(key, getFilledScan(key, false, StepKind::Identity)), "");
}

TEST(Control, UsersOperatorSeesNoFiller) {
  Target target = getTarget("gfx1100");
  PlanKey key = getKey(CollectiveKind::InclusiveScan, commutative, 16, target);
  EXPECT_EQ(check(key, getFilledScan(key, true, StepKind::Neutral)),
            "v1: the operator is called on an zero operand in lane 0");
  EXPECT_EQ(check(key, getFilledScan(key, false, StepKind::Neutral)),
            "v1: the operator has no neutral value");
  EXPECT_EQ(check(key, getFilledScan(key, false, StepKind::Identity)),
            "v1: the operator has no identity");
}

TEST(Control, FusedButterflyLosesRanksOfShortRows) {
  PlanKey full =
      getKey(CollectiveKind::Reduce, addF32, 64, getTarget("gfx942"));
  llvm::Expected<Choice> choice = choosePlan(full);
  ASSERT_TRUE(static_cast<bool>(choice));
  EXPECT_EQ(check(full, choice->plan), "");
  PlanKey key = full;
  key.presence = {/*hasFullWarp=*/false, /*tail=*/45};
  EXPECT_NE(check(key, choice->plan), "");
}

TEST(Control, InstructionsOfOtherChips) {
  PlanKey key =
      getKey(CollectiveKind::Reduce, addI32, 32, getTarget("gfx1100"));
  auto getError = [&](Move move) {
    PlanBuilder builder(key);
    return check(key, finish(builder, builder.move(move, 0)));
  };
  WarpConstant zero = WarpConstant::same(0);
  EXPECT_EQ(getError(Move::dpp(dpp::rowBcast15)),
            "v1: gfx1100 has no dpp-wave");
  EXPECT_EQ(getError(Move::permlane64()), "v1: gfx1100 has no permlane64");
  EXPECT_EQ(getError(Move::swap16(true)), "v1: gfx1100 has no permlane-swap");
  EXPECT_EQ(getError(Move::bfly(1, zero)), "v1: gfx1100 has no shfl.sync");
  Move shared = Move::shared(SharedForm::Xor, 16);
  EXPECT_EQ(getError(shared), "v1: there is no shared memory for the move");
  key.hasScratch = true;
  EXPECT_THAT(getError(shared), HasSubstr("got e16"));
  key.target = getTarget("gfx906");
  EXPECT_EQ(getError(Move::permlaneX16(0)), "v1: gfx906 has no permlanex16");
  EXPECT_EQ(getError(Move::dpp(dpp::rowXMask(1))),
            "v1: gfx906 has no dpp-row-xmask");
  key.target = getTarget("sm_75");
  EXPECT_EQ(getError(shared), "v1: sm_75 has no moves through shared memory");
  EXPECT_EQ(getError(Move::dpp(dpp::rowMirror)), "v1: sm_75 has no dpp");
  EXPECT_EQ(getError(Move::readLane(zero)), "v1: sm_75 has no readlane");
}

/// Why a plan of one step on the input is wrong.
static std::string checkStep(const PlanKey &key, Step step) {
  step.source = Plan::getInput();
  PlanBuilder builder(key);
  return check(key, finish(builder, builder.add(step)));
}

static Step getRedux(ReduxForm form) {
  Step step;
  step.kind = StepKind::Redux;
  step.form = form;
  return step;
}

TEST(Control, Redux) {
  Target target = getTarget("sm_90");
  auto getError = [&](const OperatorCase &op, ReduxForm form) {
    return checkStep(getKey(CollectiveKind::Reduce, op, 32, target),
                     getRedux(form));
  };
  auto integer = [](OperatorKind kind, unsigned bits, unsigned lanes = 1) {
    return getBuiltin(kind, ElementInfo::integer(bits, lanes));
  };
  const char *other = "v1: this form of redux is for other elements";
  EXPECT_EQ(getError(addI32, ReduxForm::Words), "");
  EXPECT_EQ(getError(addI32, ReduxForm::Fields), other);
  EXPECT_EQ(getError(integer(OperatorKind::Add, 16), ReduxForm::Words), other);
  EXPECT_EQ(getError(integer(OperatorKind::Add, 64), ReduxForm::Words), other);
  EXPECT_EQ(getError(integer(OperatorKind::Add, 64), ReduxForm::HighThenLow),
            other);
  EXPECT_EQ(getError(integer(OperatorKind::Add, 64), ReduxForm::Fields), "");
  EXPECT_EQ(getError(integer(OperatorKind::UMax, 64), ReduxForm::HighThenLow),
            "");
  EXPECT_EQ(getError(integer(OperatorKind::Xor, 8, 4), ReduxForm::Words), "");
  EXPECT_EQ(getError(integer(OperatorKind::Xor, 8, 3), ReduxForm::Words),
            other);
  EXPECT_EQ(getError(integer(OperatorKind::Mul, 32), ReduxForm::Words),
            "v1: redux is for integers and some operators");
  EXPECT_EQ(getError(addF32, ReduxForm::Words),
            "v1: redux is for exact operators");
  EXPECT_EQ(getError(minF32, ReduxForm::Words),
            "v1: redux is for integers and some operators");
  EXPECT_EQ(getError(minF32, ReduxForm::Float), "v1: sm_90 has no redux-f32");
  target = getTarget("sm_100a");
  EXPECT_EQ(getError(minF32, ReduxForm::Float), "");
  EXPECT_EQ(getError(addI32, ReduxForm::Float),
            "v1: this redux is for min and max of f32");
  EXPECT_EQ(getError(addI32, ReduxForm::Arg),
            "v1: this redux is for pairs of a value and its rank");
  EXPECT_EQ(getError(commutative, ReduxForm::Arg),
            "v1: redux is for exact operators");
  EXPECT_EQ(
      getError(getArgument(OperatorKind::SMin, LeafType{}), ReduxForm::Arg),
      "");
  target = getTarget("sm_75");
  EXPECT_EQ(getError(addI32, ReduxForm::Words), "v1: sm_75 has no redux");
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 32, getTarget("sm_90"),
                       {/*hasFullWarp=*/true, /*tail=*/3});
  EXPECT_EQ(checkStep(key, getRedux(ReduxForm::Words)), "");
}

TEST(Control, ReduxStaysInItsTile) {
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 8, getTarget("sm_90"));
  EXPECT_EQ(checkStep(key, getRedux(ReduxForm::Words)), "");
  key.kind = CollectiveKind::InclusiveScan;
  EXPECT_THAT(checkStep(key, getRedux(ReduxForm::Words)),
              HasSubstr("lane 0: expected e0, got (e0 e1 e2"));
}

TEST(Control, VotesAreForBits) {
  Step step;
  step.kind = StepKind::Vote;
  step.ranks = VoteRanks::UpToOwn;
  Target target = getTarget("sm_90");
  PlanKey key = getKey(CollectiveKind::InclusiveScan, addI32, 32, target);
  EXPECT_EQ(checkStep(key, step),
            "v1: votes are for one bit, or to count flags");
  key.isFlag = true;
  EXPECT_EQ(checkStep(key, step), "");
  step.ranks = VoteRanks::BelowOwn;
  EXPECT_THAT(checkStep(key, step),
              HasSubstr("lane 0: expected e0, got identity"));
  key.kind = CollectiveKind::ExclusiveScan;
  EXPECT_EQ(checkStep(key, step), "");
  step.ranks = VoteRanks::All;
  EXPECT_THAT(checkStep(key, step), HasSubstr("lane 0: expected identity"));
}

TEST(Control, Encodings) {
  Target target = getTarget("sm_90");
  auto encode = [&](const OperatorCase &op, Encoding encoding) {
    PlanKey key = getKey(CollectiveKind::Reduce, op, 2, target);
    PlanBuilder builder(key);
    return check(key, finish(builder, builder.encode(encoding, 0)));
  };
  EXPECT_EQ(encode(minF32, Encoding::Keys), "result v1 is no element");
  EXPECT_EQ(encode(addF32, Encoding::Keys),
            "v1: only min and max of one float have keys");
  EXPECT_EQ(encode(addI32, Encoding::Wide),
            "v1: only one number of 8 or 16 bits is made wide");
  EXPECT_EQ(encode(ordered, Encoding::Wide),
            "v1: only one number of 8 or 16 bits is made wide");
  EXPECT_EQ(encode(addI32, Encoding::Unsigned),
            "v1: only 64-bit integers of smin and smax lose their sign");
  EXPECT_EQ(encode(addI32, Encoding::Element),
            "v1: an element needs no encoding");
  PlanKey key = getKey(CollectiveKind::Reduce, minF32, 2, target);
  Move partner = Move::bfly(1, WarpConstant::same(31));
  {
    PlanBuilder builder(key);
    PlanValue keys = builder.encode(Encoding::Keys, 0);
    EXPECT_EQ(check(key, finish(builder,
                                builder.combine(partner, keys, Side::OwnLeft))),
              "v2: the operator is for elements");
  }
  {
    PlanBuilder builder(key);
    PlanValue keys = builder.encode(Encoding::Keys, 0);
    EXPECT_EQ(check(key, finish(builder, builder.combineHere(keys, 0))),
              "v2: the operands are in different encodings");
  }
  {
    PlanBuilder builder(key);
    PlanValue value = builder.decode(Encoding::Keys, 0);
    EXPECT_EQ(check(key, finish(builder, value)),
              "v1: what is decoded is in another encoding");
  }
  {
    PlanBuilder builder(key);
    PlanValue keys = builder.encode(Encoding::Keys, 0);
    PlanValue again = builder.encode(Encoding::Keys, keys);
    EXPECT_EQ(check(key, finish(builder, again)),
              "v2: what is encoded is no element");
  }
}

TEST(Control, SharedMovesEndWithTheWarp) {
  OperatorCase element = getCustom(false, false);
  Target target = getTarget("gfx942");
  PlanKey key = getKey(CollectiveKind::ShuffleDown, element, 64, target);
  key.argument = 32;
  key.hasScratch = true;
  auto getError = [&](SharedForm form, int distance) {
    PlanBuilder builder(key);
    Move move = Move::shared(form, distance);
    return check(key, finish(builder, builder.move(move, 0)));
  };
  EXPECT_THAT(getError(SharedForm::Shift, 32),
              HasSubstr("lane 32: expected e32, got undefined"));
  EXPECT_THAT(getError(SharedForm::Xor, 32),
              HasSubstr("lane 32: expected e32, got e0"));
  key.kind = CollectiveKind::Rotate;
  EXPECT_EQ(getError(SharedForm::Rotate, 32), "");
  EXPECT_EQ(getError(SharedForm::Xor, 32), "");
  // A lane that is absent has stored nothing.
  key.presence = {/*hasFullWarp=*/false, /*tail=*/33};
  EXPECT_THAT(getError(SharedForm::Xor, 32),
              HasSubstr("lane 1: expected e0, got undefined"));
}

TEST(Control, TotalOperatorsSeeZeroBits) {
  OperatorCase total = getCustom(true, false, /*isTotal=*/true);
  PlanKey key =
      getKey(CollectiveKind::InclusiveScan, total, 16, getTarget("gfx1100"));
  // The result of zero bits is still not that of the elements.
  EXPECT_THAT(check(key, getFilledScan(key, true, StepKind::Neutral)),
              HasSubstr("lane 0: expected e0, got (zero "));
}

/// Pulls down with no lane left out: lane 1 combines what no result is made of.
static Plan getUnguardedPull(const PlanKey &key) {
  Plan plan(/*hasInit=*/false);
  PlanValue value = plan.getInput();
  for (unsigned distance = 1; distance < key.groupSize; distance *= 2) {
    Step step;
    step.kind = StepKind::Combine;
    step.move = Move::down(distance, WarpConstant::same(31));
    step.source = step.own = value;
    step.side = Side::OwnLeft;
    value = plan.addStep(step);
  }
  plan.setResults(value);
  return plan;
}

TEST(Control, OperatorsThatMayFailAreCalledInTheTree) {
  PlanKey key = getKey(CollectiveKind::Reduce, ordered, 4, getTarget("sm_90"));
  key.demand = Demand::First;
  EXPECT_EQ(check(key, getUnguardedPull(key)),
            "v1: the operator is called for (e1 e2) in lane 1, which nobody "
            "asks for");
  // Where it cannot fail, and where the builder leaves lanes out.
  key.op.isTotal = true;
  EXPECT_EQ(check(key, getUnguardedPull(key)), "");
  key.op.isTotal = false;
  PlanBuilder builder(key);
  PlanValue value = builder.getInput();
  for (unsigned distance : {1, 2})
    value = builder.combine(Move::down(distance, WarpConstant::same(31)), value,
                            Side::OwnLeft);
  Plan plan = finish(builder, value);
  EXPECT_EQ(check(key, plan), "");
  EXPECT_EQ(plan.getSteps()[0].guard.mask, WarpConstant::same(0x55555555));
  EXPECT_EQ(plan.getSteps()[1].guard.mask, WarpConstant::same(0x11111111));
}

TEST(Control, ReduxPartsOnAMD) {
  Target target = getTarget("gfx90a");
  auto getError = [&](const OperatorCase &op, ReduxForm form) {
    PlanKey key = getKey(CollectiveKind::Reduce, op, 64, target);
    return checkStep(key, getRedux(form));
  };
  auto integer = [](OperatorKind kind, unsigned bits) {
    return getBuiltin(kind, ElementInfo::integer(bits));
  };
  const char *other = "v1: this form of redux is for other elements";
  EXPECT_EQ(getError(integer(OperatorKind::SMax, 64), ReduxForm::HighThenLow),
            "");
  EXPECT_EQ(getError(integer(OperatorKind::SMax, 32), ReduxForm::HighThenLow),
            other);
  EXPECT_EQ(getError(integer(OperatorKind::Add, 64), ReduxForm::HighThenLow),
            other);
  EXPECT_EQ(getError(addI32, ReduxForm::Words), other);
  EXPECT_EQ(
      getError(getArgument(OperatorKind::UMin, LeafType{}), ReduxForm::Arg),
      "");
  EXPECT_EQ(getError(integer(OperatorKind::UMin, 32), ReduxForm::Arg), other);
  EXPECT_EQ(getError(commutative, ReduxForm::Arg),
            "v1: redux is for exact operators");
}

TEST(Control, TiedStepsAgreeWithTheirMask) {
  PlanKey key =
      getKey(CollectiveKind::InclusiveScan, addI32, 2, getTarget("gfx1100"));
  auto getError = [&](uint64_t mask) {
    PlanBuilder builder(key);
    Step step;
    step.kind = StepKind::Combine;
    step.move = Move::dpp(dpp::rowShr(1));
    step.source = step.own = step.old = step.otherwise = Plan::getInput();
    step.guard = Guard::lanes(mask);
    step.tied = true;
    return check(key, finish(builder, builder.add(step)));
  };
  // row_shr:1 writes all lanes of a row but the first.
  EXPECT_EQ(getError(0xaaaaaaaa),
            "v1: tied, but DPP and mask disagree in lane 2");
  EXPECT_THAT(getError(0xfffefffe), HasSubstr("lane 2: expected e2, got"));
  key = getKey(CollectiveKind::InclusiveScan, ordered, 2, key.target);
  EXPECT_EQ(getError(0xfffefffe),
            "v1: tied, but no DPP instruction has the operator");
}

TEST(Control, MalformedPlans) {
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 2, getTarget("sm_90"));
  Move here = Move::none();
  {
    PlanBuilder builder(key);
    EXPECT_EQ(check(key, finish(builder, builder.move(here, 7))),
              "v1: an operand is not defined before its use");
  }
  {
    PlanBuilder builder(key);
    EXPECT_EQ(check(key, finish(builder, 9)), "result v9 is not defined");
  }
  {
    PlanBuilder builder(key);
    PlanValue value = builder.moveWhere(Guard::predicate(), here, 0, 0);
    EXPECT_EQ(check(key, finish(builder, value)),
              "v1: only shuffles have a predicate");
  }
  EXPECT_EQ(check(key, Plan(false)), "expected 1 results, got 0");
  EXPECT_EQ(llvm::toString(checkPlan(key, Plan(false), 33)),
            "a warp has 1 to 32 present lanes, not 33");
}
