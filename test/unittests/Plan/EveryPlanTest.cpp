//===- EveryPlanTest.cpp - All plans of all strategies are right ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanTestUtils.h"
#include "gtest/gtest.h"
#include <set>

using namespace coll;

std::vector<OperatorCase> coll::getOperatorCases() {
  ElementInfo bf16{{LeafType{/*isFloat=*/true, 16, 1, /*isBF16=*/true}}};
  return {
      getBuiltin(OperatorKind::Add, ElementInfo::integer(32)),
      getBuiltin(OperatorKind::SMin, ElementInfo::integer(32)),
      getBuiltin(OperatorKind::Mul, ElementInfo::integer(32)),
      getBuiltin(OperatorKind::UMax, ElementInfo::integer(8)),
      getBuiltin(OperatorKind::Or, ElementInfo::integer(1)),
      getBuiltin(OperatorKind::Xor, ElementInfo::integer(64)),
      getBuiltin(OperatorKind::Add, ElementInfo::integer(64)),
      getBuiltin(OperatorKind::SMax, ElementInfo::integer(64)),
      getBuiltin(OperatorKind::UMin, ElementInfo::integer(64)),
      getBuiltin(OperatorKind::Add, ElementInfo::floating(32)),
      getBuiltin(OperatorKind::Mul, ElementInfo::floating(64)),
      getBuiltin(OperatorKind::Add, ElementInfo::floating(16)),
      getBuiltin(OperatorKind::MinNum, ElementInfo::floating(32)),
      getBuiltin(OperatorKind::Add, bf16),
      getBuiltin(OperatorKind::Maximum, bf16),
      getBuiltin(OperatorKind::Minimum, ElementInfo::floating(64)),
      getBuiltin(OperatorKind::Maximum, ElementInfo::floating(16, 2)),
      getBuiltin(OperatorKind::Add, ElementInfo::floating(32, 4)),
      getCustom(/*isCommutative=*/false, /*hasIdentity=*/true),
      getCustom(/*isCommutative=*/true, /*hasIdentity=*/false),
      getCustom(/*isCommutative=*/false, /*hasIdentity=*/true,
                /*isTotal=*/true),
      getCustom(/*isCommutative=*/true, /*hasIdentity=*/false,
                /*isTotal=*/true),
      getCustomWithNeutral(/*isCommutative=*/false),
      getCustomWithNeutral(/*isCommutative=*/true),
      getArgument(OperatorKind::SMax, LeafType{}),
      getArgument(OperatorKind::MinNum, LeafType{/*isFloat=*/true, 64}),
  };
}

std::vector<Target> coll::getLaneTargets() {
  constexpr Feature features[] = {Feature::Redux,        Feature::ReduxF32,
                                  Feature::BF16Arith,    Feature::DPP,
                                  Feature::DPPWaveShift, Feature::DPPRowShare,
                                  Feature::DPPRowXMask,  Feature::Permlane16,
                                  Feature::Permlane64,   Feature::PermlaneSwap};
  std::vector<Target> targets;
  std::set<std::vector<unsigned>> seen;
  for (const ChipInfo &chip : getChips())
    for (llvm::StringRef mode : {"", ":64"}) {
      if (!mode.empty() && !chip.hasWave64Mode)
        continue;
      Target target = getTarget((chip.name + mode).str());
      std::vector<unsigned> key{target.getWarpSize()};
      for (Feature feature : features)
        key.push_back(target.has(feature));
      if (seen.insert(key).second)
        targets.push_back(target);
    }
  return targets;
}

namespace {
/// Checks the plans of all strategies, and what the choice is made of.
class EveryPlan : public testing::Test {
protected:
  void checkKey(const PlanKey &key) {
    unsigned cheapest = ~0u, applying = 0, ties = 0;
    for (const Strategy &strategy : getStrategies(key.target.getVendor())) {
      std::optional<Plan> plan = strategy.build(key);
      if (!plan)
        continue;
      used.insert(strategy.name);
      ++applying;
      ties += plan->getCost() == cheapest;
      if (plan->getCost() < cheapest) {
        cheapest = plan->getCost();
        ties = 0;
      }
      llvm::Error error = checkPlan(key, *plan);
      ASSERT_FALSE(static_cast<bool>(error))
          << strategy.name.str() << " for " << key.str() << ": "
          << llvm::toString(std::move(error)) << '\n'
          << plan->str();
    }
    EXPECT_NE(applying, 0u) << "no strategy for " << key.str();
    EXPECT_EQ(ties, 0u) << "strategies of equal cost for " << key.str();
  }

