//===- Passes.h - Passes that check the coll dialect ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_ANALYSIS_PASSES_H
#define COLL_ANALYSIS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace coll {

#define GEN_PASS_DECL
#include "coll/Analysis/Passes.h.inc"

/// Reports, by MLIR's diagnostics, each collective that some threads of its
/// group may not reach, with the branch that decides and where what it depends
/// on differs. Runs on what IRGen made, before any other pass.
llvm::LogicalResult verifyUniformity(mlir::ModuleOp module, unsigned warpSize);

/// Reports halves of barriers that a thread does not execute in turn. Runs
/// after verifyUniformity has accepted the module.
llvm::LogicalResult verifySplitBarriers(mlir::ModuleOp module,
                                        unsigned warpSize);

/// Reports operands of collectives that are known, and name a rank, place or
/// bin that does not exist. Runs where verifyUniformity does.
llvm::LogicalResult verifyOperands(mlir::ModuleOp module, unsigned warpSize);

#define GEN_PASS_REGISTRATION
#include "coll/Analysis/Passes.h.inc"

/// Makes the passes of this library known to tools by name.
inline void registerAnalysisPasses() { registerCollAnalysisPasses(); }

} // namespace coll

#endif // COLL_ANALYSIS_PASSES_H
