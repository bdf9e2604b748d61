//===- HideConstants.cpp - Constants that LLVM gets wrong -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 for AMD
// - makes a DPP move a part of an instruction with three operands (GFX11 and
//   later). Where the value that is moved turns out to be a constant, it swaps
//   the first two, as the first must be a register there, and so moves the
//   other one:
//
//     %m = call i32 @llvm.amdgcn.update.dpp.i32(i32 poison, i32 3, ...)
//     v_max3_i32_e64_dpp v1, v1, 3, v2 quad_perm:[1,0,3,2]
//
// - takes `0.0 - x`, which it makes of `-x + 0.0` too, for `-x` where it is an
//   operand of an instruction that can negate it. For 0.0 they differ.
//
// - makes a 0.0 of a constant -0.0 beside another number in a pair of 16-bit
//   floats.
//
// - takes -0.0 for 0.0 as the lower bound of a clamp to 0.0 and 1.0.
//
// - makes v_med3 of a minimum and a maximum with constants, which gives 0.0 for
//   -0.0 where the upper bound is 0.0. Where the result is negated, it swaps
//   the two and forgets that it may be a NaN, for which they differ.
//
// An assembly text without instructions hides these constants.
//
//===----------------------------------------------------------------------===//

#include "FloatMinMax.h"
#include "PinValue.h"
#include "SplitVector.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace coll;
using namespace llvm;
using namespace llvm::PatternMatch;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// The operand that a DPP move reads from another lane, or null: also if some
/// rows are masked, as no instruction with three operands takes such a move.
static Use *getMovedOperand(Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  auto isFull = [&](unsigned mask) {
    return match(call->getArgOperand(mask), m_SpecificInt(0xf));
  };
  if (call->getIntrinsicID() == Intrinsic::amdgcn_update_dpp)
    return isFull(3) && isFull(4) ? &call->getArgOperandUse(1) : nullptr;
  if (call->getIntrinsicID() == Intrinsic::amdgcn_mov_dpp8)
    return &call->getArgOperandUse(0);
  return nullptr;
}

static void hideMoved(Instruction &instruction) {
  Use *moved = getMovedOperand(instruction);
  if (!moved || !moved->get()->getType()->isIntegerTy(32))
    return;
  const DataLayout &layout = instruction.getModule()->getDataLayout();
  if (isa<Constant>(*moved) || computeKnownBits(*moved, layout).isConstant())
    moved->set(createPinned(*moved, &instruction, /*isScalar=*/false));
}

//===----------------------------------------------------------------------===//
// Zeros
//===----------------------------------------------------------------------===//

static bool isPositiveZero(const Constant *constant) {
  const auto *number = dyn_cast_or_null<ConstantFP>(constant);
  return number && number->isZero() && !number->isNegative();
}

static bool isNegativeZero(const Constant *constant) {
  const auto *number = dyn_cast_or_null<ConstantFP>(constant);
  return number && number->isZero() && number->isNegative();
}

using Predicate = bool(const Constant *);

/// Whether the constant, or a number of a vector, is such a zero.
static bool has(const Constant *constant, Predicate isZero) {
  auto *type = dyn_cast<FixedVectorType>(constant->getType());
  if (!type)
    return isZero(constant);
  return any_of(seq(type->getNumElements()), [&](unsigned i) {
    return isZero(constant->getAggregateElement(i));
  });
}

/// A zero of `type`, which has at most 32 bits.
static Value *createHiddenZero(IRBuilder<> &b, Type *type, bool isNegative,
                               Instruction &instruction) {
  unsigned bits = type->getPrimitiveSizeInBits();
  Value *zero =
      createPinned(b.getInt32(isNegative ? 1u << (bits - 1) : 0), &instruction,
                   /*isScalar=*/true);
  return b.CreateBitCast(b.CreateTrunc(zero, b.getIntNTy(bits)), type);
}

/// `constant` whose zeros of one sign nobody sees.
static Value *createHidden(IRBuilder<> &b, Constant *constant, Predicate isZero,
                           Instruction &instruction) {
  Type *element = constant->getType()->getScalarType();
  Value *zero =
      createHiddenZero(b, element, isZero == isNegativeZero, instruction);
  auto *type = dyn_cast<FixedVectorType>(constant->getType());
  if (!type)
    return zero;
  Value *result = constant;
  for (unsigned i = 0; i != type->getNumElements(); ++i)
    if (isZero(constant->getAggregateElement(i)))
      result = b.CreateInsertElement(result, zero, i);
  return result;
}

/// Hides zeros in a value, and in what a vector is made of.
static void hideIn(Use &use, Predicate isZero, Instruction &user) {
  if (auto *constant = dyn_cast<Constant>(use)) {
    if (!has(constant, isZero))
      return;
    IRBuilder<> b(&user);
    use.set(createHidden(b, constant, isZero, user));
    return;
  }
  auto *part = dyn_cast<Instruction>(use);
  if (part && isa<InsertElementInst, ShuffleVectorInst>(part))
    for (unsigned i : {0, 1})
      hideIn(part->getOperandUse(i), isZero, *part);
}

/// Whether no number of the constant has a sign; others are what a factor of a
/// negation may be.
static bool isNonNegative(const Constant *constant) {
  const auto *number = dyn_cast_or_null<ConstantFP>(
      constant->getType()->isVectorTy() ? constant->getSplatValue() : constant);
  return number && !number->isNegative();
}

