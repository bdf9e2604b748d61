//===- VectorEncodingTest.cpp - SDWA, halves, dual issue, literals --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

TEST(VectorEncoding, SDWASources) {
  VectorMachine m("gfx90a");
  m.v(0) = 0x80ff1234;
  m.v(1) = 0x00010002;
  m.run("v_add_u32_sdwa v2, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD "
        "src0_sel:BYTE_2 src1_sel:WORD_1\n"
        "v_add_u32_sdwa v3, sext(v0), v1 dst_sel:DWORD dst_unused:UNUSED_PAD "
        "src0_sel:BYTE_3 src1_sel:DWORD\n"
        "v_max_i16_sdwa v4, sext(v0), v1 dst_sel:DWORD dst_unused:UNUSED_PAD "
        "src0_sel:BYTE_2 src1_sel:WORD_0");
  EXPECT_EQ(m.v(2), 0x100u);
  EXPECT_EQ(m.v(3), 0x00010002u - 0x80);
  EXPECT_EQ(m.v(4), 2u);
}

TEST(VectorEncoding, SDWADestinations) {
  for (auto [selection, expected] :
       {std::pair("dst_sel:BYTE_1 dst_unused:UNUSED_PAD", 0x00008000u),
        {"dst_sel:BYTE_1 dst_unused:UNUSED_SEXT", 0xffff8000u},
        {"dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE", 0xaabb80ddu},
        {"dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE", 0x1280ccddu},
        {"dst_sel:WORD_0 dst_unused:UNUSED_PAD", 0x00001280u}}) {
    VectorMachine m("gfx90a");
    m.v(0) = 0x00001280;
    m.v(1) = 0;
    m.v(2) = 0xaabbccdd;
    m.run(std::string("v_or_b32_sdwa v2, v0, v1 ") + selection +
          " src0_sel:DWORD src1_sel:DWORD");
    EXPECT_EQ(m.v(2), expected) << selection;
  }
}

TEST(VectorEncoding, SDWAComparison) {
  VectorMachine m("gfx90a");
  m.fill(0, [](unsigned lane) { return lane << 8; });
  m.v(1) = 0;
  m.fill(1, [](unsigned) { return 7; });
  m.run("v_cmp_eq_u32_sdwa s[4:5], v0, v1 src0_sel:BYTE_1 src1_sel:DWORD");
  EXPECT_EQ(m.s(4), 1u << 7);
  EXPECT_EQ(m.s(5), 0u);
}

TEST(VectorEncoding, TrueHalves) {
  VectorMachine m("gfx1100");
  m.v(0) = 0x40003c00; // 2, 1
  m.v(1) = 0x44004200; // 4, 3
  m.v(2) = 0xaaaabbbb;
  m.v(3) = 0xaaaabbbb;
  m.v(4) = 0xaaaabbbb;
  m.run("v_add_f16 v2.l, v0.h, v1.l\n v_add_f16_e64 v3.h, v0.l, -v1.h\n"
        "v_mov_b16 v4.h, v0.l\n v_cvt_f32_f16 v5, v1.h\n"
        "v_cmp_lt_f16_e64 s4, v0.h, v1.l");
  EXPECT_EQ(m.v(2), 0xaaaa4500u); // 5
  EXPECT_EQ(m.v(3), 0xc200bbbbu); // -3
  EXPECT_EQ(m.v(4), 0x3c00bbbbu);
  EXPECT_EQ(m.f(5), 4.0f);
  EXPECT_EQ(m.s(4) & 1, 1u);
}

TEST(VectorEncoding, OpSelOfGfx10) {
  VectorMachine m("gfx1030");
  m.v(0) = 0x40003c00;
  m.v(1) = 0x44004200;
  m.v(2) = 0xaaaabbbb;
  m.run("v_fma_f16 v2, v0, v1, 1.0 op_sel:[1,0,0,1]");
  EXPECT_EQ(m.v(2), 0x4700bbbbu); // 2 * 3 + 1 = 7
}

TEST(VectorEncoding, DualWithLiteralAndAddend) {
  VectorMachine m("gfx1100");
  m.setFloat(0, 3);
  m.setFloat(1, 2);
  m.setFloat(3, 100);
  m.v(4) = 5;
  m.run("v_dual_fmac_f32 v3, v0, v1 :: v_dual_add_nc_u32 v6, 7, v4");
  EXPECT_EQ(m.f(3), 106.0f);
  EXPECT_EQ(m.v(6), 12u);
}

TEST(VectorEncoding, LiteralsOfFmaakAndFmamk) {
  VectorMachine m("gfx1030");
  m.setFloat(0, 3);
  m.setFloat(1, 2);
  m.run("v_fmaak_f32 v2, v0, v1, 0x42c80000\n" // 3 * 2 + 100
        "v_fmamk_f32 v3, v0, 0x42c80000, v1"); // 3 * 100 + 2
  EXPECT_EQ(m.f(2), 106.0f);
  EXPECT_EQ(m.f(3), 302.0f);
}

TEST(VectorEncoding, ConstantsOfEachWidth) {
  VectorMachine m("gfx90a");
  m.run("v_add_f64 v[0:1], 1.0, 0.5\n v_add_f16_e64 v2, 1.0, 0.5\n"
        "v_add_f32_e64 v3, 1.0, 0.5\n v_add_u32_e64 v4, -1, -16\n"
        "v_lshlrev_b64 v[6:7], 4, -1");
  EXPECT_EQ(m.v64(0), llvm::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(m.v(2), 0x3e00u);
  EXPECT_EQ(m.f(3), 1.5f);
  EXPECT_EQ(m.v(4), 0u - 17);
  EXPECT_EQ(m.v64(6), 0xfffffffffffffff0u);
}

TEST(VectorEncoding, InactiveLanesKeepTheirValues) {
  VectorMachine m("gfx942");
  m.fill(0, [](unsigned lane) { return lane; });
  m.getWave().setExec(0xaaaaaaaaaaaaaaaa);
  m.run("v_mov_b32 v0, 77");
  EXPECT_EQ(m.v(0, 0), 0u);
  EXPECT_EQ(m.v(0, 1), 77u);
  EXPECT_EQ(m.v(0, 63), 77u);
}
