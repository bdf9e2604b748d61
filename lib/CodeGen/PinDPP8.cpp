//===- PinDPP8.cpp - Keep moves within eight lanes where they are ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22's machine instruction V_MOV_B32_dpp8 is not marked convergent, so
// that MachineSink moves it into a branch that is the only user of its result:
//
//   %a = call i32 @llvm.amdgcn.mov.dpp8.i32(i32 %v, i32 0)
//   br i1 %isFirst, label %then, label %end
// then:
//   store i32 %a, ptr %p
//
// becomes a move among the lanes of the branch, of which lane 0 need not be
// one. An assembly text without instructions reads the result where it is made.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace coll;

void coll::pinDPP8(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      // Without a branch behind it, there is nothing to be moved into.
      if (call && call->getIntrinsicID() == llvm::Intrinsic::amdgcn_mov_dpp8 &&
          call->getParent()->getTerminator()->getNumSuccessors() > 1)
        pinValue(call, /*staysInBlock=*/true);
    }
}
