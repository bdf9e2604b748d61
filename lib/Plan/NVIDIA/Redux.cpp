//===- Redux.cpp - Reduce by redux.sync -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// redux.sync combines a 32-bit integer of all members in one instruction, in an
// order that it does not promise: it is for exact operators. The member mask
// names the lanes that are present. Wider integers take several, floats become
// integers of the same order first; sm_100a and sm_103a have min and max of f32
// too. In tiles every group of members is a pass of its own.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Narrow.h"

using namespace coll;

/// What all strategies here need.
static bool canReduce(const PlanKey &key) {
  return key.kind == CollectiveKind::Reduce && key.getMaxRanks() >= 2;
}

/// How integers of `bits` bits are given to redux.sync.
static std::optional<ReduxForm> getForm(OperatorKind kind, unsigned bits,
                                        unsigned lanes) {
  if (bits == 32 || (isBitwise(kind) && bits * lanes % 32 == 0))
    return ReduxForm::Words;
  if (bits != 64 || lanes != 1)
    return std::nullopt;
  if (isIntegerMinMax(kind))
    return ReduxForm::HighThenLow;
  if (kind == OperatorKind::Add)
    return ReduxForm::Fields;
  return std::nullopt;
}

std::optional<Plan> nvidia::buildRedux(const PlanKey &key) {
  if (!canReduce(key) || !key.target.has(Feature::Redux) ||
      !key.element.isSingle(/*isFloat=*/false) || !hasRedux(key.op.kind))
    return std::nullopt;
  const LeafType &leaf = key.element.leaves.front();
  unsigned bits = isWidened(key) ? 32 : leaf.bits;
  std::optional<ReduxForm> form = getForm(key.op.kind, bits, leaf.lanes);
  if (!form)
    return std::nullopt;
  PlanBuilder builder(key);
  PlanValue all = builder.redux(*form, widenInput(builder, key));
  return builder.finishReduce(narrow(builder, key, all));
}

std::optional<Plan> nvidia::buildReduxKeys(const PlanKey &key) {
  if (!canReduce(key) || !key.target.has(Feature::Redux) ||
      !key.element.isScalar(/*isFloat=*/true) || !isFloatMinMax(key.op.kind))
    return std::nullopt;
  PlanBuilder builder(key);
  bool isDouble = key.element.leaves.front().bits == 64;
  PlanValue keys = builder.encode(Encoding::Keys, builder.getInput());
  PlanValue best =
      builder.redux(isDouble ? ReduxForm::HighThenLow : ReduxForm::Words, keys);
  return builder.finishReduce(builder.decode(Encoding::Keys, best));
}

std::optional<Plan> nvidia::buildReduxFloat(const PlanKey &key) {
  if (!canReduce(key) || !key.target.has(Feature::ReduxF32) ||
      !key.element.isScalar(/*isFloat=*/true) || !isFloatMinMax(key.op.kind) ||
      key.element.leaves.front().bits == 64)
    return std::nullopt;
  PlanBuilder builder(key);
  return builder.finishReduce(
      builder.redux(ReduxForm::Float, builder.getInput()));
}

std::optional<Plan> nvidia::buildReduxArg(const PlanKey &key) {
  if (!canReduce(key) || !key.target.has(Feature::Redux) || !key.op.arg ||
      key.element.leaves.front().lanes != 1)
    return std::nullopt;
  PlanBuilder builder(key);
  return builder.finishReduce(
      builder.redux(ReduxForm::Arg, builder.getInput()));
}
