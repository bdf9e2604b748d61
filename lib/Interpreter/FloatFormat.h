//===- FloatFormat.h - The four float formats -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each format says in which type the host computes (`Value`) and how bits
// become a value and back. For f16 and bf16 that type is float: it holds every
// value, and +, -, *, / and sqrt rounded to float and then to the format are
// rounded as if once (24 >= 2 * 11 + 2).
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_FLOATFORMAT_H
#define COLL_LIB_INTERPRETER_FLOATFORMAT_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace coll::ref {

struct F16Format {
  using Value = float;
  static Value get(uint64_t bits) {
    return std::bit_cast<_Float16>(static_cast<uint16_t>(bits));
  }
  /// Rounds once: the conversion from double is direct.
  template <typename From> static uint64_t put(From value) {
    return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
  }
};

struct BF16Format {
  using Value = float;
  static Value get(uint64_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits << 16));
  }
  static uint64_t put(float value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value))
      return bits >> 16 | 0x40;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  /// Through a float that is rounded to odd, which keeps what the second
  /// rounding must know.
  static uint64_t put(double value) {
    float nearest = static_cast<float>(value);
    if (std::isnan(value) || std::isinf(nearest) || nearest == value)
      return put(nearest);
    uint32_t bits = std::bit_cast<uint32_t>(nearest);
    if (std::fabs(static_cast<double>(nearest)) > std::fabs(value))
      --bits;
    return put(std::bit_cast<float>(bits | 1));
  }
};

struct F32Format {
  using Value = float;
  static Value get(uint64_t bits) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }
  template <typename From> static uint64_t put(From value) {
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  }
};

struct F64Format {
  using Value = double;
  static Value get(uint64_t bits) { return std::bit_cast<double>(bits); }
  template <typename From> static uint64_t put(From value) {
    return std::bit_cast<uint64_t>(static_cast<double>(value));
  }
};

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_FLOATFORMAT_H
