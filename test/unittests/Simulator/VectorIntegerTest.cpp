//===- VectorIntegerTest.cpp - Integers and bits --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

/// v3 after an instruction on v0, v1, v2.
static uint32_t run3(llvm::StringRef chip, const std::string &mnemonic,
                     uint32_t a, uint32_t b, uint32_t c) {
  VectorMachine m(chip);
  m.v(0) = a;
  m.v(1) = b;
  m.v(2) = c;
  m.run(mnemonic + " v3, v0, v1, v2");
  return m.v(3);
}

static uint32_t run2(llvm::StringRef chip, const std::string &mnemonic,
                     uint32_t a, uint32_t b,
                     const std::string &modifiers = "") {
  VectorMachine m(chip);
  m.v(0) = a;
  m.v(1) = b;
  m.run(mnemonic + " v3, v0, v1" + modifiers);
  return m.v(3);
}

TEST(VectorInteger, CarryChain) {
  VectorMachine m("gfx90a");
  // 0x1_ffffffff_ffffffff + 1 in three words.
  m.fill(0, [](unsigned) { return 0xffffffff; });
  m.fill(1, [](unsigned) { return 0xffffffff; });
  m.fill(2, [](unsigned) { return 1; });
  m.run("v_add_co_u32_e32 v3, vcc, 1, v0\n"
        "v_addc_co_u32_e32 v4, vcc, 0, v1, vcc\n"
        "v_addc_co_u32_e32 v5, vcc, 0, v2, vcc");
  EXPECT_EQ(m.v(3, 63), 0u);
  EXPECT_EQ(m.v(4, 63), 0u);
  EXPECT_EQ(m.v(5, 63), 2u);
  EXPECT_EQ(m.getWave().getVCC(), 0u);
}

TEST(VectorInteger, CarryOfInactiveLanesIsZero) {
  VectorMachine m("gfx90a");
  m.fill(0, [](unsigned) { return 0xffffffff; });
  m.getWave().setExec(0xf);
  m.run("v_add_co_u32_e64 v3, s[4:5], v0, v0");
  EXPECT_EQ(m.s(4), 0xfu);
  EXPECT_EQ(m.s(5), 0u);
  EXPECT_EQ(m.v(3, 4), 0u);
}

TEST(VectorInteger, BorrowChain) {
  VectorMachine m("gfx1100");
  m.fill(0, [](unsigned) { return 0; });
  m.fill(1, [](unsigned) { return 5; });
  m.run("v_sub_co_u32 v2, s4, v0, 1\n"
        "v_sub_co_ci_u32_e64 v3, s4, v1, 5, s4\n"
        "v_sub_co_ci_u32_e64 v4, s5, v1, 0, s4");
  EXPECT_EQ(m.v(2), 0xffffffffu);
  EXPECT_EQ(m.v(3), 0xffffffffu); // 5 - 5 - 1, borrows again.
  EXPECT_EQ(m.v(4), 4u);
  EXPECT_EQ(m.s(4), 0xffffffffu);
  EXPECT_EQ(m.s(5), 0u);
}

TEST(VectorInteger, NullCarryOutIsDropped) {
  VectorMachine m("gfx1201");
  m.v(0) = 0xffffffff;
  m.run("v_add_co_ci_u32_e64 v2, null, v0, 1, vcc_lo");
  EXPECT_EQ(m.v(2), 0u);
}

TEST(VectorInteger, ClampSaturates) {
  EXPECT_EQ(run2("gfx90a", "v_add_u32_e64", 0xfffffff0, 0x20, " clamp"), ~0u);
  EXPECT_EQ(run2("gfx90a", "v_sub_u32_e64", 3, 5, " clamp"), 0u);
  EXPECT_EQ(run2("gfx1100", "v_sub_nc_i32", 0x80000000, 1, " clamp"),
            0x80000000u);
  EXPECT_EQ(run2("gfx90a", "v_add_i16", 0x7fff, 1, " clamp") & 0xffff, 0x7fffu);
}

