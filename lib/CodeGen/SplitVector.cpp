//===- SplitVector.cpp - Vector instructions as ones of elements ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

static Value *getElement(IRBuilder<> &b, Value *value, unsigned i) {
  if (!value->getType()->isVectorTy())
    return value;
  Value *known = findScalarElement(value, i);
  return known ? known : b.CreateExtractElement(value, i);
}

static Value *createElement(IRBuilder<> &b, Instruction *instruction,
                            ArrayRef<Value *> operands) {
  if (auto *call = dyn_cast<IntrinsicInst>(instruction))
    return b.CreateIntrinsic(call->getType()->getScalarType(),
                             call->getIntrinsicID(), operands, call);
  if (auto *compare = dyn_cast<CmpInst>(instruction))
    return b.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
  if (isa<SelectInst>(instruction))
    return b.CreateSelect(operands[0], operands[1], operands[2]);
  if (auto *binary = dyn_cast<BinaryOperator>(instruction))
    return b.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  return b.CreateUnOp(cast<UnaryOperator>(instruction)->getOpcode(),
                      operands[0]);
}

void coll::splitVector(Instruction *instruction) {
  IRBuilder<> b(instruction);
  auto *type = cast<FixedVectorType>(instruction->getType());
  auto *call = dyn_cast<IntrinsicInst>(instruction);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    SmallVector<Value *, 3> operands;
    for (Value *operand : call ? make_range(call->arg_begin(), call->arg_end())
                               : instruction->operands())
      operands.push_back(getElement(b, operand, i));
    result = b.CreateInsertElement(result,
                                   createElement(b, instruction, operands), i);
  }
  instruction->replaceAllUsesWith(result);
  instruction->eraseFromParent();
}
