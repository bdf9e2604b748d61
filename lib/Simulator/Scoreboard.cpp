//===- Scoreboard.cpp - Loads in flight and the waits for them ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter counts the accesses in flight. After a wait until at most n are, an
// access is known to be finished if more than n accesses cannot have finished
// before it: itself and those after it that finish in order with it. Scalar
// loads finish in any order, and so do gfx9's flat accesses, so only a wait for
// 0 is enough for them.
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

/// What the hardware's counters can hold at least; more accesses have to wait.
static unsigned getCapacity(WaitCounter counter, const Chip &chip) {
  if (counter == WaitCounter::Scalar)
    return 31;
  if (counter == WaitCounter::LDS && chip.isGFX9())
    return 15;
  return 63;
}

static size_t countInOrder(const std::deque<OutstandingAccess> &queue) {
  return count_if(queue, [](const OutstandingAccess &access) {
    return !access.isOutOfOrder;
  });
}

uint64_t WaitCounters::getNumLDSFinished() const {
  return numLDSIssued -
         countInOrder(queues[static_cast<unsigned>(WaitCounter::LDS)]);
}

static void finish(WaitCounters &waits, WaitCounter counter, unsigned most) {
  std::deque<OutstandingAccess> &queue =
      waits.queues[static_cast<unsigned>(counter)];
  size_t unfinished = countInOrder(queue);
  std::erase_if(queue, [&](const OutstandingAccess &access) {
    bool isFinished = access.isOutOfOrder ? most == 0 : unfinished-- > most;
    if (isFinished && access.destination.dwords)
      --waits.numOutstanding;
    return isFinished;
  });
}

static void enqueue(Wave &wave, WaitCounter counter, bool isOutOfOrder,
                    const Operand *destination) {
  // An access without a register matters only for what it is in order with.
  if (isOutOfOrder && !destination)
    return;
  OutstandingAccess access;
  access.isOutOfOrder = isOutOfOrder;
  access.destination.dwords = 0;
  if (destination && destination->kind != OperandKind::Null) {
    access.destination = *destination;
    ++wave.waits.numOutstanding;
  }
  wave.waits.numLDSIssued += counter == WaitCounter::LDS && !isOutOfOrder;
  auto &queue = wave.waits.queues[static_cast<unsigned>(counter)];
  queue.push_back(access);
  unsigned capacity = getCapacity(counter, wave.chip);
  if (queue.size() > capacity)
    finish(wave.waits, counter, capacity);
}

