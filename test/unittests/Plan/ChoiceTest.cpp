//===- ChoiceTest.cpp - Which plan is chosen, and how it prints -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanTestUtils.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace coll;
using testing::HasSubstr;

static const OperatorCase addI32 =
    getBuiltin(OperatorKind::Add, ElementInfo::integer(32));
static const OperatorCase addF32 =
    getBuiltin(OperatorKind::Add, ElementInfo::floating(32));
static const OperatorCase ordered = getCustom(false, false);

static std::string getStrategy(const PlanKey &key) {
  llvm::Expected<Choice> choice = choosePlan(key);
  if (!choice)
    return llvm::toString(choice.takeError());
  return choice->strategy.str();
}

static std::string getText(const PlanKey &key, llvm::StringRef forced = "") {
  llvm::Expected<Choice> choice = choosePlan(key, forced);
  if (!choice)
    return llvm::toString(choice.takeError());
  std::string text;
  llvm::raw_string_ostream os(text);
  choice->print(os);
  return text;
}

TEST(Choice, ReduxForIntegersOfWholeWarps) {
  for (llvm::StringRef name : {"sm_80", "sm_90", "sm_120"}) {
    Target target = getTarget(name);
    auto choose = [&](const OperatorCase &op, unsigned size) {
      return getStrategy(getKey(CollectiveKind::Reduce, op, size, target));
    };
    EXPECT_EQ(choose(addI32, 32), "redux");
    EXPECT_EQ(choose(addI32, 16), "shuffle-butterfly");
    EXPECT_EQ(choose(addF32, 32), "shuffle-butterfly");
    EXPECT_EQ(choose(ordered, 32), "shuffle-down");
    EXPECT_EQ(choose(getBuiltin(OperatorKind::Mul, addI32.element), 32),
              "shuffle-butterfly");
    for (unsigned bits : {8, 16, 64})
      for (OperatorKind kind : {OperatorKind::Add, OperatorKind::UMin,
                                OperatorKind::SMax, OperatorKind::Xor})
        EXPECT_EQ(choose(getBuiltin(kind, ElementInfo::integer(bits)), 32),
                  "redux");
  }
  EXPECT_EQ(getStrategy(
                getKey(CollectiveKind::Reduce, addI32, 32, getTarget("sm_75"))),
            "shuffle-butterfly");
}

// Several masks in one warp are several passes: known to be slower than the
// shuffles of 16 and of 8 lanes.
TEST(Choice, ReduxInTilesIsDear) {
  Target target = getTarget("sm_90");
  for (unsigned size : {4, 8, 16}) {
    PlanKey key = getKey(CollectiveKind::Reduce, addI32, size, target);
    EXPECT_EQ(getStrategy(key), "shuffle-butterfly");
    EXPECT_THAT(getText(key, "redux"), HasSubstr("strategy redux\n"));
  }
  // One tile of 16 lanes is all that there is.
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 16, target,
                       {/*hasFullWarp=*/false, /*tail=*/16});
  EXPECT_EQ(getStrategy(key), "redux");
}

TEST(Choice, FloatsByTheirOrder) {
  for (OperatorKind kind : {OperatorKind::MinNum, OperatorKind::MaxNum,
                            OperatorKind::Minimum, OperatorKind::Maximum})
    for (unsigned bits : {16, 32, 64}) {
      auto choose = [&](llvm::StringRef target) {
        return getStrategy(getKey(CollectiveKind::Reduce,
                                  getBuiltin(kind, ElementInfo::floating(bits)),
                                  32, getTarget(target)));
      };
      EXPECT_EQ(choose("sm_75"), "shuffle-butterfly");
      EXPECT_EQ(choose("sm_80"), "redux-keys");
      EXPECT_EQ(choose("sm_100"), "redux-keys");
      EXPECT_EQ(choose("sm_100a"), bits == 64 ? "redux-keys" : "redux-float");
    }
  OperatorCase least =
      getBuiltin(OperatorKind::MinNum, ElementInfo::floating(32));
  EXPECT_THAT(getText(getKey(CollectiveKind::Reduce, least, 32,
                             getTarget("sm_90"), {true, 7})),
              HasSubstr("v1 = encode keys v0  ; cost 18\n"
                        "v2 = redux words v1  ; cost 59\n"
                        "v3 = decode keys v2  ; cost 12\n"
                        "result v3  ; cost 89\n"));
}

