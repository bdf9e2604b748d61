//===- Redux.cpp - Reductions by redux.sync, and votes --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the steps Redux and Vote of a plan mean is in coll/Plan/Plan.h; here is
// how. redux.sync takes the members that have not exited, which lanes
// that were never launched count as; in a ballot their bits are clear.
//
//===----------------------------------------------------------------------===//

#include "../Words.h"
#include "Emitter.h"
#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

static NVVM::ReduxKind getReduxKind(OperatorKind kind) {
  switch (kind) {
  case OperatorKind::Add:
    return NVVM::ReduxKind::ADD;
  case OperatorKind::SMin:
    return NVVM::ReduxKind::MIN;
  case OperatorKind::SMax:
    return NVVM::ReduxKind::MAX;
  case OperatorKind::UMin:
    return NVVM::ReduxKind::UMIN;
  case OperatorKind::UMax:
    return NVVM::ReduxKind::UMAX;
  case OperatorKind::And:
    return NVVM::ReduxKind::AND;
  case OperatorKind::Or:
    return NVVM::ReduxKind::OR;
  case OperatorKind::Xor:
    return NVVM::ReduxKind::XOR;
  case OperatorKind::MinNum:
  case OperatorKind::Minimum:
    return NVVM::ReduxKind::FMIN;
  case OperatorKind::MaxNum:
  case OperatorKind::Maximum:
    return NVVM::ReduxKind::FMAX;
  default:
    llvm_unreachable("no operator of redux.sync");
  }
}

/// The operator on the keys of floats (Encoding::Keys).
static OperatorKind getKeyOperator(OperatorKind kind) {
  switch (kind) {
  case OperatorKind::MinNum:
  case OperatorKind::MaxNum:
    return OperatorKind::SMin;
  case OperatorKind::Minimum:
  case OperatorKind::Maximum:
    return OperatorKind::SMax;
  default:
    return kind;
  }
}

namespace {
/// redux.sync among some members.
class Redux {
public:
  Redux(ImplicitLocOpBuilder &b, OperatorKind kind, Value members)
      : b(b), kind(kind), members(members) {}

  Value words(Value value) const;
  Value highThenLow(Value value) const;
  Value fields(Value value) const;
  Value ofFloat(Value value) const;

private:
  Value reduce(OperatorKind kind, Value word) const {
    return NVVM::ReduxOp::create(b, b.getI32Type(), word, getReduxKind(kind),
                                 members);
  }
  Value extend(Value word) const {
    return arith::ExtUIOp::create(b, b.getI64Type(), word);
  }
  Value shiftLeft(Value value, int64_t bits) const {
    return arith::ShLIOp::create(b, value, createI64(b, bits));
  }

  ImplicitLocOpBuilder &b;
  OperatorKind kind;
  Value members;
};
} // namespace

Value Redux::words(Value value) const {
  Leaves words = splitWords(b, value);
  for (Value &word : words)
    word = reduce(kind, word);
  return joinWords(b, words, value.getType());
}

/// The lanes whose high word is not the best one give what changes nothing.
Value Redux::highThenLow(Value value) const {
  bool isMax = kind == OperatorKind::SMax || kind == OperatorKind::UMax;
  Leaves words = splitWords(b, value);
  Value high = reduce(kind, words[1]);
  Value isBest = arith::CmpIOp::create(b, CmpIPredicate::eq, words[1], high);
  Value low = arith::SelectOp::create(b, isBest, words[0],
                                      createI32(b, isMax ? 0 : -1));
  low = reduce(isMax ? OperatorKind::UMax : OperatorKind::UMin, low);
  return joinWords(b, {low, high}, value.getType());
}

/// 32 numbers of 16 bits have a sum of 21 bits.
Value Redux::fields(Value value) const {
  Leaves words = splitWords(b, value);
  Value low = arith::AndIOp::create(b, words[0], createI32(b, 0xffff));
  Value middle = arith::ShRUIOp::create(b, words[0], createI32(b, 16));
  Value sum = reduce(kind, low);
  Value middleSum = reduce(kind, middle);
  Value ends = joinWords(b, {sum, reduce(kind, words[1])}, value.getType());
  return arith::AddIOp::create(b, ends, shiftLeft(extend(middleSum), 16));
}

