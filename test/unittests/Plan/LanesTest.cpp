//===- LanesTest.cpp - What the lane instructions deliver -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are written out from the PTX and the AMD ISA documents: the
// source lane of each lane, -1 for `old`, -2 for zero, -3 for undefined; for
// shuffles with a false predicate 100 more than the (own) lane.
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Lanes.h"
#include "gtest/gtest.h"

using namespace coll;
using Sources = std::vector<int>;

static Sources getSources(const Move &move, unsigned first, unsigned count,
                          unsigned present, unsigned warpSize) {
  bool isShuffle =
      move.kind >= MoveKind::ShflBfly && move.kind <= MoveKind::ShflIdx;
  WarpShape warp{warpSize, present, /*isTail=*/false};
  Sources sources;
  for (unsigned lane = first; lane < first + count; ++lane) {
    LaneSource source = findSource(move, lane, warp);
    if (source.kind == LaneSource::Lane)
      sources.push_back(source.lane +
                        (isShuffle && !source.predicate ? 100 : 0));
    else
      sources.push_back(source.kind == LaneSource::Old    ? -1
                        : source.kind == LaneSource::Zero ? -2
                                                          : -3);
  }
  return sources;
}

static Sources getShuffle(const Move &move, unsigned first, unsigned count,
                          unsigned present = 32) {
  return getSources(move, first, count, present, 32);
}

static Sources getWave(const Move &move, unsigned first, unsigned count,
                       unsigned present = 64) {
  return getSources(move, first, count, present, 64);
}

TEST(Lanes, Shuffles) {
  WarpConstant all = WarpConstant::same(31), to5 = WarpConstant::same(5);
  EXPECT_EQ(getShuffle(Move::bfly(1, all), 0, 4), (Sources{1, 0, 3, 2}));
  EXPECT_EQ(getShuffle(Move::bfly(2, to5), 2, 4, 6), (Sources{0, 1, 104, 105}));
  EXPECT_EQ(getShuffle(Move::bfly(2, all), 2, 4, 6), (Sources{0, 1, -3, -3}));
  EXPECT_EQ(getShuffle(Move::up(1, 0), 0, 3), (Sources{100, 0, 1}));
  EXPECT_EQ(getShuffle(Move::up(1, 0x1000), 15, 3), (Sources{14, 116, 16}));
  EXPECT_EQ(getShuffle(Move::up(2, 0x1c00), 4, 4), (Sources{104, 105, 4, 5}));
  EXPECT_EQ(getShuffle(Move::down(1, all), 30, 2), (Sources{31, 131}));
  EXPECT_EQ(getShuffle(Move::down(1, WarpConstant::same(0x1c1f)), 2, 3),
            (Sources{3, 103, 5}));
  EXPECT_EQ(
      getShuffle(Move::idx(WarpConstant::same(3), WarpConstant::same(0x1c1f)),
                 3, 3),
      (Sources{3, 7, 7}));
  Move cross = Move::idx({}, WarpConstant::same(15));
  cross.operand = LaneOperand::InvertedLaneOr15;
  EXPECT_EQ(getShuffle(cross, 14, 4), (Sources{114, 115, 15, 15}));
}

TEST(Lanes, DPPInsideRows) {
  EXPECT_EQ(getWave(Move::dpp(dpp::quadPerm(1, 0, 3, 2)), 4, 4),
            (Sources{5, 4, 7, 6}));
  EXPECT_EQ(getWave(Move::dpp(dpp::quadPerm(3, 3, 3, 3)), 4, 2),
            (Sources{7, 7}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowHalfMirror), 7, 3), (Sources{0, 15, 14}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowMirror), 14, 3), (Sources{1, 0, 31}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowShr(2)), 16, 3), (Sources{-1, -1, 16}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowShl(2)), 13, 3), (Sources{15, -1, -1}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowShr(2), 0xf, 0xf, true), 17, 2),
            (Sources{-2, 16}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowShare(5)), 15, 2), (Sources{5, 21}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowXMask(6)), 17, 2), (Sources{23, 20}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowShr(1), 0x2, 0x1), 15, 6),
            (Sources{-1, -1, 16, 17, 18, -1}));
}

