//===- FloatFormat.h - Bits of floating point numbers -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers travel as their bits in a uint64_t; a format is a template parameter.
// What the MODE register says about them is a `FloatMode` for f32 and another
// for f16 and f64.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_FLOATFORMAT_H
#define COLL_LIB_SIMULATOR_FLOATFORMAT_H

#include <cstdint>

namespace coll::sim {

/// As FP_ROUND encodes it.
enum class Rounding : uint8_t { NearestEven, Up, Down, TowardZero };

struct FloatMode {
  Rounding rounding = Rounding::NearestEven;
  bool flushInputs = false;
  bool flushResults = false;
};

/// The part of the MODE register that VALU instructions ask for.
struct FloatModes {
  FloatMode single;
  FloatMode wide; ///< f16 and f64.
  bool ieee = false;
  /// DX10_CLAMP: clamp makes 0 of a NaN.
  bool clampNaN = true;
  /// FP16_OVFL: an f16 result that overflows is the largest number.
  bool saturatesHalf = false;

  /// From MODE's bits. gfx12 has no IEEE mode and always clamps NaNs.
  static FloatModes decode(uint32_t mode, bool hasIEEEMode);
};

template <unsigned Exponent, unsigned Mantissa> struct FloatFormat {
  static constexpr unsigned exponentBits = Exponent;
  static constexpr unsigned mantissaBits = Mantissa;
  static constexpr unsigned bits = 1 + Exponent + Mantissa;
  static constexpr uint64_t sign = 1ull << (bits - 1);
  static constexpr uint64_t mantissa = (1ull << Mantissa) - 1;
  static constexpr uint64_t infinity = ((1ull << Exponent) - 1) << Mantissa;
  static constexpr uint64_t quiet = 1ull << (Mantissa - 1);
  static constexpr uint64_t nan = infinity | quiet;
  static constexpr uint64_t largest = infinity - 1;
  static constexpr uint64_t magnitude = sign - 1;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr uint64_t one = static_cast<uint64_t>(bias) << Mantissa;
};

using F16 = FloatFormat<5, 10>;
using BF16 = FloatFormat<8, 7>;
using F32 = FloatFormat<8, 23>;
using F64 = FloatFormat<11, 52>;

template <class F> constexpr bool isNaN(uint64_t x) {
  return (x & F::magnitude) > F::infinity;
}
template <class F> constexpr bool isSignalingNaN(uint64_t x) {
  return isNaN<F>(x) && !(x & F::quiet);
}
template <class F> constexpr bool isInfinity(uint64_t x) {
  return (x & F::magnitude) == F::infinity;
}
template <class F> constexpr bool isZero(uint64_t x) {
  return (x & F::magnitude) == 0;
}
template <class F> constexpr bool isSubnormal(uint64_t x) {
  return (x & F::magnitude) != 0 && (x & F::infinity) == 0;
}
template <class F> constexpr bool isNegative(uint64_t x) { return x & F::sign; }
/// The exponent field; 0 for zeros and subnormals.
template <class F> constexpr int getBiasedExponent(uint64_t x) {
  return static_cast<int>((x & F::infinity) >> F::mantissaBits);
}
template <class F> constexpr uint64_t flushSubnormal(uint64_t x) {
  return isSubnormal<F>(x) ? x & F::sign : x;
}
template <class F> constexpr uint64_t flushInput(uint64_t x, FloatMode mode) {
  return mode.flushInputs ? flushSubnormal<F>(x) : x;
}
template <class F> constexpr uint64_t flushResult(uint64_t x, FloatMode mode) {
  return mode.flushResults ? flushSubnormal<F>(x) : x;
}

/// The mode for a format.
template <class F> constexpr FloatMode getMode(const FloatModes &modes) {
  return F::bits == 32 ? modes.single : modes.wide;
}

/// Rounds (-1)^negative * significand * 2^exponent to the format, and a bit
/// more than that where `sticky` says that something was cut off.
template <class F>
uint64_t roundTo(bool negative, uint64_t significand, int exponent, bool sticky,
                 Rounding rounding);

/// Exact: every number of a format is a double.
template <class F> double toDouble(uint64_t x);

/// Any double or 64-bit integer in the format. NaNs stay quiet NaNs.
template <class F> uint64_t fromDouble(double x, Rounding rounding);
template <class F> uint64_t fromLongDouble(long double x, Rounding rounding);
template <class F> uint64_t fromInteger(int64_t x, Rounding rounding);
template <class F> uint64_t fromUnsigned(uint64_t x, Rounding rounding);

/// From one format to another: rounds, keeps the top bits of a NaN's payload,
/// makes it quiet.
template <class To, class From>
uint64_t convertFloat(uint64_t x, Rounding rounding);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_FLOATFORMAT_H