TEST(VectorInteger, MultiplyHigh) {
  EXPECT_EQ(run2("gfx90a", "v_mul_hi_u32", 0xffffffff, 0xffffffff),
            0xfffffffeu);
  EXPECT_EQ(run2("gfx90a", "v_mul_hi_i32", 0xffffffff, 2), 0xffffffffu);
  EXPECT_EQ(run2("gfx90a", "v_mul_hi_u32_u24", 0xff123456, 0xffffff), 0x1234u);
  EXPECT_EQ(run2("gfx1030", "v_mul_i32_i24_e64", 0x00ffffff, 7), 0u - 7);
  EXPECT_EQ(run2("gfx1030", "v_mul_u32_u24_e64", 0x01000002, 7), 14u);
}

TEST(VectorInteger, MadU64WithCarryOut) {
  VectorMachine m("gfx942");
  m.v(0) = 0xffffffff;
  m.v(1) = 0xffffffff;
  m.setWide(2, 0x00000001ffffffff); // The product is 0xfffffffe00000001.
  m.run("v_mad_u64_u32 v[4:5], s[4:5], v0, v1, v[2:3]");
  EXPECT_EQ(m.v64(4), 0u);
  EXPECT_EQ(m.s(4), 1u);
  m.v(0) = 0xfffffffe; // -2
  m.v(1) = 3;
  m.setWide(2, 1);
  m.run("v_mad_i64_i32 v[4:5], s[4:5], v0, v1, v[2:3]");
  EXPECT_EQ(m.v64(4), 0ull - 5);
}

TEST(VectorInteger, WideShiftsTakeSixBits) {
  VectorMachine m("gfx90a");
  m.v(0) = 64 + 36;
  m.setWide(2, 0x8000000000000003);
  m.run("v_lshlrev_b64 v[4:5], v0, v[2:3]\n v_lshrrev_b64 v[6:7], v0, v[2:3]\n"
        "v_ashrrev_i64 v[8:9], v0, v[2:3]");
  EXPECT_EQ(m.v64(4), 0x0000003000000000u);
  EXPECT_EQ(m.v64(6), 0x0000000008000000u);
  EXPECT_EQ(m.v64(8), 0xfffffffff8000000u);
}

TEST(VectorInteger, WideShiftsOfUndefinedHalves) {
  VectorMachine m("gfx1100");
  auto isKnown = [&](unsigned reg) {
    Operand operand;
    operand.kind = OperandKind::VGPR;
    operand.index = reg;
    operand.dwords = 1;
    return (m.getWave().getInitializedLanes(operand) & 1) != 0;
  };
  auto shift = [&](unsigned undefined) {
    m.getWave().markVGPR(2, ~0ull, undefined == 2 ? 0 : ~0ull);
    m.getWave().markVGPR(3, ~0ull, undefined == 3 ? 0 : ~0ull);
    m.run("v_lshlrev_b64 v[4:5], 24, v[2:3]\n"
          "v_lshlrev_b64 v[6:7], 40, v[2:3]\n"
          "v_lshrrev_b64 v[8:9], 24, v[2:3]\n"
          "v_ashrrev_i64 v[10:11], 40, v[2:3]");
  };
  shift(2);
  EXPECT_FALSE(isKnown(4));
  EXPECT_TRUE(isKnown(5)); // In part.
  EXPECT_FALSE(isKnown(7));
  EXPECT_TRUE(isKnown(8)); // In part.
  EXPECT_TRUE(isKnown(9));
  EXPECT_TRUE(isKnown(10));
  shift(3);
  EXPECT_TRUE(isKnown(4));
  EXPECT_TRUE(isKnown(5)); // In part.
  EXPECT_TRUE(isKnown(7));
  EXPECT_TRUE(isKnown(8)); // In part.
  EXPECT_FALSE(isKnown(9));
  EXPECT_FALSE(isKnown(10));
}

TEST(VectorInteger, LshlAddU64) {
  VectorMachine m("gfx942");
  m.setWide(0, 0x00000000ffffffff);
  m.setWide(2, 8);
  m.run("v_lshl_add_u64 v[4:5], v[0:1], 3, v[2:3]");
  EXPECT_EQ(m.v64(4), 0x0000000800000000u);
}

TEST(VectorInteger, ShiftsTakeFiveBits) {
  EXPECT_EQ(run2("gfx90a", "v_lshlrev_b32_e64", 33, 1), 2u);
  EXPECT_EQ(run2("gfx90a", "v_ashrrev_i32_e64", 63, 0x80000000), 0xffffffffu);
}

