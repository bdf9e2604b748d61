//===- ConstantsTest.cpp - What the compiler computes ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sema;

/// No message if the constant condition is true.
static std::string holds(llvm::StringRef condition, SemaOptions options = {}) {
  return messagesOf(
      ("static if !(" + condition + ") { false_condition(); }").str(),
      std::move(options));
}

TEST(ConstantsTest, IntegersWrap) {
  EXPECT_EQ(holds("2147483647 + 1 == -2147483648"), "");
  EXPECT_EQ(holds("(255 as u8) + 1 == 0"), "");
  EXPECT_EQ(holds("(0 as u32) - 1 == 4294967295"), "");
  EXPECT_EQ(holds("(300 as u8) == 44"), "");
  EXPECT_EQ(holds("(-1 as u32) == 4294967295"), "");
  EXPECT_EQ(holds("(-1 as u64) == 18446744073709551615"), "");
}

TEST(ConstantsTest, TheCheckItselfCanFail) {
  EXPECT_NE(holds("1 + 1 == 3"), "");
}

TEST(ConstantsTest, DivisionIsTotalAndTruncates) {
  EXPECT_EQ(holds("-7 / 2 == -3"), "");
  EXPECT_EQ(holds("-7 % 2 == -1"), "");
  EXPECT_EQ(holds("-2147483648 / -1 == -2147483648"), "");
  EXPECT_EQ(holds("-2147483648 % -1 == 0"), "");
}

TEST(ConstantsTest, ShiftCountsAreTakenModuloTheWidth) {
  EXPECT_EQ(holds("1 << 33 == 2"), "");
  EXPECT_EQ(holds("-8 >> 1 == -4"), "");
  EXPECT_EQ(holds("(128 as u8) >> 7 == 1"), "");
  EXPECT_EQ(holds("(1 as i64) << 40 == 1099511627776"), "");
}

TEST(ConstantsTest, FloatsRoundInTheirOwnFormat) {
  EXPECT_EQ(holds("16777216.0 + 1.0 == 16777216.0"), "");
  EXPECT_EQ(holds("(16777216.0 as f64) + 1.0 == 16777217.0"), "");
  EXPECT_EQ(holds("(1.0 as bf16) + 0.00390625 == 1.0"), "");
  EXPECT_EQ(holds("(2049 as f16) == 2048.0"), "");
  EXPECT_EQ(holds("nan != nan"), "");
  EXPECT_EQ(holds("!(nan == nan) && !(nan < 1.0)"), "");
  EXPECT_EQ(holds("-inf < -3.4e38"), "");
}

TEST(ConstantsTest, CastsTypeLiteralsAlone) {
  // A literal has the type that it is cast to ...
  EXPECT_EQ(holds("(0.1 as f64) == (1 as f64) / 10.0"), "");
  EXPECT_EQ(holds("((-0.1) as f64) == (-1 as f64) / 10.0"), "");
  EXPECT_EQ(holds("((3000000000) as i64) == 3000000000"), "");
  // ... what is computed from literals has the type that it has without a cast.
  EXPECT_EQ(holds("((1 / 2) as f32) == 0.0"), "");
  EXPECT_EQ(holds("((0.1 + 0.0) as f64) == (13421773 as f64) / 134217728.0"),
            "");
  EXPECT_EQ(holds("((1 << 33) as i64) == 2"), "");
  EXPECT_EQ(holds("((2147483647 + 1) as i64) == -2147483648"), "");
  EXPECT_EQ(holds("((200 + 100) as u8) == 44"), "");
  EXPECT_EQ(holds("((true ? 0.1 : 0.0) as f64) == ((0.1 as f32) as f64)"), "");
  EXPECT_EQ(messagesOf("let v = (3000000000 + 1) as i64;"),
            "1: error: literal 3000000000 does not fit i32\n"
            "1: note: its context gives it no type, and so it is i32; write "
            "'3000000000 as i64'\n");
  EXPECT_EQ(messagesOf("let v = (3000000000 * l) as i32;"), "");
}

TEST(ConstantsTest, FloatToIntegerSaturates) {
  EXPECT_EQ(holds("(1e20 as i32) == 2147483647"), "");
  EXPECT_EQ(holds("(-1e20 as i32) == -2147483648"), "");
  EXPECT_EQ(holds("(-1.0 as u8) == 0"), "");
  EXPECT_EQ(holds("(nan as i32) == 0"), "");
  EXPECT_EQ(holds("(-1.9 as i32) == -1"), "");
}

TEST(ConstantsTest, TargetValuesAreConstants) {
  SemaOptions options;
  options.target.vendor = "nvidia";
  options.target.chip = "sm_90";
  options.target.warpSize = 32;
  options.target.features = {"redux"};
  EXPECT_EQ(holds("target.vendor == \"nvidia\"", options), "");
  EXPECT_EQ(holds("target.chip != \"gfx942\"", options), "");
  EXPECT_EQ(holds("target.warp_size == 32", options), "");
  EXPECT_EQ(holds("target.has(\"redux\") && !target.has(\"dpp\")", options),
            "");
}

TEST(ConstantsTest, BitcastsKeepTheBytes) {
  EXPECT_EQ(holds("bitcast<u32>(1.0) == 0x3f800000"), "");
  EXPECT_EQ(holds("bitcast<u32>(-0.0) == 0x80000000"), "");
  EXPECT_EQ(holds("bitcast<[u16; 2]>(0x12345678)[0] == 0x5678"), "");
}

TEST(ConstantsTest, ConstItemsMayBeOverridden) {
  const char *text = "const N: u32 = 4;\n"
                     "const M: i64 = N * 2;\n"
                     "kernel k(x: mut [n]i64) workgroup(N) { x[0] = M; }";
  Checked plain(text);
  ASSERT_EQ(plain.messages(), "");
  EXPECT_EQ(plain.kernel("k")->workgroup[0], 4u);
  SemaOptions options;
  options.defines = {{"N", "2 * 16"}};
  Checked overridden(text, options);
  ASSERT_EQ(overridden.messages(), "");
  EXPECT_EQ(overridden.kernel("k")->workgroup[0], 32u);
}

TEST(ConstantsTest, WrongDefinesAreErrors) {
  const char *text = "const N: u32 = 4;\nkernel k() workgroup(N) { }";
  SemaOptions unknown;
  unknown.defines = {{"M", "1"}};
  EXPECT_EQ(Checked(text, unknown).messages(),
            "error: -D M=1: the program has no constant 'M'\n");
  SemaOptions wrong;
  wrong.defines = {{"N", "-1"}};
  EXPECT_EQ(Checked(text, wrong).messages(),
            "1: error: literal -1 does not fit u32\n");
}

TEST(ConstantsTest, ConstantsOfStructsAndArraysFold) {
  EXPECT_EQ(Checked("struct P { x: f32, y: [i32; 2] }\n"
                    "const C: P = P { y: [3, 4], x: 1.5 };\n"
                    "kernel k() workgroup(C.y[1]) { }")
                .kernel("k")
                ->workgroup[0],
            4u);
}

TEST(ConstantsTest, CyclesAreErrors) {
  EXPECT_EQ(Checked("const A: i32 = B;\nconst B: i32 = A;\n").messages(),
            "2: error: constant 'A' is defined by itself\n");
}
