//===- VectorFloat.cpp - Arithmetic of f16, f32 and f64 -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"
#include "FloatSpecial.h"
#include "VectorOps.h"

using namespace coll::sim;

//===----------------------------------------------------------------------===//
// Functions of a lane
//===----------------------------------------------------------------------===//

template <class F> static void add(Lane &l) {
  l.result = addFloat<F>(l.a, l.b, l.mode<F>());
}
template <class F> static void sub(Lane &l) {
  l.result = addFloat<F>(l.a, l.b ^ F::sign, l.mode<F>());
}
template <class F> static void subrev(Lane &l) {
  l.result = addFloat<F>(l.b, l.a ^ F::sign, l.mode<F>());
}
template <class F> static void mul(Lane &l) {
  l.result = mulFloat<F>(l.a, l.b, l.mode<F>());
}
template <class F> static void fma(Lane &l) {
  l.result = fmaFloat<F>(l.a, l.b, l.c, l.mode<F>());
}
template <class F> static void fmac(Lane &l) {
  l.result = fmaFloat<F>(l.a, l.b, l.old, l.mode<F>());
}

/// v_mad_f32 and v_mac_f32 flush subnormals whatever the mode says.
template <class F> static FloatMode getMadMode(const Lane &l) {
  FloatMode mode = l.mode<F>();
  if (F::bits == 32)
    mode.flushInputs = mode.flushResults = true;
  return mode;
}
template <class F> static void mad(Lane &l) {
  l.result = madFloat<F>(l.a, l.b, l.c, getMadMode<F>(l));
}
template <class F> static void mac(Lane &l) {
  l.result = madFloat<F>(l.a, l.b, l.old, getMadMode<F>(l));
}

/// Zero times anything is +0.
static uint64_t mulZeroWins(uint64_t a, uint64_t b, FloatMode mode) {
  a = flushInput<F32>(a, mode);
  b = flushInput<F32>(b, mode);
  return isZero<F32>(a) || isZero<F32>(b) ? 0 : mulFloat<F32>(a, b, mode);
}
static void mulLegacy(Lane &l) {
  l.result = mulZeroWins(l.a, l.b, l.mode<F32>());
}
static uint64_t fmaZeroWins(uint64_t a, uint64_t b, uint64_t c,
                            FloatMode mode) {
  a = flushInput<F32>(a, mode);
  b = flushInput<F32>(b, mode);
  return isZero<F32>(a) || isZero<F32>(b) ? addFloat<F32>(0, c, mode)
                                          : fmaFloat<F32>(a, b, c, mode);
}
static void fmaLegacy(Lane &l) {
  l.result = fmaZeroWins(l.a, l.b, l.c, l.mode<F32>());
}
static void fmacLegacy(Lane &l) {
  l.result = fmaZeroWins(l.a, l.b, l.old, l.mode<F32>());
}
static void madLegacy(Lane &l) {
  FloatMode mode = getMadMode<F32>(l);
  l.result = addFloat<F32>(mulZeroWins(l.a, l.b, mode), l.c, mode);
}

using MinMaxFunction = uint64_t (*)(MinMax, uint64_t, uint64_t,
                                    const FloatModes &);

template <MinMaxFunction pick, MinMax which> static void minMax(Lane &l) {
  l.result = pick(which, l.a, l.b, l.modes());
}
/// pick(then, pick(first, a, b), c): v_min3, v_max3, v_maxmin, v_minmax.
template <MinMaxFunction pick, MinMax first, MinMax then>
static void minMax3(Lane &l) {
  l.result = pick(then, pick(first, l.a, l.b, l.modes()), l.c, l.modes());
}

/// The median; of NaNs v_min3's result.
template <class F, MinMaxFunction pick> static void med3(Lane &l) {
  const FloatModes &modes = l.modes();
  auto max = [&](uint64_t x, uint64_t y) {
    return pick(MinMax::Max, x, y, modes);
  };
  if (isNaN<F>(l.a) || isNaN<F>(l.b) || isNaN<F>(l.c)) {
    l.result =
        pick(MinMax::Min, pick(MinMax::Min, l.a, l.b, modes), l.c, modes);
    return;
  }
  FloatMode mode = l.mode<F>();
  uint64_t largest = max(max(l.a, l.b), l.c);
  auto isLargest = [&](uint64_t x) {
    return compareFloat<F>(x, largest, mode) == Ordering::Equal;
  };
  l.result = isLargest(l.a)   ? max(l.b, l.c)
             : isLargest(l.b) ? max(l.a, l.c)
                              : max(l.a, l.b);
}

