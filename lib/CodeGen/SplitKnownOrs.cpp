//===- SplitKnownOrs.cpp - Ors of 64 bits with a known half ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the upper or lower half of an operand is all ones, so is that of an or.
// LLVM 22 for AMD takes the other operand's half instead, if it finds out after
// it has split a select:
//
//   %o = or i64 %a, -4294967296
//   %s = select i1 %c, i64 -99, i64 %o
//   %r = or i64 %s, %d       ; the upper half becomes that of %d, not -1
//
// Such an or is done on the half that is not known; the other is a constant. Of
// two 32-bit numbers it makes an or of 64 bits too, so that numbers of vectors
// are combined one by one.
//
//===----------------------------------------------------------------------===//

#include "SplitVector.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace coll;
using llvm::Value;

static constexpr uint64_t lowHalf = 0xFFFF'FFFF;

/// The half of the result that is all ones for one operand's sake; 0 if none.
static uint64_t findKnownHalf(const llvm::Instruction &instruction,
                              const llvm::DataLayout &layout) {
  for (const Value *operand : instruction.operands()) {
    llvm::APInt ones = llvm::computeKnownBits(operand, layout).One;
    for (uint64_t half : {lowHalf, ~lowHalf})
      if (ones.getZExtValue() & half && !(~ones.getZExtValue() & half))
        return half;
  }
  return 0;
}

/// An or of the half that is not `known`.
static Value *createOr(llvm::IRBuilder<> &builder, Value *left, Value *right,
                       uint64_t known) {
  auto *halves = llvm::FixedVectorType::get(builder.getInt32Ty(), 2);
  uint64_t other = known == lowHalf ? 1 : 0;
  auto takeHalf = [&](Value *value) {
    return builder.CreateExtractElement(builder.CreateBitCast(value, halves),
                                        other);
  };
  Value *result = builder.CreateInsertElement(
      llvm::Constant::getAllOnesValue(halves),
      builder.CreateOr(takeHalf(left), takeHalf(right)), other);
  return builder.CreateBitCast(result, left->getType());
}

void coll::splitKnownOrs(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (instruction.getOpcode() == llvm::Instruction::Or &&
          instruction.getType()->isVectorTy() &&
          instruction.getType()->getScalarSizeInBits() >= 32)
        splitVector(&instruction);
  const llvm::DataLayout &layout = module.getDataLayout();
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (instruction.getOpcode() != llvm::Instruction::Or ||
          !instruction.getType()->isIntegerTy(64))
        continue;
      uint64_t known = findKnownHalf(instruction, layout);
      if (!known)
        continue;
      llvm::IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(
          createOr(builder, instruction.getOperand(0),
                   instruction.getOperand(1), known));
      instruction.eraseFromParent();
    }
}
