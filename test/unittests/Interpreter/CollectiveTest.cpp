//===- CollectiveTest.cpp - Shuffles, votes and kin on warps of 32 and 64 -===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"

using namespace coll::ref;

namespace {

/// Runs `body`, which gives %y of `type`, in one block of `threads`.
template <typename T>
std::vector<T> compute(unsigned threads, unsigned width,
                       const std::string &type, const std::string &body) {
  std::vector<T> y(threads);
  Launch().view(y).warp(width).run(
      makeKernel(threads, {type},
                 body + "\ncoll.store (%y) to %x0[%i] : (" + type +
                     "), !coll.view<?x" + type + ", global>"));
  return y;
}

TEST(CollectiveTest, ShuffleOutsideTheGroupKeepsTheOwnValue) {
  const std::string values = "%h = arith.constant 100 : i32\n"
                             "%v = arith.addi %t, %h : i32\n"
                             "%d = arith.constant 4 : i32\n";
  auto y = compute<uint32_t>(
      32, 32, "i32", values + "%y = coll.shuffle down tile<8> %v by %d : i32");
  for (unsigned i = 0; i != 32; ++i)
    EXPECT_EQ(y[i], 100 + (i % 8 < 4 ? i + 4 : i));
  y = compute<uint32_t>(32, 32, "i32",
                        values + "%y = coll.shuffle up tile<8> %v by %d : i32");
  for (unsigned i = 0; i != 32; ++i)
    EXPECT_EQ(y[i], 100 + (i % 8 >= 4 ? i - 4 : i));
  y = compute<uint32_t>(
      32, 32, "i32",
      values + "%y = coll.shuffle up warp %v by %d fill(%d : i32) : i32");
  for (unsigned i = 0; i != 32; ++i)
    EXPECT_EQ(y[i], i >= 4 ? 96 + i : 4);
  y = compute<uint32_t>(32, 32, "i32",
                        values +
                            "%y = coll.shuffle rotate tile<8> %v by %d : i32");
  for (unsigned i = 0; i != 32; ++i)
    EXPECT_EQ(y[i], 100 + i / 8 * 8 + (i + 4) % 8);
}

TEST(CollectiveTest, ShuffleIdxTakesRanksOfTheTile) {
  for (unsigned width : {32, 64}) {
    auto y = compute<uint32_t>(64, width, "i32", R"(
      %seven = arith.constant 7 : i32
      %r = coll.rank tile<32>
      %s = arith.subi %seven, %r : i32
      %y = coll.shuffle idx tile<32> %t by %s : i32)");
    for (unsigned i = 0; i != 64; ++i)
      EXPECT_EQ(y[i], i % 32 <= 7 ? i / 32 * 32 + 7 - i % 32 : i);
  }
}

TEST(CollectiveTest, ShuffleOfAShortWarpStaysInside) {
  // 40 threads: the last warp of 32 has ranks 0 to 7.
  auto y = compute<uint32_t>(40, 32, "i32", R"(
    %d = arith.constant 5 : i32
    %y = coll.shuffle xor warp %t by %d : i32)");
  for (unsigned i = 32; i != 40; ++i)
    EXPECT_EQ(y[i], 32 + ((i - 32) ^ 5));
  y = compute<uint32_t>(40, 32, "i32", R"(
    %d = arith.constant 8 : i32
    %y = coll.shuffle xor warp %t by %d : i32)");
  for (unsigned i = 32; i != 40; ++i)
    EXPECT_EQ(y[i], i);
}

TEST(CollectiveTest, ShufflesMoveEveryBit) {
  std::vector<uint16_t> x, y(32);
  const uint16_t patterns[] = {0x3e00, 0x8000, 0x0001, 0x7bff,
                               0x7c00, 0xfc00, 0x7e01, 0xbc00};
  for (unsigned i = 0; i != 32; ++i)
    x.push_back(patterns[i % 8]);
  for (const char *type : {"f16", "bf16"})
    for (unsigned distance : {1, 5, 16}) {
      std::string view = std::string("!coll.view<?x") + type + ", global>";
      Launch().view(x).view(y).run(makeKernel(
          32, {type, type},
          "%d = arith.constant " + std::to_string(distance) +
              " : i32\n%x = coll.load %x0[%i] : " + view + " -> " + type +
              "\n%y = coll.shuffle xor warp %x by %d : " + type +
              "\ncoll.store (%y) to %x1[%i] : (" + type + "), " + view));
      for (unsigned i = 0; i != 32; ++i)
        EXPECT_EQ(y[i], x[i ^ distance]);
    }
}

TEST(CollectiveTest, SeveralValuesOf64Bits) {
  auto y = compute<int64_t>(32, 32, "i64", R"(
    %five = arith.constant 5 : i64
    %v = arith.subi %i, %five : i64
    %one = arith.constant 1 : i32
    %y, %o = coll.shuffle down warp %v, %t by %one : i64, i32)");
  for (int i = 0; i != 32; ++i)
    EXPECT_EQ(y[i], i == 31 ? 26 : i - 4);
}

TEST(CollectiveTest, VotesCountWhoIsThere) {
  // Threads divisible by 3, of 100.
  const std::string condition = R"(
    %three = arith.constant 3 : i32
    %zero = arith.constant 0 : i32
    %m = coll.rem %t, %three : i32
    %p = arith.cmpi eq, %m, %zero : i32
  )";
  auto count = compute<uint32_t>(100, 64, "i32",
                                 condition + "%y = coll.population block %p");
  EXPECT_EQ(count, std::vector<uint32_t>(100, 34));
  auto below = compute<uint32_t>(100, 32, "i32",
                                 condition + "%y = coll.rank_among block %p");
  for (unsigned i = 0; i != 100; ++i)
    EXPECT_EQ(below[i], (i + 2) / 3);
  auto any =
      compute<uint8_t>(100, 32, "i1", condition + "%y = coll.vote any warp %p");
  EXPECT_EQ(any, std::vector<uint8_t>(100, 1));
  auto all = compute<uint8_t>(100, 32, "i1",
                              condition + "%y = coll.vote all tile<1> %p");
  for (unsigned i = 0; i != 100; ++i)
    EXPECT_EQ(all[i], i % 3 == 0);
  auto ballot =
      compute<uint64_t>(100, 64, "i64", condition + "%y = coll.ballot warp %p");
  EXPECT_EQ(ballot[0], 0x9249249249249249u);
  // Ranks 0 to 35 are threads 64 to 99.
  EXPECT_EQ(ballot[99], 0x0000000924924924u);
}

