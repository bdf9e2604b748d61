//===- GenericsTest.cpp - Instances and inference -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "TypedPrinter.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sema;
using test::check;
using test::print;

TEST(GenericsTest, ArgumentsAreInferred) {
  const char *items = "fn twice<T: numeric>(v: T) -> T { return v + v; }\n"
                      "fn sum<T: numeric, const N: i32>(v: [T; N]) -> T {\n"
                      "  var s: T = v[0];\n"
                      "  static for k in 1..N { s += v[k]; }\n"
                      "  return s;\n"
                      "}\n";
  EXPECT_EQ(print("let v = twice(a);", items),
            "{ let v: f32 = twice<f32>(a); }");
  EXPECT_EQ(print("let v = twice(3);", items),
            "{ let v: i32 = twice<i32>(3); }");
  EXPECT_EQ(print("let v = twice<i64>(3);", items),
            "{ let v: i64 = twice<i64>(3); }");
  EXPECT_EQ(print("let v = sum([a, b, c]);", items),
            "{ let v: f32 = sum<f32, 3>({a, b, c}); }");
}

TEST(GenericsTest, LiteralsFollowTheOtherArguments) {
  const char *items = "fn pick<T: any>(a: T, b: T) -> T { return a; }\n";
  EXPECT_EQ(print("let v = pick(1, u[0]);", items),
            "{ let v: u32 = pick<u32>(1, u[0]); }");
  EXPECT_EQ(print("let v = pick(4000000000, u[0]);", items),
            "{ let v: u32 = pick<u32>(4000000000, u[0]); }");
}

TEST(GenericsTest, DefaultsAndStructs) {
  const char *items = "struct Pair<T: any, const N: u32 = 2> { v: [T; N] }\n"
                      "fn first<T: any, const N: u32>(p: Pair<T, N>) -> T { "
                      "return p.v[0]; }\n";
  EXPECT_EQ(print("let q: Pair<f32> = Pair { v: [a, b] };\n"
                  "let v = first(q);",
                  items),
            "{ let q: Pair<f32, 2> = {{a, b}}; "
            "let v: f32 = first<f32, 2>(q); }");
}

TEST(GenericsTest, ConstraintsAreChecked) {
  EXPECT_EQ(check("let v = f(a);", "fn f<T: integer>(v: T) -> T { return v; "
                                   "}\n"),
            "error: type f32 is not 'integer', which generic argument 'T' "
            "must be\nnote: 'T' is declared here\n");
  EXPECT_EQ(check("let v = f();", "fn f<T: integer>() -> i32 { return 1; }\n"),
            "error: cannot infer generic argument 'T' of 'f'\n"
            "note: 'T' is declared here\n");
  EXPECT_EQ(check("let v = f<1>(a);", "fn f<T>(v: T) -> T { return v; }\n"),
            "error: generic argument 'T' is a type, got a value\n");
}

TEST(GenericsTest, RequestedKernelsAreMade) {
  const char *text = "kernel pass<const N: u32, T: numeric = f32>"
                     "(x: mut [n]T) workgroup(N) { x[0] = 1; }";
  EXPECT_TRUE(Checked(text).program->getKernels().empty());
  SemaOptions options;
  options.kernelInstances = {"pass<8>", "pass<16, i32>", "pass<8>"};
  Checked checked(text, options);
  ASSERT_EQ(checked.messages(), "");
  ASSERT_EQ(checked.program->getKernels().size(), 2u);
  ASSERT_TRUE(checked.kernel("pass<8>"));
  EXPECT_EQ(checked.kernel("pass<8>")->symbol, "pass_8_f32");
  EXPECT_EQ(checked.kernel("pass<16, i32>")->workgroup[0], 16u);
}

TEST(GenericsTest, UnknownRequestsAreErrors) {
  SemaOptions options;
  options.kernelInstances = {"gone<8>"};
  EXPECT_EQ(Checked("kernel k() workgroup(1) { }", options).messages(),
            "error: the program has no kernel 'gone<8>': it has k\n");
}

TEST(GenericsTest, RecursionNamesTheCycle) {
  EXPECT_EQ(Checked("fn f(v: i32) -> i32 { return g(v); }\n"
                    "fn g(v: i32) -> i32 { return h(v); }\n"
                    "fn h(v: i32) -> i32 { return f(v); }\n")
                .messages(),
            "3: error: 'f' calls itself\n"
            "1: note: 'f' calls 'g' here\n"
            "2: note: 'g' calls 'h' here\n");
}

TEST(GenericsTest, EndlessInstantiationIsAnError) {
  EXPECT_EQ(Checked("fn f<const N: i32>() -> i32 { return f<N + 1>(); }\n"
                    "kernel k(x: mut [n]i32) workgroup(1) { x[0] = f<0>(); }\n")
                .messages(),
            "1: error: the calls of 'f' are nested too deeply (the limit is "
            "256)\n"
            "1: note: in 'f<254>', called from here\n"
            "1: note: in 'f<253>', called from here\n"
            "1: note: in 'f<252>', called from here\n"
            "1: note: in 'f<251>', called from here\n"
            "1: note: in 'f<250>', called from here\n"
            "1: note: in 'f<249>', called from here (the next 246 calls are "
            "not shown)\n"
            "1: note: in 'f<2>', called from here\n"
            "1: note: in 'f<1>', called from here\n"
            "2: note: in 'f<0>', called from here\n");
  std::string messages = Checked("struct P<T> { p: P<[T; 1]> }\n"
                                 "fn f(v: P<i32>) { }\n")
                             .messages();
  EXPECT_TRUE(llvm::StringRef(messages).starts_with(
      "1: error: struct 'P' is instantiated too deeply\n"
      "1: note: 'P' is declared here\n"
      "1: note: in 'P<" +
      std::string(63, '[') + "i32; 1]; 1]; 1]...', used here\n"))
      << messages;
  EXPECT_TRUE(llvm::StringRef(messages).ends_with(
      "1: note: in 'P<[i32; 1]>', used here\n"
      "2: note: in 'P<i32>', used here\n"))
      << messages;
}

