//===- Memory.cpp - Atomics of NVIDIA's memory ------------------------- -*- C++
//-*-===//
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

#include "Emitter.h"
#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

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

static LLVM::AtomicBinOp getBinOp(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case AtomicKind::Sub:
    return LLVM::AtomicBinOp::sub;
  case AtomicKind::SMin:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::SMax:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Exchange:
    return LLVM::AtomicBinOp::xchg;
  case AtomicKind::FAdd:
    return LLVM::AtomicBinOp::fadd;
  case AtomicKind::FMin:
  case AtomicKind::FMax:
    break;
  }
  llvm_unreachable("float min and max are written with integers");
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
