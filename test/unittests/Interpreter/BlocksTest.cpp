//===- BlocksTest.cpp - Collectives of several blocks ---------------------===//
//----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"

using namespace coll::ref;
using testing::HasSubstr;

namespace {

const std::string isFirstBlock = R"(
    %block = coll.block_id x
    %i0 = arith.constant 0 : i64
    %isFirst = arith.cmpi eq, %block, %i0 : i64
)";

/// A kernel on `i32`s of blocks of 48 threads, as one of clusters.
std::string makeClusters(unsigned blocks, const std::string &body) {
  std::string text = makeKernel(48, {"i32"}, body);
  std::string attributes =
      "attributes {cluster = " + std::to_string(blocks) + " : i32} ";
  return text.insert(text.find("{\n^bb0"), attributes);
}

/// The fault of three blocks of 40 threads.
RuntimeFault findFault(const std::string &body) {
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.grid = {3, 1, 1};
  std::string text =
      launch.view(y).tryRun(makeKernel(40, {"i32"}, isFirstBlock + body));
  EXPECT_TRUE(launch.fault.has_value()) << text;
  return launch.fault.value_or(RuntimeFault());
}

TEST(BlocksTest, RanksAndSums) {
  std::vector<int32_t> ranks(48 * 12), sums(48 * 12);
  Launch launch;
  launch.grid = {3, 2, 2};
  launch.view(ranks).view(sums).run(makeKernel(48, {"i32", "i32"}, R"(
    %r = coll.rank grid
    %n = coll.size grid
    %s = coll.scan grid add(%r) : i32
    %total = coll.reduce grid add(%r) : i32
    %both = arith.addi %s, %total : i32
    %all = arith.muli %both, %n : i32
    %at = arith.extui %r : i32 to i64
    coll.store (%r) to %x0[%at] : (i32), !coll.view<?xi32, global>
    coll.store (%all) to %x1[%at] : (i32), !coll.view<?xi32, global>)"));
  int32_t n = ranks.size(), total = n * (n - 1) / 2;
  for (int32_t i = 0; i != n; ++i) {
    EXPECT_EQ(ranks[i], i);
    EXPECT_EQ(sums[i], n * (i * (i + 1) / 2 + total));
  }
  EXPECT_EQ(launch.statistics.blocks, 12u);
}

TEST(BlocksTest, MoreBlocksThanAreResidentElse) {
  std::vector<int32_t> y(300);
  Launch launch;
  launch.grid = {300, 1, 1};
  launch.view(y).run(makeKernel(1, {"i32"}, R"(
    %true = arith.constant true
    %block = coll.block_id x
    %n = coll.population grid %true
    coll.store (%n) to %x0[%block] : (i32), !coll.view<?xi32, global>)"));
  EXPECT_THAT(y, testing::Each(300));
}

TEST(BlocksTest, Clusters) {
  std::vector<int32_t> y(48 * 8);
  Launch launch;
  launch.grid = {4, 2, 1};
  launch.view(y).run(makeClusters(2, R"(
    %r = coll.rank cluster
    %total = coll.reduce cluster add(%r) : i32
    %id = coll.cluster_id x
    %id32 = arith.trunci %id : i64 to i32
    %sum = arith.addi %total, %id32 : i32
    %all = coll.rank grid
    %at = arith.extui %all : i32 to i64
    coll.store (%sum) to %x0[%at] : (i32), !coll.view<?xi32, global>)"));
  for (int32_t i = 0; i != 48 * 8; ++i)
    EXPECT_EQ(y[i], 96 * 95 / 2 + i / 96 % 2);
}

TEST(BlocksTest, AGridIsWholeClusters) {
  std::vector<int32_t> y(1);
  Launch launch;
  launch.grid = {3, 2, 1};
  EXPECT_EQ(launch.view(y).tryRun(makeClusters(2, "")),
            "a grid of 3 blocks in x is not whole clusters of 2");
}

TEST(BlocksTest, ABlockThatEndsWhileOthersWait) {
  RuntimeFault fault = findFault(R"(
    coll.if %isFirst { coll.return }
    coll.sync grid)");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.message, HasSubstr("grid.sync is not reached by every "
                                       "thread of the grid"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (0, 0, 0) has left the kernel");
}

TEST(BlocksTest, BlocksAtDifferentCollectives) {
  RuntimeFault fault = findFault(R"(
    coll.if %isFirst {
      coll.sync grid
      coll.yield
    } else {
      coll.sync block
      %r = coll.reduce grid add(%t) : i32
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_EQ(fault.notes[0].message,
            "block (1, 0, 0), thread (0, 0, 0) waits at this grid.reduce");
}

TEST(BlocksTest, ThreadsOfABlockOnDifferentPaths) {
  RuntimeFault fault = findFault(R"(
    %zero = arith.constant 0 : i32
    %low = arith.cmpi eq, %t, %zero : i32
    coll.if %low {
      coll.sync grid
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.notes[0].message, HasSubstr("took another path"));
}

TEST(BlocksTest, BroadcastOfARankThatIsNot) {
  RuntimeFault fault = findFault(R"(
    %c = arith.constant 120 : i32
    %r = coll.broadcast grid %t from %c : i32)");
  EXPECT_EQ(fault.kind, FaultKind::BadOperand);
  EXPECT_THAT(fault.message,
              HasSubstr("grid.broadcast from rank 120 of a group of 120"));
}

} // namespace
