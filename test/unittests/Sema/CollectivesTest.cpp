//===- CollectivesTest.cpp - Methods of groups and their types ------------===//
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

const char moments[] =
    "struct Moments { n: f32, mean: f32 }\n"
    "op merge(l: Moments, r: Moments) -> Moments identity Moments { n: 0.0, "
    "mean: 0.0 } commutative { return l; }\n"
    "op affine(l: (f32, f32), r: (f32, f32)) -> (f32, f32) { return l; }\n"
    "fn first(l: f32, r: f32) -> f32 { return l; }\n";

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

TEST(Groups, Members) {
  EXPECT_EQ(print("let r = block.rank;"), "{ let r: i32 = block.rank; }");
  EXPECT_EQ(print("let r = block.index;"), "{ let r: i64 = block.index; }");
  EXPECT_EQ(print("let r = block.size3.y;"), "{ let r: i32 = block.size3.y; }");
  EXPECT_EQ(print("let r = block.index3.z;"),
            "{ let r: i64 = block.index3.z; }");
  EXPECT_EQ(print("let r = thread.index3.x;"),
            "{ let r: i32 = thread.index3.x; }");
  EXPECT_EQ(print("let r = warp.index;"), "{ let r: i32 = warp.index; }");
  EXPECT_EQ(print("let r = warp.tile(8).size;"),
            "{ let r: i32 = warp.tile(8).size; }");
  EXPECT_EQ(print("let r = grid.rank;"), "{ let r: i64 = grid.rank; }");
}

TEST(Groups, ThreadsSpeakOfTheBlock) {
  EXPECT_EQ(print("let r = thread.rank;"), "{ let r: i32 = block.rank; }");
  EXPECT_EQ(print("let r = thread.count;"), "{ let r: i32 = block.size; }");
  EXPECT_EQ(print("let r = thread.size;"), "{ let r: i32 = 1; }");
  EXPECT_EQ(print("let r = grid.count;"), "{ let r: i64 = block.count; }");
}

TEST(Groups, WrongMembers) {
  EXPECT_EQ(check("let r = block.rnk;"),
            "error: block has no member 'rnk'; did you mean 'rank'?\n");
  EXPECT_EQ(check("let r = warp.index3.x;"),
            "error: warp has no member 'index3'; did you mean 'index'?\n");
  EXPECT_EQ(check("let r = block.index3;"),
            "error: block.index3 is not a value, use its x, y or z\n");
  EXPECT_EQ(check("let r = block.index3.w;"),
            "error: block.index3 has no member 'w', expected x, y or z\n");
  EXPECT_EQ(check("let r = block.reduce;"),
            "error: block.reduce is a method, it is called\n");
}

TEST(Groups, TilesFitTheWarp) {
  EXPECT_EQ(check("let r = warp.tile(6).rank;"),
            "error: the tile's size is 6, expected a power of two\n");
  EXPECT_EQ(check("let r = warp.tile(64).rank;"),
            "error: warp.tile(64) does not fit in a warp of the reference "
            "device, which "
            "has 32 threads\n");
  SemaOptions wide;
  wide.target.warpSize = 64;
  EXPECT_EQ(check("let r = warp.tile(64).rank;", "", wide), "");
}

TEST(Groups, WhatIsNotThereYet) {
  EXPECT_EQ(check("let r = grid.shuffle_up(i, 1);"),
            "error: grid.shuffle_up is not supported yet\n");
  EXPECT_EQ(check("let r = cluster.sort(i);"),
            "error: cluster.sort is not supported yet\n");
  EXPECT_EQ(check("let r = warp.active().sort(i);"),
            "error: warp.active().sort is not supported yet\n");
}

