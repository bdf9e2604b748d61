//===- MarkLaneAssembly.cpp - What LLVM may do with assembly of lanes -----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Until here assembly counts as something with side effects, which nobody
// moves. That is more than is true and costs LLVM's schedulers their freedom.
// The assembly of lanes depends on its operands and on which lanes are active:
// it is convergent, and nothing else.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace coll;

static void mark(llvm::CallInst *call, const llvm::InlineAsm *text) {
  call->setCalledOperand(llvm::InlineAsm::get(
      text->getFunctionType(), text->getAsmString(),
      text->getConstraintString(), /*hasSideEffects=*/false));
  call->setConvergent();
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory();
}

void coll::markLaneAssembly(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto *text =
                llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
          if (!call->getType()->isVoidTy()) // a trap
            mark(call, text);
}
