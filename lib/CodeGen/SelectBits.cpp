//===- SelectBits.cpp - Selects of floats as ones of integers -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instruction selection of LLVM 22 makes a minimum of `x < 0 ? x : 0`, and the
// like for a maximum (AMD, and f16, bf16 and f64 for NVIDIA), which gives -0
// and not 0 where x is -0. Of bits it makes none.
//
//===----------------------------------------------------------------------===//

#include "SelectBits.h"
#include "SplitVector.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

void coll::selectBits(SelectInst *select) {
  IRBuilder<> b(select);
  Type *bits = b.getIntNTy(select->getType()->getPrimitiveSizeInBits());
  select->replaceAllUsesWith(b.CreateBitCast(
      b.CreateSelect(select->getCondition(),
                     b.CreateBitCast(select->getTrueValue(), bits),
                     b.CreateBitCast(select->getFalseValue(), bits)),
      select->getType()));
  select->eraseFromParent();
}

/// Whether some element is a zero.
static bool hasZero(const Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  if (!constant || !constant->getType()->isVectorTy())
    return match(value, m_AnyZeroFP());
  auto *type = cast<FixedVectorType>(constant->getType());
  return any_of(seq(type->getNumElements()), [&](unsigned i) {
    return match(constant->getAggregateElement(i), m_AnyZeroFP());
  });
}

/// The select, if it is one of floats, of a constant zero.
static SelectInst *getSelectOfZero(Instruction &instruction) {
  auto *select = dyn_cast<SelectInst>(&instruction);
  return select && select->getType()->isFPOrFPVectorTy() &&
                 (hasZero(select->getTrueValue()) ||
                  hasZero(select->getFalseValue()))
             ? select
             : nullptr;
}

/// Whether the other value is what is compared.
static bool selectsCompared(const SelectInst &select) {
  auto *compare = dyn_cast<FCmpInst>(select.getCondition());
  const Value *value = isa<Constant>(select.getTrueValue())
                           ? select.getFalseValue()
                           : select.getTrueValue();
  return compare && is_contained(compare->operands(), value);
}

void coll::selectBitsOfZeros(Module &module) {
  for (Function &function : module) {
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (SelectInst *select = getSelectOfZero(instruction);
          select && select->getType()->isVectorTy())
        splitVector(select);
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (SelectInst *select = getSelectOfZero(instruction);
          select && selectsCompared(*select))
        selectBits(select);
  }
}
