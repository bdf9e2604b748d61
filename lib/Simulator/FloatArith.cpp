//===- FloatArith.cpp - Arithmetic of VALU instructions -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace coll::sim;
using llvm::APFloat;

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

template <class F> static const llvm::fltSemantics &getSemantics() {
  if constexpr (F::bits == 64)
    return APFloat::IEEEdouble();
  else if constexpr (F::bits == 32)
    return APFloat::IEEEsingle();
  else if constexpr (F::exponentBits == 5)
    return APFloat::IEEEhalf();
  else
    return APFloat::BFloat();
}

static llvm::RoundingMode getRoundingMode(Rounding rounding) {
  switch (rounding) {
  case Rounding::NearestEven:
    return llvm::RoundingMode::NearestTiesToEven;
  case Rounding::Up:
    return llvm::RoundingMode::TowardPositive;
  case Rounding::Down:
    return llvm::RoundingMode::TowardNegative;
  case Rounding::TowardZero:
    return llvm::RoundingMode::TowardZero;
  }
  return llvm::RoundingMode::NearestTiesToEven;
}

namespace {
enum class Arith { Add, Mul, Fma };
} // namespace

/// Any rounding; operands are numbers.
template <class F>
static uint64_t computeSlowly(Arith what, uint64_t a, uint64_t b, uint64_t c,
                              Rounding rounding) {
  auto make = [](uint64_t bits) {
    return APFloat(getSemantics<F>(), llvm::APInt(F::bits, bits));
  };
  APFloat result = make(a);
  llvm::RoundingMode mode = getRoundingMode(rounding);
  switch (what) {
  case Arith::Add:
    result.add(make(b), mode);
    break;
  case Arith::Mul:
    result.multiply(make(b), mode);
    break;
  case Arith::Fma:
    result.fusedMultiplyAdd(make(b), make(c), mode);
    break;
  }
  return result.isNaN() ? F::nan : result.bitcastToAPInt().getZExtValue();
}

/// Round to nearest even. Sums and products of f16 are exact as doubles; so is
/// their fma, unless the smaller part is far below the last bit of the result
/// and the larger part is an f16 itself.
template <class F>
static uint64_t computeFast(Arith what, uint64_t a, uint64_t b, uint64_t c) {
  using Host = std::conditional_t<F::bits == 32, float, double>;
  auto get = [](uint64_t bits) { return static_cast<Host>(toDouble<F>(bits)); };
  Host result = 0;
  switch (what) {
  case Arith::Add:
    result = get(a) + get(b);
    break;
  case Arith::Mul:
    result = get(a) * get(b);
    break;
  case Arith::Fma:
    result = std::fma(get(a), get(b), get(c));
    break;
  }
  if (result != result)
    return F::nan;
  return fromDouble<F>(result, Rounding::NearestEven);
}

template <class F>
static uint64_t compute(Arith what, uint64_t a, uint64_t b, uint64_t c,
                        FloatMode mode) {
  for (uint64_t x : {a, b, c})
    if (isNaN<F>(x))
      return x | F::quiet;
  a = flushInput<F>(a, mode);
  b = flushInput<F>(b, mode);
  c = flushInput<F>(c, mode);
  uint64_t result = mode.rounding == Rounding::NearestEven
                        ? computeFast<F>(what, a, b, c)
                        : computeSlowly<F>(what, a, b, c, mode.rounding);
  return flushResult<F>(result, mode);
}

template <class F>
uint64_t coll::sim::addFloat(uint64_t a, uint64_t b, FloatMode mode) {
  return compute<F>(Arith::Add, a, b, 0, mode);
}

template <class F>
uint64_t coll::sim::mulFloat(uint64_t a, uint64_t b, FloatMode mode) {
  return compute<F>(Arith::Mul, a, b, 0, mode);
}

