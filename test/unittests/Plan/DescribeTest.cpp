//===- DescribeTest.cpp - Plans in words and pictures ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Describe.h"
#include "PlanTestUtils.h"
#include "coll/Plan/PlanBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace coll;
using testing::HasSubstr;
using testing::Not;

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

TEST(DescribeLanes, NamesSets) {
  EXPECT_EQ(describeLanes(~uint64_t(0), 64), "all lanes");
  EXPECT_EQ(describeLanes(0xff, 5), "all lanes");
  EXPECT_EQ(describeLanes(0, 32), "no lane");
  EXPECT_EQ(describeLanes(uint64_t(1) << 40, 32), "no lane");
  EXPECT_EQ(describeLanes(0x10, 32), "lane 4");
  EXPECT_EQ(describeLanes(0xfffffffe, 32), "lanes 1..31");
  EXPECT_EQ(describeLanes(0xaaaaaaaa, 32), "lane 1 of each 2");
  EXPECT_EQ(describeLanes(0xfffefffefffefffe, 64), "lanes 1..15 of each 16");
  EXPECT_EQ(describeLanes(0xffff0000ffff0000, 64), "lanes 16..31 of each 32");
  EXPECT_EQ(describeLanes(0x1f1f, 13), "lanes 0..4, 8..12");
  EXPECT_EQ(describeLanes(0x391, 32), "lanes 0, 4, 7..9");
  EXPECT_EQ(describeLanes(uint64_t(1) << 63 | 1, 64), "lanes 0, 63");
}

/// The text for lanes that read `rule(lane)`, negative: nothing.
template <typename Function>
static std::string describe(unsigned lanes, Function rule) {
  std::vector<std::optional<unsigned>> sources(lanes);
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (int source = rule(static_cast<int>(lane)); source >= 0)
      sources[lane] = source;
  return describeSources(sources);
}

TEST(DescribeSources, FindsTheRule) {
  EXPECT_EQ(describe(32, [](int i) { return -1; }), "");
  EXPECT_EQ(describe(32, [](int i) { return 7; }), "lane i <- lane 7");
  EXPECT_EQ(describe(32, [](int i) { return i; }), "lane i <- lane i");
  EXPECT_EQ(describe(32, [](int i) { return i ^ 8; }), "lane i <- lane i^8");
  EXPECT_EQ(describe(32, [](int i) { return i - 4; }), "lane i <- lane i-4");
  EXPECT_EQ(describe(32, [](int i) { return i < 30 ? i + 2 : -1; }),
            "lane i <- lane i+2");
  EXPECT_EQ(describe(64, [](int i) { return (i & ~15) + 3; }),
            "lane i <- lane 3 of its 16");
  EXPECT_EQ(describe(32, [](int i) { return ((i & ~15) ^ 16) + 15; }),
            "lane i <- lane 15 of the other 16");
  EXPECT_EQ(describe(64, [](int i) { return (i & ~15) - 1; }),
            "lane i <- lane 15 of the 16 before");
  EXPECT_EQ(describe(64, [](int i) { return (i & ~15) | ((i + 3) & 15); }),
            "lane i <- lane i+3, round its 16");
  EXPECT_EQ(describe(64, [](int i) { return (i + 63) & 63; }),
            "lane i <- lane i-1, round its 64");
  EXPECT_EQ(describe(64, [](int i) { return i & ~16; }),
            "lane i <- lane i&~16");
  EXPECT_EQ(describe(64, [](int i) { return i | 32; }), "lane i <- lane i|32");
  const int quad[] = {2, 0, 1, 3};
  EXPECT_EQ(describe(32, [&](int i) { return (i & ~3) + quad[i & 3]; }),
            "lanes 0..3 of each 4 <- lanes 2 0 1 3");
  EXPECT_EQ(describe(8, [&](int i) { return ((i & ~3) ^ 4) + quad[i & 3]; }),
            "lanes 0..3 of each 4 <- lanes 2 0 1 3 of the other 4");
  const int odd[] = {5, -1, 0, 0, 3, 1};
  EXPECT_EQ(describe(6, [&](int i) { return odd[i]; }),
            "lane 0 <- 5, 2 <- 0, 3 <- 0, 4 <- 3, 5 <- 1");
}

