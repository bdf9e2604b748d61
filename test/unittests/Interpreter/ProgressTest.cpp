//===- ProgressTest.cpp - Launches in which no thread can go on -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultUtils.h"

using namespace coll::ref;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A loop that goes on while `condition`, an i1 that `text` computes, holds.
std::string makeLoop(const std::string &text, const std::string &condition,
                     const std::string &body = "") {
  return "coll.loop {\n" + text + "\ncoll.condition " + condition +
         "\n} do {\n" + body + "\ncoll.yield\n} step { coll.yield }\n";
}

/// Polls element `at` of x0 until it is no longer 0.
std::string makePoll(const std::string &at) {
  return makeLoop("%v = coll.atomic_load acquire device %x0[" + at +
                      "] : !coll.view<?xi32, global> -> i32 loc(\"poll\":1:1)\n"
                      "%c = arith.cmpi eq, %v, %zero : i32",
                  "%c", "coll.pause");
}

std::string makeStore(const std::string &at) {
  return "coll.atomic_store release device %one, %x0[" + at +
         "] : i32, !coll.view<?xi32, global>\n";
}

/// `text` in the threads whose rank is `rank`.
std::string inThread(unsigned rank, const std::string &text) {
  std::string n = std::to_string(rank);
  return "%r" + n + " = arith.constant " + n + " : i32\n%is" + n +
         " = arith.cmpi eq, %t, %r" + n + " : i32\ncoll.if %is" + n + " {\n" +
         text + "coll.yield\n}\n";
}

auto saysNote(const std::string &text) {
  return Field(&FaultNote::message, HasSubstr(text));
}

TEST(ProgressTest, NobodyWrites) {
  RuntimeFault fault = findFault(64, makePoll("%i1"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_EQ(getFaultKindName(fault.kind), "no-progress");
  EXPECT_EQ(fault.message,
            "kernel 'k', block (0, 0, 0), thread (0, 0, 0): looks at 'x0' "
            "(x0[1]) again and again, and no thread is left that could change "
            "it");
  EXPECT_EQ(fault.place.line, 1u);
  EXPECT_THAT(fault.notes, ElementsAre(saysNote("1 more warp does not go on")));
}

// The writer comes first, or last, or after long work in another warp.
TEST(ProgressTest, SomebodyWrites) {
  for (unsigned writer : {0u, 63u}) {
    std::vector<uint32_t> y(64);
    Launch launch;
    launch.view(y).run(makeKernel(64, {"i32"},
                                  constants +
                                      inThread(writer, R"(
    %n = arith.constant 100000 : i32
    %j = coll.var "j" : !coll.view<i32, private>
    coll.store (%zero) to %j[] : (i32), !coll.view<i32, private>
    )" +
                                                           makeLoop(R"(
      %w = coll.load %j[] : !coll.view<i32, private> -> i32
      %more = arith.cmpi ult, %w, %n : i32)",
                                                                    "%more", R"(
      %u = coll.load %j[] : !coll.view<i32, private> -> i32
      %next = arith.addi %u, %one : i32
      coll.store (%next) to %j[] : (i32), !coll.view<i32, private>)") +
                                                           makeStore("%i0")) +
                                      inThread(31, makePoll("%i0"))));
    EXPECT_EQ(y[0], 1u);
  }
}

// A lock that one lane holds while the others of its warp spin for it.
TEST(ProgressTest, ALockInAWarp) {
  RuntimeFault fault = findFault(
      32, makeLoop("%v = coll.atomic_cas relaxed device %zero, %one, %x0[%i0] "
                   ": i32, !coll.view<?xi32, global>\n"
                   "%c = arith.cmpi ne, %v, %zero : i32",
                   "%c") +
              "coll.atomic_store relaxed device %zero, %x0[%i0] : i32, "
              "!coll.view<?xi32, global>\n");
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_THAT(fault.message, HasSubstr("thread (1, 0, 0): looks at 'x0' "
                                       "(x0[0]) again and again"));
  EXPECT_THAT(
      fault.notes,
      ElementsAre(saysNote(
          "block (0, 0, 0), thread (0, 0, 0) of its warp went another way and "
          "goes on only after it: threads of one warp must not wait for each "
          "other but in collectives")));
}

