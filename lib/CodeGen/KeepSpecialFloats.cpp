//===- KeepSpecialFloats.cpp - NaNs and -0 that ptxas would lose ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas (13.0, sm_90) takes floats for numbers other than NaN and -0 where they
// may be those. Of all chains of three operations on one f32, and of two on
// f16, bf16 and f64, these gave other bits on an H200 than PTX says:
//
//   max(min(x, 1), 0)      as a saturation, which makes NaN 0 and not 1;
//   max(min(x, 1), -0)     as one too, with +0 for numbers below zero;
//   min(max(x, -0), 1)     likewise;
//   c ? 1 : -0             as a set, which gives +0 (f32, in any order);
//   |max(|x|, -0)|         without the outer sign removal (f32, and min);
//   |c ? -0 : 2|           likewise (f32);
//   |x| >= 0, |x| > -1     as true, for NaN too, and so for sums, products,
//                          minima and selects of such numbers (f32).
//
// Other maxima may be between those of a saturation. With max.NaN and min.NaN,
// pairs of f16, bf16, and selects of integers nothing is lost.
//
//===----------------------------------------------------------------------===//

#include "FloatMinMax.h"
#include "SelectBits.h"
#include "SplitVector.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace coll;
using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
/// A minimum or maximum of a value and a constant.
struct Bound {
  IntrinsicInst *call = nullptr;
  Value *value = nullptr;
  const APFloat *limit = nullptr;
  bool isMax = false;
  bool losesNaN = false; ///< Gives the limit for a NaN.
};
} // namespace

static std::optional<Bound> getBound(Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!call || !isFloatMinMax(*call))
    return std::nullopt;
  Bound bound;
  bound.call = call;
  if (match(call->getArgOperand(1), m_APFloat(bound.limit)))
    bound.value = call->getArgOperand(0);
  else if (match(call->getArgOperand(0), m_APFloat(bound.limit)))
    bound.value = call->getArgOperand(1);
  else
    return std::nullopt;
  bound.isMax = isFloatMax(*call);
  bound.losesNaN = !is_contained({Intrinsic::minimum, Intrinsic::maximum},
                                 call->getIntrinsicID()) &&
                   !bound.limit->isNaN();
  return bound;
}

/// How many values are looked through for one.
constexpr unsigned maxValues = 256;

/// Whether a bound that `value` has had, with nothing but others and selects
/// since, fits.
static bool hasBound(Value *value, function_ref<bool(const Bound &)> fits) {
  SmallSetVector<Value *, 8> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size() && i < maxValues; ++i) {
    if (std::optional<Bound> bound = getBound(values[i])) {
      if (fits(*bound))
        return true;
      values.insert(bound->value);
    } else if (auto *select = dyn_cast<SelectInst>(values[i])) {
      values.insert(select->getTrueValue());
      values.insert(select->getFalseValue());
    }
  }
  return false;
}

/// Whether `bound` ends what ptxas takes for a saturation and is none. The
/// values that it bounds are numbers then.
static bool endsFalseSaturation(const Bound &bound) {
  if (bound.call->getType()->isVectorTy() ||
      !isKnownNeverNaN(bound.value, SimplifyQuery(bound.call->getDataLayout())))
    return false;
  if (bound.isMax)
    return bound.limit->isZero() &&
           hasBound(bound.value, [](const Bound &other) {
             return !other.isMax && other.limit->isExactlyValue(1.0);
           });
  return bound.limit->isExactlyValue(1.0) &&
         hasBound(bound.value, [](const Bound &other) {
           return other.isMax && other.limit->isNegZero();
         });
}

/// Whether `value` has been bounded to 0 and more, and not to -0.
static bool isNoLessThanZero(Value *value) {
  std::optional<Bound> bound = getBound(value);
  return bound && !bound->limit->isNegative() &&
         (bound->isMax ? bound->losesNaN : isNoLessThanZero(bound->value));
}

