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
