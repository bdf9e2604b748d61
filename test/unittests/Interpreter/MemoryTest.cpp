//===- MemoryTest.cpp - Views, elements and atomics -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"
#include <numeric>

using namespace coll::ref;

namespace {

TEST(MemoryTest, RowsSlicesAndPitch) {
  // Rows of 3 at a distance of 5; y[i] = x[1..3, 2] and the sum of x[2].
  std::vector<int32_t> x(20), y(4, -1);
  std::iota(x.begin(), x.end(), 0);
  Launch()
      .argument(Argument::view(x.data(), 80))
      .argument(Argument::view(y.data(), 16))
      .extent(4)
      .extent(3)
      .extent(5)
      .run(R"(
    coll.kernel @k workgroup [1, 1, 1] grid [] extents ["rows", "cols", "ld"]
        params [#coll.param<name = "x", access = read, isView = true, type = "i32", leaves = "i32", dims = -1, -2, pitch = 2>,
                #coll.param<name = "y", access = mut, isView = true, type = "i32", leaves = "i32", dims = -1>] {
    ^bb0(%x: !coll.view<?x?xi32, global>, %y: !coll.view<?xi32, global>, %rows: i64, %cols: i64, %ld: i64):
      %c0 = arith.constant 0 : i64
      %c1 = arith.constant 1 : i64
      %c2 = arith.constant 2 : i64
      %c3 = arith.constant 3 : i64
      %col = coll.slice %x forms [2, 1] (%c1, %c3, %c2) : !coll.view<?x?xi32, global> -> !coll.view<?xi32, global>
      %a = coll.load %col[%c0] : !coll.view<?xi32, global> -> i32
      %b = coll.load %col[%c1] : !coll.view<?xi32, global> -> i32
      %n = coll.extent %col, 0 : !coll.view<?xi32, global>
      %n32 = arith.trunci %n : i64 to i32
      %row = coll.slice %x forms [1, 0] (%c2) : !coll.view<?x?xi32, global> -> !coll.view<?xi32, global>
      %d = coll.load %row[%c1] : !coll.view<?xi32, global> -> i32
      coll.store (%a) to %y[%c0] : (i32), !coll.view<?xi32, global>
      coll.store (%b) to %y[%c1] : (i32), !coll.view<?xi32, global>
      coll.store (%n32) to %y[%c2] : (i32), !coll.view<?xi32, global>
      coll.store (%d) to %y[%c3] : (i32), !coll.view<?xi32, global>
      coll.return
    })");
  EXPECT_THAT(y, testing::ElementsAre(7, 12, 2, 11));
}

TEST(MemoryTest, StructsAndTheirFields) {
  struct Pair {
    uint8_t a;
    float b[2];
  };
  static_assert(sizeof(Pair) == 12);
  std::vector<Pair> x = {{1, {2, 3}}, {4, {5, 6}}};
  std::vector<float> y(4);
  Launch().view(x).view(y).run(R"(
    !p = !coll.struct<"Pair", size = 12, align = 4, (i8 at 0, f32 at 4, f32 at 8)>
    coll.kernel @k workgroup [2, 1, 1] grid [] extents ["n", "m"]
        params [#coll.param<name = "x", access = mut, isView = true, type = "Pair", leaves = "u8", "f32", "f32", dims = -1>,
                #coll.param<name = "y", access = mut, isView = true, type = "f32", leaves = "f32", dims = -2>] {
    ^bb0(%x: !coll.view<?x!p, global>, %y: !coll.view<?xf32, global>, %n: i64, %m: i64):
      %t = coll.rank block
      %i = arith.extui %t : i32 to i64
      %a, %b, %c = coll.load %x[%i] : !coll.view<?x!p, global> -> i8, f32, f32
      %f = arith.uitofp %a : i8 to f32
      %d = arith.subf %c, %f : f32
      coll.store (%d) to %y[%i] : (f32), !coll.view<?xf32, global>
      %bs = coll.field %x at 4 : !coll.view<?x!p, global> -> !coll.view<?x2xf32, global>
      %one = arith.constant 1 : i64
      %two = arith.constant 2 : i64
      %e = coll.load %bs[%i, %one] : !coll.view<?x2xf32, global> -> f32
      %j = arith.addi %i, %two : i64
      coll.store (%e) to %y[%j] : (f32), !coll.view<?xf32, global>
      coll.store (%a, %c, %b) to %x[%i] : (i8, f32, f32), !coll.view<?x!p, global>
      coll.return
    })");
  EXPECT_THAT(y, testing::ElementsAre(2, 2, 3, 6));
  EXPECT_EQ(x[1].b[0], 6);
  EXPECT_EQ(x[1].b[1], 5);
}

TEST(MemoryTest, PrivateArraysAreEachThreads) {
  std::vector<uint32_t> y(40);
  Launch().view(y).run(makeKernel(40, {"i32"}, R"(
    %a = coll.var "a" : !coll.view<2x3xi32, private>
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c5 = arith.constant 5 : i64
    coll.store (%t) to %a[%c1, %c2] : (i32), !coll.view<2x3xi32, private>
    %f = coll.flat %a : !coll.view<2x3xi32, private> -> !coll.view<6xi32, private>
    %y = coll.load %f[%c5] : !coll.view<6xi32, private> -> i32
    coll.store (%y) to %x0[%i] : (i32), !coll.view<?xi32, global>)"));
  for (unsigned i = 0; i != 40; ++i)
    EXPECT_EQ(y[i], i);
}

TEST(MemoryTest, SharedArraysReverseABlock) {
  const std::string body = R"(
    %one = arith.constant 1 : i64
    %r = arith.subi %n0, %one : i64
    %j = arith.subi %r, %i : i64
    coll.store (%t) to %s[%i] : (i32), !coll.view<SHAPExi32, shared>
    coll.sync block
    %y = coll.load %s[%j] : !coll.view<SHAPExi32, shared> -> i32
    coll.store (%y) to %x0[%i] : (i32), !coll.view<?xi32, global>)";
  for (bool isDynamic : {false, true}) {
    std::string text =
        (isDynamic ? "%s = coll.shared \"s\"(%n0) bytes \"(* n0 4)\""
                   : "%s = coll.shared \"s\"") +
        std::string(" : !coll.view<SHAPExi32, shared>") + body;
    for (size_t at; (at = text.find("SHAPE")) != std::string::npos;)
      text.replace(at, 5, isDynamic ? "?" : "100");
    std::vector<uint32_t> y(100);
    Launch launch;
    launch.grid = {3, 1, 1};
    launch.view(y).run(makeKernel(100, {"i32"}, text));
    for (unsigned i = 0; i != 100; ++i)
      EXPECT_EQ(y[i], 99 - i);
  }
}

TEST(MemoryTest, AggregatedCounter) {
  std::vector<uint32_t> counter(1), y(86, 999);
  Launch().view(counter).view(y).run(makeKernel(256, {"i32", "i32"}, R"(
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.constant 0 : i64
    %m = coll.rem %t, %three : i32
    %p = arith.cmpi eq, %m, %zero : i32
    coll.if %p {
      %slot = coll.atomic_rmw add relaxed device %one, %x0[%first] : i32, !coll.view<?xi32, global>
      %j = arith.extui %slot : i32 to i64
      coll.store (%t) to %x1[%j] : (i32), !coll.view<?xi32, global>
      coll.yield
    })"));
  EXPECT_EQ(counter[0], 86u);
  std::sort(y.begin(), y.end());
  for (unsigned i = 0; i != 86; ++i)
    EXPECT_EQ(y[i], 3 * i);
}

TEST(MemoryTest, AtomicsGiveTheOldValue) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> f = {1.5f, 2.0f, 3.0f};
  std::vector<uint32_t> x = {10, 20, 30, 40}, old(3);
  Launch().view(f).view(x).view(old).run(
      makeKernel(1, {"f32", "i32", "i32"}, R"(
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %q = arith.constant 0.25 : f32
    %nan = arith.constant 0x7FC00000 : f32
    %a = coll.atomic_rmw fadd relaxed device %q, %x0[%c0] : f32, !coll.view<?xf32, global>
    %b = coll.atomic_rmw fmin relaxed device %nan, %x0[%c1] : f32, !coll.view<?xf32, global>
    %c = coll.atomic_rmw exchange relaxed device %q, %x0[%c2] : f32, !coll.view<?xf32, global>
    %m1 = arith.constant -1 : i32
    %v20 = arith.constant 20 : i32
    %v = arith.constant 7 : i32
    %d = coll.atomic_rmw smin relaxed device %m1, %x1[%c0] : i32, !coll.view<?xi32, global>
    %e = coll.atomic_cas acq_rel device %v20, %v, %x1[%c1] : i32, !coll.view<?xi32, global>
    %g = coll.atomic_cas acq_rel device %v20, %v, %x1[%c2] : i32, !coll.view<?xi32, global>
    coll.atomic_store release device %v, %x1[%c3] : i32, !coll.view<?xi32, global>
    coll.store (%d) to %x2[%c0] : (i32), !coll.view<?xi32, global>
    coll.store (%e) to %x2[%c1] : (i32), !coll.view<?xi32, global>
    coll.store (%g) to %x2[%c2] : (i32), !coll.view<?xi32, global>)"));
  EXPECT_THAT(f, testing::ElementsAre(1.75f, 2.0f, 0.25f));
  EXPECT_THAT(x, testing::ElementsAre(0xffffffffu, 7, 30, 7));
  EXPECT_THAT(old, testing::ElementsAre(10, 20, 30));
  (void)nan;
}

TEST(MemoryTest, StoresMarkWhatTheyWrite) {
  std::vector<uint32_t> y(4);
  Launch().fresh(y).run(makeKernel(4, {"i32"}, R"(
    coll.store (%t) to %x0[%i] : (i32), !coll.view<?xi32, global>
    %y = coll.load %x0[%i] : !coll.view<?xi32, global> -> i32)"));
  EXPECT_THAT(y, testing::ElementsAre(0, 1, 2, 3));
}

TEST(MemoryTest, BuffersMustHoldTheExtents) {
  std::vector<uint32_t> y(4);
  EXPECT_EQ(Launch()
                .argument(Argument::view(y.data(), 16))
                .extent(5)
                .tryRun(makeKernel(1, {"i32"}, "")),
            "kernel 'k': 'x0' needs 20 bytes for these extents, and its buffer "
            "has 16");
  EXPECT_EQ(Launch()
                .argument(Argument::view(y.data(), 16))
                .extent(-1)
                .tryRun(makeKernel(1, {"i32"}, "")),
            "kernel 'k': extent 'n0' cannot be -1");
  EXPECT_EQ(Launch().tryRun(makeKernel(1, {"i32"}, "")),
            "kernel 'k': expects 2 arguments, got 0");
}

} // namespace
