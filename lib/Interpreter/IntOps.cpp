//===- IntOps.cpp - Integer arithmetic on lanes ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneOps.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

using namespace coll::ref;

unsigned coll::ref::getBitWidth(Scalar scalar) {
  static constexpr unsigned widths[] = {1, 8, 16, 32, 64, 16, 16, 32, 64};
  return widths[static_cast<unsigned>(scalar)];
}

unsigned coll::ref::getByteSize(Scalar scalar) {
  return llvm::divideCeil(getBitWidth(scalar), 8u);
}

template <unsigned Bits> static uint64_t wrap(uint64_t value) {
  return value & llvm::maskTrailingOnes<uint64_t>(Bits);
}

/// The divisor that the language divides by.
template <unsigned Bits> static int64_t safeDivisor(int64_t a, int64_t b) {
  return b == 0 || (b == -1 && a == llvm::minIntN(Bits)) ? 1 : b;
}

template <IntBinary Operation, unsigned Bits>
static uint64_t compute(uint64_t a, uint64_t b) {
  int64_t sa = llvm::SignExtend64<Bits>(a), sb = llvm::SignExtend64<Bits>(b);
  switch (Operation) {
  case IntBinary::Add:
    return wrap<Bits>(a + b);
  case IntBinary::Sub:
    return wrap<Bits>(a - b);
  case IntBinary::Mul:
    return wrap<Bits>(a * b);
  case IntBinary::SDiv:
    return wrap<Bits>(sa / safeDivisor<Bits>(sa, sb));
  case IntBinary::UDiv:
    return a / (b ? b : 1);
  case IntBinary::SRem:
    return wrap<Bits>(sa % safeDivisor<Bits>(sa, sb));
  case IntBinary::URem:
    return a % (b ? b : 1);
  case IntBinary::And:
    return a & b;
  case IntBinary::Or:
    return a | b;
  case IntBinary::Xor:
    return a ^ b;
  case IntBinary::Shl:
    return wrap<Bits>(a << (b % Bits));
  case IntBinary::ShrS:
    return wrap<Bits>(sa >> (b % Bits));
  case IntBinary::ShrU:
    return a >> (b % Bits);
  case IntBinary::SMin:
    return sa < sb ? a : b;
  case IntBinary::SMax:
    return sa > sb ? a : b;
  case IntBinary::UMin:
    return std::min(a, b);
  case IntBinary::UMax:
    return std::max(a, b);
  case IntBinary::Eq:
    return a == b;
  case IntBinary::Ne:
    return a != b;
  case IntBinary::SLt:
    return sa < sb;
  case IntBinary::SLe:
    return sa <= sb;
  case IntBinary::SGt:
    return sa > sb;
  case IntBinary::SGe:
    return sa >= sb;
  case IntBinary::ULt:
    return a < b;
  case IntBinary::ULe:
    return a <= b;
  case IntBinary::UGt:
    return a > b;
  case IntBinary::UGe:
    return a >= b;
  }
  llvm_unreachable("unknown operation");
}

template <IntUnary Operation, unsigned Bits>
static uint64_t compute(uint64_t a) {
  switch (Operation) {
  case IntUnary::Abs:
    return wrap<Bits>(llvm::SignExtend64<Bits>(a) < 0 ? 0 - a : a);
  case IntUnary::PopCount:
    return std::popcount(a);
  case IntUnary::LeadZeros:
    return std::countl_zero(a) - (64 - Bits);
  case IntUnary::TrailZeros:
    return std::min<uint64_t>(std::countr_zero(a), Bits);
  case IntUnary::Reverse:
    return llvm::reverseBits(a) >> (64 - Bits);
  }
  llvm_unreachable("unknown operation");
}

template <IntBinary Operation, unsigned Bits>
static void runBinary(uint64_t *out, const uint64_t *a, const uint64_t *b,
                      const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = compute<Operation, Bits>(a[i], b[i]);
}

