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
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
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

/// A scan of `values`, of which those of a segment's first lanes are meant: the
/// operator is not called on what is in the others. An element is followed by
/// whether it is one.
static Leaves scanPresent(ImplicitLocOpBuilder &b, const Combiner &combiner,
                          const GroupRef &group, ValueRange values,
                          Value isPresent) {
  SmallVector<Value> elements(values);
  elements.push_back(isPresent);
  TypeRange types = ValueRange(elements).getTypes();
  auto scan = ScanOp::create(b, types, group, CombineKindAttr(), elements,
                             /*commutative=*/false, /*reverse=*/false);
  SmallVector<Type> arguments(types);
  llvm::append_range(arguments, types);
  OpBuilder::InsertionGuard guard(b);
  Block *block =
      b.createBlock(&scan.getCombiner(), {}, arguments,
                    SmallVector<Location>(arguments.size(), b.getLoc()));
  ValueRange both = block->getArguments();
  ValueRange left = both.take_front(values.size());
  ValueRange right = both.drop_front(elements.size()).drop_back();
  Leaves combined =
      combiner.combineWhere(b, both.back(), left, right, /*otherwise=*/left);
  combined.push_back(both.back());
  combiner.yieldAs(b, combined);
  return Leaves(scan.getResults().drop_back());
}

/// Lane i gets P(i). Lanes from `numSegments` on repeat the last total: they
/// are above all that matter.
Leaves BlockExpander::scanTotalsInLanes(const Combiner &combiner,
                                        const Scratch &scratch, TypeRange types,
                                        Value rankInSegment) {
  Value lane =
      arith::MinUIOp::create(b, rankInSegment, createI32(b, numSegments - 1));
  Value index = arith::ExtUIOp::create(b, b.getI64Type(), lane);
  Leaves totals = load(scratch, types, index);
  if (numSegments == segmentSize || combiner.isSpeculatable())
    return combiner.createScan(b, segmentGroup, totals);
  Value isTotal = arith::CmpIOp::create(b, CmpIPredicate::ult, rankInSegment,
                                        createI32(b, numSegments));
  return scanPresent(b, combiner, segmentGroup, totals, isTotal);
}

Leaves BlockExpander::createNeutral(const Combiner &combiner, TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) -> Value {
    return arith::ConstantOp::create(b, getNeutral(*combiner.getKind(), type));
  });
}

/// Lane i gets P(i - 1), which changes nothing in lane 0: so no segment has to
/// ask whether it is the first. Few totals are scanned in a row.
BlockExpander::Prefix BlockExpander::prefixInLanes(Operation *site,
                                                   const Combiner &combiner,
                                                   const Scratch &totals,
                                                   TypeRange types) {
  auto getTile = [&](unsigned size) {
    return size == segmentSize
               ? segmentGroup
               : GroupAttr::get(b.getContext(), GroupKind::Tile, size);
  };
  unsigned size = llvm::PowerOf2Ceil(numSegments);
  Value lane = RankOp::create(b, b.getI32Type(), getTile(size));
  if (size != numSegments)
    lane = arith::MinUIOp::create(b, lane, createI32(b, numSegments - 1));
  Leaves values =
      load(totals, types, arith::ExtUIOp::create(b, b.getI64Type(), lane));
  GroupAttr lanes = getTile(std::max(size, rowSize));
  Leaves scanned = combiner.createExclusiveScan(b, lanes, values,
                                                createNeutral(combiner, types));
  Prefix prefix;
  prefix.before = broadcastInSegment(scanned, segment());
  // The tree of the last total is not that of the ones before and itself.
  if (needsTotal(site))
    prefix.total = broadcastInSegment(combiner.createScan(b, lanes, values),
                                      createI32(b, numSegments - 1));
  return prefix;
}