TEST(CollectiveTest, MatchDependsOnWhoIsThere) {
  const std::string parity = "%one = arith.constant 1 : i32\n"
                             "%k = arith.andi %t, %one : i32\n";
  auto y = compute<uint64_t>(32, 32, "i64",
                             parity + "%y = coll.match warp %k : i32");
  EXPECT_EQ(y[4], 0x55555555u);
  EXPECT_EQ(y[5], 0xaaaaaaaau);
  y = compute<uint64_t>(32, 32, "i64",
                        parity + "%y = coll.match tile<16> %k : i32");
  EXPECT_EQ(y[4], 0x5555u);
  EXPECT_EQ(y[17], 0xaaaau);
  y = compute<uint64_t>(64, 64, "i64",
                        parity + "%y = coll.match warp %k : i32");
  EXPECT_EQ(y[63], 0xaaaaaaaaaaaaaaaau);
}

TEST(CollectiveTest, UniformElectAndBroadcast) {
  auto y = compute<uint8_t>(70, 32, "i1", R"(
    %sixty = arith.constant 60 : i32
    %k = coll.div %t, %sixty : i32
    %y = coll.uniform tile<32> %k : i32)");
  EXPECT_EQ(y[31], 1);
  EXPECT_EQ(y[32], 0);
  EXPECT_EQ(y[69], 1);
  y = compute<uint8_t>(70, 32, "i1", "%y = coll.elect block");
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(std::count(y.begin(), y.end(), 1), 1);
  auto b = compute<uint32_t>(70, 32, "i32", R"(
    %from = arith.constant 69 : i32
    %y = coll.broadcast block %t from %from : i32)");
  EXPECT_EQ(b, std::vector<uint32_t>(70, 69));
}

TEST(CollectiveTest, ArgReduceTakesTheLowestRankAmongEquals) {
  auto run = [](const std::string &kind, std::vector<float> x) {
    std::vector<float> v(x.size());
    std::vector<uint32_t> r(x.size());
    Launch().view(x).view(v).view(r).run(makeKernel(
        x.size(), {"f32", "f32", "i32"},
        "%x = coll.load %x0[%i] : !coll.view<?xf32, global> -> f32\n%v, %r = "
        "coll.arg_reduce " +
            kind +
            " block %x : f32\n"
            "coll.store (%v) to %x1[%i] : (f32), !coll.view<?xf32, global>\n"
            "coll.store (%r) to %x2[%i] : (i32), !coll.view<?xi32, global>\n"));
    return std::make_pair(v.back(), r.back());
  };
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(run("maxnum", {1, 5, 5, 3}), std::make_pair(5.0f, 1u));
  EXPECT_EQ(run("maxnum", std::vector<float>(1000, 2)).second, 0u);
  EXPECT_EQ(run("maxnum", {-0.0f, 0.0f}).second, 0u);
  EXPECT_EQ(run("minnum", {0.0f, -0.0f}).second, 0u);
  EXPECT_EQ(run("minnum", {nan, 3, nan, 2}), std::make_pair(2.0f, 3u));
  EXPECT_EQ(run("maxnum", {nan, nan}).second, 0u);
  std::vector<float> late(257, 1);
  late[31] = late[32] = late[256] = 9;
  EXPECT_EQ(run("maxnum", late), std::make_pair(9.0f, 31u));
}

