//===- Conversions.cpp - Conversions to and from floats on lanes ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include "LaneOps.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <type_traits>

using namespace coll::ref;

/// Calls `function` with a value of the format that `scalar` names.
template <typename Function>
static auto withFormat(Scalar scalar, Function function) {
  switch (scalar) {
  case Scalar::F16:
    return function(F16Format());
  case Scalar::BF16:
    return function(BF16Format());
  case Scalar::F32:
    return function(F32Format());
  case Scalar::F64:
    return function(F64Format());
  default:
    llvm_unreachable("not a float");
  }
}

/// Calls `function` with the width of an integer as a constant.
template <typename Function>
static auto withWidth(Scalar scalar, Function function) {
  switch (getBitWidth(scalar)) {
  case 1:
    return function(std::integral_constant<unsigned, 1>());
  case 8:
    return function(std::integral_constant<unsigned, 8>());
  case 16:
    return function(std::integral_constant<unsigned, 16>());
  case 32:
    return function(std::integral_constant<unsigned, 32>());
  default:
    return function(std::integral_constant<unsigned, 64>());
  }
}

//===----------------------------------------------------------------------===//
// Float to float
//===----------------------------------------------------------------------===//

template <typename From, typename To>
static void runResize(uint64_t *out, const uint64_t *a, const uint64_t *,
                      const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = To::put(From::get(a[i]));
}

LaneFn coll::ref::getFloatResize(Scalar from, Scalar to) {
  return withFormat(from, [&](auto fromFormat) {
    return withFormat(to, [&](auto toFormat) -> LaneFn {
      return runResize<decltype(fromFormat), decltype(toFormat)>;
    });
  });
}

double coll::ref::toDouble(uint64_t bits, Scalar scalar) {
  return withFormat(scalar, [&](auto format) -> double {
    return decltype(format)::get(bits);
  });
}

//===----------------------------------------------------------------------===//
// Integer to float
//===----------------------------------------------------------------------===//

/// A double that rounds to any narrower format as `magnitude` does: if bits
/// below its 53 are set, its last bit is.
static double roundToOdd(uint64_t magnitude) {
  constexpr uint64_t low = 0x7ff;
  if (magnitude >> 53)
    magnitude = (magnitude & ~low) | (magnitude & low ? low + 1 : 0);
  return static_cast<double>(magnitude);
}

template <typename Format, unsigned Bits, bool IsSigned>
static void runIntToFloat(uint64_t *out, const uint64_t *a, const uint64_t *,
                          const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i) {
    int64_t extended = llvm::SignExtend64<Bits>(a[i]);
    if constexpr (std::is_same_v<Format, F64Format>) {
      out[i] = IsSigned ? Format::put(static_cast<double>(extended))
                        : Format::put(static_cast<double>(a[i]));
    } else {
      bool isNegative = IsSigned && extended < 0;
      uint64_t wide = IsSigned ? static_cast<uint64_t>(extended) : a[i];
      double magnitude = roundToOdd(isNegative ? 0 - wide : wide);
      out[i] = Format::put(isNegative ? -magnitude : magnitude);
    }
  }
}

LaneFn coll::ref::getIntToFloat(Scalar from, Scalar to, bool isSigned) {
  return withFormat(to, [&](auto format) {
    return withWidth(from, [&](auto width) -> LaneFn {
      using Format = decltype(format);
      return isSigned ? runIntToFloat<Format, decltype(width)::value, true>
                      : runIntToFloat<Format, decltype(width)::value, false>;
    });
  });
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

template <unsigned Bits, bool IsSigned> static uint64_t saturate(double value) {
  constexpr uint64_t mask = llvm::maskTrailingOnes<uint64_t>(Bits);
  constexpr uint64_t most = IsSigned ? mask >> 1 : mask;
  constexpr uint64_t least = IsSigned ? mask ^ (mask >> 1) : 0;
  // One more than the greatest value: a power of two, and so exact.
  double bound = std::ldexp(1.0, IsSigned ? Bits - 1 : Bits);
  if (std::isnan(value))
    return 0;
  if (value >= bound)
    return most;
  if (IsSigned)
    return value < -bound ? least : static_cast<int64_t>(value) & mask;
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

template <typename Format, unsigned Bits, bool IsSigned>
static void runFloatToInt(uint64_t *out, const uint64_t *a, const uint64_t *,
                          const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = saturate<Bits, IsSigned>(Format::get(a[i]));
}

LaneFn coll::ref::getFloatToInt(Scalar from, Scalar to, bool isSigned) {
  return withFormat(from, [&](auto format) {
    return withWidth(to, [&](auto width) -> LaneFn {
      using Format = decltype(format);
      return isSigned ? runFloatToInt<Format, decltype(width)::value, true>
                      : runFloatToInt<Format, decltype(width)::value, false>;
    });
  });
}
