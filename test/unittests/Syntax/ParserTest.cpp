//===- ParserTest.cpp - What belongs together -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseText.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::ast;
using coll::test::ParseText;
using coll::test::printExpr;

/// Every operation in parentheses, so that the shape of the tree shows.
static std::string shape(const Expr *expr) {
  if (const auto *binary = llvm::dyn_cast<BinaryExpr>(expr))
    return "(" + shape(binary->getLHS()) + getSpelling(binary->getOp()).str() +
           shape(binary->getRHS()) + ")";
  if (const auto *unary = llvm::dyn_cast<UnaryExpr>(expr))
    return "(" + getSpelling(unary->getOp()).str() +
           shape(unary->getOperand()) + ")";
  if (const auto *conditional = llvm::dyn_cast<ConditionalExpr>(expr))
    return "(" + shape(conditional->getCondition()) + "?" +
           shape(conditional->getTrue()) + ":" +
           shape(conditional->getFalse()) + ")";
  if (const auto *cast = llvm::dyn_cast<CastExpr>(expr))
    return "(" + shape(cast->getOperand()) + " as T)";
  if (const auto *range = llvm::dyn_cast<RangeExpr>(expr))
    return "(" + shape(range->getBegin()) + ".." + shape(range->getEnd()) + ")";
  if (const auto *call = llvm::dyn_cast<CallExpr>(expr))
    return shape(call->getCallee()) + "<" +
           std::to_string(call->getGenericArgs().size()) + ">(" +
           std::to_string(call->getArgs().size()) + ")";
  std::string text;
  llvm::raw_string_ostream os(text);
  printAST(os, *expr);
  return text;
}

static std::string shapeOf(llvm::StringRef text) {
  ParseText parsed(("const C: T = " + text + ";").str());
  if (parsed.diags.hasErrors())
    return parsed.messages().front();
  return shape(llvm::cast<ConstItem>(parsed.file->getItems()[0])->getValue());
}

TEST(Parser, PrecedenceIsThatOfC) {
  EXPECT_EQ(shapeOf("a + b * c - d"), "((a+(b*c))-d)");
  EXPECT_EQ(shapeOf("a << b + c < d"), "((a<<(b+c))<d)");
  EXPECT_EQ(shapeOf("a & b == c"), "(a&(b==c))");
  EXPECT_EQ(shapeOf("a | b ^ c & d"), "(a|(b^(c&d)))");
  EXPECT_EQ(shapeOf("a || b && c | d"), "(a||(b&&(c|d)))");
  EXPECT_EQ(shapeOf("a == b < c"), "(a==(b<c))");
  EXPECT_EQ(shapeOf("a - b - c"), "((a-b)-c)");
  EXPECT_EQ(shapeOf("a >> b >> c"), "((a>>b)>>c)");
  EXPECT_EQ(shapeOf("a ? b : c ? d : e"), "(a?b:(c?d:e))");
  EXPECT_EQ(shapeOf("a || b ? c : d"), "((a||b)?c:d)");
  EXPECT_EQ(shapeOf("a + 1..b * 2"), "((a+1)..(b*2))");
}

TEST(Parser, CastBindsTighterThanProducts) {
  EXPECT_EQ(shapeOf("-a as T * b"), "(((-a) as T)*b)");
  EXPECT_EQ(shapeOf("a * b as T"), "(a*(b as T))");
  EXPECT_EQ(shapeOf("a as T as T"), "((a as T) as T)");
  EXPECT_EQ(shapeOf("a as u32 < b"), "((a as T)<b)");
  EXPECT_EQ(shapeOf("a as u32 < b > (c)"), "(((a as T)<b)>c)");
}

TEST(Parser, UnaryOperators) {
  EXPECT_EQ(shapeOf("- - ~!a"), "(-(-(~(!a))))");
  EXPECT_EQ(shapeOf("-a.b[c]"), "(-a.b[c])");
}

TEST(Parser, GenericCallsAndComparisons) {
  EXPECT_EQ(shapeOf("f<4>(x)"), "f<1>(1)");
  EXPECT_EQ(shapeOf("f<[f32; 4], (A, B), N * 2>(x, y)"), "f<3>(2)");
  EXPECT_EQ(shapeOf("std.scan.exclusive<add>(x)"), "std.scan.exclusive<1>(1)");
  EXPECT_EQ(shapeOf("bitcast<Pair<f32, Pair<A, B>>>(v)"), "bitcast<1>(1)");
  EXPECT_EQ(shapeOf("a < b && c > (d)"), "((a<b)&&(c>d))");
  EXPECT_EQ(shapeOf("a < b"), "(a<b)");
  EXPECT_EQ(shapeOf("(a < b) > (c)"), "((a<b)>c)");
  EXPECT_EQ(shapeOf("a < b >> (c)"), "(a<(b>>c))");
}

