//===- ShuffleTree.cpp - Reduce by shuffles -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both strategies build the aligned tree with distances 1, 2, 4, ... Partners
// that a short warp lacks lie above the clamp c, which is the last present
// lane: the predicate is false and the lane keeps its value.
//
// The butterfly needs an operator whose bits do not depend on the order of its
// operands, and leaves the result in every rank; if the group's size is no
// power of two, only in some (rank 0 is one), and rank 0 hands it round.
// The pull down keeps left and right apart (own left, source right) and always
// ends with rank 0 handing its result round, unless nobody else needs it. The
// other ranks combine elements that nobody asks for, unless the operator could
// fail on them (GuardCalls.cpp). (The butterfly has the result in the last rank
// of every group too.)
//
// No butterfly looks at its predicate. Where the operand is the same in all
// lanes and c is a constant, ptxas 13.0 takes the predicate of shfl.bfly for
// the same in all lanes too, although it is false beyond c. It then deletes the
// shuffle that hands the result round (seen on an H200: the sum of a constant
// over 11 threads was right in rank 0 only). It does so with no other mode.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Narrow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using nvidia::narrow;
using nvidia::widenInput;

/// Gives all ranks of each group the value of rank 0.
static PlanValue broadcastFirst(PlanBuilder &builder, const PlanKey &key,
                                PlanValue value) {
  unsigned clamp = (32 - key.groupSize) << 8 | 31;
  return builder.move(
      Move::idx(WarpConstant::same(0), WarpConstant::same(clamp)), value);
}

/// Whether some lanes lack a partner and must not combine with themselves: not
/// where all groups have the same power of two of ranks.
static bool needsGuard(const PlanKey &key) {
  if (key.op.isIdempotent)
    return false;
  unsigned ranks = key.getMaxRanks();
  return llvm::any_of(key.getPresentCounts(), [&](unsigned present) {
    return present % ranks != 0 || !llvm::isPowerOf2_32(ranks);
  });
}

std::optional<Plan> nvidia::buildShuffleButterfly(const PlanKey &key) {
  if (key.kind != CollectiveKind::Reduce || !key.op.isCommutative ||
      key.getMaxRanks() < 2)
    return std::nullopt;
  // Out of range a lane gets its own value, which only an idempotent operator
  // does not notice.
  if (needsGuard(key))
    return std::nullopt;
  PlanBuilder builder(key);
  WarpConstant clamp =
      key.hasShortGroup() ? key.getLastLane() : WarpConstant::same(31);
  PlanValue value = widenInput(builder, key);
  for (unsigned distance = 1; distance < key.getMaxRanks(); distance *= 2)
    value = builder.combine(Move::bfly(distance, clamp), value,
                            Side::SourceLeft, Guard::always());
  if (key.hasOddGroup() && key.demand == Demand::All)
    if (key.demand != Demand::First)
      value = broadcastFirst(builder, key, value);
  return builder.finishReduce(narrow(builder, key, value));
}

std::optional<Plan> nvidia::buildShuffleDown(const PlanKey &key) {
  if (key.kind != CollectiveKind::Reduce || key.getMaxRanks() < 2 ||
      (key.op.isCommutative && !needsGuard(key)))
    return std::nullopt;
  PlanBuilder builder(key);
  Guard guard = needsGuard(key) ? Guard::predicate() : Guard::always();
  // Without short groups some warp may still end early: never read past it.
  WarpConstant clamp = key.getLastLane();
  PlanValue value = widenInput(builder, key);
  for (unsigned distance = 1; distance < key.getMaxRanks(); distance *= 2)
    value = builder.combine(Move::down(distance, clamp), value, Side::OwnLeft,
                            guard);
  if (key.demand != Demand::First)
    value = broadcastFirst(builder, key, value);
  return builder.finishReduce(narrow(builder, key, value));
}
