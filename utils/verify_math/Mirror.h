//===- Mirror.h - std.math in C++ -------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of lib/Std/math.coll, line by line: every change there is made
// here too (a unit test compares the constants). It must be compiled with
// -ffp-contract=off.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_UTILS_VERIFYMATH_MIRROR_H
#define COLL_UTILS_VERIFYMATH_MIRROR_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace mirror {

constexpr float inf32 = __builtin_inff();
constexpr double inf64 = __builtin_inf();

inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

/// minimumNumber for a second operand that is a number.
inline float min(float a, float b) { return a < b ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }

inline float exp_f32(float x) {
  float low = x < -104.0f ? -104.0f : x;
  float t = fma(min(low, 89.0f), 0x1.715476p+0f, 0x1.8p+23f);
  float k = t - 0x1.8p+23f;
  float r = fma(k, -0x1.62e430p-1f, low);
  r = fma(k, 0x1.05c610p-29f, r);
  float p = 0x1.6a2432p-10f;
  p = fma(p, r, 0x1.1239e2p-7f);
  p = fma(p, r, 0x1.5558f2p-5f);
  p = fma(p, r, 0x1.555492p-3f);
  p = fma(p, r, 0x1.fffffcp-2f);
  p = fma(p, r, 1.0f);
  p = fma(p, r, 1.0f);
  int32_t n = std::bit_cast<int32_t>(t);
  int32_t half = n >> 1;
  uint32_t one = 0x3f800000;
  float s0 = std::bit_cast<float>((uint32_t(half) << 23) + one);
  float s1 = std::bit_cast<float>((uint32_t(n - half) << 23) + one);
  return p * s0 * s1;
}

inline double exp_f64(double x) {
  double low = x < -746.0 ? -746.0 : x;
  double t = fma(min(low, 710.0), 0x1.71547652b82fep+0, 0x1.8p+52);
  double k = t - 0x1.8p+52;
  double r = fma(k, -0x1.62e42fefa39efp-1, low);
  r = fma(k, -0x1.abc9e3b39803fp-56, r);
  double p = 0x1.ac23d4a43e5b8p-26;
  p = fma(p, r, 0x1.28a06ace098e7p-22);
  p = fma(p, r, 0x1.71dffbf945ccep-19);
  p = fma(p, r, 0x1.a019aa3b938dap-16);
  p = fma(p, r, 0x1.a01a00cd45051p-13);
  p = fma(p, r, 0x1.6c16c17d16d56p-10);
  p = fma(p, r, 0x1.111111113822dp-7);
  p = fma(p, r, 0x1.55555555530e1p-5);
  p = fma(p, r, 0x1.55555555554bdp-3);
  p = fma(p, r, 0.5);
  p = fma(p, r, 1.0);
  p = fma(p, r, 1.0);
  int32_t n = int32_t(std::bit_cast<int64_t>(t));
  int32_t half = n >> 1;
  double s0 = std::bit_cast<double>(uint64_t(half + 1023) << 52);
  double s1 = std::bit_cast<double>(uint64_t(n - half + 1023) << 52);
  return p * s0 * s1;
}

inline float log_f32(float x) {
  bool small = x < 0x1p-126f;
  int32_t bits = std::bit_cast<int32_t>(small ? x * 0x1p+23f : x);
  int32_t e = int32_t(uint32_t(bits) - 0x3f2aaaabu) >> 23;
  float f = std::bit_cast<float>(int32_t(bits - (uint32_t(e) << 23))) - 1.0f;
  float k = float(small ? e - 23 : e);
  float s = f * f;
  float p = -0x1.084804p-3f;
  p = fma(p, f, 0x1.1e6690p-3f);
  p = fma(p, f, -0x1.f2fbd8p-4f);
  p = fma(p, f, 0x1.1ed720p-3f);
  p = fma(p, f, -0x1.559df0p-3f);
  p = fma(p, f, 0x1.99d022p-3f);
  p = fma(p, f, -0x1.fffef8p-3f);
  p = fma(p, f, 0x1.55550cp-2f);
  p = fma(p, f, -0.5f);
  p = fma(p, s, f);
  float y = fma(k, 0x1.62e430p-1f, p);
  float edge = x == 0.0f ? -inf32 : x < 0.0f ? __builtin_nanf("") : x;
  return std::bit_cast<uint32_t>(x) - 1 < 0x7f7fffff ? y : edge;
}

inline double log_f64(double x) {
  bool small = x < 0x1p-1022;
  int64_t bits = std::bit_cast<int64_t>(small ? x * 0x1p+52 : x);
  int64_t e = (bits - 0x3fe6a09e667f3bcd) >> 52;
  double f = std::bit_cast<double>(int64_t(bits - (uint64_t(e) << 52))) - 1.0;
  double k = double(int32_t(e) - (small ? 52 : 0));
  double s = f / (f + 2.0);
  double z = s * s;
  double p = 0x1.2f0d5e2c92795p-3;
  p = fma(p, z, 0x1.39a0ddfa994c2p-3);
  p = fma(p, z, 0x1.7466486178ecdp-3);
  p = fma(p, z, 0x1.c71c51d50fa2ap-3);
  p = fma(p, z, 0x1.249249423c734p-2);
  p = fma(p, z, 0x1.999999997f72dp-2);
  p = fma(p, z, 0x1.5555555555594p-1);
  double h = 0.5 * f;
  double q = fma(h, f, p * z);
  double w = fma(s, q, k * 0x1.abc9e3b39803fp-56);
  w = fma(-h, f, w);
  double y = fma(k, 0x1.62e42fefa39efp-1, f + w);
  double edge = x == 0.0 ? -inf64 : x < 0.0 ? __builtin_nan("") : x;
  return std::bit_cast<uint64_t>(x) - 1 < 0x7fefffffffffffff ? y : edge;
}

} // namespace mirror

#endif // COLL_UTILS_VERIFYMATH_MIRROR_H
