//===- FloatSpecial.cpp - Division steps and inexact functions ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatSpecial.h"
#include "FloatArith.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace coll::sim;

//===----------------------------------------------------------------------===//
// Inexact functions
//===----------------------------------------------------------------------===//

/// The fraction of a number of revolutions, where sine and cosine are exact at
/// the quarters.
static long double getSine(double revolutions, bool cosine) {
  constexpr long double twoPi = 6.283185307179586476925286766559005768L;
  long double fraction = std::fmod(static_cast<long double>(revolutions), 1.0L);
  long double quarters = 4 * fraction;
  if (quarters == std::trunc(quarters)) {
    int quarter = (static_cast<int>(quarters) + 4) & 3;
    constexpr int sines[] = {0, 1, 0, -1};
    int value = sines[(quarter + (cosine ? 1 : 0)) & 3];
    return value == 0 && !cosine ? std::copysign(0.0L, fraction) : value;
  }
  return cosine ? std::cos(twoPi * fraction) : std::sin(twoPi * fraction);
}

/// With more digits than any format has.
static long double evaluate(Inexact function, double x) {
  long double wide = x;
  switch (function) {
  case Inexact::Exp2:
    return std::exp2(wide);
  case Inexact::Log2:
    return std::log2(wide);
  case Inexact::Rcp:
    return 1 / wide;
  case Inexact::Rsq:
    return 1 / std::sqrt(wide);
  case Inexact::Sqrt:
    return std::sqrt(wide);
  case Inexact::Sin:
    return std::isinf(x) ? std::numeric_limits<long double>::quiet_NaN()
                         : getSine(x, /*cosine=*/false);
  case Inexact::Cos:
    return std::isinf(x) ? std::numeric_limits<long double>::quiet_NaN()
                         : getSine(x, /*cosine=*/true);
  case Inexact::Tanh:
    return std::tanh(wide);
  }
  return 0;
}

/// By how many units in the last place the exact value may be moved before it
/// is rounded: half a unit less than the bound that the documents state.
template <class F> static long double getSlack() {
  if (F::bits == 64)
    return 536870911.5L; // 2^29 ULP
  return F::bits == 32 ? 0.5L : 0.01L;
}

/// A number in [-1, 1] that depends on all bits of the arguments.
static long double getNoise(uint64_t seed, Inexact function, uint64_t x) {
  uint64_t hash = seed * 0x9e3779b97f4a7c15u + x;
  for (int round = 0; round < 3; ++round) {
    hash ^= hash >> 31;
    hash = (hash + static_cast<uint64_t>(function)) * 0xd6e8feb86659fd93u;
  }
  hash ^= hash >> 32;
  return static_cast<long double>(static_cast<int64_t>(hash)) * 0x1p-63L;
}

