//===- OperatorTest.cpp - Operators of users, and values of reductions ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"

using namespace coll::ref;

namespace {

/// Pairs under (f1, x1) * (f2, x2) = (f1 * f2, x1 * f2 + x2).
const std::string affine = R"( combiner {
  ^bb0(%lf: i32, %lx: i32, %rf: i32, %rx: i32):
    %f = arith.muli %lf, %rf : i32
    %p = arith.muli %lx, %rf : i32
    %s = arith.addi %p, %rx : i32
    coll.yield %f, %s : i32, i32
  }
)";

TEST(OperatorTest, NonCommutativeScanOfPairs) {
  std::vector<uint32_t> f, x, y(256);
  for (unsigned i = 0; i != 256; ++i) {
    f.push_back(2 + i % 3);
    x.push_back(i + 1);
  }
  for (unsigned width : {32, 64}) {
    Launch().view(f).view(x).view(y).warp(width).run(
        makeKernel(256, {"i32", "i32", "i32"},
                   "%v = coll.load %x0[%i] : !coll.view<?xi32, global> -> i32\n"
                   "%w = coll.load %x1[%i] : !coll.view<?xi32, global> -> i32\n"
                   "%r:2 = coll.scan block (%v, %w) : i32, i32" +
                       affine + storeTo(2, "%r#1", "i32")));
    std::vector<uint32_t> start(y.begin(), y.begin() + 6);
    EXPECT_THAT(start, testing::ElementsAre(1, 5, 23, 50, 155, 626));
    EXPECT_EQ(y[31], 3101469753u);
    EXPECT_EQ(y[32], 3815944453u);
    EXPECT_EQ(y[63], 2029757670u);
    EXPECT_EQ(y[64], 1794305779u);
    EXPECT_EQ(y[127], 860617209u);
    EXPECT_EQ(y[128], 3442468965u);
    EXPECT_EQ(y[255], 535855910u);
  }
}

TEST(OperatorTest, LastNonZeroWins) {
  std::vector<uint32_t> x = {0, 5, 0, 0, 7, 0, 0, 0, 9, 0}, y(10), z(10);
  const std::string op = R"( combiner {
    ^bb0(%l: i32, %r: i32):
      %zero = arith.constant 0 : i32
      %c = arith.cmpi eq, %r, %zero : i32
      %s = arith.select %c, %l, %r : i32
      coll.yield %s : i32
    }
)";
  Launch().view(x).view(y).view(z).run(makeKernel(
      10, {"i32", "i32", "i32"},
      "%o = arith.constant 0 : i32\n"
      "%x = coll.load %x0[%i] : !coll.view<?xi32, global> -> i32\n"
      "%y = coll.scan block (%x) : i32" +
          op + "%z = coll.exclusive_scan block (%x) first(%o : i32) : i32" +
          op + storeTo(1, "%y", "i32") + storeTo(2, "%z", "i32")));
  EXPECT_THAT(y, testing::ElementsAre(0, 5, 5, 5, 7, 7, 7, 7, 9, 9));
  EXPECT_THAT(z, testing::ElementsAre(0, 0, 5, 5, 5, 7, 7, 7, 7, 9));
}

TEST(OperatorTest, OperatorMayBranchAndUseValuesFromOutside) {
  std::vector<uint32_t> y(100);
  Launch().view(y).run(makeKernel(100, {"i32"}, R"(
    %limit = coll.var "limit" : !coll.view<i32, private>
    %fifty = arith.constant 50 : i32
    coll.store (%fifty) to %limit[] : (i32), !coll.view<i32, private>
    %y = coll.reduce block (%t) : i32 combiner {
    ^bb0(%l: i32, %r: i32):
      %v = coll.inline "capped" -> i32 {
        %s = arith.addi %l, %r : i32
        %cap = coll.load %limit[] : !coll.view<i32, private> -> i32
        %c = arith.cmpi ugt, %s, %cap : i32
        coll.if %c { coll.return %cap : i32 }
        coll.return %s : i32
      }
      coll.yield %v : i32
    }
)" + storeTo(0, "%y", "i32")));
  EXPECT_EQ(y, std::vector<uint32_t>(100, 50));
}

TEST(OperatorTest, BlockSumsOfEverySize) {
  for (unsigned threads : {1, 31, 33, 63, 65, 96, 127, 180, 257, 1000, 1023}) {
    std::vector<uint32_t> y(threads);
    Launch().view(y).run(makeKernel(
        threads, {"i32"},
        "%one = arith.constant 1 : i32\n%v = arith.addi %t, %one : i32\n"
        "%y = coll.reduce block add(%v) : i32\n" +
            storeTo(0, "%y", "i32")));
    EXPECT_EQ(y, std::vector<uint32_t>(threads, threads * (threads + 1) / 2));
  }
}

TEST(OperatorTest, ShortGroupsReduceOnlyWhatIsThere) {
  // Rows of 11: the greatest of negative numbers, a product, a conjunction.
  std::vector<float> y(11);
  std::vector<uint32_t> p(11), a(11);
  Launch().view(y).view(p).view(a).run(makeKernel(11, {"f32", "i32", "i32"}, R"(
    %one = arith.constant -1.0 : f32
    %f = arith.uitofp %t : i32 to f32
    %v = arith.subf %one, %f : f32
    %two = arith.constant 2 : i32
    %ones = arith.constant -1 : i32
    %y = coll.reduce warp maxnum(%v) : f32
    %p = coll.reduce warp mul(%two) : i32
    %a = coll.reduce warp and(%ones) : i32
)" + storeTo(0, "%y") + storeTo(1, "%p", "i32") + storeTo(2, "%a", "i32")));
  EXPECT_EQ(y, std::vector<float>(11, -1));
  EXPECT_EQ(p, std::vector<uint32_t>(11, 2048));
  EXPECT_EQ(a, std::vector<uint32_t>(11, 0xffffffff));
}

TEST(OperatorTest, ExclusiveScanOf64BitsWithTotal) {
  std::vector<uint64_t> y(96), total(96);
  Launch().view(y).view(total).run(makeKernel(
      96, {"i64", "i64"},
      "%init = arith.constant 7 : i64\n%x = arith.muli %i, %i : i64\n"
      "%e, %a = coll.scan_total block add(%x) first(%init : i64) : i64 -> "
      "i64, i64\n"
      "%zero = arith.constant 0 : i32\n%first = arith.cmpi eq, %t, %zero : "
      "i32\n"
      "%s = arith.addi %init, %e : i64\n"
      "%y = arith.select %first, %init, %s : i64\n" +
          storeTo(0, "%y", "i64") + storeTo(1, "%a", "i64")));
  EXPECT_EQ(y[0], 7u);
  EXPECT_EQ(y[1], 7u);
  EXPECT_EQ(y[2], 8u);
  EXPECT_EQ(y[31], 9462u);
  EXPECT_EQ(y[32], 10423u);
  EXPECT_EQ(y[64], 85351u);
  EXPECT_EQ(y[95], 281302u);
  EXPECT_EQ(total, std::vector<uint64_t>(96, 290320));
}

} // namespace
