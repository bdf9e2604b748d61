//===- DropFences.cpp - Fences between conversions ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowering leaves llvm.arithmetic.fence where LLVM's passes would combine two
// operations wrongly. Once they are done it only hinders code generation.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

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
