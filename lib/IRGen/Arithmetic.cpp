//===- Arithmetic.cpp - Numbers as the language defines them --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using BinaryOp = sema::BinaryExpr::Op;
using CompareOp = sema::CompareExpr::Op;
using sema::BuiltinOperator;

static Type getElement(Type type) { return getElementTypeOrSelf(type); }
static bool isFloat(Value value) {
  return isa<FloatType>(getElement(value.getType()));
}
static unsigned getWidth(Type type) {
  return getElement(type).getIntOrFloatBitWidth();
}

/// `element` with the lanes of `shape`.
static Type withElement(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return VectorType::get(vector.getShape(), element);
  return element;
}

static TypedAttr splat(Type type, Attribute value) {
  if (auto vector = dyn_cast<VectorType>(type))
    return DenseElementsAttr::get(vector, value);
  return cast<TypedAttr>(value);
}

Value Arithmetic::constant(Type type, int64_t value) {
  Type element = getElement(type);
  if (isa<FloatType>(element))
    return arith::ConstantOp::create(
        b, splat(type, b.getFloatAttr(element, static_cast<double>(value))));
  APInt bits(64, static_cast<uint64_t>(value));
  return arith::ConstantOp::create(
      b, splat(type, b.getIntegerAttr(element, bits.trunc(getWidth(type)))));
}

