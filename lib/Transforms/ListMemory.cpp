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
  SyncOp::create(b, group).setSharedOnly(group.isBlock());
}

void ListMemory::start(GroupAttr group) {
  if (mustMeet)
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

ListMemory::Array &ListMemory::getArray(Type type, unsigned number,
                                        int64_t slots) {
  Type stored = getStoredType(type);
  Array &array = arrays[{stored.getAsOpaquePointer(), number}];
  if (array.numSlots >= slots)
    return array;
  array.numSlots = slots;
  auto view = ViewType::get(b.getContext(), slots * kernel.getBlockSize(),
                            stored, MemorySpace::Shared);
  IntegerAttr count = b.getI32IntegerAttr(slots);
  if (array.shared) {
    array.shared.getView().setType(view);
    array.slots.setValueAttr(count);
    return array;
  }
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  array.slots = arith::ConstantOp::create(b, count);
  array.shared = SharedOp::create(b, view, b.getStringAttr("list"), Value(),
                                  StringAttr(), b.getI64IntegerAttr(16));
  return array;
}

Value ListMemory::getIndex(Array &array, GroupAttr group, Value place) {
  if (!group.isBlock()) {
    auto block = GroupAttr::get(b.getContext(), GroupKind::Block, 0);
    Value first = arith::SubIOp::create(b, rank(block), rank(group));
    first = arith::MulIOp::create(b, first, array.slots);
    place = arith::AddIOp::create(b, first, place);
  }
  return arith::ExtUIOp::create(b, b.getI64Type(), place);
}

void ListMemory::store(GroupAttr group, int64_t slots, ValueRange values,
                       Value place) {
  llvm::SmallDenseMap<Type, unsigned> used;
  for (Value value : values) {
    Type type = getStoredType(value.getType());
    Array &array = getArray(type, used[type]++, slots);
    Value index = getIndex(array, group, place);
    StoreOp::create(b, ValueRange(cast(value, type)), array.shared,
                    ValueRange(index));
  }
}

Leaves ListMemory::load(GroupAttr group, int64_t slots, TypeRange leaves,
                        Value place) {
  llvm::SmallDenseMap<Type, unsigned> used;
  Leaves values;
  for (Type leaf : leaves) {
    Type type = getStoredType(leaf);
    Array &array = getArray(type, used[type]++, slots);
    Value index = getIndex(array, group, place);
    auto load =
        LoadOp::create(b, TypeRange(type), array.shared, ValueRange(index));
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
  storeOwn(group, elements);
  sync(group);
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
  for (auto [element, place] : llvm::zip_equal(elements, places))
    store(group, count, element, place);
  sync(group);
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
  createIf(b, {}, isHolder, [&] {
    storeOwn(group, elements);
    return Leaves();
  });
  sync(group);
  Elements results;
  for (unsigned i = 0; i != count; ++i)
    results.push_back(load(group, perThread, leaves, createI32(b, i)));
  finish(group);
  return results;
}
