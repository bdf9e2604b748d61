//===- SelectBits.h - Selects of floats as ones of integers -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_CODEGEN_SELECTBITS_H
#define COLL_LIB_CODEGEN_SELECTBITS_H

#include "llvm/IR/Instructions.h"

namespace coll {

/// Selects the bits of what `select`, of a float, would select. It is gone
/// then.
void selectBits(llvm::SelectInst *select);

} // namespace coll

#endif // COLL_LIB_CODEGEN_SELECTBITS_H
