//===- Memory.cpp - Atomics of NVIDIA's memory ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 drops scope and order of `atomicrmw` for NVPTX, but honours those of
// fences, loads, stores and cmpxchg. So an ordered update is a relaxed one
// between fences.
//
//===----------------------------------------------------------------------===//

#include "../Atomics.h"
#include "Emitter.h"
#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

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

Value NVVMEmitter::atomicRMW(Builder &b, const AtomicAccess &access,
                             AtomicKind kind, Value value) const {
  MemoryOrder order = access.order;
  if (order == MemoryOrder::SeqCst)
    fence(b, MemoryOrder::SeqCst, access.scope);
  else if (order == MemoryOrder::Release || order == MemoryOrder::AcqRel)
    fence(b, MemoryOrder::Release, access.scope);
  Value old;
  if (access.scope == MemoryScope::System && !access.isShared)
    old = nvvm::createSystemAtomic(b, kind, access.pointer, value);
  else
    old = LLVM::AtomicRMWOp::create(b, getBinOp(kind), access.pointer, value,
                                    LLVM::AtomicOrdering::monotonic,
                                    getSyncScope(access.scope));
  if (order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel ||
      order == MemoryOrder::SeqCst)
    fence(b, MemoryOrder::Acquire, access.scope);
  return old;
}
