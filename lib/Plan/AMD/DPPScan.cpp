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
#include "coll/Plan/Lanes.h"
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

/// Whether the result is the inclusive one without the own value.
static bool takesAway(const PlanKey &key) {
  return key.kind != CollectiveKind::InclusiveScan && key.op.isInvertible &&
         key.op.isIdentityNeutral;
}

static PlanValue scanRows(PlanBuilder &builder, const PlanKey &key,
                          GapFiller &gaps, bool keepsInput) {
  PlanValue value = encode(builder, key, builder.getInput());
  unsigned ranks = std::min(key.getMaxRanks(), rowSize), distance = 1;
  if (keepsInput && key.groupSize >= rowSize && key.op.isZeroNeutral &&
      countDPPInstructions(key) == 1) {
    // Not tied, as the input is needed again: zero bits change nothing.
    Move move = Move::dpp(dpp::rowShr(distance));
    move.boundCtrl = true;
    value = builder.combine(move, value, Side::SourceLeft);
    distance *= 2;
  }
  for (; distance < ranks; distance *= 2)
    value = scanStep(builder, key, gaps, value, distance);
  return value;
}

/// The inclusive scan, from that of the rows.
static PlanValue joinRows(PlanBuilder &builder, const PlanKey &key,
                          GapFiller &gaps, PlanValue value) {
  if (key.getMaxRanks() > rowSize)
    value = combineRowBefore(builder, key, gaps, value);
  if (key.getMaxRanks() > 32)
    value = combineLowerHalf(builder, key, gaps, value);
  return value;
}

/// Whether what rank 0 of an exclusive scan starts with is all zero bits.
static bool isFillZero(const PlanKey &key) {
  return key.hasInit ? key.op.isZeroNeutral : key.op.isZeroIdentity;
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
  // A lane without source has zero bits for nothing.
  bool isZero = isFillZero(key) && key.op.kind != OperatorKind::Custom;
  move.boundCtrl = isZero;
  PlanValue shifted = builder.move(move, value, isZero ? noValue : fill);
  // The first lanes of rows that do not begin a group.
  for (unsigned lane = reach; lane < key.getPresentLanes().full; lane += reach)
    if (lane % key.groupSize != 0)
      shifted =
          builder.move(Move::copyLane(builder.getPresentLane(lane - 1), lane),
                       value, shifted);
  return shifted;
}

namespace {
/// An exclusive scan and the last ranks' inclusive results, if they are known.
struct Prefix {
  PlanValue prefix = noValue, total = noValue;
  bool hasInit = false; ///< The prefix has `init` on its left already.
};
} // namespace

constexpr uint64_t firstOfRows = 0x0001000100010001;

/// `init` on the left of the exclusive scan `prefix`, all by instructions that
/// overwrite it: the first rows take their own scans, shifted, and leave `init`
/// in the first lane; the others take `prefix`.
static PlanValue startWithInit(PlanBuilder &builder, const PlanKey &key,
                               PlanValue rows, PlanValue prefix) {
  bool hasUpperHalf = key.getMaxRanks() > 32;
  uint64_t firstRows = hasUpperHalf ? 0xffff : ~oddRows;
  unsigned rowMask = hasUpperHalf ? 0x1 : 0x5;
  PlanValue init = encode(builder, key, builder.getInit());
  init = builder.combineTied(Move::dpp(dpp::rowShr(1), rowMask), rows, init,
                             Side::OwnLeft,
                             WarpConstant::same(firstRows & ~firstOfRows));
  return builder.combineTied(
      Move::dpp(dpp::quadPerm(0, 1, 2, 3), 0xf & ~rowMask), prefix, init,
      Side::OwnLeft, WarpConstant::same(~firstRows));
}

