//===- Scheduler.h - Steps waves in turn ------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_SCHEDULER_H
#define COLL_LIB_SIMULATOR_SCHEDULER_H

#include "CodeObject.h"
#include "Decoder.h"
#include "Dispatch.h"

namespace coll::sim {

/// The decoded instructions of a code object, by address.
class InstructionCache {
public:
  InstructionCache(const Decoder &decoder, const DeviceMemory &memory,
                   AddressRange code)
      : decoder(decoder), memory(memory), code(code),
        entries((code.end - code.begin) / 4) {}

  /// Null if there is no instruction at `pc`.
  const DecodedInst *fetch(uint64_t pc) {
    uint64_t index = (pc - code.begin) / 4;
    if (pc < code.begin || index >= entries.size() || pc % 4 != 0)
      return nullptr;
    if (const DecodedInst *inst = entries[index].get())
      return inst;
    return decode(pc, index);
  }

private:
  const DecodedInst *decode(uint64_t pc, uint64_t index);

  const Decoder &decoder;
  const DeviceMemory &memory;
  AddressRange code;
  std::vector<std::unique_ptr<DecodedInst>> entries;
};

/// Runs all workgroups of a launch: some are resident and stepped in turn, so
/// that a wave may poll what another one writes.
class Scheduler {
public:
  Scheduler(Launch &launch, InstructionCache &cache, const Dispatch &dispatch);
  /// Returns at the end or at the first fault.
  void run();

private:
  struct Slot {
    Workgroup group;
    std::vector<std::unique_ptr<Wave>> waves;
  };
  void start(Slot &slot, unsigned slotNumber, uint64_t groupNumber);
  void finish(Slot &slot);
  /// True if some wave of the slot took a step.
  bool step(Slot &slot);
  bool runWave(Wave &wave, unsigned quantum);
  void execute(Wave &wave, const DecodedInst &inst);
  void count(const Wave &wave, const DecodedInst &inst);
  void reportDeadlock();

  Launch &launch;
  InstructionCache &cache;
  const Dispatch &dispatch;
  std::vector<std::unique_ptr<Slot>> slots;
  llvm::SmallVector<std::unique_ptr<uint32_t[]>, 0> registerPool;
  std::mt19937_64 random;
  uint64_t nextGroup = 0, numGroups;
  unsigned wavesPerGroup;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_SCHEDULER_H
