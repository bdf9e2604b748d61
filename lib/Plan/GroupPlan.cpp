//===- GroupPlan.cpp - How warps or blocks work together ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/GroupPlan.h"
#include <utility>

using namespace coll;

void GroupPlan::addInside(std::string text) {
  steps.push_back({GroupStep::Kind::Inside, std::move(text), {}});
}

void GroupPlan::addBarrier(std::string text) {
  steps.push_back({GroupStep::Kind::Barrier, std::move(text), {}});
}

void GroupPlan::addStore(std::string text,
                         llvm::function_ref<bool(unsigned)> isStored) {
  GroupStep step{GroupStep::Kind::Store, std::move(text), {}};
  step.sources.resize(numUnits);
  for (unsigned unit = 0; unit != numUnits; ++unit)
    if (isStored(unit))
      step.sources[unit].push_back(unit);
  steps.push_back(std::move(step));
}

void GroupPlan::addRead(std::string text,
                        llvm::function_ref<bool(unsigned, unsigned)> isRead) {
  GroupStep step{GroupStep::Kind::Read, std::move(text), {}};
  step.sources.resize(numUnits);
  for (unsigned reader = 0; reader != numUnits; ++reader)
    for (unsigned source = 0; source != numUnits; ++source)
      if (isRead(reader, source))
        step.sources[reader].push_back(source);
  steps.push_back(std::move(step));
}
