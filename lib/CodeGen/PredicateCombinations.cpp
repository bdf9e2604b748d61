//===- PredicateCombinations.cpp - Combine where a shuffle has a source ---===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of a scan combines where the shuffle's predicate says that there is a
// source: `select p, op(x, s), x`, which ptxas makes one predicated
// instruction. LLVM's optimiser rewrites that to `op(x, select(p, s,
// neutral))`, two instructions. This turns it back.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace coll;

static bool isShufflePredicate(const llvm::Value *value) {
  auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  if (!extract || extract->getIndices() != llvm::ArrayRef<unsigned>(1))
    return false;
  auto *call = llvm::dyn_cast<llvm::CallBase>(extract->getAggregateOperand());
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(
             "llvm.nvvm.shfl.sync.");
}

/// The only user of the select, if it combines what is selected with something
/// and the select's other value is neutral there.
static llvm::BinaryOperator *getCombination(const llvm::SelectInst &select) {
  if (!select.hasOneUse())
    return nullptr;
  auto *op = llvm::dyn_cast<llvm::BinaryOperator>(
      const_cast<llvm::User *>(*select.user_begin()));
  if (!op || !op->isCommutative() ||
      select.getFalseValue() !=
          llvm::ConstantExpr::getBinOpIdentity(op->getOpcode(), op->getType()))
    return nullptr;
  return op;
}

void coll::predicateCombinations(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      if (!op)
        continue;
      for (unsigned i : {0, 1}) {
        auto *select = llvm::dyn_cast<llvm::SelectInst>(op->getOperand(i));
        if (!select || !isShufflePredicate(select->getCondition()) ||
            getCombination(*select) != op)
          continue;
        llvm::Value *own = op->getOperand(1 - i);
        llvm::IRBuilder<> builder(op);
        llvm::Value *combined =
            builder.CreateBinOp(op->getOpcode(), own, select->getTrueValue());
        op->replaceAllUsesWith(
            builder.CreateSelect(select->getCondition(), combined, own));
        op->eraseFromParent();
        break;
      }
    }
}
