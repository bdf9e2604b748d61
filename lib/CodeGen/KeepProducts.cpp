//===- KeepProducts.cpp - Products that are rounded to f16 ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 for AMD makes v_fma_mixlo_f16 of a product of f32 that is rounded to
// f16, with +0 as the addend, so that a product of -0 becomes +0. An assembly
// text without instructions keeps the two apart.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// A product, the sum of one and what may be a zero, or what a division by a
/// power of two becomes.
static bool isProduct(const Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  auto *call = dyn_cast<IntrinsicInst>(instruction);
  return instruction->getOpcode() == Instruction::FMul ||
         instruction->getOpcode() == Instruction::FDiv ||
         (call && call->getIntrinsicID() == Intrinsic::fma);
}

void coll::keepProducts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (!isa<FPTruncInst>(instruction) ||
          !instruction.getType()->getScalarType()->isHalfTy())
        continue;
      Use &rounded = instruction.getOperandUse(0);
      if (rounded->getType()->getScalarType()->isFloatTy() &&
          isProduct(rounded))
        rounded.set(createPinned(rounded, &instruction, /*isScalar=*/false));
    }
}
