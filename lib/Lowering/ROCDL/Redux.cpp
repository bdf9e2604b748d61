//===- Redux.cpp - Reductions in parts on an AMD wave ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What coll/Plan/Strategy.h calls the parts of a redux step: each is a
// reduction of words with a plan of its own, and comparisons stand between
// them.
//
//===----------------------------------------------------------------------===//

#include "../PlanEmitter.h"
#include "../SelectPlans.h"
#include "../Words.h"
#include "Emitter.h"
#include "coll/Plan/Strategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// Emits the parts of one step.
class ReduxParts {
public:
  ReduxParts(ImplicitLocOpBuilder &b, const ROCDLEmitter &target,
             const LaneGroup &group)
      : b(b), target(target), group(group) {}

  /// The reduction of a value by the plan that is best for it.
  Value reduce(OperatorKind kind, Value value);
  Value reduceHighThenLow(OperatorKind kind, Value value);
  /// The best value and the lowest rank that has it.
  Leaves findInWarp(OperatorKind kind, Value value, Value rank);
  Leaves findInTile(OperatorKind kind, Value value, Value rank);

private:
  Value isBest(Value value, Value best);
  Value isNaN(Value value) {
    return arith::CmpFOp::create(b, CmpFPredicate::UNO, value, value);
  }
  Value readLane(Value value, Value lane);
  Value joinRankAndSign(Value rank, Value value);
  Value withSignOf(Value best, Value rankAndSign);

  ImplicitLocOpBuilder &b;
  const ROCDLEmitter &target;
  const LaneGroup &group;
};
} // namespace

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

Value ReduxParts::reduce(OperatorKind kind, Value value) {
  Combiner combiner(static_cast<CombineKind>(kind));
  PlanKey key{CollectiveKind::Reduce,
              OperatorInfo(),
              getElementInfo(value.getType()),
              group.size,
              target.getPresence(),
              target.getTarget()};
  key.op = OperatorInfo::builtin(kind, key.element);
  Choice choice = llvm::cantFail(choosePlan(key));
  return emitPlan(b, target, group, choice.plan,
                  {ValueRange(value), {}, {}, &combiner})
      .front();
}

Value ReduxParts::reduceHighThenLow(OperatorKind kind, Value value) {
  bool isMax = kind == OperatorKind::SMax || kind == OperatorKind::UMax;
  Leaves words = splitWords(b, value);
  Value high = reduce(kind, words[1]);
  Value isCandidate =
      arith::CmpIOp::create(b, CmpIPredicate::eq, words[1], high);
  Value candidate = arith::SelectOp::create(b, isCandidate, words[0],
                                            createI32(b, isMax ? 0 : -1));
  Value low =
      reduce(isMax ? OperatorKind::UMax : OperatorKind::UMin, candidate);
  return joinPair(b, {low, high}, value.getType());
}

/// -0 equals +0. No NaN is best: see who asks.
Value ReduxParts::isBest(Value value, Value best) {
  if (isFloat(value))
    return arith::CmpFOp::create(b, CmpFPredicate::OEQ, value, best);
  return arith::CmpIOp::create(b, CmpIPredicate::eq, value, best);
}

Value ReduxParts::readLane(Value value, Value lane) {
  Leaves words = splitWords(b, value);
  for (Value &word : words)
    word = ROCDL::ReadlaneOp::create(b, b.getI32Type(), word, lane);
  return joinPair(b, words, value.getType());
}

Leaves ReduxParts::findInWarp(OperatorKind kind, Value value, Value rank) {
  Type i32 = b.getI32Type();
  Value best = reduce(kind, value);
  Type mask = b.getIntegerType(target.getWarpSize());
  Value lanes = ROCDL::BallotOp::create(b, mask, isBest(value, best));
  Value lane = LLVM::CountTrailingZerosOp::create(b, mask, lanes,
                                                  /*is_zero_poison=*/true);
  if (target.getWarpSize() == 64)
    lane = arith::TruncIOp::create(b, i32, lane);
  if (isFloat(value)) {
    // NaNs alone: lane 0 is the lowest of them.
    Value zero = arith::ConstantOp::create(b, b.getIntegerAttr(mask, 0));
    Value isNone = arith::CmpIOp::create(b, CmpIPredicate::eq, lanes, zero);
    lane = arith::SelectOp::create(b, isNone, createI32(b, 0), lane);
    best = readLane(value, lane);
  }
  auto own = rank.getDefiningOp<RankOp>();
  if (!own)
    return {best, readLane(rank, lane)};
  if (own.getGroup().getKind() == GroupKind::Warp)
    return {best, lane};
  // Neighbouring lanes have neighbouring ranks in any group.
  Value distance = arith::SubIOp::create(b, rank, target.lane(b));
  return {best, arith::AddIOp::create(b, distance, lane)};
}

/// Twice the rank, and one more for a negative value.
Value ReduxParts::joinRankAndSign(Value rank, Value value) {
  Value word = splitWords(b, value).back();
  unsigned bits = std::min(value.getType().getIntOrFloatBitWidth(), 32u);
  Value sign = arith::ShRUIOp::create(b, word, createI32(b, bits - 1));
  Value twice = arith::ShLIOp::create(b, rank, createI32(b, 1));
  return arith::OrIOp::create(b, twice, sign);
}

/// Only a zero may have another sign than the best value.
Value ReduxParts::withSignOf(Value best, Value rankAndSign) {
  unsigned bits = std::min(best.getType().getIntOrFloatBitWidth(), 32u);
  Leaves words = splitWords(b, best);
  Value sign = arith::ShLIOp::create(b, rankAndSign, createI32(b, bits - 1));
  Value mask = createI32(b, int64_t(1) << (bits - 1));
  sign = arith::AndIOp::create(b, sign, mask);
  Value rest = arith::AndIOp::create(
      b, words.back(), createI32(b, (int64_t(1) << (bits - 1)) - 1));
  words.back() = arith::OrIOp::create(b, rest, sign);
  return joinPair(b, words, best.getType());
}

Leaves ReduxParts::findInTile(OperatorKind kind, Value value, Value rank) {
  Value best = reduce(kind, value), isCandidate = isBest(value, best);
  Value candidate = rank;
  if (isFloat(value)) {
    candidate = joinRankAndSign(rank, value);
    isCandidate = arith::OrIOp::create(b, isCandidate, isNaN(best));
  }
  candidate =
      arith::SelectOp::create(b, isCandidate, candidate, createI32(b, -1));
  Value lowest = reduce(OperatorKind::UMin, candidate);
  if (!isFloat(value))
    return {best, lowest};
  return {withSignOf(best, lowest),
          arith::ShRUIOp::create(b, lowest, createI32(b, 1))};
}

Value ROCDLEmitter::redux(Builder &b, const LaneGroup &group, ReduxForm,
                          OperatorKind kind, Value value) const {
  return ReduxParts(b, *this, group).reduceHighThenLow(kind, value);
}

/// bf16 is compared as f32 of the same values.
Leaves ROCDLEmitter::reduxArg(Builder &b, const LaneGroup &group,
                              OperatorKind kind, ValueRange pair) const {
  ReduxParts parts(b, *this, group);
  Value value = pair[0], rank = pair[1];
  bool isBF16 = value.getType().isBF16();
  if (isBF16)
    value = encode(b, Encoding::Wide, kind, value);
  Leaves best = group.isWholeWarp ? parts.findInWarp(kind, value, rank)
                                  : parts.findInTile(kind, value, rank);
  if (isBF16)
    best[0] = decode(b, Encoding::Wide, kind, best[0], pair[0].getType());
  return best;
}
