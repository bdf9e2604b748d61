//===- FloatFormat.cpp - Bits of floating point numbers -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace coll::sim;

FloatModes FloatModes::decode(uint32_t mode, bool hasIEEEMode) {
  auto decodeOne = [&](unsigned roundShift, unsigned denormShift) {
    FloatMode one;
    one.rounding = static_cast<Rounding>((mode >> roundShift) & 3);
    unsigned denorm = (mode >> denormShift) & 3;
    one.flushInputs = !(denorm & 1);
    one.flushResults = !(denorm & 2);
    return one;
  };
  FloatModes modes;
  modes.single = decodeOne(0, 4);
  modes.wide = decodeOne(2, 6);
  modes.clampNaN = !hasIEEEMode || (mode & (1u << 8));
  modes.ieee = hasIEEEMode && (mode & (1u << 9));
  modes.saturatesHalf = mode & (1u << 23);
  return modes;
}

/// Whether a cut-off part moves the magnitude up: `half` is the first bit that
/// was cut, `rest` any bit below it.
static bool roundsUp(bool negative, bool odd, bool half, bool rest,
                     Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
    return half && (rest || odd);
  case Rounding::Up:
    return !negative && (half || rest);
  case Rounding::Down:
    return negative && (half || rest);
  case Rounding::TowardZero:
    return false;
  }
  return false;
}

template <class F>
uint64_t coll::sim::roundTo(bool negative, uint64_t significand, int exponent,
                            bool sticky, Rounding rounding) {
  uint64_t sign = negative ? F::sign : 0;
  if (significand == 0)
    return sign;
  unsigned zeros = llvm::countl_zero(significand);
  significand <<= zeros;
  // The number is 1.xxx * 2^scale, its leading bit is bit 63.
  int scale = exponent - static_cast<int>(zeros) + 63;
  int biased = scale + F::bias;
  int cut = 63 - static_cast<int>(F::mantissaBits);
  if (biased <= 0)
    cut += 1 - biased;
  uint64_t kept = 0;
  bool half = false, rest = sticky;
  if (cut < 64) {
    kept = significand >> cut;
    half = (significand >> (cut - 1)) & 1;
    rest |= (significand & ((1ull << (cut - 1)) - 1)) != 0;
  } else {
    half = cut == 64 && (significand >> 63);
    rest |= cut > 64 || (significand << 1) != 0;
  }
  // With the exponent of a normal number the leading bit adds one to it; a
  // carry out of the mantissa does the right thing by itself.
  uint64_t result = kept;
  if (biased > 0)
    result += static_cast<uint64_t>(biased - 1) << F::mantissaBits;
  if (roundsUp(negative, kept & 1, half, rest, rounding))
    ++result;
  if (biased >= (1 << F::exponentBits) - 1 || result >= F::infinity) {
    bool toInfinity = rounding == Rounding::NearestEven ||
                      rounding == (negative ? Rounding::Down : Rounding::Up);
    result = toInfinity ? F::infinity : F::largest;
  }
  return sign | result;
}

template <class F> double coll::sim::toDouble(uint64_t x) {
  if constexpr (F::bits == 64) {
    return llvm::bit_cast<double>(x);
  } else if constexpr (F::bits == 32) {
    return llvm::bit_cast<float>(static_cast<uint32_t>(x));
  } else {
    bool negative = isNegative<F>(x);
    if (isNaN<F>(x))
      return std::nan("");
    if (isInfinity<F>(x))
      return negative ? -HUGE_VAL : HUGE_VAL;
    int exponent = getBiasedExponent<F>(x);
    uint64_t significand = x & F::mantissa;
    if (exponent)
      significand |= F::mantissa + 1;
    else
      exponent = 1;
    double value = std::ldexp(static_cast<double>(significand),
                              exponent - F::bias - int(F::mantissaBits));
    return negative ? -value : value;
  }
}

template <class F>
uint64_t coll::sim::fromLongDouble(long double x, Rounding rounding) {
  bool negative = std::signbit(x);
  if (std::isnan(x))
    return F::nan;
  if (std::isinf(x))
    return (negative ? F::sign : 0) | F::infinity;
  int exponent = 0;
  long double fraction = std::frexp(std::fabs(x), &exponent);
  auto significand = static_cast<uint64_t>(std::ldexp(fraction, 64));
  return roundTo<F>(negative, significand, exponent - 64, false, rounding);
}

template <class F> uint64_t coll::sim::fromDouble(double x, Rounding rounding) {
  if constexpr (F::bits == 64)
    return llvm::bit_cast<uint64_t>(x);
  if constexpr (F::bits == 32)
    if (rounding == Rounding::NearestEven && !std::isnan(x))
      return llvm::bit_cast<uint32_t>(static_cast<float>(x));
  return convertFloat<F, F64>(llvm::bit_cast<uint64_t>(x), rounding);
}

template <class F>
uint64_t coll::sim::fromInteger(int64_t x, Rounding rounding) {
  uint64_t magnitude = x < 0 ? 0 - static_cast<uint64_t>(x) : x;
  return roundTo<F>(x < 0, magnitude, 0, false, rounding);
}

template <class F>
uint64_t coll::sim::fromUnsigned(uint64_t x, Rounding rounding) {
  return roundTo<F>(false, x, 0, false, rounding);
}

template <class To, class From>
uint64_t coll::sim::convertFloat(uint64_t x, Rounding rounding) {
  bool negative = isNegative<From>(x);
  uint64_t sign = negative ? To::sign : 0;
  if (isNaN<From>(x)) {
    uint64_t payload = x & From::mantissa;
    if constexpr (To::mantissaBits >= From::mantissaBits)
      payload <<= To::mantissaBits - From::mantissaBits;
    else
      payload >>= From::mantissaBits - To::mantissaBits;
    return sign | To::nan | payload;
  }
  if (isInfinity<From>(x))
    return sign | To::infinity;
  int exponent = getBiasedExponent<From>(x);
  uint64_t significand = x & From::mantissa;
  if (exponent)
    significand |= From::mantissa + 1;
  else
    exponent = 1;
  return roundTo<To>(negative, significand,
                     exponent - From::bias - int(From::mantissaBits), false,
                     rounding);
}

#define FORMAT(F)                                                              \
  template uint64_t coll::sim::roundTo<F>(bool, uint64_t, int, bool,           \
                                          Rounding);                           \
  template double coll::sim::toDouble<F>(uint64_t);                            \
  template uint64_t coll::sim::fromDouble<F>(double, Rounding);                \
  template uint64_t coll::sim::fromLongDouble<F>(long double, Rounding);       \
  template uint64_t coll::sim::fromInteger<F>(int64_t, Rounding);              \
  template uint64_t coll::sim::fromUnsigned<F>(uint64_t, Rounding);            \
  template uint64_t coll::sim::convertFloat<F, F16>(uint64_t, Rounding);       \
  template uint64_t coll::sim::convertFloat<F, BF16>(uint64_t, Rounding);      \
  template uint64_t coll::sim::convertFloat<F, F32>(uint64_t, Rounding);       \
  template uint64_t coll::sim::convertFloat<F, F64>(uint64_t, Rounding);
FORMAT(F16)
FORMAT(BF16)
FORMAT(F32)
FORMAT(F64)
#undef FORMAT
