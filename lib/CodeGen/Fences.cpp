//===- Fences.cpp - Operations that LLVM must not combine -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 computes in f16 what is rounded to it if the operands were extended
// from no more significant bits, as bf16 has, though f16 does not hold their
// range: (x as f32 * 0.5) as f16 of a large bf16 is infinite then. So with bf16
// about, each value is fenced that becomes an f16.
//
// Once LLVM's passes are done, these fences and those of lowering only hinder
// code generation.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

static bool extendsBF16(llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction
                                                           &instruction) {
    return llvm::isa<llvm::FPExtInst>(instruction) &&
           instruction.getOperand(0)->getType()->getScalarType()->isBFloatTy();
  });
}

void coll::fenceHalf(llvm::Module &module) {
  if (!llvm::any_of(module, extendsBF16))
    return;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::FPTruncInst>(instruction) ||
          !instruction.getType()->getScalarType()->isHalfTy())
        continue;
      llvm::IRBuilder<> b(&instruction);
      llvm::Value *value = instruction.getOperand(0);
      instruction.setOperand(0,
                             b.CreateArithmeticFence(value, value->getType()));
    }
}

void coll::dropFences(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::arithmetic_fence)
        continue;
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
}
