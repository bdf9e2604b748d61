//===- ArithmeticTest.cpp - Numbers, to the bit ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f16 and bf16 are compared with LLVM's APFloat, which rounds once.
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <bit>
#include <cmath>

using namespace coll::ref;
using llvm::APFloat;

namespace {

TEST(ArithmeticTest, IntegersWrapInTheirWidth) {
  std::vector<uint8_t> a = {200, 255, 128, 7}, b = {100, 1, 255, 9};
  std::vector<std::string> types = {"i8", "i8"};
  auto run = [&](const std::string &op) {
    return map<uint8_t>("i8", types, op + " %a0, %a1 : i8", a, b);
  };
  EXPECT_THAT(run("arith.addi"), testing::ElementsAre(44, 0, 127, 16));
  EXPECT_THAT(run("arith.muli"), testing::ElementsAre(32, 255, 128, 63));
  EXPECT_THAT(run("arith.minsi"), testing::ElementsAre(200, 255, 128, 7));
  EXPECT_THAT(run("arith.maxui"), testing::ElementsAre(200, 255, 255, 9));
  // -56 / 100, -1 / 1, MIN / -1, 7 / 9.
  EXPECT_THAT(run("coll.div signed"), testing::ElementsAre(0, 255, 128, 0));
  EXPECT_THAT(run("coll.rem signed"), testing::ElementsAre(200, 0, 0, 7));
  EXPECT_THAT(run("coll.div"), testing::ElementsAre(2, 255, 0, 0));
  // Counts are taken modulo 8: 4, 1, 7, 1.
  EXPECT_THAT(run("arith.shli"), testing::ElementsAre(128, 254, 0, 14));
  EXPECT_THAT(run("arith.shrsi"), testing::ElementsAre(252, 255, 255, 3));
  EXPECT_THAT(run("arith.shrui"), testing::ElementsAre(12, 127, 1, 3));
}

TEST(ArithmeticTest, BitFunctions) {
  std::vector<uint16_t> x = {0, 1, 0x8000, 0x0ff0};
  auto run = [&](const std::string &op) {
    return map<uint16_t>("i16", {"i16"}, op, x);
  };
  EXPECT_THAT(run("math.ctpop %a0 : i16"), testing::ElementsAre(0, 1, 1, 8));
  EXPECT_THAT(run("math.ctlz %a0 : i16"), testing::ElementsAre(16, 15, 0, 4));
  EXPECT_THAT(run("math.cttz %a0 : i16"), testing::ElementsAre(16, 0, 15, 4));
  EXPECT_THAT(run("llvm.intr.bitreverse(%a0) : (i16) -> i16"),
              testing::ElementsAre(0, 0x8000, 1, 0x0ff0));
  EXPECT_THAT(run("math.absi %a0 : i16"),
              testing::ElementsAre(0, 1, 0x8000, 0x0ff0));
}

/// Bit patterns of 16 bits: special values, and many others.
std::vector<uint16_t> makePatterns(unsigned seed) {
  std::vector<uint16_t> x = {0,      0x8000, 1,      0x8001, 0x03ff, 0x0400,
                             0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x3c00, 0xbc00,
                             0x3555, 0x7f7f, 0x7f80, 0xff80};
  while (x.size() != 1024)
    x.push_back(uint16_t((x.size() * 40503u + seed) * 2654435761u >> 13));
  return x;
}

uint16_t getBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// Compares results with what APFloat gives; NaNs are equal to each other.
void expectHalf(const llvm::fltSemantics &semantics,
                const std::vector<uint16_t> &got,
                llvm::function_ref<APFloat(size_t)> expected) {
  for (size_t i = 0; i != got.size(); ++i) {
    APFloat value = expected(i);
    if (value.isNaN()) {
      EXPECT_TRUE(APFloat(semantics, llvm::APInt(16, got[i])).isNaN()) << i;
    } else {
      EXPECT_EQ(got[i], getBits(value)) << i;
    }
  }
}

TEST(ArithmeticTest, HalfArithmeticRoundsOnce) {
  for (bool isBF : {false, true}) {
    const llvm::fltSemantics &semantics =
        isBF ? APFloat::BFloat() : APFloat::IEEEhalf();
    std::string type = isBF ? "bf16" : "f16";
    auto a = makePatterns(1), b = makePatterns(77);
    std::rotate(b.begin(), b.begin() + 5, b.end());
    auto value = [&](uint16_t bits) {
      return APFloat(semantics, llvm::APInt(16, bits));
    };
    auto run = [&](const std::string &op) {
      return map<uint16_t>(type, {type, type},
                           "arith." + op + " %a0, %a1 : " + type, a, b);
    };
    expectHalf(semantics, run("addf"),
               [&](size_t i) { return value(a[i]) + value(b[i]); });
    expectHalf(semantics, run("subf"),
               [&](size_t i) { return value(a[i]) - value(b[i]); });
    expectHalf(semantics, run("mulf"),
               [&](size_t i) { return value(a[i]) * value(b[i]); });
    expectHalf(semantics, run("divf"),
               [&](size_t i) { return value(a[i]) / value(b[i]); });
  }
}

TEST(ArithmeticTest, HalfFmaRoundsOnce) {
  auto a = makePatterns(3), b = makePatterns(9), c = makePatterns(27);
  std::rotate(b.begin(), b.begin() + 3, b.end());
  std::rotate(c.begin(), c.begin() + 7, c.end());
  // 1 + 2^-11 is a tie that the smallest subnormal breaks.
  a[20] = 0x3c01, b[20] = 0x3bff, c[20] = 1;
  a[21] = 0x3c00, b[21] = 0x1000, c[21] = 0x3c00;
  auto y = map<uint16_t>("f16", {"f16", "f16", "f16"},
                         "math.fma %a0, %a1, %a2 : f16", a, b, c);
  auto value = [&](uint16_t bits) {
    return APFloat(APFloat::IEEEhalf(), llvm::APInt(16, bits));
  };
  expectHalf(APFloat::IEEEhalf(), y, [&](size_t i) {
    APFloat result = value(a[i]);
    result.fusedMultiplyAdd(value(b[i]), value(c[i]),
                            APFloat::rmNearestTiesToEven);
    return result;
  });
}

TEST(ArithmeticTest, MinAndMaxOfNaNsAndZeros) {
  float nan = std::nanf("");
  std::vector<float> a = {nan, 1, -0.0f, 0.0f, 2}, b = {3, nan, 0.0f, -0.0f, 5};
  auto run = [&](const std::string &op) {
    return map<uint32_t>("f32", {"f32", "f32"}, op + " %a0, %a1 : f32", a, b);
  };
  auto bits = [](float x) { return std::bit_cast<uint32_t>(x); };
  EXPECT_THAT(run("coll.minnum"),
              testing::ElementsAre(bits(3), bits(1), bits(-0.0f), bits(-0.0f),
                                   bits(2)));
  EXPECT_THAT(run("coll.maxnum"),
              testing::ElementsAre(bits(3), bits(1), 0, 0, bits(5)));
  auto minimum = run("arith.minimumf");
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(minimum[0])));
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(minimum[1])));
  EXPECT_EQ(minimum[2], bits(-0.0f));
  EXPECT_EQ(minimum[3], bits(-0.0f));
  EXPECT_EQ(run("arith.maximumf")[2], 0u);
}

