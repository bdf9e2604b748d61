//===- PinWideDPP.cpp - Keep moves out of what is wide --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For GFX12 LLVM 22 makes a DPP move a part of v_mad_co_u64_u32, whose other
// operands and whose result have 64 bits:
//
//   v_mad_co_u64_u32_e64_dpp v[2:3], null, v1, v4, v[1:2] row_shr:1 ...
//
// No document lists that form, and LLVM's own disassembler does not read it. An
// assembly text without instructions stands between the move and whatever may
// become such an instruction: a product of 32 bits, to which a sum is added, or
// anything of 64 bits.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace coll;

/// Whether `user` may be an instruction on 64 bits, or a part of one.
static bool isWide(const llvm::User *user) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
  if (!instruction)
    return false;
  // Words are joined as vectors too.
  return instruction->getOpcode() == llvm::Instruction::Mul ||
         instruction->getType()->getPrimitiveSizeInBits() == 64;
}

void coll::pinWideDPP(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call &&
          call->getIntrinsicID() == llvm::Intrinsic::amdgcn_update_dpp &&
          call->getType()->isIntegerTy(32) &&
          llvm::any_of(call->users(), isWide))
        pinValue(call, /*staysInBlock=*/false);
    }
}
