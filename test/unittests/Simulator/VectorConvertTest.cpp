//===- VectorConvertTest.cpp - Conversions --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace coll::sim;

static uint32_t run1(const std::string &mnemonic, uint32_t x,
                     llvm::StringRef chip = "gfx90a") {
  VectorMachine m(chip);
  m.v(0) = x;
  m.run(mnemonic + " v1, v0");
  return m.v(1);
}
static uint32_t bits(float x) { return llvm::bit_cast<uint32_t>(x); }

TEST(VectorConvert, FloatToIntegerTruncatesAndSaturates) {
  EXPECT_EQ(run1("v_cvt_i32_f32", bits(-2.9f)), 0u - 2);
  EXPECT_EQ(run1("v_cvt_i32_f32", bits(3e9f)), 0x7fffffffu);
  EXPECT_EQ(run1("v_cvt_i32_f32", bits(-3e9f)), 0x80000000u);
  EXPECT_EQ(run1("v_cvt_i32_f32", 0x7fc00000), 0u);
  EXPECT_EQ(run1("v_cvt_u32_f32", bits(-1.0f)), 0u);
  EXPECT_EQ(run1("v_cvt_u32_f32", bits(-0.5f)), 0u);
  EXPECT_EQ(run1("v_cvt_u32_f32", bits(4e9f)), 4000000000u);
  EXPECT_EQ(run1("v_cvt_u32_f32", 0x7f800000), 0xffffffffu);
  EXPECT_EQ(run1("v_cvt_u32_f32", 0xff800000), 0u);
}

TEST(VectorConvert, DoubleToInteger) {
  VectorMachine m("gfx942");
  m.setWide(0, llvm::bit_cast<uint64_t>(4294967295.9));
  m.setWide(2, llvm::bit_cast<uint64_t>(-2147483648.9));
  m.run("v_cvt_u32_f64 v4, v[0:1]\n v_cvt_i32_f64 v5, v[0:1]\n"
        "v_cvt_i32_f64 v6, v[2:3]\n v_cvt_u32_f64 v7, v[2:3]");
  EXPECT_EQ(m.v(4), 0xffffffffu);
  EXPECT_EQ(m.v(5), 0x7fffffffu);
  EXPECT_EQ(m.v(6), 0x80000000u);
  EXPECT_EQ(m.v(7), 0u);
}

TEST(VectorConvert, HalfToInteger) {
  EXPECT_EQ(run1("v_cvt_i16_f16", 0x7c00), 0x7fffu);
  EXPECT_EQ(run1("v_cvt_i16_f16", 0xf800), 0x8000u); // -32768
  EXPECT_EQ(run1("v_cvt_u16_f16", 0xbc00), 0u);      // -1
  EXPECT_EQ(run1("v_cvt_u16_f16", 0x7bff), 65504u);
}

TEST(VectorConvert, IntegerToFloatRoundsToEven) {
  EXPECT_EQ(run1("v_cvt_f32_u32", 0x01000001), bits(16777216.0f));
  EXPECT_EQ(run1("v_cvt_f32_u32", 0x01000003), bits(16777220.0f));
  EXPECT_EQ(run1("v_cvt_f32_u32", 0xffffffff), bits(4294967296.0f));
  EXPECT_EQ(run1("v_cvt_f32_i32", 0x80000000), bits(-2147483648.0f));
  EXPECT_EQ(run1("v_cvt_f32_i32", 0xffffffff), bits(-1.0f));
  EXPECT_EQ(run1("v_cvt_f32_ubyte2", 0x11fe3344), bits(254.0f));
}

TEST(VectorConvert, HalfPrecision) {
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(1.0f)), 0x3c00u);
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(65519.0f)), 0x7bffu);
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(65520.0f)), 0x7c00u); // The tie.
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(0x1p-25f)), 0u);      // The tie.
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(0x1.8p-25f)), 1u);
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(0x1.002p0f)), 0x3c00u); // The tie.
  EXPECT_EQ(run1("v_cvt_f16_f32", bits(0x1.006p0f)), 0x3c02u); // The tie.
  EXPECT_EQ(run1("v_cvt_f32_f16", 0x0001), bits(0x1p-24f));
  EXPECT_EQ(run1("v_cvt_f32_f16", 0x83ff), bits(-0x1.ff8p-15f));
  EXPECT_EQ(run1("v_cvt_f32_f16", 0xfc00), 0xff800000u);
}

TEST(VectorConvert, HalfPrecisionFlushesByMode) {
  VectorMachine m("gfx90a");
  m.getWave().mode &= ~(3u << Denorm16_64Shift);
  m.v(0) = bits(0x1p-24f);
  m.v(1) = 1;
  m.run("v_cvt_f16_f32 v2, v0\n v_cvt_f32_f16 v3, v1");
  EXPECT_EQ(m.v(2), 0u);
  EXPECT_EQ(m.v(3), 0u);
}

TEST(VectorConvert, DoublesAndFloats) {
  VectorMachine m("gfx90a");
  m.setWide(0, llvm::bit_cast<uint64_t>(1 + 0x1p-24 + 0x1p-50));
  m.setWide(2, llvm::bit_cast<uint64_t>(1e300));
  m.v(6) = bits(0x1p-149f);
  m.run("v_cvt_f32_f64 v4, v[0:1]\n v_cvt_f32_f64 v5, v[2:3]\n"
        "v_cvt_f64_f32 v[8:9], v6");
  EXPECT_EQ(m.v(4), 0x3f800001u);
  EXPECT_EQ(m.v(5), 0x7f800000u);
  EXPECT_EQ(m.v64(8), llvm::bit_cast<uint64_t>(0x1p-149));
}

TEST(VectorConvert, Packing) {
  VectorMachine m("gfx90a");
  m.v(0) = bits(1.9999f);
  m.v(1) = bits(-70000.0f);
  m.v(2) = 0x00012345;
  m.v(3) = 0xffff0000;
  m.run("v_cvt_pkrtz_f16_f32 v4, v0, v1\n v_cvt_pk_u16_u32 v5, v2, v3\n"
        "v_cvt_pk_i16_i32 v6, v2, v3\n v_pack_b32_f16 v7, v2, v3\n"
        "v_cvt_pknorm_i16_f32 v8, v0, v1\n v_cvt_pk_u8_f32 v9, v0, 2, v2");
  EXPECT_EQ(m.v(4), 0xfbff3fffu); // Toward zero: no infinity.
  EXPECT_EQ(m.v(5), 0xffffffffu);
  EXPECT_EQ(m.v(6), 0x80007fffu);
  EXPECT_EQ(m.v(7), 0x00002345u);
  EXPECT_EQ(m.v(8), 0x80017fffu);
  EXPECT_EQ(m.v(9), 0x00012345u); // Byte 2 is 1.
}

TEST(VectorConvert, BFloatOfGfx950) {
  VectorMachine m("gfx950");
  m.v(0) = 0x3f808000; // Halfway between 0x3f80 and 0x3f81.
  m.v(1) = 0x3f818000; // Halfway between 0x3f81 and 0x3f82.
  m.run("v_cvt_pk_bf16_f32 v2, v0, v1");
  EXPECT_EQ(m.v(2), 0x3f823f80u);
}