  void checkSizes(CollectiveKind kind, const OperatorCase &op,
                  const Target &target, bool hasInit,
                  Demand demand = Demand::All) {
    unsigned warpSize = target.getWarpSize();
    for (unsigned size = 1; size <= warpSize; size *= 2) {
      PlanKey key = getKey(kind, op, size, target);
      key.hasInit = hasInit;
      key.demand = demand;
      checkKey(key);
      key.isRepeated = true;
      checkKey(key);
      key.isRepeated = false;
      // `init` comes after everything else: a few tails are enough.
      for (unsigned tail = 1; tail < warpSize; tail += hasInit ? 6 : 1)
        for (bool hasFullWarp : {true, false}) {
          key.presence = {hasFullWarp, tail};
          checkKey(key);
          if (HasFatalFailure())
            return;
        }
    }
  }

  void checkKind(CollectiveKind kind) {
    bool needsIdentity = kind == CollectiveKind::ExclusiveScan ||
                         kind == CollectiveKind::ScanTotal;
    for (const Target &target : getLaneTargets())
      for (const OperatorCase &op : getOperatorCases())
        for (bool hasInit : {false, true}) {
          if (needsIdentity && !hasInit && !op.op.hasIdentity)
            continue;
          if (kind != CollectiveKind::Reduce && op.op.arg)
            continue;
          checkSizes(kind, op, target, hasInit);
          if (HasFatalFailure())
            return;
        }
  }

  /// Counts the keys of one group size that have a plan, and all of them.
  std::pair<unsigned, unsigned>
  checkShuffles(const Target &target, CollectiveKind kind, unsigned size) {
    OperatorCase op = getCustom(false, false);
    unsigned planned = 0, all = 0;
    for (unsigned argument = 0; argument <= size; ++argument)
      for (unsigned tail = 0; tail < target.getWarpSize(); tail += 11)
        for (unsigned flags = 0; flags < 4; ++flags) {
          PlanKey key = getKey(kind, op, size, target, {true, tail});
          key.argument = argument;
          key.hasInit = flags & 1;
          key.hasScratch = flags & 2;
          if (key.hasScratch && size != 64)
            continue;
          llvm::Expected<Choice> choice = choosePlan(key);
          ++all;
          if (!choice) {
            llvm::consumeError(choice.takeError());
            continue;
          }
          ++planned;
          EXPECT_EQ(llvm::toString(checkPlan(key, choice->plan)), "")
              << key.str() << '\n'
              << choice->plan.str();
        }
    return {planned, all};
  }

  std::set<llvm::StringRef> used;
};
} // namespace

TEST_F(EveryPlan, Reduce) {
  checkKind(CollectiveKind::Reduce);
  // All strategies but those for scans.
  EXPECT_EQ(used.size(), 16u);
}

TEST_F(EveryPlan, ReduceForOneRank) {
  for (const Target &target : getLaneTargets())
    for (const OperatorCase &op : getOperatorCases())
      for (bool hasInit : {false, true})
        for (Demand demand : {Demand::First, Demand::Last}) {
          checkSizes(CollectiveKind::Reduce, op, target, hasInit, demand);
          if (HasFatalFailure())
            return;
        }
  EXPECT_EQ(used.size(), 16u);
}

TEST_F(EveryPlan, InclusiveScan) { checkKind(CollectiveKind::InclusiveScan); }
TEST_F(EveryPlan, ExclusiveScan) { checkKind(CollectiveKind::ExclusiveScan); }
TEST_F(EveryPlan, ScanTotal) { checkKind(CollectiveKind::ScanTotal); }

TEST_F(EveryPlan, Flags) {
  OperatorCase count = getBuiltin(OperatorKind::Add, ElementInfo::integer(32));
  for (const Target &target : getLaneTargets())
    for (CollectiveKind kind :
         {CollectiveKind::Reduce, CollectiveKind::InclusiveScan,
          CollectiveKind::ExclusiveScan, CollectiveKind::ScanTotal})
      for (unsigned size = 2; size <= target.getWarpSize(); size *= 2)
        for (unsigned tail = 0; tail < target.getWarpSize(); tail += 11) {
          PlanKey key = getKey(kind, count, size, target, {true, tail});
          key.isFlag = true;
          checkKey(key);
        }
}

