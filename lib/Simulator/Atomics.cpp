//===- Atomics.cpp - What an atomic makes of a place in memory ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"
#include <bit>
#include <cmath>
#include <limits>

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

namespace {
/// The names of an operation: `oldName` ("smin", with "_x2" for 64 bits) is
/// that of gfx9 and gfx10 for flat, global and buffer memory, `stem` and `type`
/// ("min" and "i", with "32" or "64") that of later ones and of LDS.
struct AtomicName {
  const char *oldName;
  const char *stem;
  char type;
  AtomicOp op;
};
} // namespace

static constexpr AtomicName atomicNames[] = {
    {"add", "add", 'u', AtomicOp::Add},
    {"sub", "sub", 'u', AtomicOp::Sub},
    {nullptr, "rsub", 'u', AtomicOp::ReverseSub},
    {"csub", "csub", 'u', AtomicOp::SaturatingSub},
    {nullptr, "sub_clamp", 'u', AtomicOp::SaturatingSub},
    {nullptr, "cond_sub", 'u', AtomicOp::ConditionalSub},
    {"smin", "min", 'i', AtomicOp::MinI},
    {"smax", "max", 'i', AtomicOp::MaxI},
    {"umin", "min", 'u', AtomicOp::MinU},
    {"umax", "max", 'u', AtomicOp::MaxU},
    {"inc", "inc", 'u', AtomicOp::Increment},
    {"dec", "dec", 'u', AtomicOp::Decrement},
    {"and", "and", 'b', AtomicOp::And},
    {"or", "or", 'b', AtomicOp::Or},
    {"xor", "xor", 'b', AtomicOp::Xor},
    {nullptr, "mskor", 'b', AtomicOp::MaskOr},
    {nullptr, "wrap", 'b', AtomicOp::Wrap},
    {"swap", "swap", 'b', AtomicOp::Swap},
    {nullptr, "wrxchg", 'b', AtomicOp::Swap},
    {nullptr, "storexchg", 'b', AtomicOp::Swap},
    {"cmpswap", "cmpswap", 'b', AtomicOp::CompareSwap},
    {nullptr, "cmpstore", 'b', AtomicOp::CompareSwap},
    {"fcmpswap", "cmpswap", 'f', AtomicOp::CompareSwapF},
    {nullptr, "cmpstore", 'f', AtomicOp::CompareSwapF},
    {nullptr, "add", 'f', AtomicOp::AddF},
    {"fmin", "min", 'f', AtomicOp::MinF},
    {"fmax", "max", 'f', AtomicOp::MaxF},
    {nullptr, "min_num", 'f', AtomicOp::MinF},
    {nullptr, "max_num", 'f', AtomicOp::MaxF}};

void coll::sim::forEachLdsAtomic(
    function_ref<void(Twine, Twine, AtomicKind)> found) {
  for (const AtomicName &name : atomicNames)
    for (uint8_t bytes : {4, 8})
      found(Twine(name.stem) + "_", Twine(name.type) + Twine(8 * bytes),
            {name.op, bytes});
  found("pk_add_", "f16", {AtomicOp::AddPackedF16, 4});
  found("pk_add_", "bf16", {AtomicOp::AddPackedBF16, 4});
}

void coll::sim::forEachFlatAtomic(function_ref<void(Twine, AtomicKind)> found) {
  for (const AtomicName &name : atomicNames)
    if (name.oldName) {
      found(name.oldName, {name.op, 4});
      found(Twine(name.oldName) + "_x2", {name.op, 8});
    }
  forEachLdsAtomic([&](Twine stem, Twine type, AtomicKind kind) {
    found(stem + type, kind);
  });
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
