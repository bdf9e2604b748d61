//===- SpecificationTest.cpp - The orders, written out --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Specification.h"
#include "gtest/gtest.h"

using namespace coll;

namespace {
/// Groups of an operator of which only the order is known.
class OrderedSpecification : public testing::Test {
protected:
  Specification get(unsigned ranks) {
    std::vector<Expressions::ID> elements;
    for (unsigned rank = 0; rank < ranks; ++rank)
      elements.push_back(Expressions::firstElement + rank);
    return Specification(pool, elements);
  }
  std::string reduce(unsigned ranks) { return pool.str(get(ranks).reduce()); }
  std::string inclusive(unsigned ranks, unsigned rank) {
    return pool.str(get(ranks).inclusiveScan()[rank]);
  }
  std::string exclusive(unsigned ranks, unsigned rank) {
    return pool.str(get(ranks).exclusiveScan()[rank]);
  }

  Expressions pool{OperatorInfo::custom(false, true, 1)};
};
} // namespace

TEST_F(OrderedSpecification, ReduceLeavesOutAbsentBlocks) {
  EXPECT_EQ(reduce(1), "e0");
  EXPECT_EQ(reduce(2), "(e0 e1)");
  EXPECT_EQ(reduce(3), "((e0 e1) e2)");
  EXPECT_EQ(reduce(5), "(((e0 e1) (e2 e3)) e4)");
  EXPECT_EQ(reduce(7), "(((e0 e1) (e2 e3)) ((e4 e5) e6))");
  EXPECT_EQ(reduce(9), "((((e0 e1) (e2 e3)) ((e4 e5) (e6 e7))) e8)");
}

TEST_F(OrderedSpecification, ScanInsideARow) {
  EXPECT_EQ(inclusive(8, 0), "e0");
  EXPECT_EQ(inclusive(8, 2), "(e0 (e1 e2))");
  EXPECT_EQ(inclusive(8, 3), "((e0 e1) (e2 e3))");
  EXPECT_EQ(inclusive(8, 4), "(e0 ((e1 e2) (e3 e4)))");
  EXPECT_EQ(inclusive(8, 5), "((e0 e1) ((e2 e3) (e4 e5)))");
  EXPECT_EQ(exclusive(8, 0), "identity");
  EXPECT_EQ(exclusive(8, 6), inclusive(8, 5));
}

TEST_F(OrderedSpecification, ScanAcrossRows) {
  std::string row = inclusive(32, 15);
  EXPECT_EQ(row, reduce(16));
  EXPECT_EQ(inclusive(32, 16), "(" + row + " e16)");
  EXPECT_EQ(inclusive(32, 18), "(" + row + " (e16 (e17 e18)))");
  EXPECT_EQ(inclusive(17, 16), inclusive(32, 16));
}

TEST_F(OrderedSpecification, ScanAcrossSegments) {
  std::string first = inclusive(64, 31);
  EXPECT_EQ(first, reduce(32));
  EXPECT_EQ(inclusive(64, 33), "(" + first + " (e32 e33))");
  EXPECT_EQ(exclusive(64, 32), first);
  EXPECT_EQ(exclusive(64, 33), "(" + first + " e32)");
  for (unsigned rank = 1; rank < 64; ++rank)
    EXPECT_EQ(exclusive(64, rank), inclusive(64, rank - 1));
  EXPECT_EQ(inclusive(64, 63), reduce(64));
}

TEST(Expressions, ExactOperatorsSeeMultisets) {
  ElementInfo element = ElementInfo::integer(32);
  Expressions::ID first = Expressions::firstElement;
  Expressions sums(OperatorInfo::builtin(OperatorKind::Add, element));
  EXPECT_EQ(sums.str(sums.combine(first + 1, first)), "(e0 e1)");
  EXPECT_EQ(sums.str(sums.combine(first, first)), "(e0 e0)");
  EXPECT_EQ(sums.combine(first, sums.getZero()), first);
  EXPECT_EQ(sums.remove(sums.combine(first, first + 1), first), first + 1);
  EXPECT_EQ(sums.remove(first, first), sums.getIdentity());
  EXPECT_EQ(sums.str(sums.remove(first, first + 1)), "undefined");
  Expressions least(OperatorInfo::builtin(OperatorKind::UMin, element));
  EXPECT_EQ(least.combine(first, first), first);
  EXPECT_EQ(least.str(least.combine(first, least.getZero())), "(zero e0)");
  EXPECT_EQ(least.combine(first, Expressions::undefined),
            Expressions::undefined);
}
