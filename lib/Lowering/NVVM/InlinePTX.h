//===- InlinePTX.h - PTX that LLVM cannot select ----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_NVVM_INLINEPTX_H
#define COLL_LIB_LOWERING_NVVM_INLINEPTX_H

#include "coll/Lowering/TargetEmitter.h"

namespace coll::nvvm {

/// A relaxed `atom.sys` on global memory, with the old value as its result.
mlir::Value createSystemAtomic(mlir::ImplicitLocOpBuilder &b,
                               ir::AtomicKind kind, mlir::Value pointer,
                               mlir::Value value);

} // namespace coll::nvvm

#endif // COLL_LIB_LOWERING_NVVM_INLINEPTX_H
