//===- Moves.cpp - Broadcasts and shuffles by shfl.sync -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"

using namespace coll;

std::optional<Plan> nvidia::buildShuffle(const PlanKey &key) {
  unsigned segments = (32 - key.groupSize) << 8;
  WarpConstant inGroup = WarpConstant::same(segments | 31);
  WarpConstant argument = WarpConstant::same(key.argument);
  switch (key.kind) {
  case CollectiveKind::Broadcast:
    return buildMove(key, {Move::idx(argument, inGroup)});
  case CollectiveKind::ShuffleUp:
    return buildMove(key, {Move::up(key.argument, segments)});
  case CollectiveKind::ShuffleDown:
    // A whole warp may end early: its last lane is the limit.
    return buildMove(
        key, {Move::down(key.argument,
                         key.isWholeWarp() ? key.getLastLane() : inGroup)});
  case CollectiveKind::ShuffleXor:
    return buildMove(key, {Move::bfly(key.argument, key.getLastLane())});
  default:
    return std::nullopt;
  }
}
