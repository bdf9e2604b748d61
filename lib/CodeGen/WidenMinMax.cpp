//===- WidenMinMax.cpp - Minima and maxima of short integers --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas (13.0, sm_90) makes one VIMNMX.U16x2 of two minima or maxima of 16-bit
// registers, where the later one is, though a select may have overwritten an
// operand of the first one since: a maximum of two numbers that all lanes
// shared differed between lanes on an H200. So each is computed in 32 bits, for
// which all chips have an instruction, or two as one by the program's own
// choice: vectors of 16-bit numbers.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace coll;

namespace {
struct Extremum {
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  llvm::Value *left = nullptr, *right = nullptr;
};
} // namespace

/// An intrinsic, or a comparison and a select that instruction selection makes
/// one of.
static Extremum getExtremum(llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction))
    return {call->getIntrinsicID(), call->getLHS(), call->getRHS()};
  Extremum found;
  auto pattern =
      llvm::matchSelectPattern(&instruction, found.left, found.right);
  if (llvm::SelectPatternResult::isMinOrMax(pattern.Flavor))
    found.id = llvm::getMinMaxIntrinsic(pattern.Flavor);
  return found;
}

/// Whether one instruction takes two 16-bit numbers in a register, which came
/// with sm_90 and PTX 8.0.
static bool isPacked(llvm::Type *type, const Target &target,
                     const CodeGenOptions &options) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector && vector->getScalarType()->isIntegerTy(16) &&
         vector->getNumElements() % 2 == 0 &&
         target.getChip().smVersion >= 90 &&
         (options.ptxVersion == 0 || options.ptxVersion >= packedMinMaxPTX);
}

/// Sums and differences that saturate, which LLVM makes of minima and maxima.
static llvm::Value *createSaturating(llvm::IRBuilder<> &b,
                                     llvm::SaturatingInst *call) {
  llvm::Type *type = call->getType();
  llvm::Type *wide = type->getWithNewBitWidth(32);
  unsigned width = type->getScalarSizeInBits();
  bool isSigned = call->isSigned();
  llvm::Value *left = b.CreateIntCast(call->getLHS(), wide, isSigned);
  llvm::Value *right = b.CreateIntCast(call->getRHS(), wide, isSigned);
  llvm::Value *result = b.CreateBinOp(call->getBinaryOp(), left, right);
  // A difference of numbers without signs may be below zero.
  auto bound = [&](llvm::Intrinsic::ID id, const llvm::APInt &limit) {
    result = b.CreateBinaryIntrinsic(id, result,
                                     llvm::ConstantInt::get(wide, limit));
  };
  bound(llvm::Intrinsic::smax,
        isSigned ? llvm::APInt::getSignedMinValue(width).sext(32)
                 : llvm::APInt::getZero(32));
  bound(llvm::Intrinsic::smin,
        isSigned ? llvm::APInt::getSignedMaxValue(width).sext(32)
                 : llvm::APInt::getMaxValue(width).zext(32));
  return b.CreateTrunc(result, type);
}

void coll::widenMinMax(llvm::Module &module, const Target &target,
                       const CodeGenOptions &options) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type *type = instruction.getType();
      llvm::Type *scalar = type->getScalarType();
      if (!scalar->isIntegerTy(8) && !scalar->isIntegerTy(16))
        continue;
      if (auto *call = llvm::dyn_cast<llvm::SaturatingInst>(&instruction)) {
        llvm::IRBuilder<> b(call);
        call->replaceAllUsesWith(createSaturating(b, call));
        call->eraseFromParent();
        continue;
      }
      Extremum found = getExtremum(instruction);
      if (found.id == llvm::Intrinsic::not_intrinsic)
        continue;
      llvm::Type *computed =
          isPacked(type, target, options) ? type : type->getWithNewBitWidth(32);
      bool isSigned = llvm::MinMaxIntrinsic::isSigned(found.id);
      llvm::IRBuilder<> b(&instruction);
      llvm::Value *result = b.CreateBinaryIntrinsic(
          found.id, b.CreateIntCast(found.left, computed, isSigned),
          b.CreateIntCast(found.right, computed, isSigned));
      instruction.replaceAllUsesWith(b.CreateTrunc(result, type));
      instruction.eraseFromParent();
    }
}