/// Each thread of a warp tries for x0[0] until it has had it, and gives it back
/// in the arm of those who have it; `before` comes first in each trip.
std::string makeLock(const std::string &before, const std::string &expected) {
  return R"(
    %tries = coll.var "tries" : !coll.view<i1, private>
    %true = arith.constant true
    %false = arith.constant false
    coll.store (%true) to %tries[] : (i1), !coll.view<i1, private>
    )" + makeLoop("%go = coll.load %tries[] : !coll.view<i1, private> -> i1",
                  "%go",
                  before + "%v = coll.atomic_cas acquire device " + expected +
                      ", %one, %x0[%i0] : i32, !coll.view<?xi32, global> "
                      "loc(\"take\":1:1)\n%has = arith.cmpi eq, %v, " +
                      expected +
                      " : i32\ncoll.if %has {\n"
                      "coll.atomic_store release device %zero, %x0[%i0] : i32, "
                      "!coll.view<?xi32, global> loc(\"give\":2:1)\n"
                      "coll.store (%false) to %tries[] : (i1), "
                      "!coll.view<i1, private>\ncoll.yield\n}");
}

// It would end here, where the arm that gives the lock back runs before others
// try again. Other devices may do that first.
TEST(ProgressTest, ALockInALoopOfAWarp) {
  RuntimeFault fault = findFault(3, makeLock("", "%zero"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_EQ(fault.place.file, "take");
  EXPECT_EQ(fault.message,
            "kernel 'k', block (0, 0, 0), thread (1, 0, 0): waited until block "
            "(0, 0, 0), thread (0, 0, 0) of its warp changed 'x0' (x0[0]); "
            "threads of one warp must not wait for each other but in "
            "collectives");
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].place.file, "give");
  EXPECT_EQ(fault.notes[0].message, "block (0, 0, 0), thread (0, 0, 0) changed "
                                    "it here, where the other was not");
}

