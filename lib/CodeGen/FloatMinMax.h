//===- FloatMinMax.h - Minima and maxima of floats --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_CODEGEN_FLOATMINMAX_H
#define COLL_LIB_CODEGEN_FLOATMINMAX_H

#include "llvm/IR/IntrinsicInst.h"

namespace coll {

/// Whether it is one of LLVM's maxima of floats, of whichever treatment of NaNs
/// and zeros.
bool isFloatMax(const llvm::Instruction &instruction);

/// The same for minima.
bool isFloatMin(const llvm::Instruction &instruction);

inline bool isFloatMinMax(const llvm::Instruction &instruction) {
  return isFloatMin(instruction) || isFloatMax(instruction);
}

} // namespace coll

#endif // COLL_LIB_CODEGEN_FLOATMINMAX_H
