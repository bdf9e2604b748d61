//===- VectorPackedTest.cpp - Packed, mixed and dot product math ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

TEST(VectorPacked, HalvesStayApart) {
  VectorMachine m("gfx90a");
  m.v(0) = 0x3c00ffff;
  m.v(1) = 0x40000001;
  m.run("v_pk_add_u16 v2, v0, v1\n v_pk_sub_i16 v3, v0, v1\n"
        "v_pk_max_i16 v4, v0, v1\n v_pk_min_u16 v5, v0, v1\n"
        "v_pk_add_u16 v6, v0, v1 clamp");
  EXPECT_EQ(m.v(2), 0x7c000000u);
  EXPECT_EQ(m.v(3), 0xfc00fffeu);
  EXPECT_EQ(m.v(4), 0x40000001u);
  EXPECT_EQ(m.v(5), 0x3c000001u);
  EXPECT_EQ(m.v(6), 0x7c00ffffu);
}

TEST(VectorPacked, SelectionAndNegation) {
  VectorMachine m("gfx1030");
  m.v(0) = 0x40003c00; // 2, 1
  m.v(1) = 0x44004200; // 4, 3
  m.run("v_pk_add_f16 v2, v0, v1\n"
        "v_pk_add_f16 v3, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]\n"
        "v_pk_add_f16 v4, v0, v1 neg_lo:[0,1] neg_hi:[1,0]\n"
        "v_pk_mul_f16 v5, v0, v1 op_sel_hi:[1,0]");
  EXPECT_EQ(m.v(2), 0x46004400u); // 6, 4
  EXPECT_EQ(m.v(3), 0x45004500u); // 1 + 4, 2 + 3
  EXPECT_EQ(m.v(4), 0x4000c000u); // -2 + 4, 1 - 3
  EXPECT_EQ(m.v(5), 0x46004200u); // 2 * 3, 1 * 3
}

TEST(VectorPacked, ConstantsOfPackedHalves) {
  VectorMachine m("gfx90a");
  m.v(0) = 0x40003c00;
  m.run("v_pk_add_f16 v2, v0, 1.0 op_sel_hi:[1,0]");
  EXPECT_EQ(m.v(2), 0x42004000u); // 3, 2
}

TEST(VectorPacked, FmaOfHalves) {
  VectorMachine m("gfx942");
  m.v(0) = 0x40003c00;
  m.v(1) = 0x44004200;
  m.v(2) = 0x3c003c00;
  m.run("v_pk_fma_f16 v3, v0, v1, v2");
  EXPECT_EQ(m.v(3), 0x48804400u); // 9, 4
}

TEST(VectorPacked, PairsOfFloats) {
  VectorMachine m("gfx90a");
  m.setFloat(0, 1);
  m.setFloat(1, 2);
  m.setFloat(2, 10);
  m.setFloat(3, 20);
  m.s(4) = 0x42c80000; // 100
  m.s(5) = 0x43480000; // 200
  m.run("v_pk_add_f32 v[4:5], v[0:1], v[2:3]\n"
        "v_pk_mul_f32 v[6:7], v[0:1], v[2:3] op_sel:[1,0] op_sel_hi:[0,1]\n"
        "v_pk_fma_f32 v[8:9], v[0:1], v[2:3], s[4:5] neg_lo:[0,0,1]\n"
        "v_pk_add_f32 v[10:11], v[0:1], s[4:5] op_sel_hi:[1,0]");
  EXPECT_EQ(m.f(4), 11.0f);
  EXPECT_EQ(m.f(5), 22.0f);
  EXPECT_EQ(m.f(6), 20.0f);
  EXPECT_EQ(m.f(7), 20.0f);
  EXPECT_EQ(m.f(8), -90.0f);
  EXPECT_EQ(m.f(9), 240.0f);
  EXPECT_EQ(m.f(10), 101.0f);
  EXPECT_EQ(m.f(11), 102.0f);
}

TEST(VectorPacked, Move) {
  VectorMachine m("gfx942");
  for (unsigned reg = 0; reg < 4; ++reg)
    m.v(reg) = 10 + reg;
  m.run("v_pk_mov_b32 v[4:5], v[0:1], v[2:3] op_sel:[0,1]\n"
        "v_pk_mov_b32 v[6:7], v[0:1], v[2:3] op_sel:[1,0]");
  EXPECT_EQ(m.v(4), 10u);
  EXPECT_EQ(m.v(5), 13u);
  EXPECT_EQ(m.v(6), 11u);
  EXPECT_EQ(m.v(7), 12u);
}

TEST(VectorPacked, DependsOnTheRegistersOfPairsThatItTakes) {
  VectorMachine m("gfx942");
  Wave &wave = m.getWave();
  m.s(4) = 0x42c80000; // 100
  m.setFloat(0, 1);
  m.setFloat(1, 2);
  wave.scalarInit.reset(5);
  wave.vgprInit[3] = 0xf0;
  auto isWritten = [&](unsigned reg) { return wave.vgprInit[reg] == ~0ull; };
  m.run("v_pk_mul_f32 v[4:5], s[4:5], v[0:1] op_sel_hi:[0,1]\n"
        "v_pk_mul_f32 v[6:7], s[4:5], v[0:1]\n"
        "v_pk_add_f32 v[8:9], v[0:1], s[4:5] op_sel:[0,1] op_sel_hi:[1,0]\n"
        "v_pk_fma_f32 v[10:11], v[0:1], v[0:1], s[4:5] op_sel_hi:[1,1,0]\n"
        "v_pk_mov_b32 v[12:13], s[4:5], v[0:1] op_sel:[0,1]\n"
        "v_pk_mov_b32 v[14:15], s[4:5], v[0:1] op_sel:[1,0]\n"
        "v_pk_add_f32 v[16:17], v[2:3], v[0:1]");
  EXPECT_EQ(m.f(4), 100.0f);
  EXPECT_EQ(m.f(5), 200.0f);
  for (unsigned reg : {4, 5, 6, 9, 10, 11, 12, 13, 15, 16})
    EXPECT_TRUE(isWritten(reg)) << reg;
  for (unsigned reg : {7, 8, 14})
    EXPECT_EQ(wave.vgprInit[reg], 0u) << reg;
  EXPECT_EQ(wave.vgprInit[17], 0xf0u);
  // A pair whose register is written by the instruction itself.
  m.run("v_pk_add_f32 v[2:3], v[2:3], v[0:1] op_sel:[1,0] op_sel_hi:[0,1]");
  EXPECT_EQ(wave.vgprInit[2], 0xf0u);
  EXPECT_TRUE(isWritten(3));
}

