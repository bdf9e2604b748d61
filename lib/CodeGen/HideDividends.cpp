//===- HideDividends.cpp - Divisions that LLVM does by floats -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 for AMD divides integers of at most 24 bits by f32: it multiplies by
// the reciprocal, cuts off the fraction, and adds one where the rest says so. A
// product that was rounded up to the next integer makes a quotient too large,
// which it does not correct: 16646144 / 255 gave 65279. Up to 22 bits the error
// of the product is smaller than what is missing to the next integer, also with
// a reciprocal that is one unit off.
//
// It takes a quotient to have as many bits as the dividend and the divisor have
// with their signs, and a division of 64 bits for one of 32 if both have no
// more: -128 / -1 does not fit.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

static constexpr unsigned maxExactBits = 22;
/// The bits that LLVM looks for, and the sign.
static constexpr unsigned maxFloatBits = 25;

/// How many bits of the value are no copies of its sign, or no zeros.
static unsigned countBits(const Value *value, bool isSigned,
                          const DataLayout &layout) {
  if (isSigned)
    return value->getType()->getIntegerBitWidth() -
           ComputeNumSignBits(value, layout) + 1;
  return computeKnownBits(value, layout).countMaxActiveBits();
}

/// Whether the least number of the known bits may be divided by -1.
static bool mayOverflow(const Instruction &division, unsigned bits,
                        const DataLayout &layout) {
  return bits <= 32 && bits < division.getType()->getIntegerBitWidth() &&
         countBits(division.getOperand(0), /*isSigned=*/true, layout) == bits &&
         computeKnownBits(division.getOperand(1), layout).Zero.isZero();
}

/// `value`, of which LLVM knows that it has one bit more than `bits`.
static Value *createLonger(Instruction *place, Value *value, unsigned bits) {
  IRBuilder<> b(place);
  Type *type = value->getType();
  unsigned width = std::max(type->getIntegerBitWidth(), 32u);
  Value *pinned = coll::createPinned(b.CreateSExt(value, b.getIntNTy(width)),
                                     place, /*isScalar=*/false);
  unsigned unused = width - bits - 1;
  return b.CreateTrunc(b.CreateAShr(b.CreateShl(pinned, unused), unused), type);
}

void coll::hideDividends(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      unsigned opcode = instruction.getOpcode();
      bool isSigned =
          opcode == Instruction::SDiv || opcode == Instruction::SRem;
      if (!isSigned && opcode != Instruction::UDiv &&
          opcode != Instruction::URem)
        continue;
      Type *type = instruction.getType();
      if (!type->isIntegerTy())
        continue;
      Use &dividend = instruction.getOperandUse(0);
      unsigned bits =
          std::max(countBits(dividend, isSigned, layout),
                   countBits(instruction.getOperand(1), isSigned, layout));
      if (bits > maxExactBits && bits <= maxFloatBits)
        dividend.set(createPinned(dividend, &instruction, /*isScalar=*/false));
      else if (isSigned && mayOverflow(instruction, bits, layout))
        dividend.set(createLonger(&instruction, dividend, bits));
    }
}
