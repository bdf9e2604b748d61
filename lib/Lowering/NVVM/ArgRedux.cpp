//===- ArgRedux.cpp - arg_min and arg_max by redux.sync -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// redux.sync finds the best value; the lanes that have it vote, and the lowest
// of them is the one: ranks ascend with the lanes. Floats are compared by keys
// in which -0 is +0 and all NaN are one and above all numbers, so that their
// own bits are fetched from that lane.
//
//===----------------------------------------------------------------------===//

#include "../Words.h"
#include "Emitter.h"
#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

namespace {
class ArgRedux {
public:
  ArgRedux(ImplicitLocOpBuilder &b, OperatorKind kind, Value members)
      : b(b), kind(kind), members(members) {}

  /// The lowest member that has the best value.
  Value findLane(Value value);
  /// The words of the best key, then.
  ValueRange getBest() const { return best; }

private:
  Value createKey(Value value);
  Value createFloatKey(Value value);
  Value reduce(NVVM::ReduxKind kind, Value word) {
    return NVVM::ReduxOp::create(b, b.getI32Type(), word, kind, members);
  }
  Value isEqual(Value left, Value right) {
    return arith::CmpIOp::create(b, CmpIPredicate::eq, left, right);
  }
  bool isMax() const {
    return kind == OperatorKind::SMax || kind == OperatorKind::UMax;
  }
  bool isSigned() const {
    return kind == OperatorKind::SMin || kind == OperatorKind::SMax;
  }

  ImplicitLocOpBuilder &b;
  OperatorKind kind; ///< From createKey on, one of integers.
  Value members;
  Leaves best;
};
} // namespace

/// Of floats the least key wins.
Value ArgRedux::createFloatKey(Value value) {
  bool isNegated = kind == OperatorKind::MaxNum;
  kind = OperatorKind::SMin;
  if (value.getType().getIntOrFloatBitWidth() < 32)
    value = arith::ExtFOp::create(b, b.getF32Type(), value);
  Value isNaN;
  if (value.getType().isF64())
    isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Leaves words = splitWords(b, nvvm::createPositiveZero(b, value, isNegated));
  if (isNaN)
    for (Value &word : words)
      word = arith::SelectOp::create(b, isNaN, createI32(b, 0x7fffffff), word);
  Value sign = arith::ShRSIOp::create(b, words.back(), createI32(b, 31));
  Value flipped = arith::AndIOp::create(b, sign, createI32(b, 0x7fffffff));
  words.back() = arith::XOrIOp::create(b, words.back(), flipped);
  if (words.size() == 2)
    words.front() = arith::XOrIOp::create(b, words.front(), sign);
  return joinWords(b, words, b.getIntegerType(32 * words.size()));
}

/// An integer of 32 or 64 bits.
Value ArgRedux::createKey(Value value) {
  Type type = value.getType(), i32 = b.getI32Type();
  if (isa<FloatType>(type))
    return createFloatKey(value);
  if (type.getIntOrFloatBitWidth() >= 32)
    return value;
  if (isSigned())
    return arith::ExtSIOp::create(b, i32, value);
  return arith::ExtUIOp::create(b, i32, value);
}

Value ArgRedux::findLane(Value value) {
  Leaves words = splitWords(b, createKey(value));
  auto low = isMax() ? NVVM::ReduxKind::UMAX : NVVM::ReduxKind::UMIN;
  auto high = low;
  if (isSigned())
    high = isMax() ? NVVM::ReduxKind::MAX : NVVM::ReduxKind::MIN;
  best = {reduce(high, words.back())};
  Value isBest = isEqual(words.back(), best.back());
  if (words.size() == 2) {
    Value candidate = arith::SelectOp::create(b, isBest, words.front(),
                                              createI32(b, isMax() ? 0 : -1));
    best.insert(best.begin(), reduce(low, candidate));
    isBest =
        arith::AndIOp::create(b, isBest, isEqual(words.front(), best.front()));
  }
  Value lanes = NVVM::VoteSyncOp::create(b, b.getI32Type(), members, isBest,
                                         NVVM::VoteSyncKind::ballot);
  // Some lane has the best value: there is a lowest bit.
  return LLVM::CountTrailingZerosOp::create(b, b.getI32Type(), lanes,
                                            /*is_zero_poison=*/true);
}

Leaves NVVMEmitter::reduxArg(Builder &b, const LaneGroup &group,
                             OperatorKind kind, mlir::ValueRange pair) const {
  Value members = getGroup(b, group.size, /*isConvergent=*/false).members;
  ArgRedux redux(b, kind, members);
  Value value = pair[0], rank = pair[1];
  Value from = redux.findLane(value);
  auto fetch = [&](Value value) {
    Leaves words = splitWords(b, value);
    for (Value &word : words)
      word = shuffle(b, group, word, from);
    return joinWords(b, words, value.getType());
  };
  if (isa<FloatType>(value.getType()))
    value = fetch(value);
  else
    value = joinWords(b, redux.getBest(), value.getType());
  if (!rank.getDefiningOp<RankOp>())
    return {value, fetch(rank)};
  // Neighbouring lanes have neighbouring ranks in any group.
  Value distance = arith::SubIOp::create(b, rank, lane(b));
  return {value, arith::AddIOp::create(b, distance, from)};
}