TEST(ArithmeticTest, ComparisonsWithNaN) {
  std::vector<float> a = {std::nanf(""), 1, 2}, b = {1, 1, 1};
  auto run = [&](const std::string &predicate) {
    return map<uint8_t>("i1", {"f32", "f32"},
                        "arith.cmpf " + predicate + ", %a0, %a1 : f32", a, b);
  };
  EXPECT_THAT(run("oeq"), testing::ElementsAre(0, 1, 0));
  EXPECT_THAT(run("une"), testing::ElementsAre(1, 0, 1));
  EXPECT_THAT(run("one"), testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(run("ogt"), testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(run("ule"), testing::ElementsAre(1, 1, 0));
  EXPECT_THAT(run("uno"), testing::ElementsAre(1, 0, 0));
}

TEST(ArithmeticTest, RoundingAndExactFunctions) {
  std::vector<float> x = {2.5f, -2.5f, 3.5f, -0.25f, 1e10f};
  auto run = [&](const std::string &op) {
    return map<float>("f32", {"f32"}, "math." + op + " %a0 : f32", x);
  };
  EXPECT_THAT(run("floor"), testing::ElementsAre(2, -3, 3, -1, 1e10f));
  EXPECT_THAT(run("ceil"), testing::ElementsAre(3, -2, 4, 0, 1e10f));
  EXPECT_THAT(run("trunc"), testing::ElementsAre(2, -2, 3, 0, 1e10f));
  EXPECT_THAT(run("round"), testing::ElementsAre(3, -3, 4, 0, 1e10f));
  EXPECT_THAT(run("roundeven"), testing::ElementsAre(2, -2, 4, 0, 1e10f));
  std::vector<float> a(1, 1 + std::ldexp(1.0f, -12)), c(1, -1);
  EXPECT_EQ(map<float>("f32", {"f32", "f32", "f32"},
                       "math.fma %a0, %a1, %a2 : f32", a, a, c)[0],
            std::ldexp(1.0f, -11) + std::ldexp(1.0f, -24));
  // Not contracted: the product is rounded first.
  EXPECT_EQ(map<float>("f32", {"f32", "f32"},
                       "arith.mulf %a0, %a0 : f32\n%z = arith.addf %y, %a1 : "
                       "f32\ncoll.store (%z) to %x1[%i] : (f32), "
                       "!coll.view<?xf32, global>",
                       a, c)[0],
            1 + std::ldexp(1.0f, -11));
}

TEST(ArithmeticTest, VectorOperations) {
  std::vector<float> x = {2, 5}, y(4);
  Launch().view(x).view(y).run(makeKernel(1, {"f32", "f32"}, R"(
    %c0 = arith.constant 0 : i64
    %v = coll.recast %x0 : !coll.view<?xf32, global> -> !coll.view<?xvector<2xf32>, global>
    %w = coll.recast %x1 : !coll.view<?xf32, global> -> !coll.view<?xvector<4xf32>, global>
    %a = coll.load %v[%c0] : !coll.view<?xvector<2xf32>, global> -> vector<2xf32>
    %k = arith.constant dense<[3.0, 4.0]> : vector<2xf32>
    %m = arith.mulf %a, %k : vector<2xf32>
    %e = vector.extract %m[1] : f32 from vector<2xf32>
    %n = vector.insert %e, %m [0] : f32 into vector<2xf32>
    %f = vector.extract %a[0] : f32 from vector<2xf32>
    %b = vector.broadcast %f : f32 to vector<2xf32>
    %s = arith.addf %n, %b : vector<2xf32>
    %g = vector.extract %s[0] : f32 from vector<2xf32>
    %i64 = vector.bitcast %a : vector<2xf32> to vector<1xi64>
    %h = vector.bitcast %i64 : vector<1xi64> to vector<2xf32>
    %p = vector.extract %h[1] : f32 from vector<2xf32>
    %r = vector.from_elements %g, %e, %f, %p : vector<4xf32>
    coll.store (%r) to %w[%c0] : (vector<4xf32>), !coll.view<?xvector<4xf32>, global>)"));
  EXPECT_THAT(y, testing::ElementsAre(22, 20, 2, 5));
}

} // namespace
