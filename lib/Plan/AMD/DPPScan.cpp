//===- DPPScan.cpp - Scan by DPP ------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside rows of 16: row_shr by 1, 2, 4, 8; the source is the left operand.
// Then rows 1 and 3 take the last value of the row before, and the upper half
// of a wave64 that of lane 31. Sources are lower lanes, so they are present in
// any warp; lanes without one are left out by the neutral value or by a mask.
//
// Groups below 16 lanes need the mask in any case: DPP has no rows of 8.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Rows.h"
#include <algorithm>

using namespace coll;
using namespace coll::amd;

/// One step inside rows, or inside smaller groups.
static PlanValue scanStep(PlanBuilder &builder, const PlanKey &key,
                          GapFiller &gaps, PlanValue value, unsigned distance) {
  unsigned row = std::min(key.groupSize, rowSize);
  Move move = Move::dpp(dpp::rowShr(distance));
  uint64_t mask = PlanBuilder::getRanksFrom(row, distance);
  if (row == rowSize)
    return gaps.combine(move, value, Side::SourceLeft,
                        WarpConstant::same(mask));
  return builder.combine(move, value, Side::SourceLeft, Guard::lanes(mask),
                         value);
}

static PlanValue scanInclusive(PlanBuilder &builder, const PlanKey &key) {
  PlanKey gapKey = key;
  // Small groups use masks: no neutral value is needed.
  gapKey.op.hasNeutral &= key.groupSize >= rowSize;
  GapFiller gaps(builder, gapKey);
  unsigned ranks = key.getMaxRanks();
  PlanValue value = builder.getInput();
  for (unsigned distance = 1; distance < std::min(ranks, rowSize);
       distance *= 2)
    value = scanStep(builder, key, gaps, value, distance);
  if (ranks > rowSize)
    value = combineRowBefore(builder, key, gaps, value);
  if (ranks > 32)
    value = combineLowerHalf(builder, key, gaps, value);
  return value;
}

/// Gives every rank the value of the rank before, and rank 0 `fill`.
static PlanValue shiftUp(PlanBuilder &builder, const PlanKey &key,
                         PlanValue value, PlanValue fill) {
  bool hasWaveShift = key.target.has(Feature::DPPWaveShift);
  unsigned reach = hasWaveShift ? key.getWarpSize() : rowSize;
  Move move = Move::dpp(hasWaveShift ? dpp::waveShr1 : dpp::rowShr(1));
  if (key.groupSize < reach)
    return builder.moveWhere(
        Guard::lanes(PlanBuilder::getRanksFrom(key.groupSize, 1)), move, value,
        fill, value);
  PlanValue shifted = builder.move(move, value, fill);
  // The first lanes of rows that do not begin a group.
  for (unsigned lane = reach; lane < key.getPresentLanes().full; lane += reach)
    if (lane % key.groupSize != 0)
      shifted = builder.moveWhere(
          Guard::lanes(uint64_t(1) << lane),
          Move::readLane(builder.getPresentLane(lane - 1)), value, shifted);
  return shifted;
}

std::optional<Plan> amd::buildDPPScan(const PlanKey &key) {
  if (!isScan(key.kind) || key.getMaxRanks() < 2)
    return std::nullopt;
  PlanBuilder builder(key);
  auto shift = [&](PlanValue value, PlanValue fill) {
    return shiftUp(builder, key, value, fill);
  };
  auto total = [&](PlanValue value) {
    return broadcastLastPresent(builder, key, value);
  };
  return builder.finishScan(scanInclusive(builder, key), shift, total);
}
