//===- BuiltinsTest.cpp - Functions, atomics and masks --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypedPrinter.h"
#include <gtest/gtest.h>

using namespace coll::sema;
using namespace coll::sema::test;

namespace {

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST(Builtins, LiteralsAdaptAndIntegersWiden) {
  EXPECT_EQ(print("let t = max(a, 0);"), "{ let t: f32 = max(a, 0); }");
  EXPECT_EQ(print("let t = min(i, n);"),
            "{ let t: i64 = min((i as i64), n); }");
  EXPECT_EQ(print("let t = clamp(h[0], 0.0, 1.0);"),
            "{ let t: f16 = clamp(h[0], 0, 1); }");
}

TEST(Builtins, Domains) {
  EXPECT_EQ(check("let t = sqrt(i);"), "error: sqrt takes floats, got i32\n");
  EXPECT_EQ(check("let t = popcount(a);"),
            "error: popcount takes integers, got f32\n");
  EXPECT_EQ(check("let t = min(p, p);"),
            "error: min takes numbers, got bool\n");
  EXPECT_EQ(check("let t = minimum(i, j);"),
            "error: minimum takes floats, got i32; use min\n");
  EXPECT_EQ(check("let t = fast.exp(d[0, 0]);"),
            "error: fast.exp takes f32, got f64; use exp\n");
  EXPECT_EQ(check("let t = a as bf16; let s = fma(t, t, t);"),
            "error: fma takes f16, f32 or f64, got bf16; chips disagree on its "
            "rounding, so convert to f32\n");
}

TEST(Builtins, ResultTypes) {
  EXPECT_EQ(print("let t = popcount(u[0]);"),
            "{ let t: u32 = popcount(u[0]); }");
  EXPECT_EQ(print("let t = is_nan(a);"), "{ let t: bool = isnan(a); }");
  EXPECT_EQ(print("let t = abs(u[0]);"), "{ let t: u32 = u[0]; }");
  EXPECT_EQ(print("let t = rotl(u[0], i);"),
            "{ let t: u32 = rotl(u[0], (i as u32)); }");
}

TEST(Builtins, ConstantsFold) {
  EXPECT_EQ(print("let t = min(3, 7) + max(1, -2);"), "{ let t: i32 = 4; }");
  EXPECT_EQ(print("let t = ceil_div(1000, 256);"), "{ let t: i32 = 4; }");
  EXPECT_EQ(print("let t = ceil_div(-7, 2);"), "{ let t: i32 = -3; }");
  EXPECT_EQ(print("let t = clz(1);"), "{ let t: i32 = 31; }");
  EXPECT_EQ(print("let t = popcount(255);"), "{ let t: i32 = 8; }");
  EXPECT_EQ(print("let t = rotr(1, 1);"), "{ let t: i32 = -2147483648; }");
  EXPECT_EQ(print("let t = byte_perm(0x33221100, 0x77665544, 0x7531);"),
            "{ let t: u32 = 2002072337; }"); // 0x77553311
  EXPECT_EQ(print("let t = floor(-1.5);"), "{ let t: f32 = -2; }");
  EXPECT_EQ(print("let t = sqrt(6.25) + rsqrt(0.25);"),
            "{ let t: f32 = 4.5; }");
  // A NaN operand loses; halves round away from zero.
  EXPECT_EQ(print("let t = max(nan, 1.0);"), "{ let t: f32 = 1; }");
  EXPECT_EQ(print("let t = round(2.5);"), "{ let t: f32 = 3; }");
}

TEST(Builtins, CeilDivAtRunTimeIsACall) {
  EXPECT_EQ(print("let t = ceil_div(n, 256);"),
            "{ let t: i64 = ceil_div(n, 256); }");
  EXPECT_EQ(check("let t = ceil_div(n, 0);"),
            "error: ceil_div by a constant zero\n");
}

TEST(Builtins, WrongCalls) {
  EXPECT_EQ(check("let t = min(a);"),
            "error: min(x, y) is called without 'y'\n");
  EXPECT_EQ(check("let t = sin(a);"),
            "error: sin is not supported yet; there is fast.sin\n");
}

TEST(Builtins, Fences) {
  EXPECT_EQ(check("fence(); fence(order = acquire, scope = block); pause();"),
            "");
  EXPECT_EQ(check("fence(order = relaxed);"),
            "error: a relaxed fence orders nothing; expected acquire, release, "
            "acq_rel or seq_cst\n");
  EXPECT_EQ(check("fence(scope = world);"),
            "error: expected a memory scope: warp, block, cluster, device, "
            "system\n");
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

TEST(Atomics, ViewsAndSharedArrays) {
  EXPECT_EQ(print("let t = atomic.add(u[0], 1);"),
            "{ let t: u32 = atomic.add(u[0], 1; relaxed device); }");
  EXPECT_EQ(print("let t = atomic.add(y[0], a, order = acq_rel, scope = "
                  "system);"),
            "{ let t: f32 = atomic.add(y[0], a; acq_rel system); }");
  std::string text = print("shared s: [i32; 8]; atomic.max(s[i], j);");
  EXPECT_NE(text.find("atomic.max(s[(i as i64)], j; relaxed block)"),
            std::string::npos)
      << text;
}

TEST(Atomics, CompareExchange) {
  EXPECT_EQ(print("let t = atomic.compare_exchange(u[0], 1, 2);"),
            "{ let t: u32 = atomic.compare_exchange(u[0], 1, 2; relaxed "
            "device); }");
}

TEST(Atomics, Places) {
  EXPECT_EQ(check("atomic.add(x[0], a);").substr(0, 7), "error: ");
  EXPECT_EQ(check("var s = i; atomic.add(s, 1);"),
            "error: atomic.add needs memory that threads share, 's' is a local "
            "variable\nnote: 's' is declared here\n");
  EXPECT_EQ(check("let t = atomic.load(x[0]);"), "");
}

TEST(Atomics, Types) {
  EXPECT_EQ(check("shared s: [u8; 4]; atomic.add(s[0], 1);"),
            "error: atomic.add works on integers and floats of 4 or 8 bytes, "
            "got u8\n");
  EXPECT_EQ(check("atomic.add(h[0], 1.0);"),
            "error: atomic.add on f16 is not supported yet\n");
  EXPECT_EQ(check("atomic.and(y[0], a);"),
            "error: atomic.and works on integers of 4 or 8 bytes, got f32\n");
  EXPECT_EQ(check("atomic.store(h[0], 1.0);"),
            "error: atomic.store works on values of 4 or 8 bytes, f16 has 2\n");
}

TEST(Atomics, StructsOfEightBytes) {
  std::string items = "struct Status { flag: u32, value: f32 }\n"
                      "struct Wide { pad: u32, status: Status, more: u32 }\n";
  EXPECT_EQ(check("shared s: [Status; 4]; let t = atomic.load(s[0]);", items),
            "");
  EXPECT_EQ(
      check("shared s: [Wide; 4]; let t = atomic.load(s[0].status);", items),
      "error: atomic.load needs a place at a multiple of 8 bytes, which a "
      "field of Wide need not be\n");
}

TEST(Atomics, Orders) {
  EXPECT_EQ(check("atomic.store(u[0], 1, order = acquire);"),
            "error: atomic.store cannot have the order acquire, expected "
            "relaxed, release or seq_cst\n");
  EXPECT_EQ(check("let t = atomic.load(u[0], order = acq_rel);"),
            "error: atomic.load cannot have the order acq_rel, expected "
            "relaxed, acquire or seq_cst\n");
}

TEST(Atomics, UnknownNames) {
  EXPECT_EQ(
      check("atomic.exchang(u[0], 1);"),
      "error: there is no atomic.exchang; did you mean 'atomic.exchange'?\n");
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

TEST(Masks, Methods) {
  EXPECT_EQ(print("let t = warp.ballot(p).count();"),
            "{ let t: i32 = mask.count(warp.ballot(p): mask); }");
  std::string text =
      print("let s = warp.ballot(p); let t = (s & s.above()).contains(i);");
  EXPECT_NE(text.find("mask.contains((s & mask.above(s)), i)"),
            std::string::npos)
      << text;
  EXPECT_EQ(check("let t = warp.ballot(p).first();"),
            "error: a mask has no method 'first'\n");
}

} // namespace
