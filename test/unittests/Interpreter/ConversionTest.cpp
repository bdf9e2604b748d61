//===- ConversionTest.cpp - Conversions round once and saturate -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunUtils.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace coll::ref;
using llvm::APFloat;

namespace {

uint16_t getBits(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

TEST(ConversionTest, DoubleToHalfRoundsOnce) {
  // Just above ties of f16 and bf16: rounding to f32 first would lose it.
  std::vector<double> x = {1 + std::ldexp(1, -11) + std::ldexp(1, -40),
                           1 + std::ldexp(1, -8) + std::ldexp(1, -40),
                           -1 - std::ldexp(1, -8) - std::ldexp(1, -40),
                           1 + std::ldexp(3, -8) - std::ldexp(1, -40),
                           std::ldexp(1, -25),
                           std::ldexp(1, -25) * 1.0000000001,
                           65519.999,
                           65520,
                           3.4e38,
                           1e300,
                           std::ldexp(1, -134),
                           1e-300,
                           -0.0};
  for (bool isBF : {false, true}) {
    auto y = map<uint16_t>(isBF ? "bf16" : "f16", {"f64"},
                           isBF ? "arith.truncf %a0 : f64 to bf16"
                                : "arith.truncf %a0 : f64 to f16",
                           x);
    for (size_t i = 0; i != x.size(); ++i) {
      APFloat value(x[i]);
      bool losesInfo;
      value.convert(isBF ? APFloat::BFloat() : APFloat::IEEEhalf(),
                    APFloat::rmNearestTiesToEven, &losesInfo);
      EXPECT_EQ(y[i], getBits(value)) << x[i];
    }
  }
}

TEST(ConversionTest, IntegerToFloatRoundsOnce) {
  std::vector<uint64_t> x = {0,
                             1,
                             ~uint64_t(0),
                             uint64_t(1) << 63,
                             (uint64_t(1) << 62) + (uint64_t(1) << 38) + 1,
                             (uint64_t(1) << 62) + (uint64_t(1) << 54) + 1,
                             (uint64_t(1) << 40) + (uint64_t(1) << 16),
                             (uint64_t(1) << 53) + 1,
                             65519,
                             65520,
                             2049};
  struct {
    const char *type;
    const llvm::fltSemantics &semantics;
  } formats[] = {{"f16", APFloat::IEEEhalf()},
                 {"bf16", APFloat::BFloat()},
                 {"f32", APFloat::IEEEsingle()},
                 {"f64", APFloat::IEEEdouble()}};
  for (auto &format : formats)
    for (bool isSigned : {true, false}) {
      unsigned bits = APFloat::getSizeInBits(format.semantics);
      std::string op = std::string(isSigned ? "arith.sitofp" : "arith.uitofp") +
                       " %a0 : i64 to " + format.type;
      std::vector<uint64_t> got;
      if (bits == 16)
        for (uint16_t v : map<uint16_t>(format.type, {"i64"}, op, x))
          got.push_back(v);
      else if (bits == 32)
        for (uint32_t v : map<uint32_t>(format.type, {"i64"}, op, x))
          got.push_back(v);
      else
        got = map<uint64_t>(format.type, {"i64"}, op, x);
      for (size_t i = 0; i != x.size(); ++i) {
        APFloat value(format.semantics);
        value.convertFromAPInt(llvm::APInt(64, x[i]), isSigned,
                               APFloat::rmNearestTiesToEven);
        EXPECT_EQ(got[i], value.bitcastToAPInt().getZExtValue())
            << x[i] << " to " << format.type;
      }
    }
}

TEST(ConversionTest, FloatToIntegerSaturates) {
  float inf = std::numeric_limits<float>::infinity();
  std::vector<float> x = {1.9f, -1.9f, 300,           -300,
                          inf,  -inf,  std::nanf(""), -0.5f};
  EXPECT_THAT(
      map<int8_t>("i8", {"f32"}, "coll.fptoint signed %a0 : f32 -> i8", x),
      testing::ElementsAre(1, -1, 127, -128, 127, -128, 0, 0));
  EXPECT_THAT(map<uint8_t>("i8", {"f32"}, "coll.fptoint %a0 : f32 -> i8", x),
              testing::ElementsAre(1, 0, 255, 0, 255, 0, 0, 0));
  std::vector<double> d = {9.3e18, -9.3e18, 1.9e19, 4e9};
  EXPECT_THAT(
      map<int64_t>("i64", {"f64"}, "coll.fptoint signed %a0 : f64 -> i64", d),
      testing::ElementsAre(INT64_MAX, INT64_MIN, INT64_MAX, 4000000000));
  EXPECT_THAT(
      map<uint64_t>("i64", {"f64"}, "coll.fptoint %a0 : f64 -> i64", d),
      testing::ElementsAre(9300000000000000000u, 0, UINT64_MAX, 4000000000u));
}

} // namespace
