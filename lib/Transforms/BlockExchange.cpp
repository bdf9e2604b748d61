//===- BlockExchange.cpp - Broadcasts and shuffles of a block -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace coll::ir;

using arith::CmpIPredicate;

Leaves BlockExpander::broadcast(Operation *site, ValueRange values,
                                Value from) {
  SmallVector<Type> types(values.getTypes());
  Scratch scratch = createScratch(site, types, 1);
  Value isSource =
      arith::CmpIOp::create(b, CmpIPredicate::eq, groupRank(), from);
  createIf(b, {}, isSource, [&] {
    store(scratch, values, createI64(b, 0));
    return Leaves();
  });
  sync();
  return load(scratch, types, createI64(b, 0));
}

ShuffleSource BlockExpander::findSource(ShuffleOp op) {
  return findShuffleSource(b, op, groupRank(), createI32(b, groupSize));
}

/// Everyone stores, everyone reads. All shuffles of a type share one array, so
/// a barrier stands before the stores as well.
Leaves BlockExpander::shuffle(ShuffleOp op) {
  SmallVector<Type> types(op.getValues().getTypes());
  Scratch scratch;
  llvm::SmallDenseMap<Type, unsigned> used;
  for (Type type : types) {
    // Leaves of one type need an array each; the k-th of them share it.
    Type key =
        VectorType::get({int64_t(used[type]++) + 1}, b.getIntegerType(1));
    auto entry = TupleType::get(b.getContext(), {type, key});
    Value &array = exchangeArrays[entry];
    if (!array)
      array = createShared("exchange", {int64_t(kernel.getBlockSize())}, type);
    scratch.views.push_back(array);
  }
  auto [source, inside] = findSource(op);
  sync();
  store(scratch, op.getValues(), inBlock(groupRank()));
  sync();
  Leaves moved = load(scratch, types, inBlock(source));
  if (!inside || op.getFill().empty())
    return moved;
  return createSelect(b, inside, moved, op.getFill());
}
