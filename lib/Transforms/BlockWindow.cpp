//===- BlockWindow.cpp - Few totals of a block scan -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of a row of a scan (docs/semantics.md) makes P(j) a tree whose
// pairs are aligned at j: ((...) (j-3 j-2)) ((...) (j-1 j)). So every segment
// combines the same tree over the totals that end before its own, where a value
// that changes no bit stands before the first. That needs no exchange between
// lanes.
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace coll::ir;

/// Stores the neutral value before the first total.
void BlockExpander::padWindow(const Scratch &totals, const Combiner &combiner,
                              unsigned pads) {
  OpBuilder::InsertionGuard guard(b);
  Operation *last = totals.views.front().getDefiningOp();
  for (Value view : totals.views)
    if (last->isBeforeInBlock(view.getDefiningOp()))
      last = view.getDefiningOp();
  b.setInsertionPointAfter(last);
  Value rank = groupRank();
  Value isPad = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, rank,
                                      createI32(b, pads));
  createIf(b, {}, isPad, [&] {
    Value index = arith::ExtUIOp::create(b, b.getI64Type(), rank);
    for (Value view : totals.views) {
      Type type = cast<ViewType>(view.getType()).getElementType();
      Value neutral =
          arith::ConstantOp::create(b, getNeutral(*combiner.getKind(), type));
      if (!totals.half) {
        StoreOp::create(b, ValueRange(neutral), view, ValueRange(index));
        continue;
      }
      for (int64_t half : {0, 1})
        StoreOp::create(b, ValueRange(neutral), view,
                        ValueRange{createI64(b, half), index});
    }
    return Leaves();
  });
}

/// The combination of `count` elements from `first` on, pairs from the end.
Leaves BlockExpander::combineElements(const Scratch &scratch,
                                      const Combiner &combiner, TypeRange types,
                                      Value first, unsigned count) {
  SmallVector<Leaves> level;
  for (unsigned i = 0; i != count; ++i)
    level.push_back(
        load(scratch, types, arith::AddIOp::create(b, first, createI64(b, i))));
  while (level.size() > 1) {
    SmallVector<Leaves> next;
    size_t i = level.size() % 2;
    if (i == 1)
      next.push_back(level.front());
    for (; i != level.size(); i += 2)
      next.push_back(combiner.combine(b, level[i], level[i + 1]));
    level = std::move(next);
  }
  return level.front();
}

BlockExpander::Prefix BlockExpander::combineWindow(Operation *site,
                                                   const Combiner &combiner,
                                                   ValueRange inclusive) {
  SmallVector<Type> types(inclusive.getTypes());
  unsigned pads = numSegments - 1;
  Scratch totals =
      createScratch(site, types, pads + numSegments, /*isKept=*/true);
  padWindow(totals, combiner, pads);
  noteTotals();
  Value own = arith::ExtUIOp::create(b, b.getI64Type(), segment());
  createIf(b, {}, isLastOfSegment(), [&] {
    store(totals, inclusive, arith::AddIOp::create(b, own, createI64(b, pads)));
    return Leaves();
  });
  sync();
  notes.read("every thread loads the totals before its segment, neutral values "
             "before the first, and combines these " +
                 Twine(pads) + ": " + describeOperator(combiner),
             [](unsigned reader, unsigned source) { return source < reader; });
  Prefix prefix;
  prefix.before = combineElements(totals, combiner, types, own, pads);
  if (needsTotal(site)) {
    notes.read(describeReaders(site) + Twine(" loads all totals and combines "
                                             "them"),
               [&](unsigned reader, unsigned) {
                 return reader == 0 || describeReaders(site) == "every thread";
               });
    prefix.total =
        createForReaders(site, inclusive, /*needsWholeWarp=*/false, [&] {
          return combineElements(totals, combiner, types, createI64(b, pads),
                                 numSegments);
        });
  }
  return prefix;
}