// One thread of each warp may wait for those of others, and who looks at the
// place first tries for whatever is there.
TEST(ProgressTest, NoWaitInAWarp) {
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.view(y).run(makeKernel(128, {"i32"}, constants + R"(
    %leader = coll.elect warp
    coll.if %leader {)" + makeLock("", "%zero") + "coll.yield\n}"));
  launch.run(makeKernel(
      32, {"i32"},
      constants + makeLock("%was = coll.atomic_load relaxed device %x0[%i0] : "
                           "!coll.view<?xi32, global> -> i32\n",
                           "%was")));
}

// One warp polls what another would write behind a barrier of both.
TEST(ProgressTest, OthersWaitAtABarrier) {
  RuntimeFault fault =
      findFault(64, inThread(40, makePoll("%i0")) + "coll.sync block\n" +
                        makeStore("%i0"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_THAT(fault.message, HasSubstr("thread (40, 0, 0): looks at 'x0'"));
  EXPECT_THAT(
      fault.notes,
      ElementsAre(saysNote("thread (32, 0, 0) of its warp went another way"),
                  saysNote("block (0, 0, 0), thread (0, 0, 0) waits at this "
                           "block.sync")));
}

// The loop has a collective of several warps.
TEST(ProgressTest, PollingForABlock) {
  RuntimeFault fault =
      findFault(64, makeLoop("%v = coll.atomic_load acquire device %x0[%i0] : "
                             "!coll.view<?xi32, global> -> i32\n"
                             "%w = coll.broadcast block %v from %zero : i32\n"
                             "%c = arith.cmpi eq, %w, %zero : i32",
                             "%c"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_THAT(fault.message, HasSubstr("looks at 'x0' (x0[0])"));
}

TEST(ProgressTest, BlocksThatHaveNotStarted) {
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.grid = {6, 1, 1};
  std::string text = launch.view(y).tryRun(makeKernel(32, {"i32"},
                                                      constants + R"(
    %b = coll.block_id x
    %last = arith.constant 5 : i64
    %isLast = arith.cmpi eq, %b, %last : i64
    coll.if %isLast {)" + makeStore("%i0") + "coll.yield\n} else {\n" +
                                                          makePoll("%i0") +
                                                          "coll.yield\n}"));
  EXPECT_THAT(text, HasSubstr("thread (0, 0, 0): looks at 'x0' (x0[0])"));
  EXPECT_THAT(text, HasSubstr("note: 2 blocks have not started: nothing is "
                              "promised about when"));
  launch.options.residentBlocks = 6;
  EXPECT_EQ(launch.tryRun(makeKernel(32, {"i32"},
                                     constants + R"(
    %b = coll.block_id x
    %last = arith.constant 5 : i64
    %isLast = arith.cmpi eq, %b, %last : i64
    coll.if %isLast {)" + makeStore("%i0") +
                                         "coll.yield\n} else {\n" +
                                         makePoll("%i0") + "coll.yield\n}")),
            "");
}

TEST(ProgressTest, AnEndlessLoop) {
  RuntimeFault fault =
      findFault(2, makeLoop("%true = arith.constant true", "%true"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_THAT(fault.message, HasSubstr("goes round this loop, and no thread is "
                                       "left that could change that"));
  EXPECT_THAT(fault.notes, IsEmpty());
}

/// Polls x0[0] and counts the trips; `condition` may use their number %w.
std::string makeCountingPoll(const std::string &condition) {
  return R"(
    %j = coll.var "j" : !coll.view<i32, private>
    coll.store (%zero) to %j[] : (i32), !coll.view<i32, private>
    )" +
         makeLoop(R"(
      %w = coll.load %j[] : !coll.view<i32, private> -> i32
      %v = coll.atomic_load acquire device %x0[%i0] : !coll.view<?xi32, global> -> i32
      %isZero = arith.cmpi eq, %v, %zero : i32)" +
                      condition,
                  "%c", R"(
      %u = coll.load %j[] : !coll.view<i32, private> -> i32
      %next = arith.addi %u, %one : i32
      coll.store (%next) to %j[] : (i32), !coll.view<i32, private>
      coll.pause)") +
         R"(
    %trips = coll.load %j[] : !coll.view<i32, private> -> i32
    coll.store (%trips) to %x0[%i1] : (i32), !coll.view<?xi32, global>
)";
}

// A count that nobody in the loop asks for is no progress.
TEST(ProgressTest, CountedTrips) {
  RuntimeFault fault = findFault(
      64, makeCountingPoll("\n%c = arith.andi %isZero, %isZero : i1"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  EXPECT_THAT(fault.message, HasSubstr("looks at 'x0' (x0[0])"));
}

// One that ends the loop is.
TEST(ProgressTest, PollingForALimitedTime) {
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.view(y).run(makeKernel(64, {"i32"}, constants + makeCountingPoll(R"(
      %most = arith.constant 5000 : i32
      %more = arith.cmpi ult, %w, %most : i32
      %c = arith.andi %isZero, %more : i1)")));
  EXPECT_EQ(y[1], 5000u);
}

// Another warp writes after so many trips, each of which has a collective.
TEST(ProgressTest, TripsThatDecideElsewhere) {
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.view(y).run(makeKernel(64, {"i32"}, constants + R"(
    %last = arith.constant 40 : i32
    %is40 = arith.cmpi eq, %t, %last : i32
)" + makeCountingPoll(R"(
      %most = arith.constant 3000 : i32
      %late = arith.cmpi ugt, %w, %most : i32
      %mine = arith.andi %late, %is40 : i1
      %some = coll.vote any block %mine
      %true = arith.constant true
      %c = arith.xori %some, %true : i1)")));
  EXPECT_EQ(y[1], 3001u);
}

// Exchanges that give a place the value that it has are no change; others are.
TEST(ProgressTest, StoresOfTheSame) {
  std::string exchange = "%v = coll.atomic_rmw exchange relaxed device %one, "
                         "%x0[%i0] : i32, !coll.view<?xi32, global>\n"
                         "%c = arith.cmpi ne, %v, %zero : i32\n";
  RuntimeFault fault =
      findFault(1, makeStore("%i0") + makeLoop(exchange, "%c"));
  EXPECT_EQ(fault.kind, FaultKind::NoProgress);
  // Two threads take a place in turn, 100 times each.
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.view(y).run(makeKernel(64, {"i32"}, constants + R"(
    %c32 = arith.constant 32 : i32
    %ranks = coll.rem signed %t, %c32 : i32
    %isFirst = arith.cmpi eq, %ranks, %zero : i32
    coll.if %isFirst {
      %warp = coll.div signed %t, %c32 : i32
      %n = arith.constant 200 : i32
      %two = arith.constant 2 : i32
      coll.loop {
        %v = coll.atomic_load relaxed device %x0[%i0] : !coll.view<?xi32, global> -> i32
        %turn = coll.rem signed %v, %two : i32
        %mine = arith.cmpi eq, %turn, %warp : i32
        coll.if %mine {
          coll.store (%v) to %x0[%i1] : (i32), !coll.view<?xi32, global>
          %old = coll.atomic_rmw add relaxed device %one, %x0[%i0] : i32, !coll.view<?xi32, global>
          coll.yield
        }
        %more = arith.cmpi ult, %v, %n : i32
        coll.condition %more
      } do { coll.pause coll.yield } step { coll.yield }
      coll.yield
    })"));
  EXPECT_GE(y[0], 200u);
}

} // namespace
