//===- Barriers.cpp - Barriers of an AMD workgroup and wave ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// s_barrier orders no memory accesses, so every barrier stands between fences.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "InlineISA.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

void ROCDLEmitter::syncGroup(Builder &b, const LaneGroup &) const {
  fence(b, MemoryOrder::Release, MemoryScope::Warp);
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr("llvm.amdgcn.wave.barrier"),
                                ValueRange());
  fence(b, MemoryOrder::Acquire, MemoryScope::Warp);
}

/// With the tag a fence waits for LDS alone and invalidates no cache (LLVM's
/// "User Guide for AMDGPU Backend", memory model relaxation annotations).
void ROCDLEmitter::syncBlock(Builder &b, bool sharedOnly) const {
  auto order = [&](MemoryOrder order) {
    LLVM::FenceOp op = fence(b, order, MemoryScope::Block);
    if (sharedOnly)
      op->setAttr(LLVM::LLVMDialect::getMmraAttrName(),
                  LLVM::MMRATagAttr::get(b.getContext(),
                                         "amdgpu-synchronize-as", "local"));
  };
  order(MemoryOrder::Release);
  ROCDL::SBarrierOp::create(b);
  order(MemoryOrder::Acquire);
}

/// The number of the barrier of a whole workgroup, in the instruction set of
/// RDNA 4 ("S_BARRIER_SIGNAL").
static constexpr int workgroupBarrier = -1;

void ROCDLEmitter::arriveBlock(Builder &b) const {
  fence(b, MemoryOrder::Release, MemoryScope::Block);
  ROCDL::BarrierSignalOp::create(b, workgroupBarrier);
}

void ROCDLEmitter::waitBlock(Builder &b) const {
  ROCDL::BarrierWaitOp::create(b, workgroupBarrier);
  fence(b, MemoryOrder::Acquire, MemoryScope::Block);
}

void ROCDLEmitter::syncWarps(Builder &, Value, unsigned) const {
  llvm_unreachable("coll-expand-block uses the barrier of the block");
}

Value ROCDLEmitter::voteBlock(Builder &, VoteKind, Value) const {
  llvm_unreachable("coll-expand-block expands votes for AMD");
}

Value ROCDLEmitter::countBlock(Builder &, Value) const {
  llvm_unreachable("coll-expand-block expands votes for AMD");
}

void ROCDLEmitter::pause(Builder &b) const { ROCDL::SSleepOp::create(b, 1); }

void ROCDLEmitter::trap(Builder &b) const { rocdl::createTrap(b); }