TEST(Lanes, Selects) {
  EXPECT_EQ(getWave(Move::dpp(dpp::rowRor(3)), 18, 3), (Sources{31, 16, 17}));
  EXPECT_EQ(getWave(Move::permlane16(0xfedcba9876543275), 31, 3),
            (Sources{31, 37, 39}));
  EXPECT_EQ(getWave(Move::permlane16(0xfedcba9876543275), 0, 2, 7),
            (Sources{5, -1}));
  // 7 6 5 4 3 2 1 0, the last lane first.
  EXPECT_EQ(getWave(Move::dpp8(00123456 << 3 | 7), 7, 3), (Sources{0, 15, 14}));
  EXPECT_EQ(getWave(Move::dpp8(00123456 << 3 | 7), 0, 2, 7), (Sources{-2, 6}));
}

TEST(Lanes, Swizzles) {
  EXPECT_EQ(getWave(Move::swizzleRotate(5, 32), 26, 3), (Sources{31, 0, 1}));
  EXPECT_EQ(getWave(Move::swizzleRotate(3, 8), 44, 3), (Sources{47, 40, 41}));
  // Down by 3 is up by 5 in eight lanes.
  EXPECT_EQ(getWave(Move::swizzleRotate(-3, 8), 2, 2), (Sources{7, 0}));
}

TEST(Lanes, DPPOfAbsentSources) {
  EXPECT_EQ(getWave(Move::dpp(dpp::quadPerm(1, 0, 3, 2)), 0, 3, 3),
            (Sources{1, 0, -1}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowMirror, 0xf, 0xf, true), 0, 3, 15),
            (Sources{-2, 14, 13}));
}

TEST(Lanes, AcrossRows) {
  EXPECT_EQ(getWave(Move::dpp(dpp::waveShr1), 0, 2), (Sources{-1, 0}));
  EXPECT_EQ(getWave(Move::dpp(dpp::waveShr1), 16, 1), (Sources{15}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowBcast15), 15, 2), (Sources{-1, 15}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowBcast15), 47, 2), (Sources{31, 47}));
  EXPECT_EQ(getWave(Move::dpp(dpp::rowBcast31), 31, 2), (Sources{-1, 31}));
  EXPECT_EQ(getWave(Move::dpp(dpp::waveShl1), 62, 2), (Sources{63, -1}));
  EXPECT_EQ(getWave(Move::dpp(dpp::waveRol1), 62, 2), (Sources{63, 0}));
  EXPECT_EQ(getWave(Move::dpp(dpp::waveRor1), 0, 2), (Sources{63, 0}));
  EXPECT_EQ(getWave(Move::dpp(dpp::waveRor1), 0, 2, 63), (Sources{-1, 0}));
  EXPECT_EQ(getWave(Move::otherRow(15), 15, 2), (Sources{31, 15}));
  EXPECT_EQ(getWave(Move::otherRow(0), 47, 2), (Sources{48, 32}));
  EXPECT_EQ(getWave(Move::otherRow(15), 0, 1, 31), (Sources{-1}));
  EXPECT_EQ(getWave(Move::permlaneX16(0x0edcba9876543211), 15, 3),
            (Sources{16, 1, 1}));
  EXPECT_EQ(getWave(Move::permlane64(), 31, 2), (Sources{63, 0}));
  EXPECT_EQ(getWave(Move::permlane64(), 31, 2, 63), (Sources{-3, 0}));
  EXPECT_EQ(getWave(Move::swap16(false), 15, 2), (Sources{15, 0}));
  EXPECT_EQ(getWave(Move::swap16(true), 47, 2), (Sources{63, 48}));
  EXPECT_EQ(getWave(Move::swap32(false), 31, 2), (Sources{31, 0}));
  EXPECT_EQ(getWave(Move::swap32(true), 31, 2), (Sources{63, 32}));
  EXPECT_EQ(getWave(Move::swap32(true), 31, 2, 63), (Sources{-3, 32}));
  WarpConstant lane9 = WarpConstant::same(9);
  EXPECT_EQ(getWave(Move::copyLane(lane9, 40), 39, 3), (Sources{-1, 9, -1}));
  EXPECT_EQ(getWave(Move::readLane(WarpConstant::same(9)), 8, 2),
            (Sources{9, 9}));
  EXPECT_EQ(getWave(Move::readLane(WarpConstant::same(9)), 8, 1, 9),
            (Sources{-3}));
  EXPECT_EQ(getWave(Move::swizzle(0x18, 7, 0), 7, 2), (Sources{7, 15}));
  EXPECT_EQ(getWave(Move::swizzle(31, 0, 16), 47, 2), (Sources{63, 32}));
}
