//===- ErrorsTest.cpp - What is refused, and in which words ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sema;

TEST(ErrorsTest, UnknownNamesSuggestTheNearest) {
  EXPECT_EQ(messagesOf("let count = 1;\nlet v = cont;"),
            "2: error: unknown name 'cont'\n"
            "2: note: did you mean 'count'?\n");
  EXPECT_EQ(messagesOf("let v = qqqqqq;"), "1: error: unknown name 'qqqqqq'\n");
  EXPECT_EQ(messagesOf("let v: f33 = 1.0;"),
            "1: error: unknown type 'f33'\n1: note: did you mean 'f32'?\n");
}

TEST(ErrorsTest, AnErrorIsReportedOnce) {
  EXPECT_EQ(messagesOf("let v = gone + 1;\nlet w = v * 2.0;\ny[0] = w;"),
            "1: error: unknown name 'gone'\n");
}

TEST(ErrorsTest, SeveralErrorsAreReported) {
  EXPECT_EQ(messagesOf("let v: u8 = 300;\nlet w: bool = 1;"),
            "1: error: literal 300 does not fit u8\n"
            "2: error: expected bool, got i32\n");
}

TEST(ErrorsTest, LiteralsMustFit) {
  EXPECT_EQ(messagesOf("let v = b + 300;"),
            "1: error: literal 300 does not fit u8\n");
  EXPECT_EQ(messagesOf("let v = 3000000000;"),
            "1: error: literal 3000000000 does not fit i32\n"
            "1: note: its context gives it no type, and so it is i32; write "
            "'3000000000 as i64'\n");
  EXPECT_EQ(messagesOf("let v = 0x8000_0000_0000_0000;"),
            "1: error: literal 0x8000_0000_0000_0000 does not fit i32\n"
            "1: note: its context gives it no type, and so it is i32; write "
            "'0x8000_0000_0000_0000 as u64'\n");
  EXPECT_EQ(messagesOf("let v: u32 = -1;"),
            "1: error: literal -1 does not fit u32\n");
  EXPECT_EQ(messagesOf("let v: f32 = 16777217;"),
            "1: error: literal 16777217 does not fit f32\n");
  EXPECT_EQ(messagesOf("let v = 1e39;"),
            "1: error: literal 1e39 does not fit f32\n");
  EXPECT_EQ(messagesOf("let v: i8 = -128;"), "");
}

TEST(ErrorsTest, ConversionsNeedAs) {
  EXPECT_EQ(messagesOf("let v: f32 = d;"),
            "1: error: expected f32, got f64; write 'as f32' to convert\n");
  EXPECT_EQ(messagesOf("let v = f * a;"),
            "1: error: the operands of '*' have different types: f32 and "
            "i32\n1: note: convert one of them with 'as'\n");
  EXPECT_EQ(messagesOf("let v = a as bool;"),
            "1: error: cannot convert i32 to bool with 'as'\n"
            "1: note: write '!= 0' to test for a nonzero value\n");
  EXPECT_EQ(messagesOf("if a { }"),
            "1: error: expected bool, got i32\n"
            "1: note: write '!= 0' to test for a nonzero value\n");
}

TEST(ErrorsTest, OperatorsNeedTheirTypes) {
  EXPECT_EQ(messagesOf("let v = p + p;"),
            "1: error: operator '+' needs numbers, got bool\n");
  EXPECT_EQ(messagesOf("let v = f % f;"),
            "1: error: operator '%' needs integers, got f32\n");
  EXPECT_EQ(messagesOf("let v = ~f;"),
            "1: error: operator '~' needs an integer or a mask, got f32\n");
  EXPECT_EQ(messagesOf("let v = p < p;"),
            "1: error: values of type bool have no order\n");
  EXPECT_EQ(messagesOf("let v = (1, 2) == (1, 2);"),
            "1: error: values of type (i32, i32) cannot be compared\n");
}