template <class F, Integral how> static void round(Lane &l) {
  FloatMode mode = l.mode<F>();
  l.result = roundToIntegral<F>(flushInput<F>(l.a, mode), how);
}
template <class F> static void fract(Lane &l) {
  FloatMode mode = l.mode<F>();
  l.result = fractFloat<F>(flushInput<F>(l.a, mode), mode);
}
template <class F> static void ldexp(Lane &l) {
  int exponent =
      F::bits == 16 ? static_cast<int16_t>(l.b) : static_cast<int32_t>(l.b);
  l.result = ldexpFloat<F>(l.a, exponent, l.mode<F>());
}
template <class F> static void frexpExp(Lane &l) {
  l.result =
      static_cast<uint64_t>(frexpExponent<F>(flushInput<F>(l.a, l.mode<F>())));
}
template <class F> static void frexpMant(Lane &l) {
  l.result = frexpMantissa<F>(flushInput<F>(l.a, l.mode<F>()));
}

template <class F> static void scaleForDivision(Lane &l) {
  l.result = divScale<F>(l.a, l.b, l.c, l.mode<F>(), l.flag);
}
template <class F> static void divisionStep(Lane &l) {
  l.result = divFmas<F>(l.a, l.b, l.c, l.carry, l.mode<F>());
}
template <class F> static void fixUpDivision(Lane &l) {
  FloatMode mode = l.mode<F>();
  l.result =
      divFixup<F>(l.a, flushInput<F>(l.b, mode), flushInput<F>(l.c, mode));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr MinMax Min = MinMax::Min;
static constexpr MinMax Max = MinMax::Max;

/// Rows that f16, f32 and f64 share: suffix, format, kind.
#define COMMON(S, F, K)                                                        \
  {"v_add_" S, K, {K, K}, add<F>}, {"v_mul_" S, K, {K, K}, mul<F>},            \
      {"v_fma_" S, K, {K, K, K}, fma<F>, KeepsHighHalf},                       \
      {"v_fmac_" S, K, {K, K}, fmac<F>, ReadsOld | KeepsHighHalf},             \
      {"v_fmaak_" S " v_fmamk_" S, K, {K, K, K}, fma<F>, KeepsHighHalf},       \
      {"v_min_" S, K, {K, K}, minMax<minMaxLegacy<F>, Min>},                   \
      {"v_max_" S, K, {K, K}, minMax<minMaxLegacy<F>, Max>},                   \
      {"v_min_num_" S, K, {K, K}, minMax<minMaxNumber<F>, Min>},               \
      {"v_max_num_" S, K, {K, K}, minMax<minMaxNumber<F>, Max>},               \
      {"v_minimum_" S, K, {K, K}, minMax<minMaxPropagate<F>, Min>},            \
      {"v_maximum_" S, K, {K, K}, minMax<minMaxPropagate<F>, Max>},            \
      {"v_trunc_" S, K, {K}, round<F, Integral::Trunc>},                       \
      {"v_floor_" S, K, {K}, round<F, Integral::Floor>},                       \
      {"v_ceil_" S, K, {K}, round<F, Integral::Ceil>},                         \
      {"v_rndne_" S, K, {K}, round<F, Integral::NearestEven>},                 \
      {"v_fract_" S, K, {K}, fract<F>}, {                                      \
    "v_frexp_mant_" S, K, {K}, frexpMant<F>                                    \
  }

/// Rows that f16 and f32 share.
#define NARROW(S, F, K)                                                        \
  {"v_sub_" S, K, {K, K}, sub<F>}, {"v_subrev_" S, K, {K, K}, subrev<F>},      \
      {"v_mad_" S, K, {K, K, K}, mad<F>, KeepsHighHalf},                       \
      {"v_mac_" S, K, {K, K}, mac<F>, ReadsOld | KeepsHighHalf},               \
      {"v_madak_" S " v_madmk_" S, K, {K, K, K}, mad<F>, KeepsHighHalf},       \
      THREE("v_min3_", "", S, F, K, minMaxLegacy, Min, Min),                   \
      THREE("v_max3_", "", S, F, K, minMaxLegacy, Max, Max),                   \
      THREE("v_maxmin_", "", S, F, K, minMaxLegacy, Max, Min),                 \
      THREE("v_minmax_", "", S, F, K, minMaxLegacy, Min, Max),                 \
      THREE("v_min3_", "num_", S, F, K, minMaxNumber, Min, Min),               \
      THREE("v_max3_", "num_", S, F, K, minMaxNumber, Max, Max),               \
      THREE("v_maxmin_", "num_", S, F, K, minMaxNumber, Max, Min),             \
      THREE("v_minmax_", "num_", S, F, K, minMaxNumber, Min, Max),             \
      THREE("v_minimum3_", "", S, F, K, minMaxPropagate, Min, Min),            \
      THREE("v_maximum3_", "", S, F, K, minMaxPropagate, Max, Max),            \
      THREE("v_maximumminimum_", "", S, F, K, minMaxPropagate, Max, Min),      \
      THREE("v_minimummaximum_", "", S, F, K, minMaxPropagate, Min, Max),      \
      {"v_med3_" S, K, {K, K, K}, med3<F, minMaxLegacy<F>>, KeepsHighHalf}, {  \
    "v_med3_num_" S, K, {K, K, K}, med3<F, minMaxNumber<F>>, KeepsHighHalf     \
  }

#define THREE(NAME, NUM, S, F, K, PICK, FIRST, THEN)                           \
  {NAME NUM S, K, {K, K, K}, minMax3<PICK<F>, FIRST, THEN>, KeepsHighHalf}

/// Rows that f32 and f64 share.
#define DIVISION(S, F, K)                                                      \
  {"v_div_scale_" S, K, {K, K, K}, scaleForDivision<F>},                       \
      {"v_div_fmas_" S, K, {K, K, K}, divisionStep<F>, ReadsVCC}, {            \
    "v_div_fixup_" S, K, {K, K, K}, fixUpDivision<F>                           \
  }

static constexpr ValueKind B16 = ValueKind::B16, B32 = ValueKind::B32,
                           H = ValueKind::F16, S = ValueKind::F32,
                           D = ValueKind::F64;

static const VectorOp floatOps[] = {
    COMMON("f16", F16, H),
    NARROW("f16", F16, H),
    {"v_div_fixup_f16", H, {H, H, H}, fixUpDivision<F16>, KeepsHighHalf},
    {"v_div_fixup_legacy_f16", H, {H, H, H}, fixUpDivision<F16>},
    {"v_fma_legacy_f16", H, {H, H, H}, fma<F16>},
    {"v_mad_legacy_f16", H, {H, H, H}, mad<F16>},
    {"v_ldexp_f16", H, {H, B16}, ldexp<F16>},
    {"v_frexp_exp_i16_f16", B16, {H}, frexpExp<F16>},

    COMMON("f32", F32, S),
    NARROW("f32", F32, S),
    DIVISION("f32", F32, S),
    {"v_mul_legacy_f32 v_mul_dx9_zero_f32", S, {S, S}, mulLegacy},
    {"v_fma_legacy_f32 v_fma_dx9_zero_f32", S, {S, S, S}, fmaLegacy},
    {"v_fmac_legacy_f32 v_fmac_dx9_zero_f32", S, {S, S}, fmacLegacy, ReadsOld},
    {"v_mad_legacy_f32", S, {S, S, S}, madLegacy},
    {"v_ldexp_f32", S, {S, B32}, ldexp<F32>},
    {"v_frexp_exp_i32_f32", B32, {S}, frexpExp<F32>},

    COMMON("f64", F64, D),
    DIVISION("f64", F64, D),
    {"v_ldexp_f64", D, {D, B32}, ldexp<F64>},
    {"v_frexp_exp_i32_f64", B32, {D}, frexpExp<F64>},
};

void coll::sim::registerVectorFloat(HandlerTable &table) {
  addVectorOps(table, floatOps);
}

//===----------------------------------------------------------------------===//
// Inexact functions
//===----------------------------------------------------------------------===//

template <class F, Inexact function> static void inexact(Lane &l) {
  l.result = computeInexact<F>(function, l.a, l.modes(), l.context.ulpSeed);
}

#define TRANS(NAME, FUNCTION)                                                  \
  {"v_" NAME "_f16", H, {H}, inexact<F16, Inexact::FUNCTION>},                 \
      {"v_" NAME "_f32", S, {S}, inexact<F32, Inexact::FUNCTION>},             \
      {"v_s_" NAME "_f32",                                                     \
       S,                                                                      \
       {S},                                                                    \
       inexact<F32, Inexact::FUNCTION>,                                        \
       ScalarResult},                                                          \
  {                                                                            \
    "v_s_" NAME "_f16", H, {H}, inexact<F16, Inexact::FUNCTION>, ScalarResult  \
  }
#define TRANS64(NAME, FUNCTION)                                                \
  {"v_" NAME "_f64", D, {D}, inexact<F64, Inexact::FUNCTION>}

static const VectorOp transOps[] = {
    TRANS("exp", Exp2),
    TRANS("log", Log2),
    TRANS("rcp", Rcp),
    TRANS("rsq", Rsq),
    TRANS("sqrt", Sqrt),
    TRANS("sin", Sin),
    TRANS("cos", Cos),
    {"v_exp_legacy_f32", S, {S}, inexact<F32, Inexact::Exp2>},
    {"v_log_legacy_f32", S, {S}, inexact<F32, Inexact::Log2>},
    {"v_rcp_iflag_f32", S, {S}, inexact<F32, Inexact::Rcp>},
    {"v_tanh_f32", S, {S}, inexact<F32, Inexact::Tanh>},
    {"v_tanh_f16", H, {H}, inexact<F16, Inexact::Tanh>},
    TRANS64("rcp", Rcp),
    TRANS64("rsq", Rsq),
    TRANS64("sqrt", Sqrt),
};

void coll::sim::registerVectorTrans(HandlerTable &table) {
  addVectorOps(table, transOps);
}