TEST(VectorInteger, BitFields) {
  EXPECT_EQ(run3("gfx90a", "v_bfe_u32", 0xabcd1234, 8, 8), 0x12u);
  EXPECT_EQ(run3("gfx90a", "v_bfe_u32", 0xabcd1234, 24, 31), 0xabu);
  EXPECT_EQ(run3("gfx90a", "v_bfe_u32", 0xabcd1234, 4, 32), 0u); // 0 bits.
  EXPECT_EQ(run3("gfx90a", "v_bfe_i32", 0x00000f00, 8, 4), 0xffffffffu);
  EXPECT_EQ(run3("gfx90a", "v_bfe_i32", 0x80000000, 28, 8), 0xfffffff8u);
  EXPECT_EQ(run3("gfx90a", "v_bfi_b32", 0xffff0000, 0x12345678, 0x9abcdef0),
            0x1234def0u);
  EXPECT_EQ(run2("gfx90a", "v_bfm_b32", 4, 8), 0xf00u);
  EXPECT_EQ(run3("gfx90a", "v_alignbit_b32", 0x00000001, 0x80000000, 31), 3u);
  EXPECT_EQ(run3("gfx90a", "v_alignbyte_b32", 0x11223344, 0xaabbccdd, 1),
            0x44aabbccu);
}

TEST(VectorInteger, PermPicksBytes) {
  // Bytes 0 to 3 are v1's, 4 to 7 v0's; 8 is the sign of byte 1, 12 is 0x00,
  // 13 and above are 0xff.
  EXPECT_EQ(run3("gfx90a", "v_perm_b32", 0x77665544, 0x33229100, 0x070d0c08),
            0x77ff00ffu);
  EXPECT_EQ(run3("gfx90a", "v_perm_b32", 0x77665544, 0x33221100, 0x00040307),
            0x00443377u);
}

TEST(VectorInteger, Fused) {
  EXPECT_EQ(run3("gfx90a", "v_add3_u32", 1, 2, 0xffffffff), 2u);
  EXPECT_EQ(run3("gfx90a", "v_xad_u32", 0xf0, 0xff, 1), 0x10u);
  EXPECT_EQ(run3("gfx90a", "v_lshl_add_u32", 3, 4, 5), 53u);
  EXPECT_EQ(run3("gfx90a", "v_add_lshl_u32", 3, 4, 5), 224u);
  EXPECT_EQ(run3("gfx90a", "v_lshl_or_b32", 3, 4, 5), 0x35u);
  EXPECT_EQ(run3("gfx90a", "v_and_or_b32", 0xf0, 0x3c, 1), 0x31u);
  EXPECT_EQ(run3("gfx1030", "v_xor3_b32", 1, 2, 7), 4u);
}

TEST(VectorInteger, Bitop3ReadsItsTable) {
  VectorMachine m("gfx950");
  m.v(0) = 0xf0f0f0f0;
  m.v(1) = 0xcccccccc;
  m.v(2) = 0xaaaaaaaa;
  // These operands list the rows of the table, lowest first.
  m.run("v_bitop3_b32 v3, v0, v1, v2 bitop3:0x6c");
  EXPECT_EQ(m.v(3), 0x6c6c6c6cu);
  m.v(4) = 0x12345678;
  m.run("v_bitop3_b16 v4, v0, v1, v2 bitop3:0x96 op_sel:[0,0,0,1]");
  EXPECT_EQ(m.v(4), 0x96965678u);
}

TEST(VectorInteger, CountingBits) {
  VectorMachine m("gfx90a");
  m.v(0) = 0x00010000;
  m.v(1) = 0xfff00000;
  m.run("v_ffbh_u32 v2, v0\n v_ffbl_b32 v3, v0\n v_ffbh_i32 v4, v1\n"
        "v_ffbh_u32 v5, v9\n v_ffbl_b32 v6, v9\n v_ffbh_i32 v7, v9\n"
        "v_bfrev_b32 v8, v0\n v_bcnt_u32_b32 v10, v1, 3");
  EXPECT_EQ(m.v(2), 15u);
  EXPECT_EQ(m.v(3), 16u);
  EXPECT_EQ(m.v(4), 12u);
  EXPECT_EQ(m.v(5), ~0u);
  EXPECT_EQ(m.v(6), ~0u);
  EXPECT_EQ(m.v(7), ~0u);
  EXPECT_EQ(m.v(8), 0x00008000u);
  EXPECT_EQ(m.v(10), 15u);
}

