//===- ListMemory.cpp - A group's elements in shared memory ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListMemory.h"
#include "BlockExpander.h"

using namespace mlir;
using namespace coll::ir;

Elements coll::ir::splitElements(ValueRange values, unsigned count) {
  size_t width = values.size() / count;
  Elements elements;
  for (unsigned k = 0; k != count; ++k)
    elements.emplace_back(values.slice(k * width, width));
  return elements;
}

Leaves coll::ir::joinElements(const Elements &elements) {
  Leaves values;
  for (const Leaves &element : elements)
    llvm::append_range(values, element);
  return values;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

void ListMemory::sync(GroupAttr group) {
  notes.barrier("barrier of the " + describeGroup(group));
  SyncOp::create(b, group).setSharedOnly(group.isBlock());
}

/// Whether the group has met, and done nothing since.
static bool hasJustMet(ImplicitLocOpBuilder &b, GroupAttr group) {
  Block::iterator begin = b.getInsertionBlock()->begin();
  for (Block::iterator place = b.getInsertionPoint(); place != begin;) {
    Operation &before = *--place;
    if (auto sync = dyn_cast<SyncOp>(before); sync && sync.getGroup() == group)
      return true;
    if (!isMemoryEffectFree(&before))
      return false;
  }
  return false;
}

void ListMemory::start(GroupAttr group) {
  if (mustMeet && !hasJustMet(b, group))
    sync(group);
  mustMeet = false;
}

void ListMemory::finish(GroupAttr group) {
  if (isReused)
    sync(group);
}

Value ListMemory::rank(GroupAttr group) {
  return RankOp::create(b, b.getI32Type(), group);
}

Type ListMemory::getStoredType(Type type) {
  if (isa<VectorType>(type))
    return type;
  return b.getIntegerType(std::max(8u, type.getIntOrFloatBitWidth()));
}

/// From a type to the one it is stored as, or back.
Value ListMemory::cast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isInteger(1))
    return arith::ExtUIOp::create(b, type, value);
  if (type.isInteger(1))
    return arith::TruncIOp::create(b, type, value);
  return arith::BitcastOp::create(b, type, value);
}

unsigned ListMemory::getBytes(Type stored) {
  return ViewType::get(b.getContext(), {}, stored, MemorySpace::Shared)
      .getElementSize();
}

ListMemory::Array &ListMemory::getArray(Type stored, uint64_t offset) {
  std::unique_ptr<Array> &array = arrays[{stored, offset}];
  if (array)
    return *array;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  array = std::make_unique<Array>();
  auto type = ViewType::get(b.getContext(), {1}, stored, MemorySpace::Shared);
  array->shared =
      SharedOp::create(b, type, b.getStringAttr("list"), Value(), StringAttr(),
                       b.getI64IntegerAttr(16), b.getI64IntegerAttr(offset));
  return *array;
}

SmallVector<ListMemory::Array *> ListMemory::getArrays(int64_t slots,
                                                       TypeRange leaves) {
  SmallVector<Array *> result;
  uint64_t end = 0;
  for (Type leaf : leaves) {
    Type stored = getStoredType(leaf);
    uint64_t bytes = getBytes(stored);
    widest = std::max(widest, bytes);
    uint64_t offset = llvm::alignTo(end, bytes);
    end = offset + slots * numRanks * bytes;
    result.push_back(&getArray(stored, offset));
  }
  siteBytes = std::max(siteBytes, end);
  uint64_t &most = groupBytes[numRanks];
  most = std::max(most, end);
  return result;
}

void ListMemory::endSite() {
  unsigned groups = llvm::divideCeil(kernel.getBlockSize(), numRanks);
  notes.useMemory(siteBytes * groups);
}

/// Such that no two groups of a size meet.
uint64_t ListMemory::getBytesPerThread() {
  uint64_t result = 0;
  for (auto [ranks, bytes] : groupBytes)
    if (ranks < kernel.getBlockSize())
      result = std::max(result, llvm::divideCeil(bytes, ranks));
  return llvm::alignTo(result, widest);
}

void ListMemory::complete() {
  uint64_t perThread = getBytesPerThread(), bytes = 0;
  unsigned blockSize = kernel.getBlockSize();
  for (auto [ranks, most] : groupBytes)
    bytes = std::max(
        bytes, (llvm::alignTo(blockSize, ranks) - ranks) * perThread + most);
  for (auto &[key, array] : arrays) {
    auto [stored, offset] = key;
    unsigned size = getBytes(stored);
    array->shared.getView().setType(
        ViewType::get(b.getContext(), llvm::divideCeil(bytes - offset, size),
                      stored, MemorySpace::Shared));
    if (array->perThread)
      array->perThread.setValueAttr(b.getI32IntegerAttr(perThread / size));
  }
}

