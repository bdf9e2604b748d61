//===- CombineTest.cpp - The combination orders, to the bit ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected values come from recursive definitions on single values, written
// here from the document; floats of mixed sizes tell the orders apart.
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"
#include <cmath>

using namespace coll::ref;

namespace {

/// Values whose sum depends on the order.
std::vector<float> makeFloats(unsigned count) {
  std::vector<float> values;
  uint32_t state = 12345;
  for (unsigned i = 0; i != count; ++i) {
    state = state * 1664525u + 1013904223u;
    int exponent = int(state >> 28) - 8;
    values.push_back(std::ldexp(float(int32_t(state)) / 3.0f, exponent));
  }
  return values;
}

/// The tree over ranks [first, first + size) of those that exist.
float reduceTree(const std::vector<float> &values, size_t first, size_t size) {
  if (size == 1)
    return values[first];
  float left = reduceTree(values, first, size / 2);
  if (first + size / 2 >= values.size())
    return left;
  return left + reduceTree(values, first + size / 2, size / 2);
}

/// The value of rank `last` after the row's steps of 1, 2, … up to `distance`.
float rowScan(const float *row, unsigned last, unsigned distance) {
  if (distance == 0)
    return row[last];
  float own = rowScan(row, last, distance / 2);
  if (last < distance)
    return own;
  return rowScan(row, last - distance, distance / 2) + own;
}

/// The value of rank `rank` inside its segment.
float segmentScan(const std::vector<float> &values, unsigned rank) {
  unsigned row = rank / 16 * 16;
  float own = rowScan(&values[row], rank - row, 8);
  if (rank % 32 < 16)
    return own;
  return rowScan(&values[row - 16], 15, 8) + own;
}

/// P: the scanned last values of the segments.
std::vector<float> scanTotals(const std::vector<float> &values) {
  std::vector<float> last, totals;
  for (unsigned first = 0; first < values.size(); first += 32)
    last.push_back(
        segmentScan(values, std::min<unsigned>(first + 32, values.size()) - 1));
  for (unsigned j = 0; j != last.size(); ++j)
    totals.push_back(segmentScan(last, j));
  return totals;
}

std::vector<float> inclusiveScan(const std::vector<float> &values) {
  std::vector<float> totals = scanTotals(values), result;
  for (unsigned rank = 0; rank != values.size(); ++rank) {
    float own = segmentScan(values, rank);
    result.push_back(rank < 32 ? own : totals[rank / 32 - 1] + own);
  }
  return result;
}

std::vector<float> exclusiveScan(const std::vector<float> &values,
                                 float first) {
  std::vector<float> totals = scanTotals(values), result;
  for (unsigned rank = 0; rank != values.size(); ++rank) {
    unsigned segment = rank / 32;
    if (rank == 0)
      result.push_back(first);
    else if (rank % 32 == 0)
      result.push_back(totals[segment - 1]);
    else if (segment == 0)
      result.push_back(segmentScan(values, rank - 1));
    else
      result.push_back(totals[segment - 1] + segmentScan(values, rank - 1));
  }
  return result;
}

const std::string loadX = "%x = coll.load %x0[%i] : !coll.view<?xf32, global> "
                          "-> f32\n";
std::string storeTo(unsigned view, const std::string &value,
                    const std::string &type = "f32") {
  std::string name = "%x" + std::to_string(view);
  return "coll.store (" + value + ") to " + name + "[%i] : (" + type +
         "), !coll.view<?x" + type + ", global>\n";
}
const std::string addCombiner = R"( combiner {
    ^bb0(%l: f32, %r: f32):
      %s = arith.addf %l, %r : f32
      coll.yield %s : f32
    })";

const unsigned blockSizes[] = {1,  2,  15, 16, 17,  31,  32,  33,   47,  48,
                               63, 64, 65, 96, 127, 180, 257, 1000, 1024};

TEST(CombineTest, ReduceIsTheTreeOverTheRanks) {
  for (unsigned threads : blockSizes)
    for (unsigned width : {32, 64})
      for (bool isBuiltin : {true, false}) {
        std::vector<float> x = makeFloats(threads), y(threads);
        std::string op =
            isBuiltin ? "add(%x) : f32" : "(%x) : f32" + addCombiner;
        Launch().view(x).view(y).warp(width).run(makeKernel(
            threads, {"f32", "f32"},
            loadX + "%y = coll.reduce block " + op + "\n" + storeTo(1, "%y")));
        EXPECT_EQ(y, std::vector<float>(threads, reduceTree(x, 0, 1024)))
            << threads << " threads, warps of " << width;
      }
}

TEST(CombineTest, WarpReduceOfAShortLastWarp) {
  // 45 threads: warps of 32 and 13.
  std::vector<float> x = makeFloats(45), y(45), expected;
  Launch().view(x).view(y).run(makeKernel(
      45, {"f32", "f32"},
      loadX + "%y = coll.reduce warp add(%x) : f32\n" + storeTo(1, "%y")));
  std::vector<float> low(x.begin(), x.begin() + 32),
      high(x.begin() + 32, x.end());
  expected.assign(32, reduceTree(low, 0, 32));
  expected.resize(45, reduceTree(high, 0, 32));
  EXPECT_EQ(y, expected);
}

