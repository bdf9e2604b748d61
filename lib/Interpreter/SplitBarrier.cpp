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
    tileStates[level].assign((threads >> level) + 1, TileState());
}

std::optional<uint32_t> SplitBarrier::findPending(unsigned warp, unsigned first,
                                                  unsigned count) const {
  auto isPending = [&](const std::vector<WarpState> &states) {
    return warp < states.size() && states[warp].arrivals != states[warp].waits;
  };
  for (const std::vector<WarpState> &states : warpStates)
    if (isPending(states))
      return states[warp].inst;
  for (const auto &[range, states] : rangeStates)
    if (isPending(states))
      return states[warp].inst;
  for (unsigned level = 0; level != levels; ++level)
    for (unsigned i = first >> level; i << level < first + count; ++i)
      if (tileStates[level][i].time)
        return tileStates[level][i].inst;
  return std::nullopt;
}

bool Machine::faultSplit(const Warp &warp, const Inst &inst,
                         const llvm::Twine &what) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  return fault(FaultKind::BadOperand, inst, warp,
               std::countr_zero(warp.masks[activeMask]),
               info.name + " " + what);
}

/// The lanes of a warp-level group execute both halves together.
bool Machine::splitTile(llvm::ArrayRef<Member> members, const Inst &inst) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  Warp &warp = *members.front().warp;
  unsigned size = info.group.tileSize ? info.group.tileSize : width;
  unsigned first = threadOf(warp, members.front().lane);
  SplitBarrier::TileState &state =
      warp.block->split.getTile(llvm::Log2_32(size), first);
  SyncClock &clock = warp.block->clock;
  if (info.kind == CollectiveKind::Arrive) {
    if (state.time)
      return faultSplit(warp, inst, "follows another without a wait between");
    state = {clock.arrive(), uint32_t(&inst - kernel.code.data())};
    ++changes;
    return true;
  }
  if (!state.time)
    return faultSplit(warp, inst, "follows no arrive");
  clock.waitTile(first, size, state.time);
  state.time = 0;
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

bool Machine::splitWide(Warp &warp, const Inst &inst) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  Block &block = *warp.block;
  if (uint64_t missing = warp.existing & ~warp.active()) {
    unsigned lane = std::countr_zero(missing);
    fault(FaultKind::Divergence, inst, warp, std::countr_zero(warp.active()),
          info.name + " is not reached by every thread of the " +
              getKindName(info.group));
    addNote(kernel.places[inst.place].place,
            describeThread(block, threadOf(warp, lane)) +
                (warp.returned >> lane & 1 ? " has left the kernel"
                                           : " took another path"));
    return false;
  }
  SplitBarrier::WarpState &state = getState(warp, info.group);
  bool waits = state.arrivals != state.waits;
  if (info.kind == CollectiveKind::Wait) {
    if (!waits)
      return faultSplit(warp, inst, "follows no arrive");
    warp.state = Warp::State::Waiting;
    return true;
  }
  if (waits)
    return faultSplit(warp, inst, "follows another without a wait between");
  state.times[++state.arrivals % 2] = block.clock.arrive();
  state.inst = &inst - kernel.code.data();
  ++changes;
  return true;
}

bool Machine::checkWaits(const Warp &warp) {
  std::optional<uint32_t> pending = warp.block->split.findPending(
      warp.index, warp.firstThread, std::popcount(warp.existing));
  if (!pending)
    return true;
  const Inst &arrival = kernel.code[*pending];
  const CollectiveInfo &info = kernel.collectives[arrival.info];
  return fault(FaultKind::BadOperand, arrival, warp, 0,
               info.name + " has no wait before the kernel ends");
}

bool Machine::hasArrived(const Warp &waiting, const Warp &other) const {
  const GroupInfo &group = getGroup(waiting);
  return getState(other, group).arrivals > getState(waiting, group).waits;
}

void Machine::endWait(Warp &waiting, llvm::ArrayRef<Warp *> warps) {
  const GroupInfo &group = getGroup(waiting);
  uint32_t phase = ++getState(waiting, group).waits;
  for (const Warp *other : warps)
    waiting.block->clock.waitWarp(waiting.index, other->index,
                                  getState(*other, group).times[phase % 2]);
}

void Machine::reportNoArrival(const Warp &waiting, const Warp &other) {
  const Inst &inst = kernel.code[waiting.pc];
  bool isDone = other.state == Warp::State::Done;
  faultSplit(waiting, inst, "waits for a thread that does not arrive");
  addNote(kernel.places[(isDone ? inst : kernel.code[other.pc]).place].place,
          describeThread(*other.block, other.firstThread) +
              (isDone ? " has left the kernel" : " waits here"));
}
