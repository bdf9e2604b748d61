//===- PrinterTest.cpp - Text, tree, text ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseText.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <random>

using coll::test::ParseText;
using coll::test::printExpr;

/// Parses, prints, parses and prints: the second text must equal the first.
static void expectFixedPoint(llvm::StringRef text) {
  ParseText first(text);
  ASSERT_EQ(first.messages(), std::vector<std::string>()) << text.str();
  ParseText second(first.print());
  ASSERT_EQ(second.messages(), std::vector<std::string>()) << first.print();
  EXPECT_EQ(first.print(), second.print());
}

TEST(Printer, Canonical) {
  EXPECT_EQ(
      ParseText(
          "const A:u32=1;const B :u32 = A;\n"
          "kernel k<T:numeric,const N:u32=4>(x:[rows,cols;pitch ld]T,\n"
          "  y:mut [n]f32,z:inout [4]u8)grid(device)workgroup(16,2){\n"
          "#[unroll(4)]#[distinct] for i in (0..n).rev(){y[i]+=x[i,..];}\n"
          "if a{}else if b{return;}else{shared s:[f32;4]align(128);}}")
          .print(),
      R"(const A: u32 = 1;
const B: u32 = A;

kernel k<T: numeric, const N: u32 = 4>(x: [rows, cols; pitch ld]T, y: mut [n]f32, z: inout [4]u8) workgroup(16, 2) grid(device) {
  #[unroll(4)]
  #[distinct]
  for i in (0..n).rev() {
    y[i] += x[i, ..];
  }
  if a {} else if b {
    return;
  } else {
    shared s: [f32; 4] align(128);
  }
}
)");
}

TEST(Printer, ParenthesesWhereNeeded) {
  EXPECT_EQ(printExpr("((a + b)) * (c * d) - (e - f)"),
            "(a + b) * (c * d) - (e - f)");
  EXPECT_EQ(printExpr("-(a + b)"), "-(a + b)");
  EXPECT_EQ(printExpr("(a ? b : c) ? d : e"), "(a ? b : c) ? d : e");
  EXPECT_EQ(printExpr("a & (b == c)"), "a & (b == c)");
  EXPECT_EQ(printExpr("(a as u32) < b"), "(a as u32) < b");
  EXPECT_EQ(printExpr("(-a) as u32"), "-a as u32");
  EXPECT_EQ(printExpr("-(a as u32)"), "-(a as u32)");
  EXPECT_EQ(printExpr("(1).x"), "(1).x");
  EXPECT_EQ(printExpr("f(a < b, (c > (d ? e : f)))"),
            "f(a < b, (c > (d ? e : f)))");
  EXPECT_EQ(printExpr("f(a < b, (c > (1).d))"), "f(a < b, (c > (1).d))");
  EXPECT_EQ(printExpr("f(a < b, c > 1)"), "f(a < b, c > 1)");
  EXPECT_EQ(printExpr("(a,)"), "(a,)");
  EXPECT_EQ(printExpr("(|a, b: f32| a * b)(x)"), "(|a, b: f32| a * b)(x)");
  EXPECT_EQ(printExpr("f<(a as u32), 2 * N, [f32; 4]>(x)"),
            "f<(a as u32), 2 * N, [f32; 4]>(x)");
  EXPECT_EQ(printExpr("g.scan(add, v, init = identity, reverse = true)"),
            "g.scan(add, v, init = identity, reverse = true)");
  EXPECT_EQ(printExpr("Moments { n: 1.0, mean }"),
            "Moments { n: 1.0, mean: mean }");
  EXPECT_EQ(printExpr("\"a\\n\\\"\\\\\""), "\"a\\n\\\"\\\\\"");
  EXPECT_EQ(printExpr("1_0.5_0e1"), "10.50e1");
}

