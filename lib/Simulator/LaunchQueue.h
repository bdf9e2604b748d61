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
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_LAUNCHQUEUE_H
#define COLL_LIB_SIMULATOR_LAUNCHQUEUE_H

#include "coll/Simulator/Simulator.h"
#include <atomic>
#include <mutex>

namespace coll::sim {

class LaunchQueue {
public:
  LaunchQueue(uint64_t numGroups, uint64_t instructionLimit)
      : numGroups(numGroups), instructionLimit(instructionLimit) {}

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

  /// At the end: the first group's fault.
  std::optional<Fault> takeFault() { return std::move(fault); }

private:
  uint64_t numGroups, instructionLimit;
  std::atomic<uint64_t> nextGroup = 0, numInstructions = 0;
  std::atomic<uint64_t> faultGroup = ~uint64_t(0), groupLimit = ~uint64_t(0);
  std::mutex lock; ///< Of `fault` and changes of the two before.
  std::optional<Fault> fault;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_LAUNCHQUEUE_H
