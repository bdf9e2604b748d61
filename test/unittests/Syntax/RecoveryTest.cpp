//===- RecoveryTest.cpp - Several errors in one file ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseText.h"
#include "gtest/gtest.h"

using coll::test::ParseText;
using Strings = std::vector<std::string>;

TEST(Recovery, EveryStatementHasItsError) {
  EXPECT_EQ(ParseText("fn f() {\n"
                      "  let a = ;\n"
                      "  let b = 1\n"
                      "  c = (1 + ;\n"
                      "  d += 2;\n"
                      "  x++;\n"
                      "}\n"
                      "const C T = 1;\n"
                      "fn g() { return }\n")
                .messages(),
            (Strings{"2:11: expected an expression, got ';'",
                     "3:12: expected ';' after the declaration",
                     "4:12: expected an expression, got ';'",
                     "6:5: '++' is no operator; write '+= 1'",
                     "8:9: expected ':' and a type after 'C', got 'T'",
                     "9:16: expected ';' after 'return'"}));
}

TEST(Recovery, BodyAfterBrokenHead) {
  EXPECT_EQ(ParseText("fn f() {\n"
                      "  if x == { y = ; }\n"
                      "  for in n { z = ; }\n"
                      "}\n"
                      "kernel k(x: ) workgroup(1) {\n"
                      "  a = ;\n"
                      "}\n")
                .messages(),
            (Strings{"2:11: expected an expression, got '{'",
                     "2:17: expected an expression, got ';'",
                     "3:7: expected the name of the loop's variable, got the "
                     "keyword 'in'",
                     "3:18: expected an expression, got ';'",
                     "5:13: expected a type, got ')'",
                     "6:7: expected an expression, got ';'"}));
}

TEST(Recovery, MissingBraceEndsAtTheNextItem) {
  ParseText parsed("fn f() {\n"
                   "  if a {\n"
                   "    b = 1;\n"
                   "}\n"
                   "fn g() { c = ; }\n");
  EXPECT_EQ(parsed.messages(),
            (Strings{"5:1: expected '}', got 'fn'",
                     "5:14: expected an expression, got ';'"}));
  EXPECT_EQ(parsed.file->getItems().size(), 2u);
}

TEST(Recovery, BraceTooMany) {
  EXPECT_EQ(ParseText("fn f() { } }\nfn g() { }\nconst C: i32 = ;").messages(),
            (Strings{"1:12: expected an item such as 'kernel', 'fn' or "
                     "'const', got '}'",
                     "3:16: expected an expression, got ';'"}));
}

TEST(Recovery, BrokenCaseSkipsTheSwitch) {
  EXPECT_EQ(ParseText("fn f() {\n"
                      "  switch v { 1 { } 2: { } }\n"
                      "  a = ;\n"
                      "}\n")
                .messages(),
            (Strings{"2:16: expected ':' after the values of a case, got '{'",
                     "3:7: expected an expression, got ';'"}));
}

TEST(Recovery, GoodItemsStay) {
  ParseText parsed("const A: i32 = 1;\nfn () { }\nconst B: i32 = 2;\n");
  EXPECT_EQ(parsed.messages(),
            (Strings{"2:4: expected the name of a function, got '('"}));
  EXPECT_EQ(parsed.print(), "const A: i32 = 1;\nconst B: i32 = 2;\n");
}

TEST(Recovery, ErrorInBracketsSkipsThem) {
  EXPECT_EQ(ParseText("fn f() {\n"
                      "  a = f(S { n: , m: 1 }, [b; ], c);\n"
                      "  var d: [f32 4]; e = ;\n"
                      "}\n")
                .messages(),
            (Strings{"2:16: expected an expression, got ','",
                     "3:15: expected ']' after the extents, got '4'",
                     "3:23: expected an expression, got ';'"}));
}
