//===- ConvertOps.cpp - Conversion instructions ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "VectorOps.h"

using namespace coll::sim;

static constexpr ValueKind B16 = ValueKind::B16, B32 = ValueKind::B32,
                           H = ValueKind::F16, S = ValueKind::F32,
                           D = ValueKind::F64;

//===----------------------------------------------------------------------===//
// Functions of a lane
//===----------------------------------------------------------------------===//

/// Between formats, or toward zero whatever the mode says.
template <class To, class From>
static uint64_t convert(uint64_t x, const FloatModes &modes,
                        Rounding rounding) {
  x = flushInput<From>(x, getMode<From>(modes));
  uint64_t result =
      flushResult<To>(convertFloat<To, From>(x, rounding), getMode<To>(modes));
  bool hasOverflow = isInfinity<To>(result) && !isInfinity<From>(x);
  if (To::bits == 16 && modes.saturatesHalf && hasOverflow)
    return (result & To::sign) | To::largest;
  return result;
}
template <class To, class From> static void convert(Lane &l) {
  l.result = convert<To, From>(l.a, l.modes(), l.mode<To>().rounding);
}

template <class F, class T> static void fromInt(Lane &l) {
  Rounding rounding = l.mode<F>().rounding;
  T value = static_cast<T>(l.a);
  if constexpr (std::numeric_limits<T>::is_signed)
    l.result = fromInteger<F>(value, rounding);
  else
    l.result = fromUnsigned<F>(value, rounding);
}
template <class T, class F> static void toInt(Lane &l) {
  l.result = static_cast<uint64_t>(saturate<T>(toDouble<F>(l.a)));
}
template <unsigned byte> static void fromByte(Lane &l) {
  l.result =
      fromUnsigned<F32>((l.a >> (8 * byte)) & 0xff, Rounding::NearestEven);
}

static uint64_t pack(uint64_t low, uint64_t high) {
  return (low & 0xffff) | (high & 0xffff) << 16;
}

/// Two results of 16 bits; the first is the low one.
template <class T, class F> static void packInts(Lane &l) {
  l.result = pack(static_cast<uint64_t>(saturate<T>(toDouble<F>(l.a))),
                  static_cast<uint64_t>(saturate<T>(toDouble<F>(l.b))));
}
template <class T, class F> static void packNormalized(Lane &l) {
  l.result = pack(static_cast<uint64_t>(normalize<T>(toDouble<F>(l.a))),
                  static_cast<uint64_t>(normalize<T>(toDouble<F>(l.b))));
}
template <class To> static void packFloats(Lane &l) {
  Rounding rounding = l.mode<To>().rounding;
  l.result = pack(convert<To, F32>(l.a, l.modes(), rounding),
                  convert<To, F32>(l.b, l.modes(), rounding));
}
static void packTowardZero(Lane &l) {
  l.result = pack(convert<F16, F32>(l.a, l.modes(), Rounding::TowardZero),
                  convert<F16, F32>(l.b, l.modes(), Rounding::TowardZero));
}

/// bf16 follows the rounding of f32: the hardware's bf16 keeps subnormals.
static uint64_t toBFloat(uint64_t x) {
  return convertFloat<BF16, F32>(x, Rounding::NearestEven);
}

/// Puts a number as a byte into byte b of c.
static void packByte(Lane &l) {
  unsigned shift = 8 * (l.b & 3);
  auto byte = static_cast<uint64_t>(
      std::clamp<int32_t>(saturate<int32_t>(toDouble<F32>(l.a)), 0, 255));
  l.result = (l.c & ~(0xffull << shift)) | byte << shift;
}

