//===- Worker.h - Steps the waves of resident workgroups --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_WORKER_H
#define COLL_LIB_SIMULATOR_WORKER_H

#include "Dispatch.h"
#include "InstructionCache.h"
#include "LaunchQueue.h"
#include <random>

namespace coll::sim {

/// One thread of a launch: takes workgroups from the queue and steps those that
/// are resident on it in turn.
class Worker {
public:
  /// Its resident groups have the numbers from `firstSlot` on among all;
  /// `number` is its own among the workers.
  Worker(const Launch &launch, InstructionCache &cache,
         const Dispatch &dispatch, LaunchQueue &queue, unsigned number,
         unsigned firstSlot, unsigned numSlots);

  /// Returns when the queue has no more groups and its own have ended.
  void run();
  const Statistics &getStatistics() const { return launch.statistics; }

private:
  using Hash = std::array<uint64_t, 2>;
  /// A place for a resident workgroup.
  struct Slot {
    unsigned number; ///< Among those of all workers.
    uint64_t groupNumber = 0;
    uint64_t instructions = 0; ///< That its group has executed.
    Workgroup group;
    std::vector<std::unique_ptr<Wave>> waves; ///< Empty: none is resident.
  };
  /// False if there are no more groups.
  bool start(Slot &slot);
  void finish(Slot &slot);
  /// Steps the waves of the slot's group, and finds out whether it has ended.
  void step(Slot &slot);
  /// False if no wave can go on.
  bool stepWaves(Slot &slot);
  bool runWave(Wave &wave, unsigned quantum);
  void execute(Wave &wave, const DecodedInst &inst);
  void count(const Wave &wave, const DecodedInst &inst);
  void reportDeadlock(const Slot &slot);
  void reportLimit(const Slot &slot);

  // Launches that never end: Progress.cpp.
  /// After a turn of each group: whether no wave of the launch can go on.
  bool isStuck();
  uint64_t hashPlaces() const;
  Hash hashState() const;
  /// Gives all resident groups up.
  void reportStuck();

  /// Notices that the worker's waves are where they were before, with the same
  /// memory: then they go round and round.
  struct Watch {
    uint64_t changes = 0;   ///< Of memory by anyone, when the rounds began.
    uint64_t rounds = 0;    ///< Turns of all groups since.
    bool isTurning = false; ///< A state has come again.
    uint64_t places = 0;    ///< Of the noted state, to compare first.
    Hash state;
  };

  unsigned number;
  Watch watch;
  uint64_t toldChanges = 0; ///< Of launch.changes, those the queue knows.
  /// The worker's own, for its statistics, clock and fault.
  Launch launch;
  InstructionCache &cache;
  const Dispatch &dispatch;
  LaunchQueue &queue;
  std::vector<std::unique_ptr<Slot>> slots;
  /// VGPRs of waves that have ended.
  llvm::SmallVector<std::unique_ptr<uint32_t[]>, 0> registerPool;
  std::mt19937_64 random;
  unsigned wavesPerGroup;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_WORKER_H
