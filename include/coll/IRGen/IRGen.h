//===- IRGen.h - From the typed program to the coll dialect -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_IRGEN_IRGEN_H
#define COLL_IRGEN_IRGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace coll {
class DiagnosticEngine;
namespace sema {
class Program;
} // namespace sema

/// Writes the kernels of `program`, which was checked without errors, in the
/// coll, arith, math and vector dialects (it loads them into `context`).
/// Functions are expanded at their calls. Locations are lines of the buffers of
/// `sources`; what comes from a function has a CallSiteLoc. Null after an
/// error, which is in `diags`: a program that is too large, or something that
/// is not supported yet.
mlir::OwningOpRef<mlir::ModuleOp> generateIR(const sema::Program &program,
                                             llvm::SourceMgr &sources,
                                             mlir::MLIRContext &context,
                                             DiagnosticEngine &diags);

} // namespace coll

#endif // COLL_IRGEN_IRGEN_H
