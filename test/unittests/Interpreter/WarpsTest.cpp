//===- WarpsTest.cpp - Groups of some warps of a block --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultUtils.h"

using namespace coll::ref;
using testing::HasSubstr;

namespace {

/// The warp's index, and whether it is 0, 1, 2.
const std::string ranks = R"(
    %w = coll.index warp
    %two = arith.constant 2 : i32
    %is0 = arith.cmpi eq, %w, %zero : i32
    %is1 = arith.cmpi eq, %w, %one : i32
    %is2 = arith.cmpi eq, %w, %two : i32
    %low = arith.cmpi ult, %w, %two : i32
)";
const std::string words =
    "%words = coll.shared \"words\" : !coll.view<128xi32, shared>\n";
const std::string store =
    "coll.store (%t) to %words[%i] : (i32), !coll.view<128xi32, shared>\n";
/// What the thread of the other warp stored.
const std::string loadOther = R"(
    %c32 = arith.constant 32 : i64
    %j = arith.xori %i, %c32 : i64
    %y = coll.load %words[%j] : !coll.view<128xi32, shared> -> i32
)";

TEST(WarpsTest, AThreadThatLeftTheKernel) {
  RuntimeFault fault = findFault(96, ranks + R"(
    coll.if %is1 { coll.return }
    coll.if %low {
      coll.sync warps<0, 64>
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.message,
              HasSubstr("block.warps.sync is not reached by every thread of "
                        "the group"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (32, 0, 0) has left the kernel");
}

TEST(WarpsTest, AWarpThatWaitsForTheBlock) {
  RuntimeFault fault = findFault(96, ranks + R"(
    coll.if %is0 {
      coll.sync warps<0, 64>
      coll.yield
    }
    coll.sync block)");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (32, 0, 0) waits at this block.sync");
}

/// Each waits for a warp that waits for the next.
TEST(WarpsTest, GroupsThatWaitInARing) {
  RuntimeFault fault = findFault(96, ranks + R"(
    coll.if %is0 {
      coll.sync warps<0, 64>
      coll.yield
    }
    coll.if %is1 {
      coll.sync warps<32, 64>
      coll.yield
    }
    coll.if %is2 {
      coll.sync warps<0, 96>
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.notes[0].message, HasSubstr("waits at this block.warps"));
}

/// The last waits for the first to arrive.
TEST(WarpsTest, AWaitInARing) {
  RuntimeFault fault = findFault(96, ranks + R"(
    coll.if %is0 {
      coll.sync warps<0, 64>
      coll.yield
    }
    coll.arrive block
    coll.if %is1 {
      coll.sync warps<32, 64>
      coll.yield
    }
    coll.wait block)");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.message,
              HasSubstr("thread (0, 0, 0): block.warps.sync is not reached by "
                        "every thread of the group"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (32, 0, 0) waits at this "
            "block.warps.sync");
}

TEST(WarpsTest, AWaitForAWarpThatWaitsForThisOne) {
  RuntimeFault fault = findFault(96, ranks + R"(
    coll.if %is1 {
      coll.sync warps<0, 64>
      coll.yield
    }
    coll.arrive block
    coll.wait block)");
  EXPECT_EQ(fault.kind, FaultKind::BadOperand);
  EXPECT_THAT(fault.message,
              HasSubstr("thread (0, 0, 0): block.wait waits for a thread that "
                        "does not arrive"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (32, 0, 0) waits here");
}

/// Warp 2 has nothing to do before it waits for the block.
TEST(WarpsTest, AWaitForWarpsThatMeetFirst) {
  for (std::string group : {"block", "warps<0, 96>"}) {
    std::vector<uint32_t> y(96);
    Launch().view(y).run(makeKernel(96, {"i32"}, constants + ranks + R"(
    coll.if %low {
      coll.sync warps<0, 64>
      %s = coll.reduce warps<0, 64> add(%one) : i32
      coll.store (%s) to %x0[%i] : (i32), !coll.view<?xi32, global>
      coll.yield
    }
    coll.arrive )" + group + "\ncoll.wait " + group));
    EXPECT_EQ(y[63], 64u);
    EXPECT_EQ(y[64], 0u);
  }
}

/// Warps 0 and 1 wait for 2 and 3, which are in a larger group first.
TEST(WarpsTest, ATileAndWarpsThatShareSome) {
  std::vector<uint32_t> y(256);
  Launch().view(y).run(makeKernel(256, {"i32"}, constants + ranks + R"(
    %high = arith.cmpi uge, %w, %two : i32
    coll.if %high {
      %s = coll.reduce warps<64, 192> add(%one) : i32
      coll.store (%s) to %x0[%i] : (i32), !coll.view<?xi32, global>
      coll.yield
    }
    %v = coll.load %x0[%i] : !coll.view<?xi32, global> -> i32
    %all = coll.reduce tile<128> add(%v) : i32
)" + storeTo(0, "%all", "i32")));
  EXPECT_EQ(y[0], 64u * 192);
  EXPECT_EQ(y[255], 128u * 192);
}

TEST(WarpsTest, TheOthersAreNotOrdered) {
  RuntimeFault fault = findFault(128, ranks + words + store + R"(
    coll.if %low {
      coll.sync warps<0, 64>
      coll.yield
    } else {
      %c64 = arith.constant 64 : i64
      %j = arith.subi %i, %c64 : i64
      %y = coll.load %words[%j] : !coll.view<128xi32, shared> -> i32
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Race);
  EXPECT_THAT(fault.message, HasSubstr("thread (64, 0, 0): race on shared "
                                       "memory: this read of 'words'"));
}

TEST(WarpsTest, TheirOwnAccessesAreOrdered) {
  std::vector<uint32_t> y(64);
  Launch().view(y).run(
      makeKernel(64, {"i32"}, constants + ranks + words + store + R"(
    coll.sync warps<0, 64>)" + loadOther));
}

TEST(WarpsTest, HalvesOfABarrierBelongTogether) {
  RuntimeFault fault = findFault(96, ranks + R"(
    coll.if %low {
      coll.wait warps<0, 64>
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::BadOperand);
  EXPECT_THAT(fault.message, HasSubstr("block.warps.wait follows no arrive"));
}

} // namespace
