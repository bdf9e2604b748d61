//===- VectorFloatTest.cpp - Float arithmetic, modes, division ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace coll::sim;

static constexpr uint32_t signalingNaN = 0x7f800001, quietNaN = 0x7fc00000;

static uint32_t run2(VectorMachine &m, const std::string &mnemonic, uint32_t a,
                     uint32_t b, const std::string &modifiers = "") {
  m.v(0) = a;
  m.v(1) = b;
  m.run(mnemonic + " v2, v0, v1" + modifiers);
  return m.v(2);
}

TEST(VectorFloat, RoundingModes) {
  // 1 + 2^-24 and the same with the sign flipped.
  const uint32_t nearest = 0x3f800000, up = 0x3f800001;
  for (auto [mode, positive, negative] : {std::tuple(0u, nearest, nearest),
                                          {1u, up, nearest},
                                          {2u, nearest, up},
                                          {3u, nearest, nearest}}) {
    VectorMachine m("gfx90a");
    m.getWave().mode |= mode;
    EXPECT_EQ(run2(m, "v_add_f32", 0x3f800000, 0x33800000), positive) << mode;
    EXPECT_EQ(run2(m, "v_add_f32", 0xbf800000, 0xb3800000),
              negative | 0x80000000u)
        << mode;
  }
}

TEST(VectorFloat, SubnormalsFollowTheMode) {
  VectorMachine m("gfx90a");
  EXPECT_EQ(run2(m, "v_add_f32", 1, 1), 2u);
  EXPECT_EQ(run2(m, "v_mul_f32", 0x00800000, 0x3f000000), 0x00400000u);
  m.getWave().mode &= ~(3u << Denorm32Shift);
  EXPECT_EQ(run2(m, "v_add_f32", 1, 1), 0u);
  EXPECT_EQ(run2(m, "v_mul_f32", 0x80800000, 0x3f000000), 0x80000000u);
  m.getWave().mode |= 1u << Denorm32Shift; // Inputs are kept.
  EXPECT_EQ(run2(m, "v_mul_f32", 1, 0x7f000000), 0x34800000u);
  EXPECT_EQ(run2(m, "v_add_f32", 1, 1), 0u);
}

TEST(VectorFloat, HalfSubnormals) {
  VectorMachine m("gfx90a");
  EXPECT_EQ(run2(m, "v_add_f16", 0x0001, 0x0001), 0x0002u);
  EXPECT_EQ(run2(m, "v_mul_f16", 0x0400, 0x3800), 0x0200u);
  // Half of the smallest subnormal is a tie; the even neighbour is 0.
  EXPECT_EQ(run2(m, "v_mul_f16", 0x0001, 0x3800), 0x0000u);
  EXPECT_EQ(run2(m, "v_mul_f16", 0x0003, 0x3800), 0x0002u);
  EXPECT_EQ(run2(m, "v_add_f16", 0x7bff, 0x4c00), 0x7c00u); // 65504 + 16
  EXPECT_EQ(run2(m, "v_add_f16", 0x7bff, 0x4b00), 0x7bffu); // 65504 + 14
}

TEST(VectorFloat, FmaRoundsOnce) {
  VectorMachine m("gfx942");
  m.v(0) = 0x3f800001; // 1 + 2^-23, whose square is 1 + 2^-22 + 2^-46.
  m.v(1) = 0xbf800002;
  m.run("v_fma_f32 v2, v0, v0, v1");
  EXPECT_EQ(m.v(2), 0x28800000u);
  m.v(2) = m.v(1);
  m.run("v_fmac_f32 v2, v0, v0");
  EXPECT_EQ(m.v(2), 0x28800000u);
  m.run("v_fma_f32 v3, -v0, |v0|, 1.0");
  EXPECT_EQ(m.v(3), 0xb4800000u); // 1 - square, the tie to even below.
}

TEST(VectorFloat, FmaOfHalvesIsExact) {
  VectorMachine m("gfx90a");
  // 0x3c01 * 0x3c01 + 2^-24: just above the tie of 1 + 2^-9 + 2^-20.
  m.v(0) = 0x3c01;
  m.v(1) = 0x8c00; // -2^-12
  m.run("v_fma_f16 v2, v0, v0, v1");
  double exact = (1 + 0x1p-10) * (1 + 0x1p-10) - 0x1p-12;
  // Neighbours are 2^-10 apart: 1.001953125 is 0x3c02.
  EXPECT_LT(std::fabs(exact - 1.001953125), 0x1p-11);
  EXPECT_EQ(m.v(2) & 0xffff, 0x3c02u);
}

