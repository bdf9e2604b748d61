//===- DPPTree.cpp - Reduce of commutative operators by DPP ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside a row: quad_perm [1,0,3,2] and [2,3,0,1], row_half_mirror, row_mirror.
// The mirrors are the butterflies of 4 and 8, because by then all lanes of a
// quad (an octet) hold the same bits.
//
// dpp-tree is for groups that are all full: every lane has a source, so LLVM
// fuses each step into one instruction for any operator.
// dpp-tree-to-last is right for any number of present lanes: what is absent is
// left out, and the last present rank of each group always has the result: the
// blocks below it are full, and where its own block is the lower one of a pair,
// the upper one is absent altogether.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Rows.h"
#include "coll/Plan/Lanes.h"
#include <algorithm>

using namespace coll;
using namespace coll::amd;

/// The butterfly steps inside a row.
static constexpr unsigned rowControls[] = {dpp::quadPerm(1, 0, 3, 2),
                                           dpp::quadPerm(2, 3, 0, 1),
                                           dpp::rowHalfMirror, dpp::rowMirror};

static llvm::ArrayRef<unsigned> getRowSteps(unsigned ranks) {
  unsigned steps = 0;
  while (1u << steps < std::min(ranks, rowSize))
    ++steps;
  return llvm::ArrayRef(rowControls).take_front(steps);
}

/// op of the halves' values, each of which all its lanes have, where it is
/// asked for.
static PlanValue combineHalves(PlanBuilder &builder, PlanValue value,
                               Demand demand) {
  auto read = [&](unsigned lane) {
    return builder.move(Move::readLane(WarpConstant::same(lane)), value);
  };
  PlanValue lower = demand == Demand::First ? value : read(0);
  PlanValue upper = demand == Demand::Last ? value : read(32);
  return builder.combineHere(lower, upper);
}

/// Whether steps must be tied, even where all lanes have a source, to be one
/// DPP instruction a word. LLVM fuses none into what is wider than a word; on
/// GFX12 it quiets signaling NaNs before minimumNumber and maximumNumber,
/// whose instructions do it themselves, unless it does not see them; of two
/// ands it makes one v_bitop3_b32 on GFX950, and of sums and products of a
/// vector's f32 v_pk_add_f32 and v_pk_mul_f32, which take no DPP operands.
static bool mustTie(const PlanKey &key) {
  if (!hasDPPInstruction(key))
    return false;
  bool isMinMax = key.op.kind == OperatorKind::MinNum ||
                  key.op.kind == OperatorKind::MaxNum;
  AMDFamily family = key.target.getFamily();
  bool hasPacked = family == AMDFamily::GFX90A || family == AMDFamily::GFX940 ||
                   family == AMDFamily::GFX950;
  bool mayBePacked =
      key.isNumber && hasPacked && !isMinMax &&
      key.element.leaves.front() == LeafType{/*isFloat=*/true, 32};
  return key.getWords() == 2 || (isMinMax && family == AMDFamily::GFX12) ||
         mayBePacked ||
         (key.op.kind == OperatorKind::And && family == AMDFamily::GFX950);
}

/// The operator in all lanes, by one DPP instruction a word.
static PlanValue combineAllTied(PlanBuilder &builder, const PlanKey &key,
                                Move dpp, PlanValue source, PlanValue own) {
  uint64_t all = getLowLanes(key.getWarpSize());
  return builder.combineTied(dpp, source, own, Side::SourceLeft,
                             WarpConstant::same(all));
}

/// Joins the full rows of whole waves of 64 on gfx9: the last lane has the
/// result.
static PlanValue joinRowsByBroadcasts(PlanBuilder &builder, const PlanKey &key,
                                      PlanValue value) {
  // Where only the last lane's result is read, LLVM would move the operator to
  // where that is, away from its DPP operand, unless it does not see it.
  if (mustTie(key) || (key.demand == Demand::Last && hasDPPInstruction(key))) {
    GapFiller gaps(builder, key);
    return combineLowerHalf(builder, key, gaps,
                            combineRowBefore(builder, key, gaps, value));
  }
  // A user's operator may not see the zero of a lane without source.
  bool seesZero = key.op.kind != OperatorKind::Custom || key.op.isTotal;
  for (unsigned control : {dpp::rowBcast15, dpp::rowBcast31}) {
    Move move = Move::dpp(control);
    move.boundCtrl = seesZero;
    value = builder.combine(move, value, Side::SourceLeft, Guard::always(),
                            seesZero ? noValue : value);
  }
  return value;
}