Value Redux::ofFloat(Value value) const {
  Type type = value.getType(), f32 = b.getF32Type();
  bool isNarrow = type != f32;
  if (isNarrow)
    value = arith::ExtFOp::create(b, f32, value);
  bool propagatesNaN =
      kind == OperatorKind::Minimum || kind == OperatorKind::Maximum;
  Value result = NVVM::ReduxOp::create(b, f32, value, getReduxKind(kind),
                                       members, /*abs=*/false, propagatesNaN);
  return isNarrow ? arith::TruncFOp::create(b, type, result) : result;
}

Value NVVMEmitter::redux(Builder &b, const LaneGroup &group, ReduxForm form,
                         OperatorKind kind, Value value) const {
  Value members = getGroup(b, group.size, /*isConvergent=*/false).members;
  if (form == ReduxForm::Float)
    return Redux(b, kind, members).ofFloat(value);
  Redux redux(b, getKeyOperator(kind), members);
  switch (form) {
  case ReduxForm::Words:
    return redux.words(value);
  case ReduxForm::HighThenLow:
    return redux.highThenLow(value);
  case ReduxForm::Fields:
    return redux.fields(value);
  case ReduxForm::Float: // above
  case ReduxForm::Arg:   // gives two values: reduxArg
    break;
  }
  llvm_unreachable("all forms are handled");
}

Value NVVMEmitter::combineWhere(Builder &b, OperatorKind kind, Value condition,
                                Value left, Value right) const {
  // Before sm_90 there is only fma of bf16.
  if (getElementTypeOrSelf(left.getType()).isBF16() &&
      !target.has(Feature::BF16Arith))
    return {};
  return nvvm::createPredicated(b, kind, condition, left, right);
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

/// The lanes of the group whose votes count, as `i32`; null for all of a warp.
static Value createRanks(ImplicitLocOpBuilder &b, VoteRanks ranks,
                         Value ofTile) {
  Type i32 = b.getI32Type();
  Value lanes;
  if (ranks == VoteRanks::UpToOwn)
    lanes = NVVM::LaneMaskLeOp::create(b, i32);
  else if (ranks == VoteRanks::BelowOwn)
    lanes = NVVM::LaneMaskLtOp::create(b, i32);
  if (!lanes || !ofTile)
    return lanes ? lanes : ofTile;
  return arith::AndIOp::create(b, lanes, ofTile);
}

Value NVVMEmitter::voteRanks(Builder &b, const LaneGroup &group,
                             VoteRanks ranks, OperatorKind kind,
                             Value bit) const {
  bool isPopulation = kind == OperatorKind::Xor || kind == OperatorKind::Add;
  if (ranks == VoteRanks::All && !isPopulation)
    return vote(b, group,
                kind == OperatorKind::Or ? VoteKind::Any : VoteKind::All, bit);
  // "All" is "none of not": absent lanes count for nothing.
  if (kind == OperatorKind::And)
    bit = arith::XOrIOp::create(
        b, bit, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  Type i32 = b.getI32Type();
  Value lanes = NVVM::VoteSyncOp::create(b, i32, group.members, bit,
                                         NVVM::VoteSyncKind::ballot);
  Value ofTile;
  if (!group.isWholeWarp)
    ofTile = getGroup(b, group.size, /*isConvergent=*/false).members;
  if (Value counting = createRanks(b, ranks, ofTile))
    lanes = arith::AndIOp::create(b, lanes, counting);
  if (!isPopulation)
    return arith::CmpIOp::create(
        b, kind == OperatorKind::Or ? CmpIPredicate::ne : CmpIPredicate::eq,
        lanes, createI32(b, 0));
  Value count = LLVM::CtPopOp::create(b, i32, lanes);
  if (kind == OperatorKind::Add)
    return count;
  return arith::TruncIOp::create(b, b.getI1Type(), count);
}
