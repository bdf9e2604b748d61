//===- GridCombine.cpp - The combination of all blocks' results -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every block combines the results of all. Where the order does not matter its
// threads share them out. Else, for a reduction, each of the first threads
// takes as many neighbours as a power of two says, so that they are a part of
// the tree, and what these threads have is the rest of it, a reduction of the
// block. A scan combines the results one after the other.
//
//===----------------------------------------------------------------------===//

#include "GridExpander.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Variables and loops
//===----------------------------------------------------------------------===//

Leaves GridExpander::createVars(TypeRange types, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  SmallVector<int64_t> shape;
  if (count)
    shape.push_back(count);
  Leaves vars;
  for (Type type : types)
    vars.push_back(VarOp::create(
        b, ViewType::get(b.getContext(), shape, type, MemorySpace::Private),
        "grid"));
  return vars;
}

Leaves GridExpander::read(ValueRange vars, ValueRange indices) {
  Leaves values;
  for (Value var : vars) {
    Type type = cast<ViewType>(var.getType()).getElementType();
    values.push_back(
        LoadOp::create(b, TypeRange(type), var, indices).getResult(0));
  }
  return values;
}

void GridExpander::write(ValueRange values, ValueRange vars,
                         ValueRange indices) {
  for (auto [value, var] : llvm::zip_equal(values, vars))
    StoreOp::create(b, ValueRange(value), var, indices);
}

Value GridExpander::createBool(bool value) {
  return arith::ConstantOp::create(b, b.getBoolAttr(value));
}

Value GridExpander::add(Value left, Value right) {
  return arith::AddIOp::create(b, left, right);
}

Value GridExpander::compare(CmpIPredicate predicate, Value left, Value right) {
  return arith::CmpIOp::create(b, predicate, left, right);
}

void GridExpander::createWhile(llvm::function_ref<Value()> condition,
                               llvm::function_ref<void()> body) {
  auto loop = LoopOp::create(b);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getCondition());
  Value goesOn = condition();
  ConditionOp::create(b, goesOn);
  b.createBlock(&loop.getBody());
  body();
  YieldOp::create(b);
  b.createBlock(&loop.getStep());
  YieldOp::create(b);
}

void GridExpander::createFor(Value begin, Value end, int64_t step,
                             llvm::function_ref<void(Value)> body) {
  Leaves var = createVars(TypeRange(b.getI64Type()));
  write(begin, var);
  createWhile(
      [&] { return compare(CmpIPredicate::slt, read(var).front(), end); },
      [&] {
        Value index = read(var).front();
        body(index);
        write(add(index, createI64(b, step)), var);
      });
}

//===----------------------------------------------------------------------===//
// In any order
//===----------------------------------------------------------------------===//