TEST(ErrorsTest, DivisionByTheConstantZero) {
  EXPECT_EQ(messagesOf("let v = a / 0;"),
            "1: error: division by the constant zero\n");
  EXPECT_EQ(messagesOf("let v = a % (2 - 2);"),
            "1: error: remainder by the constant zero\n");
  EXPECT_EQ(messagesOf("var v = a; v /= 0;"),
            "1: error: division by the constant zero\n");
  EXPECT_EQ(messagesOf("let v = f / 0.0;"), "");
}

TEST(ErrorsTest, OnlyPlacesAreAssigned) {
  EXPECT_EQ(messagesOf("let v = 1;\nv = 2;"),
            "2: error: cannot assign to 'v', which is not declared with "
            "'var'\n1: note: 'v' is declared here\n");
  EXPECT_EQ(messagesOf("a = 2;"),
            "1: error: cannot assign to 'a', which is not declared with "
            "'var'\n1: note: 'a' is declared here\n");
  EXPECT_EQ(messagesOf("x[0] = 2.0;"),
            "1: error: cannot assign to an element of a view that is not "
            "'mut'\n1: note: 'x' is declared here\n");
  EXPECT_EQ(messagesOf("y = x;"), "1: error: cannot assign to a view\n");
  EXPECT_EQ(messagesOf("1 + 1 = 2;"), "1: error: this cannot be assigned to\n");
  EXPECT_EQ(messagesOf("for i in 0..4 { i = 2; }"),
            "1: error: cannot assign to 'i', which is not declared with "
            "'var'\n1: note: 'i' is declared here\n");
  EXPECT_EQ(messagesOf("n = 2;"),
            "1: error: cannot assign to 'n', which is not declared with "
            "'var'\n1: note: 'n' is declared here\n");
}

TEST(ErrorsTest, NamesAreDeclaredOnceAScope) {
  EXPECT_EQ(messagesOf("let v = 1;\nlet v = 2;"),
            "2: error: 'v' is already declared in this scope\n"
            "1: note: the first declaration is here\n");
  EXPECT_EQ(messagesOf("let v = 1; { let v = 2.0; let w = v * 1.5; }"), "");
  EXPECT_EQ(Checked("fn f() { }\nconst f: i32 = 1;\n").messages(),
            "2: error: 'f' is already declared\n"
            "1: note: the first declaration is here\n");
}

TEST(ErrorsTest, JumpsNeedALoop) {
  EXPECT_EQ(messagesOf("break;"), "1: error: 'break' is not inside a loop\n");
  EXPECT_EQ(messagesOf("while p { static for i in 0..2 { continue; } }"),
            "1: error: 'continue' cannot leave a 'static for'\n");
  EXPECT_EQ(messagesOf("static for i in 0..2 { while p { break; } }"), "");
}

TEST(ErrorsTest, FunctionsReturnOnAllPaths) {
  EXPECT_EQ(Checked("fn f(p: bool) -> i32 {\n if p { return 1; } }").messages(),
            "1: error: 'f' may end without returning i32\n");
  EXPECT_EQ(Checked("fn f(p: bool) -> i32 { if p { return 1; } else { trap(); "
                    "} }")
                .messages(),
            "");
  EXPECT_EQ(Checked("fn f() -> i32 { while true { return 1; } }").messages(),
            "");
  EXPECT_EQ(Checked("fn f(p: bool) -> i32 { while true { if p { break; } } }")
                .messages(),
            "1: error: 'f' may end without returning i32\n");
  EXPECT_EQ(messagesOf("return 1;"), "1: error: a kernel returns no value\n");
  EXPECT_EQ(Checked("fn f() {\n  return 1;\n}\n").messages(),
            "2: error: 'f' returns no value\n"
            "1: note: 'f' is declared without '-> TYPE'\n");
  EXPECT_EQ(messagesOf("let (v) = (1, 2);"),
            "1: error: a pattern of 1 name cannot take (i32, i32)\n");
  EXPECT_EQ(Checked("fn f() -> i32 { return; }").messages(),
            "1: error: 'return' without a value, expected i32\n");
}