TEST(VectorPacked, Mixed) {
  VectorMachine m("gfx1100");
  m.setFloat(0, 1.5f);
  m.v(1) = 0x42004000; // 3, 2
  m.setFloat(2, 10);
  m.v(3) = 0xabcd1234;
  m.v(4) = 0xabcd1234;
  m.run("v_fma_mix_f32 v5, v0, v1, v2 op_sel_hi:[0,1,0]\n"
        "v_fma_mix_f32 v6, v0, -v1, v2 op_sel:[0,1,0] op_sel_hi:[0,1,0]\n"
        "v_fma_mixlo_f16 v3, v0, v1, v2 op_sel_hi:[0,1,0]\n"
        "v_fma_mixhi_f16 v4, v0, v1, v2 op_sel_hi:[0,1,0]\n"
        "v_fma_mix_f32 v7, v0, 1.0, 0.5");
  EXPECT_EQ(m.f(5), 13.0f);
  EXPECT_EQ(m.f(6), 5.5f);
  EXPECT_EQ(m.v(3), 0xabcd4a80u);
  EXPECT_EQ(m.v(4), 0x4a801234u);
  EXPECT_EQ(m.f(7), 2.0f);
}

TEST(VectorPacked, DotProducts) {
  VectorMachine m("gfx90a");
  m.v(0) = 0xff02fe7f; // -1, 2, -2, 127
  m.v(1) = 0x01020304;
  m.v(2) = 0x7fffff00;
  m.run("v_dot4_i32_i8 v3, v0, v1, 5\n v_dot4_u32_u8 v4, v0, v1, 5\n"
        "v_dot4_i32_i8 v5, v0, v1, v2 clamp\n v_dot8_u32_u4 v6, v0, v1, 0");
  EXPECT_EQ(m.v(3), 5u + 127 * 4 - 2 * 3 + 2 * 2 - 1);
  EXPECT_EQ(m.v(4), 5u + 127 * 4 + 254 * 3 + 2 * 2 + 255);
  EXPECT_EQ(m.v(5), 0x7fffffffu);
  EXPECT_EQ(m.v(6), 15u * 4 + 14 * 3 + 2 * 2 + 15 * 1);
}

TEST(VectorPacked, DotProductWithSignsByNeg) {
  VectorMachine m("gfx1100");
  m.v(0) = 0x000000ff;
  m.v(1) = 0x000000ff;
  m.run("v_dot4_i32_iu8 v3, v0, v1, 0 neg_lo:[1,0,0]\n"
        "v_dot4_i32_iu8 v4, v0, v1, 0 neg_lo:[1,1,0]");
  EXPECT_EQ(m.v(3), 0u - 255);
  EXPECT_EQ(m.v(4), 1u);
}

TEST(VectorPacked, FloatDotProduct) {
  VectorMachine m("gfx942");
  m.v(0) = 0x40003c00; // 2, 1
  m.v(1) = 0x44004200; // 4, 3
  m.setFloat(2, 0.5f);
  m.run("v_dot2_f32_f16 v3, v0, v1, v2");
  EXPECT_EQ(m.f(3), 11.5f);
}

TEST(VectorPacked, DotProductsAndMixesMoveLanes) {
  VectorMachine m("gfx908");
  m.fill(1, [](unsigned lane) { return lane; });
  m.fill(2, [](unsigned) { return 3; });
  m.fill(0, [](unsigned lane) { return 100 * lane; });
  m.run("v_dot4c_i32_i8_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf "
        "bank_mask:0x1");
  EXPECT_EQ(m.v(0, 0), 3u);
  EXPECT_EQ(m.v(0, 3), 306u);
  EXPECT_EQ(m.v(0, 4), 400u); // Another bank.
  VectorMachine mix("gfx1100");
  mix.fill(1,
           [](unsigned lane) { return llvm::bit_cast<uint32_t>(float(lane)); });
  mix.fill(2, [](unsigned) { return llvm::bit_cast<uint32_t>(2.0f); });
  mix.run("v_fma_mix_f32_e64_dpp v0, v1, v2, v2 quad_perm:[1,0,3,2] "
          "row_mask:0xf bank_mask:0xf");
  EXPECT_EQ(mix.f(0, 0), 4);
  EXPECT_EQ(mix.f(0, 3), 6);
}

TEST(VectorPacked, DotProductsInDualInstructions) {
  VectorMachine m("gfx1100");
  m.v(1) = 0x40003c00; // 2, 1
  m.v(3) = 0x44004200; // 4, 3
  m.setFloat(2, 10);
  m.run("v_dual_mov_b32 v5, v3 :: v_dual_dot2acc_f32_f16 v2, v1, v3");
  EXPECT_EQ(m.f(2), 21);
  EXPECT_EQ(m.v(5), 0x44004200u);
}
