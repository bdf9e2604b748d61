//===- HideFactors.cpp - Factors that LLVM loses the upper bits of --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where both factors of a 64-bit product have 24 bits at most, LLVM 22 for AMD
// computes no others of them, as v_mul_u32_u24 would read no others, and drops
// a mask like 0xffffff. If the product is an addend it then selects
// v_mad_u64_u32 all the same, which reads 32. An assembly text without
// instructions hides how many bits a factor has.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr unsigned shortBits = 24;

static bool isShort(const Value *value, const DataLayout &layout) {
  return computeKnownBits(value, layout).countMaxActiveBits() <= shortBits;
}

/// Whether `value` may have other bits above the short ones once nobody asks
/// for them.
static bool mayGrow(const Value *value) {
  const Value *inner;
  const APInt *mask;
  if (isa<Constant, LoadInst, CallBase, Argument>(value))
    return false;
  if (match(value, m_ZExtOrSExt(m_Value(inner))) ||
      match(value, m_LShr(m_Value(inner), m_ConstantInt())))
    return mayGrow(inner);
  if (match(value, m_And(m_Value(), m_APInt(mask))))
    return mask->countr_one() >= shortBits || !mask->isIntN(shortBits);
  return true;
}

void coll::hideFactors(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (instruction.getOpcode() != Instruction::Mul ||
          !instruction.getType()->isIntegerTy(64) ||
          !isShort(instruction.getOperand(0), layout) ||
          !isShort(instruction.getOperand(1), layout))
        continue;
      IRBuilder<> b(&instruction);
      for (Use &factor : instruction.operands())
        if (mayGrow(factor))
          factor.set(b.CreateZExt(
              createPinned(b.CreateTrunc(factor, b.getInt32Ty()), &instruction,
                           /*isScalar=*/false),
              b.getInt64Ty()));
    }
}