TEST(CombineTest, ScansFollowRowsAndSegments) {
  for (unsigned threads : blockSizes)
    for (unsigned width : {32, 64}) {
      std::vector<float> x = makeFloats(threads), y(threads), z(threads);
      Launch().view(x).view(y).view(z).warp(width).run(makeKernel(
          threads, {"f32", "f32", "f32"},
          loadX +
              "%c = arith.constant 7.5 : f32\n"
              "%y = coll.scan block add(%x) : f32\n"
              "%z = coll.exclusive_scan block (%x) first(%c : f32) : f32" +
              addCombiner + "\n" + storeTo(1, "%y") + storeTo(2, "%z")));
      EXPECT_EQ(y, inclusiveScan(x)) << threads << " threads";
      EXPECT_EQ(z, exclusiveScan(x, 7.5f)) << threads << " threads";
    }
}

TEST(CombineTest, ExclusiveScanWithoutFirstGivesRank0ItsOwn) {
  std::vector<float> x = makeFloats(40), y(40);
  Launch().view(x).view(y).run(
      makeKernel(40, {"f32", "f32"},
                 loadX + "%y = coll.exclusive_scan block add(%x) : f32\n" +
                     storeTo(1, "%y")));
  EXPECT_EQ(y, exclusiveScan(x, x[0]));
}

TEST(CombineTest, TotalIsTheScanOfTheSegments) {
  for (unsigned threads : {5u, 32u, 96u, 180u, 256u, 1000u}) {
    std::vector<float> x = makeFloats(threads), y(threads), z(threads);
    Launch().view(x).view(y).view(z).run(makeKernel(
        threads, {"f32", "f32", "f32"},
        loadX +
            "%c = arith.constant 0.0 : f32\n%y, %z = coll.scan_total block "
            "add(%x) first(%c : f32) : f32 -> f32, f32\n" +
            storeTo(1, "%y") + storeTo(2, "%z")));
    EXPECT_EQ(y, exclusiveScan(x, 0));
    EXPECT_EQ(z, std::vector<float>(threads, scanTotals(x).back()));
    if (threads == 256 || threads == 32) {
      EXPECT_EQ(z[0], reduceTree(x, 0, 1024));
    }
  }
}

TEST(CombineTest, ReverseScanTakesTheHigherRankAsLeft) {
  for (unsigned threads : {13u, 45u, 100u}) {
    std::vector<float> x = makeFloats(threads), y(threads);
    Launch().view(x).view(y).run(
        makeKernel(threads, {"f32", "f32"},
                   loadX + "%y = coll.scan block (%x) reverse : f32" +
                       addCombiner + "\n" + storeTo(1, "%y")));
    std::vector<float> reversed(x.rbegin(), x.rend());
    std::vector<float> expected = inclusiveScan(reversed);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(y, expected);
  }
}

TEST(CombineTest, TilesScanAlone) {
  std::vector<float> x = makeFloats(45), y(45), expected;
  Launch().view(x).view(y).run(makeKernel(
      45, {"f32", "f32"},
      loadX + "%y = coll.scan tile<8> add(%x) : f32\n" + storeTo(1, "%y")));
  for (unsigned first = 0; first < 45; first += 8) {
    std::vector<float> part(x.begin() + first,
                            x.begin() + std::min(first + 8, 45u));
    std::vector<float> scanned = inclusiveScan(part);
    expected.insert(expected.end(), scanned.begin(), scanned.end());
  }
  EXPECT_EQ(y, expected);
}

/// Pairs under (f1, x1) * (f2, x2) = (f1 * f2, x1 * f2 + x2).
const std::string affine = R"( combiner {
  ^bb0(%lf: i32, %lx: i32, %rf: i32, %rx: i32):
    %f = arith.muli %lf, %rf : i32
    %p = arith.muli %lx, %rf : i32
    %s = arith.addi %p, %rx : i32
    coll.yield %f, %s : i32, i32
  }
)";

TEST(CombineTest, NonCommutativeScanOfPairs) {
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

TEST(CombineTest, LastNonZeroWins) {
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

TEST(CombineTest, OperatorMayBranchAndUseValuesFromOutside) {
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

TEST(CombineTest, BlockSumsOfEverySize) {
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

TEST(CombineTest, ShortGroupsReduceOnlyWhatIsThere) {
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

TEST(CombineTest, ExclusiveScanOf64BitsWithTotal) {
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

TEST(CombineTest, VectorsCombineEachElement) {
  std::vector<float> x = makeFloats(100), y(100);
  Launch().view(x).view(y).run(makeKernel(50, {"f32", "f32"}, R"(
    %v = coll.recast %x0 : !coll.view<?xf32, global> -> !coll.view<?xvector<2xf32>, global>
    %w = coll.recast %x1 : !coll.view<?xf32, global> -> !coll.view<?xvector<2xf32>, global>
    %x = coll.load %v[%i] : !coll.view<?xvector<2xf32>, global> -> vector<2xf32>
    %y = coll.reduce block add(%x) : vector<2xf32>
    coll.store (%y) to %w[%i] : (vector<2xf32>), !coll.view<?xvector<2xf32>, global>
)"));
  for (unsigned k : {0, 1}) {
    std::vector<float> part;
    for (unsigned i = 0; i != 50; ++i)
      part.push_back(x[2 * i + k]);
    EXPECT_EQ(y[k], reduceTree(part, 0, 64));
    EXPECT_EQ(y[98 + k], reduceTree(part, 0, 64));
  }
}

} // namespace
