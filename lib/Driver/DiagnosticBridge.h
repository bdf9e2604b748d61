//===- DiagnosticBridge.h - MLIR's diagnostics in the source ----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_DRIVER_DIAGNOSTICBRIDGE_H
#define COLL_LIB_DRIVER_DIAGNOSTICBRIDGE_H

#include "coll/Support/Diagnostics.h"
#include "mlir/IR/Diagnostics.h"

namespace coll {

/// While it lives, what MLIR passes report goes to `diags`, at the place in the
/// source that the location names; a location inside an expanded function adds
/// notes for its callers.
class DiagnosticBridge {
public:
  DiagnosticBridge(mlir::MLIRContext &context, DiagnosticEngine &diags);

private:
  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic);
  llvm::SMLoc findPlace(mlir::Location location) const;

  DiagnosticEngine &diags;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace coll

#endif // COLL_LIB_DRIVER_DIAGNOSTICBRIDGE_H
