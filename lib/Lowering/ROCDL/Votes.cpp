//===- Votes.cpp - Bits of an AMD wave's lanes ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A comparison makes a scalar mask of the wave. A tile's lanes look at a part
// of it: they shift it to the right, which is cheaper than to make a mask of
// the tile's lanes; s_wqm spreads a bit over its four lanes; and how many bits
// are below a lane in its tile is the difference of two numbers of the wave.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// As wide as the wave.
static Value createBallot(ImplicitLocOpBuilder &b, unsigned warpSize,
                          Value predicate) {
  return ROCDL::BallotOp::create(b, b.getIntegerType(warpSize), predicate);
}

Value ROCDLEmitter::ballot(Builder &b, const LaneGroup &,
                           Value predicate) const {
  Value mask = createBallot(b, getWarpSize(), predicate);
  if (getWarpSize() == 64)
    return mask;
  return arith::ExtUIOp::create(b, b.getI64Type(), mask);
}

static Value createNot(ImplicitLocOpBuilder &b, Value bit) {
  return arith::XOrIOp::create(
      b, bit, arith::ConstantOp::create(b, b.getBoolAttr(true)));
}

static Value compareWithZero(ImplicitLocOpBuilder &b,
                             arith::CmpIPredicate predicate, Value value) {
  Value zero =
      arith::ConstantOp::create(b, b.getIntegerAttr(value.getType(), 0));
  return arith::CmpIOp::create(b, predicate, value, zero);
}

namespace {
/// The bits of a tile's lanes, by a mask of the wave.
class TileBits {
public:
  TileBits(ImplicitLocOpBuilder &b, const ROCDLEmitter &target,
           const LaneGroup &group, Value bit)
      : b(b), target(target), size(group.size),
        mask(createBallot(b, target.getWarpSize(), bit)) {}

  /// By rank, in a word.
  Value getRanks();
  Value any();
  Value count();
  /// Of the ranks below the own.
  Value countBelow();

private:
  Value lanePart(int64_t bits) {
    return arith::AndIOp::create(b, target.lane(b), createI32(b, bits));
  }
  /// The word of each lane without that of its tile's first lane.
  Value withoutFirst(Value word, unsigned control);

  ImplicitLocOpBuilder &b;
  const ROCDLEmitter &target;
  unsigned size; ///< At most 32, and less than the wave's.
  Value mask;
};
} // namespace

Value TileBits::getRanks() {
  Value first = lanePart(-int64_t(size));
  if (target.getWarpSize() == 64)
    first = arith::ExtUIOp::create(b, b.getI64Type(), first);
  Value ranks = arith::ShRUIOp::create(b, mask, first);
  if (target.getWarpSize() == 64)
    ranks = arith::TruncIOp::create(b, b.getI32Type(), ranks);
  if (size == 32)
    return ranks;
  return arith::AndIOp::create(b, ranks,
                               createI32(b, int64_t(getLowLanes(size))));
}

Value TileBits::any() {
  if (size != 4)
    return compareWithZero(b, arith::CmpIPredicate::ne, getRanks());
  Value quads =
      callIntrinsic(b, "llvm.amdgcn.s.wqm", mask.getType(), ValueRange(mask));
  return callIntrinsic(b, "llvm.amdgcn.inverse.ballot", b.getI1Type(), quads);
}

Value TileBits::count() {
  return LLVM::CtPopOp::create(b, b.getI32Type(), getRanks());
}

Value TileBits::withoutFirst(Value word, unsigned control) {
  Type i32 = b.getI32Type();
  Value first = ROCDL::DPPUpdateOp::create(
      b, i32, LLVM::PoisonOp::create(b, i32).getRes(), word, control, 0xf, 0xf,
      /*bound_ctrl=*/true);
  return arith::SubIOp::create(b, word, first);
}

