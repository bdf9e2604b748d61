//===- ScalarTest.cpp - Scalar instructions -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are worked out from AMD's ISA documents.
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

static uint64_t pair(VectorMachine &m, unsigned index) {
  return m.getWave().getPair(index);
}

TEST(Scalar, CarriesGoThroughSCC) {
  for (const char *chip : {"gfx90a", "gfx1030", "gfx1100"}) {
    VectorMachine m(chip);
    m.s(0) = 0xffffffff;
    m.s(1) = 0x7fffffff;
    m.run("s_add_u32 s2, s0, 1\ns_addc_u32 s3, s1, 0");
    EXPECT_EQ(m.s(2), 0u) << chip;
    EXPECT_EQ(m.s(3), 0x80000000u) << chip;
    EXPECT_FALSE(m.getWave().scc) << chip;
    m.run("s_sub_u32 s4, 0, 1\ns_subb_u32 s5, 5, 0");
    EXPECT_EQ(m.s(4), 0xffffffffu) << chip;
    EXPECT_EQ(m.s(5), 4u) << chip;
    EXPECT_FALSE(m.getWave().scc) << chip;
    // Zero minus the greatest number and a borrow.
    m.run("s_sub_u32 s4, 0, 1\ns_subb_u32 s5, 0, -1");
    EXPECT_EQ(m.s(5), 0u) << chip;
    EXPECT_TRUE(m.getWave().scc) << chip;
    m.run("s_add_i32 s6, s1, 1");
    EXPECT_TRUE(m.getWave().scc) << chip;
    m.run("s_add_i32 s6, s0, 1");
    EXPECT_FALSE(m.getWave().scc) << chip;
  }
}

TEST(Scalar, NamesOfGFX12) {
  VectorMachine m("gfx1201");
  m.s(0) = 0xffffffff;
  m.s(1) = 1;
  m.run("s_add_co_u32 s2, s0, 2\ns_add_co_ci_u32 s3, s1, 0");
  EXPECT_EQ(m.s(2), 1u);
  EXPECT_EQ(m.s(3), 2u);
  m.run("s_mul_u64 s[4:5], s[0:1], s[0:1]");
  EXPECT_EQ(pair(m, 4), 0x1ffffffffull * 0x1ffffffffull);
  m.run("s_add_nc_u64 s[6:7], s[0:1], s[0:1]");
  EXPECT_EQ(pair(m, 6), 0x3fffffffeull);
}

// A field of the lower half is known whatever the upper half is.
TEST(Scalar, FieldsOfUninitialisedHalves) {
  VectorMachine m("gfx90a");
  m.s(0) = 0x89abcdef;
  m.getWave().scalarInit.set(0);
  m.getWave().scalarInit.reset(1);
  m.run("s_bfe_i64 s[4:5], s[0:1], 0x80018\ns_bfe_u64 s[6:7], s[0:1], 0x80020");
  EXPECT_EQ(pair(m, 4), 0xffffffffffffff89ull);
  EXPECT_TRUE(m.getWave().scalarInit.test(4));
  EXPECT_TRUE(m.getWave().scalarInit.test(5));
  EXPECT_FALSE(m.getWave().scalarInit.test(6));
  EXPECT_FALSE(m.getWave().scalarInit.test(7));
}

TEST(Scalar, FieldsAndShifts) {
  VectorMachine m("gfx90a");
  m.s(0) = 0x89abcdef;
  m.s(1) = 0xfedcba98;
  // Offset 8, 8 bits.
  m.run("s_bfe_u32 s2, s0, 0x80008\ns_bfe_i32 s3, s0, 0x80008");
  EXPECT_EQ(m.s(2), 0xcdu);
  EXPECT_EQ(m.s(3), 0xffffffcdu);
  // A field that goes beyond the register, and one of no bits.
  m.run("s_bfe_i32 s2, s0, 0x20001c\ns_bfe_u32 s3, s0, 0x0");
  EXPECT_EQ(m.s(2), 0xfffffff8u);
  EXPECT_EQ(m.s(3), 0u);
  EXPECT_FALSE(m.getWave().scc);
  m.run("s_bfe_u64 s[4:5], s[0:1], 0x200010");
  EXPECT_EQ(pair(m, 4), 0xba9889abull);
  // Counts are taken modulo the width.
  m.run("s_lshl_b64 s[4:5], s[0:1], 68\ns_ashr_i64 s[6:7], s[0:1], 60");
  EXPECT_EQ(pair(m, 4), 0xfedcba9889abcdefull << 4);
  EXPECT_EQ(pair(m, 6), ~0ull);
  m.run("s_bfm_b64 s[4:5], 5, 62");
  EXPECT_EQ(pair(m, 4), 0xc000000000000000ull);
}

