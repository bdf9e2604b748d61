//===- Rows.cpp - What the AMD strategies share ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "coll/Plan/Lanes.h"

using namespace coll;
using namespace coll::amd;

GapFiller::GapFiller(PlanBuilder &builder, const PlanKey &key)
    : builder(builder), key(key), isTied(hasDPPInstruction(key)) {
  if (key.op.hasNeutral && !isTied)
    neutral = builder.neutral();
}

PlanValue amd::encode(PlanBuilder &builder, const PlanKey &key,
                      PlanValue value) {
  Encoding encoding = getDPPEncoding(key);
  return encoding == Encoding::Element ? value
                                       : builder.encode(encoding, value);
}

PlanValue amd::decode(PlanBuilder &builder, const PlanKey &key,
                      PlanValue value) {
  Encoding encoding = getDPPEncoding(key);
  return encoding == Encoding::Element ? value
                                       : builder.decode(encoding, value);
}

PlanValue GapFiller::combine(Move move, PlanValue value, Side side,
                             WarpConstant mask) {
  if (isTied)
    return builder.combineTied(move, value, value, side, mask);
  if (neutral != noValue)
    return builder.combine(move, value, side, Guard::always(), neutral);
  if (key.op.isTotal) { // Zero bits need no register that is written before.
    move.boundCtrl = true;
    move.rowMask = 0xf;
  }
  return builder.combine(move, value, side, Guard::lanes(mask),
                         key.op.isTotal ? noValue : value);
}

PlanValue GapFiller::combineCarried(PlanValue carried, PlanValue value,
                                    unsigned rowMask, uint64_t mask) {
  if (isTied)
    return builder.combineTied(Move::dpp(dpp::quadPerm(0, 1, 2, 3), rowMask),
                               carried, value, Side::SourceLeft,
                               WarpConstant::same(mask));
  return builder.combineHere(carried, value, Guard::lanes(mask), value);
}

PlanValue amd::combineRowBefore(PlanBuilder &builder, const PlanKey &key,
                                GapFiller &gaps, PlanValue value) {
  if (key.target.has(Feature::DPPWaveShift))
    return gaps.combine(Move::dpp(dpp::rowBcast15, 0xa), value,
                        Side::SourceLeft, WarpConstant::same(oddRows));
  // A user's operator never sees what an absent lane has.
  bool seesAbsent =
      key.op.kind != OperatorKind::Custom || key.presence.isFull();
  PlanValue old = seesAbsent ? noValue : value;
  PlanValue carried = builder.move(Move::otherRow(15), value, old);
  return gaps.combineCarried(carried, value, 0xa, oddRows);
}

PlanValue amd::combineLowerHalf(PlanBuilder &builder, const PlanKey &key,
                                GapFiller &gaps, PlanValue value) {
  if (key.target.has(Feature::DPPWaveShift))
    return gaps.combine(Move::dpp(dpp::rowBcast31, 0xc), value,
                        Side::SourceLeft, WarpConstant::same(upperHalf));
  PlanValue carried =
      builder.move(Move::readLane(builder.getPresentLane(31)), value);
  return gaps.combineCarried(carried, value, 0xc, upperHalf);
}

PlanValue amd::broadcastRank(PlanBuilder &builder, const PlanKey &key,
                             PlanValue value, bool isLast) {
  unsigned size = key.groupSize;
  unsigned rank = isLast ? size - 1 : 0;
  auto byDPP = [&](unsigned control) {
    return builder.move(Move::dpp(control), value, value);
  };
  if (size == 1)
    return value;
  if (size == 2)
    return byDPP(isLast ? dpp::quadPerm(1, 1, 3, 3)
                        : dpp::quadPerm(0, 0, 2, 2));
  if (size == 4)
    return byDPP(dpp::quadPerm(rank, rank, rank, rank));
  if (size == rowSize && key.target.has(Feature::DPPRowShare))
    return byDPP(dpp::rowShare(rank));
  return builder.move(Move::swizzle(31 & ~(size - 1), rank, 0), value);
}

PlanValue amd::readLastOfHalves(PlanBuilder &builder, const PlanKey &key,
                                PlanValue value) {
  PlanValue last = builder.move(Move::readLane(key.getLastLane()), value);
  if (key.isWholeWarp())
    return last;
  PlanValue lower =
      builder.move(Move::readLane(builder.getPresentLane(31)), value);
  return builder.moveWhere(Guard::lanes(upperHalf), Move::none(), last, lower);
}

PlanValue amd::broadcastLastPresent(PlanBuilder &builder, const PlanKey &key,
                                    PlanValue value) {
  if (key.groupSize > rowSize)
    return readLastOfHalves(builder, key, value);
  PlanValue last = broadcastRank(builder, key, value, /*isLast=*/true);
  if (!key.hasShortGroup())
    return last;
  return builder.moveWhere(Guard::lanes(builder.getLastGroup()),
                           Move::readLane(key.getLastLane()), value, last);
}
