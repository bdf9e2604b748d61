//===- Worker.cpp - Steps the waves of resident workgroups ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <thread>

using namespace coll::sim;
using namespace llvm;

/// Instructions of a wave before the next one's turn.
static constexpr unsigned turnLength = 64;

Worker::Worker(const Launch &launch, InstructionCache &cache,
               const Dispatch &dispatch, LaunchQueue &queue, unsigned number,
               unsigned firstSlot, unsigned numSlots)
    : number(number), launch(launch), cache(cache), dispatch(dispatch),
      queue(queue), random(launch.options.scheduleSeed) {
  for (unsigned i = 0; i != numSlots; ++i) {
    slots.push_back(std::make_unique<Slot>());
    slots.back()->number = firstSlot + i;
  }
  const LaunchOptions &options = launch.options;
  unsigned threads = options.block[0] * options.block[1] * options.block[2];
  wavesPerGroup =
      static_cast<unsigned>(divideCeil(threads, launch.chip.getWaveSize()));
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

bool Worker::start(Slot &slot) {
  std::optional<uint64_t> number = queue.take();
  if (!number)
    return false;
  slot.groupNumber = *number;
  slot.instructions = 0;
  ++launch.changes;
  const std::array<uint32_t, 3> &grid = launch.options.grid;
  Workgroup &group = slot.group;
  group.id = {static_cast<uint32_t>(*number % grid[0]),
              static_cast<uint32_t>(*number / grid[0] % grid[1]),
              static_cast<uint32_t>(*number / grid[0] / grid[1])};
  // LDS is allocated in larger units, and LLVM reads a last byte with its
  // dword.
  size_t ldsBytes =
      llvm::alignTo<4>(launch.kernel.ldsBytes + launch.options.dynamicLDSBytes);
  group.lds.assign(ldsBytes, 0);
  group.ldsInitialized.assign(ldsBytes, 0);
  group.barrierStores.reset(ldsBytes, wavesPerGroup);
  group.numWaves = wavesPerGroup;
  group.numEnded = group.numArrived = 0;
  group.barrierPhase = 0;
  for (unsigned i = 0; i != wavesPerGroup; ++i) {
    std::unique_ptr<uint32_t[]> registers;
    if (!registerPool.empty())
      registers = registerPool.pop_back_val();
    slot.waves.push_back(
        std::make_unique<Wave>(launch, group, i, std::move(registers)));
    dispatch.initialize(*slot.waves.back(), slot.number * wavesPerGroup + i);
  }
  return true;
}

void Worker::finish(Slot &slot) {
  for (std::unique_ptr<Wave> &wave : slot.waves)
    registerPool.push_back(std::move(wave->vgprs));
  slot.waves.clear();
}

void Worker::run() {
  bool hasMore = true;
  for (std::unique_ptr<Slot> &slot : slots)
    hasMore = hasMore && start(*slot);
  unsigned numRunning =
      count_if(slots, [](const auto &slot) { return !slot->waves.empty(); });
  while (numRunning != 0) {
    for (std::unique_ptr<Slot> &slot : slots) {
      if (slot->waves.empty())
        continue;
      step(*slot);
      if (!slot->waves.empty())
        continue;
      hasMore = hasMore && start(*slot);
      numRunning -= slot->waves.empty();
    }
    if (isStuck()) {
      reportStuck();
      break;
    }
    // What is polled for may be for another thread to write.
    std::this_thread::yield();
  }
  queue.addChanges(launch.changes - toldChanges);
  queue.leave(number);
}

void Worker::step(Slot &slot) {
  uint64_t before = launch.statistics.instructions;
  bool hasProgress = stepWaves(slot);
  uint64_t executed = launch.statistics.instructions - before;
  slot.instructions += executed;
  // Only the group's own waves can complete a barrier.
  bool hasEnded = slot.group.numEnded == wavesPerGroup;
  if (!hasProgress && !hasEnded)
    reportDeadlock(slot);
  if (!queue.count(executed) && !hasEnded)
    reportLimit(slot);
  if (launch.fault) {
    queue.report(std::move(*launch.fault), slot.groupNumber, slot.instructions);
    launch.fault.reset();
    hasEnded = true;
  }
  if (hasEnded || !queue.isWanted(slot.groupNumber, slot.instructions))
    finish(slot);
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

bool Worker::stepWaves(Slot &slot) {
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

void Worker::count(const Wave &wave, const DecodedInst &inst) {
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

void Worker::execute(Wave &wave, const DecodedInst &inst) {
  if (inst.second)
    executeDual(wave, inst);
  else
    inst.handler(wave, inst);
}

bool Worker::runWave(Wave &wave, unsigned quantum) {
  if (wave.status == WaveStatus::Ended || isWaiting(wave))
    return false;
  bool isObserved = launch.options.trace || launch.options.breakpoint;
  wave.yields = false;
  for (unsigned i = 0; i != quantum; ++i) {
    const DecodedInst *inst = cache.fetch(wave.pc);
    wave.current = inst;
    if (!inst) {
      wave.fault(FaultKind::BadProgramCounter,
                 "there is no instruction at address 0x" +
                     utohexstr(wave.pc, /*LowerCase=*/true));
      break;
    }
    wave.noteExecuted(inst->address);
    if (!inst->handler) {
      wave.fault(FaultKind::UnknownInstruction,
                 "the simulator does not know the instruction '" +
                     Twine(inst->mnemonic) + "'");
      break;
    }
    if (isObserved)
      stopAtBreakpoint(wave, *inst);
    wave.pc += inst->size;
    count(wave, *inst);
    ++launch.clock;
    if (wave.waits.isBusy())
      checkOutstanding(wave, *inst);
    if (wave.chip.needsWaitStates())
      checkHazards(wave, *inst);
    if (isObserved && launch.options.trace) {
      TraceRecord record(wave, *inst);
      execute(wave, *inst);
      record.print(*launch.options.trace, wave);
    } else {
      execute(wave, *inst);
    }
    if (launch.fault || wave.status != WaveStatus::Running || wave.yields)
      break;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

void Worker::reportDeadlock(const Slot &slot) {
  auto waiting = find_if(slot.waves, [](const std::unique_ptr<Wave> &wave) {
    return wave->status == WaveStatus::AtBarrier;
  });
  if (waiting == slot.waves.end())
    return;
  (*waiting)->fault(FaultKind::Deadlock,
                    "no wave can go on: this one waits at a barrier that " +
                        Twine(slot.group.numArrived) + " of " +
                        Twine(slot.group.numWaves) + " waves have reached");
}

void Worker::reportLimit(const Slot &slot) {
  auto running = find_if(slot.waves, [](const std::unique_ptr<Wave> &wave) {
    return wave->status != WaveStatus::Ended;
  });
  (*running)->fault(FaultKind::InstructionLimit,
                    "the launch executed more than " +
                        Twine(launch.options.instructionLimit) +
                        " instructions");
}
