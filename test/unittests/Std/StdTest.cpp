//===- StdTest.cpp --------------------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Std/Std.h"
#include "Mirror.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <string>
#include <vector>

using namespace llvm;

namespace {

/// The text from a function's `head` to the brace that ends it.
StringRef functionText(StringRef text, const Twine &head) {
  size_t start = text.find(head.str());
  if (start == StringRef::npos)
    return {};
  return text.slice(start, text.find("\n}", start));
}

/// The hexadecimal float constants of `text`, in order.
std::vector<std::string> constants(StringRef text) {
  Regex constant("0x[0-9a-f]+\\.?[0-9a-f]*p[-+][0-9]+");
  std::vector<std::string> found;
  SmallVector<StringRef, 1> match;
  while (constant.match(text, &match)) {
    found.push_back(match[0].str());
    text = StringRef(match[0].end(), text.end() - match[0].end());
  }
  return found;
}

/// The largest error in ULP over every 1009th f32.
template <typename Function, typename Truth>
double worst32(Function function, Truth truth) {
  double worst = 0;
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 1009) {
    float x = std::bit_cast<float>(uint32_t(bits));
    float got = function(x);
    double exact = truth(double(x));
    if (!std::isfinite(float(exact))) {
      EXPECT_TRUE(got == float(exact) || (got != got && exact != exact)) << x;
      continue;
    }
    int exponent;
    std::frexp(exact, &exponent);
    double ulp = std::ldexp(1.0, std::max(exponent - 24, -149));
    worst = std::max(worst, std::fabs(got - exact) / ulp);
  }
  return worst;
}

} // namespace

TEST(Std, FindsModulesByTheirImportName) {
  StringRef math = coll::getStdModule("std.math");
  for (StringRef name : {"exp_f32", "exp_f64", "log_f32", "log_f64"})
    EXPECT_TRUE(math.contains(("\nfn " + name + "(x: f").str())) << name.str();
  EXPECT_EQ(math.data()[math.size()], '\0');
  EXPECT_TRUE(coll::getStdModule("std.maths").empty());
  EXPECT_TRUE(coll::getStdModule("math").empty());
  EXPECT_TRUE(coll::getStdModule("").empty());
}

TEST(Std, MathHasTheConstantsThatWereVerified) {
  auto mirror = MemoryBuffer::getFile(COLL_MIRROR);
  ASSERT_TRUE(bool(mirror)) << COLL_MIRROR;
  for (StringRef name : {"exp_f32", "exp_f64", "log_f32", "log_f64"}) {
    auto here = constants(
        functionText(coll::getStdModule("std.math"), "fn " + name + "("));
    auto there = constants(functionText(
        (*mirror)->getBuffer(),
        (name.ends_with("32") ? "float " : "double ") + name + "("));
    EXPECT_GE(here.size(), 8u) << name.str();
    EXPECT_EQ(here, there) << name.str();
  }
}

TEST(Std, ExpKeepsItsBound) {
  EXPECT_LE(worst32(mirror::exp_f32, [](double x) { return std::exp(x); }),
            0.90);
}

TEST(Std, LogKeepsItsBound) {
  EXPECT_LE(worst32(mirror::log_f32, [](double x) { return std::log(x); }),
            0.89);
}