Value TileBits::countBelow() {
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Value wide = mask;
  if (target.getWarpSize() == 32)
    wide = arith::ExtUIOp::create(b, i64, mask);
  if (size == 2)
    return withoutFirst(target.countBelow(b, wide), dpp::quadPerm(0, 0, 2, 2));
  if (size == 4)
    return withoutFirst(target.countBelow(b, wide), dpp::quadPerm(0, 0, 0, 0));
  if (size == 16 && target.getTarget().has(Feature::DPPRowShare))
    return withoutFirst(target.countBelow(b, wide), dpp::rowShare(0));
  if (target.getWarpSize() == 32) {
    Value lanes = createI32(b, int64_t(getLowLanes(size)));
    lanes = arith::ShLIOp::create(b, lanes, lanePart(-int64_t(size)));
    lanes = arith::AndIOp::create(b, mask, lanes);
    return target.countBelow(b, arith::ExtUIOp::create(b, i64, lanes));
  }
  Value rank = lanePart(size - 1);
  Value below = callIntrinsic(b, "llvm.amdgcn.ubfe", i32,
                              {getRanks(), createI32(b, 0), rank});
  return LLVM::CtPopOp::create(b, i32, below);
}

/// all(p) is "none of not p": absent lanes count for nothing.
Value ROCDLEmitter::vote(Builder &b, const LaneGroup &group, VoteKind kind,
                         Value predicate) const {
  bool isAny = kind == VoteKind::Any;
  Value bit = isAny ? predicate : createNot(b, predicate);
  if (!group.isWholeWarp) {
    Value any = TileBits(b, *this, group, bit).any();
    return isAny ? any : createNot(b, any);
  }
  return compareWithZero(
      b, isAny ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq,
      createBallot(b, getWarpSize(), bit));
}

/// How many of the ranks that are asked for have the bit.
static Value countRanks(ImplicitLocOpBuilder &b, const ROCDLEmitter &target,
                        const LaneGroup &group, VoteRanks ranks, Value bit) {
  Type i32 = b.getI32Type();
  Value count;
  if (!group.isWholeWarp) {
    TileBits bits(b, target, group, bit);
    count = ranks == VoteRanks::All ? bits.count() : bits.countBelow();
  } else if (ranks == VoteRanks::All) {
    Value mask = createBallot(b, target.getWarpSize(), bit);
    count = LLVM::CtPopOp::create(b, mask.getType(), mask);
    if (target.getWarpSize() == 64)
      count = arith::TruncIOp::create(b, i32, count);
  } else {
    count = target.countBelow(b, target.ballot(b, group, bit));
  }
  if (ranks == VoteRanks::UpToOwn)
    count =
        arith::AddIOp::create(b, count, arith::ExtUIOp::create(b, i32, bit));
  return count;
}

Value ROCDLEmitter::voteRanks(Builder &b, const LaneGroup &group,
                              VoteRanks ranks, OperatorKind kind,
                              Value bit) const {
  bool isAnd = kind == OperatorKind::And;
  bool isPopulation = kind == OperatorKind::Xor || kind == OperatorKind::Add;
  if (ranks == VoteRanks::All && !isPopulation)
    return vote(b, group, isAnd ? VoteKind::All : VoteKind::Any, bit);
  if (isAnd)
    bit = createNot(b, bit);
  Value count = countRanks(b, *this, group, ranks, bit);
  if (kind == OperatorKind::Add)
    return count;
  if (kind == OperatorKind::Xor)
    return arith::TruncIOp::create(b, b.getI1Type(), count);
  return compareWithZero(
      b, isAnd ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne, count);
}

Value ROCDLEmitter::countBelow(Builder &b, Value mask) const {
  Type i32 = b.getI32Type();
  Value low = arith::TruncIOp::create(b, i32, mask);
  Value count = ROCDL::MbcntLoOp::create(b, i32, low, createI32(b, 0),
                                         ArrayAttr(), ArrayAttr());
  if (getWarpSize() == 32)
    return count;
  Value high = arith::TruncIOp::create(
      b, i32, arith::ShRUIOp::create(b, mask, createI64(b, 32)));
  return ROCDL::MbcntHiOp::create(b, i32, high, count, ArrayAttr(),
                                  ArrayAttr());
}
