//===- RelevantSlots.cpp - What decides what a loop does ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelevantSlots.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

/// Slots from the first on.
using Visit = llvm::function_ref<void(Slot first, unsigned count)>;

/// Whether all that an instruction does is to compute slots from slots.
static bool isPlain(Opcode op) {
  switch (op) {
  case Opcode::Lanes:
  case Opcode::Copy:
  case Opcode::Repack:
  case Opcode::ThreadId:
  case Opcode::BlockId:
  case Opcode::BlockCount:
  case Opcode::ClusterId:
  case Opcode::Active:
  case Opcode::Rank:
  case Opcode::Size:
  case Opcode::Index:
  case Opcode::Count:
    return true;
  default:
    return false;
  }
}

static void visitAccess(const Access &access, bool isLoad, Visit visit) {
  visit(access.viewSlot, access.view.getSlotCount());
  for (Slot index : access.indices)
    visit(index, 1);
  if (isLoad)
    return;
  for (Slot value : access.values)
    visit(value, 1);
  visit(access.expected, 1);
}

static void visitCollective(const CollectiveInfo &info, Visit visit) {
  for (Slot value : info.values)
    visit(value, 1);
  for (Slot extra : info.extras)
    visit(extra, 1);
  if (info.index)
    visit(*info.index, 1);
  if (info.group.isMembers())
    visit(info.group.members, 1);
  for (const Capture &capture : info.captures)
    visit(capture.slot, capture.count);
}

/// Calls `visit` for the slots that an instruction reads.
static void visitReads(const CompiledKernel &kernel, const Inst &inst,
                       Visit visit) {
  switch (inst.op) {
  case Opcode::Repack: {
    const RepackInfo &info = kernel.repacks[inst.info];
    unsigned bits = info.outCount * info.outBits;
    return visit(info.in, llvm::divideCeil(bits, info.inBits));
  }
  case Opcode::Rank:
  case Opcode::Size:
  case Opcode::Index:
  case Opcode::Count:
    if (kernel.groups[inst.info].isMembers())
      visit(kernel.groups[inst.info].members, 1);
    return;
  case Opcode::Slice: {
    const SliceInfo &info = kernel.slices[inst.info];
    visit(inst.a, info.view.getSlotCount());
    for (Slot bound : info.bounds)
      visit(bound, 1);
    return;
  }
  case Opcode::Flat:
  case Opcode::Recast:
  case Opcode::Field:
    return visit(inst.a, kernel.views[inst.info].getSlotCount());
  case Opcode::Load:
  case Opcode::AtomicLoad:
  case Opcode::Store:
  case Opcode::AtomicRMW:
  case Opcode::AtomicCAS:
  case Opcode::AtomicStore:
    return visitAccess(kernel.accesses[inst.info],
                       inst.op == Opcode::Load || inst.op == Opcode::AtomicLoad,
                       visit);
  case Opcode::Collective:
    return visitCollective(kernel.collectives[inst.info], visit);
  default:
    visit(inst.a, 1);
    visit(inst.b, 1);
    visit(inst.c, 1);
  }
}

/// Calls `visit` for the slots that an instruction gives a new value: in all
/// lanes, or in the active ones, which are all that can look at it. A copy is
/// none of these, as other lanes may have theirs from another arm.
static void visitResults(const CompiledKernel &kernel, const Inst &inst,
                         Visit visit) {
  switch (inst.op) {
  case Opcode::Load:
  case Opcode::AtomicLoad:
    for (Slot value : kernel.accesses[inst.info].values)
      visit(value, 1);
    return;
  case Opcode::AtomicRMW:
  case Opcode::AtomicCAS:
    return visit(kernel.accesses[inst.info].result, 1);
  case Opcode::Collective:
    for (Slot slot : kernel.collectives[inst.info].results)
      visit(slot, 1);
    return;
  case Opcode::Repack: {
    const RepackInfo &info = kernel.repacks[inst.info];
    return visit(info.out, info.outCount);
  }
  default:
    if (isPlain(inst.op) && inst.op != Opcode::Copy)
      visit(inst.out, 1);
  }
}

/// From the slots that are relevant behind an instruction to those before it.
static void stepBack(const CompiledKernel &kernel, const Inst &inst,
                     llvm::BitVector &slots) {
  bool decides =
      !isPlain(inst.op) || (inst.op == Opcode::Copy && slots.test(inst.out));
  visitResults(kernel, inst, [&](Slot slot, unsigned count) {
    decides |= slots.find_first_in(slot, slot + count) >= 0;
    slots.reset(slot, slot + count);
  });
  if (decides)
    visitReads(kernel, inst, [&](Slot slot, unsigned count) {
      slots.set(slot, slot + count);
    });
}

std::vector<Slot> coll::ref::findRelevantSlots(const CompiledKernel &kernel,
                                               uint32_t first, uint32_t last,
                                               uint32_t pc) {
  std::vector<llvm::BitVector> before(last - first + 2,
                                      llvm::BitVector(kernel.slotCount));
  bool hasChanged = true;
  while (hasChanged) {
    hasChanged = false;
    for (uint32_t i = last + 1; i-- != first;) {
      const Inst &inst = kernel.code[i];
      // More ways to go on than there are do no harm.
      llvm::BitVector slots = before[i - first + 1];
      if (inst.to >= first && inst.to <= last)
        slots |= before[inst.to - first];
      stepBack(kernel, inst, slots);
      if (slots != before[i - first]) {
        before[i - first] = std::move(slots);
        hasChanged = true;
      }
    }
  }
  auto relevant = before[pc - first].set_bits();
  return std::vector<Slot>(relevant.begin(), relevant.end());
}
