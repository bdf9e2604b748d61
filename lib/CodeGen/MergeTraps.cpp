//===- MergeTraps.cpp - One trap a function for AMD -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 expands only the first trap of a function for gfx11 (its pseudo
// instruction SIMULATED_TRAP) and ends the process at the second. So all traps
// of a function become branches to one block, which is also less code.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace coll;

/// Ends the block of `trap` before it, with a branch to `target`.
static void branchInstead(llvm::Instruction *trap, llvm::BasicBlock *target) {
  llvm::BasicBlock *block = trap->getParent();
  llvm::DebugLoc location = trap->getDebugLoc();
  for (llvm::BasicBlock *successor : llvm::successors(block))
    successor->removePredecessor(block);
  while (&block->back() != trap) {
    llvm::Instruction &last = block->back();
    last.replaceAllUsesWith(llvm::PoisonValue::get(last.getType()));
    last.eraseFromParent();
  }
  trap->eraseFromParent();
  llvm::BranchInst::Create(target, block)->setDebugLoc(location);
}

static void mergeTraps(llvm::Function &function) {
  // What follows a trap in its block, another trap too, goes with it.
  llvm::SmallVector<llvm::CallInst *, 16> traps;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::trap) {
        traps.push_back(call);
        break;
      }
  if (traps.size() < 2)
    return;
  auto *shared =
      llvm::BasicBlock::Create(function.getContext(), "trap", &function);
  llvm::Instruction *merged = traps.front()->clone();
  merged->insertInto(shared, shared->end());
  for (llvm::CallInst *trap : traps)
    merged->applyMergedLocation(merged->getDebugLoc(), trap->getDebugLoc());
  new llvm::UnreachableInst(function.getContext(), shared);
  for (llvm::CallInst *trap : traps)
    branchInstead(trap, shared);
}

void coll::mergeTraps(llvm::Module &module) {
  for (llvm::Function &function : module)
    ::mergeTraps(function);
}
