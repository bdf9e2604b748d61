//===- Moves.cpp - Broadcasts and shuffles by lane instructions -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DPP first, then what crosses rows, then LDS swizzles. What none of them can
// do (a distance across rows on most chips) is left to ds_bpermute, which takes
// its index at run time.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include <algorithm>

using namespace coll;

static void addXorMoves(llvm::SmallVectorImpl<Move> &moves, unsigned k) {
  auto to = [&](unsigned lane) { return (lane ^ k) & 3; };
  if (k < 4)
    moves.push_back(Move::dpp(dpp::quadPerm(to(0), to(1), to(2), to(3))));
  if (k < 16)
    moves.push_back(Move::dpp(dpp::rowXMask(k)));
  moves.push_back(Move::dpp(dpp::rowHalfMirror));
  moves.push_back(Move::dpp(dpp::rowMirror));
  moves.push_back(Move::permlane64());
  moves.push_back(Move::swap16());
  moves.push_back(Move::swap32());
  if (k < 32)
    moves.push_back(Move::swizzle(31, 0, k));
}

static void addBroadcastMoves(llvm::SmallVectorImpl<Move> &moves,
                              const PlanKey &key) {
  unsigned rank = key.argument, size = key.groupSize;
  if (size == 1)
    moves.push_back(Move::none());
  if (size == 2)
    moves.push_back(Move::dpp(dpp::quadPerm(rank, rank, 2 + rank, 2 + rank)));
  if (size == 4)
    moves.push_back(Move::dpp(dpp::quadPerm(rank, rank, rank, rank)));
  if (size == 16)
    moves.push_back(Move::dpp(dpp::rowShare(rank)));
  if (key.isWholeWarp()) {
    // Where the warp is too short to have the rank, nobody takes the value.
    moves.push_back(Move::readLane(key.forWarps([&](uint64_t present) {
      return std::min<uint64_t>(rank, present - 1);
    })));
  }
  if (size <= 32)
    moves.push_back(Move::swizzle(31 & ~(size - 1), rank, 0));
}

std::optional<Plan> amd::buildShuffle(const PlanKey &key) {
  llvm::SmallVector<Move, 8> moves;
  unsigned argument = key.argument;
  // No lane has a source beyond the group: then no move is needed either.
  bool isInside = argument < key.groupSize;
  switch (key.kind) {
  case CollectiveKind::Broadcast:
    if (isInside)
      addBroadcastMoves(moves, key);
    break;
  case CollectiveKind::ShuffleUp:
    if (argument == 1)
      moves.push_back(Move::dpp(dpp::waveShr1));
    if (argument < 16)
      moves.push_back(argument == 0 ? Move::none()
                                    : Move::dpp(dpp::rowShr(argument)));
    break;
  case CollectiveKind::ShuffleDown:
    if (argument < 16)
      moves.push_back(argument == 0 ? Move::none()
                                    : Move::dpp(dpp::rowShl(argument)));
    break;
  case CollectiveKind::ShuffleXor:
    if (isInside)
      addXorMoves(moves, argument);
    break;
  default:
    return std::nullopt;
  }
  return buildMove(key, moves);
}