/// Whatever the rule that a text gives, it is that of the lanes.
TEST(DescribeSources, OneLaneThatDiffersIsNoRule) {
  auto differ = [](int i) { return i == 19 ? 2 : i ^ 1; };
  EXPECT_THAT(describe(32, differ), HasSubstr(" 16 19 2 21 "));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static const OperatorCase addF32 =
    getBuiltin(OperatorKind::Add, ElementInfo::floating(32));
static const OperatorCase ordered = getCustom(false, false);

/// A step alone, in a plan for a reduce of 45 threads on sm_90.
static PlanKey getShortKey(const OperatorCase &op) {
  return getKey(CollectiveKind::Reduce, op, 32, getTarget("sm_90"),
                Presence::ofBlock(45, 32));
}

static std::string describeOnly(const PlanKey &key, const Plan &plan,
                                size_t warp = 0) {
  return describeStep(key, plan, plan.getSteps().size() - 1,
                      getWarps(key)[warp]);
}

TEST(DescribeStep, SaysWhoReadsWhomAndWhatIsCombined) {
  PlanKey key = getShortKey(addF32);
  PlanBuilder builder(key);
  PlanValue value =
      builder.combine(Move::bfly(8, key.getLastLane()), builder.getInput(),
                      Side::SourceLeft, Guard::predicate());
  Plan plan = builder.finishReduce(value);
  EXPECT_EQ(describeOnly(key, plan, 0),
            "lane i <- lane i^8 of v0 (shfl.bfly 8 (c=0x1f|0xc)); v1 = add(it, "
            "v0)");
  EXPECT_EQ(describeOnly(key, plan, 1),
            "lane i <- lane i^8 of v0 (shfl.bfly 8 (c=0x1f|0xc)); v1 = add(it, "
            "v0) in lanes 0..4, 8..12, else v0");
}

TEST(DescribeStep, KeepsTheOrderOfOperands) {
  PlanKey key = getShortKey(ordered);
  PlanBuilder builder(key);
  Plan plan = builder.finishReduce(
      builder.combine(Move::down(1, key.getLastLane()), builder.getInput(),
                      Side::OwnLeft, Guard::predicate()));
  EXPECT_EQ(describeOnly(key, plan),
            "lane i <- lane i+1 of v0 (shfl.down 1 (c=0x1f|0xc), 2 times); v1 "
            "= op(v0, it) in lanes 0..30, else v0");
}

TEST(DescribeStep, NoLaneOfTheLastWarpTakesPart) {
  PlanKey key = getShortKey(addF32);
  PlanBuilder builder(key);
  Plan plan = builder.finishReduce(
      builder.moveWhere(Guard::lanes(0xffff0000),
                        Move::idx(WarpConstant::same(3), key.getLastLane()),
                        builder.getInput(), builder.getInput()));
  EXPECT_EQ(
      describeOnly(key, plan, 0),
      "lane i <- lane 3 of v0 (shfl.idx 3 (c=0x1f|0xc)); v1 = it in lanes "
      "16..31, else v0");
  EXPECT_EQ(describeOnly(key, plan, 1), "v1 = v0");
}

TEST(DescribeStep, SaysWhatLanesWithoutSourceGet) {
  PlanKey key =
      getKey(CollectiveKind::InclusiveScan, addF32, 64, getTarget("gfx942"));
  PlanBuilder builder(key);
  PlanValue neutral = builder.neutral();
  Plan plan = builder.finishReduce(
      builder.move(Move::dpp(dpp::rowShr(4)), builder.getInput(), neutral));
  EXPECT_EQ(describeOnly(key, plan),
            "lane i <- lane i-4 of v0, lanes 0..3 of each 16 <- v1 (dpp "
            "row_shr:4); v2 = it");
  EXPECT_EQ(describeStep(key, plan, 0, getWarps(key)[0]),
            "v1 = the operator's neutral value");
}

/// Every plan of every strategy has a text for each step and a picture.
TEST(DescribeStep, NamesThePartsOfAReduction) {
  Target target = getTarget("gfx942");
  auto describe = [&](const OperatorCase &op, unsigned size) {
    PlanKey key = getKey(CollectiveKind::Reduce, op, size, target);
    return describeOnly(key, llvm::cantFail(choosePlan(key)).plan);
  };
  EXPECT_EQ(
      describe(getBuiltin(OperatorKind::UMax, ElementInfo::integer(64)), 64),
      "lane i <- all lanes of its 64 of v0 (the high words by a reduce, then "
      "the low ones); v1 = max of them");
  OperatorCase arg = getArgument(OperatorKind::SMin, LeafType{});
  EXPECT_EQ(describe(arg, 64),
            "lane i <- all lanes of its 64 of v0 (the values by a reduce, and "
            "a ballot for the lowest rank); v1 = arg_min of them");
  EXPECT_EQ(describe(arg, 8),
            "lane i <- all lanes of its 8 of v0 (the values by a reduce, then "
            "the ranks of the best); v1 = arg_min of them");
}

TEST(DescribeStep, EveryStrategyHasATextAndAPicture) {
  for (const Target &target : getLaneTargets())
    for (const OperatorCase &op : getOperatorCases())
      for (Presence presence : {Presence::full(), Presence{true, 13}})
        for (const Strategy &strategy : getStrategies(target.getVendor())) {
          CollectiveKind kind = op.op.hasIdentity
                                    ? CollectiveKind::ExclusiveScan
                                    : CollectiveKind::Reduce;
          PlanKey key = getKey(kind, op, 16, target, presence);
          llvm::Expected<Choice> choice = choosePlan(key, strategy.name);
          if (!choice) {
            llvm::consumeError(choice.takeError());
            continue;
          }
          const Plan &plan = choice->plan;
          for (size_t step = 0; step < plan.getSteps().size(); ++step)
            for (const WarpShape &warp : getWarps(key))
              EXPECT_THAT(describeStep(key, plan, step, warp),
                          HasSubstr("v" +
                                    std::to_string(plan.getStepValue(step)) +
                                    " = "))
                  << key.str();
        }
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static CollectiveRecord getRecord(const PlanKey &key, unsigned line) {
  CollectiveRecord record;
  record.target = key.target.str();
  record.kernel = "k";
  record.file = "a.coll";
  record.line = line;
  record.column = 3;
  record.planned.emplace(
      PlannedCollective{key, llvm::cantFail(choosePlan(key))});
  return record;
}

TEST(CollectiveLog, CountsWhatIsEqual) {
  PlanKey key = getShortKey(addF32);
  CollectiveLog log;
  log.add(getRecord(key, 1));
  log.add(getRecord(key, 2));
  log.add(getRecord(key, 1));
  PlanKey other = key;
  other.groupSize = 8;
  log.add(getRecord(other, 1));
  ASSERT_EQ(log.getRecords().size(), 3u);
  EXPECT_EQ(log.getRecords()[0].times, 2u);
  EXPECT_EQ(log.getRecords()[1].times, 1u);
  EXPECT_EQ(log.getRecords()[1].line, 2u);
  EXPECT_EQ(log.getNumAdded(), 4u);
}

TEST(CollectiveLog, JSONIsReadBack) {
  PlanKey key = getShortKey(addF32);
  key.isRepeated = true;
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    llvm::json::OStream json(os);
    writeJSON(json, getRecord(key, 7));
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  ASSERT_TRUE(bool(value));
  const llvm::json::Object *object = value->getAsObject();
  ASSERT_TRUE(object);
  EXPECT_EQ(object->getInteger("line"), 7);
  EXPECT_EQ(object->getString("operator"), "add");
  EXPECT_EQ(object->getBoolean("init"), false);
  EXPECT_EQ(object->getBoolean("loop"), true);
  EXPECT_EQ(object->getString("strategy"), "shuffle-down");
  EXPECT_EQ(*object->getArray("present"), (llvm::json::Array{32, 13}));
  int64_t cost = 0;
  for (const llvm::json::Value &step : *object->getArray("steps")) {
    cost += *step.getAsObject()->getInteger("cost");
    EXPECT_EQ(step.getAsObject()->getArray("does")->size(), 2u);
  }
  EXPECT_EQ(object->getInteger("cost"), cost);
  for (const llvm::json::Value &other : *object->getArray("others"))
    if (other.getAsObject()->getString("strategy") == "shuffle-scan") {
      EXPECT_EQ(other.getAsObject()->getNull("cost"), nullptr);
      EXPECT_EQ(other.getAsObject()->getString("reason"), "needs a scan");
    }
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

static std::string draw(const PlanKey &key) {
  std::string text;
  llvm::raw_string_ostream os(text);
  drawPlan(os, {key, llvm::cantFail(choosePlan(key))});
  return text;
}

/// Five steps of 32 lanes and the elements; grey dots for absent lanes.
TEST(DrawPlan, HasADotForEachLaneAndValue) {
  auto count = [](llvm::StringRef text, llvm::StringRef part) {
    return text.count(part);
  };
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 32, getTarget("sm_90"));
  std::string text = draw(key);
  EXPECT_EQ(count(text, "class='combine'"), 5u * 32);
  EXPECT_EQ(count(text, "class='same'"), 32u);
  EXPECT_EQ(count(text, "class='absent'"), 0u);
  key.presence = {/*hasFullWarp=*/false, /*tail=*/5};
  EXPECT_EQ(count(draw(key), "class='absent'") % 27, 0u);
  EXPECT_NE(count(draw(key), "class='absent'"), 0u);
}

/// Lane 0 reads lane 1 in the first step of a butterfly: from the second column
/// of the first row to the first one of the second.
TEST(DrawPlan, LinesLeadFromTheLanesThatAreRead) {
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 2, getTarget("sm_90"));
  EXPECT_THAT(draw(key), HasSubstr("<path class='read' d='M72 66L56 110M56 "
                                   "66L72 110"));
}

TEST(DrawPlan, TextIsEscaped) {
  PlanKey key = getKey(CollectiveKind::Reduce, addF32, 2, getTarget("sm_90"));
  Choice choice = llvm::cantFail(choosePlan(key));
  choice.strategy = "a<b&c";
  std::string text;
  llvm::raw_string_ostream os(text);
  drawPlan(os, {key, choice});
  EXPECT_THAT(text, HasSubstr("a&lt;b&amp;c"));
  EXPECT_THAT(text, Not(HasSubstr("a<b")));
}
