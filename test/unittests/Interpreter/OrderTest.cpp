//===- OrderTest.cpp - Collectives that order and rearrange ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultUtils.h"

using namespace coll::ref;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST(OrderTest, StableAndTotal) {
  // 1, nan, -0, +0, -nan, -inf, 1, -0
  std::vector<uint32_t> x = {0x3f800000, 0x7fc00001, 0x80000000, 0,
                             0xffc00000, 0xff800000, 0x3f800000, 0x80000000};
  std::vector<uint32_t> up(8), down(8);
  std::string text = R"(
    %x = coll.load %x0[%i] : !coll.view<?xf32, global> -> f32
    %u, %a = coll.sort tile<8> (%x) values(%t : i32) : f32 -> f32, i32
    %d, %b = coll.sort tile<8> descending (%x) values(%t : i32) : f32 -> f32, i32
  )" + storeTo(1, "%a", "i32") +
                     storeTo(2, "%b", "i32");
  Launch().view(x).view(up).view(down).run(
      makeKernel(8, {"f32", "i32", "i32"}, text));
  EXPECT_THAT(up, ElementsAre(5, 2, 7, 3, 0, 6, 1, 4));
  EXPECT_THAT(down, ElementsAre(0, 6, 3, 2, 7, 5, 1, 4));
}

TEST(OrderTest, SignsOfIntegers) {
  std::vector<uint32_t> x = {0xffffffff, 1, 0x80000000}, u(3), s(3);
  std::string text = R"(
    %x = coll.load %x0[%i] : !coll.view<?xi32, global> -> i32
    %u = coll.sort block (%x) : i32 -> i32
    %s = coll.sort block signed (%x) : i32 -> i32
  )" + storeTo(1, "%u", "i32") +
                     storeTo(2, "%s", "i32");
  Launch().view(x).view(u).view(s).run(
      makeKernel(3, {"i32", "i32", "i32"}, text));
  EXPECT_THAT(u, ElementsAre(1, 0x80000000, 0xffffffff));
  EXPECT_THAT(s, ElementsAre(0x80000000, 0xffffffff, 1));
}

TEST(OrderTest, BlockedArrangement) {
  // 0, 3 | 1, 4 | 2, 5 in the threads.
  std::vector<uint32_t> first(3), second(3);
  std::string text = R"(
    %three = arith.constant 3 : i32
    %u = arith.addi %t, %three : i32
    %s:2 = coll.sort block (%t, %u) : i32, i32 -> i32, i32
  )" + storeTo(0, "%s#0", "i32") +
                     storeTo(1, "%s#1", "i32");
  Launch().view(first).view(second).run(makeKernel(3, {"i32", "i32"}, text));
  EXPECT_THAT(first, ElementsAre(0, 2, 4));
  EXPECT_THAT(second, ElementsAre(1, 3, 5));
}

TEST(OrderTest, TopKOfAShortList) {
  std::vector<uint32_t> values(3), places(3);
  std::string text = R"(
    %x = arith.trunci %t : i32 to i8
    %k:6 = coll.top_k tile<2> signed (%x) : i8 -> i8, i8, i8, i32, i32, i32
    %v = arith.extsi %k#2 : i8 to i32
  )" + storeTo(0, "%v", "i32") +
                     storeTo(1, "%k#3", "i32");
  Launch().view(values).view(places).run(makeKernel(3, {"i32", "i32"}, text));
  EXPECT_THAT(values, ElementsAre(-128u, -128u, -128u));
  EXPECT_THAT(places, ElementsAre(1, 1, 0));
}

TEST(OrderTest, ExchangeNeedsAPermutation) {
  RuntimeFault fault =
      findFault(8, "%y = coll.exchange block (%t) to %zero : i32");
  EXPECT_EQ(fault.kind, FaultKind::BadOperand);
  EXPECT_EQ(fault.message,
            "kernel 'k', block (0, 0, 0), thread (1, 0, 0): block.exchange to "
            "place 0, where another element goes too");
  fault = findFault(8, R"(
    %p = arith.addi %t, %one : i32
    %y = coll.exchange tile<4> (%t) to %p : i32)");
  EXPECT_EQ(fault.message,
            "kernel 'k', block (0, 0, 0), thread (3, 0, 0): tile(4).exchange "
            "to place 4 of 4");
  fault = findFault(8, R"(
    %p = arith.subi %zero, %t : i32
    %y = coll.exchange block (%t) to %p : i32)");
  EXPECT_THAT(fault.message, HasSubstr("block.exchange to place -1 of 8"));
}

