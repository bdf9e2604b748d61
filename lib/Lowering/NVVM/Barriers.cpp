//===- Barriers.cpp - Barriers of an NVIDIA block and warp ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

void NVVMEmitter::syncGroup(Builder &b, const LaneGroup &group) const {
  Value members = getGroup(b, group.size, /*isConvergent=*/false).members;
  NVVM::SyncWarpOp::create(b, members);
}

/// The barrier orders all memory at no extra cost.
void NVVMEmitter::syncBlock(Builder &b, bool) const {
  NVVM::BarrierOp::create(b);
}

void NVVMEmitter::syncCluster(Builder &b, bool divergent) const {
  UnitAttr isAligned = divergent ? UnitAttr() : b.getUnitAttr();
  NVVM::ClusterArriveOp::create(b, isAligned);
  NVVM::ClusterWaitOp::create(b, isAligned);
}

void NVVMEmitter::arriveBlock(Builder &) const {
  llvm_unreachable("coll-expand-order leaves no halves of barriers for NVIDIA");
}

void NVVMEmitter::waitBlock(Builder &) const {
  llvm_unreachable("coll-expand-order leaves no halves of barriers for NVIDIA");
}

void NVVMEmitter::syncWarps(Builder &b, Value barrier, unsigned threads) const {
  NVVM::BarrierOp::create(b, TypeRange(), barrier, createI32(b, threads),
                          NVVM::BarrierReductionAttr(), Value());
}

static Value createBarrierReduction(ImplicitLocOpBuilder &b,
                                    NVVM::BarrierReduction kind,
                                    Value predicate) {
  Type i32 = b.getI32Type();
  Value word = arith::ExtUIOp::create(b, i32, predicate);
  auto attr = NVVM::BarrierReductionAttr::get(b.getContext(), kind);
  return NVVM::BarrierOp::create(b, TypeRange(i32), Value(), Value(), attr,
                                 word)
      .getResult(0);
}

Value NVVMEmitter::voteBlock(Builder &b, VoteKind kind, Value predicate) const {
  Value word = createBarrierReduction(b,
                                      kind == VoteKind::Any
                                          ? NVVM::BarrierReduction::OR
                                          : NVVM::BarrierReduction::AND,
                                      predicate);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, word,
                               createI32(b, 0));
}

Value NVVMEmitter::countBlock(Builder &b, Value predicate) const {
  return createBarrierReduction(b, NVVM::BarrierReduction::POPC, predicate);
}

void NVVMEmitter::pause(Builder &b) const {
  NVVM::NanosleepOp::create(b, createI32(b, 20));
}

void NVVMEmitter::trap(Builder &b) const { LLVM::Trap::create(b); }
