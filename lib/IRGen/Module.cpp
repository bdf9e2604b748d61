//===- Module.cpp - A module of kernels -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "coll/IRGen/IRGen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace coll;
using namespace mlir;

/// The verifier finds mistakes of this library only, never the user's.
static bool verifyKernel(ir::KernelOp op, const sema::Kernel &kernel,
                         coll::DiagnosticEngine &diags) {
  std::string text;
  ScopedDiagnosticHandler handler(op.getContext(),
                                  [&](mlir::Diagnostic &diagnostic) {
                                    if (text.empty())
                                      text = diagnostic.str();
                                    return success();
                                  });
  if (succeeded(verify(op)))
    return true;
  diags.error(kernel.loc, "internal error: the code of kernel '" +
                              llvm::Twine(kernel.name) +
                              "' is not valid: " + text);
  return false;
}

OwningOpRef<ModuleOp> coll::generateIR(const sema::Program &program,
                                       llvm::SourceMgr &sources,
                                       MLIRContext &context,
                                       coll::DiagnosticEngine &diags) {
  context.loadDialect<ir::CollDialect, arith::ArithDialect, math::MathDialect,
                      vector::VectorDialect>();
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  bool isValid = true;
  for (const sema::Kernel *kernel : program.getKernels()) {
    builder.setInsertionPointToEnd(module->getBody());
    ir::KernelOp op =
        irgen::KernelEmitter(*kernel, builder, sources, diags).emit();
    isValid &= op && verifyKernel(op, *kernel, diags);
  }
  if (!isValid)
    return {};
  return module;
}
