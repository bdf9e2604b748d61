//===- ScanInit.h - Exclusive scans that start with a value -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An exclusive scan with `init` is written as one that gives rank 0 that value,
// and a combination of it with what the others get. Plans know cheaper ways
// than that, so it is one collective to them.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_SCANINIT_H
#define COLL_LIB_LOWERING_SCANINIT_H

#include "coll/Transforms/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace coll {

/// Where `prefix`, which an exclusive scan over `group` gives and whose rank 0
/// has `first`, is used for nothing but
///   rank == 0 ? prefix : first combined with prefix,
/// the select that gives that; else null. Built-in operators only.
mlir::arith::SelectOp findScanInit(const ir::Combiner &combiner,
                                   ir::GroupAttr group, mlir::Value first,
                                   mlir::Value prefix);

/// Puts `result` in the place of such a select, and erases what it used.
void replaceScanInit(mlir::arith::SelectOp select, mlir::Value result);

} // namespace coll

#endif // COLL_LIB_LOWERING_SCANINIT_H
