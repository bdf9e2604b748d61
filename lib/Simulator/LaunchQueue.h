//===- LaunchQueue.h - What the workers of a launch share -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups are started in the order of their numbers, so that one may wait
// for what those before it write.
//
// The fault of a launch is that of the first group, by number, that has one:
// groups behind it are given up, those before it run on, since they may have
// one too. As they may also wait for the group that failed, they get only
// several times the instructions that it has executed.
//
// A worker whose waves are where they were before, and that has seen no change
// of memory since, does nothing else until another one changes memory. When all
// of them have said so of the same number of changes, no wave can go on.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_LAUNCHQUEUE_H
#define COLL_LIB_SIMULATOR_LAUNCHQUEUE_H

#include "coll/Simulator/Simulator.h"
#include <atomic>
#include <mutex>

namespace coll::sim {

class LaunchQueue {
public:
  LaunchQueue(uint64_t numGroups, uint64_t instructionLimit,
              unsigned numWorkers)
      : numGroups(numGroups), instructionLimit(instructionLimit),
        turning(numWorkers) {}

  /// The number of the next group to start; none at the end.
  std::optional<uint64_t> take();

  /// After `instructions` more; false if the launch has executed too many.
  bool count(uint64_t instructions) {
    return numInstructions.fetch_add(instructions, std::memory_order_relaxed) +
               instructions <=
           instructionLimit;
  }

  /// What a wave of `group` did, which has executed so many instructions.
  void report(Fault fault, uint64_t group, uint64_t instructions);
  /// False for a group that is given up because of a fault of another one.
  bool isWanted(uint64_t group, uint64_t instructions) const {
    return group < faultGroup.load(std::memory_order_relaxed) &&
           instructions <= groupLimit.load(std::memory_order_relaxed);
  }

  /// After `count` more changes of memory, which others may see by now: how
  /// many all workers have made.
  uint64_t addChanges(uint64_t count) {
    return numChanges.fetch_add(count, std::memory_order_acq_rel) + count;
  }
  /// The waves of a worker can only change anything after somebody else does,
  /// since there were so many changes. True if that holds for all workers.
  bool isStuck(unsigned worker, uint64_t changes);
  /// Of a launch that is stuck, when it was found to be.
  struct Stuck {
    bool hasFault = false; ///< Of a group for which the others may be waiting.
    uint64_t waitingGroups = 0; ///< Those that have not started.
  };
  Stuck getStuck();
  /// A worker has no more groups.
  void leave(unsigned worker);

  /// At the end: the first group's fault.
  std::optional<Fault> takeFault() { return std::move(fault); }

private:
  uint64_t numGroups, instructionLimit;
  std::atomic<uint64_t> nextGroup = 0, numInstructions = 0, numChanges = 0;
  std::atomic<uint64_t> faultGroup = ~uint64_t(0), groupLimit = ~uint64_t(0);
  std::mutex lock; ///< Of `fault`, of `turning`, and changes of the two before.
  std::optional<Fault> fault;
  /// Of each worker: it has left, or changes nothing since there were so many
  /// changes.
  struct Turning {
    bool hasLeft = false;
    std::optional<uint64_t> since;
  };
  std::vector<Turning> turning;
  std::optional<Stuck> stuck;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_LAUNCHQUEUE_H