TEST(Choice, PairsByTheirValues) {
  for (LeafType value : {LeafType{false, 16}, LeafType{true, 32}, LeafType{}}) {
    OperatorKind kind =
        value.isFloat ? OperatorKind::MaxNum : OperatorKind::SMin;
    PlanKey key = getKey(CollectiveKind::Reduce, getArgument(kind, value), 32,
                         getTarget("sm_80"), {true, 7});
    EXPECT_EQ(getStrategy(key), "redux-arg");
    key.groupSize = 8;
    key.target = getTarget("sm_75");
    EXPECT_EQ(getStrategy(key), "shuffle-butterfly");
  }
  PlanKey key = getKey(CollectiveKind::Reduce,
                       getArgument(OperatorKind::UMax, LeafType{}), 32,
                       getTarget("sm_90"));
  EXPECT_THAT(getText(key), HasSubstr("v1 = redux arg v0  ; cost 94\n"));
  EXPECT_EQ(key.str(), "arg_max u32 over 32 of 32, sm_90");
}

TEST(Choice, VotesForBits) {
  Target target = getTarget("sm_75");
  for (OperatorKind kind :
       {OperatorKind::And, OperatorKind::Or, OperatorKind::Xor})
    for (unsigned size : {4, 8, 32})
      for (CollectiveKind collective :
           {CollectiveKind::Reduce, CollectiveKind::InclusiveScan,
            CollectiveKind::ExclusiveScan, CollectiveKind::ScanTotal})
        EXPECT_EQ(getStrategy(getKey(collective,
                                     getBuiltin(kind, ElementInfo::integer(1)),
                                     size, target)),
                  "vote");
  PlanKey key = getKey(CollectiveKind::ScanTotal, addI32, 32, target);
  EXPECT_EQ(getStrategy(key), "shuffle-scan");
  key.isFlag = true;
  EXPECT_THAT(getText(key), HasSubstr("strategy vote\n"
                                      "v1 = vote below-own v0  ; cost 35\n"
                                      "v2 = vote all v0  ; cost 29\n"
                                      "result v1 v2  ; cost 64\n"));
}

// Extended once, a narrow number takes a shuffle and an operation a step.
TEST(Choice, NarrowNumbersAsWords) {
  OperatorCase op = getBuiltin(OperatorKind::Add, ElementInfo::floating(16));
  EXPECT_THAT(
      getText(getKey(CollectiveKind::Reduce, op, 2, getTarget("sm_75"))),
      HasSubstr("v1 = encode wide v0  ; cost 6\n"
                "v2 = combine shfl.bfly 1 (c=0x1f) of v1, v1  ; cost 30\n"
                "v3 = decode wide v2  ; cost 0\n"
                "result v3  ; cost 36\n"));
  // There bf16 is combined one at a time, and so are minima.
  op.element.leaves.front().isBF16 = true;
  EXPECT_THAT(
      getText(getKey(CollectiveKind::Reduce, op, 2, getTarget("sm_80"))),
      testing::Not(HasSubstr("wide")));
  EXPECT_THAT(
      getText(getKey(CollectiveKind::Reduce, op, 2, getTarget("sm_90"))),
      HasSubstr("wide"));
}

