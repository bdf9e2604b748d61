//===- PinPermlane64.cpp - Keep v_permlane64 where it is ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22's machine instruction V_PERMLANE64_B32 is not marked convergent, so
// that MachineSink moves it, and what it reads, into a branch that is the only
// user of its result:
//
//   %a = mul i32 %lane, %v
//   %b = call i32 @llvm.amdgcn.permlane64.i32(i32 %a)
//   br i1 %isFirst, label %then, label %end
// then:
//   %s = add i32 %a, %b
//
// becomes a product that lane 0 alone computes, of which lane 32's is then
// read. As assembly text that is convergent it stays.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace coll;

static void pin(llvm::CallInst *call) {
  llvm::Type *type = call->getType();
  auto *function = llvm::FunctionType::get(type, {type}, /*isVarArg=*/false);
  auto *text = llvm::InlineAsm::get(function, "v_permlane64_b32 $0, $1", "=v,v",
                                    /*hasSideEffects=*/true);
  auto *pinned = llvm::CallInst::Create(
      function, text, {call->getArgOperand(0)}, "", call->getIterator());
  pinned->setConvergent();
  pinned->setDoesNotAccessMemory();
  pinned->setDebugLoc(call->getDebugLoc());
  call->replaceAllUsesWith(pinned);
  call->eraseFromParent();
}

void coll::pinPermlane64(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call &&
          call->getIntrinsicID() == llvm::Intrinsic::amdgcn_permlane64 &&
          call->getType()->getPrimitiveSizeInBits() == 32)
        pin(call);
}
