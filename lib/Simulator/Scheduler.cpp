//===- Scheduler.cpp - Steps waves in turn --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace coll::sim;
using namespace llvm;

/// Instructions of a wave before the next one's turn.
static constexpr unsigned turnLength = 64;

const DecodedInst *InstructionCache::decode(uint64_t pc, uint64_t index) {
  // The longest instruction has 20 bytes.
  uint64_t size = std::min<uint64_t>(20, code.end - pc);
  const uint8_t *bytes = memory.find(pc, size);
  if (!bytes)
    return nullptr;
  entries[index] = decoder.decode(ArrayRef<uint8_t>(bytes, size), pc);
  return entries[index].get();
}

Scheduler::Scheduler(Launch &launch, InstructionCache &cache,
                     const Dispatch &dispatch)
    : launch(launch), cache(cache), dispatch(dispatch),
      random(launch.options.scheduleSeed) {
  const LaunchOptions &options = launch.options;
  numGroups = uint64_t(options.grid[0]) * options.grid[1] * options.grid[2];
  unsigned threads = options.block[0] * options.block[1] * options.block[2];
  wavesPerGroup =
      static_cast<unsigned>(divideCeil(threads, launch.chip.getWaveSize()));
}

void Scheduler::start(Slot &slot, unsigned slotNumber, uint64_t groupNumber) {
  const std::array<uint32_t, 3> &grid = launch.options.grid;
  Workgroup &group = slot.group;
  group.id = {static_cast<uint32_t>(groupNumber % grid[0]),
              static_cast<uint32_t>(groupNumber / grid[0] % grid[1]),
              static_cast<uint32_t>(groupNumber / grid[0] / grid[1])};
  size_t ldsBytes = launch.kernel.ldsBytes + launch.options.dynamicLDSBytes;
  group.lds.assign(ldsBytes, 0);
  group.ldsInitialized.assign(ldsBytes, 0);
  group.numWaves = wavesPerGroup;
  group.numEnded = group.numArrived = 0;
  group.barrierPhase = 0;
  for (unsigned i = 0; i != wavesPerGroup; ++i) {
    std::unique_ptr<uint32_t[]> registers;
    if (!registerPool.empty())
      registers = registerPool.pop_back_val();
    slot.waves.push_back(
        std::make_unique<Wave>(launch, group, i, std::move(registers)));
    dispatch.initialize(*slot.waves.back(), slotNumber * wavesPerGroup + i);
  }
}

void Scheduler::finish(Slot &slot) {
  for (std::unique_ptr<Wave> &wave : slot.waves)
    registerPool.push_back(std::move(wave->vgprs));
  slot.waves.clear();
}

void Scheduler::run() {
  unsigned numSlots = static_cast<unsigned>(
      std::min<uint64_t>(launch.options.residentGroups, numGroups));
  for (unsigned i = 0; i != numSlots; ++i) {
    slots.push_back(std::make_unique<Slot>());
    start(*slots.back(), i, nextGroup++);
  }
  unsigned numRunning = numSlots;
  while (numRunning != 0) {
    bool hasProgress = false;
    for (auto [number, slot] : enumerate(slots)) {
      if (slot->waves.empty())
        continue;
      hasProgress |= step(*slot);
      if (launch.fault)
        return;
      if (slot->group.numEnded != wavesPerGroup)
        continue;
      finish(*slot);
      if (nextGroup != numGroups)
        start(*slot, static_cast<unsigned>(number), nextGroup++);
      else
        --numRunning;
    }
    if (!hasProgress)
      return reportDeadlock();
  }
}

bool Scheduler::step(Slot &slot) {
  SmallVector<Wave *, 32> order;
  for (std::unique_ptr<Wave> &wave : slot.waves)
    order.push_back(wave.get());
  bool isRandom = launch.options.scheduleSeed != 0;
  if (isRandom)
    std::shuffle(order.begin(), order.end(), random);
  bool hasProgress = false;
  for (Wave *wave : order) {
    unsigned quantum = isRandom ? 1 + random() % turnLength : turnLength;
    hasProgress |= runWave(*wave, quantum);
    if (launch.fault)
      break;
  }
  return hasProgress;
}