TEST(ErrorsTest, CallsMatchTheirFunction) {
  const char *f = "fn f(v: i32) { }\n";
  auto call = [&](llvm::StringRef text) {
    return Checked(
               (f + ("kernel k(a: i64) workgroup(1) { " + text + " }").str()))
        .messages();
  };
  EXPECT_EQ(call("f();"), "2: error: 'f' takes 1 argument, got 0\n"
                          "1: note: 'f' is declared here\n");
  EXPECT_EQ(call("f(v = 1);"), "2: error: 'f' takes no named arguments\n");
  EXPECT_EQ(call("f<4>(1);"), "2: error: 'f' takes no generic arguments\n"
                              "1: note: 'f' is declared here\n");
  EXPECT_EQ(call("f(a);"),
            "2: error: expected i32, got i64; write 'as i32' to convert\n");
  EXPECT_EQ(call("let v = f(1);"),
            "2: error: expected a value, got a call that gives none\n");
  EXPECT_EQ(call("k(a);"), "2: error: 'k' is launched by the host and cannot "
                           "be called\n");
  EXPECT_EQ(call("a(1);"), "2: error: 'a' is not a function\n"
                           "2: note: 'a' is declared here\n");
}

TEST(ErrorsTest, StructLiteralsGiveAllFields) {
  const char *items = "struct S { first: i32, second: f32 }\n";
  auto make = [&](llvm::StringRef text) {
    return Checked((items +
                    ("kernel k() workgroup(1) { let s = S { " + text + " }; }")
                        .str()))
        .messages();
  };
  EXPECT_EQ(make("second: 1.0, first: 2"), "");
  EXPECT_EQ(make("first: 2"), "2: error: struct literal of S lacks 'second'\n");
  EXPECT_EQ(make("first: 2, second: 1.0, thrid: 1"),
            "2: error: struct S has no field 'thrid'\n");
  EXPECT_EQ(make("first: 2, secnd: 1.0"),
            "2: error: struct S has no field 'secnd'\n"
            "2: note: did you mean 'second'?\n");
  EXPECT_EQ(make("first: 2, first: 3"),
            "2: error: field 'first' is given twice\n"
            "2: note: the first value is here\n");
}

TEST(ErrorsTest, TypesAreFinite) {
  EXPECT_EQ(Checked("struct A { b: B }\nstruct B { a: A }\n").messages(),
            "2: error: struct 'A' contains itself\n"
            "1: note: 'A' is declared here\n");
  EXPECT_EQ(Checked("type A = B;\ntype B = [A; 2];\n").messages(),
            "2: error: type 'A' is defined by itself\n");
}

TEST(ErrorsTest, StaticForIsBounded) {
  EXPECT_EQ(messagesOf("static for i in 0..100000 { }"),
            "1: error: the 'static for' loops of a function make at most "
            "65536 trips\n");
  EXPECT_EQ(messagesOf("static for i in 0..a { }"),
            "1: error: the range of 'static for' is not known at compile "
            "time\n");
  EXPECT_EQ(messagesOf("static if a > 0 { }"),
            "1: error: the condition of 'static if' must be known at compile "
            "time\n");
  EXPECT_EQ(messagesOf("for i in (0..4).step(0) { }"),
            "1: error: the step of a range must be positive, got 0\n");
}

TEST(ErrorsTest, BitcastsNeedEqualSizes) {
  EXPECT_EQ(messagesOf("let v = bitcast<u64>(f);"),
            "1: error: bitcast needs types of one size: f32 has 4 bytes, u64 "
            "has 8\n");
  EXPECT_EQ(messagesOf("let v = bitcast<u64>((b, a));"),
            "1: error: bitcast needs types without padding, (u8, i32) has "
            "some\n");
}

