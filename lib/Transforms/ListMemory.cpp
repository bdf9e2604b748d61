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
  SmallVector<uint64_t> places = layout.add(numRanks, slots, leaves);
  for (auto [leaf, place] : llvm::zip_first(leaves, places))
    result.push_back(&getArray(getStoredType(leaf), place));
  siteBytes = std::max(siteBytes, places.back());
  return result;
}

void ListMemory::endSite() {
  unsigned groups = llvm::divideCeil(kernel.getBlockSize(), numRanks);
  notes.useMemory(siteBytes * groups);
}

void ListMemory::complete() {
  uint64_t perThread = layout.getBytesPerThread(), bytes = layout.countBytes();
  for (auto &[key, array] : arrays) {
    auto [stored, offset] = key;
    uint64_t size = getStoredBytes(stored);
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

Elements LeafPart::of(const Elements &elements) const {
  if (count == total)
    return elements;
  Elements part;
  for (const Leaves &element : elements)
    part.emplace_back(of(ValueRange(element)));
  return part;
}

std::string LeafPart::describe() const {
  if (count == total)
    return "";
  std::string last = count > 1 ? " to " + std::to_string(first + count) : "";
  return (Twine(count > 1 ? " (scalars " : " (scalar ") + Twine(first + 1) +
          last + " of " + Twine(total) + ")")
      .str();
}

unsigned ListMemory::countFitting(uint64_t slots, TypeRange leaves) {
  if (!partBytes)
    return leaves.size();
  unsigned count = 1;
  while (count != leaves.size() &&
         ListLayout::placeArrays(numRanks, slots, leaves.take_front(count + 1))
                 .back() <= numRanks * *partBytes)
    ++count;
  return count;
}

/// Nobody stores a part before all have loaded the one before.
void ListMemory::passParts(GroupAttr group, uint64_t slots, TypeRange leaves,
                           llvm::function_ref<void(LeafPart)> pass) {
  unsigned total = leaves.size();
  for (unsigned first = 0; first != total;) {
    if (first != 0)
      sync(group);
    unsigned count = countFitting(slots, leaves.drop_front(first));
    pass({first, count, total});
    first += count;
  }
}

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
  unsigned count = elements.size();
  Elements results(places.size());
  start(group);
  passParts(group, count, leaves, [&](LeafPart part) {
    notes.store("every thread stores its elements" + part.describe());
    storeOwn(group, part.of(elements));
    sync(group);
    notes.read("every thread loads those whose places it has",
               [](unsigned, unsigned) { return false; });
    for (auto [result, place] : llvm::zip_equal(results, places))
      result.append(load(group, count, part.of(TypeRange(leaves)), place));
  });
  finish(group);
  return results;
}

Elements ListMemory::scatter(GroupAttr group, const Elements &elements,
                             ValueRange places) {
  SmallVector<Type> leaves(ValueRange(elements.front()).getTypes());
  unsigned count = elements.size();
  Elements results(count);
  start(group);
  passParts(group, count, leaves, [&](LeafPart part) {
    notes.store("every thread stores its elements at their places" +
                part.describe());
    for (auto [element, place] : llvm::zip_equal(part.of(elements), places))
      store(group, count, element, place);
    sync(group);
    notes.read("every thread loads the elements at its own places",
               [](unsigned, unsigned) { return false; });
    for (auto [k, result] : llvm::enumerate(results))
      result.append(load(group, count, part.of(TypeRange(leaves)),
                         getOwnPlace(b, rank(group), count, k)));
  });
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
  unsigned perUnit = llvm::divideCeil(numRanks, notes.getNumUnits());
  auto isStored = [&](unsigned unit) { return unit * perUnit < holders; };
  Elements results(count);
  start(group);
  passParts(group, perThread, leaves, [&](LeafPart part) {
    notes.store("the first threads, which have the first " + Twine(count) +
                    " elements, store these" + part.describe(),
                isStored);
    createIf(b, {}, isHolder, [&] {
      storeOwn(group, part.of(elements));
      return Leaves();
    });
    sync(group);
    notes.read("every thread loads them",
               [&](unsigned, unsigned source) { return isStored(source); });
    for (auto [i, result] : llvm::enumerate(results))
      result.append(
          load(group, perThread, part.of(TypeRange(leaves)), createI32(b, i)));
  });
  finish(group);
  return results;
}
