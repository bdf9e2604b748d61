//===- Progress.cpp - Launches in which no wave can go on -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves are stepped in the same order and for as many instructions each time,
// so that waves which are where they were before, with the same registers and
// the same memory, go round and round. States are noted after 16, 32, 64, …
// rounds without a change of memory, and compared with those after each round.
// So no launch that would end is given up. Not in random schedules, in which
// the same state is no sign of that.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace coll::sim;
using namespace llvm;

/// Rounds without a change before the first look.
static constexpr uint64_t firstLook = 16;

static ArrayRef<uint8_t> getBytes(ArrayRef<uint64_t> words) {
  return {reinterpret_cast<const uint8_t *>(words.data()),
          words.size() * sizeof(uint64_t)};
}

/// Where the waves are: what differs first.
uint64_t Worker::hashPlaces() const {
  SmallVector<uint64_t, 64> words;
  for (const std::unique_ptr<Slot> &slot : slots)
    for (const std::unique_ptr<Wave> &wave : slot->waves) {
      words.push_back(wave->pc);
      words.push_back(static_cast<uint64_t>(wave->status));
      words.push_back(wave->getExec());
    }
  return xxh3_64bits(getBytes(words));
}

/// Registers that were written, and the barrier as the wave sees it. Counters
/// and hazards decide about faults only.
static void addWave(const Wave &wave, SmallVectorImpl<uint64_t> &words) {
  words.push_back(wave.pc);
  words.push_back(static_cast<uint64_t>(wave.status));
  if (wave.status == WaveStatus::Ended)
    return;
  words.push_back(wave.scc);
  words.push_back(wave.mode);
  words.push_back(wave.signalledPhase - wave.group.barrierPhase);
  words.push_back(wave.group.numArrived);
  auto add = [&](const uint32_t *registers, size_t count) {
    XXH128_hash_t hash =
        xxh3_128bits({reinterpret_cast<const uint8_t *>(registers),
                      count * sizeof(uint32_t)});
    words.append({hash.low64, hash.high64});
  };
  add(wave.scalars, numScalars);
  for (unsigned i = 0; i != Wave::numVGPRs; ++i)
    if (wave.vgprInit[i])
      add(wave.getVGPR(i), 64);
}

Worker::Hash Worker::hashState() const {
  SmallVector<uint64_t, 0> words;
  for (const std::unique_ptr<Slot> &slot : slots)
    for (const std::unique_ptr<Wave> &wave : slot->waves)
      addWave(*wave, words);
  XXH128_hash_t hash = xxh3_128bits(getBytes(words));
  return {hash.low64, hash.high64};
}

bool Worker::isStuck() {
  if (launch.options.scheduleSeed)
    return false;
  uint64_t changes = queue.addChanges(launch.changes - toldChanges);
  toldChanges = launch.changes;
  if (watch.changes != changes) {
    watch = Watch();
    watch.changes = changes;
    return false;
  }
  uint64_t round = ++watch.rounds;
  if (round < firstLook)
    return false;
  if (!watch.isTurning && isPowerOf2_64(round)) {
    watch.places = hashPlaces();
    watch.state = hashState();
    for (std::unique_ptr<Slot> &slot : slots)
      for (std::unique_ptr<Wave> &wave : slot->waves)
        wave->look = nullptr;
    return false;
  }
  if (!watch.isTurning)
    watch.isTurning =
        hashPlaces() == watch.places && hashState() == watch.state;
  return watch.isTurning && queue.isStuck(number, changes);
}

/// A wave that looks at memory, else one that has not ended.
static Wave *findStuck(ArrayRef<std::unique_ptr<Wave>> waves) {
  Wave *found = nullptr;
  for (const std::unique_ptr<Wave> &wave : waves)
    if (wave->status != WaveStatus::Ended &&
        (!found || (wave->look && !found->look)))
      found = wave.get();
  return found;
}

/// Who waits for a group that has a fault is not at fault.
void Worker::reportStuck() {
  LaunchQueue::Stuck stuck = queue.getStuck();
  uint64_t waiting = stuck.waitingGroups;
  std::string more;
  if (waiting)
    more = "; " + std::to_string(waiting) +
           (waiting == 1 ? " workgroup has" : " workgroups have") +
           " not started";
  for (std::unique_ptr<Slot> &slot : slots) {
    Wave *wave = findStuck(slot->waves);
    if (wave && !stuck.hasFault) {
      if (wave->look)
        wave->current = wave->look;
      wave->fault(FaultKind::Deadlock,
                  Twine("no wave can go on: this one ") +
                      (wave->look ? "looks at memory again and again, and no "
                                    "wave is left that could change it"
                                  : "goes round a loop without end") +
                      more);
      queue.report(std::move(*launch.fault), slot->groupNumber,
                   slot->instructions);
      launch.fault.reset();
    }
    finish(*slot);
  }
}