/// A wave waits for the barrier while the phase in which it signalled lasts.
static bool isWaiting(Wave &wave) {
  if (wave.status != WaveStatus::AtBarrier)
    return false;
  if (wave.group.barrierPhase < wave.signalledPhase)
    return true;
  wave.status = WaveStatus::Running;
  return false;
}

void Scheduler::count(const Wave &wave, const DecodedInst &inst) {
  Statistics &statistics = launch.statistics;
  ++statistics.instructions;
  ++statistics.byClass[static_cast<unsigned>(inst.instClass)];
  if (inst.instClass >= InstClass::VALU && inst.instClass < InstClass::Other) {
    statistics.laneInstructions +=
        static_cast<unsigned>(popcount(wave.getExec()));
    statistics.dpp += inst.isDPP();
  }
}

/// Both halves of a dual instruction read before either writes.
static void executeDual(Wave &wave, const DecodedInst &inst) {
  const DecodedInst &second = *inst.second;
  const Operand &def = inst.getDef();
  bool readsDef = any_of(second.getSources(), [&](const Operand &source) {
    return source.isVGPR() && source.index == def.index;
  });
  if (!readsDef) {
    inst.handler(wave, inst);
    second.handler(wave, second);
    return;
  }
  uint32_t *lanes = wave.getVGPR(def.index);
  uint64_t oldInit = wave.vgprInit[def.index];
  SmallVector<uint32_t, 64> values(lanes, lanes + 64);
  inst.handler(wave, inst);
  std::swap_ranges(values.begin(), values.end(), lanes);
  std::swap(oldInit, wave.vgprInit[def.index]);
  second.handler(wave, second);
  copy(values, lanes);
  wave.vgprInit[def.index] = oldInit;
}

void Scheduler::execute(Wave &wave, const DecodedInst &inst) {
  if (inst.second)
    executeDual(wave, inst);
  else
    inst.handler(wave, inst);
}

bool Scheduler::runWave(Wave &wave, unsigned quantum) {
  if (wave.status == WaveStatus::Ended || isWaiting(wave))
    return false;
  Statistics &statistics = launch.statistics;
  raw_ostream *traceStream = launch.options.trace;
  wave.yields = false;
  for (unsigned i = 0; i != quantum; ++i) {
    const DecodedInst *inst = cache.fetch(wave.pc);
    wave.current = inst;
    if (!inst) {
      wave.fault(FaultKind::BadProgramCounter,
                 "there is no instruction at address 0x" +
                     utohexstr(wave.pc, /*LowerCase=*/true));
      return true;
    }
    if (!inst->handler) {
      wave.fault(FaultKind::UnknownInstruction,
                 "the simulator does not know the instruction '" +
                     Twine(inst->mnemonic) + "'");
      return true;
    }
    wave.pc += inst->size;
    count(wave, *inst);
    ++launch.clock;
    if (wave.waits.isBusy())
      checkOutstanding(wave, *inst);
    if (wave.chip.needsWaitStates())
      checkHazards(wave, *inst);
    if (traceStream) {
      TraceRecord record(wave, *inst);
      execute(wave, *inst);
      record.print(*traceStream, wave);
    } else {
      execute(wave, *inst);
    }
    if (launch.fault || wave.status != WaveStatus::Running || wave.yields)
      return true;
  }
  if (statistics.instructions > launch.options.instructionLimit)
    wave.fault(FaultKind::InstructionLimit,
               "the launch executed more than " +
                   Twine(launch.options.instructionLimit) + " instructions");
  return true;
}

void Scheduler::reportDeadlock() {
  for (std::unique_ptr<Slot> &slot : slots) {
    for (std::unique_ptr<Wave> &wave : slot->waves) {
      if (wave->status != WaveStatus::AtBarrier)
        continue;
      wave->fault(FaultKind::Deadlock,
                  "no wave can go on: this one waits at a barrier that " +
                      Twine(wave->group.numArrived) + " of " +
                      Twine(wave->group.numWaves) + " waves have reached");
      return;
    }
  }
}
