//===- ControlTest.cpp - Structured control flow, lane by lane ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"

using namespace coll::ref;

namespace {

const std::string storeY =
    "\ncoll.store (%y) to %x0[%i] : (i32), !coll.view<?xi32, global>\n";
const std::string constants = R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %ten = arith.constant 10 : i32
)";

std::vector<uint32_t> compute(unsigned threads, const std::string &body) {
  std::vector<uint32_t> y(threads, 777);
  Launch().view(y).run(makeKernel(threads, {"i32"}, constants + body + storeY));
  return y;
}

TEST(ControlTest, EachThreadTakesItsArm) {
  auto y = compute(40, R"(
    %bit = arith.andi %t, %one : i32
    %odd = arith.cmpi ne, %bit, %zero : i32
    %y = coll.if %odd -> i32 {
      %a = arith.muli %t, %ten : i32
      coll.yield %a : i32
    } else {
      coll.yield %two : i32
    })");
  for (unsigned i = 0; i != 40; ++i)
    EXPECT_EQ(y[i], i % 2 ? i * 10 : 2);
}

/// for (j = 0; j < 100; ++j) { if (j == 2) continue; if (j > t) break; s += j;
/// }
TEST(ControlTest, LoopsWithBreakAndContinue) {
  auto y = compute(40, R"(
    %hundred = arith.constant 100 : i32
    %j = coll.var "j" : !coll.view<i32, private>
    %s = coll.var "s" : !coll.view<i32, private>
    coll.store (%zero) to %j[] : (i32), !coll.view<i32, private>
    coll.store (%zero) to %s[] : (i32), !coll.view<i32, private>
    coll.loop {
      %v = coll.load %j[] : !coll.view<i32, private> -> i32
      %c = arith.cmpi slt, %v, %hundred : i32
      coll.condition %c
    } do {
      %v = coll.load %j[] : !coll.view<i32, private> -> i32
      %skip = arith.cmpi eq, %v, %two : i32
      coll.if %skip { coll.continue }
      %stop = arith.cmpi sgt, %v, %t : i32
      coll.if %stop { coll.break }
      %old = coll.load %s[] : !coll.view<i32, private> -> i32
      %new = arith.addi %old, %v : i32
      coll.store (%new) to %s[] : (i32), !coll.view<i32, private>
      coll.yield
    } step {
      %v = coll.load %j[] : !coll.view<i32, private> -> i32
      %n = arith.addi %v, %one : i32
      coll.store (%n) to %j[] : (i32), !coll.view<i32, private>
      coll.yield
    }
    %y = coll.load %s[] : !coll.view<i32, private> -> i32)");
  for (unsigned t = 0; t != 40; ++t)
    EXPECT_EQ(y[t], t * (t + 1) / 2 - (t >= 2 ? 2 : 0));
}

TEST(ControlTest, ReturnLeavesTheInnermostFunctionFromALoop) {
  auto y = compute(40, R"(
    %y = coll.inline "outer" -> i32 {
      %in = coll.inline "inner" -> i32 {
        coll.loop {
          %true = arith.constant true
          coll.condition %true
        } do {
          %big = arith.cmpi ugt, %t, %ten : i32
          coll.if %big { coll.return %ten : i32 } else { coll.break }
          coll.yield
        } step { coll.yield }
        coll.return %t : i32
      }
      %r = arith.addi %in, %one : i32
      coll.return %r : i32
    })");
  for (unsigned t = 0; t != 40; ++t)
    EXPECT_EQ(y[t], std::min(t, 10u) + 1);
}

TEST(ControlTest, ReturnedThreadsStoreNothingMore) {
  auto y = compute(70, R"(
    %n = arith.constant 45 : i32
    %out = arith.cmpi uge, %t, %n : i32
    coll.if %out { coll.return }
    %y = arith.addi %t, %one : i32)");
  for (unsigned t = 0; t != 70; ++t)
    EXPECT_EQ(y[t], t < 45 ? t + 1 : 777);
}

TEST(ControlTest, CollectivesOfWholeTilesInABranch) {
  // Tiles 0 and 2 take the branch.
  auto y = compute(32, R"(
    %index = coll.index tile<8>
    %bit = arith.andi %index, %one : i32
    %even = arith.cmpi eq, %bit, %zero : i32
    %y = coll.if %even -> i32 {
      %s = coll.reduce tile<8> add(%t) : i32
      coll.yield %s : i32
    } else {
      coll.yield %one : i32
    })");
  for (unsigned t = 0; t != 32; ++t)
    EXPECT_EQ(y[t], t / 8 % 2 ? 1 : t / 8 * 64 + 28);
}

