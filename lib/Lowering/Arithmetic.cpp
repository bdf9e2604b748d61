//===- Arithmetic.cpp - Arithmetic that upstream lacks --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

/// `type` with another element.
static Type withElement(Type type, Type element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(element)) : element;
}

static Value createInteger(ImplicitLocOpBuilder &b, Type type,
                           const APInt &value) {
  TypedAttr attr = IntegerAttr::get(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, attr);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// The divisor, or 1 where it is 0 or the quotient would overflow: where the
/// dividend is the least number of `signedWidth` bits (0: not signed) and the
/// divisor is -1.
static Value createSafeDivisor(ImplicitLocOpBuilder &b, unsigned signedWidth,
                               Value dividend, Value divisor) {
  Type type = divisor.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) {
    return createInteger(b, type, value);
  };
  Value unsafe = arith::CmpIOp::create(b, CmpIPredicate::eq, divisor,
                                       constant(APInt::getZero(width)));
  if (signedWidth) {
    Value isMinusOne = arith::CmpIOp::create(
        b, CmpIPredicate::eq, divisor, constant(APInt::getAllOnes(width)));
    Value isLeast = arith::CmpIOp::create(
        b, CmpIPredicate::eq, dividend,
        constant(APInt::getSignedMinValue(signedWidth).sext(width)));
    unsafe = arith::OrIOp::create(
        b, unsafe, arith::AndIOp::create(b, isMinusOne, isLeast));
  }
  return arith::SelectOp::create(b, unsafe, constant(APInt(width, 1)), divisor);
}

/// Narrow integers are divided in 32 bits: no chip has less, and LLVM cannot
/// select less without its optimiser. MIN / -1 would not overflow there, but
/// LLVM 22's AMDGPU back end takes the quotient to have as few bits as the
/// operands: `srem i32 (sext i8 %a), (sext i8 %b)` of -128 and -1 gives -256.
template <typename SignedOp, typename UnsignedOp, typename DivisionOp>
static Value lowerDivision(ImplicitLocOpBuilder &b, DivisionOp op) {
  Type type = op.getType(), wide = withElement(type, b.getI32Type());
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  bool isNarrow = width < 32;
  auto extend = [&](Value value) -> Value {
    if (!isNarrow)
      return value;
    if (op.getIsSigned())
      return arith::ExtSIOp::create(b, wide, value);
    return arith::ExtUIOp::create(b, wide, value);
  };
  Value left = extend(op.getLhs()), right = extend(op.getRhs());
  right = createSafeDivisor(b, op.getIsSigned() ? width : 0, left, right);
  Value result = op.getIsSigned() ? SignedOp::create(b, left, right).getResult()
                                  : UnsignedOp::create(b, left, right);
  return isNarrow ? arith::TruncIOp::create(b, type, result) : result;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// f16 and bf16 as f32, which holds them exactly.
static Value widen(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32)
    return value;
  return arith::ExtFOp::create(b, withElement(type, b.getF32Type()), value);
}

static Value lowerFPToInt(ImplicitLocOpBuilder &b, FPToIntOp op) {
  StringRef name = op.getIsSigned() ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  return callIntrinsic(b, name, op.getType(), widen(b, op.getOperand()));
}

/// An integer as bf16, rounded once. Chips go by way of f32, which would round
/// first: so low bits that f32 (f64 for 64 bits) cannot hold are folded into
/// one that says that they were not all zero. It is far below the bits that the
/// second rounding looks at but keeps ties from arising.
static Value roundOnce(ImplicitLocOpBuilder &b, Value value, bool isSigned) {
  Type type = value.getType();
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  unsigned exact = width == 64 ? 52 : 23;
  unsigned folded = width == 64 ? 16 : 12;
  auto constant = [&](const APInt &bits) {
    return createInteger(b, type, bits);
  };
  APInt lowBits = APInt::getLowBitsSet(width, folded);
  Value low = arith::AndIOp::create(b, value, constant(lowBits));
  Value high = arith::AndIOp::create(b, value, constant(~lowBits));
  Value isExact = arith::CmpIOp::create(b, CmpIPredicate::eq, low,
                                        constant(APInt::getZero(width)));
  Value sticky = arith::OrIOp::create(
      b, high, constant(APInt::getOneBitSet(width, folded - 1)));
  Value rounded = arith::SelectOp::create(b, isExact, value, sticky);
  // Small numbers are exact as they are, and the folded bits matter in them.
  Value magnitude = value;
  APInt limit = APInt::getOneBitSet(width, exact);
  if (isSigned) {
    magnitude = arith::AddIOp::create(b, value, constant(limit));
    limit <<= 1;
  }
  Value isSmall =
      arith::CmpIOp::create(b, CmpIPredicate::ult, magnitude, constant(limit));
  return arith::SelectOp::create(b, isSmall, value, rounded);
}