Leaves GridExpander::combineExact(const Combiner &combiner, TypeRange types,
                                  Value end, Order order) {
  Leaves running = createVars(types);
  Value neutral = arith::ConstantOp::create(
      b, getNeutral(*combiner.getKind(), types.front()));
  write(neutral, running);
  Value own = arith::ExtUIOp::create(b, b.getI64Type(), blockRank());
  createFor(own, end, blockSize, [&](Value place) {
    Leaves next = load(types, blockAt(place, order));
    write(combiner.combine(b, read(running), next), running);
  });
  return combiner.createReduce(b, blockGroup, read(running));
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

Leaves GridExpander::combineGroup(const Combiner &combiner, TypeRange types,
                                  Value first, Value end, unsigned groupSize) {
  SmallVector<Leaves> level;
  SmallVector<Value> isPresent;
  for (unsigned i = 0; i != groupSize; ++i) {
    Value place = add(first, createI64(b, i));
    isPresent.push_back(compare(CmpIPredicate::slt, place, end));
    level.push_back(load(types, place));
  }
  for (unsigned distance = 1; distance != groupSize; distance *= 2)
    for (unsigned i = 0; i + distance < groupSize; i += 2 * distance)
      level[i] = combiner.combineWhere(b, isPresent[i + distance], level[i],
                                       level[i + distance], level[i]);
  return level.front();
}

/// A counter whose set bits are finished parts of the tree: `parts` has one for
/// each power of two.
void GridExpander::combineChunk(const Combiner &combiner, TypeRange types,
                                Value first, Value end, unsigned groupSize,
                                ValueRange result) {
  constexpr int64_t maxParts = 32;
  Leaves parts = createVars(types, maxParts);
  Leaves rest = createVars(TypeRange(b.getI64Type()));
  Leaves place = createVars(TypeRange(b.getI64Type()));
  Value zero = createI64(b, 0), one = createI64(b, 1);
  auto isOdd = [&](Value value) {
    return compare(CmpIPredicate::ne, arith::AndIOp::create(b, value, one),
                   zero);
  };
  auto shift = [&] {
    write(arith::ShRUIOp::create(b, read(rest).front(), one).getResult(), rest);
    write(add(read(place).front(), one), place);
  };
  Leaves numGroups = createVars(TypeRange(b.getI64Type()));
  write(zero, numGroups);
  createFor(first, end, groupSize, [&](Value start) {
    write(combineGroup(combiner, types, start, end, groupSize), result);
    write(read(numGroups), rest);
    write(zero, place);
    createWhile([&] { return isOdd(read(rest).front()); },
                [&] {
                  Leaves left = read(parts, read(place));
                  write(combiner.combine(b, left, read(result)), result);
                  shift();
                });
    write(read(result), parts, read(place));
    write(add(read(numGroups).front(), one), numGroups);
  });
  // The result is that of the lowest set bit; what is above comes on its left.
  write(read(numGroups), rest);
  write(zero, place);
  Leaves isLowest = createVars(TypeRange(b.getI1Type()));
  write(createBool(true), isLowest);
  createWhile(
      [&] { return compare(CmpIPredicate::ne, read(rest).front(), zero); },
      [&] {
        createIf(b, {}, isOdd(read(rest).front()), [&] {
          Leaves part = read(parts, read(place));
          createIf(
              b, {}, read(isLowest).front(),
              [&] {
                write(part, result);
                return Leaves();
              },
              [&] {
                write(combiner.combine(b, part, read(result)), result);
                return Leaves();
              });
          write(createBool(false), isLowest);
          return Leaves();
        });
        shift();
      });
}

Leaves GridExpander::combinePresent(const Combiner &combiner, ValueRange values,
                                    Value isPresent) {
  if (std::optional<CombineKind> kind = combiner.getKind()) {
    Value neutral = arith::ConstantOp::create(
        b, getNeutral(*kind, values.front().getType()));
    Leaves filled = createSelect(b, isPresent, values, neutral);
    return combiner.createReduce(b, blockGroup, filled);
  }
  Leaves flagged(values);
  flagged.push_back(isPresent);
  SmallVector<Type> types(ValueRange(flagged).getTypes());
  auto reduce = ReduceOp::create(b, types, blockGroup, CombineKindAttr(),
                                 flagged, /*commutative=*/false);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> both(types);
  llvm::append_range(both, types);
  Block *block = b.createBlock(&reduce.getCombiner(), {}, both,
                               SmallVector<Location>(both.size(), b.getLoc()));
  size_t count = values.size();
  ValueRange arguments = block->getArguments();
  ValueRange left = arguments.take_front(count);
  ValueRange right = arguments.slice(count + 1, count);
  // Who is present is so from the first rank on.
  Leaves combined =
      combiner.combineWhere(b, arguments.back(), left, right, left);
  combined.push_back(
      arith::OrIOp::create(b, arguments[count], arguments.back()));
  combiner.yieldAs(b, combined);
  return Leaves(reduce.getResults().take_front(count));
}

/// Elements that a thread loads at once: enough to hide that memory is far.
static unsigned getGroupSize(const Combiner &combiner) {
  constexpr unsigned most = 4, fewOperations = 16;
  return combiner.getNumOperations() <= fewOperations ? most : 1;
}

Leaves GridExpander::combineAll(const Combiner &combiner, TypeRange types) {
  Value count = blockCount(b);
  if (isExact(combiner, types))
    return combineExact(combiner, types, count, Order());
  // Each thread has 2^shift neighbours: the least power of two with which as
  // many threads as the block surely has are enough.
  int64_t threads = llvm::bit_floor(static_cast<uint64_t>(blockSize));
  Value zero = createI64(b, 0), one = createI64(b, 1);
  Value last = arith::SubIOp::create(b, count, one);
  Value above =
      arith::ShRUIOp::create(b, last, createI64(b, llvm::Log2_64(threads)));
  Value shift = arith::SubIOp::create(
      b, createI64(b, 64), math::CountLeadingZerosOp::create(b, above));
  Value size = arith::ShLIOp::create(b, one, shift);
  Value own = arith::ExtUIOp::create(b, b.getI64Type(), blockRank());
  Value first = arith::ShLIOp::create(b, own, shift);
  Value end = arith::MinSIOp::create(b, add(first, size), count);
  Value isPresent = compare(CmpIPredicate::slt, first, count);
  if (threads != blockSize)
    isPresent = arith::AndIOp::create(
        b, isPresent, compare(CmpIPredicate::slt, own, createI64(b, threads)));
  Leaves result = createVars(types);
  unsigned groupSize = getGroupSize(combiner);
  createIf(
      b, {}, compare(CmpIPredicate::sle, size, createI64(b, groupSize)),
      [&] {
        write(combineGroup(combiner, types, first, end, groupSize), result);
        return Leaves();
      },
      [&] {
        write(load(types, zero), result);
        createIf(b, {}, isPresent, [&] {
          combineChunk(combiner, types, first, end, groupSize, result);
          return Leaves();
        });
        return Leaves();
      });
  return combinePresent(combiner, read(result), isPresent);
}

//===----------------------------------------------------------------------===//
// From left to right
//===----------------------------------------------------------------------===//

Leaves GridExpander::getStage(TypeRange types) {
  llvm::SmallDenseMap<Type, unsigned> used;
  Leaves stage;
  for (Type type : types) {
    Value &array = stages[{type, used[type]++}];
    if (!array) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&kernel.getBody().front());
      auto view =
          ViewType::get(b.getContext(), {blockSize}, type, MemorySpace::Shared);
      array = SharedOp::create(b, view, b.getStringAttr("totals"), Value(),
                               StringAttr(), b.getI64IntegerAttr(16));
    }
    stage.push_back(array);
  }
  return stage;
}

