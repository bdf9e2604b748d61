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

/// An `atom` on global memory with the old value as its result, of any order
/// but seq_cst. `scope` is as PTX names it: "gpu".
mlir::Value createOrderedAtomic(mlir::ImplicitLocOpBuilder &b,
                                ir::AtomicKind kind, mlir::Value pointer,
                                mlir::Value value, ir::MemoryOrder order,
                                llvm::StringRef scope);

/// condition ? left and right combined : right, as instructions that ptxas
/// predicates; null if LLVM's select does as well. Of 32-bit operations ptxas
/// predicates the select of the result, for others it selects all words. A
/// branch over the operation it predicates in any case.
mlir::Value createPredicated(mlir::ImplicitLocOpBuilder &b, OperatorKind kind,
                             mlir::Value condition, mlir::Value left,
                             mlir::Value right);

/// 0 + value or, if `isNegated`, 0 - value of an f32 or f64: -0 becomes +0. A
/// NaN becomes one with all bits but the sign set; of f64 that is not promised.
mlir::Value createPositiveZero(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                               bool isNegated);

/// An f32 or its negation, where it is NaN the positive quiet one with all bits
/// set. LLVM has arithmetic that does so, but folds it away; a negation of its
/// own would be an instruction more.
mlir::Value createCanonicalNaN(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                               bool isNegated);

} // namespace coll::nvvm

#endif // COLL_LIB_LOWERING_NVVM_INLINEPTX_H
