//===- ShuffleScan.cpp - Scan by shuffles ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside rows of 16, shfl.up by 1, 2, 4, 8 with the row as segment: the
// predicate says whether there is a source. Then the ranks of the second row
// combine the last value of the first. For that step b is ~lane | 15 and c is
// 15: lanes of the first row ask for lane 31, which is out of range. Sources
// are lower lanes, so they are present in any warp. Exact operators have no
// rows: shfl.up by 16 as well.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Narrow.h"
#include <algorithm>

using namespace coll;

/// Operand c of shfl.up in aligned segments.
static unsigned getUpClamp(unsigned segment) { return (32 - segment) << 8; }

/// Ranks that Hillis and Steele's steps go through.
static unsigned getRow(const PlanKey &key) {
  return key.op.isExact ? key.groupSize : std::min(key.groupSize, 16u);
}

static PlanValue scanInclusive(PlanBuilder &builder, const PlanKey &key) {
  // Without a source the own value arrives.
  Guard guard = key.op.isIdempotent ? Guard::always() : Guard::predicate();
  unsigned row = getRow(key);
  PlanValue value = nvidia::widenInput(builder, key);
  for (unsigned distance = 1; distance < std::min(row, key.getMaxRanks());
       distance *= 2)
    value = builder.combine(Move::up(distance, getUpClamp(row)), value,
                            Side::SourceLeft, guard);
  if (key.getMaxRanks() <= row)
    return nvidia::narrow(builder, key, value);
  Move cross = Move::idx({}, WarpConstant::same(15));
  cross.operand = LaneOperand::InvertedLaneOr15;
  value = builder.combine(cross, value, Side::SourceLeft, guard);
  return nvidia::narrow(builder, key, value);
}

/// Gives all ranks of each group the value of its last rank.
static PlanValue broadcastLast(PlanBuilder &builder, const PlanKey &key,
                               PlanValue value) {
  WarpConstant all = WarpConstant::same(31);
  if (key.isWholeWarp())
    return builder.move(Move::idx(key.getLastLane(), all), value);
  WarpConstant segments = WarpConstant::same((32 - key.groupSize) << 8 | 31);
  PlanValue last = builder.move(
      Move::idx(WarpConstant::same(key.groupSize - 1), segments), value);
  if (!key.hasShortGroup())
    return last;
  return builder.moveWhere(Guard::lanes(builder.getLastGroup()),
                           Move::idx(key.getLastLane(), all), value, last);
}

std::optional<Plan> nvidia::buildShuffleScan(const PlanKey &key) {
  if (!isScan(key.kind) || key.getMaxRanks() < 2)
    return std::nullopt;
  PlanBuilder builder(key);
  auto shift = [&](PlanValue value, PlanValue fill) {
    return builder.moveWhere(Guard::predicate(),
                             Move::up(1, getUpClamp(key.groupSize)), value,
                             fill);
  };
  auto total = [&](PlanValue value) {
    return broadcastLast(builder, key, value);
  };
  return builder.finishScan(scanInclusive(builder, key), shift, total);
}

/// The lanes at `distance` and above in rows of `row`.
static Guard isFrom(unsigned distance, unsigned row) {
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane != 32; ++lane)
    if (lane % row >= distance)
      lanes |= uint64_t(1) << lane;
  return Guard::lanes(lanes);
}

/// The same steps under conditions on the lane. An operation waits longer for
/// the predicate of a shuffle than for its value; those conditions are computed
/// once where the scan is repeated.
std::optional<Plan> nvidia::buildShuffleScanByLane(const PlanKey &key) {
  if (!isScan(key.kind) || key.getMaxRanks() < 2 || key.op.isIdempotent ||
      key.op.instructions != 1 || key.getWords() != 1)
    return std::nullopt;
  PlanBuilder builder(key);
  unsigned row = getRow(key);
  PlanValue value = widenInput(builder, key);
  for (unsigned distance = 1; distance < std::min(row, key.getMaxRanks());
       distance *= 2)
    value = builder.combine(Move::up(distance, getUpClamp(row)), value,
                            Side::SourceLeft, isFrom(distance, row));
  if (key.getMaxRanks() > row)
    value = builder.combine(
        Move::idx(WarpConstant::same(15), WarpConstant::same(31)), value,
        Side::SourceLeft, isFrom(16, 32));
  auto shift = [&](PlanValue value, PlanValue fill) {
    return builder.moveWhere(isFrom(1, key.groupSize),
                             Move::up(1, getUpClamp(key.groupSize)), value,
                             fill);
  };
  auto total = [&](PlanValue value) {
    return broadcastLast(builder, key, value);
  };
  return builder.finishScan(narrow(builder, key, value), shift, total);
}
