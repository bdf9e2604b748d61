//===- PinValue.cpp - Values that LLVM sees nothing behind ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

static CallInst *createText(Value *value, const char *constraints,
                            bool staysInBlock) {
  Type *type = value->getType();
  auto *function = FunctionType::get(type, {type}, /*isVarArg=*/false);
  auto *text = InlineAsm::get(function, "", constraints,
                              /*hasSideEffects=*/staysInBlock);
  auto *pinned = CallInst::Create(function, text, {value});
  if (staysInBlock)
    pinned->setConvergent();
  pinned->setDoesNotAccessMemory();
  pinned->setDoesNotThrow();
  return pinned;
}

void coll::pinValue(CallInst *call, bool staysInBlock) {
  CallInst *pinned = createText(call, "=v,0", staysInBlock);
  pinned->insertAfter(call->getIterator());
  pinned->setDebugLoc(call->getDebugLoc());
  call->replaceUsesWithIf(pinned,
                          [&](Use &use) { return use.getUser() != pinned; });
}

Value *coll::createPinned(Value *value, Instruction *place, bool isScalar) {
  CallInst *pinned =
      createText(value, isScalar ? "=s,0" : "=v,0", /*staysInBlock=*/false);
  pinned->insertBefore(place->getIterator());
  pinned->setDebugLoc(place->getDebugLoc());
  return pinned;
}
