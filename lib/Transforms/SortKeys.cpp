//===- SortKeys.cpp - Keys as unsigned integers ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SortKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll::ir;

using arith::CmpIPredicate;

SortKeys::SortKeys(ImplicitLocOpBuilder &b, Type type, bool isSigned,
                   bool isDescending, uint64_t numPlaces)
    : b(b), type(type), width(type.getIntOrFloatBitWidth()),
      placeBits(numPlaces ? llvm::Log2_64_Ceil(numPlaces) : 0),
      isSigned(isSigned), isDescending(isDescending) {
  bits = b.getIntegerType(width);
  hasOwnPlace = width + placeBits > 64;
  if (hasOwnPlace)
    placeBits = 0;
  word = b.getIntegerType(width + placeBits > 32 ? 64 : 32);
}

Value SortKeys::constant(Type type, uint64_t value) {
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), value,
                                      /*isSigned=*/false,
                                      /*implicitTrunc=*/true)));
}

Value SortKeys::resize(Value value, Type to) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned wanted = to.getIntOrFloatBitWidth();
  if (from == wanted)
    return value;
  if (from < wanted)
    return arith::ExtUIOp::create(b, to, value);
  return arith::TruncIOp::create(b, to, value);
}

//===----------------------------------------------------------------------===//
// The order of keys as that of unsigned integers
//===----------------------------------------------------------------------===//

/// All bits turned round where negative, else the sign alone.
Value SortKeys::flip(Value value, Value isNegative) {
  uint64_t sign = uint64_t(1) << (width - 1);
  Value mask = arith::SelectOp::create(
      b, isNegative, constant(bits, ~uint64_t(0)), constant(bits, sign));
  return arith::XOrIOp::create(b, value, mask);
}

Value SortKeys::order(Value key) {
  Value value = key;
  bool isFloat = isa<FloatType>(type);
  if (isFloat) {
    value = arith::BitcastOp::create(b, bits, key);
    Value isNegative =
        arith::CmpIOp::create(b, CmpIPredicate::slt, value, constant(bits, 0));
    value = flip(value, isNegative);
  } else if (isSigned) {
    value = arith::XOrIOp::create(b, value,
                                  constant(bits, uint64_t(1) << (width - 1)));
  }
  if (isDescending)
    value = arith::XOrIOp::create(b, value, constant(bits, ~uint64_t(0)));
  if (!isFloat)
    return value;
  // The greatest integer is a NaN's already, in both directions.
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, key, key);
  return arith::SelectOp::create(b, isNaN, constant(bits, ~uint64_t(0)), value);
}

Value SortKeys::restore(Value value) {
  if (isDescending)
    value = arith::XOrIOp::create(b, value, constant(bits, ~uint64_t(0)));
  if (isa<FloatType>(type)) {
    // The ordered integers of negative numbers are those without a sign bit.
    Value isNegative =
        arith::CmpIOp::create(b, CmpIPredicate::sge, value, constant(bits, 0));
    return arith::BitcastOp::create(b, type, flip(value, isNegative));
  }
  if (isSigned)
    value = arith::XOrIOp::create(b, value,
                                  constant(bits, uint64_t(1) << (width - 1)));
  return value;
}

//===----------------------------------------------------------------------===//
// Keys with places
//===----------------------------------------------------------------------===//

SmallVector<Type> SortKeys::getLeaves() const {
  SmallVector<Type> leaves{word};
  if (hasOwnPlace)
    leaves.push_back(b.getI32Type());
  return leaves;
}

Leaves SortKeys::encode(Value key, Value place) {
  Value encoded = resize(order(key), word);
  if (hasOwnPlace)
    return {encoded, place};
  if (placeBits == 0)
    return {encoded};
  encoded = arith::ShLIOp::create(b, encoded, constant(word, placeBits));
  return {arith::OrIOp::create(b, encoded, resize(place, word))};
}

Value SortKeys::decodeKey(ValueRange encoded) {
  Value value = encoded.front();
  if (placeBits != 0)
    value = arith::ShRUIOp::create(b, value, constant(word, placeBits));
  return restore(resize(value, bits));
}

Value SortKeys::decodePlace(ValueRange encoded) {
  if (hasOwnPlace)
    return encoded.back();
  Value place = arith::AndIOp::create(
      b, encoded.front(),
      constant(word, llvm::maskTrailingOnes<uint64_t>(placeBits)));
  return resize(place, b.getI32Type());
}

Value SortKeys::isLess(ImplicitLocOpBuilder &b, ValueRange left,
                       ValueRange right) {
  Value less =
      arith::CmpIOp::create(b, CmpIPredicate::ult, left.front(), right.front());
  if (left.size() == 1)
    return less;
  Value same =
      arith::CmpIOp::create(b, CmpIPredicate::eq, left.front(), right.front());
  Value lower =
      arith::CmpIOp::create(b, CmpIPredicate::ult, left.back(), right.back());
  return arith::OrIOp::create(b, less, arith::AndIOp::create(b, same, lower));
}