/// The threads of the block fetch together what each of them then combines.
void GridExpander::combineSerially(const Combiner &combiner, TypeRange types,
                                   Value begin, Value end, Order order,
                                   ValueRange running) {
  Leaves stage = getStage(types);
  Value own = arith::ExtUIOp::create(b, b.getI64Type(), blockRank());
  auto syncShared = [&] { SyncOp::create(b, blockGroup).setSharedOnly(true); };
  createFor(begin, end, blockSize, [&](Value start) {
    Value place = add(start, own);
    syncShared();
    createIf(b, {}, compare(CmpIPredicate::slt, place, end), [&] {
      write(load(types, blockAt(place, order)), stage, own);
      return Leaves();
    });
    syncShared();
    Value rest = arith::SubIOp::create(b, end, start);
    Value count = arith::MinSIOp::create(b, rest, createI64(b, blockSize));
    createFor(createI64(b, 0), count, 1, [&](Value k) {
      Leaves next = read(stage, k);
      write(combiner.combine(b, read(running), next), running);
    });
  });
}

BlocksExpander::Prefix GridExpander::combineBefore(const Combiner &combiner,
                                                   TypeRange types, Order order,
                                                   bool needsTotal) {
  Value own = position(order), count = blockCount(b);
  Prefix prefix;
  if (isExact(combiner, types)) {
    prefix.before = combineExact(combiner, types, own, order);
    if (needsTotal)
      prefix.total = combineExact(combiner, types, count, order);
    return prefix;
  }
  Leaves running = createVars(types);
  Value one = createI64(b, 1);
  write(load(types, blockAt(createI64(b, 0), order)), running);
  combineSerially(combiner, types, one, own, order, running);
  prefix.before = read(running);
  if (!needsTotal)
    return prefix;
  Value next = arith::MaxSIOp::create(b, own, one);
  combineSerially(combiner, types, next, count, order, running);
  prefix.total = read(running);
  return prefix;
}
