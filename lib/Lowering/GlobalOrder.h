//===- GlobalOrder.h - Whether threads share global memory ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread may read from global memory what another one wrote if a barrier, a
// fence or an ordered atomic stands between.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_GLOBALORDER_H
#define COLL_LIB_LOWERING_GLOBALORDER_H

#include "coll/Dialect/Coll/IR/Coll.h"

namespace coll::ir {

/// Remembers of `kernel` whether its barriers order global memory, before they
/// are lowered.
void markGlobalOrder(KernelOp kernel);

/// Whether something in `kernel`, or one of the barriers that it had, orders
/// accesses of global memory between threads.
bool ordersGlobalMemory(KernelOp kernel);

} // namespace coll::ir

#endif // COLL_LIB_LOWERING_GLOBALORDER_H
