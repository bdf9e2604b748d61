//===- FaultTest.cpp - What hardware does not check -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultUtils.h"

using namespace coll::ref;
using testing::HasSubstr;

namespace {

TEST(FaultTest, IndexOutOfBounds) {
  RuntimeFault fault = findFault(
      65, "coll.store (%t) to %x0[%i] : (i32), !coll.view<?xi32, global> "
          "loc(\"a.coll\":3:7)");
  EXPECT_EQ(fault.kind, FaultKind::OutOfBounds);
  EXPECT_EQ(fault.place, (SourcePlace{"a.coll", 3, 7}));
  EXPECT_EQ(fault.message,
            "kernel 'k', block (0, 0, 0), thread (64, 0, 0): index 64 is out "
            "of bounds in dimension 0 of 'x0', whose extent is 64");
}

TEST(FaultTest, NegativeIndexAndSlice) {
  EXPECT_THAT(findFault(1, R"(
    %m = arith.constant -3 : i64
    %y = coll.load %x0[%m] : !coll.view<?xi32, global> -> i32)")
                  .message,
              HasSubstr("index -3 is out of bounds"));
  EXPECT_THAT(findFault(1, R"(
    %m = arith.constant 65 : i64
    %y = coll.slice %x0 forms [2] (%i1, %m) : !coll.view<?xi32, global> -> !coll.view<?xi32, global>)")
                  .message,
              HasSubstr("slice 1..65 is out of bounds in dimension 0"));
}

TEST(FaultTest, OnlyActiveThreadsAreChecked) {
  std::vector<uint32_t> y(64);
  Launch().view(y).run(makeKernel(128, {"i32"}, R"(
    %n = arith.constant 64 : i32
    %in = arith.cmpi ult, %t, %n : i32
    coll.if %in {
      coll.store (%t) to %x0[%i] : (i32), !coll.view<?xi32, global>
      coll.yield
    })"));
  EXPECT_EQ(y[63], 63u);
}

TEST(FaultTest, CallersAreNotes) {
  RuntimeFault fault = findFault(
      1, "coll.trap loc(callsite(\"f\"(\"lib.coll\":2:3) at \"a.coll\":9:5))");
  EXPECT_EQ(fault.str(),
            "lib.coll:2:3: error: kernel 'k', block (0, 0, 0), thread (0, 0, "
            "0): trap\na.coll:9:5: note: called here\n");
}

TEST(FaultTest, UninitializedReads) {
  RuntimeFault fault = findFault(4, R"(
    %v = coll.var "acc" : !coll.view<i32, private>
    coll.if %first {
      coll.store (%t) to %v[] : (i32), !coll.view<i32, private>
      coll.yield
    }
    %y = coll.load %v[] : !coll.view<i32, private> -> i32)");
  EXPECT_EQ(fault.kind, FaultKind::UninitializedRead);
  EXPECT_THAT(fault.message, HasSubstr("thread (1, 0, 0): variable 'acc' is "
                                       "read before it is assigned"));
  fault = findFault(1, R"(
    %v = coll.var "row" : !coll.view<4xi32, private>
    coll.store (%t) to %v[%i0] : (i32), !coll.view<4xi32, private>
    %y = coll.load %v[%i1] : !coll.view<4xi32, private> -> i32)");
  EXPECT_EQ(fault.kind, FaultKind::UninitializedRead);
  EXPECT_THAT(
      fault.message,
      HasSubstr("'row' is read at byte 4 (row[1]) before it is written"));
  fault = findFault(
      1, shared + "%y = coll.load %s[%i1] : !coll.view<64xi32, shared> -> i32");
  EXPECT_EQ(fault.kind, FaultKind::UninitializedRead);
  EXPECT_THAT(fault.message,
              HasSubstr("'tile' is read at byte 4 (tile[1]) before it is "
                        "written; is a block.sync() missing?"));
}

TEST(FaultTest, UninitializedReadOfAFreshBuffer) {
  std::vector<uint32_t> y(4);
  EXPECT_THAT(Launch().fresh(y).tryRun(makeKernel(
                  1, {"i32"},
                  "%y = coll.load %x0[%i] : !coll.view<?xi32, global> -> i32")),
              HasSubstr("'x0' is read at byte 0 (x0[0]) before it is written"));
}

TEST(FaultTest, AVariableIsNewEachTime) {
  RuntimeFault fault = findFault(1, R"(
    %n = coll.var "n" : !coll.view<i32, private>
    coll.store (%zero) to %n[] : (i32), !coll.view<i32, private>
    coll.loop {
      %true = arith.constant true
      coll.condition %true
    } do {
      %v = coll.var "inner" : !coll.view<i32, private>
      %k = coll.load %n[] : !coll.view<i32, private> -> i32
      %c = arith.cmpi eq, %k, %zero : i32
      coll.if %c {
        coll.store (%one) to %v[] : (i32), !coll.view<i32, private>
        coll.yield
      }
      %y = coll.load %v[] : !coll.view<i32, private> -> i32
      coll.store (%y) to %n[] : (i32), !coll.view<i32, private>
      coll.yield
    } step { coll.yield })");
  EXPECT_THAT(fault.message, HasSubstr("variable 'inner'"));
}

TEST(FaultTest, BlockCollectiveAfterAReturn) {
  RuntimeFault fault = findFault(64, R"(
    coll.if %first { coll.return }
    coll.sync block)");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.message, HasSubstr("block.sync is not reached by every "
                                       "thread of the block"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (0, 0, 0) has left the kernel");
}

TEST(FaultTest, BlockCollectiveInABranch) {
  RuntimeFault fault = findFault(64, R"(
    coll.if %first {
      coll.sync block
      coll.yield
    })");
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (1, 0, 0) took another path");
}

TEST(FaultTest, WarpsAtDifferentCollectives) {
  RuntimeFault fault = findFault(64, R"(
    %c32 = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : i32
    coll.if %low {
      coll.sync block loc("a.coll":1:1)
      coll.yield
    } else {
      %r = coll.reduce block add(%t) : i32 loc("a.coll":2:1)
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_EQ(fault.notes[0].place.line, 2u);
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (32, 0, 0) waits at this block.reduce");
}

TEST(FaultTest, AWarpThatEndsWhileOthersWait) {
  RuntimeFault fault = findFault(64, R"(
    %c32 = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %c32 : i32
    coll.if %low { coll.return }
    coll.sync block)");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.notes[0].message, HasSubstr("has left the kernel"));
}

TEST(FaultTest, WarpCollectiveInABranch) {
  RuntimeFault fault = findFault(40, R"(
    %c20 = arith.constant 20 : i32
    %low = arith.cmpi ult, %t, %c20 : i32
    coll.if %low {
      %r = coll.reduce warp add(%t) : i32
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.message,
              HasSubstr("warp.reduce is not reached by every thread of the "
                        "warp"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (20, 0, 0) took another path");
}

TEST(FaultTest, DivisionByZero) {
  RuntimeFault fault = findFault(4, "%q = coll.div signed %one, %t : i32");
  EXPECT_EQ(fault.kind, FaultKind::DivisionByZero);
  EXPECT_THAT(fault.message, HasSubstr("thread (0, 0, 0): division by zero"));
}

TEST(FaultTest, AssertionsSayTheirValues) {
  RuntimeFault fault = findFault(4, R"(
    %v = arith.constant -2 : i8
    %f = arith.constant 0.1 : f32
    %w = arith.constant dense<[1.5, 2.0]> : vector<2xf32>
    coll.assert %first, "at {}: {} {} {} {} {}"(%t, %v, %v, %f, %w, %first : i32, i8, i8, f32, vector<2xf32>, i1) signs [false, true, false, false, false, false])");
  EXPECT_EQ(fault.kind, FaultKind::Assertion);
  EXPECT_THAT(fault.message,
              HasSubstr("assertion failed: at 1: -2 254 0.1 (1.5, 2) false"));
}

TEST(FaultTest, BroadcastFromOutside) {
  EXPECT_THAT(findFault(40, R"(
    %from = arith.constant 8 : i32
    %y = coll.broadcast warp %t from %from : i32)")
                  .message,
              HasSubstr("warp.broadcast from rank 8 of a group of 8"));
  EXPECT_THAT(
      findFault(40, "%y = coll.broadcast block %t from %t : i32").message,
      HasSubstr("block.broadcast from rank 1, but rank 0 of the group "
                "says 0"));
}

TEST(FaultTest, ALoopThatCountsWithoutEnd) {
  LaunchOptions options;
  options.instructionLimit = 10000;
  RuntimeFault fault = findFault(2, R"(
    %j = coll.var "j" : !coll.view<i64, private>
    coll.store (%i0) to %j[] : (i64), !coll.view<i64, private>
    coll.loop {
      %v = coll.load %j[] : !coll.view<i64, private> -> i64
      %c = arith.cmpi sge, %v, %i0 : i64
      coll.condition %c
    } do { coll.yield } step {
      %v = coll.load %j[] : !coll.view<i64, private> -> i64
      %next = arith.addi %v, %i1 : i64
      coll.store (%next) to %j[] : (i64), !coll.view<i64, private>
      coll.yield
    })",
                                 options);
  EXPECT_EQ(fault.kind, FaultKind::NoEnd);
  EXPECT_THAT(fault.message,
              HasSubstr("did not end within 10000 instructions"));
}

TEST(FaultTest, MisalignedVector) {
  RuntimeFault fault = findFault(1, R"(
    %n = arith.constant 64 : i64
    %s = coll.slice %x0 forms [2] (%i1, %n) : !coll.view<?xi32, global> -> !coll.view<?xi32, global>
    %v = coll.recast %s : !coll.view<?xi32, global> -> !coll.view<?xvector<4xi32>, global>
    %y = coll.load %v[%i0] : !coll.view<?xvector<4xi32>, global> -> vector<4xi32>)");
  EXPECT_EQ(fault.kind, FaultKind::Misaligned);
}

TEST(FaultTest, UnknownOperationsAreNamedWhenLoading) {
  EXPECT_EQ(Launch().tryRun(makeKernel(
                1, {"i32"},
                "%f = arith.constant 1.0 : f32\n%y = math.tan %f : f32 "
                "loc(\"a.coll\":7:2)")),
            "a.coll:7:2: kernel 'k': the reference device cannot run "
            "'math.tan' yet");
  EXPECT_THAT(
      Launch().tryRun(makeKernel(1, {"i32"}, "%f = arith.constant 1 : i128")),
      HasSubstr("the reference device has no such constant yet"));
  EXPECT_THAT(Launch().tryRun("not mlir"),
              HasSubstr("not a module of the coll dialect"));
}

TEST(FaultTest, AnOperatorHoldsNoCollective) {
  EXPECT_THAT(Launch().tryRun(makeKernel(1, {"i32"}, R"(
    %y = coll.reduce block (%t) : i32 combiner {
    ^bb0(%l: i32, %r: i32):
      %s = coll.reduce warp add(%l) : i32
      coll.yield %s : i32
    })")),
              HasSubstr("an operator cannot hold 'coll.reduce'"));
}

} // namespace
