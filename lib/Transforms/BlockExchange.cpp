//===- BlockExchange.cpp - Broadcasts and shuffles of a block -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "ExchangeSpace.h"
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

/// Everyone stores, everyone reads. All shuffles share arrays of two halves,
/// which the kernel's shuffles use in turn: who writes a half has passed the
/// barrier of the shuffle between, as have all who read it. Large values have
/// one half, and a barrier before the stores as well.
Leaves BlockExpander::shuffle(ShuffleOp op) {
  SmallVector<Type> types(op.getValues().getTypes());
  int64_t threads = kernel.getBlockSize();
  bool hasHalves = 2 * countExchangeBytes(types, threads) <= maxExchangeBytes;
  SmallVector<int64_t> shape{threads};
  if (hasHalves)
    shape.insert(shape.begin(), 2);
  Scratch scratch;
  llvm::SmallDenseMap<Type, unsigned> used;
  exchanges.emplace_back();
  for (Type type : types) {
    // Leaves of one type need an array each; the k-th of them share it.
    SharedOp &array =
        exchangeArrays[{type.getAsOpaquePointer(), used[type]++, hasHalves}];
    if (!array)
      array = createShared("exchange", shape, type);
    scratch.views.push_back(array);
    exchanges.back().push_back(array);
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

static ViewType getViewType(SharedOp array) {
  return cast<ViewType>(array.getView().getType());
}

/// Bytes of the values of all threads.
static uint64_t getHalfSize(SharedOp array) {
  ViewType type = getViewType(array);
  return type.getElementSize() * type.getShape().back();
}

/// Moves the second half so far from the first.
static void setHalfSize(SharedOp array, uint64_t bytes) {
  ViewType type = getViewType(array);
  array.getView().setType(ViewType::get(
      type.getContext(), {2, int64_t(bytes / type.getElementSize())},
      type.getElementType(), type.getSpace()));
}

/// Offsets such that arrays of one shuffle do not meet, and others may.
static llvm::MapVector<SharedOp, uint64_t>
placeArrays(ArrayRef<SmallVector<SharedOp>> exchanges, uint64_t alignment) {
  llvm::MapVector<SharedOp, uint64_t> offsets;
  for (ArrayRef<SharedOp> arrays : exchanges)
    for (SharedOp array : arrays) {
      if (offsets.contains(array))
        continue;
      // Behind those that it is used with.
      uint64_t offset = 0;
      for (ArrayRef<SharedOp> others : exchanges)
        if (llvm::is_contained(others, array))
          for (SharedOp other : others)
            if (auto found = offsets.find(other); found != offsets.end())
              offset = std::max(offset, found->second + getHalfSize(other));
      offsets[array] = llvm::alignTo(offset, alignment);
    }
  return offsets;
}

/// The arrays of `exchanges` in one place, if that takes fewer bytes.
static void shareArrays(ArrayRef<SmallVector<SharedOp>> exchanges,
                        bool hasHalves, unsigned &number) {
  uint64_t alignment = 16;
  for (ArrayRef<SharedOp> arrays : exchanges)
    for (SharedOp array : arrays)
      alignment = std::max(alignment, getViewType(array).getElementSize());
  llvm::MapVector<SharedOp, uint64_t> offsets =
      placeArrays(exchanges, alignment);
  uint64_t half = 0, last = 0, separate = 0, numHalves = hasHalves ? 2 : 1;
  for (auto [array, offset] : offsets) {
    last = std::max(last, offset);
    half = std::max(half, offset + getHalfSize(array));
    separate += numHalves * getHalfSize(array);
  }
  half = llvm::alignTo(half, alignment);
  // The second half of the last array is as far from its first one.
  uint64_t together = hasHalves ? last + 2 * half : half;
  if (together >= separate)
    return;
  std::string name = "exchange" + std::to_string(number++);
  for (auto [array, offset] : offsets) {
    array.setName(name);
    array.setOverlay(offset);
    if (hasHalves)
      setHalfSize(array, half);
  }
}

/// Shuffles of different types use one place in turn. Tiles, which do not wait
/// for each other, have their parts of arrays of other types elsewhere.
void BlockExpander::shareExchanges(unsigned &number) {
  if (isTile() && !group.isWarps())
    return;
  for (bool hasHalves : {false, true}) {
    SmallVector<SmallVector<SharedOp>> some;
    for (const SmallVector<SharedOp> &arrays : exchanges)
      if ((getViewType(arrays.front()).getRank() == 2) == hasHalves)
        some.push_back(arrays);
    shareArrays(some, hasHalves, number);
  }
}
