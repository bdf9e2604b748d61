//===- Encodings.cpp - Values as AMD's instructions see them --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Narrow integers are words, 64-bit integers lose their sign where their order
// counts, and bf16 is the f32 of the same value: its sums and products are
// those of f32, rounded once more.
//
//===----------------------------------------------------------------------===//

#include "../Words.h"
#include "Emitter.h"
#include "InlineISA.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

static Value flipSign(ImplicitLocOpBuilder &b, Value value) {
  Type type = value.getType();
  Value sign = arith::ConstantOp::create(
      b,
      IntegerAttr::get(type, APInt::getSignMask(type.getIntOrFloatBitWidth())));
  return arith::XOrIOp::create(b, value, sign);
}

Value ROCDLEmitter::encode(Builder &b, Encoding encoding, OperatorKind kind,
                           Value value) const {
  if (encoding == Encoding::Unsigned)
    return flipSign(b, value);
  if (value.getType().isBF16())
    return arith::ExtFOp::create(b, b.getF32Type(), value);
  if (kind == OperatorKind::SMin || kind == OperatorKind::SMax)
    return arith::ExtSIOp::create(b, b.getI32Type(), value);
  return arith::ExtUIOp::create(b, b.getI32Type(), value);
}

Value ROCDLEmitter::decode(Builder &b, Encoding encoding, OperatorKind,
                           Value value, Type type) const {
  if (encoding == Encoding::Unsigned)
    return flipSign(b, value);
  if (!type.isBF16())
    return arith::TruncIOp::create(b, type, value);
  // The value is one of bf16: nothing is to be rounded.
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  Value high = arith::ShRUIOp::create(b, bits, createI32(b, 16));
  return arith::BitcastOp::create(
      b, type, arith::TruncIOp::create(b, b.getI16Type(), high));
}

/// The f32 of the nearest bf16. The low half of a NaN is zero, as it comes from
/// operands with such: nothing is carried out of it.
static Value roundToBF16(ImplicitLocOpBuilder &b, const Target &target,
                         Value value) {
  if (target.getFamily() == AMDFamily::GFX950) {
    // The chip rounds pairs; the upper one is where f32 has it.
    auto floats = VectorType::get(2, b.getF32Type());
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(floats));
    Value pair =
        LLVM::InsertElementOp::create(b, floats, zero, value, createI32(b, 1));
    Value rounded =
        arith::TruncFOp::create(b, VectorType::get(2, b.getBF16Type()), pair);
    return LLVM::BitcastOp::create(b, b.getF32Type(), rounded);
  }
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), value);
  Value odd = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, createI32(b, 16)), createI32(b, 1));
  bits = arith::AddIOp::create(b, bits, odd);
  bits = arith::AddIOp::create(b, bits, createI32(b, 0x7fff));
  bits = arith::AndIOp::create(b, bits, createI32(b, -0x10000));
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}

/// As `kind` is in the encoding: no signs there.
static OperatorKind getEncodedKind(Encoding encoding, OperatorKind kind) {
  if (encoding != Encoding::Unsigned)
    return kind;
  return kind == OperatorKind::SMin ? OperatorKind::UMin : OperatorKind::UMax;
}

Value ROCDLEmitter::combineValues(Builder &b, Encoding encoding,
                                  OperatorKind kind, Type element, Value left,
                                  Value right) const {
  if (encoding == Encoding::Element)
    return rocdl::createMinMax(b, target, kind, left, right);
  kind = getEncodedKind(encoding, kind);
  Value result = combineBuiltin(b, static_cast<CombineKind>(kind), left, right);
  bool isRounded = element.isBF16() &&
                   (kind == OperatorKind::Add || kind == OperatorKind::Mul);
  return isRounded ? roundToBF16(b, target, result) : result;
}

Value ROCDLEmitter::combineTied(Builder &b, OperatorKind kind, Type element,
                                Value start, ArrayRef<TiedStep> steps) const {
  bool isSigned = kind == OperatorKind::SMin || kind == OperatorKind::SMax;
  if (isSigned && getNumWords(element) == 2)
    kind = getEncodedKind(Encoding::Unsigned, kind);
  return rocdl::createTiedSteps(b, target, kind, element, start, steps);
}