template <class F>
uint64_t coll::sim::fmaFloat(uint64_t a, uint64_t b, uint64_t c,
                             FloatMode mode) {
  return compute<F>(Arith::Fma, a, b, c, mode);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Maps numbers to integers of the same order; -0 is just below +0.
template <class F> static int64_t getOrderKey(uint64_t x) {
  auto magnitude = static_cast<int64_t>(x & F::magnitude);
  return isNegative<F>(x) ? -magnitude - 1 : magnitude;
}

/// The smaller or larger of two numbers, with -0 < +0.
template <class F>
static uint64_t pickNumber(MinMax which, uint64_t a, uint64_t b) {
  bool less = getOrderKey<F>(a) < getOrderKey<F>(b);
  return less == (which == MinMax::Min) ? a : b;
}

template <class F>
static uint64_t pickFlushed(MinMax which, uint64_t a, uint64_t b,
                            FloatMode mode) {
  uint64_t result =
      pickNumber<F>(which, flushInput<F>(a, mode), flushInput<F>(b, mode));
  return flushResult<F>(result, mode);
}

template <class F>
uint64_t coll::sim::minMaxLegacy(MinMax which, uint64_t a, uint64_t b,
                                 const FloatModes &modes) {
  FloatMode mode = getMode<F>(modes);
  if (modes.ieee)
    for (uint64_t x : {a, b})
      if (isSignalingNaN<F>(x))
        return x | F::quiet;
  if (isNaN<F>(a))
    return flushResult<F>(flushInput<F>(b, mode), mode);
  if (isNaN<F>(b))
    return flushResult<F>(flushInput<F>(a, mode), mode);
  return pickFlushed<F>(which, a, b, mode);
}

template <class F>
uint64_t coll::sim::minMaxNumber(MinMax which, uint64_t a, uint64_t b,
                                 const FloatModes &modes) {
  if (isNaN<F>(a) && isNaN<F>(b))
    return a | F::quiet;
  FloatModes quiet = modes;
  quiet.ieee = false;
  return minMaxLegacy<F>(which, a, b, quiet);
}

template <class F>
uint64_t coll::sim::minMaxPropagate(MinMax which, uint64_t a, uint64_t b,
                                    const FloatModes &modes) {
  for (uint64_t x : {a, b})
    if (isNaN<F>(x))
      return x | F::quiet;
  return pickFlushed<F>(which, a, b, getMode<F>(modes));
}

template <class F>
Ordering coll::sim::compareFloat(uint64_t a, uint64_t b, FloatMode mode) {
  if (isNaN<F>(a) || isNaN<F>(b))
    return Ordering::Unordered;
  a = flushInput<F>(a, mode);
  b = flushInput<F>(b, mode);
  if (a == b || (isZero<F>(a) && isZero<F>(b)))
    return Ordering::Equal;
  return getOrderKey<F>(a) < getOrderKey<F>(b) ? Ordering::Less
                                               : Ordering::Greater;
}

template <class F> bool coll::sim::isOfClass(uint64_t x, uint32_t classes) {
  // Bits: signaling NaN, quiet NaN, -inf, -normal, -subnormal, -0, +0,
  // +subnormal, +normal, +inf.
  unsigned bit;
  if (isNaN<F>(x)) {
    bit = isSignalingNaN<F>(x) ? 0 : 1;
  } else {
    unsigned kind = isInfinity<F>(x)    ? 0
                    : isZero<F>(x)      ? 3
                    : isSubnormal<F>(x) ? 2
                                        : 1;
    bit = isNegative<F>(x) ? 2 + kind : 9 - kind;
  }
  return (classes >> bit) & 1;
}

//===----------------------------------------------------------------------===//
// Rounding and modifiers
//===----------------------------------------------------------------------===//

template <class F>
uint64_t coll::sim::roundToIntegral(uint64_t x, Integral how) {
  if (isNaN<F>(x))
    return x | F::quiet;
  double value = toDouble<F>(x);
  switch (how) {
  case Integral::Trunc:
    value = std::trunc(value);
    break;
  case Integral::Floor:
    value = std::floor(value);
    break;
  case Integral::Ceil:
    value = std::ceil(value);
    break;
  case Integral::NearestEven:
    value = std::nearbyint(value);
    break;
  }
  return fromDouble<F>(value, Rounding::NearestEven);
}

template <class F> uint64_t coll::sim::fractFloat(uint64_t x, FloatMode mode) {
  if (isNaN<F>(x))
    return x | F::quiet;
  if (isInfinity<F>(x))
    return F::nan;
  uint64_t floor = roundToIntegral<F>(x, Integral::Floor) ^ F::sign;
  uint64_t result = addFloat<F>(x, floor, mode);
  // Of a tiny negative number the difference rounds to 1.
  return result >= F::one && !isNegative<F>(result) ? F::one - 1 : result;
}

template <class F>
uint64_t coll::sim::applyOutputModifiers(uint64_t x, unsigned omod, bool clamp,
                                         const FloatModes &modes) {
  FloatMode mode = getMode<F>(modes);
  if (omod && !modes.ieee && mode.flushResults && !isNaN<F>(x)) {
    uint64_t factor = omod == 3 ? F::one - (F::mantissa + 1)
                                : F::one + omod * (F::mantissa + 1);
    x = mulFloat<F>(x, factor, mode);
    if (isZero<F>(x))
      x = 0;
  }
  if (!clamp)
    return x;
  if (isNaN<F>(x))
    return modes.clampNaN ? 0 : x;
  if (isNegative<F>(x))
    return 0;
  return x > F::one ? F::one : x;
}

#define FORMAT(F)                                                              \
  template uint64_t coll::sim::addFloat<F>(uint64_t, uint64_t, FloatMode);     \
  template uint64_t coll::sim::mulFloat<F>(uint64_t, uint64_t, FloatMode);     \
  template uint64_t coll::sim::fmaFloat<F>(uint64_t, uint64_t, uint64_t,       \
                                           FloatMode);                         \
  template uint64_t coll::sim::minMaxLegacy<F>(MinMax, uint64_t, uint64_t,     \
                                               const FloatModes &);            \
  template uint64_t coll::sim::minMaxNumber<F>(MinMax, uint64_t, uint64_t,     \
                                               const FloatModes &);            \
  template uint64_t coll::sim::minMaxPropagate<F>(MinMax, uint64_t, uint64_t,  \
                                                  const FloatModes &);         \
  template Ordering coll::sim::compareFloat<F>(uint64_t, uint64_t, FloatMode); \
  template bool coll::sim::isOfClass<F>(uint64_t, uint32_t);                   \
  template uint64_t coll::sim::roundToIntegral<F>(uint64_t, Integral);         \
  template uint64_t coll::sim::fractFloat<F>(uint64_t, FloatMode);             \
  template uint64_t coll::sim::applyOutputModifiers<F>(                        \
      uint64_t, unsigned, bool, const FloatModes &);
FORMAT(F16)
FORMAT(F32)
FORMAT(F64)
#undef FORMAT