TEST(ErrorsTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(messagesOf("print(\"{}\", a);"),
            "1: error: 'print' is not supported yet\n");
  EXPECT_EQ(messagesOf("workspace w: [n]u32;\nw[0] = 1;"),
            "1: error: 'workspace' is not supported yet\n");
  EXPECT_EQ(messagesOf("barrier r(64);"),
            "1: error: 'barrier' is not supported yet\n");
  EXPECT_EQ(messagesOf("nvidia.setmaxnreg(40);"),
            "1: error: 'nvidia.setmaxnreg' is not supported yet\n");
  EXPECT_EQ(messagesOf("#[distinct] y[0] = 1.0;"),
            "1: error: '#[distinct]' is not supported yet\n");
  EXPECT_EQ(Checked("pipeline p(x: mut [n]f32) { }").messages(),
            "1: error: a pipeline is not supported yet\n");
  EXPECT_EQ(Checked("test \"t\" { }").messages(),
            "1: error: a test is not supported yet\n");
}

TEST(ErrorsTest, AssertsCountTheirHoles) {
  EXPECT_EQ(messagesOf("assert(p, \"a is {}\", a);"), "");
  EXPECT_EQ(messagesOf("assert(p, \"a is {} {}\", a);"),
            "1: error: the text of 'assert' has 2 '{}', but 1 value follows\n");
  EXPECT_EQ(messagesOf("assert(a);"),
            "1: error: expected bool, got i32\n"
            "1: note: write '!= 0' to test for a nonzero value\n");
}

TEST(ErrorsTest, OperatorsHaveOneType) {
  EXPECT_EQ(Checked("op f(a: i32, b: f32) -> i32 { return a; }").messages(),
            "1: error: the parameters and the result of op 'f' must have one "
            "type, got f32 and i32\n");
  EXPECT_EQ(Checked("op f(a: i32) -> i32 { return a; }").messages(),
            "1: error: op 'f' must have 2 parameters, got 1\n");
}

TEST(ErrorsTest, SwitchesNameEachCaseOnce) {
  EXPECT_EQ(messagesOf("switch a { 1: { }\n1: { } }"),
            "2: error: this case occurs twice\n"
            "1: note: the first one is here\n");
  EXPECT_EQ(messagesOf("switch a { (a + 1): { } }"),
            "1: error: a case must be known at compile time\n");
  EXPECT_EQ(messagesOf("switch f { 1: { } }"),
            "1: error: 'switch' needs an integer, an enum or a bool, got "
            "f32\n");
}

TEST(ErrorsTest, DeepExpressionsDoNotCrash) {
  std::string sum = "1.0";
  for (int i = 0; i < 900; ++i)
    sum += " + f";
  EXPECT_EQ(messagesOf("let v = " + sum + ";"), "");
  std::string arrays(200, '['), ends(200, ']');
  EXPECT_EQ(messagesOf("let v = " + arrays + "1" + ends + ";"), "");
}

TEST(ErrorsTest, LongSwitchesAreRefused) {
  std::string cases;
  for (int i = 0; i < 5000; ++i)
    cases += std::to_string(i) + ": { } ";
  EXPECT_EQ(messagesOf("switch a { " + cases + "}"),
            "1: error: 'switch' has at most 256 cases\n");
  std::string values = "0";
  for (int i = 1; i < 5000; ++i)
    values += ", " + std::to_string(i);
  EXPECT_EQ(messagesOf("switch a { " + values + ": { } }"),
            "1: error: 'switch' has at most 256 cases\n");
}

TEST(ErrorsTest, TypesOfTooManyPartsAreRefused) {
  std::string structs = "struct S0 { a: i32, b: i32 }\n";
  std::string tuples = "type T0 = (i32, i32);\n";
  for (int i = 1; i < 21; ++i) {
    std::string n = std::to_string(i), m = std::to_string(i - 1);
    structs += "struct S" + n + " { a: S" + m + ", b: S" + m + " }\n";
    tuples += "type T" + n + " = (T" + m + ", T" + m + ");\n";
  }
  EXPECT_EQ(Checked(structs).messages(),
            "21: error: struct 'S20' is too large\n");
  EXPECT_EQ(Checked(tuples).messages(), "21: error: this tuple is too large\n");
}
