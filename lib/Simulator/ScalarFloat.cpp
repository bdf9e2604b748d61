//===- ScalarFloat.cpp - Floats in scalar registers (gfx12) ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "FloatArith.h"
#include "ScalarOps.h"

using namespace coll::sim;

using u32 = uint32_t;
using i32 = int32_t;

static FloatModes getModes(const Wave &wave) {
  return FloatModes::decode(wave.mode, wave.chip.hasIEEEMode());
}

template <class F> static FloatMode getModeOf(const Wave &wave) {
  return getMode<F>(getModes(wave));
}

/// A source as a number of a format: 16-bit ones are in the low half.
template <class F> static u32 cut(u32 bits) {
  return static_cast<u32>(bits & (F::sign | F::magnitude));
}

/// An f16 that overflows is the largest number if MODE says so; `hasInfinity`:
/// a source was infinite, so that nothing overflows.
template <class F>
static u32 finish(const Wave &wave, uint64_t result, bool hasInfinity) {
  if (F::bits == 16 && (wave.mode & FP16Overflow) && !hasInfinity &&
      isInfinity<F>(result))
    result = (result & F::sign) | F::largest;
  return static_cast<u32>(result);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

template <class F> static bool isInfinite(u32 bits) {
  return isInfinity<F>(cut<F>(bits));
}

template <class F> static u32 add(Wave &wave, u32 a, u32 b) {
  return finish<F>(wave, addFloat<F>(cut<F>(a), cut<F>(b), getModeOf<F>(wave)),
                   isInfinite<F>(a) || isInfinite<F>(b));
}
template <class F> static u32 subtract(Wave &wave, u32 a, u32 b) {
  return add<F>(wave, a, static_cast<u32>(b ^ F::sign));
}
template <class F> static u32 multiply(Wave &wave, u32 a, u32 b) {
  return finish<F>(wave, mulFloat<F>(cut<F>(a), cut<F>(b), getModeOf<F>(wave)),
                   isInfinite<F>(a) || isInfinite<F>(b));
}
template <class F, MinMax Which> static u32 number(Wave &wave, u32 a, u32 b) {
  return static_cast<u32>(
      minMaxNumber<F>(Which, cut<F>(a), cut<F>(b), getModes(wave)));
}
template <class F, MinMax Which>
static u32 propagate(Wave &wave, u32 a, u32 b) {
  return static_cast<u32>(
      minMaxPropagate<F>(Which, cut<F>(a), cut<F>(b), getModes(wave)));
}

template <class F> static u32 fuse(Wave &wave, u32 a, u32 b, u32 c) {
  return finish<F>(
      wave, fmaFloat<F>(cut<F>(a), cut<F>(b), cut<F>(c), getModeOf<F>(wave)),
      isInfinite<F>(a) || isInfinite<F>(b) || isInfinite<F>(c));
}

/// D = S0 * S1 + D.
template <class F> static void fmac(Wave &wave, const DecodedInst &inst) {
  u32 a = wave.readScalar32(inst.getSource(0));
  u32 b = wave.readScalar32(inst.getSource(1));
  writeScalar<u32>(wave, inst,
                   fuse<F>(wave, a, b, wave.readScalar32(inst.getDef())));
}

/// s_fmaak_f32 and s_fmamk_f32: the constant is where it is written.
static void fmaConstant(Wave &wave, const DecodedInst &inst) {
  u32 a = wave.readScalar32(inst.getSource(0));
  u32 b = wave.readScalar32(inst.getSource(1));
  u32 c = wave.readScalar32(inst.getSource(2));
  writeScalar<u32>(wave, inst, fuse<F32>(wave, a, b, c));
}

template <class F, Integral How> static u32 round(Wave &wave, u32 a) {
  uint64_t x = flushInput<F>(cut<F>(a), getModeOf<F>(wave));
  return static_cast<u32>(roundToIntegral<F>(x, How));
}

template <class F>
static void registerArithmetic(HandlerTable &table, llvm::StringRef type) {
  auto name = [&](llvm::StringRef prefix) { return (prefix + type).str(); };
  table.add(name("s_add_"), binary<u32, u32, u32, add<F>>);
  table.add(name("s_sub_"), binary<u32, u32, u32, subtract<F>>);
  table.add(name("s_mul_"), binary<u32, u32, u32, multiply<F>>);
  table.add(name("s_fmac_"), fmac<F>);
  for (const char *prefix : {"s_min_", "s_min_num_"})
    table.add(name(prefix), binary<u32, u32, u32, number<F, MinMax::Min>>);
  for (const char *prefix : {"s_max_", "s_max_num_"})
    table.add(name(prefix), binary<u32, u32, u32, number<F, MinMax::Max>>);
  table.add(name("s_minimum_"),
            binary<u32, u32, u32, propagate<F, MinMax::Min>>);
  table.add(name("s_maximum_"),
            binary<u32, u32, u32, propagate<F, MinMax::Max>>);
  table.add(name("s_ceil_"), unary<u32, u32, round<F, Integral::Ceil>>);
  table.add(name("s_floor_"), unary<u32, u32, round<F, Integral::Floor>>);
  table.add(name("s_trunc_"), unary<u32, u32, round<F, Integral::Trunc>>);
  table.add(name("s_rndne_"), unary<u32, u32, round<F, Integral::NearestEven>>);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Bits of the orderings that make a comparison true.
enum Outcome : unsigned { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

template <class F, unsigned Outcomes>
static void compareFloats(Wave &wave, const DecodedInst &inst) {
  u32 a = cut<F>(wave.readScalar32(inst.getSource(0)));
  u32 b = cut<F>(wave.readScalar32(inst.getSource(1)));
  auto ordering =
      static_cast<unsigned>(compareFloat<F>(a, b, getModeOf<F>(wave)));
  wave.scc = Outcomes >> ordering & 1;
}
static_assert(static_cast<unsigned>(Ordering::Less) == 0 &&
              static_cast<unsigned>(Ordering::Equal) == 1 &&
              static_cast<unsigned>(Ordering::Greater) == 2 &&
              static_cast<unsigned>(Ordering::Unordered) == 3);

template <class F>
static void registerComparisons(HandlerTable &table, llvm::StringRef type) {
  auto add = [&](llvm::StringRef condition, Handler handler) {
    table.add(("s_cmp_" + condition + "_" + type).str(), handler);
  };
  add("lt", compareFloats<F, Less>);
  add("eq", compareFloats<F, Equal>);
  add("le", compareFloats<F, Less | Equal>);
  add("gt", compareFloats<F, Greater>);
  add("lg", compareFloats<F, Less | Greater>);
  add("ge", compareFloats<F, Greater | Equal>);
  add("o", compareFloats<F, Less | Equal | Greater>);
  add("u", compareFloats<F, Unordered>);
  add("nge", compareFloats<F, Less | Unordered>);
  add("nlg", compareFloats<F, Equal | Unordered>);
  add("ngt", compareFloats<F, Less | Equal | Unordered>);
  add("nle", compareFloats<F, Greater | Unordered>);
  add("neq", compareFloats<F, Less | Greater | Unordered>);
  add("nlt", compareFloats<F, Greater | Equal | Unordered>);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

template <class To, class From> static u32 convert(Wave &wave, u32 bits) {
  uint64_t x = flushInput<From>(cut<From>(bits), getModeOf<From>(wave));
  FloatMode mode = getModeOf<To>(wave);
  return finish<To>(
      wave, flushResult<To>(convertFloat<To, From>(x, mode.rounding), mode),
      isInfinity<From>(x));
}

static u32 convertHigh(Wave &wave, u32 bits) {
  return convert<F32, F16>(wave, bits >> 16);
}

static u32 packTowardZero(Wave &wave, u32 a, u32 b) {
  uint64_t low = convertFloat<F16, F32>(a, Rounding::TowardZero);
  uint64_t high = convertFloat<F16, F32>(b, Rounding::TowardZero);
  return static_cast<u32>(low | high << 16);
}

static void registerConversions(HandlerTable &table) {
  table.add("s_cvt_f32_i32", unary<u32, i32, [](Wave &wave, i32 a) {
              return static_cast<u32>(
                  fromInteger<F32>(a, getModeOf<F32>(wave).rounding));
            }>);
  table.add("s_cvt_f32_u32", unary<u32, u32, [](Wave &wave, u32 a) {
              return static_cast<u32>(
                  fromUnsigned<F32>(a, getModeOf<F32>(wave).rounding));
            }>);
  table.add("s_cvt_i32_f32", unary<u32, u32, [](Wave &, u32 a) {
              return static_cast<u32>(saturate<i32>(toDouble<F32>(a)));
            }>);
  table.add("s_cvt_u32_f32", unary<u32, u32, [](Wave &, u32 a) {
              return saturate<u32>(toDouble<F32>(a));
            }>);
  table.add("s_cvt_f16_f32", unary<u32, u32, convert<F16, F32>>);
  table.add("s_cvt_f32_f16", unary<u32, u32, convert<F32, F16>>);
  table.add("s_cvt_hi_f32_f16", unary<u32, u32, convertHigh>);
  table.add("s_cvt_pk_rtz_f16_f32", binary<u32, u32, u32, packTowardZero>);
}

void coll::sim::registerScalarFloat(HandlerTable &table) {
  registerArithmetic<F32>(table, "f32");
  registerArithmetic<F16>(table, "f16");
  registerComparisons<F32>(table, "f32");
  registerComparisons<F16>(table, "f16");
  registerConversions(table);
  table.add("s_fmaak_f32", fmaConstant);
  table.add("s_fmamk_f32", fmaConstant);
}
