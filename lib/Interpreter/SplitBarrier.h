//===- SplitBarrier.h - Who has arrived -------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread executes `arrive` and `wait` of a group in turn. Warps of a block do
// so at their own time, so that one may be a barrier ahead of another: of each
// warp the times of its last two arrivals are kept.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_SPLITBARRIER_H
#define COLL_LIB_INTERPRETER_SPLITBARRIER_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace coll::ref {

/// The halves of barriers that a block's threads have executed.
class SplitBarrier {
public:
  void reset(unsigned threads, unsigned warps);

  struct WarpState {
    uint32_t arrivals = 0, waits = 0;
    uint32_t inst = 0; ///< Of the last arrival.
    /// Of arrival i at i % 2.
    std::array<uint32_t, 2> times = {0, 0};
  };
  /// Of the block (level 0) or of a tile of 2^level threads that is wider than
  /// a warp.
  WarpState &getWarp(unsigned level, unsigned warp) {
    return warpStates[level][warp];
  }
  /// The same for some warps of the block, `size` threads from `first` on.
  WarpState &getWarp(unsigned first, unsigned size, unsigned warp) {
    std::vector<WarpState> &states = rangeStates[{first, size}];
    states.resize(warpStates[0].size());
    return states[warp];
  }
  struct TileState {
    uint32_t time = 0; ///< Of the arrival; 0: none, or it has waited since.
    uint32_t inst = 0; ///< Of the arrival.
  };
  /// Of the tile of 2^level threads from `first` on.
  TileState &getTile(unsigned level, unsigned first) {
    return tileStates[level][first >> level];
  }
  /// The arrival, an instruction, that no wait of the warp has followed; none
  /// if all have. Its threads are `count` from `first` on.
  std::optional<uint32_t> findPending(unsigned warp, unsigned first,
                                      unsigned count) const;

private:
  static constexpr unsigned levels = 7;      ///< Tiles of 1 to 64 threads.
  static constexpr unsigned wideLevels = 11; ///< Tiles of 64 to 1024 threads.
  std::array<std::vector<WarpState>, wideLevels> warpStates;
  std::map<std::pair<unsigned, unsigned>, std::vector<WarpState>> rangeStates;
  std::array<std::vector<TileState>, levels> tileStates;
};

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_SPLITBARRIER_H
