//===- SplitPairs.cpp - Pairs of 16-bit numbers with constants ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of instructions on pairs of 16-bit numbers that have constants in them
// - ptxas (13.0.88, sm_90) loses the constants of add.s16x2 where one half of
//   the result is read;
//
// - the compiler in NVIDIA's driver (580.159) ends with a segmentation fault
//   where one number of a pair of floats is a constant, the other one is not,
//   and the bits of the minimum or maximum of it are compared with the
//   constant, and takes the wrong half of pairs of integers there:
//
//     mov.b32 %r1, {%h1, 0x3C00};  max.f16x2 %r3, %r1, %r2;
//     mov.b32 {_, %h2}, %r3;       setp.eq.b16 %p, %h2, 0x3C00;
//
// So these are computed number by number.
//
//===----------------------------------------------------------------------===//

#include "FloatMinMax.h"
#include "SplitVector.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace coll;
using namespace llvm;

/// Whether some numbers of a vector are constants, or may become ones.
static bool hasConstants(Value *vector) {
  if (isa<Constant>(vector))
    return true;
  if (isa<PHINode, SelectInst>(vector))
    return any_of(cast<User>(vector)->operands(),
                  [](Value *operand) { return isa<Constant>(operand); });
  auto *type = cast<FixedVectorType>(vector->getType());
  return any_of(seq(type->getNumElements()), [&](unsigned i) {
    return isa_and_present<Constant>(findScalarElement(vector, i));
  });
}

/// Sums of bytes are computed in 16 bits, and of differences and others LLVM
/// may make sums with constants. A minimum or maximum of floats with nothing
/// but constants on one side is right.
static bool isLost(Instruction &instruction) {
  if (is_contained<unsigned>({Instruction::Add, Instruction::Sub},
                             instruction.getOpcode()) ||
      isa<SaturatingInst>(instruction))
    return true;
  bool isFloat = isFloatMinMax(instruction);
  if (!isFloat && !isa<MinMaxIntrinsic>(instruction))
    return false;
  Value *left = instruction.getOperand(0), *right = instruction.getOperand(1);
  bool isWhole = isFloat && (isa<Constant>(left) || isa<Constant>(right));
  return !isWhole && (hasConstants(left) || hasConstants(right));
}

void coll::splitPairs(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Type *type = instruction.getType();
      if (isa<FixedVectorType>(type) && type->getScalarSizeInBits() <= 16 &&
          isLost(instruction))
        splitVector(&instruction);
    }
}