TEST(Groups, RanksOfTheGridAreWide) {
  EXPECT_EQ(print("let r = grid.count(i > 0);"),
            "{ let r: i64 = grid.count((i > 0)): i64; }");
  EXPECT_EQ(print("let r = cluster.count(i > 0);"),
            "{ let r: i32 = cluster.count((i > 0)): i32; }");
  EXPECT_EQ(print("let r = grid.arg_min(a);"),
            "{ let r: (f32, i64) = grid.arg_min(a): (f32, i64); }");
  EXPECT_EQ(print("let r = grid.broadcast(a, i);"),
            "{ let r: f32 = grid.broadcast(a, (i as i64)): f32; }");
  EXPECT_EQ(print("let r = cluster.index;"), "{ let r: i64 = cluster.index; }");
  EXPECT_EQ(print("let r = cluster.rank;"), "{ let r: i32 = cluster.rank; }");
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

TEST(Collectives, ReduceWithBuiltins) {
  EXPECT_EQ(print("let r = block.reduce(add, a);"),
            "{ let r: f32 = block.reduce(add; a): f32; }");
  EXPECT_EQ(print("let r = warp.tile(4).reduce(xor, i);"),
            "{ let r: i32 = warp.tile(4).reduce(xor; i): i32; }");
  EXPECT_EQ(print("let r = warp.reduce(max, (a, i));"),
            "{ let r: (f32, i32) = warp.reduce(max; {a, i}): (f32, i32); }");
}

TEST(Collectives, ArraysAreReducedToTheirElement) {
  EXPECT_EQ(
      print("let v = [a, b]; let r = block.reduce(add, v);"),
      "{ let v: [f32; 2] = {a, b}; let r: f32 = block.reduce(add; v; over "
      "array): f32; }");
  EXPECT_EQ(print("let v = [a, b]; let r = block.scan(add, v);"),
            "{ let v: [f32; 2] = {a, b}; let r: [f32; 2] = block.scan(add; v; "
            "over array): [f32; 2]; }");
  std::string text = print("let v = [a, b]; let r = block.scan_total(add, v);");
  EXPECT_NE(text.find("let r: ([f32; 2], f32)"), std::string::npos) << text;
}

TEST(Collectives, DeclaredOperators) {
  EXPECT_EQ(
      print("let r = block.reduce(merge, Moments { n: a, mean: b });", moments),
      "{ let r: Moments = block.reduce(|l, r| merge(l, r) identity {0, 0} "
      "commutative; {a, b}): Moments; }");
  EXPECT_EQ(print("let r = block.reduce(first, a);", moments),
            "{ let r: f32 = block.reduce(|l, r| first(l, r); a): f32; }");
}

TEST(Collectives, LambdasAreTypedByTheValue) {
  EXPECT_EQ(print("let r = block.reduce(|l, r| l + r * 2, i);"),
            "{ let r: i32 = block.reduce(|l, r| (l + (r * 2)); i): i32; }");
  EXPECT_EQ(check("let r = block.reduce(|l, r| l > r, i);"),
            "error: expected i32, got bool; write 'as i32' to convert\n"
            "note: the parameters of this lambda are i32, the type of the "
            "combined values\n");
  EXPECT_EQ(check("let r = block.reduce(|l: i32, r: i32| l > r, i);"),
            "error: expected i32, got bool; write 'as i32' to convert\n");
  EXPECT_EQ(check("let r = block.reduce(|l| l, i);"),
            "error: an operator has two parameters, this lambda has 1\n");
}

TEST(Collectives, OperatorsMustFitTheValue) {
  EXPECT_EQ(check("let r = block.reduce(first, i);", moments),
            "error: 'first' combines f32, but the combined values are i32\n"
            "note: 'first' is declared here\n");
  EXPECT_EQ(check("let r = block.reduce(add, p);"),
            "error: operator 'add' combines a numeric type, got bool; the "
            "group's count(p) counts the ranks with a true p\n");
  EXPECT_EQ(check("let r = block.reduce(or, a);"),
            "error: operator 'or' combines an integer type or bool, got f32\n");
  EXPECT_EQ(check("let r = block.reduce(minimum, i);"),
            "error: operator 'minimum' combines a float type, got i32; use "
            "min\n");
  EXPECT_EQ(check("let r = block.reduce(add, (a, p));"),
            "error: operator 'add' combines a numeric type, got bool in (f32, "
            "bool); the group's count(p) counts the ranks with a true p\n");
  EXPECT_EQ(
      check("let r = block.reduce(i, a);"),
      "error: expected an operator: add, mul, min, max, minimum, maximum, "
      "and, or, xor, an op, a function of two parameters or a lambda\n");
}

TEST(Collectives, ExclusiveScansNeedAFirstValue) {
  EXPECT_EQ(print("let r = block.exclusive_scan(add, i);"),
            "{ let r: i32 = block.exclusive_scan(add; i, -): i32; }");
  EXPECT_EQ(
      print("let r = block.exclusive_scan(first, a, init = 1.0);", moments),
      "{ let r: f32 = block.exclusive_scan(|l, r| first(l, r); a, 1): "
      "f32; }");
  EXPECT_EQ(check("let r = block.exclusive_scan(first, a);", moments),
            "error: block.exclusive_scan needs a first value: operator 'first' "
            "has no identity, so give init = ...\n");
}

TEST(Collectives, ReverseScans) {
  EXPECT_EQ(print("let r = warp.scan(add, i, reverse = true);"),
            "{ let r: i32 = warp.scan(add; i; reverse): i32; }");
}

TEST(Collectives, Moves) {
  EXPECT_EQ(print("let r = block.broadcast(a);"),
            "{ let r: f32 = block.broadcast(a, 0): f32; }");
  EXPECT_EQ(print("let r = block.broadcast(a, from = i);"),
            "{ let r: f32 = block.broadcast(a, i): f32; }");
  EXPECT_EQ(print("let r = warp.shuffle_down(a, 1, fill = 0.0);"),
            "{ let r: f32 = warp.shuffle_down(a, 1, 0): f32; }");
  EXPECT_EQ(print("let r = warp.shuffle_xor((a, p), 16);"),
            "{ let r: (f32, bool) = warp.shuffle_xor({a, p}, 16, -): (f32, "
            "bool); }");
}

TEST(Collectives, ConstantDistancesStayInTheGroup) {
  EXPECT_EQ(check("let r = warp.shuffle_down(a, 32);"),
            "error: warp.shuffle_down reaches outside the group: distance 32, "
            "but a warp of the reference device has 32 ranks\n");
  EXPECT_EQ(check("let r = warp.tile(8).broadcast(a, from = 8);"),
            "error: warp.tile(8).broadcast reaches outside the group: rank 8, "
            "but warp.tile(8) has 8 ranks\n");
  EXPECT_EQ(check("let r = warp.shuffle(a, -1);"),
            "error: warp.shuffle has a negative rank, -1\n");
  EXPECT_EQ(check("let r = warp.rotate(a, -1);"), "");
}

TEST(Collectives, Votes) {
  EXPECT_EQ(print("let r = block.any(a > b);"),
            "{ let r: bool = block.any((a > b)): bool; }");
  EXPECT_EQ(print("let r = block.count(p);"),
            "{ let r: i32 = block.count(p): i32; }");
  EXPECT_EQ(print("let r = warp.ballot(p);"),
            "{ let r: mask = warp.ballot(p): mask; }");
  EXPECT_EQ(check("let r = block.ballot(p);"),
            "error: block.ballot: a mask has one bit a rank of a warp-level "
            "group; use block.count or block.rank_among\n");
  EXPECT_EQ(check("let r = block.match(i);"),
            "error: block.match: a mask has one bit a rank of a warp-level "
            "group\n");
  EXPECT_EQ(check("let r = block.any(i);"), "error: expected bool, got i32\n");
}

TEST(Collectives, ExtremesGiveValueAndRank) {
  EXPECT_EQ(print("let (v, r) = block.arg_max(a);")
                    .find("block.arg_max(a): (f32, i32)") == std::string::npos,
            false);
  EXPECT_EQ(check("let r = block.arg_min((a, b));"),
            "error: block.arg_min compares numbers, got (f32, f32)\n");
}

TEST(Collectives, WrongCalls) {
  EXPECT_EQ(check("let r = block.reduc(add, a);"),
            "error: block has no method 'reduc'; did you mean 'reduce'?\n");
  EXPECT_EQ(check("let r = block.reduce(a);"),
            "error: block.reduce(op, v) is called without 'v'\n");
  EXPECT_EQ(check("let r = block.reduce(add, a, b);"),
            "error: block.reduce(op, v) is called with 3 arguments\n");
  EXPECT_EQ(check("let r = warp.shuffle_up(a, 1, b);"),
            "error: warp.shuffle_up(v, d, fill = ...) takes 'fill' by its name "
            "only\n");
  EXPECT_EQ(check("let r = warp.shuffle_up(a, 1, fil = b);"),
            "error: warp.shuffle_up(v, d, fill = ...) has no argument 'fil'; "
            "did you mean 'fill'?\n");
  EXPECT_EQ(check("let r = block.reduce(add, x);"),
            "error: block.reduce takes a value, got [n]f32\n");
}

TEST(Collectives, OperatorsArePure) {
  EXPECT_EQ(check("y[0] = block.reduce(|l, r| l + block.reduce(add, r), a);"),
            "error: operator 'lambda' may not call block.reduce: operators are "
            "pure\nnote: 'lambda' is used as an operator here\n");
  EXPECT_EQ(check("shared t: f32; y[0] = block.reduce(store, a);",
                  "fn store(l: f32, r: f32) -> f32 { shared s: f32; s = l; "
                  "return r; }\n"),
            "error: operator 'store' may not write 's', which is memory: "
            "operators are pure\nnote: 'store' is used as an operator here\n");
  EXPECT_EQ(
      check("var s = a; y[0] = block.reduce(|l, r| bump(s, l), a);",
            "fn bump(v: mut f32, l: f32) -> f32 { v = l; return l; }\n"),
      "error: operator 'lambda' may not assign the captured variable 's': "
      "operators are pure\nnote: 'lambda' is used as an operator here\n");
}

//===----------------------------------------------------------------------===//
// Loops, chunks, views
//===----------------------------------------------------------------------===//

TEST(GroupLoops, Strided) {
  EXPECT_EQ(
      print("for q in block.strided(n) { y[q] = a; }"),
      "{ for q in (block.rank as i64)..n step (block.size as i64) strided "
      "block { y[q] = a; } }");
}

TEST(GroupLoops, NoCollectivesInStridedLoops) {
  EXPECT_EQ(check("for q in block.strided(n) { block.sync(); }"),
            "error: block.sync is inside a loop over block.strided, where "
            "threads make different numbers of trips; use block.chunks, where "
            "all make the same\nnote: the loop is here\n");
  EXPECT_EQ(
      check("for q in block.strided(n) { f(); }", "fn f() { warp.sync(); }\n"),
      "error: warp.sync is inside a loop over block.strided, where "
      "threads make different numbers of trips; use block.chunks, where "
      "all make the same\nnote: the loop is here\n");
}

TEST(GroupLoops, Chunks) {
  EXPECT_EQ(
      print("for q in block.chunks(n, 2) { q.store(y, q.load(x, 0.0)); }"),
      "{ { let count: i64 = n; let trips: i64 = ((count + (((block.size as "
      "i64) "
      "* 2) - 1)) / ((block.size as i64) * 2)); for trip in 0..trips chunked "
      "block { y.store<2>(((trip * ((block.size as i64) * 2)) + ((block.rank "
      "as "
      "i64) * 2)), x.load<2>(((trip * ((block.size as i64) * 2)) + "
      "((block.rank "
      "as i64) * 2)), limit count, fill 0), limit count); } } }");
}

TEST(GroupLoops, ChunksWithAMaximumUnroll) {
  std::string text =
      print("for q in block.chunks(n, 1, max = 3) { y[q.index(0)] = a; }");
  EXPECT_NE(text.find("assert((trips <= 3), \"block.chunks over {} elements "
                      "makes {} trips, max is 3\", count, trips);"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("for trip in 0..3 chunked block unroll if (trip < trips)"),
      std::string::npos)
      << text;
}

TEST(GroupLoops, WrongUses) {
  EXPECT_EQ(check("for q in thread.strided(n) { }"),
            "error: thread.strided has nothing to share out; loop over 0..n\n");
  EXPECT_EQ(check("let t = block.strided(n);"),
            "error: block.strided stands only in the head of a for loop\n");
  EXPECT_EQ(check("for q in block.chunks(n, 2) { y[0] = q.at(0); }"),
            "error: a chunk has no method 'at'\n");
  EXPECT_EQ(check("for q in block.chunks(n, 2) { let t = q.valid(2); }"),
            "error: valid(2) is outside of the chunk, which has 2 elements a "
            "thread\n");
}

TEST(Views, Methods) {
  EXPECT_EQ(print("let t = d.extent(1);"), "{ let t: i64 = d.extent(1); }");
  EXPECT_EQ(print("let t = x.load<4>(i);"),
            "{ let t: [f32; 4] = x.load<4>((i as i64)); }");
  EXPECT_EQ(print("y.store<2>(0, [a, b]);"), "{ y.store<2>(0, {a, b}); }");
  EXPECT_EQ(print("let t = d.flat()[3];"), "{ let t: f64 = d.flat()[3]; }");
  EXPECT_EQ(print("let t = x.vectors<4>()[3];"),
            "{ let t: f32x4 = x.vectors()[3]; }");
}

TEST(Views, WrongUses) {
  EXPECT_EQ(
      check("x.store<2>(0, [a, b]);"),
      "error: store writes 'x', which is not 'mut'\nnote: 'x' is declared "
      "here\n");
  EXPECT_EQ(check("let t = d.load<2>(0);"),
            "error: load takes a view of one dimension, got [n, m]f64\n");
  EXPECT_EQ(check("let t = x.lod<2>(0);"),
            "error: a view has no method 'lod'; did you mean 'load'?\n");
  EXPECT_EQ(check("let t = x.vectors<3>();"),
            "error: vectors have 2, 4, 8 or 16 lanes, got 3\n");
}

TEST(Views, GroupLoadsAreLimitedByTheView) {
  EXPECT_EQ(print("let t = block.load<2>(x, 10, 0.0);"),
            "{ let t: [f32; 2] = x.load<2>((10 + ((block.rank as i64) * 2)), "
            "limit x.extent(0), fill 0); }");
  EXPECT_EQ(print("block.store(y, 10, [a, b]);"),
            "{ y.store<2>((10 + ((block.rank as i64) * 2)), {a, b}, limit "
            "y.extent(0)); }");
}

} // namespace
