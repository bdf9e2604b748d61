//===- WidenHalf.cpp - Short floats that selects keep ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas (13.0, sm_90) makes one HADD2, HMUL2 or HMNMX2 of two instructions on
// 16-bit floats, where the later one is, though a select that keeps one of its
// operands may have overwritten the first one's operand with its result. One in
// a hundred random sequences of additions and selects gives a wrong result on
// an H200; without selects, or with 32-bit additions, none of a thousand.
//
// So what has an operand that a select or a branch also hands on is computed as
// f32, which has more than twice as many bits: rounded, sums and products are
// the same (Figueroa, "When is double rounding innocuous?", 1995).
//
//===----------------------------------------------------------------------===//

#include "FloatMinMax.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace coll;

/// Whether a select or a branch may give the bits of `value` as its result,
/// after any casts.
static bool isHandedOn(const llvm::Value *value) {
  if (llvm::isa<llvm::Constant>(value))
    return false;
  return llvm::any_of(value->users(), [](const llvm::User *user) {
    return llvm::isa<llvm::SelectInst, llvm::PHINode>(user) ||
           (llvm::isa<llvm::CastInst>(user) && isHandedOn(user));
  });
}

/// Whether a select or a branch may hand on the register that `value`, or a
/// number before casts or among others, is in.
static bool isInDanger(const llvm::Value *value) {
  if (isHandedOn(value))
    return true;
  return llvm::isa<llvm::CastInst, llvm::ExtractElementInst>(value) &&
         isInDanger(llvm::cast<llvm::Instruction>(value)->getOperand(0));
}

/// Whether instructions like this one are made pairs, and wider numbers give
/// the same: not so for fma of bf16, whose range is that of f32.
static bool mayBePaired(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return true;
  default:
    break;
  }
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  bool isFused = call && call->getIntrinsicID() == llvm::Intrinsic::fma;
  return isFloatMinMax(instruction) || (isFused && call->getType()->isHalfTy());
}

/// f64 has the bits of a product and a sum of f16 that decide about rounding.
static llvm::Value *createWide(llvm::IRBuilder<> &b,
                               const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  bool isFused = call && call->getIntrinsicID() == llvm::Intrinsic::fma;
  llvm::Type *type = isFused ? b.getDoubleTy() : b.getFloatTy();
  llvm::SmallVector<llvm::Value *, 3> wide;
  for (llvm::Value *operand :
       call ? llvm::make_range(call->arg_begin(), call->arg_end())
            : instruction.operands())
    wide.push_back(b.CreateFPExt(operand, type));
  if (call)
    return b.CreateIntrinsic(call->getIntrinsicID(), {type}, wide);
  return b.CreateBinOp(
      static_cast<llvm::Instruction::BinaryOps>(instruction.getOpcode()),
      wide[0], wide[1]);
}

void coll::widenHalf(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::Instruction *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      llvm::Type *type = instruction.getType();
      if ((type->isHalfTy() || type->isBFloatTy()) &&
          mayBePaired(instruction) &&
          llvm::any_of(instruction.operands(), isInDanger))
        found.push_back(&instruction);
    }
    for (llvm::Instruction *instruction : found) {
      llvm::IRBuilder<> b(instruction);
      llvm::Value *wide = createWide(b, *instruction);
      instruction->replaceAllUsesWith(
          b.CreateFPTrunc(wide, instruction->getType()));
      instruction->eraseFromParent();
    }
  }
}
