//===- FloatOps.cpp - Float arithmetic on lanes ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's IEEE arithmetic, in round-to-nearest-even and with subnormals.
// This file is compiled without contraction.
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include "LaneOps.h"
#include "llvm/Support/ErrorHandling.h"
#include <array>
#include <cmath>
#include <utility>

using namespace coll::ref;

/// Whether `a` comes before `b` in the order with -0 before +0; no NaNs.
template <typename Value> static bool isLess(Value a, Value b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

template <FloatBinary Operation, typename Value>
static Value arithmetic(Value a, Value b) {
  bool isNaN = std::isnan(a) || std::isnan(b);
  switch (Operation) {
  case FloatBinary::Add:
    return a + b;
  case FloatBinary::Sub:
    return a - b;
  case FloatBinary::Mul:
    return a * b;
  case FloatBinary::Div:
    return a / b;
  case FloatBinary::MinNum:
    return isNaN ? (std::isnan(a) ? b : a) : (isLess(b, a) ? b : a);
  case FloatBinary::MaxNum:
    return isNaN ? (std::isnan(a) ? b : a) : (isLess(a, b) ? b : a);
  case FloatBinary::Minimum:
    return isNaN ? a + b : (isLess(b, a) ? b : a);
  case FloatBinary::Maximum:
    return isNaN ? a + b : (isLess(a, b) ? b : a);
  case FloatBinary::CopySign:
    return std::copysign(a, b);
  default:
    llvm_unreachable("not arithmetic");
  }
}

template <FloatBinary Operation, typename Value>
static bool compare(Value a, Value b) {
  bool isNaN = std::isnan(a) || std::isnan(b);
  switch (Operation) {
  case FloatBinary::False:
    return false;
  case FloatBinary::OEq:
    return a == b;
  case FloatBinary::OGt:
    return a > b;
  case FloatBinary::OGe:
    return a >= b;
  case FloatBinary::OLt:
    return a < b;
  case FloatBinary::OLe:
    return a <= b;
  case FloatBinary::ONe:
    return !isNaN && a != b;
  case FloatBinary::Ordered:
    return !isNaN;
  case FloatBinary::UEq:
    return isNaN || a == b;
  case FloatBinary::UGt:
    return isNaN || a > b;
  case FloatBinary::UGe:
    return isNaN || a >= b;
  case FloatBinary::ULt:
    return isNaN || a < b;
  case FloatBinary::ULe:
    return isNaN || a <= b;
  case FloatBinary::UNe:
    return isNaN || a != b;
  case FloatBinary::Unordered:
    return isNaN;
  case FloatBinary::True:
    return true;
  default:
    llvm_unreachable("not a comparison");
  }
}

template <FloatUnary Operation, typename Value>
static Value arithmetic(Value a) {
  switch (Operation) {
  case FloatUnary::Neg:
    return -a;
  case FloatUnary::Abs:
    return std::fabs(a);
  case FloatUnary::Sqrt:
    return std::sqrt(a);
  case FloatUnary::Floor:
    return std::floor(a);
  case FloatUnary::Ceil:
    return std::ceil(a);
  case FloatUnary::Trunc:
    return std::trunc(a);
  case FloatUnary::Round:
    return std::round(a);
  case FloatUnary::RoundEven:
    return std::nearbyint(a);
  case FloatUnary::Exp:
    return std::exp(a);
  case FloatUnary::Exp2:
    return std::exp2(a);
  case FloatUnary::Log:
    return std::log(a);
  case FloatUnary::Log2:
    return std::log2(a);
  case FloatUnary::Sin:
    return std::sin(a);
  case FloatUnary::Cos:
    return std::cos(a);
  case FloatUnary::Tanh:
    return std::tanh(a);
  case FloatUnary::Rsqrt:
    return 1 / std::sqrt(a);
  case FloatUnary::Rcp:
    return 1 / a;
  }
  llvm_unreachable("unknown operation");
}

template <FloatBinary Operation, typename Format>
static void runBinary(uint64_t *out, const uint64_t *a, const uint64_t *b,
                      const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i) {
    auto x = Format::get(a[i]), y = Format::get(b[i]);
    if constexpr (Operation >= FloatBinary::False)
      out[i] = compare<Operation>(x, y);
    else
      out[i] = Format::put(arithmetic<Operation>(x, y));
  }
}

template <FloatUnary Operation, typename Format>
static void runUnary(uint64_t *out, const uint64_t *a, const uint64_t *,
                     const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = Format::put(arithmetic<Operation>(Format::get(a[i])));
}

template <typename Format, size_t... I>
static LaneFn pickBinary(FloatBinary operation, std::index_sequence<I...>) {
  static constexpr std::array<LaneFn, sizeof...(I)> table = {
      runBinary<FloatBinary(I), Format>...};
  return table[static_cast<size_t>(operation)];
}

template <typename Format, size_t... I>
static LaneFn pickUnary(FloatUnary operation, std::index_sequence<I...>) {
  static constexpr std::array<LaneFn, sizeof...(I)> table = {
      runUnary<FloatUnary(I), Format>...};
  return table[static_cast<size_t>(operation)];
}

LaneFn coll::ref::getFloatBinary(FloatBinary operation, Scalar scalar) {
  constexpr auto all =
      std::make_index_sequence<static_cast<size_t>(FloatBinary::True) + 1>();
  switch (scalar) {
  case Scalar::F16:
    return pickBinary<F16Format>(operation, all);
  case Scalar::BF16:
    return pickBinary<BF16Format>(operation, all);
  case Scalar::F32:
    return pickBinary<F32Format>(operation, all);
  case Scalar::F64:
    return pickBinary<F64Format>(operation, all);
  default:
    llvm_unreachable("not a float");
  }
}

LaneFn coll::ref::getFloatUnary(FloatUnary operation, Scalar scalar) {
  constexpr auto all =
      std::make_index_sequence<static_cast<size_t>(FloatUnary::Rcp) + 1>();
  switch (scalar) {
  case Scalar::F16:
    return pickUnary<F16Format>(operation, all);
  case Scalar::BF16:
    return pickUnary<BF16Format>(operation, all);
  case Scalar::F32:
    return pickUnary<F32Format>(operation, all);
  case Scalar::F64:
    return pickUnary<F64Format>(operation, all);
  default:
    llvm_unreachable("not a float");
  }
}

template <typename Format>
static void runFma(uint64_t *out, const uint64_t *a, const uint64_t *b,
                   const uint64_t *c, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = Format::put(
        std::fma(Format::get(a[i]), Format::get(b[i]), Format::get(c[i])));
}

/// The product of two f16 is exact in double. The sum is exact too, or so far
/// from the addend's neighbours in f16 that its rounding does not matter.
static void runHalfFma(uint64_t *out, const uint64_t *a, const uint64_t *b,
                       const uint64_t *c, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = F16Format::put(static_cast<double>(F16Format::get(a[i])) *
                                F16Format::get(b[i]) +
                            F16Format::get(c[i]));
}

LaneFn coll::ref::getFma(Scalar scalar) {
  switch (scalar) {
  case Scalar::F16:
    return runHalfFma;
  case Scalar::F32:
    return runFma<F32Format>;
  case Scalar::F64:
    return runFma<F64Format>;
  default:
    return nullptr;
  }
}
