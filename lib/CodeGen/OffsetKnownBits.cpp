//===- OffsetKnownBits.cpp - Known low bits of addresses ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last lane of each wave of 64 finds its wave's word of shared memory by
//
//   %s = lshr i32 %rank, 4       ; 4 * wave + 3
//   %a = and i32 %s, -4
//   %p = getelementptr i8, ptr addrspace(3) @words, i32 %a
//
// The bits that the `and` clears are known there, behind the branch that asked
// for the lane: they are subtracted from the offset that the access adds to its
// address anyway, and the `and` is gone.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/DomConditionCache.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

static constexpr unsigned sharedSpace = 3;

static void run(Function &function) {
  DominatorTree tree(function);
  DomConditionCache conditions;
  for (BasicBlock &block : function)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isConditional())
      conditions.registerBranch(branch);
  const DataLayout &layout = function.getDataLayout();
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    auto *address = dyn_cast<GetElementPtrInst>(&instruction);
    Value *offset = nullptr;
    const APInt *kept = nullptr;
    if (!address || address->getPointerAddressSpace() != sharedSpace ||
        address->getNumIndices() != 1 ||
        !address->getSourceElementType()->isIntegerTy(8) ||
        !PatternMatch::match(address->idx_begin()->get(),
                             PatternMatch::m_And(PatternMatch::m_Value(offset),
                                                 PatternMatch::m_APInt(kept))))
      continue;
    SimplifyQuery query(layout, /*TLI=*/nullptr, &tree, /*AC=*/nullptr, address,
                        /*UseInstrInfo=*/true, /*CanUseUndef=*/true,
                        &conditions);
    KnownBits known = computeKnownBits(offset, query);
    APInt cleared = ~*kept;
    if (!cleared.isSubsetOf(known.One | known.Zero) ||
        known.getBitWidth() != 32)
      continue;
    IRBuilder<> b(address);
    Value *start = b.CreatePtrAdd(
        address->getPointerOperand(),
        ConstantInt::get(offset->getType(), -(known.One & cleared)));
    auto *mask = cast<Instruction>(address->idx_begin()->get());
    address->replaceAllUsesWith(b.CreatePtrAdd(start, offset));
    address->eraseFromParent();
    if (mask->use_empty())
      mask->eraseFromParent();
  }
}

void coll::offsetKnownBits(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      run(function);
}