/// gfx10 and later shift inside rows only. So the rows' scans are shifted, not
/// the group's: in odd rows the last value of the row before stands in the
/// first lane, and is combined with the others there.
static Prefix shiftInRows(PlanBuilder &builder, const PlanKey &key,
                          PlanValue rows) {
  PlanValue carried = builder.move(Move::otherRow(15), rows);
  bool needsTotal = key.kind == CollectiveKind::ScanTotal;
  bool hasUpperHalf = key.getMaxRanks() > 32;
  bool needsSegments = needsTotal || hasUpperHalf;
  // Before what was carried is overwritten.
  PlanValue segments =
      needsSegments ? builder.combineHere(carried, rows) : noValue;
  PlanValue value = builder.combineTied(
      Move::dpp(dpp::rowShr(1), 0xa), rows, carried, Side::OwnLeft,
      WarpConstant::same(oddRows & ~firstOfRows));
  // Where the fill costs nothing, `init` is combined with it like the others.
  bool isZero = isFillZero(key), ownsInit = key.hasInit && !isZero;
  if (!ownsInit || hasUpperHalf)
    value =
        builder.move(Move::dpp(dpp::rowShr(1), 0x5, 0xf, isZero), rows, value);
  if (!isZero && !ownsInit) {
    PlanValue fill = encode(builder, key, builder.identity());
    for (unsigned lane = 0; lane < key.getPresentLanes().full;
         lane += key.groupSize)
      value = builder.move(Move::copyLane(WarpConstant::same(0), lane), fill,
                           value);
  }
  auto getPrefix = [&] {
    return ownsInit ? startWithInit(builder, key, rows, value) : value;
  };
  if (!hasUpperHalf) {
    PlanValue total = noValue;
    if (needsTotal)
      total = broadcastLastPresent(builder, key, segments);
    return {getPrefix(), total, ownsInit};
  }
  WarpConstant last = builder.getPresentLane(31);
  PlanValue lower = builder.move(Move::readLane(last), segments);
  value = builder.combineTied(Move::dpp(dpp::quadPerm(0, 1, 2, 3), 0xc), lower,
                              value, Side::SourceLeft,
                              WarpConstant::same(upperHalf));
  value = builder.move(Move::copyLane(last, 32), segments, value);
  value = getPrefix();
  if (!needsTotal)
    return {value, noValue, ownsInit};
  PlanValue all = builder.combineHere(lower, segments);
  return {value, readLastOfHalves(builder, key, all), ownsInit};
}

/// Whether `shiftInRows` does it: where a total is asked for, all groups must
/// end in an odd row. (What can be taken away again needs no shift at all,
/// which is shorter in waves of 64.)
static bool shiftsInRows(const PlanKey &key) {
  bool isEven =
      key.kind == CollectiveKind::ExclusiveScan || !key.hasShortGroup();
  return key.kind != CollectiveKind::InclusiveScan && isEven &&
         !(takesAway(key) && key.getMaxRanks() > 32) &&
         hasDPPInstruction(key) && key.target.has(Feature::Permlane16) &&
         key.getMaxRanks() > rowSize;
}

/// Whether one instruction shifts the inclusive scan: onto init, or onto zero
/// bits where they are the identity.
static bool shiftsWave(const PlanKey &key) {
  return key.kind != CollectiveKind::InclusiveScan &&
         (key.hasInit || key.op.isZeroIdentity) && key.isWholeWarp() &&
         hasDPPInstruction(key) && key.target.has(Feature::DPPWaveShift);
}

static PlanValue shiftWave(PlanBuilder &builder, const PlanKey &key,
                           PlanValue inclusive) {
  Move shift = Move::dpp(dpp::waveShr1);
  if (key.hasInit)
    return builder.combineTied(shift, inclusive,
                               encode(builder, key, builder.getInit()),
                               Side::OwnLeft, WarpConstant::same(~uint64_t(1)));
  shift.boundCtrl = true;
  return builder.move(shift, inclusive);
}

std::optional<Plan> amd::buildDPPScan(const PlanKey &key) {
  if (!isScan(key.kind) || key.getMaxRanks() < 2)
    return std::nullopt;
  PlanBuilder builder(key);
  PlanKey gapKey = key;
  // Small groups use masks: no neutral value is needed.
  gapKey.op.hasNeutral &= key.groupSize >= rowSize;
  GapFiller gaps(builder, gapKey);
  bool keepsInput = takesAway(key) && !shiftsInRows(key) && !shiftsWave(key);
  PlanValue rows = scanRows(builder, key, gaps, keepsInput);
  if (shiftsInRows(key)) {
    Prefix result = shiftInRows(builder, key, rows);
    PlanValue total =
        result.total == noValue ? noValue : decode(builder, key, result.total);
    PlanValue prefix = decode(builder, key, result.prefix);
    return result.hasInit ? builder.finishScanWithInit(prefix, total)
                          : builder.finishScan(prefix, total);
  }
  PlanValue inclusive = joinRows(builder, key, gaps, rows);
  auto total = [&](PlanValue value) {
    return broadcastLastPresent(builder, key, value);
  };
  if (shiftsWave(key)) {
    PlanValue prefix = shiftWave(builder, key, inclusive);
    PlanValue all = noValue;
    if (key.kind == CollectiveKind::ScanTotal)
      all = decode(builder, key, total(inclusive));
    return builder.finishScanWithInit(decode(builder, key, prefix), all);
  }
  auto shift = [&](PlanValue value, PlanValue fill) {
    return shiftUp(builder, key, value, fill);
  };
  return builder.finishScan(decode(builder, key, inclusive), shift, total);
}
