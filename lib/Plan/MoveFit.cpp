//===- MoveFit.cpp - Broadcasts and shuffles by one move ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane each lane asks for is known, and so is what each move delivers:
// the first move that delivers it to all lanes that have a source is taken. The
// other lanes keep their value (or get the fill) by what the move itself does
// for them, by its predicate, or by a mask.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"
#include "coll/Plan/Lanes.h"
#include "coll/Plan/PlanBuilder.h"

using namespace coll;

namespace {
/// How far a move does what a key asks, over full and short warps.
struct Fit {
  bool isRight = true;        ///< All lanes with a source get its value.
  bool isTotal = true;        ///< All lanes have a source.
  bool keepsOwn = true;       ///< The others get their own value.
  bool givesOld = true;       ///< The others get `old`.
  bool predicateTells = true; ///< The predicate tells the two apart.
  WarpConstant lanesWithSource;
};
} // namespace

static uint64_t fitWarp(const PlanKey &key, const Move &move,
                        const WarpShape &warp, Fit &fit) {
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane) {
    std::optional<unsigned> wanted =
        key.getShuffleSource(lane, warp.presentLanes);
    LaneSource source = findSource(move, lane, warp);
    bool isLane = source.kind == LaneSource::Lane;
    fit.predicateTells &= source.predicate == wanted.has_value();
    if (wanted) {
      mask |= uint64_t(1) << lane;
      fit.isRight &= isLane && source.lane == *wanted;
      continue;
    }
    fit.isTotal = false;
    fit.keepsOwn &= isLane && source.lane == lane;
    fit.givesOld &= source.kind == LaneSource::Old;
  }
  return mask;
}

static Fit fitMove(const PlanKey &key, const Move &move) {
  Fit fit;
  WarpConstant present = key.getPresentLanes();
  auto fitLanes = [&](uint64_t lanes, bool isTail) {
    WarpShape warp{key.getWarpSize(), static_cast<unsigned>(lanes), isTail};
    return fitWarp(key, move, warp, fit);
  };
  fit.lanesWithSource.full = fitLanes(present.full, false);
  fit.lanesWithSource.tail = fitLanes(present.tail, true);
  return fit;
}

static PlanValue emitMove(PlanBuilder &builder, const PlanKey &key, Move move,
                          const Fit &fit) {
  PlanValue own = builder.getInput();
  PlanValue otherwise = key.hasInit ? builder.getInit() : own;
  if (fit.isTotal || (fit.keepsOwn && !key.hasInit)) {
    move.boundCtrl = move.kind == MoveKind::DPP;
    return builder.move(move, own);
  }
  if (fit.givesOld)
    return builder.move(move, own, otherwise);
  if (move.isShuffle() && fit.predicateTells)
    return builder.moveWhere(Guard::predicate(), move, own, otherwise);
  return builder.moveWhere(Guard::lanes(fit.lanesWithSource), move, own,
                           otherwise, move.hasOld() ? own : noValue);
}

std::optional<Plan> coll::buildMove(const PlanKey &key,
                                    llvm::ArrayRef<Move> moves) {
  PlanBuilder builder(key);
  Fit nothing = fitMove(key, Move::none());
  if (nothing.lanesWithSource == WarpConstant{}) // All sources are outside.
    return builder.finishShuffle(key.hasInit ? builder.getInit()
                                             : builder.getInput());
  for (const Move &move : moves) {
    if (findMissingFeature(move, key.target))
      continue;
    Fit fit = fitMove(key, move);
    if (fit.isRight)
      return builder.finishShuffle(emitMove(builder, key, move, fit));
  }
  return std::nullopt;
}
