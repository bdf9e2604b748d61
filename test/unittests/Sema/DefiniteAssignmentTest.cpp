//===- DefiniteAssignmentTest.cpp - Variables before their first value ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypedPrinter.h"
#include <gtest/gtest.h>

using namespace coll::sema;
using namespace coll::sema::test;

namespace {

/// The error for a read of `name`, declared as `variable`.
std::string unassigned(const std::string &name, const std::string &variable) {
  return "error: '" + name +
         "' is not assigned on every path before it is read\nnote: '" +
         variable + "' is declared here without a value\n";
}

std::string unassigned(const std::string &name) {
  return unassigned(name, name);
}

TEST(DefiniteAssignment, StraightLine) {
  EXPECT_EQ(check("var s: f32; y[0] = s;"), unassigned("s"));
  EXPECT_EQ(check("var s: f32; s = a; y[0] = s;"), "");
  EXPECT_EQ(check("var s: f32; s += a;"), unassigned("s"));
}

TEST(DefiniteAssignment, ReportsAVariableOnce) {
  EXPECT_EQ(check("var s: f32; y[0] = s; y[1] = s; y[2] = s;"),
            unassigned("s"));
}

TEST(DefiniteAssignment, BothArmsOfAnIf) {
  EXPECT_EQ(check("var s: f32; if p { s = a; } y[0] = s;"), unassigned("s"));
  EXPECT_EQ(check("var s: f32; if p { s = a; } else { s = b; } y[0] = s;"), "");
  EXPECT_EQ(check("var s: f32; if p { s = a; } else { return; } y[0] = s;"),
            "");
  EXPECT_EQ(check("var s: f32; if p { s = a; } else { trap(); } y[0] = s;"),
            "");
}

TEST(DefiniteAssignment, AllArmsOfASwitch) {
  EXPECT_EQ(check("var s: f32; switch i { 0: { s = a; } 1, 2: { s = b; } "
                  "else: { s = c; } } y[0] = s;"),
            "");
  EXPECT_EQ(check("var s: f32; switch i { 0: { s = a; } 1, 2: { s = b; } } "
                  "y[0] = s;"),
            unassigned("s"));
}

TEST(DefiniteAssignment, LoopsMayMakeNoTrip) {
  EXPECT_EQ(check("var s: f32; for q in 0..i { s = a; } y[0] = s;"),
            unassigned("s"));
  EXPECT_EQ(check("var s: f32; while p { s = a; } y[0] = s;"), unassigned("s"));
}

TEST(DefiniteAssignment, EndlessLoopsEndAtABreak) {
  EXPECT_EQ(
      check("var s: f32; while true { s = a; if p { break; } } y[0] = s;"), "");
  EXPECT_EQ(
      check("var s: f32; while true { if p { break; } s = a; } y[0] = s;"),
      unassigned("s"));
}

TEST(DefiniteAssignment, ContinueLeavesTheBody) {
  EXPECT_EQ(
      check("for q in 0..i { var s: f32; if p { continue; } else { s = a; "
            "} y[q] = s; }"),
      "");
}

TEST(DefiniteAssignment, EachTripStartsUnassigned) {
  EXPECT_EQ(
      check("for q in 0..i { var s: f32; if q > 0 { y[0] = s; } s = a; }"),
      unassigned("s"));
}

TEST(DefiniteAssignment, ConditionalExpressionsAndShortCircuits) {
  EXPECT_EQ(check("var s: f32; y[0] = p ? a : s;"), unassigned("s"));
  EXPECT_EQ(check("var q: bool; if p && q { y[0] = a; }"), unassigned("q"));
}

TEST(DefiniteAssignment, FieldsCountOneByOne) {
  std::string items = "struct Pair { first: f32, second: f32 }\n";
  EXPECT_EQ(check("var s: Pair; s.first = a; y[0] = s.first;", items), "");
  EXPECT_EQ(check("var s: Pair; s.first = a; y[0] = s.second;", items),
            unassigned("s.second", "s"));
  EXPECT_EQ(check("var s: Pair; s.first = a; s.second = b; let t = s; "
                  "y[0] = t.first;",
                  items),
            "");
  EXPECT_EQ(
      check("var s: Pair; s.first = a; let t = s; y[0] = t.first;", items),
      unassigned("s.second", "s"));
}

TEST(DefiniteAssignment, AnIndexedStoreStartsAnArray) {
  EXPECT_EQ(check("var s: [f32; 4]; y[0] = s[0];"), unassigned("s"));
  EXPECT_EQ(check("var s: [f32; 4]; for q in 0..i { s[q] = a; } y[0] = s[0];"),
            "");
  EXPECT_EQ(check("var s: [f32; 4]; s[0] += a;"), unassigned("s"));
}

TEST(DefiniteAssignment, ChunkLoopsFillRows) {
  EXPECT_EQ(check("var row: [[f32; 4]; 8];\n"
                  "for q in block.chunks(n, 4, max = 8) { row[q.trip] = "
                  "q.load(x, 0.0); }\n"
                  "for q in block.chunks(n, 4, max = 8) { q.store(y, "
                  "row[q.trip]); }"),
            "");
}

TEST(DefiniteAssignment, LambdasReadWhatTheyCapture) {
  EXPECT_EQ(check("var s: f32; y[0] = block.reduce(|l, r| l + r + s, a);"),
            unassigned("s"));
}

TEST(DefiniteAssignment, MutArguments) {
  std::string reads = "fn bump(v: mut f32) { v += 1.0; }\n";
  std::string writes = "fn reset(v: mut f32) { v = 1.0; }\n";
  std::string sometimes =
      "fn maybe(v: mut f32, q: bool) { if q { v = 1.0; } }\n";
  EXPECT_EQ(check("var s: f32; bump(s);", reads), unassigned("s"));
  EXPECT_EQ(check("var s: f32; reset(s); y[0] = s;", writes), "");
  EXPECT_EQ(check("var s: f32; maybe(s, p); y[0] = s;", sometimes),
            unassigned("s"));
}

TEST(DefiniteAssignment, FunctionsAreCheckedOnce) {
  std::string items = "fn f() -> f32 { var s: f32; return s; }\n";
  EXPECT_EQ(check("y[0] = f(); y[1] = f();", items), unassigned("s"));
}

TEST(DefiniteAssignment, SharedIsExempt) {
  EXPECT_EQ(check("shared t: [f32; 64]; y[0] = t[0];"), "");
}

} // namespace