TEST(Choice, AMDByPresence) {
  Target target = getTarget("gfx942");
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 64, target);
  EXPECT_EQ(getStrategy(key), "dpp-tree");
  key.presence = {true, 13};
  EXPECT_EQ(getStrategy(key), "dpp-tree-to-last");
  key = getKey(CollectiveKind::Reduce, ordered, 64, target);
  EXPECT_EQ(getStrategy(key), "dpp-up");
  key.presence = {true, 13};
  EXPECT_EQ(getStrategy(key), "dpp-down");
  EXPECT_EQ(
      getStrategy(getKey(CollectiveKind::InclusiveScan, addF32, 64, target)),
      "dpp-scan");
}

TEST(Choice, PrintsPlanAndRejected) {
  EXPECT_EQ(
      getText(getKey(CollectiveKind::Reduce, addI32, 32, getTarget("sm_90"))),
      "strategy redux\n"
      "v1 = redux words v0  ; cost 59\n"
      "result v1  ; cost 59\n"
      "not single: needs groups of one rank\n"
      "not vote: needs a reduce or scan by and, or or xor of one bit, or by "
      "add "
      "of flags\n"
      "not redux-keys: needs redux.sync, a reduce and min, max, minimum or "
      "maximum of one float\n"
      "not redux-float: needs redux.sync.f32, a reduce and min, max, minimum "
      "or "
      "maximum of one float of up to 32 bits\n"
      "not redux-arg: needs redux.sync and arg_min or arg_max\n"
      "not numbers: needs a reduce or scan, not scan_total, of a vector by a "
      "builtin operator\n"
      "not shuffle-butterfly: costs 150, not 59\n"
      "not shuffle-down: needs a reduce that shuffle-butterfly cannot carry "
      "out\n"
      "not shuffle-scan: needs a scan\n"
      "not shuffle-scan-by-lane: needs a scan by an operator of one "
      "instruction on one word, not an idempotent one\n"
      "not shuffle-move: needs a broadcast or shuffle\n");
}

// All tiles have a power of two of ranks: no lane lacks a partner.
TEST(Choice, EqualGroupsOfAShortWarp) {
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 32, getTarget("sm_90"),
                       {/*hasFullWarp=*/false, /*tail=*/16});
  EXPECT_EQ(getStrategy(key), "shuffle-butterfly");
  key = getKey(CollectiveKind::Reduce, ordered, 32, getTarget("sm_90"),
               {/*hasFullWarp=*/false, /*tail=*/16});
  EXPECT_THAT(getText(key), testing::Not(HasSubstr("predicate")));
}

// No butterfly here: ptxas takes the predicate of shfl.bfly for the same in all
// lanes where the operand is.
TEST(Choice, PartialWarpOnNVIDIA) {
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 8, getTarget("sm_90"),
                       Presence::ofBlock(45, 32));
  EXPECT_THAT(
      getText(key),
      HasSubstr("v1 = combine v0, shfl.down 1 (c=0x1f|0xc) of v0 if predicate "
                "else v0  ; cost 36\n"
                "v2 = combine v1, shfl.down 2 (c=0x1f|0xc) of v1 if predicate "
                "else v1  ; cost 36\n"
                "v3 = combine v2, shfl.down 4 (c=0x1f|0xc) of v2 if predicate "
                "else v2  ; cost 36\n"
                "v4 = move shfl.idx 0 (c=0x181f) of v3  ; cost 24\n"
                "result v4  ; cost 132\n"));
}

TEST(Choice, ReduceOnGFX9) {
  EXPECT_THAT(
      getText(getKey(CollectiveKind::Reduce, addF32, 64, getTarget("gfx942"))),
      HasSubstr(
          "v1 = combine dpp quad_perm:[1,0,3,2] bound_ctrl of v0, v0  ; cost "
          "12\n"
          "v2 = combine dpp quad_perm:[2,3,0,1] bound_ctrl of v1, v1  ; cost "
          "12\n"
          "v3 = combine dpp row_half_mirror bound_ctrl of v2, v2  ; cost 12\n"
          "v4 = combine dpp row_mirror bound_ctrl of v3, v3  ; cost 12\n"
          "v5 = combine dpp row_bcast:15 bound_ctrl of v4, v4  ; cost 12\n"
          "v6 = combine dpp row_bcast:31 bound_ctrl of v5, v5  ; cost 12\n"
          "v7 = move readlane 63 of v6  ; cost 12\n"
          "result v7  ; cost 84\n"));
}

