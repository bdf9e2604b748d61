//===- HideUniformShuffles.cpp - Keep ptxas from a wrong conclusion -------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas (13.0) takes the predicate of a shfl.bfly for the same in all lanes
// where the shuffled value is: a constant, a parameter, a load from one
// address. It is not: it says whether the source lane exists. What is selected
// by the predicate then counts as uniform too, and a later shuffle of it is
// dropped. The predicates of the other modes do not mislead it. No plan of a
// reduction guards a butterfly, but shuffle_xor with a fill does.
//
// So a value that is not seen to depend on the lane is made to: it is selected
// by a condition that always holds and that ptxas cannot know.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace coll;

static bool isGuardedButterfly(const llvm::CallBase &call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  return id == llvm::Intrinsic::nvvm_shfl_sync_bfly_f32p ||
         id == llvm::Intrinsic::nvvm_shfl_sync_bfly_i32p;
}

/// Whether the call's result differs between lanes whatever its operands are.
static bool readsLane(const llvm::CallBase &call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_laneid:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
  case llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    return true;
  default:
    // Of a value that differs between lanes, as this pass sees to.
    return isGuardedButterfly(call);
  }
}

/// Whether some operand of the value, or of its operands, reads the lane. Other
/// calls hide what they depend on.
static bool dependsOnLane(llvm::Value *value) {
  llvm::SmallPtrSet<llvm::Value *, 32> seen;
  llvm::SmallVector<llvm::Value *, 32> work = {value};
  while (!work.empty()) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!instruction || !seen.insert(instruction).second)
      continue;
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction);
        call && !llvm::isa<llvm::MemIntrinsic>(call)) {
      if (readsLane(*call))
        return true;
      if (!call->doesNotAccessMemory() || call->isConvergent())
        continue;
    }
    llvm::append_range(work, instruction->operands());
  }
  return false;
}

/// The same value, from a select by a condition that always holds.
static llvm::Value *hide(llvm::IRBuilder<> &builder, llvm::Value *value) {
  llvm::Value *own = builder.CreateIntrinsic(
      builder.getInt32Ty(), llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_eq,
      {});
  llvm::Value *holds = builder.CreateICmpNE(own, builder.getInt32(0));
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  llvm::Value *other = constant && constant->isNullValue()
                           ? llvm::ConstantExpr::getBitCast(builder.getInt32(1),
                                                            value->getType())
                           : llvm::Constant::getNullValue(value->getType());
  return builder.CreateSelect(holds, value, other);
}

void coll::hideUniformShuffles(llvm::Module &module) {
  constexpr unsigned valueOperand = 1;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || !isGuardedButterfly(*call) ||
          dependsOnLane(call->getArgOperand(valueOperand)))
        continue;
      llvm::IRBuilder<> builder(call);
      call->setArgOperand(valueOperand,
                          hide(builder, call->getArgOperand(valueOperand)));
    }
}
