//===- SplitVector.h - Vector instructions as ones of elements --*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_CODEGEN_SPLITVECTOR_H
#define COLL_LIB_CODEGEN_SPLITVECTOR_H

#include "llvm/IR/Instructions.h"

namespace coll {

/// Computes each element of an intrinsic, a unary instruction, a comparison or
/// a select of vectors by itself. The instruction is gone then.
void splitVector(llvm::Instruction *instruction);

} // namespace coll

#endif // COLL_LIB_CODEGEN_SPLITVECTOR_H
