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
#include <vector>

namespace coll::ref {

/// The halves of barriers that a block's threads have executed.
class SplitBarrier {
public:
  void reset(unsigned threads, unsigned warps);

  struct WarpState {
    uint32_t arrivals = 0, waits = 0;
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
  /// When the tile of 2^level threads from `first` arrived; 0 if it did not, or
  /// has waited since.
  uint32_t &getTile(unsigned level, unsigned first) {
    return tileArrivals[level][first >> level];
  }

private:
  static constexpr unsigned levels = 7;      ///< Tiles of 1 to 64 threads.
  static constexpr unsigned wideLevels = 11; ///< Tiles of 64 to 1024 threads.
  std::array<std::vector<WarpState>, wideLevels> warpStates;
  std::map<std::pair<unsigned, unsigned>, std::vector<WarpState>> rangeStates;
  std::array<std::vector<uint32_t>, levels> tileArrivals;
};

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_SPLITBARRIER_H
