//===- SharedMemory.cpp - Races on shared memory --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

//===----------------------------------------------------------------------===//
// SyncClock
//===----------------------------------------------------------------------===//

void SyncClock::reset(unsigned threads, unsigned warpSize) {
  warpShift = llvm::Log2_32(warpSize);
  time = 1;
  blockTime = 0;
  for (unsigned level = 0; level != levels; ++level)
    tileTimes[level].assign((threads >> level) + 1, 0);
  memberTimes.clear();
  warps.assign((threads >> warpShift) + 1, WarpTimes());
  known.assign(warps.size() * warps.size(), 0);
}

void SyncClock::syncTile(unsigned first, unsigned size) {
  unsigned level = llvm::Log2_32(size);
  tileTimes[level][first >> level] = ++time;
}

void SyncClock::syncThreads(llvm::ArrayRef<unsigned> threads) {
  memberTimes.resize(warps.size() << 2 * warpShift);
  unsigned laneMask = (1u << warpShift) - 1;
  ++time;
  for (unsigned thread : threads)
    for (unsigned other : threads)
      memberTimes[(thread << warpShift) + (other & laneMask)] = time;
}

void SyncClock::waitTile(unsigned first, unsigned size, uint32_t when) {
  unsigned level = llvm::Log2_32(size);
  uint32_t &tile = tileTimes[level][first >> level];
  tile = std::max(tile, when);
}

void SyncClock::waitWarp(unsigned warp, unsigned other, uint32_t when) {
  uint32_t &entry = known[warp * warps.size() + other];
  entry = std::max(entry, when);
}

void SyncClock::order(unsigned thread, ir::MemoryOrder order) {
  WarpTimes &times = warps[thread >> warpShift];
  bool both =
      order == ir::MemoryOrder::AcqRel || order == ir::MemoryOrder::SeqCst;
  if (both || order == ir::MemoryOrder::Release)
    times.release = ++time;
  if (both || order == ir::MemoryOrder::Acquire)
    times.acquire = ++time;
}

bool SyncClock::isOrdered(unsigned before, uint32_t when,
                          unsigned after) const {
  if (before == after || blockTime > when)
    return true;
  unsigned beforeWarp = before >> warpShift, afterWarp = after >> warpShift;
  if (warps[beforeWarp].release > when && warps[afterWarp].acquire > when)
    return true;
  if (known[afterWarp * warps.size() + beforeWarp] > when)
    return true;
  bool isOneWarp = beforeWarp == afterWarp;
  unsigned afterLane = after & ((1u << warpShift) - 1);
  if (isOneWarp && !memberTimes.empty() &&
      memberTimes[(before << warpShift) + afterLane] > when)
    return true;
  for (unsigned level = isOneWarp ? 0 : warpShift + 1; level != levels; ++level)
    if (before >> level == after >> level &&
        tileTimes[level][before >> level] > when)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// SharedMemory
//===----------------------------------------------------------------------===//

void SharedMemory::create(const SharedObject &object, uint64_t size) {
  exists = true;
  granule = object.granule;
  data.assign(size, 0);
  cells.assign(llvm::divideCeil(size, granule), Cell());
}

bool SharedMemory::isWritten(uint64_t offset, unsigned size) const {
  for (uint64_t i = offset / granule; i * granule < offset + size; ++i)
    if (!cells[i].isWritten)
      return false;
  return true;
}

void SharedMemory::note(const SyncClock &clock, std::array<Touch, 2> &touches,
                        Touch touch) {
  for (Touch &known : touches)
    if (known.time == 0 ||
        clock.isOrdered(known.thread, known.time, touch.thread)) {
      known = touch;
      return;
    }
  // An atomic write conflicts with more than an atomic read does.
  if (touch.kind == AccessKind::AtomicWrite)
    touches[touches[0].kind == AccessKind::AtomicWrite] = touch;
}

std::optional<Touch> SharedMemory::accessCell(const SyncClock &clock,
                                              Cell &cell, Touch touch) {
  auto races = [&](const Touch &past) {
    return past.time != 0 &&
           !clock.isOrdered(past.thread, past.time, touch.thread);
  };
  bool isWrite =
      touch.kind == AccessKind::Write || touch.kind == AccessKind::AtomicWrite;
  bool isAtomic = touch.kind == AccessKind::AtomicRead ||
                  touch.kind == AccessKind::AtomicWrite;
  if (races(cell.write))
    return cell.write;
  if (isWrite)
    for (const Touch &read : cell.reads)
      if (races(read))
        return read;
  if (!isAtomic)
    for (const Touch &atomic : cell.atomics)
      if ((isWrite || atomic.kind == AccessKind::AtomicWrite) && races(atomic))
        return atomic;

  cell.isWritten |= isWrite;
  if (isAtomic) {
    note(clock, cell.atomics, touch);
  } else if (isWrite) {
    cell.write = touch;
    cell.reads = {};
    cell.atomics = {};
  } else {
    note(clock, cell.reads, touch);
  }
  return std::nullopt;
}

std::optional<Touch> SharedMemory::access(const SyncClock &clock,
                                          uint64_t offset, unsigned size,
                                          Touch touch) {
  for (uint64_t i = offset / granule; i * granule < offset + size; ++i)
    if (std::optional<Touch> race = accessCell(clock, cells[i], touch))
      return race;
  return std::nullopt;
}
