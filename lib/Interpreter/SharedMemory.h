//===- SharedMemory.h - A shared array and who touched it -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds races: two accesses to one place by different threads, at least one a
// write and not both atomic, that nothing orders. What orders is a `sync` of a
// group that both are in, or a release by the first thread's warp and an
// acquire by the second's. The clock of a block counts those events.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_SHAREDMEMORY_H
#define COLL_LIB_INTERPRETER_SHAREDMEMORY_H

#include "Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <optional>
#include <vector>

namespace coll::ref {

/// What happened when, as far as it orders accesses.
class SyncClock {
public:
  void reset(unsigned threads, unsigned warpSize);
  uint32_t now() const { return time; }

  void syncBlock() { blockTime = ++time; }
  /// `size` threads from `first`, which is a multiple of it, wait for each
  /// other.
  void syncTile(unsigned first, unsigned size);
  /// These threads, all of one warp, wait for each other.
  void syncThreads(llvm::ArrayRef<unsigned> threads);
  /// Half a barrier; gives the time.
  uint32_t arrive() { return ++time; }
  /// From now on, what the tile's threads did before `when` is over.
  void waitTile(unsigned first, unsigned size, uint32_t when);
  /// From now on, what `other` did before `when` is over for the threads of
  /// `warp`.
  void waitWarp(unsigned warp, unsigned other, uint32_t when);
  /// What an atomic or a fence by `thread` means for the order.
  void order(unsigned thread, ir::MemoryOrder order);
  /// Whether an access of `before` at `when` comes before what `after` does
  /// now.
  bool isOrdered(unsigned before, uint32_t when, unsigned after) const;

private:
  struct WarpTimes {
    uint32_t release = 0, acquire = 0;
  };
  static constexpr unsigned levels = 11; ///< Tiles of 1 to 1024 threads.
  unsigned warpShift = 5;
  uint32_t time = 1, blockTime = 0;
  std::array<std::vector<uint32_t>, levels> tileTimes;
  /// For each thread (row) and lane of its warp, when they last waited for each
  /// other as part of a group that was made at run time; empty if none did.
  std::vector<uint32_t> memberTimes;
  std::vector<WarpTimes> warps;
  /// What a warp (row) knows of another by halves of barriers.
  std::vector<uint32_t> known;
};

enum class AccessKind : uint8_t { Read, Write, AtomicRead, AtomicWrite };

/// An access in the past.
struct Touch {
  uint32_t time = 0; ///< 0: none.
  uint32_t inst = 0;
  uint16_t thread = 0;
  AccessKind kind = AccessKind::Read;
};

/// One shared object of a block.
class SharedMemory {
public:
  void create(const SharedObject &object, uint64_t size);
  void destroy() { exists = false; }
  bool isCreated() const { return exists; }
  uint8_t *getData() { return data.data(); }
  uint64_t getSize() const { return data.size(); }

  /// Notes an access to `size` bytes at `offset`; gives an earlier access that
  /// it races with. `touch.time` is the clock's.
  std::optional<Touch> access(const SyncClock &clock, uint64_t offset,
                              unsigned size, Touch touch);
  /// Whether all of these bytes were written.
  bool isWritten(uint64_t offset, unsigned size) const;

private:
  /// Past accesses to a granule. Reads and atomics keep two of each: of any two
  /// at least one is another thread's.
  struct Cell {
    Touch write;
    std::array<Touch, 2> reads, atomics;
    bool isWritten = false;
  };
  static void note(const SyncClock &clock, std::array<Touch, 2> &touches,
                   Touch touch);
  static std::optional<Touch> accessCell(const SyncClock &clock, Cell &cell,
                                         Touch touch);

  std::vector<uint8_t> data;
  std::vector<Cell> cells;
  unsigned granule = 1;
  bool exists = false;
};

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_SHAREDMEMORY_H
