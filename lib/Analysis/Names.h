//===- Names.h - What the user calls an operation ---------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IRGen gives the operation that makes a `let` a NameLoc with the variable's
// name, and operations that stand for something with another name (`grid.rank`)
// one with a dot in it.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_ANALYSIS_NAMES_H
#define COLL_LIB_ANALYSIS_NAMES_H

#include "coll/Dialect/Coll/IR/Coll.h"

namespace coll {

/// The name in the location that is (or is not) a dotted one; empty if none.
llvm::StringRef findName(mlir::Location location, bool dotted);
/// "block", "warp.tile(8)", …
std::string getGroupName(ir::GroupAttr group);
/// "block.count" for coll.population.
std::string getCollectiveName(mlir::Operation *op, ir::GroupAttr group);

} // namespace coll

#endif // COLL_LIB_ANALYSIS_NAMES_H
