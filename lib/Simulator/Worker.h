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
  /// Its resident groups have the numbers from `firstSlot` on among all.
  Worker(const Launch &launch, InstructionCache &cache,
         const Dispatch &dispatch, LaunchQueue &queue, unsigned firstSlot,
         unsigned numSlots);

  /// Returns when the queue has no more groups and its own have ended.
  void run();
  const Statistics &getStatistics() const { return launch.statistics; }

private:
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
