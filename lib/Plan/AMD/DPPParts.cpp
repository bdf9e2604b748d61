//===- DPPParts.cpp - Reduce by reductions of words -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Some exact operators are quicker part by part, each part reduced in words of
// 32 bits by the plan that is best for it.
//
// dpp-words, min and max of 64-bit integers: the best high word, then the best
// of the low words of the lanes that have it.
// dpp-arg, arg_min and arg_max: the best value; who has it is one comparison,
// and the lowest rank of those the lowest bit of its mask. A tile, whose lanes
// would have to cut their part out of the mask, reduces the ranks instead.
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "coll/Plan/PlanBuilder.h"
#include "coll/Plan/Strategy.h"

using namespace coll;

static PlanKey getPart(const PlanKey &key, OperatorKind kind, LeafType leaf) {
  PlanKey part = key;
  part.element = ElementInfo{{leaf}};
  part.op = OperatorInfo::builtin(kind, part.element);
  part.hasInit = part.isFlag = false;
  part.demand = Demand::All;
  return part;
}

static bool isMax(OperatorKind kind) {
  return kind == OperatorKind::SMax || kind == OperatorKind::UMax;
}

llvm::SmallVector<PlanKey, 2> coll::getReduxParts(const PlanKey &key,
                                                  ReduxForm form) {
  if (key.kind != CollectiveKind::Reduce || key.element.leaves.empty())
    return {};
  LeafType first = key.element.leaves.front(), word;
  if (first.lanes != 1)
    return {};
  if (form == ReduxForm::HighThenLow && first.bits == 64 &&
      isIntegerMinMax(key.op.kind))
    return {
        getPart(key, key.op.kind, word),
        getPart(key,
                isMax(key.op.kind) ? OperatorKind::UMax : OperatorKind::UMin,
                word)};
  if (form != ReduxForm::Arg || !key.op.arg || key.element.leaves.size() != 2)
    return {};
  if (first.isBF16) // Compared as f32.
    first = {/*isFloat=*/true, 32};
  PlanKey values = getPart(key, *key.op.arg, first);
  if (key.isWholeWarp())
    return {values};
  return {values, getPart(key, OperatorKind::UMin, word)};
}

static std::optional<Plan> buildParts(const PlanKey &key, ReduxForm form) {
  if (key.getMaxRanks() < 2 || getReduxParts(key, form).empty())
    return std::nullopt;
  PlanBuilder builder(key);
  return builder.finishReduce(builder.redux(form, builder.getInput()));
}

std::optional<Plan> amd::buildDPPWords(const PlanKey &key) {
  return buildParts(key, ReduxForm::HighThenLow);
}

std::optional<Plan> amd::buildDPPArg(const PlanKey &key) {
  return buildParts(key, ReduxForm::Arg);
}
