//===- Progress.cpp - Launches in which no thread can go on ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads that poll what nobody will write go round their loops without end.
// After some rounds in which no memory has changed, the state of all warps is
// noted, and compared with that of the rounds that follow. Where it is the same
// again, with the same memory, the launch never ends, so that no program which
// would end is reported. What the loops do not depend on is no part of the
// state, such as a count of their trips. A loop that does something else after
// so many of them runs into the limit of instructions.
//
// States are noted after 16, 32, 64, … rounds, and compared for as many rounds
// as a loop of several turns may take to come round, so that it costs little.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "RelevantSlots.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace coll;
using namespace coll::ref;

/// Rounds without a change before the first look.
static constexpr uint64_t firstLook = 16;
/// How many rounds a state is compared with those that follow.
static constexpr uint64_t lookLength = 64;
/// Of the table that tells what loops depend on; all slots count in larger
/// ones.
static constexpr uint64_t maxRelevanceBits = uint64_t(1) << 28;
/// Places that a fault names besides its own.
static constexpr unsigned maxNamedPlaces = 4;

void Machine::forEachWarp(llvm::function_ref<void(Warp &)> function) {
  for (const std::unique_ptr<Gang> &gang : resident)
    for (const std::unique_ptr<Block> &block : gang->blocks)
      for (Warp &warp : block->warps)
        function(warp);
}

static llvm::ArrayRef<uint8_t> getBytes(llvm::ArrayRef<uint64_t> words) {
  return {reinterpret_cast<const uint8_t *>(words.data()),
          words.size() * sizeof(uint64_t)};
}

/// Of a warp that goes round loops which it has been in before, only what they
/// depend on. If it has left them since, the state is another.
void Machine::addState(Warp &warp, std::vector<uint64_t> &words) {
  words.push_back(static_cast<uint64_t>(warp.state));
  if (warp.state == Warp::State::Done)
    return;
  words.insert(words.end(),
               {warp.pc, warp.returned, warp.notedLoops.contains(warp.loops)});
  words.insert(words.end(), warp.masks.begin(), warp.masks.end());
  auto add = [&](llvm::ArrayRef<uint64_t> slots) {
    llvm::XXH128_hash_t hash = llvm::xxh3_128bits(getBytes(slots));
    words.insert(words.end(), {hash.low64, hash.high64});
  };
  auto [first, last] = warp.notedLoops;
  if (warp.pc < first || warp.pc > last ||
      uint64_t(last - first) * kernel.slotCount > maxRelevanceBits)
    return add(warp.slots);
  auto [known, isNew] = relevantSlots.try_emplace({first, last, warp.pc});
  if (isNew)
    known->second = findRelevantSlots(kernel, first, last, warp.pc);
  for (Slot slot : known->second)
    add({row(warp, slot), width});
}

/// Of all warps, as far as it decides what they will do. Memory is not in it.
std::array<uint64_t, 2> Machine::hashState() {
  std::vector<uint64_t> words;
  forEachWarp([&](Warp &warp) { addState(warp, words); });
  llvm::XXH128_hash_t all = llvm::xxh3_128bits(getBytes(words));
  return {all.low64, all.high64};
}

bool Machine::checkProgress() {
  if (watch.changes != changes) {
    watch = Watch();
    watch.changes = changes;
    return true;
  }
  uint64_t round = ++watch.rounds;
  if (round >= firstLook && llvm::isPowerOf2_64(round)) {
    forEachWarp([](Warp &warp) {
      warp.look = Look();
      warp.turned = 0;
      warp.noted = warp.executed;
      warp.notedLoops = std::exchange(warp.loops, CodeRange());
    });
    watch.state = hashState();
    watch.until = round + lookLength;
    return true;
  }
  if (round > watch.until || hashState() != watch.state)
    return true;
  reportNoProgress();
  return false;
}

