//===- ControlFlow.h - Structured control flow as branches ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_CONTROLFLOW_H
#define COLL_LIB_LOWERING_CONTROLFLOW_H

namespace mlir {
class Region;
} // namespace mlir

namespace coll {

/// Replaces `coll.if`, `coll.loop` and `coll.inline` in the body of an
/// `llvm.func` by blocks and branches, and removes blocks that nothing reaches.
void flattenControlFlow(mlir::Region &body);

} // namespace coll

#endif // COLL_LIB_LOWERING_CONTROLFLOW_H
