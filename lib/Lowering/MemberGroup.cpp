//===- MemberGroup.cpp - The lanes of a group as values -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemberGroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value LaneMasks::constant(uint64_t lanes) const {
  APInt value(width, lanes, /*isSigned=*/false, /*implicitTrunc=*/true);
  return arith::ConstantOp::create(
      b, IntegerAttr::get(b.getIntegerType(width), value));
}

Value LaneMasks::fromWide(Value wide) const {
  if (width == 64)
    return wide;
  return arith::TruncIOp::create(b, b.getIntegerType(width), wide);
}

Value LaneMasks::toWide(Value mask) const {
  if (width == 64)
    return mask;
  return arith::ExtUIOp::create(b, b.getI64Type(), mask);
}

Value LaneMasks::both(Value left, Value right) const {
  return arith::AndIOp::create(b, left, right);
}

Value LaneMasks::isSame(Value left, Value right) const {
  return arith::CmpIOp::create(b, CmpIPredicate::eq, left, right);
}

/// The lane as a count of a shift.
static Value getShift(ImplicitLocOpBuilder &b, const TargetEmitter &target) {
  Value lane = target.lane(b);
  if (target.getWarpSize() == 32)
    return lane;
  return arith::ExtUIOp::create(b, b.getI64Type(), lane);
}

Value LaneMasks::below() const {
  Value own = arith::ShLIOp::create(b, constant(1), getShift(b, target));
  return arith::SubIOp::create(b, own, constant(1));
}

Value LaneMasks::above() const {
  return arith::ShLIOp::create(b, constant(~uint64_t(1)), getShift(b, target));
}

/// A number of lanes as an `i32`.
static Value toI32(ImplicitLocOpBuilder &b, Value value) {
  if (value.getType().isInteger(32))
    return value;
  return arith::TruncIOp::create(b, b.getI32Type(), value);
}

Value LaneMasks::count(Value mask) const {
  return toI32(b, LLVM::CtPopOp::create(b, mask.getType(), mask));
}

Value LaneMasks::lowest(Value mask) const {
  return toI32(b, LLVM::CountTrailingZerosOp::create(b, mask.getType(), mask,
                                                     /*is_zero_poison=*/true));
}

Value LaneMasks::highest(Value mask) const {
  Value zeros = toI32(b, LLVM::CountLeadingZerosOp::create(
                             b, mask.getType(), mask, /*is_zero_poison=*/true));
  return arith::XOrIOp::create(b, zeros, createI32(b, width - 1));
}

Value LaneMasks::shift(Value mask, unsigned bits, bool isLeft) const {
  if (isLeft)
    return arith::ShLIOp::create(b, mask, constant(bits));
  return arith::ShRUIOp::create(b, mask, constant(bits));
}

/// Halves the part of the mask that holds the rank until it is one bit.
Value LaneMasks::select(Value mask, Value rank) const {
  Value lane = createI32(b, 0);
  for (unsigned half = width / 2; half != 0; half /= 2) {
    Value low = both(mask, constant(getLowLanes(half)));
    Value ranks = count(low);
    Value isHigh = arith::CmpIOp::create(b, CmpIPredicate::uge, rank, ranks);
    auto choose = [&](Value high, Value otherwise) -> Value {
      return arith::SelectOp::create(b, isHigh, high, otherwise);
    };
    rank = choose(arith::SubIOp::create(b, rank, ranks), rank);
    mask = choose(shift(mask, half, /*isLeft=*/false), low);
    lane = choose(arith::AddIOp::create(b, lane, createI32(b, half)), lane);
  }
  return lane;
}

/// Step i moves the bits whose distance to their place has bit i. `odd` has,
/// for each bit, the parity of how many bits of ~group that were not counted
/// yet are below it.
Value LaneMasks::compress(Value mask, Value group) const {
  Value result = both(mask, group);
  Value gaps = arith::XOrIOp::create(b, group, constant(~uint64_t(0)));
  gaps = shift(gaps, 1, /*isLeft=*/true);
  for (unsigned distance = 1; distance != width; distance *= 2) {
    Value odd = gaps;
    for (unsigned i = 1; i != width; i *= 2)
      odd = arith::XOrIOp::create(b, odd, shift(odd, i, /*isLeft=*/true));
    auto move = [&](Value bits, Value which) -> Value {
      Value moved = both(bits, which);
      Value rest = arith::XOrIOp::create(b, bits, moved);
      return arith::OrIOp::create(b, rest,
                                  shift(moved, distance, /*isLeft=*/false));
    };
    Value which = both(odd, group);
    result = move(result, which);
    group = move(group, which);
    Value even = arith::XOrIOp::create(b, odd, constant(~uint64_t(0)));
    gaps = both(gaps, even);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Value MemberGroup::getRank() {
  if (!rank) {
    Builder b = createBuilder();
    rank = target.countBelow(b, LaneMasks(b, target).toWide(lanes));
  }
  return rank;
}

Value MemberGroup::getSize() {
  if (!size) {
    Builder b = createBuilder();
    size = LaneMasks(b, target).count(lanes);
  }
  return size;
}

Value MemberGroup::getFirstLane() {
  if (!firstLane) {
    Builder b = createBuilder();
    firstLane = LaneMasks(b, target).lowest(lanes);
  }
  return firstLane;
}

Value MemberGroup::getLastLane() {
  if (!lastLane) {
    Builder b = createBuilder();
    lastLane = LaneMasks(b, target).highest(lanes);
  }
  return lastLane;
}

/// The neighbour at twice the distance is the neighbour's neighbour.
Value MemberGroup::getNeighbour(unsigned level, bool isBelow,
                                SmallVectorImpl<Value> &known) {
  Builder b = createBuilder();
  LaneMasks masks(b, target);
  if (known.empty()) {
    Value others = masks.both(lanes, isBelow ? masks.below() : masks.above());
    Value nearest = isBelow ? masks.highest(others) : masks.lowest(others);
    known.push_back(arith::SelectOp::create(b, masks.isEmpty(others),
                                            target.lane(b), nearest));
  }
  while (known.size() <= level)
    known.push_back(target.shuffle(b, together, known.back(), known.back()));
  return known[level];
}

Value MemberGroup::getLane(unsigned rank) {
  Value &lane = fixedLanes[rank];
  if (!lane) {
    Value own = getRank();
    Builder b = createBuilder();
    LaneMasks masks(b, target);
    Value has =
        arith::CmpIOp::create(b, CmpIPredicate::eq, own, createI32(b, rank));
    Value found = masks.fromWide(target.ballot(b, together, has));
    lane = masks.lowest(masks.both(found, lanes));
  }
  return lane;
}
