//===- LimitsTest.cpp - Input that is too much ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseText.h"
#include "gtest/gtest.h"
#include <chrono>
#include <random>

using coll::test::ParseText;
using Strings = std::vector<std::string>;

static std::string repeat(llvm::StringRef text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text;
  return result;
}

/// The only message, without its place.
static std::string onlyMessage(llvm::StringRef text) {
  Strings messages = ParseText(text).messages();
  if (messages.size() != 1)
    return std::to_string(messages.size()) + " messages";
  return messages.front().substr(messages.front().find(": ") + 2);
}

static constexpr llvm::StringLiteral tooDeep =
    "nested too deeply: more than 256 levels";
static constexpr llvm::StringLiteral tooLong =
    "expression is too long: more than 1000 operators in a chain";

TEST(Limits, NestingOfExpressions) {
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("(", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("(", 10000) + "1" +
                        repeat(")", 10000) + ";"),
            tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("- ", 10000) + "1;"), tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("f(", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("[", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("a ? ", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("|a| ", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("a[", 10000)), tooDeep);
  EXPECT_TRUE(ParseText("const C: T = " + repeat("(", 200) + "1" +
                        repeat(")", 200) + ";")
                  .messages()
                  .empty());
}

TEST(Limits, NestingOfTypesAndStatements) {
  EXPECT_EQ(onlyMessage("const C: " + repeat("[", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: " + repeat("(", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("const C: " + repeat("A<", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("fn f() { " + repeat("{", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("fn f() { " + repeat("if a { ", 10000)), tooDeep);
  EXPECT_EQ(onlyMessage("fn f() { " + repeat("if a { } else ", 10000)),
            tooDeep);
  EXPECT_EQ(onlyMessage("fn f() { " + repeat("switch a { 1: { ", 10000)),
            tooDeep);
  EXPECT_EQ(onlyMessage("fn f() { let " + repeat("(", 10000)), tooDeep);
}

TEST(Limits, LongChains) {
  EXPECT_EQ(onlyMessage("const C: T = a" + repeat(" + a", 100000) + ";"),
            tooLong);
  EXPECT_EQ(onlyMessage("const C: T = a" + repeat(".a", 100000) + ";"),
            tooLong);
  EXPECT_EQ(onlyMessage("const C: T = a" + repeat("(a)", 100000) + ";"),
            tooLong);
  EXPECT_EQ(onlyMessage("const C: T = a" + repeat(" as T", 100000) + ";"),
            tooLong);
  EXPECT_TRUE(ParseText("const C: T = a" + repeat(" + a", 900) + ";")
                  .messages()
                  .empty());
}

TEST(Limits, ChainsInsideBodiesCount) {
  std::string chain = repeat(" + a", 600);
  EXPECT_EQ(onlyMessage("const C: T = (|a| { return a" + chain + "; })" +
                        chain + ";"),
            tooLong);
  EXPECT_EQ(
      onlyMessage("const C: T = a as [f32; a" + chain + "]" + chain + ";"),
      tooLong);
}

TEST(Limits, LongNumbers) {
  EXPECT_EQ(onlyMessage("const C: T = " + repeat("9", 100000) + ".5;"),
            "number has more than 1000 characters");
}

TEST(Limits, RandomBytesEndQuickly) {
  std::mt19937 generator(1);
  auto begin = std::chrono::steady_clock::now();
  for (bool printable : {false, true}) {
    std::string text(10u << 20, ' ');
    for (char &c : text)
      c = printable ? " \n(){}[]<>;:,.=+-*/&|!?#abif01\"x"[generator() % 32]
                    : char(generator());
    ParseText parsed(text);
    EXPECT_TRUE(parsed.diags.hasErrors());
    EXPECT_LE(parsed.diags.getDiagnostics().size(), 20u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Limits, RandomTokensNeitherCrashNorHang) {
  const char *words[] = {
      "fn ",     "kernel ", "f",     "(",     ")",       "{",     "}",
      "[",       "]",       "<",     ">",     ", ",      "; ",    ": ",
      " = ",     "let ",    " if ",  "else ", "1",       ".5",    "..",
      "for ",    " in ",    "| ",    " as ",  "a",       "\"s\"", " ? ",
      "switch ", "#",       "op ",   "-> ",   "launch ", "test ", "static ",
      "shared ", "\n",      "{ a: ", "var "};
  std::mt19937 generator(2);
  for (unsigned round = 0; round < 20000; ++round) {
    std::string text = round % 2 ? "fn f() { " : "";
    for (unsigned i = 0; i < 60; ++i)
      text += words[generator() % std::size(words)];
    ParseText parsed(text);
    EXPECT_LE(parsed.diags.getDiagnostics().size(), 60u);
    (void)parsed.print();
  }
}