TEST(OrderTest, HistogramChecksBinsAndThreads) {
  RuntimeFault fault = findFault(
      8, shared + "coll.histogram block %s[%i] : !coll.view<64xi32, shared>");
  EXPECT_EQ(fault.kind, FaultKind::UninitializedRead);
  fault = findFault(64, shared + storeOwn + R"(
    coll.sync block
    %j = arith.addi %i, %i1 : i64
    coll.histogram block %s[%j] : !coll.view<64xi32, shared>)");
  EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
  fault = findFault(64, shared + storeOwn + R"(
    coll.if %first {
      coll.histogram block %s[%i] : !coll.view<64xi32, shared>
      coll.yield
    })");
  EXPECT_THAT(fault.message,
              HasSubstr("block.histogram is not reached by every thread of "
                        "the block"));
}

TEST(OrderTest, HistogramRacesWithPlainAccesses) {
  RuntimeFault fault = findFault(64, shared + storeOwn + R"(
    coll.histogram block %s[%i0] : !coll.view<64xi32, shared>)");
  EXPECT_EQ(fault.kind, FaultKind::Race);
}

//===----------------------------------------------------------------------===//
// Split barriers
//===----------------------------------------------------------------------===//

// Thread i reads what thread 63 - i wrote.
const std::string readOther = R"(
    %c63 = arith.constant 63 : i64
    %j = arith.subi %c63, %i : i64
    %y = coll.load %s[%j] : !coll.view<64xi32, shared> -> i32
)";

TEST(OrderTest, WaitOrdersWhatIsBeforeArrive) {
  std::vector<uint32_t> y(64);
  Launch().view(y).run(makeKernel(64, {"i32"},
                                  shared + storeOwn +
                                      "coll.arrive block\ncoll.wait block\n" +
                                      readOther + storeTo(0, "%y", "i32")));
  EXPECT_EQ(y[1], 62u);
}

TEST(OrderTest, WaitDoesNotOrderWhatFollowsArrive) {
  RuntimeFault fault = findFault(64, shared + "coll.arrive block\n" + storeOwn +
                                         "coll.wait block\n" + readOther);
  EXPECT_EQ(fault.kind, FaultKind::Race);
  fault = findFault(64, shared + storeOwn + "coll.arrive block\n" + readOther +
                            "coll.wait block\n");
  EXPECT_EQ(fault.kind, FaultKind::UninitializedRead);
}

