//===- Scheduler.cpp - Runs all workgroups of a launch --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "Worker.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

using namespace coll::sim;
using namespace llvm;

uint64_t coll::sim::getNumGroups(const LaunchOptions &options) {
  return SaturatingMultiply<uint64_t>(
      uint64_t(options.grid[0]) * options.grid[1], options.grid[2]);
}

Concurrency Concurrency::choose(const LaunchOptions &options) {
  uint64_t numGroups = getNumGroups(options);
  uint64_t threads = options.threads
                         ? options.threads
                         : hardware_concurrency().compute_thread_count();
  if (options.trace || options.breakpoint || options.scheduleSeed)
    threads = 1;
  uint64_t resident = options.residentGroups;
  if (resident == 0)
    resident = std::max<uint64_t>(leastResidentGroups, threads);
  if (options.isCooperative)
    resident = numGroups;
  resident = std::min(resident, numGroups);
  return {static_cast<unsigned>(std::min(threads, resident)),
          static_cast<unsigned>(resident)};
}

LaunchResult coll::sim::runGroups(const Launch &launch, InstructionCache &cache,
                                  const Dispatch &dispatch,
                                  Concurrency concurrency) {
  unsigned threads = concurrency.threads;
  LaunchQueue queue(getNumGroups(launch.options),
                    launch.options.instructionLimit, threads);
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0, slot = 0; i != threads; ++i) {
    unsigned numSlots = concurrency.residentGroups / threads +
                        (i < concurrency.residentGroups % threads);
    workers.push_back(std::make_unique<Worker>(launch, cache, dispatch, queue,
                                               i, slot, numSlots));
    slot += numSlots;
  }
  if (threads == 1) {
    workers.front()->run();
  } else {
    DefaultThreadPool pool(hardware_concurrency(threads));
    for (std::unique_ptr<Worker> &worker : workers)
      pool.async([&worker] { worker->run(); });
    pool.wait();
  }
  LaunchResult result{queue.takeFault(), Statistics()};
  for (const std::unique_ptr<Worker> &worker : workers)
    result.statistics.add(worker->getStatistics());
  return result;
}