TEST(Choice, ScanOnNVIDIA) {
  EXPECT_THAT(getText(getKey(CollectiveKind::ExclusiveScan, addF32, 32,
                             getTarget("sm_90"))),
              HasSubstr("v4 = combine shfl.up 8 (c=0x1000) of v3, v3 if "
                        "predicate else v3  ; cost 36\n"
                        "v5 = combine shfl.idx ~lane|15 (c=0xf) of v4, v4 if "
                        "predicate else v4  ; cost 37\n"
                        "v6 = identity  ; cost 1\n"
                        "v7 = move shfl.up 1 (c=0x0) of v5 if predicate else "
                        "v6  ; cost 36\n"
                        "result v7  ; cost 218\n"));
}

/// In a loop the conditions on the lane are computed once, and those on a
/// shuffle's predicate are slower.
TEST(Choice, RepeatedScanOnNVIDIA) {
  PlanKey key =
      getKey(CollectiveKind::InclusiveScan, addF32, 32, getTarget("sm_90"));
  EXPECT_THAT(getText(key), HasSubstr("strategy shuffle-scan\n"));
  key.isRepeated = true;
  EXPECT_THAT(
      getText(key),
      HasSubstr("strategy shuffle-scan-by-lane\n"
                "v1 = combine shfl.up 1 (c=0x1000) of v0, v0 if lane in "
                "0xfffefffe else v0  ; cost 30\n"
                "v2 = combine shfl.up 2 (c=0x1000) of v1, v1 if lane in "
                "0xfffcfffc else v1  ; cost 30\n"));
}

TEST(Choice, ScanOnGFX10UsesMasks) {
  EXPECT_THAT(
      getText(getKey(CollectiveKind::InclusiveScan, ordered, 32,
                     getTarget("gfx1030"))),
      HasSubstr("v5 = move permlanex16 0xffffffffffffffff of v4  ; cost 16\n"
                "v6 = combine v5, v4 if lane in 0xffff0000ffff0000 else v4"));
}

TEST(Choice, Shuffles) {
  auto choose = [](CollectiveKind kind, unsigned size, unsigned argument,
                   llvm::StringRef target) {
    PlanKey key = getKey(kind, addF32, size, getTarget(target));
    key.argument = argument;
    return getText(key);
  };
  EXPECT_THAT(choose(CollectiveKind::ShuffleDown, 8, 3, "sm_90"),
              HasSubstr("v1 = move shfl.down 3 (c=0x181f) of v0  ; cost 24\n"));
  EXPECT_THAT(choose(CollectiveKind::ShuffleXor, 64, 2, "gfx942"),
              HasSubstr("v1 = move dpp quad_perm:[2,3,0,1] bound_ctrl of v0"));
  EXPECT_THAT(choose(CollectiveKind::ShuffleXor, 64, 5, "gfx1100:64"),
              HasSubstr("v1 = move dpp row_xmask:5 bound_ctrl of v0"));
  EXPECT_THAT(choose(CollectiveKind::ShuffleUp, 64, 1, "gfx942"),
              HasSubstr("v1 = move dpp wave_shr:1 of v0 (old v0)"));
  EXPECT_THAT(choose(CollectiveKind::Broadcast, 32, 7, "gfx1100"),
              HasSubstr("v1 = move readlane 7 of v0"));
  // Row 0 keeps its first lanes, row 1 takes the last ones of row 0.
  EXPECT_THAT(choose(CollectiveKind::ShuffleUp, 32, 4, "gfx1100"),
              HasSubstr("permlanex16 0xfedcba987654fedc of v0"));
}