TEST(OrderTest, ATilesWaitOrdersItsOwnThreadsOnly) {
  RuntimeFault fault =
      findFault(64, shared + storeOwn +
                        "coll.arrive tile<8>\ncoll.wait tile<8>\n" + readOther);
  EXPECT_EQ(fault.kind, FaultKind::UninitializedRead);
  std::vector<uint32_t> y(64);
  Launch().view(y).run(makeKernel(
      64, {"i32"},
      shared + storeOwn + "coll.arrive tile<8>\ncoll.wait tile<8>\n" + R"(
    %c1 = arith.constant 1 : i64
    %j = arith.xori %i, %c1 : i64
    %y = coll.load %s[%j] : !coll.view<64xi32, shared> -> i32
)" + storeTo(0, "%y", "i32")));
  EXPECT_EQ(y[7], 6u);
}

TEST(OrderTest, ArriveAndWaitTakeTurns) {
  RuntimeFault fault = findFault(64, "coll.wait block");
  EXPECT_EQ(fault.kind, FaultKind::BadOperand);
  EXPECT_THAT(fault.message, HasSubstr("block.wait follows no arrive"));
  fault = findFault(64, "coll.arrive block\ncoll.arrive block");
  EXPECT_THAT(fault.message,
              HasSubstr("block.arrive follows another without a wait between"));
  fault = findFault(64, "coll.wait tile<4>");
  EXPECT_THAT(fault.message, HasSubstr("tile(4).wait follows no arrive"));
  fault = findFault(64, "coll.arrive warp\ncoll.arrive warp");
  EXPECT_THAT(fault.message,
              HasSubstr("warp.arrive follows another without a wait between"));
}

TEST(OrderTest, NobodyMerelyArrives) {
  for (std::string group : {"block", "warp", "tile<4>", "tile<64>"}) {
    RuntimeFault fault =
        findFault(128, "coll.arrive " + group + " loc(\"arrive\":7:1)");
    EXPECT_EQ(fault.kind, FaultKind::BadOperand);
    EXPECT_EQ(fault.place.line, 7u);
    EXPECT_THAT(fault.message,
                HasSubstr("arrive has no wait before the kernel ends"));
  }
  RuntimeFault fault = findFault(64, R"(
    %c32 = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : i32
    coll.if %low { coll.arrive warps<0, 32> coll.yield })");
  EXPECT_THAT(fault.message,
              HasSubstr("arrive has no wait before the kernel ends"));
}

TEST(OrderTest, WaitForAThreadThatLeft) {
  RuntimeFault fault = findFault(64, R"(
    %c32 = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : i32
    coll.if %low {
      coll.return
    }
    coll.arrive block
    coll.wait block)");
  EXPECT_THAT(fault.message,
              HasSubstr("block.wait waits for a thread that does not arrive"));
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_THAT(fault.notes[0].message,
              HasSubstr("thread (0, 0, 0) has left the kernel"));
}

//===----------------------------------------------------------------------===//
// Tiles of several warps
//===----------------------------------------------------------------------===//

TEST(OrderTest, AWideTileHasItsOwnRanks) {
  std::vector<uint32_t> rank(128), sum(128);
  std::string text = R"(
    %r = coll.rank tile<64>
    %n = coll.index tile<64>
    %s = coll.reduce tile<64> add(%n) : i32
  )" + storeTo(0, "%r", "i32") +
                     storeTo(1, "%s", "i32");
  Launch().view(rank).view(sum).run(makeKernel(128, {"i32", "i32"}, text));
  EXPECT_EQ(rank[63], 63u);
  EXPECT_EQ(rank[64], 0u);
  EXPECT_EQ(sum[63], 0u);
  EXPECT_EQ(sum[64], 64u);
}

const std::string isSecondTile = R"(
    %c64 = arith.constant 64 : i32
    %second = arith.cmpi uge, %t, %c64 : i32
)";

TEST(OrderTest, AWideTileMeetsWithoutTheOthers) {
  std::vector<uint32_t> y(128);
  Launch().view(y).run(makeKernel(128, {"i32"}, isSecondTile + R"(
    coll.if %second {
      %s = coll.reduce tile<64> add(%t) : i32
      coll.sync tile<64>
      coll.store (%s) to %x0[%i] : (i32), !coll.view<?xi32, global>
      coll.yield
    }
    coll.sync block)"));
  EXPECT_EQ(y[0], 0u);
  EXPECT_EQ(y[127], 64u * 64 + 63 * 32);
}

TEST(OrderTest, AWideTilesSyncOrdersItsOwnThreadsOnly) {
  const std::string tile =
      "%s = coll.shared \"tile\" : !coll.view<128xi32, shared>\n"
      "coll.store (%t) to %s[%i] : (i32), !coll.view<128xi32, shared>\n"
      "coll.sync tile<64>\n";
  const std::string load =
      "%j = arith.xori %i, %d : i64\n"
      "%y = coll.load %s[%j] : !coll.view<128xi32, shared> -> i32\n";
  std::vector<uint32_t> y(128);
  Launch().view(y).run(makeKernel(128, {"i32"},
                                  tile + "%d = arith.constant 63 : i64\n" +
                                      load + storeTo(0, "%y", "i32")));
  EXPECT_EQ(y[64], 127u);
  Launch launch;
  launch.view(y).tryRun(
      makeKernel(128, {"i32"}, tile + "%d = arith.constant 64 : i64\n" + load));
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_THAT(launch.fault->kind,
              testing::AnyOf(FaultKind::Race, FaultKind::UninitializedRead));
}

TEST(OrderTest, AWideTileMissesAWarp) {
  Launch launch;
  std::vector<uint32_t> y(64);
  launch.view(y).tryRun(makeKernel(128, {"i32"}, R"(
    %c32 = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : i32
    coll.if %low {
      coll.sync tile<64>
      coll.yield
    }
    coll.sync block)"));
  ASSERT_TRUE(launch.fault.has_value());
  EXPECT_EQ(launch.fault->kind, FaultKind::Divergence);
  EXPECT_THAT(launch.fault->message,
              HasSubstr("tile(64).sync is not reached by every thread of the "
                        "tile(64)"));
}

} // namespace
