//===- FloatMinMax.cpp - Minima and maxima of floats ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatMinMax.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

static bool isOneOf(const Instruction &instruction,
                    std::initializer_list<Intrinsic::ID> ids) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && is_contained(ids, call->getIntrinsicID());
}

bool coll::isFloatMax(const Instruction &instruction) {
  return isOneOf(instruction, {Intrinsic::maxnum, Intrinsic::maximum,
                               Intrinsic::maximumnum});
}

bool coll::isFloatMin(const Instruction &instruction) {
  return isOneOf(instruction, {Intrinsic::minnum, Intrinsic::minimum,
                               Intrinsic::minimumnum});
}
