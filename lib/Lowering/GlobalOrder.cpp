//===- GlobalOrder.cpp - Whether threads share global memory --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalOrder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace coll::ir;

static constexpr llvm::StringLiteral attrName = "coll.orders_global";

static bool contains(KernelOp kernel, bool (*test)(Operation *)) {
  WalkResult result = kernel.walk([&](Operation *op) {
    return test(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static bool isBarrier(Operation *op) {
  auto sync = dyn_cast<SyncOp>(op);
  return isa<ArriveOp, WaitOp>(op) || (sync && !sync.getSharedOnly());
}

static bool isFence(Operation *op) {
  auto isOrdered = [](auto atomic) {
    return atomic.getOrder() != MemoryOrder::Relaxed;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<AtomicRMWOp, AtomicCASOp, AtomicLoadOp, AtomicStoreOp>(isOrdered)
      .Case<FenceOp>([](FenceOp) { return true; })
      .Default([](Operation *) { return false; });
}

void coll::ir::markGlobalOrder(KernelOp kernel) {
  if (contains(kernel, isBarrier))
    kernel->setAttr(attrName, UnitAttr::get(kernel.getContext()));
}

bool coll::ir::ordersGlobalMemory(KernelOp kernel) {
  return kernel->hasAttr(attrName) || contains(kernel, isBarrier) ||
         contains(kernel, isFence);
}
