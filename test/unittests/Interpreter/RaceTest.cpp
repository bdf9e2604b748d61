//===- RaceTest.cpp - Races on shared memory, and what orders accesses ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultUtils.h"

using namespace coll::ref;
using testing::HasSubstr;

namespace {

TEST(RaceTest, RaceBetweenWriteAndRead) {
  RuntimeFault fault = findFault(32, shared + R"(
    %c31 = arith.constant 31 : i64
    %j = arith.subi %c31, %i : i64
    coll.store (%t) to %s[%i] : (i32), !coll.view<64xi32, shared> loc("a.coll":4:1)
    %y = coll.load %s[%j] : !coll.view<64xi32, shared> -> i32 loc("a.coll":5:1))");
  EXPECT_EQ(fault.kind, FaultKind::Race);
  EXPECT_EQ(fault.place.line, 5u);
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].place.line, 4u);
  EXPECT_THAT(fault.message,
              HasSubstr("thread (0, 0, 0): race on shared memory: this read "
                        "of 'tile' is not ordered"));
  EXPECT_EQ(fault.notes[0].message,
            "the other is a write by block (0, 0, 0), thread (31, 0, 0)");
}

TEST(RaceTest, RaceBetweenReadAndWrite) {
  RuntimeFault fault = findFault(64, shared + storeOwn + R"(
    coll.sync block
    %y = coll.load %s[%i0] : !coll.view<64xi32, shared> -> i32
    coll.store (%y) to %s[%i] : (i32), !coll.view<64xi32, shared>)");
  EXPECT_EQ(fault.kind, FaultKind::Race);
  EXPECT_THAT(fault.notes[0].message, HasSubstr("the other is a read by"));
}

TEST(RaceTest, RaceBetweenTwoWrites) {
  RuntimeFault fault = findFault(
      2, shared +
             "coll.store (%t) to %s[%i0] : (i32), !coll.view<64xi32, shared>");
  EXPECT_EQ(fault.kind, FaultKind::Race);
}

TEST(RaceTest, OtherCollectivesOrderNothing) {
  RuntimeFault fault = findFault(64, shared + storeOwn + R"(
    %r = coll.reduce block add(%t) : i32
    %y = coll.load %s[%i0] : !coll.view<64xi32, shared> -> i32)");
  EXPECT_EQ(fault.kind, FaultKind::Race);
}

TEST(RaceTest, SyncsAndAtomicsDoNotRace) {
  std::vector<uint32_t> y(64);
  Launch().view(y).run(
      makeKernel(64, {"i32"}, constants + shared + storeOwn + R"(
    coll.sync warp
    %r = coll.rank warp
    %x = arith.xori %t, %one : i32
    %j = arith.extui %x : i32 to i64
    %a = coll.load %s[%j] : !coll.view<64xi32, shared> -> i32
    coll.sync block
    %old = coll.atomic_rmw add relaxed block %one, %s[%i0] : i32, !coll.view<64xi32, shared>
    coll.sync block
    %y = coll.load %s[%i0] : !coll.view<64xi32, shared> -> i32
    coll.store (%y) to %x0[%i] : (i32), !coll.view<?xi32, global>)"));
  EXPECT_EQ(y, std::vector<uint32_t>(64, 64));
}

TEST(RaceTest, AtomicsRaceWithPlainAccesses) {
  RuntimeFault fault = findFault(64, shared + storeOwn + R"(
    coll.sync block
    %old = coll.atomic_rmw add relaxed block %one, %s[%i0] : i32, !coll.view<64xi32, shared>
    %y = coll.load %s[%i0] : !coll.view<64xi32, shared> -> i32)");
  EXPECT_EQ(fault.kind, FaultKind::Race);
  EXPECT_THAT(fault.notes[0].message, HasSubstr("is a atomic write by"));
}

TEST(RaceTest, ReleaseAndAcquireOrder) {
  // Thread 0 writes, then sets a flag; thread 32 waits for it, then reads.
  std::vector<uint32_t> y(64);
  auto text = [](const std::string &acquire) {
    return makeKernel(64, {"i32"},
                      constants + shared + R"(
    coll.if %first {
      coll.atomic_store relaxed block %zero, %s[%i1] : i32, !coll.view<64xi32, shared>
      coll.yield
    }
    coll.sync block
    %c32 = arith.constant 32 : i32
    %reads = arith.cmpi eq, %t, %c32 : i32
    coll.if %first {
      coll.store (%c32) to %s[%i0] : (i32), !coll.view<64xi32, shared>
      coll.atomic_store release block %one, %s[%i1] : i32, !coll.view<64xi32, shared>
      coll.yield
    }
    coll.if %reads {
      coll.loop {
        %v = coll.atomic_load )" +
                          acquire +
                          R"( block %s[%i1] : !coll.view<64xi32, shared> -> i32
        %c = arith.cmpi eq, %v, %zero : i32
        coll.condition %c
      } do { coll.yield } step { coll.yield }
      %y = coll.load %s[%i0] : !coll.view<64xi32, shared> -> i32
      coll.store (%y) to %x0[%i0] : (i32), !coll.view<?xi32, global>
      coll.yield
    })");
  };
  Launch().view(y).run(text("acquire"));
  EXPECT_EQ(y[0], 32u);
  EXPECT_THAT(Launch().view(y).tryRun(text("relaxed")), HasSubstr("race"));
}

} // namespace
