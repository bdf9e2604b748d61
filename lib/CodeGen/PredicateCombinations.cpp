//===- PredicateCombinations.cpp - Combine where a shuffle has a source ---===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of a scan combines where the shuffle's predicate, or the lane, says
// that there is a source: `select p, op(x, s), x`, which ptxas makes one
// predicated instruction. LLVM's optimiser rewrites that to `op(x, select(p, s,
// neutral))`, two instructions. This turns it back.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace coll;

/// A value from another lane, alone or with its predicate.
static bool isShuffled(const llvm::Value *value) {
  if (auto *extract = llvm::dyn_cast<llvm::ExtractValueInst>(value))
    value = extract->getAggregateOperand();
  auto *call = llvm::dyn_cast<llvm::CallBase>(value);
  return call && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with(
             "llvm.nvvm.shfl.sync.");
}

/// The arm of the select that is a value from another lane, where the other one
/// is neutral to `op`, the only user; null otherwise.
static llvm::Value *getShuffledArm(const llvm::SelectInst &select,
                                   const llvm::BinaryOperator &op) {
  if (!select.hasOneUse() || !op.isCommutative())
    return nullptr;
  llvm::Constant *neutral =
      llvm::ConstantExpr::getBinOpIdentity(op.getOpcode(), op.getType());
  for (unsigned arm : {1, 2})
    if (isShuffled(select.getOperand(arm)) &&
        select.getOperand(3 - arm) == neutral)
      return select.getOperand(arm);
  return nullptr;
}

/// Makes `own + (condition ? shuffled : neutral)` a select of the sum.
static void combineUnderCondition(llvm::BinaryOperator &op,
                                  llvm::SelectInst &select,
                                  llvm::Value *shuffled, llvm::Value *own) {
  llvm::IRBuilder<> builder(&op);
  llvm::Value *combined = builder.CreateBinOp(op.getOpcode(), own, shuffled);
  bool isTrueArm = select.getTrueValue() == shuffled;
  op.replaceAllUsesWith(builder.CreateSelect(select.getCondition(),
                                             isTrueArm ? combined : own,
                                             isTrueArm ? own : combined));
  op.eraseFromParent();
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
        llvm::Value *shuffled = select ? getShuffledArm(*select, *op) : nullptr;
        if (!shuffled)
          continue;
        combineUnderCondition(*op, *select, shuffled, op->getOperand(1 - i));
        break;
      }
    }
}
