//===- PinValue.h - Values that LLVM sees nothing behind --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_CODEGEN_PINVALUE_H
#define COLL_LIB_CODEGEN_PINVALUE_H

#include "llvm/IR/Instructions.h"

namespace coll {

/// Lets an assembly text without instructions stand between `call` and all that
/// use it, so that LLVM for AMD makes the call no part of them. With
/// `staysInBlock` it is not moved to another block either.
void pinValue(llvm::CallInst *call, bool staysInBlock);

/// `value`, of 32 bits, behind such a text before `place`: in vector registers,
/// or, if it is the same in all lanes, in scalar ones.
llvm::Value *createPinned(llvm::Value *value, llvm::Instruction *place,
                          bool isScalar);

} // namespace coll

#endif // COLL_LIB_CODEGEN_PINVALUE_H
