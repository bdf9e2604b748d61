//===- State.cpp - The devices behind the simulated HIP runtime -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace coll;
using namespace coll::hipsim;
using namespace llvm;

int &hipsim::getCurrentIndex() {
  static thread_local int index = 0;
  return index;
}

static StringRef getVariable(const char *name, StringRef otherwise) {
  const char *text = std::getenv(name);
  return text && *text ? StringRef(text) : otherwise;
}

/// False, and a text in `error`, if the variable is no number.
static bool readNumber(const char *name, uint64_t &value, std::string &error) {
  StringRef text = getVariable(name, "");
  if (text.empty() || !text.getAsInteger(0, value))
    return true;
  error = (Twine(name) + " is '" + text + "', which is no number").str();
  return false;
}

State::State() {
  uint64_t memoryBytes = uint64_t(4) << 30;
  if (!readNumber("COLL_SIM_MEMORY", memoryBytes, initError) ||
      !readNumber("COLL_SIM_SCHEDULE", scheduleSeed, initError) ||
      !readNumber("COLL_SIM_ULP", ulpSeed, initError) ||
      !readNumber("COLL_SIM_THREADS", threads, initError))
    return;
  SmallVector<StringRef> names;
  getVariable("COLL_SIM_CHIP", "gfx942").split(names, ',');
  for (StringRef name : names) {
    Expected<Target> target = Target::parse(name);
    if (!target) {
      initError = "COLL_SIM_CHIP: " + toString(target.takeError());
      return;
    }
    if (!target->isAMD()) {
      initError =
          ("COLL_SIM_CHIP is '" + name + "', which is no AMD chip").str();
      return;
    }
    devices.emplace_back(*target, memoryBytes);
  }
}

State &State::get() {
  // Never destroyed: the library's users may free memory at exit.
  static State *state = new State();
  return *state;
}

SimDevice *State::getDevice(int index) {
  if (!initError.empty() || index < 0 || size_t(index) >= devices.size())
    return nullptr;
  return &devices[index];
}

SimDevice *State::getCurrent() { return getDevice(getCurrentIndex()); }

Function *State::findFunction(hip::hipFunction_t handle) {
  for (auto &[key, module] : modules)
    for (auto &[name, function] : module->functions)
      if (static_cast<const void *>(function.get()) == handle)
        return function.get();
  return nullptr;
}

unsigned SimDevice::getResidentGroups(const sim::KernelInfo &kernel,
                                      unsigned threads,
                                      uint64_t dynamicShared) const {
  constexpr unsigned threadsOfProcessor = 2048, mostGroups = 16;
  uint64_t shared = kernel.ldsBytes + dynamicShared;
  uint64_t groups = threadsOfProcessor / std::max(threads, 1u);
  if (shared)
    groups =
        std::min<uint64_t>(groups, target.getChip().maxSharedBytes / shared);
  return std::min<uint64_t>(groups, mostGroups);
}
