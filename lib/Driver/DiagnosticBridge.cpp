//===- DiagnosticBridge.cpp - MLIR's diagnostics in the user's source -----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiagnosticBridge.h"
#include "mlir/IR/Location.h"

using namespace coll;

DiagnosticBridge::DiagnosticBridge(mlir::MLIRContext &context,
                                   DiagnosticEngine &diags)
    : diags(diags), handler(&context, [this](mlir::Diagnostic &diagnostic) {
        return handle(diagnostic);
      }) {}

/// The innermost callee of a chain of call sites.
static mlir::Location getCallee(mlir::Location location) {
  while (auto site = mlir::dyn_cast<mlir::CallSiteLoc>(location))
    location = site.getCallee();
  return location;
}

llvm::SMLoc DiagnosticBridge::findPlace(mlir::Location location) const {
  auto place = getCallee(location)->findInstanceOf<mlir::FileLineColLoc>();
  if (!place)
    return {};
  llvm::SourceMgr &sources = diags.getSourceManager();
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    llvm::StringRef name = sources.getMemoryBuffer(id)->getBufferIdentifier();
    if (name == place.getFilename().getValue())
      return sources.FindLocForLineAndColumn(id, place.getLine(),
                                             place.getColumn());
  }
  return {};
}

mlir::LogicalResult DiagnosticBridge::handle(mlir::Diagnostic &diagnostic) {
  llvm::SMLoc loc = findPlace(diagnostic.getLocation());
  auto report = [&] {
    switch (diagnostic.getSeverity()) {
    case mlir::DiagnosticSeverity::Error:
      return diags.error(loc, diagnostic.str());
    case mlir::DiagnosticSeverity::Warning:
      return diags.warning(loc, diagnostic.str());
    default:
      return diags.remark(loc, diagnostic.str());
    }
  };
  size_t index = diags.getDiagnostics().size();
  DiagnosticBuilder builder = report();
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    builder.note(findPlace(note.getLocation()), note.str());
  llvm::SmallVector<CallNote, 4> calls;
  mlir::Location location = diagnostic.getLocation();
  while (auto site = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    calls.push_back({findPlace(site.getCaller()), "called from here"});
    location = mlir::isa<mlir::CallSiteLoc>(site.getCaller())
                   ? site.getCaller()
                   : site.getCallee();
  }
  diags.noteCalls(index, calls);
  return mlir::success();
}