/// How far LLVM looks for something to negate.
static constexpr unsigned maxDepth = 6;

/// Whether instruction selection may find that `value` is the negation of
/// something: by an operation, a factor, or a flipped sign bit.
static bool mayBeNegation(const Value *value, unsigned depth = 0) {
  if (!value->getType()->isFPOrFPVectorTy())
    return false;
  if (auto *constant = dyn_cast<Constant>(value))
    return !isNonNegative(constant);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return false;
  switch (instruction->getOpcode()) {
  case Instruction::FNeg:
  case Instruction::FSub:
    return true;
  case Instruction::BitCast:
    return match(instruction->getOperand(0), m_Xor(m_Value(), m_Value()));
  case Instruction::FAdd:
  case Instruction::Load:
  case Instruction::PHI:
    return false;
  default:
    return depth == maxDepth ||
           any_of(instruction->operands(), [&](const Use &operand) {
             return mayBeNegation(operand, depth + 1);
           });
  }
}

/// The operands of a sum or difference that LLVM may take a zero away from.
static SmallVector<Use *> getAddends(Instruction &instruction) {
  auto use = [&](unsigned i) { return &instruction.getOperandUse(i); };
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
    if (mayBeNegation(*use(0)) || mayBeNegation(*use(1)))
      return {use(0), use(1)};
    return {};
  case Instruction::FSub:
    return {use(0)};
  case Instruction::Call:
    if (cast<CallInst>(instruction).getIntrinsicID() == Intrinsic::fma)
      return {use(2)};
    return {};
  default:
    return {};
  }
}

static void hideZeros(Instruction &instruction) {
  Type *type = instruction.getType()->getScalarType();
  if (!type->isFloatingPointTy() || type->getPrimitiveSizeInBits() > 32)
    return;
  for (Use *addend : getAddends(instruction)) {
    // A pair would lose the sign of the other zero.
    if (instruction.getType()->isVectorTy())
      hideIn(*addend, isNegativeZero, instruction);
    hideIn(*addend, isPositiveZero, instruction);
  }
  // LLVM makes a sum of it, with the other zero, which pairs lose.
  if (instruction.getOpcode() == Instruction::FSub) {
    hideIn(instruction.getOperandUse(1), isNegativeZero, instruction);
    if (instruction.getType()->isVectorTy())
      hideIn(instruction.getOperandUse(1), isPositiveZero, instruction);
  }
}

static void hideInPairs(Instruction &instruction) {
  Type *type = instruction.getType();
  bool isPair = type->isVectorTy() && type->isFPOrFPVectorTy() &&
                type->getScalarType()->getPrimitiveSizeInBits() == 16;
  if (isPair && isa<InsertElementInst, ShuffleVectorInst>(instruction))
    for (unsigned i : {0, 1})
      hideIn(instruction.getOperandUse(i), isNegativeZero, instruction);
}

/// A number of a vector as the value that it was made of, where that is known.
static Value *getNumber(Value *value) {
  auto *extract = dyn_cast<ExtractElementInst>(value);
  auto *index =
      extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
  Value *number = index ? findScalarElement(extract->getVectorOperand(),
                                            index->getZExtValue())
                        : nullptr;
  return number ? number : value;
}

static bool isBoundedByConstant(Value *value) {
  auto *instruction = dyn_cast<Instruction>(getNumber(value));
  return instruction && isFloatMinMax(*instruction) &&
         (isa<Constant>(instruction->getOperand(0)) ||
          isa<Constant>(instruction->getOperand(1)));
}

/// Negative zeros that a minimum or maximum has as bounds, and positive ones
/// where a value has two bounds.
static void hideBounds(Instruction &instruction) {
  if (!isFloatMinMax(instruction) ||
      instruction.getType()->getScalarSizeInBits() > 32)
    return;
  Use &left = instruction.getOperandUse(0),
      &right = instruction.getOperandUse(1);
  bool hasTwo = isBoundedByConstant(left) || isBoundedByConstant(right) ||
                any_of(instruction.users(), isBoundedByConstant);
  for (Use *use : {&left, &right}) {
    hideIn(*use, isNegativeZero, instruction);
    if (hasTwo && isFloatMin(instruction))
      hideIn(*use, isPositiveZero, instruction);
  }
}

/// A bounded value that is negated, apart from the negation.
static void hideNegated(Instruction &instruction) {
  Value *value = instruction.getOperand(0);
  if (isBoundedByConstant(value) &&
      value->getType()->getPrimitiveSizeInBits() <= 32)
    instruction.setOperand(
        0, createPinned(value, &instruction, /*isScalar=*/false));
}

/// Minima, maxima and negations of vectors, but for pairs of f16.
static void splitVectors(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if ((isFloatMinMax(instruction) ||
         instruction.getOpcode() == Instruction::FNeg) &&
        instruction.getType()->isVectorTy() &&
        instruction.getType()->getScalarSizeInBits() == 32)
      splitVector(&instruction);
}

void coll::hideConstants(Module &module) {
  for (Function &function : module) {
    splitVectors(function);
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      hideMoved(instruction);
      hideZeros(instruction);
      hideInPairs(instruction);
      hideBounds(instruction);
      if (instruction.getOpcode() == Instruction::FNeg)
        hideNegated(instruction);
    }
  }
}
