//===- BlockRows.cpp - Reductions of a block by rows ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On AMD the lanes of a row of 16 combine in an instruction a step, and what
// crosses rows takes two. So each row stores its result for itself, and the
// rows' results are combined in lanes of one row again, each of which first
// combines as many neighbours as it needs to.
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// Whether the results of rows are exchanged instead of those of warps: where
/// these would be combined in lanes, by an operator that gives the result to
/// all lanes of a row. In wave64 the lanes that store are no constant of one
/// word, so that it pays for few rows only. Narrow elements are not loaded
/// several at once, and long operators are carried out in lanes.
bool BlockExpander::isByRows(Operation *site, const Combiner &combiner,
                             Type type) const {
  bool isByLanes = target.has(Feature::Permlane16) && combiner.getKind() &&
                   !combiner.getArgKind() && type.isIntOrFloat() &&
                   !type.isInteger(1);
  if (!isByLanes || !combinesInLanes(site, combiner, type))
    return false;
  bool isOneEach = groupSize / rowSize <= rowSize;
  return isOneEach || (warpSize == 32 && type.getIntOrFloatBitWidth() >= 32 &&
                       !isLong(combiner, type));
}

Leaves BlockExpander::reduceRows(Operation *site, const Combiner &combiner,
                                 ValueRange values) {
  SmallVector<Type> types(values.getTypes());
  unsigned numRows = groupSize / rowSize;
  unsigned numLanes = std::min(numRows, rowSize);
  Readers readers =
      getReaders(site) == Readers::First ? Readers::First : Readers::All;
  auto getTile = [&](unsigned size) {
    return GroupAttr::get(b.getContext(), GroupKind::Tile, size);
  };
  Leaves results =
      combiner.createReduce(b, getTile(rowSize), values, Readers::First);
  Scratch scratch = createScratch(site, types, numRows);
  noteRows();
  Value rank = RankOp::create(b, b.getI32Type(), getTile(rowSize));
  createIf(b, {}, isEqual(rank, 0), [&] {
    Value row = arith::ShRUIOp::create(b, groupRank(),
                                       createI32(b, llvm::Log2_32(rowSize)));
    store(scratch, results, arith::ExtUIOp::create(b, b.getI64Type(), row));
    return Leaves();
  });
  sync();
  noteRowCombination(site, combiner, numRows / numLanes);
  return createForReaders(site, results, /*needsWholeWarp=*/true, [&] {
    Value lane = RankOp::create(b, b.getI32Type(), getTile(numLanes));
    Value first = arith::MulIOp::create(
        b, arith::ExtUIOp::create(b, b.getI64Type(), lane),
        createI64(b, numRows / numLanes));
    SmallVector<Leaves> parts;
    for (unsigned i = 0; i != numRows / numLanes; ++i)
      parts.push_back(load(scratch, types,
                           arith::AddIOp::create(b, first, createI64(b, i))));
    return combiner.createReduce(b, getTile(numLanes),
                                 combiner.combineTree(b, std::move(parts)),
                                 readers);
  });
}
