//===- Atomics.cpp - What an atomic makes of a place in memory ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <bit>
#include <cmath>

using namespace coll::sim;
using namespace llvm;

bool coll::sim::hasSecondData(AtomicOp op) {
  switch (op) {
  case AtomicOp::MaskOr:
  case AtomicOp::Wrap:
  case AtomicOp::CompareSwap:
  case AtomicOp::CompareSwapF:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The names of gfx9 and gfx10 for flat, global and buffer memory.
static std::optional<AtomicOp> parseOldName(StringRef name) {
  return StringSwitch<std::optional<AtomicOp>>(name)
      .Case("swap", AtomicOp::Swap)
      .Case("cmpswap", AtomicOp::CompareSwap)
      .Case("fcmpswap", AtomicOp::CompareSwapF)
      .Case("add", AtomicOp::Add)
      .Case("sub", AtomicOp::Sub)
      .Case("csub", AtomicOp::SaturatingSub)
      .Case("smin", AtomicOp::MinI)
      .Case("umin", AtomicOp::MinU)
      .Case("smax", AtomicOp::MaxI)
      .Case("umax", AtomicOp::MaxU)
      .Case("fmin", AtomicOp::MinF)
      .Case("fmax", AtomicOp::MaxF)
      .Case("and", AtomicOp::And)
      .Case("or", AtomicOp::Or)
      .Case("xor", AtomicOp::Xor)
      .Case("inc", AtomicOp::Increment)
      .Case("dec", AtomicOp::Decrement)
      .Default(std::nullopt);
}

/// An operation on bits, "swap", with the type "b32" or "b64".
static std::optional<AtomicOp> parseBitsName(StringRef name) {
  return StringSwitch<std::optional<AtomicOp>>(name)
      .Cases({"swap", "wrxchg", "storexchg"}, AtomicOp::Swap)
      .Cases({"cmpswap", "cmpst", "cmpstore"}, AtomicOp::CompareSwap)
      .Case("mskor", AtomicOp::MaskOr)
      .Case("wrap", AtomicOp::Wrap)
      .Case("and", AtomicOp::And)
      .Case("or", AtomicOp::Or)
      .Case("xor", AtomicOp::Xor)
      .Default(std::nullopt);
}

static std::optional<AtomicOp> parseUnsignedName(StringRef name) {
  return StringSwitch<std::optional<AtomicOp>>(name)
      .Case("add", AtomicOp::Add)
      .Case("sub", AtomicOp::Sub)
      .Case("rsub", AtomicOp::ReverseSub)
      .Cases({"csub", "sub_clamp"}, AtomicOp::SaturatingSub)
      .Case("cond_sub", AtomicOp::ConditionalSub)
      .Case("min", AtomicOp::MinU)
      .Case("max", AtomicOp::MaxU)
      .Case("inc", AtomicOp::Increment)
      .Case("dec", AtomicOp::Decrement)
      .Default(std::nullopt);
}

static std::optional<AtomicOp> parseFloatName(StringRef name) {
  return StringSwitch<std::optional<AtomicOp>>(name)
      .Case("add", AtomicOp::AddF)
      .Cases({"min", "min_num"}, AtomicOp::MinF)
      .Cases({"max", "max_num"}, AtomicOp::MaxF)
      .Cases({"cmpswap", "cmpst", "cmpstore"}, AtomicOp::CompareSwapF)
      .Default(std::nullopt);
}

static std::optional<AtomicOp> parseTypedName(StringRef name, char type) {
  switch (type) {
  case 'b':
    return parseBitsName(name);
  case 'u':
    return parseUnsignedName(name);
  case 'f':
    return parseFloatName(name);
  case 'i':
    if (name == "min")
      return AtomicOp::MinI;
    if (name == "max")
      return AtomicOp::MaxI;
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<AtomicKind> coll::sim::parseAtomic(StringRef name) {
  if (name == "pk_add_f16")
    return AtomicKind{AtomicOp::AddPackedF16, 4};
  if (name == "pk_add_bf16")
    return AtomicKind{AtomicOp::AddPackedBF16, 4};
  auto [stem, type] = name.rsplit('_');
  if (type.size() == 3 && (type.ends_with("32") || type.ends_with("64"))) {
    std::optional<AtomicOp> op = parseTypedName(stem, type.front());
    if (!op)
      return std::nullopt;
    return AtomicKind{*op, uint8_t(type.ends_with("64") ? 8 : 4)};
  }
  bool isWide = name.consume_back("_x2");
  std::optional<AtomicOp> op = parseOldName(name);
  if (!op)
    return std::nullopt;
  return AtomicKind{*op, uint8_t(isWide ? 8 : 4)};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename Bits, typename Float>
static Bits flush(Bits bits, bool isOn) {
  if (!isOn || std::fpclassify(std::bit_cast<Float>(bits)) != FP_SUBNORMAL)
    return bits;
  return bits & Bits(1) << (8 * sizeof(Bits) - 1);
}

/// A NaN operand with its quiet bit, memory's first; the positive quiet NaN if
/// there is none.
template <typename Bits, typename Float>
static Bits makeNaN(Bits memory, Bits data) {
  constexpr Bits quiet = sizeof(Bits) == 8 ? Bits(uint64_t(1) << 51) : 1 << 22;
  if (std::isnan(std::bit_cast<Float>(memory)))
    return memory | quiet;
  if (std::isnan(std::bit_cast<Float>(data)))
    return data | quiet;
  return std::bit_cast<Bits>(std::numeric_limits<Float>::quiet_NaN());
}

template <typename Bits, typename Float>
static Bits combineFloat(AtomicOp op, Bits memory, Bits data, Bits second,
                         bool flushes) {
  memory = flush<Bits, Float>(memory, flushes);
  data = flush<Bits, Float>(data, flushes);
  Float a = std::bit_cast<Float>(memory), b = std::bit_cast<Float>(data);
  if (op == AtomicOp::CompareSwapF)
    return a == std::bit_cast<Float>(flush<Bits, Float>(second, flushes))
               ? data
               : memory;
  if (op == AtomicOp::AddF) {
    Float sum = a + b;
    return std::isnan(sum)
               ? makeNaN<Bits, Float>(memory, data)
               : flush<Bits, Float>(std::bit_cast<Bits>(sum), flushes);
  }
  if (std::isnan(a) && std::isnan(b))
    return makeNaN<Bits, Float>(memory, data);
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? data : memory;
  // -0 is less than +0.
  bool isLess = a == b ? std::signbit(a) && !std::signbit(b) : a < b;
  return isLess == (op == AtomicOp::MinF) ? memory : data;
}

template <typename Bits, typename SignedBits>
static Bits combineInteger(AtomicOp op, Bits memory, Bits data, Bits second) {
  SignedBits signedMemory = memory, signedData = data;
  switch (op) {
  case AtomicOp::Add:
    return memory + data;
  case AtomicOp::Sub:
    return memory - data;
  case AtomicOp::ReverseSub:
    return data - memory;
  case AtomicOp::MinI:
    return std::min(signedMemory, signedData);
  case AtomicOp::MaxI:
    return std::max(signedMemory, signedData);
  case AtomicOp::MinU:
    return std::min(memory, data);
  case AtomicOp::MaxU:
    return std::max(memory, data);
  case AtomicOp::And:
    return memory & data;
  case AtomicOp::Or:
    return memory | data;
  case AtomicOp::Xor:
    return memory ^ data;
  case AtomicOp::MaskOr:
    return (memory & ~data) | second;
  case AtomicOp::Increment:
    return memory >= data ? 0 : memory + 1;
  case AtomicOp::Decrement:
    return memory == 0 || memory > data ? data : memory - 1;
  case AtomicOp::ConditionalSub:
    return memory >= data ? memory - data : memory;
  case AtomicOp::SaturatingSub:
    return memory >= data ? memory - data : 0;
  case AtomicOp::Wrap:
    return memory >= data ? memory - data : memory + second;
  case AtomicOp::CompareSwap:
    return memory == second ? data : memory;
  default: // Swap; floats are combined elsewhere.
    return data;
  }
}

static uint16_t addF16(uint16_t a, uint16_t b, bool flushes) {
  auto flushHalf = [&](uint16_t bits) -> uint16_t {
    return flushes && !(bits & 0x7c00) ? bits & 0x8000 : bits;
  };
  a = flushHalf(a);
  b = flushHalf(b);
  auto isNaN = [](uint16_t bits) { return (bits & 0x7fff) > 0x7c00; };
  // The sum of two halves is exact in float.
  float sum = float(std::bit_cast<_Float16>(a)) + std::bit_cast<_Float16>(b);
  if (std::isnan(sum))
    return isNaN(a) ? a | 0x200 : isNaN(b) ? b | 0x200 : 0x7e00;
  return flushHalf(std::bit_cast<uint16_t>(static_cast<_Float16>(sum)));
}

static uint16_t addBF16(uint16_t a, uint16_t b) {
  uint32_t wideA = uint32_t(a) << 16, wideB = uint32_t(b) << 16;
  // Exact as double, which is then rounded to odd in float and to nearest in
  // bf16, so that it is rounded once.
  double sum =
      double(std::bit_cast<float>(wideA)) + std::bit_cast<float>(wideB);
  if (std::isnan(sum))
    return makeNaN<uint32_t, float>(wideA, wideB) >> 16;
  float nearest = static_cast<float>(sum);
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (!std::isinf(nearest) && nearest != sum) {
    if (std::fabs(double(nearest)) > std::fabs(sum))
      --bits;
    bits |= 1;
  }
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

uint64_t coll::sim::evaluateAtomic(AtomicKind kind, uint64_t memory,
                                   uint64_t data, uint64_t second,
                                   AtomicFloatMode mode) {
  switch (kind.op) {
  case AtomicOp::AddF:
  case AtomicOp::MinF:
  case AtomicOp::MaxF:
  case AtomicOp::CompareSwapF:
    if (kind.bytes == 8)
      return combineFloat<uint64_t, double>(kind.op, memory, data, second,
                                            mode.flushF64);
    return combineFloat<uint32_t, float>(kind.op, memory, data, second,
                                         mode.flushF32);
  case AtomicOp::AddPackedF16:
    return addF16(memory, data, mode.flushF64) |
           uint32_t(addF16(memory >> 16, data >> 16, mode.flushF64)) << 16;
  case AtomicOp::AddPackedBF16:
    return addBF16(memory, data) | uint32_t(addBF16(memory >> 16, data >> 16))
                                       << 16;
  default:
    break;
  }
  if (kind.bytes == 8)
    return combineInteger<uint64_t, int64_t>(kind.op, memory, data, second);
  return combineInteger<uint32_t, int32_t>(kind.op, memory, data, second);
}