TEST(VectorInteger, ThreeOperandMinMax) {
  EXPECT_EQ(run3("gfx90a", "v_min3_i32", 5, ~0u, 3), ~0u);
  EXPECT_EQ(run3("gfx90a", "v_max3_u32", 5, ~0u, 3), ~0u);
  EXPECT_EQ(run3("gfx90a", "v_med3_i32", 5, ~0u, 3), 3u);
  EXPECT_EQ(run3("gfx1100", "v_maxmin_i32", 5, 9, 7), 7u);
  EXPECT_EQ(run3("gfx1100", "v_minmax_u32", 5, 9, 7), 7u);
}

TEST(VectorInteger, SixteenBitsClearTheUpperHalfOnGfx9Only) {
  for (auto [chip, instruction, expected] :
       {std::tuple("gfx942", "v_add_u16 v3, v0, v1", 0x00000001u),
        {"gfx942", "v_mad_u16 v3, v0, v1, v2", 0xabcd0000u},
        {"gfx1030", "v_add_nc_u16 v3, v0, v1", 0xabcd0001u}}) {
    VectorMachine m(chip);
    m.v(0) = 0x5555ffff;
    m.v(1) = 0x66660002;
    m.v(2) = 2;
    m.v(3) = 0xabcd1234;
    m.run(instruction);
    EXPECT_EQ(m.v(3), expected) << chip << " " << instruction;
  }
}

TEST(VectorInteger, Compare64) {
  VectorMachine m("gfx90a");
  m.setWide(0, 0x8000000000000000);
  m.setWide(2, 1);
  m.run("v_cmp_lt_i64_e64 s[4:5], v[0:1], v[2:3]\n"
        "v_cmp_lt_u64_e64 s[6:7], v[0:1], v[2:3]");
  EXPECT_EQ(m.s(4) & 1, 1u);
  EXPECT_EQ(m.s(6) & 1, 0u);
}

TEST(VectorInteger, CndmaskTracksWhatItPicks) {
  VectorMachine m("gfx90a");
  m.v(0) = 1;
  m.v(1) = 2;
  m.s(4) = 1;
  Wave &wave = m.getWave();
  wave.vgprInit[0] = 0; // The operand that no lane but 1 and up takes.
  m.run("v_cndmask_b32_e64 v2, v0, v1, s[4:5]");
  EXPECT_EQ(m.v(2), 2u);
  EXPECT_EQ(wave.vgprInit[2], 1u);
  m.run("v_add_u32 v3, v0, v1");
  EXPECT_EQ(wave.vgprInit[3], 0u);
}

TEST(VectorInteger, Swap) {
  VectorMachine m("gfx1100");
  m.v(0) = 0x00010002;
  m.v(1) = 0x00030004;
  m.run("v_swap_b32 v0, v1");
  EXPECT_EQ(m.v(0), 0x00030004u);
  m.run("v_swap_b16 v0.h, v1.l");
  EXPECT_EQ(m.v(0), 0x00020004u);
  EXPECT_EQ(m.v(1), 0x00010003u);
}

TEST(VectorInteger, MeansOfBytes) {
  VectorMachine m("gfx90a");
  m.v(0) = 0x01ff0002;
  m.v(1) = 0x03ff0105;
  m.v(2) = 0x00010101;
  m.run("v_lerp_u8 v3, v0, v1, v2");
  EXPECT_EQ(m.v(3), 0x02ff0104u);
}

TEST(VectorInteger, ShiftsThatPackBytes) {
  VectorMachine m("gfx950");
  m.v(0) = 1000;
  m.v(1) = static_cast<uint32_t>(-3000);
  m.v(2) = 34; // The shift's low 5 bits count.
  m.v(4) = 0x5678abcd;
  m.run("v_ashr_pk_i8_i32 v3, v0, v1, v2\n v_ashr_pk_u8_i32 v5, v0, v1, v2\n"
        "v_ashr_pk_i8_i32 v4, v0, v1, v2 op_sel:[0,0,0,1]");
  EXPECT_EQ(m.v(3) & 0xffff, 0x807fu);
  EXPECT_EQ(m.v(5) & 0xffff, 0x00fau);
  EXPECT_EQ(m.v(4), 0x807fabcdu);
}
