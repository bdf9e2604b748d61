//===- ContractionTest.cpp - Which products become fma --------------------===//
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

TEST(Contraction, SumWithProductOnTheLeft) {
  EXPECT_EQ(print("y[0] = a * b + c;"), "{ y[0] = fma(a, b, c); }");
  EXPECT_EQ(print("y[0] = a * b - c;"), "{ y[0] = fma(a, b, -c); }");
}

TEST(Contraction, SumWithProductOnTheRight) {
  EXPECT_EQ(print("y[0] = c + a * b;"), "{ y[0] = fma(a, b, c); }");
  EXPECT_EQ(print("y[0] = c - a * b;"), "{ y[0] = fma(-a, b, c); }");
}

TEST(Contraction, LeftProductGoesFirst) {
  EXPECT_EQ(print("y[0] = a * b + b * c;"), "{ y[0] = fma(a, b, (b * c)); }");
  EXPECT_EQ(print("y[0] = a * b - b * c;"), "{ y[0] = fma(a, b, -(b * c)); }");
}

TEST(Contraction, SumsOfManyProducts) {
  // The left operand of the second sum is no product, so its right one serves.
  EXPECT_EQ(print("y[0] = a * b + b * c + c * a;"),
            "{ y[0] = fma(c, a, fma(a, b, (b * c))); }");
  EXPECT_EQ(print("y[0] = a * b * c + a;"), "{ y[0] = fma((a * b), c, a); }");
}

TEST(Contraction, ParenthesesDoNotMatter) {
  EXPECT_EQ(print("y[0] = (a * b) + c;"), "{ y[0] = fma(a, b, c); }");
  EXPECT_EQ(print("y[0] = c + ((a * b));"), "{ y[0] = fma(a, b, c); }");
}

TEST(Contraction, CompoundAssignmentCounts) {
  std::string text = print("var s = a; s += b * c; y[0] = s;");
  EXPECT_NE(text.find("= fma(b, c, "), std::string::npos) << text;
  text = print("var s = a; s -= b * c; y[0] = s;");
  EXPECT_NE(text.find("= fma(-b, c, "), std::string::npos) << text;
}

TEST(Contraction, NothingCrossesALetOrACast) {
  EXPECT_EQ(print("let t = a * b; y[0] = t + c;"),
            "{ let t: f32 = (a * b); y[0] = (t + c); }");
  std::string text =
      print("let t = (a * b) as f64 + d[0, 0]; y[0] = t as f32;");
  EXPECT_EQ(text.find("fma"), std::string::npos) << text;
}

TEST(Contraction, NegationIsNoProduct) {
  EXPECT_EQ(print("y[0] = -(a * b) + c;"), "{ y[0] = (-(a * b) + c); }");
}

TEST(Contraction, NothingCrossesACall) {
  std::string items = "fn twice(v: f32) -> f32 { return v * 2.0; }\n";
  EXPECT_EQ(print("y[0] = twice(a) + c;", items), "{ y[0] = (twice(a) + c); }");
}

TEST(Contraction, WorksInsideLambdas) {
  EXPECT_EQ(print("y[0] = block.reduce(|p, q| p * q + p, a);"),
            "{ y[0] = block.reduce(|p, q| fma(p, q, p); a): f32; }");
  // The lambda's edge is no part of the sum around it.
  EXPECT_EQ(print("y[0] = block.reduce(|p, q| p * q, a) + c;"),
            "{ y[0] = (block.reduce(|p, q| (p * q); a): f32 + c); }");
}

TEST(Contraction, WorksInsideIndicesAndConditions) {
  EXPECT_EQ(print("if a * b + c > 0.0 { y[0] = a; }"),
            "{ if (fma(a, b, c) > 0) { y[0] = a; } }");
}

TEST(Contraction, IntegersStay) {
  EXPECT_EQ(print("y[i * j + i] = a;").find("fma"), std::string::npos);
}

TEST(Contraction, HalfAndDoubleContract) {
  EXPECT_EQ(print("h[0] = h[1] * h[2] + h[3];"),
            "{ h[0] = fma(h[1], h[2], h[3]); }");
  std::string text = print("let t = d[0, 0] * d[0, 1] + d[1, 0];");
  EXPECT_NE(text.find("fma(d[0, 0], d[0, 1], d[1, 0])"), std::string::npos)
      << text;
}

TEST(Contraction, BrainFloatNeverContracts) {
  std::string text = print("let e = a as bf16; let t = e * e + e;");
  EXPECT_NE(text.find("((e * e) + e)"), std::string::npos) << text;
}

TEST(Contraction, VectorsContract) {
  std::string text = print("let v = f32x4(a); let w = v * v + v;");
  EXPECT_NE(text.find("= fma(v, v, v);"), std::string::npos) << text;
}

TEST(Contraction, OffMeansOff) {
  SemaOptions options;
  options.contract = false;
  EXPECT_EQ(print("y[0] = a * b + c;", "", options),
            "{ y[0] = ((a * b) + c); }");
}

} // namespace
