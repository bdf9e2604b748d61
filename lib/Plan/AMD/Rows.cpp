//===- Rows.cpp - What the AMD strategies share ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

using namespace coll;
using namespace coll::amd;

GapFiller::GapFiller(PlanBuilder &builder, const PlanKey &key)
    : builder(builder) {
  if (key.op.hasNeutral)
    neutral = builder.neutral();
}

PlanValue GapFiller::combine(Move move, PlanValue value, Side side,
                             WarpConstant mask) {
  if (hasNeutral())
    return builder.combine(move, value, side, Guard::always(), neutral);
  return builder.combineTied(move, value, side, mask);
}

/// True where LLVM makes one instruction of a masked DPP and the operator: then
/// two DPP instructions beat a select.
static bool fusesMaskedDPP(const PlanKey &key) {
  return key.op.hasNeutral && key.element.isSingle(/*isFloat=*/false) &&
         key.getWords() == 1 && key.op.instructions == 1 &&
         key.op.kind != OperatorKind::Mul;
}

/// op(carried, value) in the rows of `rowMask`, whose lanes are `mask`, where
/// `carried` comes by a move that is no DPP and cannot leave out lanes itself.
static PlanValue combineCarried(PlanBuilder &builder, const PlanKey &key,
                                GapFiller &gaps, Move move, PlanValue value,
                                unsigned rowMask, uint64_t mask) {
  PlanValue old = move.hasOld() ? value : noValue;
  if (!fusesMaskedDPP(key))
    return builder.combine(move, value, Side::SourceLeft, Guard::lanes(mask),
                           old);
  Step step;
  step.kind = StepKind::Combine;
  step.source = builder.move(move, value, old);
  step.move = Move::dpp(dpp::quadPerm(0, 1, 2, 3), rowMask);
  step.own = value;
  step.old = gaps.getNeutral();
  return builder.add(step);
}

PlanValue amd::combineRowBefore(PlanBuilder &builder, const PlanKey &key,
                                GapFiller &gaps, PlanValue value) {
  if (key.target.has(Feature::DPPWaveShift))
    return gaps.combine(Move::dpp(dpp::rowBcast15, 0xa), value,
                        Side::SourceLeft, WarpConstant::same(oddRows));
  return combineCarried(builder, key, gaps, Move::otherRow(15), value, 0xa,
                        oddRows);
}

PlanValue amd::combineLowerHalf(PlanBuilder &builder, const PlanKey &key,
                                GapFiller &gaps, PlanValue value) {
  if (key.target.has(Feature::DPPWaveShift))
    return gaps.combine(Move::dpp(dpp::rowBcast31, 0xc), value,
                        Side::SourceLeft, WarpConstant::same(upperHalf));
  return combineCarried(builder, key, gaps,
                        Move::readLane(builder.getPresentLane(31)), value, 0xc,
                        upperHalf);
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
