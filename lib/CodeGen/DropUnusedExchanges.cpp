//===- DropUnusedExchanges.cpp - Exchanges that nobody reads --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a shuffle, vote, match or redux whose result is not read ptxas (13.0)
// leaves the wait for the members. Where these differ between lanes, the wait
// splits the warp, which ptxas does not see: it believes that the lanes are
// still together, and leaves out the wait of a later instruction, which then
// takes a part of its members only. On an H200 about one in a hundred random
// sequences with such instructions gives a wrong result or does not end; of
// 2,000 without, none does.
//
// LLVM keeps these calls, as they wait. In Coll nobody relies on it: `sync` is
// an instruction of its own.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace coll;

/// Whether the instruction only waits for other lanes and gives a value:
/// barriers order memory.
static bool isExchange(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && call->isConvergent() && !call->getType()->isVoidTy() &&
         call->onlyAccessesInaccessibleMemory();
}

static bool isRoot(const llvm::Instruction &instruction) {
  return instruction.isTerminator() ||
         (instruction.mayHaveSideEffects() && !isExchange(instruction));
}

/// Exchanges of values that only exchanges read, round loops too, go as well.
static void dropUnused(llvm::Function &function) {
  llvm::SmallPtrSet<llvm::Instruction *, 32> used;
  llvm::SmallVector<llvm::Instruction *> work;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (isRoot(instruction) && used.insert(&instruction).second)
      work.push_back(&instruction);
  while (!work.empty())
    for (llvm::Value *operand : work.pop_back_val()->operands())
      if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(operand))
        if (used.insert(instruction).second)
          work.push_back(instruction);
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (used.contains(&instruction))
      continue;
    instruction.replaceAllUsesWith(
        llvm::PoisonValue::get(instruction.getType()));
    instruction.eraseFromParent();
  }
}

void coll::dropUnusedExchanges(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (llvm::any_of(llvm::instructions(function), isExchange))
      dropUnused(function);
}
