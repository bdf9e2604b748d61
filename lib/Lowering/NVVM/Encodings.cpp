//===- Encodings.cpp - Elements as what is combined instead ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the encodings are is in coll/Plan/Plan.h. The key of a float: NaN
// becomes the positive quiet one, above all other floats, and the bits of
// negative floats but for the sign are flipped. For MaxNum and Minimum the key
// is that of the negated float.
//
//===----------------------------------------------------------------------===//

#include "../Words.h"
#include "Emitter.h"
#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static bool isNegated(OperatorKind kind) {
  return kind == OperatorKind::MaxNum || kind == OperatorKind::Minimum;
}

namespace {
/// The bits of a float as words: the sign is in the last one.
class Keys {
public:
  Keys(ImplicitLocOpBuilder &b, OperatorKind kind) : b(b), kind(kind) {}

  Value encode(Value value) const;
  Value decode(Value key, Type type) const;

private:
  Value constant(uint32_t bits) const {
    return createI32(b, static_cast<int32_t>(bits));
  }
  Value canonicalDouble(Value value) const;
  Value flipNegative(Value bits, bool isNegated) const;

  ImplicitLocOpBuilder &b;
  OperatorKind kind;
};
} // namespace

/// Flips the bits below the sign if that is set, which turns bits into keys and
/// keys into bits; of the result the sign too if it `isNegated`.
Value Keys::flipNegative(Value bits, bool isNegated) const {
  Leaves words = splitWords(b, bits);
  Value sign = arith::ShRSIOp::create(b, words.back(), createI32(b, 31));
  Value flipped;
  if (isNegated)
    flipped = arith::OrIOp::create(b, sign, constant(0x80000000));
  else
    flipped = arith::AndIOp::create(b, sign, constant(0x7fffffff));
  words.back() = arith::XOrIOp::create(b, words.back(), flipped);
  if (words.size() == 2)
    words.front() = arith::XOrIOp::create(b, words.front(), sign);
  return joinWords(b, words, bits.getType());
}

/// NaN has a high word that no number has; the low one does not matter.
Value Keys::canonicalDouble(Value value) const {
  Leaves words = splitWords(b, value);
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  if (isNegated(kind))
    words[1] = arith::XOrIOp::create(b, words[1], constant(0x80000000));
  words[1] = arith::SelectOp::create(b, isNaN, constant(0x7fffffff), words[1]);
  return joinWords(b, words, b.getI64Type());
}

Value Keys::encode(Value value) const {
  Type f32 = b.getF32Type();
  if (value.getType().isF64())
    return flipNegative(canonicalDouble(value), /*isNegated=*/false);
  if (value.getType() != f32)
    value = arith::ExtFOp::create(b, f32, value);
  value = nvvm::createCanonicalNaN(b, value, isNegated(kind));
  return flipNegative(arith::BitcastOp::create(b, b.getI32Type(), value),
                      /*isNegated=*/false);
}

Value Keys::decode(Value key, Type type) const {
  Type wide = type.isF64() ? type : b.getF32Type();
  Value bits = flipNegative(key, isNegated(kind));
  Value value = arith::BitcastOp::create(b, wide, bits);
  return wide == type ? value : arith::TruncFOp::create(b, type, value);
}

//===----------------------------------------------------------------------===//
// Narrow numbers
//===----------------------------------------------------------------------===//

static Value widen(ImplicitLocOpBuilder &b, OperatorKind kind, Value value) {
  Type type = value.getType(), i32 = b.getI32Type();
  if (isa<IntegerType>(type)) {
    if (kind == OperatorKind::SMin || kind == OperatorKind::SMax)
      return arith::ExtSIOp::create(b, i32, value);
    return arith::ExtUIOp::create(b, i32, value);
  }
  auto pair = VectorType::get(2, type);
  Value result = LLVM::PoisonOp::create(b, pair);
  for (int64_t i : {0, 1})
    result =
        LLVM::InsertElementOp::create(b, pair, result, value, createI32(b, i));
  return result;
}

static Value narrow(ImplicitLocOpBuilder &b, Value value, Type type) {
  if (isa<IntegerType>(type))
    return arith::TruncIOp::create(b, type, value);
  return LLVM::ExtractElementOp::create(b, value, createI32(b, 0));
}

Value NVVMEmitter::encode(Builder &b, Encoding encoding, OperatorKind kind,
                          Value element) const {
  if (encoding == Encoding::Keys)
    return Keys(b, kind).encode(element);
  return widen(b, kind, element);
}

Value NVVMEmitter::decode(Builder &b, Encoding encoding, OperatorKind kind,
                          Value value, mlir::Type type) const {
  if (encoding == Encoding::Keys)
    return Keys(b, kind).decode(value, type);
  return narrow(b, value, type);
}