template <class F>
uint64_t coll::sim::computeInexact(Inexact function, uint64_t x,
                                   const FloatModes &modes, uint64_t ulpSeed) {
  if (isNaN<F>(x))
    return x | F::quiet;
  FloatMode mode = getMode<F>(modes);
  if (F::bits == 32 && function != Inexact::Sin && function != Inexact::Cos)
    mode.flushInputs = mode.flushResults = true;
  x = flushInput<F>(x, mode);
  if constexpr (F::bits == 64)
    if (!ulpSeed && (function == Inexact::Rcp || function == Inexact::Sqrt)) {
      double value = toDouble<F>(x);
      value = function == Inexact::Rcp ? 1 / value : std::sqrt(value);
      return std::isnan(value) ? F::nan
                               : fromDouble<F>(value, Rounding::NearestEven);
    }
  long double exact = evaluate(function, toDouble<F>(x));
  if (std::isnan(exact))
    return F::nan;
  // The steps of a division round correctly only if the reciprocal of a
  // significand of ones is the one above; the hardware's is.
  bool isFixed = function == Inexact::Rcp && (x & F::mantissa) == F::mantissa;
  if (ulpSeed && std::isfinite(exact) && exact != 0 && !isFixed) {
    int exponent = std::max(std::ilogb(exact), 1 - F::bias);
    long double ulp = std::ldexp(1.0L, exponent - int(F::mantissaBits));
    exact += getNoise(ulpSeed, function, x) * getSlack<F>() * ulp;
  }
  return flushResult<F>(fromLongDouble<F>(exact, Rounding::NearestEven), mode);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// x * 2^exponent of a number, rounded once.
template <class F>
static uint64_t scaleNumber(uint64_t x, int exponent, Rounding rounding) {
  if (isNaN<F>(x) || isInfinity<F>(x) || isZero<F>(x))
    return isNaN<F>(x) ? x | F::quiet : x;
  int field = getBiasedExponent<F>(x);
  uint64_t significand = x & F::mantissa;
  if (field)
    significand |= F::mantissa + 1;
  int scale = std::max(field, 1) - F::bias - int(F::mantissaBits);
  return roundTo<F>(isNegative<F>(x), significand, scale + exponent, false,
                    rounding);
}

/// The documents' constants: the scale, the distance of exponents near which a
/// quotient overflows, and the exponent below which a numerator is tiny.
template <class F> struct DivConstants {
  static constexpr int scale = F::bits == 64 ? 128 : 64;
  static constexpr int nearOverflow = F::bits == 64 ? 768 : 96;
  static constexpr int tinyNumerator = F::mantissaBits + (F::bits == 64);
};

/// Whether n / d lies strictly between 0 and the smallest normal number, after
/// rounding.
template <class F> static bool isQuotientSubnormal(uint64_t n, uint64_t d) {
  long double quotient = std::fabs(static_cast<long double>(toDouble<F>(n)) /
                                   static_cast<long double>(toDouble<F>(d)));
  return quotient != 0 && quotient < std::ldexp(1.0L, 1 - F::bias);
}

template <class F>
uint64_t coll::sim::divScale(uint64_t value, uint64_t denominator,
                             uint64_t numerator, FloatMode mode, bool &flag) {
  constexpr int scale = DivConstants<F>::scale;
  flag = false;
  if (isNaN<F>(value) || isNaN<F>(denominator) || isNaN<F>(numerator) ||
      isInfinity<F>(denominator) || isInfinity<F>(numerator))
    return isNaN<F>(value) ? value | F::quiet : value;
  value = flushInput<F>(value, mode);
  denominator = flushInput<F>(denominator, mode);
  numerator = flushInput<F>(numerator, mode);
  if (isZero<F>(denominator) || isZero<F>(numerator))
    return F::nan;
  auto scaled = [&](int by) {
    return scaleNumber<F>(value, by, mode.rounding);
  };
  bool isDenominator = value == denominator;
  bool quotientTiny = isQuotientSubnormal<F>(numerator, denominator);
  bool reciprocalTiny = isQuotientSubnormal<F>(F::one, denominator);
  if (getBiasedExponent<F>(numerator) - getBiasedExponent<F>(denominator) >=
      DivConstants<F>::nearOverflow) {
    flag = true;
    return isDenominator ? scaled(scale) : value;
  }
  if (isSubnormal<F>(denominator))
    return scaled(scale);
  if (reciprocalTiny && quotientTiny) {
    // The documents say +scale, with which the denominator would overflow.
    flag = true;
    return isDenominator ? scaled(-scale) : value;
  }
  if (reciprocalTiny)
    return scaled(-scale);
  if (quotientTiny) {
    flag = true;
    return value == numerator ? scaled(scale) : value;
  }
  if (getBiasedExponent<F>(numerator) <= DivConstants<F>::tinyNumerator)
    return scaled(scale);
  return value;
}

/// (a * b + c) * 2^by with one rounding in all, also of a subnormal result: the
/// sum is rounded to odd with far more bits first.
template <class F>
static uint64_t computeScaledFma(uint64_t a, uint64_t b, uint64_t c, int by,
                                 FloatMode mode) {
  using llvm::APFloat;
  auto widen = [](uint64_t bits) {
    APFloat value(toDouble<F>(bits));
    bool losesInfo;
    value.convert(APFloat::IEEEquad(), APFloat::rmTowardZero, &losesInfo);
    return value;
  };
  APFloat sum = widen(a);
  bool inexact = sum.fusedMultiplyAdd(widen(b), widen(c),
                                      APFloat::rmTowardZero) != APFloat::opOK;
  if (!sum.isFiniteNonZero())
    return sum.isNaN()        ? F::nan
           : sum.isInfinity() ? (sum.isNegative() ? F::sign : 0) | F::infinity
                              : (sum.isNegative() ? F::sign : 0);
  // The quad's significand has 113 bits; 64 of them and a sticky bit do.
  int exponent = llvm::ilogb(sum);
  APFloat scaled = scalbn(sum, 63 - exponent, APFloat::rmTowardZero);
  llvm::APSInt significand(64, /*isUnsigned=*/true);
  bool isExact = false;
  scaled.clearSign();
  scaled.convertToInteger(significand, APFloat::rmTowardZero, &isExact);
  return roundTo<F>(sum.isNegative(), significand.getZExtValue(),
                    exponent - 63 + by, inexact || !isExact, mode.rounding);
}

template <class F>
uint64_t coll::sim::divFmas(uint64_t a, uint64_t b, uint64_t c, bool scale,
                            FloatMode mode) {
  if (!scale)
    return fmaFloat<F>(a, b, c, mode);
  for (uint64_t x : {a, b, c})
    if (isNaN<F>(x))
      return x | F::quiet;
  bool large = getBiasedExponent<F>(c) > F::bias;
  int by = large ? DivConstants<F>::scale : -DivConstants<F>::scale;
  uint64_t result =
      computeScaledFma<F>(flushInput<F>(a, mode), flushInput<F>(b, mode),
                          flushInput<F>(c, mode), by, mode);
  return flushResult<F>(result, mode);
}

template <class F>
uint64_t coll::sim::divFixup(uint64_t quotient, uint64_t denominator,
                             uint64_t numerator) {
  uint64_t sign = (denominator ^ numerator) & F::sign;
  if (isNaN<F>(numerator))
    return numerator | F::quiet;
  if (isNaN<F>(denominator))
    return denominator | F::quiet;
  if ((isZero<F>(denominator) && isZero<F>(numerator)) ||
      (isInfinity<F>(denominator) && isInfinity<F>(numerator)))
    return F::sign | F::nan;
  if (isZero<F>(denominator) || isInfinity<F>(numerator))
    return sign | F::infinity;
  if (isInfinity<F>(denominator) || isZero<F>(numerator))
    return sign;
  // f16 is divided in f32, where nothing overflows.
  if constexpr (F::bits != 16) {
    constexpr int tooSmall = F::bits == 64 ? -1075 : -150;
    if (getBiasedExponent<F>(numerator) - getBiasedExponent<F>(denominator) <
        tooSmall)
      return sign;
  }
  // With such operands the steps give a NaN only when they overflow.
  if (isNaN<F>(quotient))
    return sign | F::infinity;
  return sign | (quotient & F::magnitude);
}

//===----------------------------------------------------------------------===//
// Exponents
//===----------------------------------------------------------------------===//

template <class F>
uint64_t coll::sim::ldexpFloat(uint64_t x, int exponent, FloatMode mode) {
  // Past these bounds nothing changes any more.
  exponent = std::clamp(exponent, -10000, 10000);
  uint64_t result =
      scaleNumber<F>(flushInput<F>(x, mode), exponent, mode.rounding);
  return flushResult<F>(result, mode);
}

template <class F> int32_t coll::sim::frexpExponent(uint64_t x) {
  if (isNaN<F>(x) || isInfinity<F>(x) || isZero<F>(x))
    return 0;
  int exponent = 0;
  std::frexp(toDouble<F>(x), &exponent);
  return exponent;
}

template <class F> uint64_t coll::sim::frexpMantissa(uint64_t x) {
  if (isNaN<F>(x))
    return x | F::quiet;
  if (isInfinity<F>(x))
    return x;
  int exponent = 0;
  return fromDouble<F>(std::frexp(toDouble<F>(x), &exponent),
                       Rounding::NearestEven);
}

#define FORMAT(F)                                                              \
  template uint64_t coll::sim::computeInexact<F>(                              \
      Inexact, uint64_t, const FloatModes &, uint64_t);                        \
  template uint64_t coll::sim::divFixup<F>(uint64_t, uint64_t, uint64_t);      \
  template uint64_t coll::sim::ldexpFloat<F>(uint64_t, int, FloatMode);        \
  template int32_t coll::sim::frexpExponent<F>(uint64_t);                      \
  template uint64_t coll::sim::frexpMantissa<F>(uint64_t);
FORMAT(F16)
FORMAT(F32)
FORMAT(F64)
#undef FORMAT

#define DIVISION(F)                                                            \
  template uint64_t coll::sim::divScale<F>(uint64_t, uint64_t, uint64_t,       \
                                           FloatMode, bool &);                 \
  template uint64_t coll::sim::divFmas<F>(uint64_t, uint64_t, uint64_t, bool,  \
                                          FloatMode);
DIVISION(F32)
DIVISION(F64)
#undef DIVISION
