//===- VectorOverflowTest.cpp - f16 that saturates (FP16_OVFL) ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's "User Guide for AMDGPU Backend", COMPUTE_PGM_RSRC1: with FP16_OVFL an
// overflow is clamped to the largest number, and an infinity stays one where an
// infinite source or a division by zero makes it.
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

static constexpr uint32_t largest = 0x7bff, infinity = 0x7c00;

/// v0 is 65504, v1 infinity, v2 0, v3 the smallest subnormal, v4 1e6 as f32.
static void setUp(VectorMachine &m, bool saturates) {
  m.v(0) = 0x7bff7bff;
  m.v(1) = 0x7c00;
  m.v(3) = 1;
  m.setFloat(4, 1e6f);
  m.setFloat(5, -1e6f);
  if (saturates)
    m.getWave().mode |= FP16Overflow;
}

TEST(VectorOverflow, Arithmetic) {
  for (const char *chip : {"gfx90a", "gfx1030", "gfx1201"}) {
    for (bool saturates : {false, true}) {
      VectorMachine m(chip);
      setUp(m, saturates);
      m.run("v_add_f16 v10, v0, v0\n v_mul_f16 v11, v0, v0\n"
            "v_add_f16 v12, v0, v1\n v_rcp_f16 v13, v2\n v_rcp_f16 v14, v3\n"
            "v_cvt_f16_f32 v15, v4\n v_cvt_f16_f32 v16, v5\n"
            "v_pk_add_f16 v17, v0, v0");
      uint32_t overflow = saturates ? largest : infinity;
      EXPECT_EQ(m.v(10), overflow) << chip;
      EXPECT_EQ(m.v(11), overflow) << chip;
      EXPECT_EQ(m.v(12), infinity) << chip;
      EXPECT_EQ(m.v(13), infinity) << chip;
      EXPECT_EQ(m.v(14), overflow) << chip;
      EXPECT_EQ(m.v(15), overflow) << chip;
      EXPECT_EQ(m.v(16), overflow | 0x8000) << chip;
      EXPECT_EQ(m.v(17), overflow | overflow << 16) << chip;
    }
  }
}

TEST(VectorOverflow, MixedPrecision) {
  for (bool saturates : {false, true}) {
    VectorMachine m("gfx1100");
    setUp(m, saturates);
    m.setFloat(6, 2);
    m.v(20) = 0x12340000;
    m.run("v_fma_mixlo_f16 v20, v4, v6, v4\n"
          "v_fma_mixlo_f16 v21, v4, v1, v4 op_sel_hi:[0,1,0]");
    EXPECT_EQ(m.v(20), 0x12340000 | (saturates ? largest : infinity));
    EXPECT_EQ(m.v(21), infinity);
  }
}

TEST(VectorOverflow, ScalarFloats) {
  for (bool saturates : {false, true}) {
    VectorMachine m("gfx1201");
    setUp(m, saturates);
    m.s(0) = 0x7bff;
    m.s(1) = 0xfc00;
    m.s(2) = 0xc97423f0; // -999999
    m.run("s_add_f16 s10, s0, s0\n s_sub_f16 s11, s1, s0\n"
          "s_cvt_f16_f32 s12, s2");
    EXPECT_EQ(m.s(10), saturates ? largest : infinity);
    EXPECT_EQ(m.s(11), 0xfc00u);
    EXPECT_EQ(m.s(12), saturates ? 0xfbffu : 0xfc00u);
  }
}