TEST(Printer, FixedPointOfStatements) {
  expectFixedPoint(R"(
import std.reduce; import "file.coll";
type Row = [f32; 4];
enum Flag: u32 { none, total = 4, prefix }
struct Pair<T: any, U = f32> { a: T, b: (U, bool) }
fn f(t: mut shared [[f32; 8]; 4], v: mut f32, w: ()) -> (f32, u32) {
  let (a, (b, _)) = v; var x: T; var y: T = [1, 2]; let z = [0.0; N];
  switch v { 1, 2: { break; } Flag.total: { continue; } else: { trap(); } }
  static if target.has("redux") { } else if target.warp_size == 64 { }
  assert(a > b); assert(a > b, "text {}", v); print("lane {}: {}", i, v);
  x >>= 1; x <<= 2; t.0.1 = inf; x[a..b, ..c, d.., 1..=2] = nan;
  while (x == S { a: 1 }).b { } for i in a..=b { } { { } }
  let g = |a, b| { return a * b; };
  let h = c ? |a| a : |b| b;
  barrier b(n), ring[3](n); workspace w: [grid.count]Status kept;
}
op m(a: T, b: T) -> T identity (ZERO) { }
op m(a: T, b: T) -> T identity [0, 1] commutative { return a; }
kernel k() workgroup(1) grid(ceil_div(n, 2), 2) cluster(2) max_registers(64)
    min_blocks(2) { }
pipeline p(x: [n]f32) {
  let t = scratch [n][f32; 4]; let u = scratch [256, tiles]u32;
  launch k<4, add>(x, t) grid(n / 2); launch std.scan.exclusive<add>(t.flat());
  swap(t, x);
}
test "name" { let x = random([10000]f32, seed = 3); expect x[0] == count(x, |v| v > 0.5); }
)");
}

namespace {

/// Makes random expressions of few names, so that the look-ahead for generic
/// calls and struct literals meets every neighbour.
class RandomExpr {
public:
  explicit RandomExpr(unsigned seed) : generator(seed) {}
  std::string make(unsigned depth) {
    static const char *leaves[] = {"a", "b", "1", "2.5", "inf", "true", "a.b"};
    static const char *ops[] = {" + ",  " * ", " < ", " > ",  " >> ", " << ",
                                " == ", " & ", " | ", " && ", " - ",  " >= "};
    if (depth == 0)
      return leaves[pick(std::size(leaves))];
    auto sub = [&] { return "(" + make(depth - 1) + ")"; };
    switch (pick(16)) {
    case 0:
      return "-" + sub();
    case 1:
      return "!" + sub();
    case 2:
      return sub() + " as u32";
    case 3:
      return sub() + " ? " + sub() + " : " + sub();
    case 4:
      return "f(" + make(depth - 1) + ", " + make(depth - 1) + ")";
    case 5:
      return sub() + "[" + make(depth - 1) + "]";
    case 6:
      return sub() + ".c";
    case 7:
      return "S { a: " + make(depth - 1) + ", b }";
    case 8:
      return "|x, y| " + sub();
    case 9:
      return "[" + make(depth - 1) + ", " + make(depth - 1) + "]";
    case 10:
      return "(" + make(depth - 1) + ", " + make(depth - 1) + ")";
    case 11:
      return "f<(a" + std::string(ops[pick(std::size(ops))]) + "2), a * 2>(" +
             make(depth - 1) + ")";
    default:
      return sub() + ops[pick(std::size(ops))] + sub();
    }
  }

private:
  unsigned pick(unsigned n) { return generator() % n; }
  std::mt19937 generator;
};

} // namespace

TEST(Printer, FixedPointOfKernels) {
  std::error_code error;
  unsigned count = 0;
  for (llvm::sys::fs::directory_iterator i(COLL_SYNTAX_INPUTS, error), end;
       i != end && !error; i.increment(error)) {
    auto buffer = llvm::MemoryBuffer::getFile(i->path());
    ASSERT_TRUE(buffer) << i->path();
    SCOPED_TRACE(i->path());
    expectFixedPoint((*buffer)->getBuffer());
    ++count;
  }
  EXPECT_FALSE(error) << error.message();
  EXPECT_GE(count, 10u);
}

TEST(Printer, FixedPointOfRandomExpressions) {
  RandomExpr random(1);
  for (unsigned i = 0; i < 3000; ++i) {
    std::string expr = random.make(1 + i % 5);
    expectFixedPoint("fn f() { x = " + expr + "; while " + "(" + expr +
                     ") { a = 1; } }");
    if (testing::Test::HasFailure())
      return;
  }
}
