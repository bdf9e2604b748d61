//===- Scheduler.h - Runs all workgroups of a launch ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_SCHEDULER_H
#define COLL_LIB_SIMULATOR_SCHEDULER_H

#include "Dispatch.h"
#include "InstructionCache.h"

namespace coll::sim {

/// Of the whole grid; saturating.
uint64_t getNumGroups(const LaunchOptions &options);

/// How the workgroups of a launch share the host.
struct Concurrency {
  unsigned threads; ///< At least 1.
  /// Groups that are resident at once on all threads together: stepped in turn,
  /// so that a wave may poll what another one writes.
  unsigned residentGroups;

  /// What `options` asks for. One thread where the order of instructions
  /// matters: with a trace, and with a seed that must give the same
  /// interleaving again.
  static Concurrency choose(const LaunchOptions &options);
};

/// Runs all workgroups. `dispatch` has places for the resident ones.
LaunchResult runGroups(const Launch &launch, InstructionCache &cache,
                       const Dispatch &dispatch, Concurrency concurrency);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_SCHEDULER_H