TEST(Parser, IntegersUpTo128Bits) {
  auto value = [](llvm::StringRef text) {
    ParseText parsed(("const C: T = " + text + ";").str());
    if (parsed.diags.hasErrors())
      return parsed.messages().front();
    const auto *item = llvm::cast<ConstItem>(parsed.file->getItems()[0]);
    return llvm::toString(llvm::cast<IntLiteral>(item->getValue())->getValue(),
                          10,
                          /*Signed=*/false);
  };
  EXPECT_EQ(value("1_000"), "1000");
  EXPECT_EQ(value("0xffffffffffffffff"), "18446744073709551615");
  EXPECT_EQ(value("0b101"), "5");
  EXPECT_EQ(value("0o17"), "15");
  EXPECT_EQ(value("340282366920938463463374607431768211455"),
            "340282366920938463463374607431768211455");
  EXPECT_EQ(value("340282366920938463463374607431768211456"),
            "1:14: integer literal is too large");
  EXPECT_EQ(value("0b12"), "1:14: '2' is no digit of a number of base 2");
}

TEST(Parser, StructLiteralIsNoBody) {
  ParseText parsed("fn f() { if x == N { y = 1; } while (x == N { a: 1 }) { } "
                   "for i in f(N { a: 1 }) { } if a < N { return; } }");
  EXPECT_EQ(parsed.messages(), std::vector<std::string>());
  EXPECT_EQ(llvm::cast<FunctionItem>(parsed.file->getItems()[0])
                ->getBody()
                ->getBody()
                .size(),
            4u);
}

TEST(Parser, LawsInEitherOrder) {
  ParseText parsed(
      "op f(a: S, b: S) -> S identity S { n: 0 } commutative { return a; }"
      "op g(a: S, b: S) -> S commutative identity ZERO { return a; }"
      "op h(a: S, b: S) -> S { return a; }");
  ASSERT_EQ(parsed.messages(), std::vector<std::string>());
  auto item = [&](unsigned i) {
    return llvm::cast<OperatorItem>(parsed.file->getItems()[i]);
  };
  EXPECT_TRUE(llvm::isa<StructLiteral>(item(0)->getIdentity()));
  EXPECT_TRUE(item(0)->isCommutative());
  EXPECT_TRUE(llvm::isa<NameExpr>(item(1)->getIdentity()));
  EXPECT_TRUE(item(1)->isCommutative());
  EXPECT_EQ(item(2)->getIdentity(), nullptr);
  EXPECT_FALSE(item(2)->isCommutative());
}

TEST(Parser, WarnsOfComparisonsUnderBitOperators) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(ParseText("const C: T = a & b == c;").messages(),
            (Strings{"1:20: '==' binds tighter than '&'; parentheses would "
                     "say which one is meant"}));
  EXPECT_EQ(ParseText("const C: T = a & (b == c);").messages(), Strings());
  EXPECT_EQ(ParseText("const C: T = (a & b) == c;").messages(), Strings());
  EXPECT_EQ(ParseText("const C: T = (a) < b | c;").messages().size(), 1u);
}

TEST(Parser, RangesOfNodes) {
  llvm::StringRef text = "const C: T = a.b[i] + 2;";
  ParseText parsed(text);
  const auto *item = llvm::cast<ConstItem>(parsed.file->getItems()[0]);
  auto textOf = [](llvm::SMRange range) {
    return std::string(range.Start.getPointer(), range.End.getPointer());
  };
  EXPECT_EQ(textOf(item->getRange()), text);
  const auto *sum = llvm::cast<BinaryExpr>(item->getValue());
  EXPECT_EQ(textOf(sum->getRange()), "a.b[i] + 2");
  EXPECT_EQ(textOf(sum->getLHS()->getRange()), "a.b[i]");
  EXPECT_EQ(*sum->getOpLoc().getPointer(), '+');
  EXPECT_EQ(textOf(item->getName().range), "C");
}