/// The last segment has too few lanes to scan the totals for itself: the first
/// one does it for all.
BlockExpander::Prefix BlockExpander::spreadByMemory(Operation *site,
                                                    const Combiner &combiner,
                                                    const Scratch &totals,
                                                    TypeRange types) {
  Scratch prefixes = createScratch(site, types, numSegments);
  notes.read(
      "the first segment loads all totals, one a lane, and scans them: " +
          describeOperator(combiner),
      [](unsigned reader, unsigned) { return reader == 0; });
  notes.store("its lanes store the results",
              [](unsigned unit) { return unit == 0; });
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
  notes.read("every thread loads the result for the segment before its own",
             [](unsigned reader, unsigned source) {
               return reader != 0 && source == 0;
             });
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

static bool isMinMax(CombineKind kind) {
  switch (kind) {
  case CombineKind::SMin:
  case CombineKind::SMax:
  case CombineKind::UMin:
  case CombineKind::UMax:
  case CombineKind::MinNum:
  case CombineKind::MaxNum:
  case CombineKind::Minimum:
  case CombineKind::Maximum:
    return true;
  default:
    return false;
  }
}

/// Whether an application takes several instructions a word: comparisons of two
/// words, and their products.
bool BlockExpander::isLong(const Combiner &combiner, Type type) {
  bool isMul = *combiner.getKind() == CombineKind::Mul && type.isInteger();
  return type.getIntOrFloatBitWidth() > 32 &&
         (isMul || isMinMax(*combiner.getKind()));
}

/// Whether the totals before are scanned in lanes of every warp, which is a
/// segment, and the result is one scalar: by operators that are an instruction
/// a word with DPP, which products of integers are not. Two words a total take
/// more of them to pay.
bool BlockExpander::scansInLanes(const Combiner &combiner, Type type) const {
  if (!target.isAMD() || warpSize != segmentSize ||
      !hasLaneInstruction(combiner, type) || isLong(combiner, type) ||
      (*combiner.getKind() == CombineKind::Mul && type.isInteger()))
    return false;
  return numSegments > (type.getIntOrFloatBitWidth() <= 32 ? 2 : 6);
}

/// Whether every thread combines the totals before its own for itself. On AMD
/// the lanes that scan as many as that have the total of all with them.
bool BlockExpander::takesWindow(Operation *site, const Combiner &combiner,
                                Type type) const {
  if (!combiner.getKind() || numSegments > maxWindow + 1 || isTile())
    return false;
  bool isTotalForAll = needsTotal(site) && getReaders(site) == Readers::All;
  if (target.isAMD() && isTotalForAll && numSegments == maxWindow + 1 &&
      hasLaneInstruction(combiner, type) && !isLong(combiner, type))
    return false;
  return !scansInLanes(combiner, type);
}

BlockExpander::Prefix BlockExpander::scanSegments(Operation *site,
                                                  const Combiner &combiner,
                                                  ValueRange inclusive) {
  if (takesWindow(site, combiner, inclusive.front().getType()))
    return combineWindow(site, combiner, inclusive);
  SmallVector<Type> types(inclusive.getTypes());
  Scratch totals = createScratch(site, types, numSegments);
  noteTotals();
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
    notes.read("every thread loads both totals: the first is before the second "
               "segment",
               [](unsigned reader, unsigned source) {
                 return reader == 1 && source == 0;
               });
    Leaves first = load(totals, types, createI64(b, 0));
    Leaves second = load(totals, types, createI64(b, 1));
    return {isLater, first, combiner.combine(b, first, second)};
  }
  notes.read("each segment loads all totals, one a lane, and scans them: " +
             describeOperator(combiner));
  notes.inside("every thread takes the result for the segment before its own "
               "from a lane");
  if (scansInLanes(combiner, types.front()))
    return prefixInLanes(site, combiner, totals, types);
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
  notes.inside("every thread combines that with what its segment gave it: " +
               describeOperator(combiner));
  if (!prefix.isLater)
    return combiner.combine(b, prefix.before, values);
  return combiner.combineWhere(b, prefix.isLater, prefix.before, values,
                               values);
}

Leaves BlockExpander::scan(ScanOp op) {
  Combiner combiner(op);
  noteSegments("scan");
  Leaves inclusive = combiner.createScan(b, segmentGroup, op.getValues());
  Prefix prefix = scanSegments(op, combiner, inclusive);
  return combinePrefix(combiner, prefix, inclusive);
}

static bool haveSameConstants(ValueRange left, ValueRange right) {
  return llvm::all_of(llvm::zip_equal(left, right), [](auto pair) {
    TypedAttr first, second;
    auto [left, right] = pair;
    return matchPattern(left, m_Constant(&first)) &&
           matchPattern(right, m_Constant(&second)) && first == second;
  });
}

Leaves BlockExpander::shiftUp(ValueRange values, ValueRange fill) {
  notes.inside(
      "every rank takes the result of the rank before: shuffle_up over " +
      describeSegment());
  return Leaves(ShuffleOp::create(b, values.getTypes(), ShuffleKind::Up,
                                  segmentGroup, values, createI32(b, 1), fill)
                    .getResults());
}

/// Whether a rank's own value can be taken away from the result.
static bool isInvertible(const Combiner &combiner, ValueRange values) {
  bool isInteger = isa<IntegerType>(getElementTypeOrSelf(values.front()));
  return isInteger && (combiner.getKind() == CombineKind::Add ||
                       combiner.getKind() == CombineKind::Xor);
}

/// What the ranks of its segment before each rank give; the neutral value in
/// the first.
Leaves BlockExpander::shiftNeutral(const Combiner &combiner,
                                   ValueRange inclusive, ValueRange values) {
  if (!isInvertible(combiner, values))
    return shiftUp(inclusive, createNeutral(combiner, values.getTypes()));
  notes.inside("every rank takes its own value away from its result");
  Value total = inclusive.front(), own = values.front();
  if (combiner.getKind() == CombineKind::Xor)
    return {arith::XOrIOp::create(b, total, own)};
  return {arith::SubIOp::create(b, total, own)};
}

std::pair<Leaves, Leaves> BlockExpander::exclusiveScan(Operation *site,
                                                       const Combiner &combiner,
                                                       ValueRange values,
                                                       ValueRange first) {
  noteSegments("scan");
  Leaves inclusive = combiner.createScan(b, segmentGroup, values);
  // Where only the total is used, this is all.
  if (site->getResults().take_front(values.size()).use_empty()) {
    Leaves total = scanSegments(site, combiner, inclusive).total;
    return {Leaves(values), total};
  }
  if (usesNeutral(combiner) || isInvertible(combiner, values)) {
    Leaves before = shiftNeutral(combiner, inclusive, values);
    Prefix prefix = scanSegments(site, combiner, inclusive);
    Leaves results = combinePrefix(combiner, prefix, before);
    Leaves neutral = createNeutral(combiner, values.getTypes());
    if (!first.empty() && !haveSameConstants(first, neutral))
      results = createSelect(b, isEqual(groupRank(), 0), first, results);
    return {results, prefix.total};
  }
  Leaves before = shiftUp(inclusive, {});
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
  noteSegments("rank_among and count");
  Value below = RankAmongOp::create(b, i32, segmentGroup, predicate);
  Value population = PopulationOp::create(b, i32, segmentGroup, predicate);
  Combiner sum(CombineKind::Add);
  Prefix prefix = scanSegments(op, sum, population);
  return combinePrefix(sum, prefix, below).front();
}
