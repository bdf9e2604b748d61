//===- DPPPull.cpp - Reduce of ordered operators by DPP -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where left and right matter, no butterfly: one rank of each row collects.
//
// dpp-down pulls to rank 0, which is present in every group, so it works for
// any number of lanes: own left, source (row_shl) right. The rows' results are
// read as scalars and combined as a tree; rows that are absent are left out.
// Where only rank 0 asks for the result of short groups, it is for commutative
// operators too: the butterflies end in the last rank.
// dpp-up is for whole full waves and pulls to the last rank (row_shr: the
// source is the left operand), because what joins rows moves upwards.
//
// In both, the other ranks combine elements that nobody asks for, unless the
// operator could fail on them (GuardCalls.cpp).
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Rows.h"
#include "coll/Plan/Lanes.h"
#include <algorithm>

using namespace coll;
using namespace coll::amd;

/// Lanes whose source, `distance` above, is in the same row and present.
static WarpConstant getLanesBelow(const PlanKey &key, unsigned distance) {
  return key.forWarps([&](uint64_t present) {
    uint64_t mask = 0;
    for (unsigned lane = 0; lane + distance < present; ++lane)
      if (lane % rowSize + distance < rowSize)
        mask |= uint64_t(1) << lane;
    return mask;
  });
}

/// One step by DPP in full groups. A lane without source combines its own value
/// with itself, or with zero bits where the operator may see them; nobody asks
/// for that.
static PlanValue combine(PlanBuilder &builder, const PlanKey &key,
                         unsigned control, PlanValue value, Side side) {
  bool isTotal = key.op.isTotal;
  Move move = Move::dpp(control);
  move.boundCtrl = isTotal;
  return builder.combine(move, value, side, Guard::always(),
                         isTotal ? noValue : value);
}

/// The tree over the rows [first, first + count) of the wave, whose results are
/// in their first lanes; the result is the same in all lanes, or in the first
/// one of its group if only that needs it. Rows that a warp lacks are left out.
static PlanValue combineRows(PlanBuilder &builder, const PlanKey &key,
                             PlanValue value, unsigned first, unsigned count) {
  bool isOwn =
      key.demand == Demand::First && first * rowSize % key.groupSize == 0;
  if (count == 1 && isOwn)
    return value;
  if (count == 1)
    return builder.move(Move::readLane(builder.getPresentLane(first * rowSize)),
                        value);
  unsigned half = count / 2;
  PlanValue left = combineRows(builder, key, value, first, half);
  unsigned upper = (first + half) * rowSize;
  WarpConstant mask = key.forWarps([&](uint64_t present) {
    return present > upper ? getLowLanes(key.getWarpSize()) : 0;
  });
  if (mask.full == 0 && mask.tail == 0)
    return left;
  PlanValue right = combineRows(builder, key, value, first + half, half);
  bool isAlways = mask == WarpConstant::same(getLowLanes(key.getWarpSize()));
  if (isAlways)
    return builder.combineHere(left, right);
  return builder.combineHere(left, right, Guard::lanes(mask), left);
}

static PlanValue broadcastRows(PlanBuilder &builder, const PlanKey &key,
                               PlanValue value) {
  if (key.groupSize <= rowSize && key.demand == Demand::First)
    return value;
  if (key.groupSize <= rowSize)
    return broadcastRank(builder, key, value, /*isLast=*/false);
  unsigned rows = key.groupSize / rowSize;
  PlanValue lower = combineRows(builder, key, value, 0, rows);
  bool hasUpper = key.getPresentLanes().full > 32;
  if (key.isWholeWarp() || !hasUpper)
    return lower;
  PlanValue upper = combineRows(builder, key, value, rows, rows);
  return builder.moveWhere(Guard::lanes(upperHalf), Move::none(), upper, lower);
}

/// Each row's result, in its first lane.
static PlanValue combineInRows(PlanBuilder &builder, const PlanKey &key,
                               PlanValue value) {
  unsigned ranks = std::min(key.getMaxRanks(), rowSize);
  if (!key.hasShortGroup()) {
    for (unsigned distance = 1; distance < ranks; distance *= 2)
      value =
          combine(builder, key, dpp::rowShl(distance), value, Side::OwnLeft);
    return value;
  }
  GapFiller gaps(builder, key);
  for (unsigned distance = 1; distance < ranks; distance *= 2)
    value = gaps.combine(Move::dpp(dpp::rowShl(distance)), value, Side::OwnLeft,
                         getLanesBelow(key, distance));
  return value;
}

std::optional<Plan> amd::buildDPPDown(const PlanKey &key) {
  // What a row's result is read for, one instruction combines.
  bool isBetter =
      key.hasShortGroup() && key.demand == Demand::First &&
      (key.getMaxRanks() <= rowSize || countDPPInstructions(key) == 1);
  if (key.kind != CollectiveKind::Reduce || key.getMaxRanks() < 2 ||
      (key.op.isCommutative && !isBetter))
    return std::nullopt;
  PlanBuilder builder(key);
  PlanValue value = encode(builder, key, builder.getInput());
  value = combineInRows(builder, key, value);
  value = broadcastRows(builder, key, value);
  return builder.finishReduce(decode(builder, key, value));
}

std::optional<Plan> amd::buildDPPUp(const PlanKey &key) {
  if (key.kind != CollectiveKind::Reduce || key.op.isCommutative ||
      !key.isWholeWarp() || !key.presence.isFull())
    return std::nullopt;
  PlanBuilder builder(key);
  PlanValue value = builder.getInput();
  auto combineDPP = [&](unsigned control) {
    value = combine(builder, key, control, value, Side::SourceLeft);
  };
  for (unsigned distance = 1; distance < rowSize; distance *= 2)
    combineDPP(dpp::rowShr(distance));
  bool isForLast = key.demand == Demand::Last;
  auto read = [&](unsigned lane) {
    return builder.move(Move::readLane(WarpConstant::same(lane)), value);
  };
  if (key.target.has(Feature::DPPWaveShift)) {
    combineDPP(dpp::rowBcast15);
    combineDPP(dpp::rowBcast31);
    return builder.finishReduce(isForLast ? value : read(63));
  }
  value = builder.combine(Move::otherRow(15), value, Side::SourceLeft);
  if (key.groupSize == 32)
    return builder.finishReduce(isForLast ? value : read(31));
  return builder.finishReduce(
      builder.combineHere(read(31), isForLast ? value : read(63)));
}
