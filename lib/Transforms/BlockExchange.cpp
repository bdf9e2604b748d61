//===- BlockExchange.cpp - Broadcasts and shuffles of a block -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace coll::ir;

using arith::CmpIPredicate;

Leaves BlockExpander::broadcast(Operation *site, ValueRange values,
                                Value from) {
  SmallVector<Type> types(values.getTypes());
  Scratch scratch = createScratch(site, types, 1);
  Value isSource =
      arith::CmpIOp::create(b, CmpIPredicate::eq, groupRank(), from);
  APInt rank;
  bool isKnown = matchPattern(from, m_ConstantInt(&rank));
  unsigned warp = isKnown ? rank.getZExtValue() / warpSize : 0;
  notes.store("the source stores its value",
              [&](unsigned unit) { return isKnown && unit == warp; });
  createIf(b, {}, isSource, [&] {
    store(scratch, values, createI64(b, 0));
    return Leaves();
  });
  sync();
  notes.read("every thread loads it", [&](unsigned, unsigned source) {
    return isKnown && source == warp;
  });
  return load(scratch, types, createI64(b, 0));
}

ShuffleSource BlockExpander::findSource(ShuffleOp op) {
  return findShuffleSource(b, op, groupRank(), createI32(b, groupSize));
}

/// Two halves of more than that are no longer cheap, beside what else the
/// kernel shares.
static constexpr uint64_t maxExchangeBytes = 16384;

/// Everyone stores, everyone reads. All shuffles of a type share an array of
/// two halves, which the kernel's shuffles use in turn: who writes a half has
/// passed the barrier of the shuffle between, as have all who read it. Large
/// values have one half, and a barrier before the stores as well.
Leaves BlockExpander::shuffle(ShuffleOp op) {
  SmallVector<Type> types(op.getValues().getTypes());
  int64_t threads = kernel.getBlockSize();
  uint64_t bytes = 0;
  for (Type type : types) {
    auto vector = dyn_cast<VectorType>(type);
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    bytes += llvm::divideCeil(bits, 8) * threads *
             (vector ? vector.getNumElements() : 1);
  }
  bool hasHalves = 2 * bytes <= maxExchangeBytes;
  SmallVector<int64_t> shape{threads};
  if (hasHalves)
    shape.insert(shape.begin(), 2);
  Scratch scratch;
  llvm::SmallDenseMap<Type, unsigned> used;
  for (Type type : types) {
    // Leaves of one type need an array each; the k-th of them share it.
    Value &array =
        exchangeArrays[{type.getAsOpaquePointer(), used[type]++, hasHalves}];
    if (!array)
      array = createShared("exchange", shape, type);
    scratch.views.push_back(array);
  }
  notes.useMemory(scratch.views);
  auto [source, inside] = findSource(op);
  if (hasHalves)
    scratch.half = takeHalf(exchangeHalf);
  else
    sync();
  notes.store("every thread stores its value");
  store(scratch, op.getValues(), inBlock(groupRank()));
  sync();
  notes.read("every thread loads that of the rank it reads",
             [](unsigned, unsigned) { return false; });
  Leaves moved = load(scratch, types, inBlock(source));
  if (!inside || op.getFill().empty())
    return moved;
  return createSelect(b, inside, moved, op.getFill());
}
