//===- ExpressionsTest.cpp - Literals, conversions, places ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypedPrinter.h"
#include "gtest/gtest.h"

using namespace coll::sema::test;

TEST(ExpressionsTest, LiteralsAdapt) {
  EXPECT_EQ(print("let v = u[0] * 2;"), "{ let v: u32 = (u[0] * 2); }");
  EXPECT_EQ(print("let v = 2 * x[0];"), "{ let v: f32 = (2 * x[0]); }");
  EXPECT_EQ(print("let v: u8 = 255;"), "{ let v: u8 = 255; }");
  EXPECT_EQ(print("let v = 1 + 0.5;"), "{ let v: f32 = 1.5; }");
  EXPECT_EQ(print("let v: f64 = 1;"), "{ let v: f64 = 1; }");
  EXPECT_EQ(print("let v: i64 = 1 << 40;"), "{ let v: i64 = 1099511627776; }");
  EXPECT_EQ(print("let v = d[0, 0] * 0.1;"),
            "{ let v: f64 = (d[0, 0] * 0.10000000000000001); }");
  EXPECT_EQ(print("let v = p ? u[0] : 0;"), "{ let v: u32 = (p ? u[0] : 0); }");
}

TEST(ExpressionsTest, IntegersWiden) {
  EXPECT_EQ(print("let v = block.index + thread.rank;"),
            "{ let v: i64 = (block.index + (block.rank as i64)); }");
  EXPECT_EQ(print("let v: i64 = u[0];"), "{ let v: i64 = (u[0] as i64); }");
  EXPECT_EQ(check("let v: u64 = i;"),
            "error: expected u64, got i32; write 'as u64' to convert\n");
  EXPECT_EQ(print("let v = i < u[0];"),
            "{ let v: bool = ((i as i64) < (u[0] as i64)); }");
  EXPECT_EQ(check("let v = i + (u[0] as u64);"),
            "error: the operands of '+' have different types: i32 and u64\n"
            "note: convert one of them with 'as'\n");
}

TEST(ExpressionsTest, ConstantsConvertWhereTheyFit) {
  const char *items = "const THREADS: u32 = 256;\nconst BIG: i64 = 4096;\n";
  EXPECT_EQ(print("let v = thread.rank * THREADS;", items),
            "{ let v: i32 = (block.rank * 256); }");
  EXPECT_EQ(print("let v = thread.rank * BIG;", items),
            "{ let v: i64 = ((block.rank as i64) * 4096); }");
  EXPECT_EQ(check("let v: u8 = THREADS;", items),
            "error: constant 256 does not fit u8\n");
}

TEST(ExpressionsTest, ShiftsKeepTheLeftType) {
  EXPECT_EQ(print("let v = u[0] >> i;"),
            "{ let v: u32 = (u[0] >> (i as u32)); }");
  EXPECT_EQ(print("let v = 1 << 3;"), "{ let v: i32 = 8; }");
  EXPECT_EQ(check("let v = 1 << 0.5;"),
            "error: a shift count must be an integer, got f32\n");
}

TEST(ExpressionsTest, ViewsAndSlices) {
  EXPECT_EQ(print("let r = d[i]; let v = r[j];"),
            "{ let r: [m]f64 = d[(i as i64)]; let v: f64 = r[(j as i64)]; }");
  EXPECT_EQ(print("let r = x[1..5];"), "{ let r: [4]f32 = x[..]; }");
  EXPECT_EQ(print("let r = x[i..];"), "{ let r: [?]f32 = x[..]; }");
  EXPECT_EQ(check("let v = x[0, 1];"),
            "error: [n]f32 takes one index, got 2\n");
  EXPECT_EQ(check("let v = x + 1.0;"),
            "error: expected a value, got the view [n]f32; index it\n");
}

TEST(ExpressionsTest, ArraysTuplesAndStructs) {
  EXPECT_EQ(print("var t: [[f32; 4]; 2] = 0.0; t[1][i] += a;"),
            "{ let t: [[f32; 4]; 2] = {0, 0, 0, 0, 0, 0, 0, 0}; "
            "t[1][(i as i64)] <(old value)> = ((old value) + a); }");
  EXPECT_EQ(print("let (q, r) = (i, a);"),
            "{ let (tuple): (i32, f32) = {i, a}; let q: i32 = (tuple).0; "
            "let r: f32 = (tuple).1; }");
  EXPECT_EQ(print("let s = S { b: i, a: 1.0 }; let v = s.b;",
                  "struct S { a: f64, b: i32 }\n"),
            "{ let s: S = {1, i}; let v: i32 = s.1; }");
  EXPECT_EQ(check("let v = [1, 2][2];"),
            "error: index 2 is out of the bounds of [i32; 2]\n");
}

TEST(ExpressionsTest, Vectors) {
  EXPECT_EQ(print("let v = f32x4(a); let w = v * 2 + a; let q = w.y;"),
            "{ let v: f32x4 = splat{a}; let w: f32x4 = fma(v, {2, 2, 2, 2}, "
            "splat{a}); let q: f32 = w.1; }");
  EXPECT_EQ(check("let v = f32x4(a, b);"),
            "error: f32x4 takes 1 or 4 values, got 2\n");
}

TEST(ExpressionsTest, Enums) {
  const char *items = "enum Flag: u32 { none, total = 4, prefix }\n";
  EXPECT_EQ(print("let v = Flag.prefix as u32;", items), "{ let v: u32 = 5; }");
  EXPECT_EQ(print("let v = (u[0] as Flag) == Flag.total;", items),
            "{ let v: bool = ((u[0] as Flag) == 4); }");
  EXPECT_EQ(check("let v = Flag.totl;", items),
            "error: enum Flag has no member 'totl'\n"
            "note: did you mean 'total'?\n");
}

TEST(ExpressionsTest, SwitchBecomesAChainOfIfs) {
  EXPECT_EQ(print("switch i { 1, 2: { y[0] = a; } else: { y[1] = a; } }"),
            "{ { let (switch): i32 = i; if (((switch) == 1) || ((switch) == "
            "2)) { y[0] = a; } else { y[1] = a; } } }");
}

TEST(ExpressionsTest, StaticForRepeatsItsBody) {
  EXPECT_EQ(print("static for k in (0..3).rev() { y[k] = x[k + 1]; }"),
            "{ { { y[2] = x[3]; } { y[1] = x[2]; } { y[0] = x[1]; } } }");
  EXPECT_EQ(print("static for a in 1..3 { static for b in 0..a { "
                  "u[a] = 1 << b; } }"),
            "{ { { { { u[1] = 1; } } } { { { u[2] = 1; } { u[2] = 2; } } } } "
            "}");
}

TEST(ExpressionsTest, RangesOfLoops) {
  EXPECT_EQ(print("for k in 0..n { y[k] = a; }"),
            "{ for k in 0..n { y[k] = a; } }");
  EXPECT_EQ(print("for k in (0..i).step(2) { y[k] = a; }"),
            "{ for k in 0..i step 2 { y[(k as i64)] = a; } }");
}
