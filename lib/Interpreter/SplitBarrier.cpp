//===- SplitBarrier.cpp - arrive and wait ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitBarrier.h"
#include "Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

void SplitBarrier::reset(unsigned threads, unsigned warps) {
  for (std::vector<WarpState> &states : warpStates)
    states.assign(warps, WarpState());
  rangeStates.clear();
  for (unsigned level = 0; level != levels; ++level)
    tileArrivals[level].assign((threads >> level) + 1, 0);
}

bool Machine::faultSplit(Warp &warp, const Inst &inst,
                         const llvm::Twine &what) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  return fault(FaultKind::BadOperand, inst, warp,
               std::countr_zero(warp.active()),
               info.group.str() + "." + info.name + " " + what);
}

/// The lanes of a warp-level group execute both halves together.
bool Machine::splitTile(llvm::ArrayRef<Member> members, const Inst &inst) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  Warp &warp = *members.front().warp;
  unsigned size = info.group.tileSize ? info.group.tileSize : width;
  unsigned first = threadOf(warp, members.front().lane);
  uint32_t &arrival = warp.block->split.getTile(llvm::Log2_32(size), first);
  SyncClock &clock = warp.block->clock;
  if (info.kind == CollectiveKind::Arrive) {
    if (arrival)
      return faultSplit(warp, inst, "follows another without a wait between");
    arrival = clock.arrive();
    return true;
  }
  if (!arrival)
    return faultSplit(warp, inst, "follows no arrive");
  clock.waitTile(first, size, arrival);
  arrival = 0;
  return true;
}

/// What a warp has done at the barrier of a group of several warps.
static SplitBarrier::WarpState &getState(const Warp &warp,
                                         const GroupInfo &group) {
  SplitBarrier &split = warp.block->split;
  if (group.isWarps())
    return split.getWarp(group.first, group.tileSize, warp.index);
  unsigned level = group.isBlock() ? 0 : llvm::Log2_32(group.tileSize);
  return split.getWarp(level, warp.index);
}

static llvm::StringRef getKindName(const GroupInfo &group) {
  return group.isBlock() ? "block" : group.isWarps() ? "group" : "tile";
}

/// The warps of the block, or of the part of it that `warp` is in.
static llvm::MutableArrayRef<Warp> getPeers(Warp &warp, const GroupInfo &group,
                                            unsigned width) {
  llvm::MutableArrayRef<Warp> all = warp.block->warps;
  if (group.isBlock())
    return all;
  unsigned count = llvm::divideCeil(group.tileSize, width);
  unsigned first =
      group.isWarps() ? group.first / width : warp.index / count * count;
  return all.drop_front(first).take_front(count);
}

bool Machine::splitWide(Warp &warp, const Inst &inst, bool &passes) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  Block &block = *warp.block;
  if (uint64_t missing = warp.existing & ~warp.active()) {
    unsigned lane = std::countr_zero(missing);
    fault(FaultKind::Divergence, inst, warp, std::countr_zero(warp.active()),
          info.group.str() + "." + info.name +
              " is not reached by every thread of the " +
              getKindName(info.group));
    addNote(kernel.places[inst.place].place,
            describeThread(block, threadOf(warp, lane)) +
                (warp.returned >> lane & 1 ? " has left the kernel"
                                           : " took another path"));
    return false;
  }
  SplitBarrier::WarpState &state = getState(warp, info.group);
  bool hasArrived = state.arrivals != state.waits;
  if (info.kind == CollectiveKind::Wait)
    return hasArrived ? waitForWarps(warp, inst, passes)
                      : faultSplit(warp, inst, "follows no arrive");
  if (hasArrived)
    return faultSplit(warp, inst, "follows another without a wait between");
  state.times[++state.arrivals % 2] = block.clock.arrive();
  passes = true;
  return true;
}

bool Machine::waitForWarps(Warp &warp, const Inst &inst, bool &passes) {
  const GroupInfo &group = kernel.collectives[inst.info].group;
  Block &block = *warp.block;
  llvm::MutableArrayRef<Warp> warps = getPeers(warp, group, width);
  SplitBarrier::WarpState &state = getState(warp, group);
  uint32_t phase = state.waits + 1;
  for (Warp &other : warps) {
    if (getState(other, group).arrivals >= phase)
      continue;
    if (other.state == Warp::State::Running)
      return true;
    bool isDone = other.state == Warp::State::Done;
    faultSplit(warp, inst, "waits for a thread that does not arrive");
    addNote(kernel.places[(isDone ? inst : kernel.code[other.pc]).place].place,
            describeThread(block, other.firstThread) +
                (isDone ? " has left the kernel" : " waits here"));
    return false;
  }
  for (Warp &other : warps)
    block.clock.waitWarp(warp.index, other.index,
                         getState(other, group).times[phase % 2]);
  ++state.waits;
  passes = true;
  return true;
}
