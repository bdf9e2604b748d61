//===- Atomics.h - Atomic kinds and orders as LLVM names them ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_ATOMICS_H
#define COLL_LIB_LOWERING_ATOMICS_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace coll {

/// The update that `kind` is; float min and max have none.
mlir::LLVM::AtomicBinOp getBinOp(ir::AtomicKind kind);

mlir::LLVM::AtomicOrdering getOrdering(ir::MemoryOrder order);

} // namespace coll

#endif // COLL_LIB_LOWERING_ATOMICS_H