/// A signed nibble over 16.
static void fromNibble(Lane &l) {
  int value = static_cast<int>((l.a & 15) ^ 8) - 8;
  l.result = fromDouble<F32>(value / 16.0, Rounding::NearestEven);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static const VectorOp convertOps[] = {
    {"v_cvt_f32_i32", S, {B32}, fromInt<F32, int32_t>},
    {"v_cvt_f32_u32", S, {B32}, fromInt<F32, uint32_t>},
    {"v_cvt_f64_i32", D, {B32}, fromInt<F64, int32_t>},
    {"v_cvt_f64_u32", D, {B32}, fromInt<F64, uint32_t>},
    {"v_cvt_f16_i16", H, {B16}, fromInt<F16, int16_t>},
    {"v_cvt_f16_u16", H, {B16}, fromInt<F16, uint16_t>},
    {"v_cvt_i32_f32", B32, {S}, toInt<int32_t, F32>},
    {"v_cvt_u32_f32", B32, {S}, toInt<uint32_t, F32>},
    {"v_cvt_i32_f64", B32, {D}, toInt<int32_t, F64>},
    {"v_cvt_u32_f64", B32, {D}, toInt<uint32_t, F64>},
    {"v_cvt_i16_f16", B16, {H}, toInt<int16_t, F16>},
    {"v_cvt_u16_f16", B16, {H}, toInt<uint16_t, F16>},
    {"v_cvt_f16_f32", H, {S}, convert<F16, F32>},
    {"v_cvt_f32_f16", S, {H}, convert<F32, F16>},
    {"v_cvt_f32_f64", S, {D}, convert<F32, F64>},
    {"v_cvt_f64_f32", D, {S}, convert<F64, F32>},
    {"v_cvt_f32_bf16", S, {B16}, [](Lane &l) { l.result = l.a << 16; }},
    {"v_cvt_f32_ubyte0", S, {B32}, fromByte<0>},
    {"v_cvt_f32_ubyte1", S, {B32}, fromByte<1>},
    {"v_cvt_f32_ubyte2", S, {B32}, fromByte<2>},
    {"v_cvt_f32_ubyte3", S, {B32}, fromByte<3>},
    {"v_cvt_rpi_i32_f32 v_cvt_nearest_i32_f32",
     B32,
     {S},
     [](Lane &l) {
       double x = std::floor(toDouble<F32>(l.a) + 0.5);
       l.result = static_cast<uint64_t>(saturate<int32_t>(x));
     }},
    {"v_cvt_flr_i32_f32 v_cvt_floor_i32_f32",
     B32,
     {S},
     [](Lane &l) {
       double x = std::floor(toDouble<F32>(l.a));
       l.result = static_cast<uint64_t>(saturate<int32_t>(x));
     }},
    {"v_cvt_off_f32_i4", S, {B32}, fromNibble},
    {"v_cvt_norm_i16_f16",
     B16,
     {H},
     [](Lane &l) {
       l.result = static_cast<uint64_t>(normalize<int16_t>(toDouble<F16>(l.a)));
     }},
    {"v_cvt_norm_u16_f16",
     B16,
     {H},
     [](Lane &l) { l.result = normalize<uint16_t>(toDouble<F16>(l.a)); }},
    {"v_cvt_pkrtz_f16_f32 v_cvt_pk_rtz_f16_f32", B32, {S, S}, packTowardZero},
    {"v_cvt_pk_f16_f32", B32, {S, S}, packFloats<F16>},
    {"v_cvt_pk_bf16_f32",
     B32,
     {S, S},
     [](Lane &l) { l.result = pack(toBFloat(l.a), toBFloat(l.b)); }},
    {"v_cvt_pknorm_i16_f32 v_cvt_pk_norm_i16_f32",
     B32,
     {S, S},
     packNormalized<int16_t, F32>},
    {"v_cvt_pknorm_u16_f32 v_cvt_pk_norm_u16_f32",
     B32,
     {S, S},
     packNormalized<uint16_t, F32>},
    {"v_cvt_pknorm_i16_f16 v_cvt_pk_norm_i16_f16",
     B32,
     {H, H},
     packNormalized<int16_t, F16>},
    {"v_cvt_pknorm_u16_f16 v_cvt_pk_norm_u16_f16",
     B32,
     {H, H},
     packNormalized<uint16_t, F16>},
    {"v_cvt_pk_i16_f32", B32, {S, S}, packInts<int16_t, F32>},
    {"v_cvt_pk_u16_f32", B32, {S, S}, packInts<uint16_t, F32>},
    {"v_cvt_pk_i16_i32",
     B32,
     {B32, B32},
     [](Lane &l) {
       auto clamp = [](uint64_t x) {
         return static_cast<uint64_t>(
             std::clamp<int32_t>(static_cast<int32_t>(x), -32768, 32767));
       };
       l.result = pack(clamp(l.a), clamp(l.b));
     }},
    {"v_cvt_pk_u16_u32",
     B32,
     {B32, B32},
     [](Lane &l) {
       l.result =
           pack(std::min<uint64_t>(l.a, 65535), std::min<uint64_t>(l.b, 65535));
     }},
    {"v_cvt_pk_u8_f32", B32, {S, B32, B32}, packByte},
    {"v_pack_b32_f16", B32, {H, H}, [](Lane &l) { l.result = pack(l.a, l.b); }},
};

void coll::sim::registerVectorConvert(HandlerTable &table) {
  addVectorOps(table, convertOps);
}