template <IntUnary Operation, unsigned Bits>
static void runUnary(uint64_t *out, const uint64_t *a, const uint64_t *,
                     const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = compute<Operation, Bits>(a[i]);
}

/// All binary operations at one width, by the number of the operation.
template <unsigned Bits, size_t... I>
static LaneFn pickBinary(IntBinary operation, std::index_sequence<I...>) {
  static constexpr std::array<LaneFn, sizeof...(I)> table = {
      runBinary<IntBinary(I), Bits>...};
  return table[static_cast<size_t>(operation)];
}

template <unsigned Bits, size_t... I>
static LaneFn pickUnary(IntUnary operation, std::index_sequence<I...>) {
  static constexpr std::array<LaneFn, sizeof...(I)> table = {
      runUnary<IntUnary(I), Bits>...};
  return table[static_cast<size_t>(operation)];
}

LaneFn coll::ref::getIntBinary(IntBinary operation, Scalar scalar) {
  constexpr auto all =
      std::make_index_sequence<static_cast<size_t>(IntBinary::UGe) + 1>();
  switch (getBitWidth(scalar)) {
  case 1:
    return pickBinary<1>(operation, all);
  case 8:
    return pickBinary<8>(operation, all);
  case 16:
    return pickBinary<16>(operation, all);
  case 32:
    return pickBinary<32>(operation, all);
  default:
    return pickBinary<64>(operation, all);
  }
}

LaneFn coll::ref::getIntUnary(IntUnary operation, Scalar scalar) {
  constexpr auto all =
      std::make_index_sequence<static_cast<size_t>(IntUnary::Reverse) + 1>();
  switch (getBitWidth(scalar)) {
  case 1:
    return pickUnary<1>(operation, all);
  case 8:
    return pickUnary<8>(operation, all);
  case 16:
    return pickUnary<16>(operation, all);
  case 32:
    return pickUnary<32>(operation, all);
  default:
    return pickUnary<64>(operation, all);
  }
}

LaneFn coll::ref::getSelect() {
  return [](uint64_t *out, const uint64_t *a, const uint64_t *b,
            const uint64_t *c, unsigned lanes) {
    for (unsigned i = 0; i != lanes; ++i)
      out[i] = a[i] ? b[i] : c[i];
  };
}

LaneFn coll::ref::getMove() {
  return [](uint64_t *out, const uint64_t *a, const uint64_t *,
            const uint64_t *, unsigned lanes) { std::copy_n(a, lanes, out); };
}

template <unsigned From, unsigned To>
static void runSignExtend(uint64_t *out, const uint64_t *a, const uint64_t *,
                          const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = wrap<To>(llvm::SignExtend64<From>(a[i]));
}

template <unsigned To>
static void runWrap(uint64_t *out, const uint64_t *a, const uint64_t *,
                    const uint64_t *, unsigned lanes) {
  for (unsigned i = 0; i != lanes; ++i)
    out[i] = wrap<To>(a[i]);
}

template <unsigned To> static LaneFn getSignExtend(unsigned from) {
  switch (from) {
  case 1:
    return runSignExtend<1, To>;
  case 8:
    return runSignExtend<8, To>;
  case 16:
    return runSignExtend<16, To>;
  case 32:
    return runSignExtend<32, To>;
  default:
    return runWrap<To>;
  }
}

LaneFn coll::ref::getIntResize(Scalar from, Scalar to, bool isSigned) {
  unsigned fromBits = getBitWidth(from);
  bool extends = isSigned && fromBits < getBitWidth(to);
  switch (getBitWidth(to)) {
  case 1:
    return runWrap<1>;
  case 8:
    return extends ? getSignExtend<8>(fromBits) : runWrap<8>;
  case 16:
    return extends ? getSignExtend<16>(fromBits) : runWrap<16>;
  case 32:
    return extends ? getSignExtend<32>(fromBits) : runWrap<32>;
  default:
    return extends ? getSignExtend<64>(fromBits) : runWrap<64>;
  }
}
