//===- SaturateByCvt.cpp - Floats to integers by PTX's cvt ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM bounds a float by comparisons or max and min before it converts it to an
// integer, though PTX's cvt saturates by itself, and gives 0 for a NaN where an
// f32 becomes 32 bits (PTX ISA 9.0, cvt: integer notes). Shorter integers are
// bounded after that. So ptxas does not see a max either that it takes for a
// part of a saturation to 1: KeepSpecialFloats.cpp.
//
//===----------------------------------------------------------------------===//

#include "SplitVector.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace coll;
using namespace llvm;

static bool isSaturating(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && (call->getIntrinsicID() == Intrinsic::fptosi_sat ||
                  call->getIntrinsicID() == Intrinsic::fptoui_sat);
}

static Intrinsic::ID getConversion(bool isDouble, bool isLong, bool isSigned) {
  if (isDouble)
    return isLong
               ? (isSigned ? Intrinsic::nvvm_d2ll_rz : Intrinsic::nvvm_d2ull_rz)
               : (isSigned ? Intrinsic::nvvm_d2i_rz : Intrinsic::nvvm_d2ui_rz);
  return isLong
             ? (isSigned ? Intrinsic::nvvm_f2ll_rz : Intrinsic::nvvm_f2ull_rz)
             : (isSigned ? Intrinsic::nvvm_f2i_rz : Intrinsic::nvvm_f2ui_rz);
}

static Value *createBounded(IRBuilder<> &b, Value *wide, unsigned bits,
                            bool isSigned) {
  unsigned width = wide->getType()->getIntegerBitWidth();
  if (!isSigned)
    return b.CreateBinaryIntrinsic(
        Intrinsic::umin, wide, b.getInt(APInt::getMaxValue(bits).zext(width)));
  Value *above = b.CreateBinaryIntrinsic(
      Intrinsic::smax, wide,
      b.getInt(APInt::getSignedMinValue(bits).sext(width)));
  return b.CreateBinaryIntrinsic(
      Intrinsic::smin, above,
      b.getInt(APInt::getSignedMaxValue(bits).sext(width)));
}

static void convert(IntrinsicInst *call) {
  IRBuilder<> b(call);
  bool isSigned = call->getIntrinsicID() == Intrinsic::fptosi_sat;
  Value *value = call->getArgOperand(0);
  bool isDouble = value->getType()->isDoubleTy();
  if (!isDouble && !value->getType()->isFloatTy())
    value = b.CreateFPExt(value, b.getFloatTy());
  unsigned bits = call->getType()->getIntegerBitWidth();
  bool isLong = bits > 32;
  Value *result =
      b.CreateIntrinsic(getConversion(isDouble, isLong, isSigned), {value});
  if (isDouble || isLong)
    result = b.CreateSelect(
        b.CreateFCmpORD(value, ConstantFP::getZero(value->getType())), result,
        ConstantInt::get(result->getType(), 0));
  if (bits < 32)
    result = b.CreateTrunc(createBounded(b, result, bits, isSigned),
                           call->getType());
  call->replaceAllUsesWith(result);
  call->eraseFromParent();
}

void coll::saturateByCvt(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (isSaturating(instruction) && instruction.getType()->isVectorTy())
        splitVector(&instruction);
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (isSaturating(instruction))
        convert(cast<IntrinsicInst>(&instruction));
}