/// Joins the full rows of groups of 32 or 64; all lanes of a row have the same
/// value, and all ranks get the result.
static PlanValue joinRows(PlanBuilder &builder, const PlanKey &key,
                          PlanValue value) {
  auto combine = [&](Move move) {
    if (mustTie(key) && key.getWords() == 1)
      value = combineAllTied(builder, key, Move::dpp(dpp::quadPerm(0, 1, 2, 3)),
                             builder.move(move, value), value);
    else
      value = builder.combine(move, value, Side::SourceLeft);
  };
  if (key.groupSize == 64 && key.target.has(Feature::DPPWaveShift)) {
    value = joinRowsByBroadcasts(builder, key, value);
    if (key.demand == Demand::Last)
      return value;
    return builder.move(Move::readLane(WarpConstant::same(63)), value);
  }
  if (key.target.has(Feature::Permlane16))
    combine(Move::otherRow(0));
  else if (key.target.has(Feature::PermlaneSwap))
    value = builder.combineHere(builder.move(Move::swap16(false), value),
                                builder.move(Move::swap16(true), value));
  else
    combine(Move::swizzle(31, 0, 16));
  if (key.groupSize == 32)
    return value;
  if (!key.target.has(Feature::Permlane64))
    return combineHalves(builder, value, key.demand);
  combine(Move::permlane64());
  return value;
}

std::optional<Plan> amd::buildDPPTree(const PlanKey &key) {
  if (key.kind != CollectiveKind::Reduce || !key.op.isCommutative ||
      key.hasShortGroup() || key.getMaxRanks() < 2)
    return std::nullopt;
  PlanBuilder builder(key);
  PlanValue value = encode(builder, key, builder.getInput());
  // Where one rank's result is read, LLVM would move the last operator to where
  // that is, away from its DPP operand, unless it does not see it.
  bool isForOne = key.groupSize <= rowSize && key.demand != Demand::All &&
                  hasDPPInstruction(key);
  llvm::ArrayRef<unsigned> steps = getRowSteps(key.groupSize);
  for (unsigned control : steps) {
    Move move = Move::dpp(control);
    bool isTied = mustTie(key) || (isForOne && control == steps.back());
    move.boundCtrl = !isTied;
    value = isTied ? combineAllTied(builder, key, move, value, value)
                   : builder.combine(move, value, Side::SourceLeft);
  }
  if (key.groupSize > rowSize)
    value = joinRows(builder, key, value);
  return builder.finishReduce(decode(builder, key, value));
}

/// The lanes that have a source by `control`, in full and in short warps.
static WarpConstant getLanesWithSource(const PlanKey &key, unsigned control) {
  return key.forWarps([&](uint64_t present) {
    WarpShape warp{key.getWarpSize(), static_cast<unsigned>(present), false};
    uint64_t mask = 0;
    for (unsigned lane = 0; lane < present; ++lane)
      if (findSource(Move::dpp(control), lane, warp).kind == LaneSource::Lane)
        mask |= uint64_t(1) << lane;
    return mask;
  });
}

std::optional<Plan> amd::buildDPPTreeToLast(const PlanKey &key) {
  if (key.kind != CollectiveKind::Reduce || !key.op.isCommutative ||
      !key.hasShortGroup() || key.getMaxRanks() < 2)
    return std::nullopt;
  PlanBuilder builder(key);
  GapFiller gaps(builder, key);
  unsigned ranks = key.getMaxRanks();
  PlanValue value = encode(builder, key, builder.getInput());
  for (unsigned control : getRowSteps(ranks))
    value = gaps.combine(Move::dpp(control), value, Side::SourceLeft,
                         getLanesWithSource(key, control));
  if (ranks > rowSize)
    value = combineRowBefore(builder, key, gaps, value);
  if (ranks > 32)
    value = combineLowerHalf(builder, key, gaps, value);
  if (key.demand == Demand::Last)
    return builder.finishReduce(decode(builder, key, value));
  if (key.groupSize > rowSize)
    value = readLastOfHalves(builder, key, value);
  else // Full groups have the result in all ranks already.
    value = builder.moveWhere(Guard::lanes(builder.getLastGroup()),
                              Move::readLane(key.getLastLane()), value, value);
  return builder.finishReduce(decode(builder, key, value));
}