/// LLVM 22 takes an integer that has few significant bits for one that f16 can
/// hold, and so makes f32 of it at once where f32 is made of the f16: no
/// infinity comes of a large one then. coll::dropFences takes the fence away.
static Value fence(ImplicitLocOpBuilder &b, Value value) {
  return callIntrinsic(b, "llvm.arithmetic.fence", value.getType(), value);
}

template <typename ConversionOp, typename LLVMConversionOp>
static Value lowerIntToFP(ImplicitLocOpBuilder &b, ConversionOp op) {
  Type type = op.getType();
  Value value = op.getIn();
  unsigned width =
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  bool isSigned = std::is_same_v<ConversionOp, arith::SIToFPOp>;
  if (getElementTypeOrSelf(type).isF16() && width >= (isSigned ? 32 : 16))
    return fence(b, LLVMConversionOp::create(b, type, value));
  if (!getElementTypeOrSelf(type).isBF16())
    return {};
  if (width >= 32)
    value = roundOnce(b, value, isSigned);
  Type wide = width == 64 ? Type(b.getF64Type()) : b.getF32Type();
  Value exact = ConversionOp::create(b, withElement(type, wide), value);
  return arith::TruncFOp::create(b, type, exact);
}

//===----------------------------------------------------------------------===//
// Minima and approximations
//===----------------------------------------------------------------------===//

template <typename MinMaxOp>
static Value lowerMinMax(ImplicitLocOpBuilder &b, const TargetEmitter &target,
                         MinMaxOp op) {
  StringRef name = std::is_same_v<MinMaxOp, MinNumOp> ? "llvm.minimumnum"
                                                      : "llvm.maximumnum";
  Type type = op.getType();
  Value left = op.getLhs(), right = op.getRhs();
  bool isNative = target.getTarget().has(Feature::F16MinMax);
  if (!getElementTypeOrSelf(type).isBF16() || isNative)
    return callIntrinsic(b, name, type, {left, right});
  Type wide = withElement(type, b.getF32Type());
  Value result =
      callIntrinsic(b, name, wide, {widen(b, left), widen(b, right)});
  return arith::TruncFOp::create(b, type, result);
}

/// f64 has what is exact anyway.
static Value lowerFastF64(ImplicitLocOpBuilder &b, FastKind kind, Value x) {
  Value one = arith::ConstantOp::create(b, b.getF64FloatAttr(1));
  switch (kind) {
  case FastKind::Sqrt:
    return math::SqrtOp::create(b, x);
  case FastKind::Rsqrt:
    return arith::DivFOp::create(b, one, math::SqrtOp::create(b, x));
  case FastKind::Rcp:
    return arith::DivFOp::create(b, one, x);
  default:
    return {};
  }
}

static Value lowerFastScalar(ImplicitLocOpBuilder &b,
                             const TargetEmitter &target, FastKind kind,
                             Value x) {
  if (x.getType().isF64())
    return lowerFastF64(b, kind, x);
  Value result = target.fast(b, kind, widen(b, x));
  if (!x.getType().isF32())
    result = arith::TruncFOp::create(b, x.getType(), result);
  return result;
}

static FailureOr<Value> lowerFast(ImplicitLocOpBuilder &b,
                                  const TargetEmitter &target, FastOp op) {
  Value x = op.getOperand();
  auto vector = dyn_cast<VectorType>(x.getType());
  SmallVector<Value> elements;
  for (int64_t i = 0, e = vector ? vector.getNumElements() : 1; i != e; ++i) {
    Value element = vector ? vector::ExtractOp::create(b, x, i).getResult() : x;
    Value result = lowerFastScalar(b, target, op.getKind(), element);
    if (!result)
      return op.emitError()
             << "fast." << stringifyFastKind(op.getKind())
             << " of f64 is not supported yet on " << target.getTarget().str();
    elements.push_back(result);
  }
  if (!vector)
    return elements.front();
  return vector::FromElementsOp::create(b, vector, elements).getResult();
}

FailureOr<Value> coll::lowerArithmetic(ImplicitLocOpBuilder &b,
                                       const TargetEmitter &target,
                                       Operation *operation) {
  using Result = FailureOr<Value>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case<DivOp>([&](auto op) -> Result {
        return lowerDivision<arith::DivSIOp, arith::DivUIOp>(b, op);
      })
      .Case<RemOp>([&](auto op) -> Result {
        return lowerDivision<arith::RemSIOp, arith::RemUIOp>(b, op);
      })
      .Case<FPToIntOp>([&](auto op) -> Result { return lowerFPToInt(b, op); })
      .Case<arith::SIToFPOp>([&](auto op) -> Result {
        return lowerIntToFP<arith::SIToFPOp, LLVM::SIToFPOp>(b, op);
      })
      .Case<arith::UIToFPOp>([&](auto op) -> Result {
        return lowerIntToFP<arith::UIToFPOp, LLVM::UIToFPOp>(b, op);
      })
      .Case<MinNumOp, MaxNumOp>(
          [&](auto op) -> Result { return lowerMinMax(b, target, op); })
      .Case<FastOp>([&](auto op) { return lowerFast(b, target, op); })
      .Default([](Operation *) -> Result { return Value(); });
}