/// Whether there are max.NaN and min.NaN.
static bool hasNaNForms(const IntrinsicInst &call, const Target &target) {
  return !call.getType()->isDoubleTy() && target.getChip().smVersion >= 80;
}

/// Whether `bound` is to be computed by other instructions: without max.NaN, by
/// ones of integers, and all above those too, of which ptxas makes a saturation
/// again.
static bool isKept(const Bound &bound, const Target &target) {
  if (hasNaNForms(*bound.call, target))
    return bound.losesNaN && endsFalseSaturation(bound);
  if (endsFalseSaturation(bound))
    return true;
  std::optional<Bound> below = getBound(bound.value);
  return !bound.limit->isNaN() && below && isKept(*below, target);
}

/// The same for numbers, by instructions that ptxas keeps as they are.
static Value *createKept(IRBuilder<> &b, const Bound &bound,
                         const Target &target) {
  Type *type = bound.call->getType();
  auto *limit = ConstantFP::get(type, *bound.limit);
  if (hasNaNForms(*bound.call, target))
    return b.CreateBinaryIntrinsic(bound.isMax ? Intrinsic::maximum
                                               : Intrinsic::minimum,
                                   bound.value, limit);
  // The bits of numbers with a sign are above all others without one, and below
  // with one; among themselves they descend.
  bool hasSign = bound.limit->isNegative();
  Intrinsic::ID id = bound.isMax
                         ? (hasSign ? Intrinsic::umin : Intrinsic::smax)
                         : (hasSign ? Intrinsic::umax : Intrinsic::smin);
  Type *bits = b.getIntNTy(type->getPrimitiveSizeInBits());
  return b.CreateBitCast(
      b.CreateBinaryIntrinsic(id, b.CreateBitCast(bound.value, bits),
                              b.CreateBitCast(limit, bits)),
      type);
}

static void keepSaturations(Function &function, const Target &target) {
  SmallVector<IntrinsicInst *> found;
  for (Instruction &instruction : instructions(function))
    if (std::optional<Bound> bound = getBound(&instruction))
      if (isKept(*bound, target))
        found.push_back(bound->call);
  // Those above look at those below, so all are found first.
  for (IntrinsicInst *call : found) {
    IRBuilder<> b(call);
    Bound bound = *getBound(call);
    // Above the bound 0 that a true saturation has, f16 would lose the 1.
    bool isSaturated = bound.isMax &&
                       (bound.limit->isZero() || bound.limit->isNegative()) &&
                       isNoLessThanZero(bound.value);
    call->replaceAllUsesWith(isSaturated ? bound.value
                                         : createKept(b, bound, target));
    call->eraseFromParent();
  }
}

/// Whether all numbers compare so with `limit` that are not below zero, and NaN
/// does not.
static bool holdsForMagnitudes(CmpInst::Predicate predicate,
                               const APFloat &limit) {
  if (limit.isNaN())
    return false;
  return (predicate == CmpInst::FCMP_OGE &&
          (limit.isZero() || limit.isNegative())) ||
         (predicate == CmpInst::FCMP_OGT && limit.isNegative() &&
          !limit.isZero());
}

/// Whether what is no less than zero in its operands is so in the result, or
/// its negative.
static bool keepsMagnitudes(const Instruction &instruction) {
  return isFloatMinMax(instruction) ||
         isa<SelectInst, PHINode, ExtractElementInst, InsertElementInst,
             BitCastInst>(instruction) ||
         match(&instruction, m_Intrinsic<Intrinsic::sqrt>(m_Value())) ||
         is_contained<unsigned>({Instruction::FNeg, Instruction::FAdd,
                                 Instruction::FSub, Instruction::FMul,
                                 Instruction::FDiv},
                                instruction.getOpcode());
}

