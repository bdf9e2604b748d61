//===- Values.cpp - Scalars as bits, and generated values -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/HostArray.h"
#include "coll/Support/FormatFloat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace llvm;

static const fltSemantics &getSemantics(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return APFloat::IEEEhalf();
  case ScalarType::BF16:
    return APFloat::BFloat();
  case ScalarType::F32:
    return APFloat::IEEEsingle();
  case ScalarType::F64:
    return APFloat::IEEEdouble();
  default:
    llvm_unreachable("not a float type");
  }
}

static APFloat toFloat(uint64_t bits, ScalarType type) {
  unsigned width = 8 * getScalarTypeSize(type);
  return APFloat(getSemantics(type), APInt(width, bits));
}

static uint64_t toBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

bool coll::isNaNBits(uint64_t bits, ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return (bits & 0x7fff) > 0x7c00;
  case ScalarType::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case ScalarType::F32:
    return (bits & 0x7fffffff) > 0x7f800000;
  case ScalarType::F64:
    return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static Error valueError(StringRef text, ScalarType type) {
  return createStringError("expected a value of type " +
                           getScalarTypeName(type) + ", got '" + text + "'");
}

static Error rangeError(StringRef text, ScalarType type) {
  return createStringError("the value " + text + " is out of range for " +
                           getScalarTypeName(type));
}

static Expected<uint64_t> parseFloat(StringRef text, ScalarType type) {
  const fltSemantics &semantics = getSemantics(type);
  StringRef magnitude = text;
  bool isNegative = magnitude.consume_front("-");
  if (magnitude == "inf")
    return toBits(APFloat::getInf(semantics, isNegative));
  if (magnitude == "nan")
    return toBits(APFloat::getQNaN(semantics, isNegative));
  // APFloat also takes words that the language does not have, and exponents
  // without digits.
  if (magnitude.empty() || !(isDigit(magnitude[0]) || magnitude[0] == '.') ||
      StringRef("eEpP+-").contains(magnitude.back()))
    return valueError(text, type);
  APFloat value(semantics);
  Expected<APFloat::opStatus> status =
      value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    consumeError(status.takeError());
    return valueError(text, type);
  }
  if (*status & APFloat::opOverflow)
    return rangeError(text, type);
  return toBits(value);
}

static Expected<uint64_t> parseInteger(StringRef text, ScalarType type) {
  unsigned width = 8 * getScalarTypeSize(type);
  bool isSigned = isSignedIntegerType(type);
  StringRef magnitude = text;
  bool isNegative = magnitude.consume_front("-");
  uint64_t value;
  if (magnitude.empty() || !isDigit(magnitude[0]) ||
      magnitude.getAsInteger(0, value))
    return valueError(text, type);
  uint64_t largest = maskTrailingOnes<uint64_t>(isSigned ? width - 1 : width);
  uint64_t limit = isNegative ? (isSigned ? largest + 1 : 0) : largest;
  if (value > limit)
    return rangeError(text, type);
  return (isNegative ? -value : value) & maskTrailingOnes<uint64_t>(width);
}

Expected<uint64_t> coll::parseScalarBits(StringRef text, ScalarType type) {
  if (isFloatType(type))
    return parseFloat(text, type);
  if (type != ScalarType::Bool)
    return parseInteger(text, type);
  if (text == "true" || text == "1")
    return 1;
  if (text == "false" || text == "0")
    return 0;
  return valueError(text, type);
}

std::string coll::formatScalarBits(uint64_t bits, ScalarType type) {
  if (type == ScalarType::Bool)
    return bits ? "true" : "false";
  if (isSignedIntegerType(type))
    return std::to_string(SignExtend64(bits, 8 * getScalarTypeSize(type)));
  if (!isFloatType(type))
    return std::to_string(bits);
  return formatFloat(toFloat(bits, type));
}

//===----------------------------------------------------------------------===//
// Generated values
//===----------------------------------------------------------------------===//

/// `index` rounded to the type.
static uint64_t getIotaBits(uint64_t index, ScalarType type) {
  switch (type) {
  case ScalarType::Bool:
    return index & 1;
  case ScalarType::F32:
    return bit_cast<uint32_t>(static_cast<float>(index));
  case ScalarType::F64:
    return bit_cast<uint64_t>(static_cast<double>(index));
  case ScalarType::F16:
  case ScalarType::BF16: {
    APFloat value(getSemantics(type));
    value.convertFromAPInt(APInt(64, index), /*IsSigned=*/false,
                           APFloat::rmNearestTiesToEven);
    return toBits(value);
  }
  default:
    return index; // The store keeps the low bytes.
  }
}

void coll::fillIota(HostArray &array) {
  for (uint64_t index = 0; index != array.getCount(); ++index)
    for (const StorageLeaf &leaf : array.getElement().leaves)
      array.setLeaf(index, leaf, getIotaBits(index, leaf.type));
}

Error coll::fillConstant(HostArray &array, StringRef text) {
  for (const StorageLeaf &leaf : array.getElement().leaves) {
    Expected<uint64_t> bits = parseScalarBits(text, leaf.type);
    if (!bits)
      return bits.takeError();
    for (uint64_t index = 0; index != array.getCount(); ++index)
      array.setLeaf(index, leaf, *bits);
  }
  return Error::success();
}

static uint64_t splitMix64(uint64_t seed, uint64_t index) {
  uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t getRandomBits(uint64_t random, ScalarType type) {
  // u / 2^(p-1) - 1 with u of p bits; every step is exact in double.
  auto uniform = [&](unsigned precision) {
    double unit = static_cast<double>(random >> (64 - precision));
    return unit / static_cast<double>(uint64_t(1) << (precision - 1)) - 1.0;
  };
  switch (type) {
  case ScalarType::Bool:
    return random >> 63;
  case ScalarType::F64:
    return bit_cast<uint64_t>(uniform(53));
  case ScalarType::F32:
    return bit_cast<uint32_t>(static_cast<float>(uniform(24)));
  case ScalarType::BF16: // The upper half of an f32 with the same value.
    return bit_cast<uint32_t>(static_cast<float>(uniform(8))) >> 16;
  case ScalarType::F16: {
    APFloat value(uniform(11));
    bool losesInfo = false;
    value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return toBits(value);
  }
  default:
    return random >> (64 - 8 * getScalarTypeSize(type));
  }
}

void coll::fillRandom(HostArray &array, uint64_t seed) {
  uint64_t k = 0;
  for (uint64_t index = 0; index != array.getCount(); ++index)
    for (const StorageLeaf &leaf : array.getElement().leaves)
      array.setLeaf(index, leaf,
                    getRandomBits(splitMix64(seed, k++), leaf.type));
}
