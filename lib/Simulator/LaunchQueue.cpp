//===- LaunchQueue.cpp - What the workers of a launch share ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchQueue.h"
#include "llvm/Support/MathExtras.h"

using namespace coll::sim;
using namespace llvm;

std::optional<uint64_t> LaunchQueue::take() {
  uint64_t group = nextGroup.fetch_add(1, std::memory_order_relaxed);
  if (group >= numGroups || !isWanted(group, 0))
    return std::nullopt;
  return group;
}

void LaunchQueue::report(Fault newFault, uint64_t group,
                         uint64_t instructions) {
  // More than groups that do the same work differ by.
  constexpr uint64_t factor = 4, least = 1 << 20;
  std::lock_guard guard(lock);
  if (group >= faultGroup)
    return;
  fault = std::move(newFault);
  faultGroup = group;
  groupLimit = SaturatingAdd(SaturatingMultiply(factor, instructions), least);
}

bool LaunchQueue::isStuck(unsigned worker, uint64_t changes) {
  std::lock_guard guard(lock);
  turning[worker].since = changes;
  bool isAll = numChanges.load(std::memory_order_acquire) == changes &&
               all_of(turning, [&](const Turning &other) {
                 return other.hasLeft || other.since == changes;
               });
  if (isAll && !stuck)
    stuck = {fault.has_value(),
             numGroups - std::min(numGroups, nextGroup.load())};
  return isAll;
}

LaunchQueue::Stuck LaunchQueue::getStuck() {
  std::lock_guard guard(lock);
  return stuck.value_or(Stuck());
}

void LaunchQueue::leave(unsigned worker) {
  std::lock_guard guard(lock);
  turning[worker].hasLeft = true;
}
