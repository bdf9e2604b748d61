//===- PinValue.cpp - Values that LLVM sees nothing behind ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "llvm/IR/InlineAsm.h"

void coll::pinValue(llvm::CallInst *call, bool staysInBlock) {
  llvm::Type *type = call->getType();
  auto *function = llvm::FunctionType::get(type, {type}, /*isVarArg=*/false);
  auto *text = llvm::InlineAsm::get(function, "", "=v,0",
                                    /*hasSideEffects=*/staysInBlock);
  auto *pinned = llvm::CallInst::Create(function, text, {call});
  pinned->insertAfter(call->getIterator());
  if (staysInBlock)
    pinned->setConvergent();
  pinned->setDoesNotAccessMemory();
  pinned->setDoesNotThrow();
  pinned->setDebugLoc(call->getDebugLoc());
  call->replaceUsesWithIf(
      pinned, [&](llvm::Use &use) { return use.getUser() != pinned; });
}