TEST(ControlTest, BlockCollectivesInAUniformLoop) {
  // 100 rounds: broadcast from thread r, and the sum must find it again.
  std::vector<uint32_t> bad(1024);
  Launch launch;
  launch.view(bad).run(makeKernel(1024, {"i32"},
                                  constants + R"(
    %rounds = arith.constant 100 : i32
    %k = arith.constant 1024 : i32
    %r = coll.var "r" : !coll.view<i32, private>
    %bad = coll.var "bad" : !coll.view<i32, private>
    coll.store (%zero) to %r[] : (i32), !coll.view<i32, private>
    coll.store (%zero) to %bad[] : (i32), !coll.view<i32, private>
    coll.loop {
      %v = coll.load %r[] : !coll.view<i32, private> -> i32
      %c = arith.cmpi slt, %v, %rounds : i32
      coll.condition %c
    } do {
      %v = coll.load %r[] : !coll.view<i32, private> -> i32
      %m = arith.muli %v, %k : i32
      %mine = arith.addi %m, %t : i32
      %b = coll.broadcast block %mine from %v : i32
      %is = arith.cmpi eq, %t, %v : i32
      %part = arith.select %is, %b, %zero : i32
      %sum = coll.reduce block add(%part) : i32
      %expected = arith.addi %m, %v : i32
      %d = arith.cmpi ne, %b, %sum : i32
      %e = arith.cmpi ne, %b, %expected : i32
      %w = arith.ori %d, %e : i1
      coll.if %w {
        coll.store (%one) to %bad[] : (i32), !coll.view<i32, private>
        coll.yield
      }
      coll.yield
    } step {
      %v = coll.load %r[] : !coll.view<i32, private> -> i32
      %n = arith.addi %v, %one : i32
      coll.store (%n) to %r[] : (i32), !coll.view<i32, private>
      coll.yield
    }
    %y = coll.load %bad[] : !coll.view<i32, private> -> i32)" +
                                      storeY));
  EXPECT_EQ(bad, std::vector<uint32_t>(1024, 0));
  EXPECT_EQ(launch.statistics.blocks, 1u);
}

TEST(ControlTest, BlocksAndWarpsPollForEachOther) {
  // Every block adds 1 to a counter and waits until all of them have.
  std::vector<uint32_t> counter(1);
  Launch launch;
  launch.grid = {4, 1, 1};
  launch.view(counter).run(makeKernel(64, {"i32"}, constants + R"(
    %first = arith.constant 0 : i64
    %all = arith.constant 256 : i32
    %old = coll.atomic_rmw add relaxed device %one, %x0[%first] : i32, !coll.view<?xi32, global>
    coll.loop {
      %v = coll.atomic_load relaxed device %x0[%first] : !coll.view<?xi32, global> -> i32
      %c = arith.cmpi ne, %v, %all : i32
      coll.condition %c
    } do {
      coll.pause
      coll.yield
    } step { coll.yield })"));
  EXPECT_EQ(counter[0], 256u);
  EXPECT_EQ(launch.statistics.blocks, 4u);
}

TEST(ControlTest, GridIndicesInThreeDimensions) {
  std::vector<uint64_t> y(24);
  Launch launch;
  launch.grid = {2, 3, 4};
  launch.options.residentBlocks = 5;
  launch.view(y).run(makeKernel(1, {"i64"}, R"(
    %bx = coll.block_id x
    %by = coll.block_id y
    %bz = coll.block_id z
    %nx = coll.block_count x
    %ny = coll.block_count y
    %a = arith.muli %bz, %ny : i64
    %b = arith.addi %a, %by : i64
    %c = arith.muli %b, %nx : i64
    %d = arith.addi %c, %bx : i64
    coll.store (%d) to %x0[%d] : (i64), !coll.view<?xi64, global>)"));
  for (unsigned i = 0; i != 24; ++i)
    EXPECT_EQ(y[i], i);
  EXPECT_EQ(launch.statistics.blocks, 24u);
}

TEST(ControlTest, AnEmptyGridDoesNothing) {
  std::vector<uint32_t> y(1, 5);
  Launch launch;
  launch.grid = {0, 1, 1};
  launch.view(y).run(makeKernel(1, {"i32"}, "coll.trap"));
  EXPECT_EQ(y[0], 5u);
}

} // namespace
