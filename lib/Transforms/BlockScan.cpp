//===- BlockScan.cpp - Scans of a block -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every segment of 32 ranks scans itself; the segments' totals are scanned by
// one more scan of 32 lanes, which any segment can do that has enough lanes.
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace coll::ir;

using arith::CmpIPredicate;

Value BlockExpander::segment() {
  return arith::ShRUIOp::create(b, groupRank(), createI32(b, 5));
}

Value BlockExpander::rankInSegment() {
  return arith::AndIOp::create(b, groupRank(), createI32(b, 31));
}

Leaves BlockExpander::broadcastInSegment(ValueRange values, Value from) {
  return Leaves(
      BroadcastOp::create(b, values.getTypes(), segmentGroup, values, from)
          .getResults());
}

/// Lane i gets P(i). Lanes from `numSegments` on repeat the last total: they
/// are above all that matter.
Leaves BlockExpander::scanTotalsInLanes(const Combiner &combiner,
                                        const Scratch &scratch, TypeRange types,
                                        Value rankInSegment) {
  Value lane =
      arith::MinUIOp::create(b, rankInSegment, createI32(b, numSegments - 1));
  Value index = arith::ExtUIOp::create(b, b.getI64Type(), lane);
  return combiner.createScan(b, segmentGroup, load(scratch, types, index));
}

/// The last segment has too few lanes to scan the totals for itself: the first
/// one does it for all.
BlockExpander::Prefix BlockExpander::spreadByMemory(Operation *site,
                                                    const Combiner &combiner,
                                                    const Scratch &totals,
                                                    TypeRange types) {
  Scratch prefixes = createScratch(site, types, numSegments);
  Value ownSegment = segment();
  createIf(b, {}, isEqual(ownSegment, 0), [&] {
    Value rank = rankInSegment();
    Leaves scanned = scanTotalsInLanes(combiner, totals, types, rank);
    Value isTotal = arith::CmpIOp::create(b, CmpIPredicate::ult, rank,
                                          createI32(b, numSegments));
    createIf(b, {}, isTotal, [&] {
      store(prefixes, scanned, arith::ExtUIOp::create(b, b.getI64Type(), rank));
      return Leaves();
    });
    return Leaves();
  });
  sync();
  Value isLater =
      arith::CmpIOp::create(b, CmpIPredicate::ne, ownSegment, createI32(b, 0));
  Value from = arith::SubIOp::create(b, ownSegment, createI32(b, 1));
  from = arith::SelectOp::create(b, isLater, from, createI32(b, 0));
  Value index = arith::ExtUIOp::create(b, b.getI64Type(), from);
  return {isLater, load(prefixes, types, index),
          load(prefixes, types, createI64(b, numSegments - 1))};
}

Value BlockExpander::isLastOfSegment() {
  Value isLast = isEqual(rankInSegment(), 31);
  if (groupSize % 32 == 0)
    return isLast;
  return arith::OrIOp::create(b, isLast, isEqual(groupRank(), groupSize - 1));
}

BlockExpander::Prefix BlockExpander::scanSegments(Operation *site,
                                                  const Combiner &combiner,
                                                  ValueRange inclusive) {
  if (combiner.getKind() && numSegments <= maxWindow + 1 && !isTile())
    return combineWindow(site, combiner, inclusive);
  SmallVector<Type> types(inclusive.getTypes());
  Scratch totals = createScratch(site, types, numSegments);
  Value ownSegment = segment();
  createIf(b, {}, isLastOfSegment(), [&] {
    store(totals, inclusive,
          arith::ExtUIOp::create(b, b.getI64Type(), ownSegment));
    return Leaves();
  });
  sync();
  unsigned tail = groupSize % 32;
  if (tail && tail < numSegments)
    return spreadByMemory(site, combiner, totals, types);
  Value isLater =
      arith::CmpIOp::create(b, CmpIPredicate::ne, ownSegment, createI32(b, 0));
  if (numSegments == 2) {
    Leaves first = load(totals, types, createI64(b, 0));
    Leaves second = load(totals, types, createI64(b, 1));
    return {isLater, first, combiner.combine(b, first, second)};
  }
  Leaves scanned = scanTotalsInLanes(combiner, totals, types, rankInSegment());
  Value from = arith::SubIOp::create(b, ownSegment, createI32(b, 1));
  from = arith::SelectOp::create(b, isLater, from, createI32(b, 0));
  Prefix prefix{isLater, broadcastInSegment(scanned, from), {}};
  if (needsTotal(site))
    prefix.total = broadcastInSegment(scanned, createI32(b, numSegments - 1));
  return prefix;
}

Leaves BlockExpander::combinePrefix(const Combiner &combiner,
                                    const Prefix &prefix, ValueRange values) {
  if (!prefix.isLater)
    return combiner.combine(b, prefix.before, values);
  return combiner.combineWhere(b, prefix.isLater, prefix.before, values,
                               values);
}

Leaves BlockExpander::scan(ScanOp op) {
  Combiner combiner(op);
  Leaves inclusive = combiner.createScan(b, segmentGroup, op.getValues());
  Prefix prefix = scanSegments(op, combiner, inclusive);
  return combinePrefix(combiner, prefix, inclusive);
}

std::pair<Leaves, Leaves> BlockExpander::exclusiveScan(Operation *site,
                                                       const Combiner &combiner,
                                                       ValueRange values,
                                                       ValueRange first) {
  Leaves inclusive = combiner.createScan(b, segmentGroup, values);
  // Where only the total is used, this is all.
  if (site->getResults().take_front(values.size()).use_empty()) {
    Leaves total = scanSegments(site, combiner, inclusive).total;
    return {Leaves(values), total};
  }
  Leaves before = Leaves(
      ShuffleOp::create(b, values.getTypes(), ShuffleKind::Up, segmentGroup,
                        inclusive, createI32(b, 1), ValueRange())
          .getResults());
  Prefix prefix = scanSegments(site, combiner, inclusive);
  // `before` is the inclusive result in a segment's first rank, which is its
  // own value: the combination there is computed on real elements and dropped.
  Leaves results = combinePrefix(combiner, prefix, before);
  // In the first segment this is rank 0, which gets another value below.
  Value isFirst = isEqual(rankInSegment(), 0);
  results = createSelect(b, isFirst, prefix.before, results);
  results = createSelect(b, isEqual(groupRank(), 0),
                         first.empty() ? values : first, results);
  return {results, prefix.total};
}

/// The count in the segments before, and below in the own one. Sums of integers
/// are exact, so any order will do.
Value BlockExpander::rankAmong(RankAmongOp op) {
  Value predicate = op.getPredicate();
  Type i32 = b.getI32Type();
  Value below = RankAmongOp::create(b, i32, segmentGroup, predicate);
  Value population = PopulationOp::create(b, i32, segmentGroup, predicate);
  Combiner sum(CombineKind::Add);
  Prefix prefix = scanSegments(op, sum, population);
  return combinePrefix(sum, prefix, below).front();
}
