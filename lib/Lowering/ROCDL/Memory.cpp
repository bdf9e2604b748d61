//===- Memory.cpp - Atomics of AMD's memory -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM honours scope and order here. Float sums on global memory need to be
// told that the memory is the device's own and that subnormals may be flushed,
// else they become loops.
//
//===----------------------------------------------------------------------===//

#include "../Atomics.h"
#include "Emitter.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

unsigned ROCDLEmitter::getPrivateSpace() const { return 5; }

llvm::StringRef ROCDLEmitter::getSyncScope(MemoryScope scope) const {
  switch (scope) {
  case MemoryScope::Warp:
    return "wavefront";
  case MemoryScope::Block:
    return "workgroup";
  case MemoryScope::Cluster:
  case MemoryScope::Device:
    return "agent";
  case MemoryScope::System:
    return "";
  }
  llvm_unreachable("all scopes are handled");
}

Value ROCDLEmitter::atomicRMW(Builder &b, const AtomicAccess &access,
                              AtomicKind kind, Value value) const {
  auto op = LLVM::AtomicRMWOp::create(b, getBinOp(kind), access.pointer, value,
                                      getOrdering(access.order),
                                      getSyncScope(access.scope));
  if (kind == AtomicKind::FAdd && !access.isShared &&
      access.scope != MemoryScope::System) {
    op->setAttr("rocdl.no_fine_grained_memory", b.getUnitAttr());
    op->setAttr("rocdl.ignore_denormal_mode", b.getUnitAttr());
  }
  return op;
}