TEST(Choice, Forced) {
  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 32, getTarget("sm_90"));
  EXPECT_THAT(getText(key, "shuffle-butterfly"),
              HasSubstr("not redux: costs 59, but shuffle-butterfly was asked "
                        "for, which costs 150\n"));
  EXPECT_THAT(getText(key, "redux"),
              HasSubstr("not shuffle-butterfly: costs 150, not 59\n"));
  EXPECT_EQ(getText(key, "shuffle-scan"),
            "strategy 'shuffle-scan' does not apply to reduce add i32 over 32 "
            "of 32, sm_90: it needs a scan");
  EXPECT_EQ(getText(key, "dpp-tree"),
            "unknown strategy 'dpp-tree' for sm_90; there are 'single', "
            "'vote', 'redux', 'redux-keys', 'redux-float', 'redux-arg', "
            "'numbers', 'shuffle-butterfly', 'shuffle-down', 'shuffle-scan', "
            "'shuffle-scan-by-lane', 'shuffle-move'");
}

TEST(Choice, ImpossibleKeys) {
  Target target = getTarget("sm_90");
  EXPECT_EQ(getText(getKey(CollectiveKind::Reduce, addI32, 64, target)),
            "a group of 64 lanes is no power of two up to the warp size 32");
  EXPECT_EQ(getText(getKey(CollectiveKind::Reduce, addI32, 0, target)),
            "a group of 0 lanes is no power of two up to the warp size 32");
  EXPECT_EQ(getText(getKey(CollectiveKind::Reduce, addI32, 8, target,
                           {/*hasFullWarp=*/true, /*tail=*/32})),
            "the last warp cannot have 32 of 32 lanes");
  EXPECT_EQ(getText(getKey(CollectiveKind::ExclusiveScan, ordered, 8, target)),
            "exclusive_scan of an operator without identity needs 'init'");
}

TEST(Key, SmallLeavesShareWords) {
  LeafType half{true, 16}, byte{false, 8}, flag{false, 1}, word,
      three{false, 8, 3}, wide{false, 64};
  auto count = [](std::initializer_list<LeafType> leaves) {
    return ElementInfo{llvm::SmallVector<LeafType, 4>(leaves)}.getPackedWords();
  };
  EXPECT_EQ(count({half, half}), 1u);
  EXPECT_EQ(count({half, half, half}), 2u);
  EXPECT_EQ(count({half, word, half}), 2u);
  EXPECT_EQ(count({flag, byte, half}), 1u);
  EXPECT_EQ(count({three, half, byte}), 2u);
  EXPECT_EQ(count({wide, flag, flag}), 3u);
}

TEST(Key, Presence) {
  Presence presence = Presence::ofBlock(200, 64);
  EXPECT_TRUE(presence.hasFullWarp);
  EXPECT_EQ(presence.tail, 8u);
  EXPECT_TRUE(Presence::ofBlock(256, 64).isFull());
  EXPECT_FALSE(Presence::ofBlock(20, 32).hasFullWarp);

  PlanKey key = getKey(CollectiveKind::Reduce, addI32, 8, getTarget("sm_90"),
                       Presence::ofBlock(45, 32));
  EXPECT_EQ(key.getPresentLanes(), (WarpConstant{32, 13}));
  EXPECT_EQ(key.getLastLane(), (WarpConstant{31, 12}));
  EXPECT_TRUE(key.hasShortGroup());
  EXPECT_TRUE(key.hasOddGroup());
  EXPECT_EQ(key.getMaxRanks(), 8u);
  key.presence = Presence::ofBlock(3, 32);
  EXPECT_EQ(key.getPresentLanes(), WarpConstant::same(3));
  EXPECT_EQ(key.getMaxRanks(), 3u);
}