TEST(VectorFloat, MadFlushesSubnormals) {
  VectorMachine m("gfx90a");
  m.v(0) = 1; // Subnormal.
  m.v(1) = 0x3f800000;
  m.v(2) = 0;
  VectorMachine old("gfx906");
  old.v(0) = 1;
  old.v(1) = 0x3f800000;
  old.run("v_mad_f32 v3, v0, v1, 0");
  EXPECT_EQ(old.v(3), 0u);
  old.run("v_fma_f32 v3, v0, v1, 0");
  EXPECT_EQ(old.v(3), 1u);
}

TEST(VectorFloat, MinMaxWithoutIEEEMode) {
  VectorMachine m("gfx90a");
  EXPECT_EQ(run2(m, "v_min_f32", quietNaN, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(run2(m, "v_max_f32", 0x3f800000, quietNaN), 0x3f800000u);
  EXPECT_EQ(run2(m, "v_max_f32", signalingNaN, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(run2(m, "v_min_f32", 0, 0x80000000), 0x80000000u);
  EXPECT_EQ(run2(m, "v_max_f32", 0x80000000, 0), 0u);
}

TEST(VectorFloat, MinMaxInIEEEModeQuietsSignalingNaNs) {
  VectorMachine m("gfx90a");
  m.getWave().mode |= IEEEMode;
  EXPECT_EQ(run2(m, "v_min_f32", signalingNaN, 0x3f800000), 0x7fc00001u);
  EXPECT_EQ(run2(m, "v_max_f32", 0x3f800000, signalingNaN), 0x7fc00001u);
  EXPECT_EQ(run2(m, "v_min_f32", quietNaN, 0x3f800000), 0x3f800000u);
}

TEST(VectorFloat, NumberAndPropagatingMinMaxOfGfx12) {
  VectorMachine m("gfx1201");
  EXPECT_EQ(run2(m, "v_min_num_f32", signalingNaN, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(run2(m, "v_max_num_f32", signalingNaN, quietNaN), 0x7fc00001u);
  EXPECT_EQ(run2(m, "v_minimum_f32", 0x3f800000, quietNaN), quietNaN);
  EXPECT_EQ(run2(m, "v_maximum_f32", 0x80000000, 0), 0u);
  EXPECT_EQ(run2(m, "v_minimum_f32", 0, 0x80000000), 0x80000000u);
}

TEST(VectorFloat, Med3) {
  VectorMachine m("gfx90a");
  m.setFloat(0, 3);
  m.setFloat(1, 1);
  m.setFloat(2, 2);
  m.run("v_med3_f32 v3, v0, v1, v2\n v_max3_f32 v4, v0, v1, v2\n"
        "v_min3_f32 v5, v0, v1, v2");
  EXPECT_EQ(m.f(3), 2.0f);
  EXPECT_EQ(m.f(4), 3.0f);
  EXPECT_EQ(m.f(5), 1.0f);
  m.v(0) = quietNaN;
  m.run("v_med3_f32 v3, v0, v1, v2");
  EXPECT_EQ(m.f(3), 1.0f);
}

TEST(VectorFloat, Minimum3OfGfx950) {
  VectorMachine m("gfx950");
  m.setFloat(0, 3);
  m.v(1) = quietNaN;
  m.run("v_minimum3_f32 v3, v0, v1, v1\n v_maximum3_f32 v4, v0, v0, 4.0");
  EXPECT_EQ(m.v(3), quietNaN);
  EXPECT_EQ(m.f(4), 4.0f);
}

TEST(VectorFloat, InputModifiers) {
  VectorMachine m("gfx90a");
  m.setFloat(0, -3);
  m.setFloat(1, 2);
  m.run("v_add_f32_e64 v2, |v0|, -v1\n v_mul_f32_e64 v3, -|v0|, v1\n"
        "v_cndmask_b32_e64 v4, -v0, v1, s[4:5]");
  EXPECT_EQ(m.f(2), 1.0f);
  EXPECT_EQ(m.f(3), -6.0f);
  EXPECT_EQ(m.f(4), 3.0f);
}

TEST(VectorFloat, ClampAndOutputModifiers) {
  VectorMachine m("gfx90a");
  EXPECT_EQ(run2(m, "v_add_f32_e64", 0x40000000, 0, " clamp"), 0x3f800000u);
  EXPECT_EQ(run2(m, "v_add_f32_e64", 0xc0000000, 0, " clamp"), 0u);
  EXPECT_EQ(run2(m, "v_add_f32_e64", quietNaN, 0, " clamp"), 0u);
  m.getWave().mode &= ~DX10Clamp;
  EXPECT_EQ(run2(m, "v_add_f32_e64", quietNaN, 0, " clamp"), quietNaN);
  // omod is ignored while subnormal results are kept.
  EXPECT_EQ(run2(m, "v_add_f32_e64", 0x40000000, 0, " mul:2"), 0x40000000u);
  m.getWave().mode &= ~(3u << Denorm32Shift);
  EXPECT_EQ(run2(m, "v_add_f32_e64", 0x40000000, 0, " mul:2"), 0x40800000u);
  EXPECT_EQ(run2(m, "v_add_f32_e64", 0x40000000, 0, " mul:4"), 0x41000000u);
  EXPECT_EQ(run2(m, "v_add_f32_e64", 0x40000000, 0, " div:2"), 0x3f800000u);
}

TEST(VectorFloat, Comparisons) {
  VectorMachine m("gfx90a");
  m.v(0) = quietNaN;
  m.v(1) = 0x80000000;
  m.run("v_cmp_eq_f32_e64 s[0:1], v0, v0\n v_cmp_neq_f32_e64 s[2:3], v0, v0\n"
        "v_cmp_u_f32_e64 s[4:5], v0, v1\n v_cmp_nlt_f32_e64 s[6:7], v0, v1\n"
        "v_cmp_eq_f32_e64 s[8:9], v1, 0\n v_cmp_lg_f32_e64 s[10:11], v0, v1\n"
        "v_cmp_o_f32_e64 s[12:13], v1, v1");
  for (auto [reg, expected] : {std::pair(0, 0u),
                               {2, 1u},
                               {4, 1u},
                               {6, 1u},
                               {8, 1u},
                               {10, 0u},
                               {12, 1u}})
    EXPECT_EQ(m.s(reg) & 1, expected) << reg;
}

TEST(VectorFloat, Classes) {
  const uint32_t values[] = {signalingNaN, quietNaN,   0xff800000, 0xbf800000,
                             0x80000001,   0x80000000, 0,          1,
                             0x3f800000,   0x7f800000};
  VectorMachine m("gfx1030");
  for (unsigned i = 0; i < 10; ++i) {
    m.v(0) = values[i];
    m.v(1) = 1u << i;
    m.v(2) = 0x3ff & ~(1u << i);
    m.run("v_cmp_class_f32_e64 s0, v0, v1\n v_cmp_class_f32_e64 s1, v0, v2");
    EXPECT_EQ(m.s(0) & 1, 1u) << i;
    EXPECT_EQ(m.s(1) & 1, 0u) << i;
  }
}

TEST(VectorFloat, LdexpAndFrexp) {
  VectorMachine m("gfx90a");
  m.setFloat(0, 12.0f);
  m.v(1) = static_cast<uint32_t>(-152); // 12 * 2^-152 is 1.5 subnormal steps.
  m.v(4) = 3;
  m.run("v_ldexp_f32 v2, v0, v1\n v_frexp_mant_f32 v3, v0\n"
        "v_frexp_exp_i32_f32 v5, v0\n v_frexp_exp_i32_f32 v6, v4");
  EXPECT_EQ(m.v(2), 2u);
  EXPECT_EQ(m.f(3), 0.75f);
  EXPECT_EQ(m.v(5), 4u);
  EXPECT_EQ(static_cast<int32_t>(m.v(6)), -147); // 3 * 2^-149 = 0.75 * 2^-147
}

TEST(VectorFloat, RoundingToIntegers) {
  VectorMachine m("gfx90a");
  m.setFloat(0, -2.5f);
  m.run("v_trunc_f32 v1, v0\n v_floor_f32 v2, v0\n v_ceil_f32 v3, v0\n"
        "v_rndne_f32 v4, v0\n v_fract_f32 v5, v0");
  EXPECT_EQ(m.f(1), -2.0f);
  EXPECT_EQ(m.f(2), -3.0f);
  EXPECT_EQ(m.f(3), -2.0f);
  EXPECT_EQ(m.f(4), -2.0f);
  EXPECT_EQ(m.f(5), 0.5f);
  m.v(0) = 0x80000001; // The fraction of a tiny negative number stays below 1.
  m.run("v_fract_f32 v5, v0");
  EXPECT_EQ(m.v(5), 0x3f7fffffu);
}

/// The division that LLVM writes out, of v0 by v1, into v2.
static const char *division32 = "v_div_scale_f32 v3, s[4:5], v1, v1, v0\n"
                                "v_div_scale_f32 v4, vcc, v0, v1, v0\n"
                                "v_rcp_f32 v5, v3\n"
                                "v_fma_f32 v6, -v3, v5, 1.0\n"
                                "v_fmac_f32 v5, v6, v5\n"
                                "v_mul_f32 v6, v4, v5\n"
                                "v_fma_f32 v7, -v3, v6, v4\n"
                                "v_fmac_f32 v6, v7, v5\n"
                                "v_fma_f32 v3, -v3, v6, v4\n"
                                "v_div_fmas_f32 v3, v3, v5, v6\n"
                                "v_div_fixup_f32 v2, v3, v1, v0";

static void checkDivisions(uint64_t ulpSeed) {
  std::mt19937 random(7);
  const uint32_t corners[] = {0,          0x80000000, 1,          0x007fffff,
                              0x00800000, 0x3f800000, 0x7f7fffff, 0x7f800000,
                              0x7e800001, 0x00ffffff, 0x7fc00000, 0xff7fffff};
  for (unsigned trial = 0; trial < 40; ++trial) {
    VectorMachine m("gfx90a", ulpSeed);
    auto pick = [&](unsigned) -> uint32_t {
      return random() % 3 ? random() : corners[random() % std::size(corners)];
    };
    m.fill(0, pick);
    m.fill(1, pick);
    m.run(division32);
    for (unsigned lane = 0; lane < 64; ++lane) {
      volatile float n = m.f(0, lane), d = m.f(1, lane);
      float expected = n / d;
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(m.f(2, lane)));
      else
        EXPECT_EQ(m.v(2, lane), llvm::bit_cast<uint32_t>(expected))
            << std::hexfloat << n << " / " << d << " = " << expected << ", not "
            << m.f(2, lane);
    }
  }
}

TEST(VectorFloat, DivisionIsCorrectlyRounded) { checkDivisions(0); }

TEST(VectorFloat, DivisionDoesNotDependOnInexactReciprocals) {
  for (uint64_t seed : {1, 2, 3})
    checkDivisions(seed);
}

TEST(VectorFloat, DivisionOfDoubles) {
  std::mt19937_64 random(11);
  VectorMachine m("gfx942");
  for (unsigned lane = 0; lane < 64; ++lane) {
    m.setWide(0, random(), lane);
    m.setWide(2, lane % 4 ? random() : random() >> 14, lane);
  }
  m.run("v_div_scale_f64 v[4:5], s[4:5], v[2:3], v[2:3], v[0:1]\n"
        "v_rcp_f64 v[6:7], v[4:5]\n"
        "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
        "v_fmac_f64 v[6:7], v[6:7], v[8:9]\n"
        "v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0\n"
        "v_fmac_f64 v[6:7], v[6:7], v[8:9]\n"
        "v_div_scale_f64 v[8:9], vcc, v[0:1], v[2:3], v[0:1]\n"
        "v_mul_f64 v[10:11], v[8:9], v[6:7]\n"
        "v_fma_f64 v[4:5], -v[4:5], v[10:11], v[8:9]\n"
        "v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[10:11]\n"
        "v_div_fixup_f64 v[12:13], v[4:5], v[2:3], v[0:1]");
  for (unsigned lane = 0; lane < 64; ++lane) {
    auto n = llvm::bit_cast<double>(m.v64(0, lane));
    auto d = llvm::bit_cast<double>(m.v64(2, lane));
    double expected = n / d;
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(llvm::bit_cast<double>(m.v64(12, lane))));
    else
      EXPECT_EQ(m.v64(12, lane), llvm::bit_cast<uint64_t>(expected)) << lane;
  }
}

TEST(VectorFloat, ZeroTimesInfinityIsZeroInLegacyForms) {
  for (auto [chip, text] :
       {std::pair("gfx900", "v_mad_legacy_f32 v0, v1, v2, v3"),
        std::pair("gfx1030", "v_fmac_legacy_f32 v0, v1, v2"),
        std::pair("gfx1100", "v_fmac_dx9_zero_f32 v0, v1, v2")}) {
    VectorMachine m(chip);
    m.setFloat(0, 5);
    m.setFloat(2, std::numeric_limits<float>::infinity());
    m.setFloat(3, 5);
    m.run(text);
    EXPECT_EQ(m.f(0), 5) << chip;
  }
}
