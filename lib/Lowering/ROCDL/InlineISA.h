//===- InlineISA.h - Instructions that LLVM does not form -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file with AMD assembly text.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_ROCDL_INLINEISA_H
#define COLL_LIB_LOWERING_ROCDL_INLINEISA_H

#include "coll/Lowering/TargetEmitter.h"

namespace coll::rocdl {

/// The value `start`, an encoded `element`, after the DPP instructions of
/// `steps`, each of which overwrites it in the lanes that it writes.
mlir::Value createTiedSteps(mlir::ImplicitLocOpBuilder &b, const Target &target,
                            OperatorKind kind, mlir::Type element,
                            mlir::Value start,
                            llvm::ArrayRef<TargetEmitter::TiedStep> steps);

/// minimumNumber and maximumNumber of f32, f64 and vectors of f16 on GFX12, for
/// which LLVM 22 quiets signaling NaNs first, though the instructions do it
/// themselves; null for everything else.
mlir::Value createMinMax(mlir::ImplicitLocOpBuilder &b, const Target &target,
                         OperatorKind kind, mlir::Value left,
                         mlir::Value right);

/// `s_trap 2`, the call of the trap handler that ends a kernel. llvm.trap is no
/// choice: LLVM 22 ends the process at the second one of a gfx11 function, and
/// as it never returns, the lanes that reach it leave the structure of the
/// kernel; at -O0 lanes that had returned were sent to it.
void createTrap(mlir::ImplicitLocOpBuilder &b);

} // namespace coll::rocdl

#endif // COLL_LIB_LOWERING_ROCDL_INLINEISA_H
