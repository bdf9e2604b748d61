//===- SinkOffsets.cpp - Compute addresses where they are used ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AMD's accesses of global memory add an offset of 32 bits in a vector register
// to a base in scalar registers. LLVM selects instructions one block at a time
// and sees no extension of the offset that stands in another block: behind any
// branch it adds 64 bits in vector registers,
//
//   %o = zext i32 %offset to i64
//   br i1 %isFirst, label %then, label %end
// end:
//   %p = getelementptr i8, ptr addrspace(1) %base, i64 %o
//   store float %v, ptr addrspace(1) %p
//
// for which two to four instructions are spent. Right before the selection, as
// everything earlier would hoist them again, extension and address are repeated
// in the block of the access, where they are a part of it.
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;

static constexpr unsigned globalSpace = 1, constantSpace = 4;

/// Whether the address is the same in all lanes because it comes from the
/// kernel's arguments.
static bool isScalarBase(const Value *base) {
  while (auto *address = dyn_cast<GetElementPtrInst>(base)) {
    if (!address->hasAllConstantIndices())
      return false;
    base = address->getPointerOperand();
  }
  if (auto *load = dyn_cast<LoadInst>(base))
    return load->getPointerAddressSpace() == constantSpace;
  return isa<Argument>(base);
}

/// The extension of an offset of 32 bits that `address` adds to a scalar base.
static ZExtInst *getOffset(GetElementPtrInst *address) {
  if (address->getNumIndices() != 1 ||
      !isScalarBase(address->getPointerOperand()))
    return nullptr;
  auto *offset = dyn_cast<ZExtInst>(address->idx_begin()->get());
  bool isWord = offset && offset->getSrcTy()->isIntegerTy(32);
  return isWord && address->getSourceElementType()->isIntegerTy(8) ? offset
                                                                   : nullptr;
}

/// `instruction`, or a copy of it in the block of `user` before it.
template <typename T> static T *bring(T *instruction, Instruction *user) {
  if (instruction->getParent() == user->getParent())
    return instruction;
  auto *copy = cast<T>(instruction->clone());
  copy->insertBefore(user->getIterator());
  return copy;
}

/// Brings the address of `access` into its block: the sum of base and offset,
/// and what adds constants to it.
static bool sink(Instruction *access, Use &pointer) {
  SmallVector<GetElementPtrInst *, 2> addresses;
  ZExtInst *offset = nullptr;
  for (Value *value = pointer; !offset;) {
    auto *address = dyn_cast<GetElementPtrInst>(value);
    if (!address)
      return false;
    addresses.push_back(address);
    offset = getOffset(address);
    if (!offset && !address->hasAllConstantIndices())
      return false;
    value = address->getPointerOperand();
  }
  bool isHere = offset->getParent() == access->getParent();
  for (GetElementPtrInst *address : addresses)
    isHere &= address->getParent() == access->getParent();
  if (isHere)
    return false;
  Instruction *user = access;
  Use *use = &pointer;
  for (GetElementPtrInst *address : addresses) {
    auto *here = cast<GetElementPtrInst>(address->clone());
    here->insertBefore(user->getIterator());
    use->set(here);
    user = here;
    use = &here->getOperandUse(0);
  }
  user->setOperand(1, bring(offset, user));
  return true;
}

namespace {
class SinkOffsets : public FunctionPass {
public:
  static char ID;
  SinkOffsets() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "Coll sink offsets"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }

  bool runOnFunction(Function &function) override {
    bool isChanged = false;
    for (Instruction &instruction : instructions(function)) {
      unsigned operand = 0;
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        operand = load->getPointerOperandIndex();
      else if (auto *store = dyn_cast<StoreInst>(&instruction))
        operand = store->getPointerOperandIndex();
      else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
        operand = atomic->getPointerOperandIndex();
      else
        continue;
      Use &pointer = instruction.getOperandUse(operand);
      if (pointer->getType()->getPointerAddressSpace() == globalSpace)
        isChanged |= sink(&instruction, pointer);
    }
    return isChanged;
  }
};
} // namespace

char SinkOffsets::ID = 0;

Pass *coll::createSinkOffsets() { return new SinkOffsets(); }
