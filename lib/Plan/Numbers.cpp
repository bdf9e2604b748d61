//===- Numbers.cpp - Vectors number by number -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector that no instruction combines whole is several collectives: redux has
// words, DPP operands are words, bytes and bf16 have no vector instructions.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"
#include "coll/Plan/PlanBuilder.h"
#include "coll/Plan/Strategy.h"

using namespace coll;

std::optional<PlanKey> coll::getNumberKey(const PlanKey &key) {
  if (isShuffle(key.kind) || key.kind == CollectiveKind::ScanTotal ||
      key.op.kind == OperatorKind::Custom || key.element.leaves.size() != 1 ||
      key.element.leaves.front().lanes == 1)
    return std::nullopt;
  PlanKey number = key;
  number.element.leaves.front().lanes = 1;
  number.isNumber = true;
  number.op = OperatorInfo::builtin(key.op.kind, number.element);
  // What rank 0 of an exclusive scan gets may be said to be another value.
  number.op.isIdentityNeutral = key.op.isIdentityNeutral;
  number.op.isZeroIdentity = key.op.isZeroIdentity;
  return number;
}

std::optional<Plan> coll::buildNumbers(const PlanKey &key) {
  if (key.getMaxRanks() < 2 || !getNumberKey(key))
    return std::nullopt;
  PlanBuilder builder(key);
  return builder.finishShuffle(builder.numbers(builder.getInput()));
}