TEST(GenericsTest, ErrorsOfInstancesLeadToTheirCalls) {
  EXPECT_EQ(Checked("fn twice<T>(v: T) -> T { return v + v; }\n"
                    "struct Row<T, const N: i32> { values: [T; N] }\n"
                    "fn last<const N: i32>(v: bool) -> f32 {\n"
                    "  let row = Row<f32, N - 1> { values: 0.0 };\n"
                    "  let both = twice(v);\n"
                    "  return row.values[0];\n"
                    "}\n"
                    "fn plain() -> f32 {\n"
                    "  return last<0>(true);\n"
                    "}\n"
                    "kernel k(x: mut [n]f32) workgroup(1) {\n"
                    "  x[0] = plain();\n"
                    "}\n")
                .messages(),
            "2: error: the length of an array must be from 0 to 4294967295, "
            "got -1\n"
            "4: note: in 'Row<f32, -1>', used here\n"
            "9: note: in 'last<0>', called from here\n"
            "1: error: operator '+' needs numbers, got bool\n"
            "5: note: in 'twice<bool>', called from here\n"
            "9: note: in 'last<0>', called from here\n");
}

TEST(GenericsTest, TheNumberOfInstancesIsLimited) {
  EXPECT_EQ(Checked("fn f<const N: i32, const D: i32>() -> i32 {\n"
                    "  static if D == 0 { return N; } else {\n"
                    "    return f<N * 2, D - 1>() +\n"
                    "           f<N * 2 + 1, D - 1>();\n"
                    "  }\n"
                    "}\n"
                    "kernel k(x: mut [n]i32) workgroup(1) {\n"
                    "  x[0] = f<1, 14>();\n"
                    "}\n")
                .messages(),
            "4: error: the program needs more than 16384 instances of "
            "functions\n"
            "4: note: in 'f<12287, 1>', called from here\n"
            "4: note: in 'f<6143, 2>', called from here\n"
            "4: note: in 'f<3071, 3>', called from here\n"
            "4: note: in 'f<1535, 4>', called from here\n"
            "4: note: in 'f<767, 5>', called from here\n"
            "4: note: in 'f<383, 6>', called from here (the next 5 calls are "
            "not shown)\n"
            "4: note: in 'f<5, 12>', called from here\n"
            "3: note: in 'f<2, 13>', called from here\n"
            "8: note: in 'f<1, 14>', called from here\n");
}

TEST(GenericsTest, ReferencesAndViews) {
  const char *items =
      "fn bump(v: mut f32) { v += 1.0; }\n"
      "fn total(v: [len]f32) -> f32 { var s = 0.0; for k in 0..len { s += "
      "v[k]; } return s; }\n"
      "fn clear<const M: i32, const N: i32>(t: mut shared [[f32; M]; N]) { "
      "t[0][M - 1] = 0.0; t[N - 1] [0] = 0.0; }\n";
  EXPECT_EQ(print("var v = 0.0; bump(v); bump(y[i]);", items),
            "{ let v: f32 = 0; bump(v); bump(y[(i as i64)]); }");
  EXPECT_EQ(print("let v = total(x[1..]);", items),
            "{ let v: f32 = total(x[..]); }");
  EXPECT_EQ(print("shared t: [[f32; 4]; 8]; clear(t);", items),
            "{ let t: [[f32; 4]; 8]; clear<4, 8>(t); }");
  EXPECT_EQ(check("let v = 0.0; bump(v);", items),
            "error: cannot pass as a 'mut' argument 'v', which is not "
            "declared with 'var'\nnote: 'v' is declared here\n");
  EXPECT_EQ(check("bump(x[0]);", items),
            "error: cannot pass as a 'mut' argument an element of a view that "
            "is not 'mut'\nnote: 'x' is declared here\n");
  EXPECT_EQ(check("var t: [[f32; 4]; 8] = 0.0; clear(t);", items),
            "error: expected mut shared [8, 4]f32, got [[f32; 4]; 8]\n");
}

TEST(GenericsTest, StdIsFoundAndMayBeQualified) {
  const char *std = "fn exp(x: f32) -> f32 { return x; }\n";
  EXPECT_EQ(Checked("import std.math;\nkernel k(y: mut [n]f32) workgroup(1) {"
                    " y[0] = exp(1.0) + std.math.exp(2.0); }",
                    {}, std)
                .messages(),
            "");
  EXPECT_EQ(Checked("import std.sort;", {}, std).messages(),
            "1: error: module 'std.sort' is not supported yet\n");
  EXPECT_EQ(Checked("import foo.bar;", {}, std).messages(),
            "1: error: unknown module 'foo.bar'\n");
  EXPECT_EQ(Checked("import \"gone.coll\";").messages(),
            "1: error: cannot read 'gone.coll': No such file or directory\n");
}