/// Whether ptxas may find that `value` is no less than zero, if it is a number,
/// as magnitudes are.
static bool mayBeMagnitude(Value *value) {
  SmallSetVector<Value *, 8> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size() && i < maxValues; ++i) {
    if (match(values[i], m_FAbs(m_Value())))
      return true;
    auto *instruction = dyn_cast<Instruction>(values[i]);
    if (instruction && keepsMagnitudes(*instruction))
      values.insert_range(instruction->operands());
  }
  return false;
}

/// Says of such a comparison that it holds for numbers, whichever order it is
/// in.
static void keepComparison(FCmpInst &compare) {
  CmpInst::Predicate predicate = compare.getPredicate();
  Value *value = compare.getOperand(0), *other = compare.getOperand(1);
  if (isa<Constant>(value)) {
    std::swap(value, other);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const APFloat *constant;
  if (!match(other, m_APFloat(constant)))
    return;
  APFloat limit = *constant;
  Value *magnitude = value;
  while (match(magnitude, m_FNeg(m_Value(magnitude)))) {
    predicate = CmpInst::getSwappedPredicate(predicate);
    limit.changeSign();
  }
  if (!holdsForMagnitudes(predicate, limit) || !mayBeMagnitude(magnitude))
    return;
  IRBuilder<> b(compare.getNextNode());
  // Compared with itself, so that the two are not made one again.
  Value *isNumber = b.CreateFCmpORD(value, value);
  Value *both = b.CreateAnd(&compare, isNumber);
  compare.replaceUsesWithIf(both,
                            [&](Use &use) { return use.getUser() != both; });
}

/// | max(x, -0) | is max(x, 0), and | min(|x|, -0) | is min(|x|, 0).
static void keepMagnitude(IntrinsicInst &abs) {
  std::optional<Bound> bound = getBound(abs.getArgOperand(0));
  if (!bound || !bound->limit->isNegZero() ||
      !(bound->isMax || match(bound->value, m_FAbs(m_Value()))))
    return;
  IRBuilder<> b(&abs);
  abs.replaceAllUsesWith(
      b.CreateBinaryIntrinsic(bound->call->getIntrinsicID(), bound->value,
                              ConstantFP::getZero(abs.getType())));
  abs.eraseFromParent();
}

/// Whether ptxas makes another value of a select of f32. The set of 1 and 0
/// that it makes is right.
static bool isLost(Value *yes, Value *no) {
  auto isKnown = [](Value *value) {
    return isa<Constant>(value) || match(value, m_FAbs(m_Value()));
  };
  auto isSet = [](Value *one, Value *zero) {
    return match(one, m_FPOne()) && match(zero, m_PosZeroFP());
  };
  return (isKnown(yes) || isKnown(no)) && !isSet(yes, no) && !isSet(no, yes);
}

/// Instructions of vectors that may have to be kept, as each element has its
/// own constants. Only pairs of f16 and bf16 have minima and maxima of their
/// own.
static void splitVectors(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    if (!isa<FixedVectorType>(instruction.getType()))
      continue;
    bool isSplit = isFloatMinMax(instruction) || isa<FCmpInst>(instruction) ||
                   match(&instruction, m_FAbs(m_Value())) ||
                   instruction.getOpcode() == Instruction::FNeg;
    if ((isSplit &&
         instruction.getOperand(0)->getType()->getScalarSizeInBits() > 16) ||
        (isa<SelectInst>(instruction) &&
         instruction.getType()->getScalarType()->isFloatTy()))
      splitVector(&instruction);
  }
}

void coll::keepSpecialFloats(Module &module, const Target &target) {
  for (Function &function : module) {
    splitVectors(function);
    keepSaturations(function, target);
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *compare = dyn_cast<FCmpInst>(&instruction))
        keepComparison(*compare);
      else if (auto *select = dyn_cast<SelectInst>(&instruction);
               select && select->getType()->isFloatTy() &&
               isLost(select->getTrueValue(), select->getFalseValue()))
        selectBits(select);
      else if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
               call && call->getIntrinsicID() == Intrinsic::fabs)
        keepMagnitude(*call);
  }
}