void Machine::noteLook(Warp &warp, const Inst &inst, const Access &access,
                       const uint64_t *offsets) {
  if (access.view.space == ir::MemorySpace::Private || warp.isScratch)
    return;
  const Look &known = warp.look;
  if (!access.isAtomic && known.inst &&
      kernel.accesses[known.inst->info].isAtomic)
    return;
  uint64_t lanes = warp.active();
  warp.look = {&inst, lanes, offsets[std::countr_zero(lanes)]};
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// What a warp that cannot go on does: it looks at memory, goes round a loop
/// without that, or waits.
const Inst &Machine::findStuck(const Warp &warp) const {
  return warp.look.inst ? *warp.look.inst : kernel.code[warp.pc];
}

std::string Machine::describeStuck(const Warp &warp) const {
  if (warp.look.inst) {
    const Access &access = kernel.accesses[warp.look.inst->info];
    return "looks at " + quote(access.name) +
           describeElement(access, warp.look.offset) + " again and again";
  }
  if (warp.state == Warp::State::Waiting)
    return "waits at this " + getCollective(warp).name;
  return "goes round this loop";
}

/// A lane that is there.
static unsigned getLane(const Warp &warp) {
  uint64_t lanes = warp.look.inst ? warp.look.lanes : warp.masks[activeMask];
  return std::countr_zero(lanes ? lanes : warp.existing);
}

/// Lanes of a warp that goes round a loop which are not in it.
static uint64_t getOthers(const Warp &warp) {
  return warp.turned ? warp.existing & ~warp.returned & ~warp.turned : 0;
}

/// Who polls says most, above all who keeps others of its warp from going on.
static unsigned rankStuck(const Warp &warp) {
  return (warp.turned != 0) + (warp.look.inst != nullptr) +
         (warp.look.inst && getOthers(warp));
}

bool Machine::reportLaneWait(const Warp &warp, unsigned lane,
                             const Access &access, uint64_t offset,
                             const LaneWaits::Wait &wait) {
  std::string holder = describeThread(*warp.block, threadOf(warp, wait.holder));
  fault(FaultKind::NoProgress, *wait.taken, warp, lane,
        "waited until " + holder + " of its warp changed " +
            quote(access.name) + describeElement(access, offset) +
            "; threads of one warp must not wait for each other but in "
            "collectives");
  addNote(kernel.places[wait.changed->place].place,
          holder + " changed it here, where the other was not");
  return false;
}

void Machine::reportNoProgress() {
  std::vector<const Warp *> stuck;
  forEachWarp([&](const Warp &warp) {
    if (warp.state != Warp::State::Done)
      stuck.push_back(&warp);
  });
  llvm::stable_sort(stuck, [](const Warp *a, const Warp *b) {
    return rankStuck(*a) > rankStuck(*b);
  });
  const Warp &first = *stuck.front();
  fault(FaultKind::NoProgress, findStuck(first), first, getLane(first),
        describeStuck(first) + ", and no thread is left that could change " +
            (first.look.inst ? "it" : "that"));
  if (uint64_t others = getOthers(first))
    addNote(kernel.places[findStuck(first).place].place,
            describeThread(*first.block,
                           threadOf(first, std::countr_zero(others))) +
                " of its warp went another way and goes on only after it: "
                "threads of one warp must not wait for each other but in "
                "collectives");
  // Of warps that do the same one is named.
  llvm::SmallSetVector<const Inst *, 8> places;
  places.insert(&findStuck(first));
  for (const Warp *warp : stuck)
    if (places.size() <= maxNamedPlaces && places.insert(&findStuck(*warp)))
      addNote(kernel.places[findStuck(*warp).place].place,
              describeThread(*warp->block, threadOf(*warp, getLane(*warp))) +
                  " " + describeStuck(*warp));
  if (size_t unnamed = stuck.size() - places.size())
    addNote({},
            llvm::Twine(unnamed) + (unnamed == 1 ? " more warp does not go on"
                                                 : " more warps do not go on"));
  if (waitingBlocks)
    addNote({}, llvm::Twine(waitingBlocks) +
                    (waitingBlocks == 1 ? " block has" : " blocks have") +
                    " not started: nothing is promised about when");
}