TEST(Scalar, Counts) {
  VectorMachine m("gfx90a");
  m.s(0) = 0;
  m.s(1) = 0x10;
  m.run("s_ff1_i32_b32 s2, s0\ns_ff1_i32_b64 s3, s[0:1]\n"
        "s_flbit_i32_b32 s4, s1\ns_flbit_i32 s5, s0\n"
        "s_flbit_i32 s6, s1\ns_bcnt1_i32_b64 s7, s[0:1]");
  EXPECT_EQ(m.s(2), 0xffffffffu);
  EXPECT_EQ(m.s(3), 36u);
  EXPECT_EQ(m.s(4), 27u);
  EXPECT_EQ(m.s(5), 0xffffffffu);
  EXPECT_EQ(m.s(6), 27u);
  EXPECT_EQ(m.s(7), 1u);
}

TEST(Scalar, SaveExec) {
  VectorMachine m("gfx90a");
  Wave &wave = m.getWave();
  wave.setExec(0xff);
  wave.setPair(0, 0x0f);
  m.run("s_andn2_saveexec_b64 s[2:3], s[0:1]");
  EXPECT_EQ(pair(m, 2), 0xffu);
  EXPECT_EQ(wave.getExec(), 0u);
  EXPECT_FALSE(wave.scc);
  wave.setExec(0xff);
  m.run("s_andn1_saveexec_b64 s[2:3], s[0:1]");
  EXPECT_EQ(wave.getExec(), 0xf0u);
  EXPECT_TRUE(wave.scc);
  m.run("s_orn2_saveexec_b64 s[2:3], s[0:1]");
  EXPECT_EQ(wave.getExec(), ~0xf0ull);
}

TEST(Scalar, MasksOfWave32) {
  VectorMachine m("gfx1100");
  Wave &wave = m.getWave();
  wave.setExec(0xffff);
  m.s(0) = 0xff00ff00;
  m.run("s_and_saveexec_b32 s1, s0\ns_xor_b32 exec_lo, exec_lo, s1");
  EXPECT_EQ(m.s(1), 0xffffu);
  EXPECT_EQ(wave.getExec(), 0x00ffu);
}

TEST(Scalar, ModesAreFieldsOfARegister) {
  VectorMachine m("gfx90a");
  m.run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 1\n"
        "s_getreg_b32 s0, hwreg(HW_REG_MODE, 4, 4)");
  EXPECT_EQ(m.s(0), 0xdu);
  m.s(1) = 2;
  m.run("s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s1");
  EXPECT_EQ(m.getWave().getRound32(), 2u);
  EXPECT_EQ(m.getWave().getDenorm32(), 1u);
}

TEST(Scalar, Floats) {
  VectorMachine m("gfx1201");
  m.run("s_mov_b32 s0, 1.0\ns_mov_b32 s1, 0x33800000\n"
        "s_add_f32 s2, s0, s1\ns_sub_f32 s3, s0, s1\n"
        "s_mov_b32 s4, 2.0\ns_fmac_f32 s4, s0, s0\n"
        "s_fmamk_f32 s5, s0, 0x40a00000, s0");
  EXPECT_EQ(m.s(2), 0x3f800000u); // A tie, to even.
  EXPECT_EQ(m.s(3), 0x3f7fffffu);
  EXPECT_EQ(m.s(4), 0x40400000u);
  EXPECT_EQ(m.s(5), 0x40c00000u);
  m.s(0) = 0x7fc00000;
  m.run("s_cmp_nlt_f32 s0, s1");
  EXPECT_TRUE(m.getWave().scc);
  m.run("s_cmp_lg_f32 s0, s1");
  EXPECT_FALSE(m.getWave().scc);
  m.run("s_cvt_i32_f32 s6, 0xcf800000\ns_cvt_u32_f32 s7, -1.0");
  EXPECT_EQ(m.s(6), 0x80000000u);
  EXPECT_EQ(m.s(7), 0u);
}
