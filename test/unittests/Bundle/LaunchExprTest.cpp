//===- LaunchExprTest.cpp - Text and values of launch expressions ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Bundle/LaunchExpr.h"
#include "gtest/gtest.h"
#include <limits>

using namespace coll;
using namespace llvm;

namespace {

constexpr int64_t smallest = std::numeric_limits<int64_t>::min();
constexpr int64_t largest = std::numeric_limits<int64_t>::max();

int64_t value(StringRef text) {
  StringMap<int64_t> values = {{"n", 1000}, {"rows", -7}, {"x.y", 3}};
  LaunchExpr expr = cantFail(LaunchExpr::parse(text));
  return cantFail(expr.evaluate(values));
}

std::string parseError(StringRef text) {
  Expected<LaunchExpr> expr = LaunchExpr::parse(text);
  return expr ? "no error" : toString(expr.takeError());
}

TEST(LaunchExpr, Evaluates) {
  EXPECT_EQ(value("42"), 42);
  EXPECT_EQ(value("-42"), -42);
  EXPECT_EQ(value("(ceil_div n 256)"), 4);
  EXPECT_EQ(value("(ceil_div 1024 256)"), 4);
  EXPECT_EQ(value("(ceil_div rows 2)"), -3);
  EXPECT_EQ(value("(ceil_div rows -2)"), 4);
  EXPECT_EQ(value("(ceil_div 7 -2)"), -3);
  EXPECT_EQ(value("(+ n (* rows x.y))"), 979);
  EXPECT_EQ(value("(- n rows)"), 1007);
  EXPECT_EQ(value("(/ rows 2)"), -3);
  EXPECT_EQ(value("(% rows 2)"), -1);
  EXPECT_EQ(value("(min n rows)"), -7);
  EXPECT_EQ(value("(max n rows)"), 1000);
  EXPECT_EQ(value("(<< x.y 4)"), 48);
  EXPECT_EQ(value("(>> rows 1)"), -4);
  EXPECT_EQ(value("(& n 15)"), 8);
  EXPECT_EQ(value("(| 8 3)"), 11);
  EXPECT_EQ(value("(^ 10 3)"), 9);
  EXPECT_EQ(value("(if (< n 1024) 1 2)"), 1);
  EXPECT_EQ(value("(if (>= n 1024) 1 2)"), 2);
  EXPECT_EQ(value("(+ (== n 1000) (+ (!= n 1000) (+ (<= n 999) (> n 999))))"),
            2);
}

TEST(LaunchExpr, WrapsAndDividesTotally) {
  std::string min = std::to_string(smallest), max = std::to_string(largest);
  EXPECT_EQ(value("(+ " + max + " 1)"), smallest);
  EXPECT_EQ(value("(- " + min + " 1)"), largest);
  EXPECT_EQ(value("(* " + max + " 2)"), -2);
  EXPECT_EQ(value("(/ n 0)"), 1000);
  EXPECT_EQ(value("(% n 0)"), 0);
  EXPECT_EQ(value("(ceil_div n 0)"), 1000);
  EXPECT_EQ(value("(/ " + min + " -1)"), smallest);
  EXPECT_EQ(value("(% " + min + " -1)"), 0);
  EXPECT_EQ(value("(ceil_div " + min + " -1)"), smallest);
  EXPECT_EQ(value("(<< 1 65)"), 2);
  EXPECT_EQ(value("(>> 4 -63)"), 2);
}

TEST(LaunchExpr, PrintsWhatItParses) {
  for (StringRef text :
       {"n", "-3", "(ceil_div n 256)", "(if (< n 2) (+ 1 (* n 2)) (/ n 2))",
        "(min (max a b) (max (<< c 1) d))"})
    EXPECT_EQ(cantFail(LaunchExpr::parse(text)).str(), text);
  EXPECT_EQ(cantFail(LaunchExpr::parse(" ( + n\t( - 1 2 )) ")).str(),
            "(+ n (- 1 2))");
}

TEST(LaunchExpr, IsDescribedInTheLanguage) {
  auto describe = [](StringRef text) {
    return cantFail(LaunchExpr::parse(text)).describe();
  };
  EXPECT_EQ(describe("n"), "n");
  EXPECT_EQ(describe("-3"), "-3");
  EXPECT_EQ(describe("(ceil_div n 256)"), "ceil_div(n, 256)");
  EXPECT_EQ(describe("(if (< n 2) (+ 1 (* n 2)) (/ n 2))"),
            "n < 2 ? 1 + n * 2 : n / 2");
  EXPECT_EQ(describe("(* (+ a b) (- c (- d e)))"), "(a + b) * (c - (d - e))");
  EXPECT_EQ(describe("(- (- a b) -1)"), "a - b - -1");
  EXPECT_EQ(describe("(min (if a b c) (max (<< c 1) d))"),
            "min(a ? b : c, max(c << 1, d))");
  EXPECT_EQ(describe("(if (if a b c) (if d e f) (if g h i))"),
            "(a ? b : c) ? d ? e : f : g ? h : i");
  EXPECT_EQ(describe("(& (| a b) (^ c (== d e)))"), "(a | b) & (c ^ d == e)");
}

TEST(LaunchExpr, Builds) {
  LaunchExpr n = LaunchExpr::name("n");
  LaunchExpr expr = LaunchExpr::select(
      LaunchExpr::binary(LaunchExpr::Op::Lt, n, LaunchExpr::constant(8)), n,
      LaunchExpr::binary(LaunchExpr::Op::CeilDiv, n, LaunchExpr::constant(8)));
  EXPECT_EQ(expr.str(), "(if (< n 8) n (ceil_div n 8))");
  EXPECT_EQ(expr, cantFail(LaunchExpr::parse(expr.str())));
  EXPECT_NE(expr, n);
  EXPECT_EQ(expr.getNames(), std::vector<std::string>{"n"});
  EXPECT_EQ(expr.getConstant(), std::nullopt);
  EXPECT_EQ(cantFail(LaunchExpr::parse("(* 6 7)")).getConstant(), 42);
}

TEST(LaunchExpr, NamesWhatHasNoValue) {
  LaunchExpr expr = cantFail(LaunchExpr::parse("(+ 1 cols)"));
  EXPECT_EQ(toString(expr.evaluate(StringMap<int64_t>()).takeError()),
            "launch expression '1 + cols' needs 'cols', which has no value");
}

TEST(LaunchExpr, RejectsMalformedText) {
  EXPECT_EQ(parseError(""),
            "launch expression '', column 1: expected an expression");
  EXPECT_EQ(parseError("(+ 1"),
            "launch expression '(+ 1', column 5: expected ')'");
  EXPECT_EQ(parseError("(+ 1)"),
            "launch expression '(+ 1)', column 5: '+' takes 2 operands");
  EXPECT_EQ(parseError("(+ 1 2 3)"),
            "launch expression '(+ 1 2 3)', column 8: '+' takes 2 operands");
  EXPECT_EQ(
      parseError("(pow 1 2)"),
      "launch expression '(pow 1 2)', column 2: expected an operator, got "
      "'pow'");
  EXPECT_EQ(parseError("()"), "launch expression '()', column 2: expected an "
                              "operator, got ')'");
  EXPECT_EQ(parseError(")"), "launch expression ')', column 1: ')' without "
                             "'('");
  EXPECT_EQ(parseError("1 2"), "launch expression '1 2', column 3: '2' after "
                               "the end of the expression");
  EXPECT_EQ(parseError("9223372036854775808"),
            "launch expression '9223372036854775808', column 1: expected a "
            "name, a 64-bit integer or '(', got '9223372036854775808'");
}

TEST(LaunchExpr, DepthDoesNotExhaustTheStack) {
  std::string text;
  for (int i = 0; i != 200000; ++i)
    text += "(+ 1 ";
  text += "n" + std::string(200000, ')');
  EXPECT_EQ(value(text), 201000);
  EXPECT_NE(parseError(StringRef(text).drop_back()), "no error");
}

} // namespace