void coll::sim::noteAccess(Wave &wave, AccessClass access,
                           const Operand *destination) {
  const Chip &chip = wave.chip;
  WaitCounter stores =
      chip.isGFX10Plus() ? WaitCounter::Store : WaitCounter::Load;
  switch (access) {
  case AccessClass::VectorLoad:
    return enqueue(wave, WaitCounter::Load, false, destination);
  case AccessClass::VectorStore:
    return enqueue(wave, stores, false, nullptr);
  case AccessClass::LDS:
    return enqueue(wave, WaitCounter::LDS, false, destination);
  case AccessClass::Scalar:
    return enqueue(
        wave, chip.hasSplitCounters() ? WaitCounter::Scalar : WaitCounter::LDS,
        true, destination);
  case AccessClass::FlatLoad:
    enqueue(wave, WaitCounter::Load, chip.isGFX9(), destination);
    return enqueue(wave, WaitCounter::LDS, chip.isGFX9(), destination);
  case AccessClass::FlatStore:
    enqueue(wave, stores, chip.isGFX9(), nullptr);
    return enqueue(wave, WaitCounter::LDS, chip.isGFX9(), nullptr);
  }
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

static bool overlap(const Operand &a, const Operand &b) {
  return a.kind == b.kind && a.index < b.index + b.dwords &&
         b.index < a.index + a.dwords;
}

/// Vector loads write registers in the order of their issue, so that a later
/// one may overwrite an earlier one's.
static bool mayOverwrite(const Wave &wave, const DecodedInst &inst,
                         WaitCounter counter, const OutstandingAccess &access) {
  if (counter != WaitCounter::Load || access.isOutOfOrder)
    return false;
  switch (inst.instClass) {
  case InstClass::Global:
  case InstClass::Scratch:
  case InstClass::Buffer:
    return !(wave.chip.isGFX9() &&
             StringRef(inst.mnemonic).starts_with("flat_"));
  default:
    return false;
  }
}

/// The operand of `inst` that an access in flight will write, if there is one.
static const Operand *findUse(const Wave &wave, const DecodedInst &inst,
                              WaitCounter counter,
                              const OutstandingAccess &access) {
  for (auto [index, operand] : enumerate(inst.operands)) {
    if (operand.kind != OperandKind::VGPR && operand.kind != OperandKind::SGPR)
      continue;
    if (!overlap(operand, access.destination))
      continue;
    if (index >= inst.numDefs || !mayOverwrite(wave, inst, counter, access))
      return &operand;
  }
  return nullptr;
}

static std::string getRegisterName(const Operand &operand) {
  bool isAccumulator = operand.isVGPR() && operand.index >= 256;
  std::string name = !operand.isVGPR() ? "s" : isAccumulator ? "a" : "v";
  unsigned first = operand.index - (isAccumulator ? 256 : 0);
  if (!operand.isVGPR() && operand.index == VCCLo)
    return "vcc";
  if (operand.dwords == 1)
    return name + std::to_string(first);
  return name + "[" + std::to_string(first) + ":" +
         std::to_string(first + operand.dwords - 1) + "]";
}

static const char *getCounterName(WaitCounter counter, const Chip &chip) {
  bool isSplit = chip.hasSplitCounters();
  switch (counter) {
  case WaitCounter::Load:
    return isSplit ? "loadcnt" : "vmcnt";
  case WaitCounter::Store:
    return isSplit ? "storecnt" : "vscnt";
  case WaitCounter::LDS:
    return isSplit ? "dscnt" : "lgkmcnt";
  case WaitCounter::Scalar:
    return "kmcnt";
  }
  llvm_unreachable("bad counter");
}

void coll::sim::checkOutstanding(Wave &wave, const DecodedInst &inst) {
  if (inst.instClass == InstClass::Wait)
    return;
  static const Operand vcc = [] {
    Operand operand;
    operand.kind = OperandKind::SGPR;
    operand.index = VCCLo;
    operand.dwords = 2;
    return operand;
  }();
  bool readsVCC = inst.instClass == InstClass::Branch &&
                  inst.mnemonic.find("vcc") != std::string::npos;
  for (unsigned i = 0; i != numWaitCounters; ++i) {
    auto counter = static_cast<WaitCounter>(i);
    for (const OutstandingAccess &access : wave.waits.queues[i]) {
      if (!access.destination.dwords)
        continue;
      const Operand *use = findUse(wave, inst, counter, access);
      if (!use && readsVCC && overlap(vcc, access.destination))
        use = &vcc;
      if (!use)
        continue;
      wave.fault(FaultKind::MissingWait,
                 getRegisterName(*use) + " is used before the load to " +
                     getRegisterName(access.destination) + " was waited for (" +
                     getCounterName(counter, wave.chip) + ")");
      return;
    }
  }
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// s_waitcnt: the counts are packed differently in each generation.
static void executeWaitcnt(Wave &wave, const DecodedInst &inst) {
  uint32_t imm = inst.imms[0];
  unsigned load, lds;
  if (wave.chip.isGFX11Plus()) {
    load = imm >> 10 & 63;
    lds = imm >> 4 & 63;
  } else {
    load = (imm & 15) | (imm >> 14 & 3) << 4;
    lds = imm >> 8 & (wave.chip.isGFX10Plus() ? 63 : 15);
  }
  finish(wave.waits, WaitCounter::Load, load);
  finish(wave.waits, WaitCounter::LDS, lds);
}

/// Waits for one counter; the number is the last immediate, and a scalar
/// register (which is `null` in what LLVM emits) adds to it.
template <WaitCounter counter>
static void executeWaitOne(Wave &wave, const DecodedInst &inst) {
  finish(wave.waits, counter, inst.imms.back());
}

template <WaitCounter counter>
static void executeWaitWithLDS(Wave &wave, const DecodedInst &inst) {
  finish(wave.waits, counter, inst.imms[0] >> 8 & 63);
  finish(wave.waits, WaitCounter::LDS, inst.imms[0] & 63);
}

static void executeWaitAll(Wave &wave, const DecodedInst &inst) {
  for (unsigned i = 0; i != numWaitCounters; ++i)
    finish(wave.waits, static_cast<WaitCounter>(i), 0);
}

/// Waits for what is not modelled: exports, textures, the VALU's pipeline.
static void executeOtherWait(Wave &wave, const DecodedInst &inst) {}

void coll::sim::registerWaits(HandlerTable &table, const Chip &chip) {
  table.add("s_waitcnt", executeWaitcnt);
  table.add("s_waitcnt_vmcnt", executeWaitOne<WaitCounter::Load>);
  table.add("s_waitcnt_vscnt", executeWaitOne<WaitCounter::Store>);
  table.add("s_waitcnt_lgkmcnt", executeWaitOne<WaitCounter::LDS>);
  table.add("s_wait_loadcnt", executeWaitOne<WaitCounter::Load>);
  table.add("s_wait_storecnt", executeWaitOne<WaitCounter::Store>);
  table.add("s_wait_dscnt", executeWaitOne<WaitCounter::LDS>);
  table.add("s_wait_kmcnt", executeWaitOne<WaitCounter::Scalar>);
  table.add("s_wait_loadcnt_dscnt", executeWaitWithLDS<WaitCounter::Load>);
  table.add("s_wait_storecnt_dscnt", executeWaitWithLDS<WaitCounter::Store>);
  table.add("s_wait_idle", executeWaitAll);
  for (const char *name :
       {"s_waitcnt_expcnt", "s_waitcnt_depctr", "s_wait_expcnt",
        "s_wait_samplecnt", "s_wait_bvhcnt", "s_wait_alu", "s_wait_event"})
    table.add(name, executeOtherWait);
}