TEST_F(EveryPlan, Shuffles) {
  for (const Target &target : getLaneTargets())
    for (unsigned size = 1; size <= target.getWarpSize(); size *= 2)
      for (CollectiveKind kind :
           {CollectiveKind::Broadcast, CollectiveKind::ShuffleUp,
            CollectiveKind::ShuffleDown, CollectiveKind::ShuffleXor}) {
        auto [planned, all] = checkShuffles(target, kind, size);
        EXPECT_EQ(planned, all)
            << target.str() << ' ' << getCollectiveName(kind).str() << ' '
            << size << ": " << planned << " of " << all;
      }
}

TEST_F(EveryPlan, Rotate) {
  for (const Target &target : getLaneTargets())
    for (unsigned size = 1; size <= target.getWarpSize(); size *= 2) {
      if (target.isNVIDIA())
        continue; // By an index of run time.
      auto [planned, all] = checkShuffles(target, CollectiveKind::Rotate, size);
      EXPECT_EQ(planned, all) << target.str() << ' ' << size;
    }
}

/// How many instructions move lanes, for every constant: those that copy one
/// lane count twice.
static unsigned getMostMoves(llvm::StringRef target, CollectiveKind kind,
                             unsigned size, bool hasScratch = false) {
  unsigned most = 0;
  for (unsigned argument = 0; argument < size; ++argument) {
    PlanKey key =
        getKey(kind, getCustom(false, false), size, getTarget(target));
    key.argument = argument;
    key.hasScratch = hasScratch;
    Choice choice = llvm::cantFail(choosePlan(key));
    unsigned moves = 0;
    for (const Step &step : choice.plan.getSteps())
      moves += step.move.kind == MoveKind::CopyLane ? 2 : 1;
    most = std::max(most, moves);
  }
  return most;
}

TEST(ShuffleSteps, AreFewWhereRowsCanBeCrossed) {
  for (CollectiveKind kind :
       {CollectiveKind::ShuffleUp, CollectiveKind::ShuffleDown,
        CollectiveKind::Rotate}) {
    EXPECT_LE(getMostMoves("gfx1100", kind, 8), 1u);
    EXPECT_LE(getMostMoves("gfx1030", kind, 32), 4u);
    EXPECT_LE(getMostMoves("gfx1201", kind, 32), 4u);
    EXPECT_LE(getMostMoves("gfx1100:64", kind, 64), 7u);
    EXPECT_LE(getMostMoves("gfx942", kind, 16), 3u);
    EXPECT_LE(getMostMoves("gfx942", kind, 32), 6u);
    EXPECT_LE(getMostMoves("gfx950", kind, 64), 18u);
    // One lane after the other: nothing but shared memory crosses the halves.
    EXPECT_LE(getMostMoves("gfx942", kind, 64), 33u);
    EXPECT_LE(getMostMoves("gfx942", kind, 64, /*hasScratch=*/true), 7u);
    EXPECT_LE(getMostMoves("gfx1030:64", kind, 64, /*hasScratch=*/true), 7u);
  }
  EXPECT_EQ(getMostMoves("gfx942", CollectiveKind::ShuffleXor, 16), 2u);
  EXPECT_EQ(getMostMoves("gfx942", CollectiveKind::ShuffleXor, 64, true), 2u);
  EXPECT_EQ(getMostMoves("gfx1100", CollectiveKind::ShuffleXor, 32), 1u);
  EXPECT_EQ(getMostMoves("gfx1100:64", CollectiveKind::ShuffleXor, 64), 2u);
  EXPECT_EQ(getMostMoves("gfx1100:64", CollectiveKind::Broadcast, 64), 1u);
  EXPECT_LE(getMostMoves("gfx942", CollectiveKind::Broadcast, 32), 3u);
}

TEST(LaneTargets, CoverBothVendorsAndWidths) {
  std::set<std::string> names;
  for (const Target &target : getLaneTargets())
    names.insert(target.str());
  EXPECT_EQ(names,
            (std::set<std::string>{"sm_70", "sm_80", "sm_90", "sm_100a",
                                   "gfx900", "gfx90a", "gfx950", "gfx1030",
                                   "gfx1030:64", "gfx1100", "gfx1100:64"}));
}