Value ListMemory::getIndex(Array &array, GroupAttr group, Value place) {
  if (!group.isBlock()) {
    if (!array.perThread) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&kernel.getBody().front());
      array.perThread = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
    }
    auto block = GroupAttr::get(b.getContext(), GroupKind::Block, 0);
    Value first = arith::SubIOp::create(b, rank(block), rank(group));
    first = arith::MulIOp::create(b, first, array.perThread);
    place = arith::AddIOp::create(b, first, place);
  }
  return arith::ExtUIOp::create(b, b.getI64Type(), place);
}

void ListMemory::store(GroupAttr group, int64_t slots, ValueRange values,
                       Value place) {
  SmallVector<Array *> arrays = getArrays(slots, values.getTypes());
  for (auto [array, value] : llvm::zip_equal(arrays, values)) {
    Value index = getIndex(*array, group, place);
    Value stored = cast(value, getStoredType(value.getType()));
    StoreOp::create(b, ValueRange(stored), array->shared, ValueRange(index));
  }
}

Leaves ListMemory::load(GroupAttr group, int64_t slots, TypeRange leaves,
                        Value place) {
  Leaves values;
  for (auto [array, leaf] : llvm::zip_equal(getArrays(slots, leaves), leaves)) {
    Value index = getIndex(*array, group, place);
    auto load = LoadOp::create(b, TypeRange(getStoredType(leaf)), array->shared,
                               ValueRange(index));
    values.push_back(cast(load.getResult(0), leaf));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

/// The place of the k-th of a thread's `count` elements.
static Value getOwnPlace(ImplicitLocOpBuilder &b, Value rank, unsigned count,
                         unsigned k) {
  Value first = arith::MulIOp::create(b, rank, createI32(b, count));
  return arith::AddIOp::create(b, first, createI32(b, k));
}

void ListMemory::storeOwn(GroupAttr group, const Elements &elements) {
  unsigned count = elements.size();
  for (unsigned k = 0; k != count; ++k)
    store(group, count, elements[k], getOwnPlace(b, rank(group), count, k));
}

Elements ListMemory::gather(GroupAttr group, const Elements &elements,
                            ValueRange places) {
  SmallVector<Type> leaves(ValueRange(elements.front()).getTypes());
  start(group);
  notes.store("every thread stores its elements");
  storeOwn(group, elements);
  sync(group);
  notes.read("every thread loads those whose places it has",
             [](unsigned, unsigned) { return false; });
  Elements results;
  for (Value place : places)
    results.push_back(load(group, elements.size(), leaves, place));
  finish(group);
  return results;
}

Elements ListMemory::scatter(GroupAttr group, const Elements &elements,
                             ValueRange places) {
  SmallVector<Type> leaves(ValueRange(elements.front()).getTypes());
  unsigned count = elements.size();
  start(group);
  notes.store("every thread stores its elements at their places");
  for (auto [element, place] : llvm::zip_equal(elements, places))
    store(group, count, element, place);
  sync(group);
  notes.read("every thread loads the elements at its own places",
             [](unsigned, unsigned) { return false; });
  Elements results;
  for (unsigned k = 0; k != count; ++k)
    results.push_back(
        load(group, count, leaves, getOwnPlace(b, rank(group), count, k)));
  finish(group);
  return results;
}

Elements ListMemory::getFirst(GroupAttr group, const Elements &elements,
                              unsigned count) {
  SmallVector<Type> leaves(ValueRange(elements.front()).getTypes());
  unsigned perThread = elements.size();
  unsigned holders = (count + perThread - 1) / perThread;
  Value isHolder = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                         rank(group), createI32(b, holders));
  start(group);
  unsigned perUnit = llvm::divideCeil(numRanks, notes.getNumUnits());
  auto isStored = [&](unsigned unit) { return unit * perUnit < holders; };
  notes.store("the first threads, which have the first " + Twine(count) +
                  " elements, store these",
              isStored);
  createIf(b, {}, isHolder, [&] {
    storeOwn(group, elements);
    return Leaves();
  });
  sync(group);
  notes.read("every thread loads them",
             [&](unsigned, unsigned source) { return isStored(source); });
  Elements results;
  for (unsigned i = 0; i != count; ++i)
    results.push_back(load(group, perThread, leaves, createI32(b, i)));
  finish(group);
  return results;
}
