//===- GridExpander.cpp - The barrier and workspace of a grid -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GridExpander.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

/// Before the slots: a line of the caches for the barrier alone.
static constexpr int64_t barrierBytes = 128;

//===----------------------------------------------------------------------===//
// The barrier
//===----------------------------------------------------------------------===//

void GridExpander::waitForOthers(Value barrier) {
  Type i32 = b.getI32Type();
  Value zero = createI64(b, 0);
  Value others = arith::SubIOp::create(
      b, arith::TruncIOp::create(b, i32, blockCount(b)), createI32(b, 1));
  Value top = createI32(b, std::numeric_limits<int32_t>::min());
  Value step = arith::SelectOp::create(b, isEqual(blockIndex(b), 0),
                                       arith::SubIOp::create(b, top, others),
                                       createI32(b, 1));
  Value old =
      AtomicRMWOp::create(b, AtomicKind::Add, MemoryOrder::Relaxed,
                          MemoryScope::Device, step, barrier, ValueRange(zero));
  createWhile(
      [&]() -> Value {
        Value now = AtomicLoadOp::create(b, i32, MemoryOrder::Relaxed,
                                         MemoryScope::Device, barrier,
                                         ValueRange(zero));
        Value changed = arith::XOrIOp::create(b, old, now);
        return compare(CmpIPredicate::sge, changed, createI32(b, 0));
      },
      [&] { PauseOp::create(b); });
}

/// The barriers of the block order the accesses of its threads against those of
/// its leader, whose fences order them against other blocks'. AMD's waves do
/// not wait for each other's stores at the barrier, so that there each thread
/// needs the fences if not only the leader's accesses count.
void GridExpander::meet(int64_t leader, bool isFull,
                        llvm::function_ref<void()> prepare) {
  ++numBarriers;
  isUsed = true;
  bool isByAll = isFull && target.isAMD();
  if (isByAll)
    FenceOp::create(b, MemoryOrder::Release, MemoryScope::Device);
  SyncOp::create(b, blockGroup);
  createIf(b, {}, isEqual(blockRank(), leader), [&] {
    prepare();
    auto type = ViewType::get(b.getContext(), {ShapedType::kDynamic},
                              b.getI32Type(), MemorySpace::Global);
    Value barrier =
        WorkspaceOp::create(b, type, createI64(b, 0), createI64(b, 1));
    FenceOp::create(b, MemoryOrder::Release, MemoryScope::Device);
    waitForOthers(barrier);
    FenceOp::create(b, MemoryOrder::Acquire, MemoryScope::Device);
    return Leaves();
  });
  SyncOp::create(b, blockGroup);
  if (isByAll)
    FenceOp::create(b, MemoryOrder::Acquire, MemoryScope::Device);
}

void GridExpander::sync() {
  meet(/*leader=*/0, /*isFull=*/true, [] {});
}

//===----------------------------------------------------------------------===//
// The workspace
//===----------------------------------------------------------------------===//

void GridExpander::publish(ValueRange values, int64_t leader) {
  if (!half) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&kernel.getBody().front());
    auto type =
        ViewType::get(b.getContext(), {}, b.getI64Type(), MemorySpace::Private);
    half = VarOp::create(b, type, "half");
    StoreOp::create(b, ValueRange(createI64(b, 0)), half, ValueRange());
    halfBytes = arith::ConstantOp::create(b, b.getI64IntegerAttr(0));
  }
  SmallVector<Type> types(values.getTypes());
  countSlot(types);
  Value other = arith::XOrIOp::create(b, read(half).front(), createI64(b, 1));
  write(other, half);
  meet(leader, /*isFull=*/false, [&] {
    Value index = blockIndex(b);
    for (auto [array, value] : llvm::zip_equal(getArrays(types), values))
      StoreOp::create(b, ValueRange(value), array, ValueRange(index));
  });
}

Leaves GridExpander::getArrays(TypeRange types) {
  SmallVector<unsigned> order = llvm::to_vector(
      llvm::seq<unsigned>(0, static_cast<unsigned>(types.size())));
  llvm::stable_sort(order, [&](unsigned left, unsigned right) {
    return getPublishedBytes(types[left]) > getPublishedBytes(types[right]);
  });
  Value count = blockCount(b);
  Value start = arith::MulIOp::create(b, read(half).front(), halfBytes);
  Leaves arrays(types.size());
  int64_t offset = 0;
  for (unsigned i : order) {
    unsigned bytes = getPublishedBytes(types[i]);
    largestLeaf = std::max(largestLeaf, bytes);
    Value inHalf = arith::AddIOp::create(b, start, createI64(b, offset));
    Value first = arith::AddIOp::create(
        b, arith::MulIOp::create(b, inHalf, count), createI64(b, barrierBytes));
    auto type = ViewType::get(b.getContext(), {ShapedType::kDynamic}, types[i],
                              MemorySpace::Global);
    arrays[i] = WorkspaceOp::create(b, type, first, count);
    offset += bytes;
  }
  return arrays;
}

Leaves GridExpander::load(TypeRange types, Value block) {
  Value last = arith::SubIOp::create(b, blockCount(b), createI64(b, 1));
  Value index = arith::MinUIOp::create(b, block, last);
  Leaves values;
  for (auto [array, type] : llvm::zip_equal(getArrays(types), types))
    values.push_back(
        LoadOp::create(b, TypeRange(type), array, ValueRange(index))
            .getResult(0));
  return values;
}

void GridExpander::finish() {
  if (!isUsed)
    return;
  std::string bytes = std::to_string(barrierBytes);
  if (half) {
    int64_t size = llvm::alignTo(slotBytes, largestLeaf);
    halfBytes.setValueAttr(b.getI64IntegerAttr(size));
    bytes = "(+ " + bytes + " (* " + std::to_string(2 * size) + " grid.count))";
  }
  kernel.setWorkspace(bytes);
}

std::unique_ptr<BlocksExpander>
coll::ir::createGridExpander(KernelOp kernel, const Target &target) {
  return std::make_unique<GridExpander>(kernel, target);
}
