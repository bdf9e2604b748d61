//===- DemandTest.cpp - Plans for one rank of each group ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanTestUtils.h"
#include "coll/Plan/PlanBuilder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace coll;
using testing::HasSubstr;

static const OperatorCase addF32 =
    getBuiltin(OperatorKind::Add, ElementInfo::floating(32));
static const OperatorCase ordered = getCustom(false, false);

static PlanKey getReduce(const OperatorCase &op, unsigned size,
                         llvm::StringRef target, Demand demand,
                         Presence presence = Presence::full()) {
  PlanKey key =
      getKey(CollectiveKind::Reduce, op, size, getTarget(target), presence);
  key.demand = demand;
  return key;
}

static size_t countSteps(const PlanKey &key) {
  return llvm::cantFail(choosePlan(key)).plan.getSteps().size();
}

static unsigned countMoves(const PlanKey &key, MoveKind kind) {
  unsigned count = 0;
  Choice choice = llvm::cantFail(choosePlan(key));
  for (const Step &step : choice.plan.getSteps())
    count += step.move.kind == kind;
  return count;
}

TEST(Demand, NamesTheLanes) {
  PlanKey key = getReduce(addF32, 8, "sm_90", Demand::First, {true, 13});
  EXPECT_EQ(key.str(), "reduce add f32 over 8 of 32, last warp has 13, for "
                       "rank 0, sm_90");
  EXPECT_TRUE(key.isDemanded(8, 13));
  EXPECT_FALSE(key.isDemanded(12, 13));
  key.demand = Demand::Last;
  EXPECT_THAT(key.str(), HasSubstr(", for the last rank, sm_90"));
  EXPECT_TRUE(key.isDemanded(7, 13));
  EXPECT_TRUE(key.isDemanded(12, 13));
  EXPECT_FALSE(key.isDemanded(12, 32));
  EXPECT_TRUE(key.isDemanded(15, 32));
}

// Nobody hands the result round.
TEST(Demand, NVIDIASavesTheBroadcast) {
  auto count = [](const OperatorCase &op, Demand demand, Presence presence) {
    return countSteps(getReduce(op, 32, "sm_90", demand, presence));
  };
  EXPECT_EQ(count(ordered, Demand::All, Presence::full()), 6u);
  EXPECT_EQ(count(ordered, Demand::First, Presence::full()), 5u);
  EXPECT_EQ(count(addF32, Demand::All, {false, 13}), 5u);
  EXPECT_EQ(count(addF32, Demand::First, {false, 13}), 4u);
  // All ranks have it in any case.
  EXPECT_EQ(count(addF32, Demand::First, Presence::full()), 5u);
}

// The last rank of a wave has the result before it is read as a scalar.
TEST(Demand, AMDSavesTheScalar) {
  for (auto [target, size] :
       {std::pair("gfx942", 64u), std::pair("gfx1030:64", 64u)}) {
    unsigned forAll = countMoves(getReduce(addF32, size, target, Demand::All),
                                 MoveKind::ReadLane);
    unsigned forLast = countMoves(getReduce(addF32, size, target, Demand::Last),
                                  MoveKind::ReadLane);
    EXPECT_EQ(forLast + 1, forAll) << target;
  }
  for (llvm::StringRef target : {"gfx942", "gfx1030", "gfx1100"}) {
    PlanKey key = getReduce(addF32, getTarget(target).getWarpSize(), target,
                            Demand::Last, {false, 13});
    EXPECT_EQ(countMoves(key, MoveKind::ReadLane), 0u) << target.str();
    EXPECT_EQ(countSteps(key), 4u) << target.str();
  }
}

/// The pull down to rank 0 without the broadcast.
static Plan getPull(const PlanKey &key) {
  PlanBuilder builder(key);
  PlanValue value = builder.getInput();
  for (unsigned distance = 1; distance < 32; distance *= 2)
    value = builder.combine(Move::down(distance, WarpConstant::same(31)), value,
                            Side::OwnLeft);
  return builder.finishReduce(value);
}

TEST(Demand, TheCheckLooksAtTheRanksAskedFor) {
  auto check = [](Demand demand) {
    PlanKey key = getReduce(ordered, 32, "sm_90", demand);
    return llvm::toString(checkPlan(key, getPull(key)));
  };
  EXPECT_EQ(check(Demand::First), "");
  EXPECT_THAT(check(Demand::Last), HasSubstr("result 0 of lane 31: expected"));
  EXPECT_THAT(check(Demand::All), HasSubstr("result 0 of lane 1: expected"));
}

TEST(Demand, IsOfReductions) {
  PlanKey key = getReduce(addF32, 32, "sm_90", Demand::First);
  key.kind = CollectiveKind::InclusiveScan;
  EXPECT_EQ(llvm::toString(choosePlan(key).takeError()),
            "all ranks need the result of a scan");
}
