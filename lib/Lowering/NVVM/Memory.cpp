//===- Memory.cpp - Atomics of NVIDIA's memory ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 drops scope and order of `atomicrmw` for NVPTX, but honours those of
// fences, loads, stores and cmpxchg. So an update of global memory that needs
// one of them is PTX text; one of shared memory is a relaxed one between
// fences, which cost little there.
//
//===----------------------------------------------------------------------===//

#include "../Atomics.h"
#include "Emitter.h"
#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

unsigned NVVMEmitter::getPrivateSpace() const { return 0; }

llvm::StringRef NVVMEmitter::getSyncScope(MemoryScope scope) const {
  switch (scope) {
  case MemoryScope::Warp:
  case MemoryScope::Block:
    return "block";
  case MemoryScope::Cluster:
    return target.has(Feature::Cluster) ? "cluster" : "device";
  case MemoryScope::Device:
    return "device";
  case MemoryScope::System:
    return "";
  }
  llvm_unreachable("all scopes are handled");
}

Value NVVMEmitter::mapToPeer(Builder &b, Value pointer, Value block) const {
  auto type = LLVM::LLVMPointerType::get(b.getContext(), /*addressSpace=*/7);
  return NVVM::MapaOp::create(b, type, pointer, block);
}

/// As PTX names it.
static StringRef getScopeText(StringRef syncScope) {
  return llvm::StringSwitch<StringRef>(syncScope)
      .Case("block", "cta")
      .Case("device", "gpu")
      .Case("", "sys")
      .Default(syncScope);
}

Value NVVMEmitter::atomicRMW(Builder &b, const AtomicAccess &access,
                             AtomicKind kind, Value value) const {
  StringRef scope = getSyncScope(access.scope);
  MemoryOrder order = access.order;
  if (order == MemoryOrder::SeqCst) {
    fence(b, MemoryOrder::SeqCst, access.scope);
    order = MemoryOrder::Acquire;
  }
  bool isPlain =
      order == MemoryOrder::Relaxed && access.scope != MemoryScope::System;
  if (!access.isShared && !isPlain)
    return nvvm::createOrderedAtomic(b, kind, access.pointer, value, order,
                                     getScopeText(scope));
  if (order == MemoryOrder::Release || order == MemoryOrder::AcqRel)
    fence(b, MemoryOrder::Release, access.scope);
  Value old =
      LLVM::AtomicRMWOp::create(b, getBinOp(kind), access.pointer, value,
                                LLVM::AtomicOrdering::monotonic, scope);
  if (order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel)
    fence(b, MemoryOrder::Acquire, access.scope);
  return old;
}