Value Arithmetic::constant(Type type, const APFloat &value) {
  return arith::ConstantOp::create(
      b, splat(type, FloatAttr::get(getElement(type), value)));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value Arithmetic::floatBinary(BinaryOp op, Value left, Value right) {
  Type type = left.getType();
  Type element = getElement(type);
  if (element.isBF16() || (element.isF16() && op == BinaryOp::Div)) {
    Type wide = withElement(type, b.getF32Type());
    left = arith::ExtFOp::create(b, wide, left);
    right = arith::ExtFOp::create(b, wide, right);
    return arith::TruncFOp::create(b, type, floatBinary(op, left, right));
  }
  switch (op) {
  case BinaryOp::Add:
    return arith::AddFOp::create(b, left, right);
  case BinaryOp::Sub:
    return arith::SubFOp::create(b, left, right);
  case BinaryOp::Mul:
    return arith::MulFOp::create(b, left, right);
  case BinaryOp::Div:
    return arith::DivFOp::create(b, left, right);
  default:
    llvm_unreachable("the checker allows no other operator on floats");
  }
}

Value Arithmetic::binary(BinaryOp op, Value left, Value right, bool isSigned) {
  if (isFloat(left))
    return floatBinary(op, left, right);
  if (op == BinaryOp::Shl || op == BinaryOp::Shr) {
    Value mask = constant(right.getType(), getWidth(right.getType()) - 1);
    right = b.createOrFold<arith::AndIOp>(right, mask);
  }
  switch (op) {
  case BinaryOp::Add:
    return arith::AddIOp::create(b, left, right);
  case BinaryOp::Sub:
    return arith::SubIOp::create(b, left, right);
  case BinaryOp::Mul:
    return arith::MulIOp::create(b, left, right);
  case BinaryOp::Div:
    return ir::DivOp::create(b, left.getType(), isSigned, left, right);
  case BinaryOp::Rem:
    return ir::RemOp::create(b, left.getType(), isSigned, left, right);
  case BinaryOp::Shl:
    return arith::ShLIOp::create(b, left, right);
  case BinaryOp::Shr:
    if (isSigned)
      return arith::ShRSIOp::create(b, left, right);
    return arith::ShRUIOp::create(b, left, right);
  case BinaryOp::And:
    return arith::AndIOp::create(b, left, right);
  case BinaryOp::Or:
    return arith::OrIOp::create(b, left, right);
  case BinaryOp::Xor:
    return arith::XOrIOp::create(b, left, right);
  }
  llvm_unreachable("unknown binary operator");
}

static arith::CmpFPredicate getFloatPredicate(CompareOp op) {
  switch (op) {
  case CompareOp::Eq:
    return arith::CmpFPredicate::OEQ;
  case CompareOp::Ne:
    return arith::CmpFPredicate::UNE;
  case CompareOp::Lt:
    return arith::CmpFPredicate::OLT;
  case CompareOp::Le:
    return arith::CmpFPredicate::OLE;
  case CompareOp::Gt:
    return arith::CmpFPredicate::OGT;
  case CompareOp::Ge:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("unknown comparison");
}

static arith::CmpIPredicate getIntPredicate(CompareOp op, bool isSigned) {
  using P = arith::CmpIPredicate;
  switch (op) {
  case CompareOp::Eq:
    return P::eq;
  case CompareOp::Ne:
    return P::ne;
  case CompareOp::Lt:
    return isSigned ? P::slt : P::ult;
  case CompareOp::Le:
    return isSigned ? P::sle : P::ule;
  case CompareOp::Gt:
    return isSigned ? P::sgt : P::ugt;
  case CompareOp::Ge:
    return isSigned ? P::sge : P::uge;
  }
  llvm_unreachable("unknown comparison");
}

Value Arithmetic::compare(CompareOp op, Value left, Value right,
                          bool isSigned) {
  if (isFloat(left))
    return arith::CmpFOp::create(b, getFloatPredicate(op), left, right);
  return arith::CmpIOp::create(b, getIntPredicate(op, isSigned), left, right);
}

Value Arithmetic::negate(Value value) {
  if (isFloat(value))
    return arith::NegFOp::create(b, value);
  return arith::SubIOp::create(b, constant(value.getType(), 0), value);
}

Value Arithmetic::bitNot(Value value) {
  return arith::XOrIOp::create(b, value, constant(value.getType(), -1));
}

Value Arithmetic::abs(Value value, bool isSigned) {
  if (isFloat(value))
    return math::AbsFOp::create(b, value);
  if (isSigned)
    return math::AbsIOp::create(b, value);
  return value;
}

Value Arithmetic::sqrt(Value value) {
  Type type = value.getType();
  Type element = getElement(type);
  if (!element.isF16() && !element.isBF16())
    return math::SqrtOp::create(b, value);
  Type wide = withElement(type, b.getF32Type());
  Value root = math::SqrtOp::create(b, arith::ExtFOp::create(b, wide, value));
  return arith::TruncFOp::create(b, type, root);
}

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

static Value combineFloats(ImplicitLocOpBuilder &b, BuiltinOperator op,
                           Value left, Value right) {
  switch (op) {
  case BuiltinOperator::Min:
    return ir::MinNumOp::create(b, left, right);
  case BuiltinOperator::Max:
    return ir::MaxNumOp::create(b, left, right);
  case BuiltinOperator::Minimum:
    return arith::MinimumFOp::create(b, left, right);
  case BuiltinOperator::Maximum:
    return arith::MaximumFOp::create(b, left, right);
  default:
    llvm_unreachable("the checker allows no other operator on floats");
  }
}

Value Arithmetic::combine(BuiltinOperator op, Value left, Value right,
                          bool isSigned) {
  switch (op) {
  case BuiltinOperator::Add:
    return binary(BinaryOp::Add, left, right, isSigned);
  case BuiltinOperator::Mul:
    return binary(BinaryOp::Mul, left, right, isSigned);
  case BuiltinOperator::And:
    return binary(BinaryOp::And, left, right, isSigned);
  case BuiltinOperator::Or:
    return binary(BinaryOp::Or, left, right, isSigned);
  case BuiltinOperator::Xor:
    return binary(BinaryOp::Xor, left, right, isSigned);
  default:
    break;
  }
  if (isFloat(left))
    return combineFloats(b, op, left, right);
  bool isMin = op == BuiltinOperator::Min || op == BuiltinOperator::Minimum;
  if (isSigned)
    return isMin ? Value(arith::MinSIOp::create(b, left, right))
                 : Value(arith::MaxSIOp::create(b, left, right));
  return isMin ? Value(arith::MinUIOp::create(b, left, right))
               : Value(arith::MaxUIOp::create(b, left, right));
}

Value Arithmetic::identity(BuiltinOperator op, Type type, bool isSigned) {
  Type element = getElement(type);
  bool isMin = op == BuiltinOperator::Min || op == BuiltinOperator::Minimum;
  bool isMax = op == BuiltinOperator::Max || op == BuiltinOperator::Maximum;
  if (isMin || isMax) {
    if (auto floatType = dyn_cast<FloatType>(element))
      return constant(type,
                      APFloat::getInf(floatType.getFloatSemantics(), isMax));
    unsigned width = getWidth(type);
    APInt bound = isSigned ? (isMin ? APInt::getSignedMaxValue(width)
                                    : APInt::getSignedMinValue(width))
                           : (isMin ? APInt::getMaxValue(width)
                                    : APInt::getMinValue(width));
    return constant(type, bound.getSExtValue());
  }
  if (op == BuiltinOperator::Mul)
    return constant(type, 1);
  return constant(type, op == BuiltinOperator::And ? -1 : 0);
}

ir::CombineKind Arithmetic::getCombineKind(BuiltinOperator op, Type type,
                                           bool isSigned) {
  using K = ir::CombineKind;
  bool isFloat = isa<FloatType>(getElement(type));
  switch (op) {
  case BuiltinOperator::Add:
    return K::Add;
  case BuiltinOperator::Mul:
    return K::Mul;
  case BuiltinOperator::Min:
    return isFloat ? K::MinNum : isSigned ? K::SMin : K::UMin;
  case BuiltinOperator::Max:
    return isFloat ? K::MaxNum : isSigned ? K::SMax : K::UMax;
  case BuiltinOperator::Minimum:
    return isFloat ? K::Minimum : isSigned ? K::SMin : K::UMin;
  case BuiltinOperator::Maximum:
    return isFloat ? K::Maximum : isSigned ? K::SMax : K::UMax;
  case BuiltinOperator::And:
    return K::And;
  case BuiltinOperator::Or:
    return K::Or;
  case BuiltinOperator::Xor:
    return K::Xor;
  }
  llvm_unreachable("unknown operator");
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value Arithmetic::resize(Value value, bool isSigned, Type to) {
  unsigned from = getWidth(value.getType());
  if (from > getWidth(to))
    return arith::TruncIOp::create(b, to, value);
  if (from == getWidth(to))
    return value;
  if (isSigned)
    return arith::ExtSIOp::create(b, to, value);
  return arith::ExtUIOp::create(b, to, value);
}

Value Arithmetic::keepStickyBit(Value value, unsigned dropped, unsigned exact,
                                bool isSigned) {
  Type type = value.getType();
  Value low = constant(type, (int64_t(1) << dropped) - 1);
  Value lost = arith::AndIOp::create(b, value, low);
  Value isInexact = compare(CompareOp::Ne, lost, constant(type, 0), false);
  Value sticky = arith::ShLIOp::create(
      b, arith::ExtUIOp::create(b, type, isInexact), constant(type, dropped));
  Value high = arith::AndIOp::create(b, value, bitNot(low));
  Value odd = arith::OrIOp::create(b, high, sticky);
  // Small values are exact as they are.
  Value offset = value;
  if (isSigned)
    offset =
        arith::AddIOp::create(b, value, constant(type, int64_t(1) << exact));
  Value bound = constant(type, int64_t(1) << (isSigned ? exact + 1 : exact));
  Value isSmall = compare(CompareOp::Lt, offset, bound, /*isSigned=*/false);
  return arith::SelectOp::create(b, isSmall, value, odd);
}

/// bf16 has fewer digits than f32, and so an integer that f32 must round would
/// be rounded twice.
Value Arithmetic::intToBFloat(Value value, bool isSigned, Type to) {
  unsigned width = getWidth(value.getType());
  Type wide =
      withElement(to, width == 64 ? Type(b.getF64Type()) : b.getF32Type());
  if (width == 64)
    value = keepStickyBit(value, /*dropped=*/11, /*exact=*/53, isSigned);
  else if (width == 32)
    value = keepStickyBit(value, /*dropped=*/8, /*exact=*/24, isSigned);
  return arith::TruncFOp::create(b, to, intToFloat(value, isSigned, wide));
}

Value Arithmetic::intToFloat(Value value, bool isSigned, Type to) {
  if (getElement(to).isBF16())
    return intToBFloat(value, isSigned, to);
  if (isSigned)
    return arith::SIToFPOp::create(b, to, value);
  return arith::UIToFPOp::create(b, to, value);
}

Value Arithmetic::floatToFloat(Value value, Type to) {
  Type from = value.getType();
  if (from == to)
    return value;
  if (getWidth(from) == getWidth(to)) {
    Type wide = withElement(to, b.getF32Type());
    return arith::TruncFOp::create(b, to,
                                   arith::ExtFOp::create(b, wide, value));
  }
  if (getWidth(from) < getWidth(to))
    return arith::ExtFOp::create(b, to, value);
  return arith::TruncFOp::create(b, to, value);
}

Value Arithmetic::convert(Value value, bool fromSigned, Type to,
                          bool toSigned) {
  bool toFloat = isa<FloatType>(getElement(to));
  if (isFloat(value))
    return toFloat ? floatToFloat(value, to)
                   : Value(ir::FPToIntOp::create(b, to, toSigned, value));
  return toFloat ? intToFloat(value, fromSigned, to)
                 : resize(value, fromSigned, to);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Value Arithmetic::rotate(Value value, Value count, bool left) {
  Value back = negate(count);
  Value up = binary(BinaryOp::Shl, value, left ? count : back, false);
  Value down = binary(BinaryOp::Shr, value, left ? back : count, false);
  return arith::OrIOp::create(b, up, down);
}

/// Exchanges neighbours, then pairs, and so on.
Value Arithmetic::reverseBits(Value value) {
  Type type = value.getType();
  unsigned width = getWidth(type);
  for (unsigned distance = 1; distance < width; distance *= 2) {
    APInt pattern =
        APInt::getSplat(width, APInt::getLowBitsSet(2 * distance, distance));
    Value mask = constant(type, pattern.getSExtValue());
    Value shift = constant(type, distance);
    Value down =
        arith::AndIOp::create(b, arith::ShRUIOp::create(b, value, shift), mask);
    Value up =
        arith::ShLIOp::create(b, arith::AndIOp::create(b, value, mask), shift);
    value = arith::OrIOp::create(b, up, down);
  }
  return value;
}

/// Byte k of the result is byte s & 7 of high:low for the k-th hexadecimal
/// digit s of the selector, or, if bit 3 of s is set, the sign of that byte 8
/// times.
Value Arithmetic::bytePerm(Value low, Value high, Value selector) {
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Value bytes = arith::OrIOp::create(
      b, arith::ShLIOp::create(b, resize(high, false, i64), constant(i64, 32)),
      resize(low, false, i64));
  Value result = constant(i32, 0);
  for (unsigned k = 0; k < 4; ++k) {
    Value digit = arith::ShRUIOp::create(b, selector, constant(i32, 4 * k));
    Value shift = arith::ShLIOp::create(
        b, arith::AndIOp::create(b, digit, constant(i32, 7)), constant(i32, 3));
    Value moved = arith::ShRUIOp::create(b, bytes, resize(shift, false, i64));
    Value byte = arith::TruncIOp::create(b, b.getI8Type(), moved);
    Value sign = arith::ShRSIOp::create(b, byte, constant(b.getI8Type(), 7));
    Value wantsSign = compare(CompareOp::Ne,
                              arith::AndIOp::create(b, digit, constant(i32, 8)),
                              constant(i32, 0), false);
    Value chosen = arith::SelectOp::create(b, wantsSign, sign, byte);
    result = arith::OrIOp::create(
        b, result,
        arith::ShLIOp::create(b, resize(chosen, false, i32),
                              constant(i32, 8 * k)));
  }
  return result;
}