TEST(CollectiveTest, MinAndMaxKnowTheSign) {
  const std::string value = R"(
    %last = arith.constant 31 : i32
    %two = arith.constant 2 : i32
    %top = arith.constant -2147483648 : i32
    %c = arith.cmpi ult, %t, %last : i32
    %a = arith.addi %t, %two : i32
    %v = arith.select %c, %a, %top : i32
  )";
  auto reduce = [&](const std::string &kind) {
    return compute<uint32_t>(32, 32, "i32",
                             value + "%y = coll.reduce warp " + kind +
                                 "(%v) : i32")[0];
  };
  EXPECT_EQ(reduce("umax"), 0x80000000u);
  EXPECT_EQ(reduce("umin"), 2u);
  EXPECT_EQ(reduce("smax"), 32u);
  EXPECT_EQ(reduce("smin"), 0x80000000u);
}

TEST(CollectiveTest, ReductionOfAConstantCountsTheThreads) {
  const std::string body =
      "%c = arith.constant 65536 : i32\n%y = coll.reduce warp add(%c) : i32";
  EXPECT_EQ(compute<uint32_t>(64, 32, "i32", body)[0], 0x200000u);
  EXPECT_EQ(compute<uint32_t>(64, 64, "i32", body)[0], 0x400000u);
  const std::string bits =
      "%c = arith.constant 30 : i32\n%y = coll.reduce warp xor(%c) : i32";
  EXPECT_EQ(compute<uint32_t>(32, 32, "i32", bits)[0], 0u);
  EXPECT_EQ(compute<uint32_t>(33, 32, "i32", bits)[32], 30u);
}

TEST(CollectiveTest, RanksAreLinearWithXFastest) {
  for (unsigned width : {32, 64}) {
    std::vector<uint32_t> y(64);
    Launch().view(y).extent(0).warp(width).run(R"(
      coll.kernel @k workgroup [8, 8, 1] grid [] extents ["n", "m"] params
          [#coll.param<name = "x", access = mut, isView = true, type = "u32",
                       leaves = "u32", dims = -1>] {
      ^bb0(%x: !coll.view<?xi32, global>, %n: i64, %m: i64):
        %tx = coll.thread_id x
        %ty = coll.thread_id y
        %eight = arith.constant 8 : i32
        %m8 = arith.muli %ty, %eight : i32
        %v = arith.addi %m8, %tx : i32
        %y = coll.reduce warp add(%v) : i32
        %i = arith.extui %v : i32 to i64
        coll.store (%y) to %x[%i] : (i32), !coll.view<?xi32, global>
        coll.return
      })");
    EXPECT_EQ(y[0], width == 32 ? 496u : 2016u);
    EXPECT_EQ(y[63], width == 32 ? 1520u : 2016u);
  }
}

TEST(CollectiveTest, SizesAndIndicesOfShortGroups) {
  auto size = compute<uint32_t>(45, 32, "i32", "%y = coll.size warp");
  EXPECT_EQ(size[0], 32u);
  EXPECT_EQ(size[44], 13u);
  size = compute<uint32_t>(45, 32, "i32", "%y = coll.size tile<8>");
  EXPECT_EQ(size[39], 8u);
  EXPECT_EQ(size[40], 5u);
  EXPECT_EQ(compute<uint32_t>(45, 32, "i32", "%y = coll.index warp")[44], 1u);
  EXPECT_EQ(compute<uint32_t>(45, 32, "i32", "%y = coll.index tile<8>")[44],
            1u);
  EXPECT_EQ(
      compute<uint32_t>(45, 32, "i32", "%y = coll.group_count tile<8>")[44],
      2u);
  EXPECT_EQ(compute<uint32_t>(45, 64, "i32", "%y = coll.group_count warp")[44],
            1u);
  EXPECT_EQ(compute<uint32_t>(45, 64, "i32", "%y = coll.rank thread")[44], 0u);
}

TEST(CollectiveTest, TilesWiderThanTheWarpAreRefused) {
  std::vector<uint32_t> y(64);
  EXPECT_EQ(Launch().view(y).tryRun(
                makeKernel(96, {"i32"}, "%r = coll.rank tile<64>")),
            "kernel 'k' has tiles of 64 threads, wider than a warp of 32");
}

} // namespace
