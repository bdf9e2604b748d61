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

/// Blocks arrive at one of so many counters, so many bytes apart: updates of
/// one place come after one another, and so do the loads of those who wait
/// there. On an H200 a barrier of 132, 528 and 1056 blocks takes 0.96, 1.17
/// and 2.2 us with sixteen counters, and 0.89, 1.65 and 3.3 us with one.
static constexpr int64_t numCounters = 16, counterBytes = 256;
/// Before the slots.
static constexpr int64_t barrierBytes = numCounters * counterBytes;

//===----------------------------------------------------------------------===//
// The barrier
//===----------------------------------------------------------------------===//

/// The upper bit of each counter is the barrier's generation, which all
/// counters have in common between two barriers; the other bits are 0 then.
/// Block i arrives at counter i % 16. The arrivals at a counter add up to its
/// upper bit, so that the last one switches it: nothing needs to be cleared.
Value GridExpander::getCounters() {
  auto type = ViewType::get(b.getContext(), {ShapedType::kDynamic},
                            b.getI32Type(), MemorySpace::Global);
  return WorkspaceOp::create(b, type, createI64(b, 0),
                             createI64(b, barrierBytes / 4));
}

static Value getPlace(ImplicitLocOpBuilder &b, Value counter) {
  return arith::MulIOp::create(b, counter, createI64(b, counterBytes / 4));
}

/// From one generation to the next.
static Value createStep(ImplicitLocOpBuilder &b) {
  return createI32(b, int64_t(1) << 30);
}

Value GridExpander::ownCounter() {
  return arith::RemUIOp::create(b, blockIndex(b), createI64(b, numCounters));
}

/// The own counter is as it was until this block arrives, so that its
/// generation may be read at the kernel's entry; other counters' may not.
Value GridExpander::getGeneration() {
  if (generation)
    return generation;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  Type i32 = b.getI32Type();
  auto type = ViewType::get(b.getContext(), {}, i32, MemorySpace::Private);
  generation = VarOp::create(b, type, "generation");
  Value place = getPlace(b, ownCounter());
  write(ValueRange(AtomicLoadOp::create(b, i32, MemoryOrder::Relaxed,
                                        MemoryScope::Device, getCounters(),
                                        ValueRange(place))),
        generation);
  return generation;
}

void GridExpander::arrive() {
  Value index = blockIndex(b), stride = createI64(b, numCounters);
  Value counter = ownCounter();
  Value last = arith::SubIOp::create(b, blockCount(b), createI64(b, 1));
  Value others = arith::DivUIOp::create(
      b, arith::SubIOp::create(b, last, counter), stride);
  Value rest = arith::SubIOp::create(
      b, createStep(b), arith::TruncIOp::create(b, b.getI32Type(), others));
  Value step = arith::SelectOp::create(
      b, compare(CmpIPredicate::ult, index, stride), rest, createI32(b, 1));
  AtomicRMWOp::create(b, AtomicKind::Add, MemoryOrder::Release,
                      MemoryScope::Device, step, getCounters(),
                      ValueRange(getPlace(b, counter)));
}

/// A counter that no block arrives at is moved on by the first block.
void GridExpander::waitAt(Value counter, Value old) {
  Value counters = getCounters(), place = getPlace(b, counter);
  // AMD's loads would drop the caches each time.
  MemoryOrder order =
      target.isNVIDIA() ? MemoryOrder::Acquire : MemoryOrder::Relaxed;
  Value isUsed = compare(CmpIPredicate::ult, counter, blockCount(b));
  createIf(
      b, {}, isUsed,
      [&] {
        createWhile(
            [&]() -> Value {
              Value now = AtomicLoadOp::create(b, b.getI32Type(), order,
                                               MemoryScope::Device, counters,
                                               ValueRange(place));
              Value changed = arith::XOrIOp::create(b, old, now);
              return compare(CmpIPredicate::ult, changed, createStep(b));
            },
            [&] { PauseOp::create(b); });
        return Leaves();
      },
      [&] {
        createIf(b, {}, isEqual(blockIndex(b), 0), [&] {
          AtomicRMWOp::create(b, AtomicKind::Add, MemoryOrder::Relaxed,
                              MemoryScope::Device, createStep(b), counters,
                              ValueRange(place));
          return Leaves();
        });
        return Leaves();
      });
}

/// The first threads of each block wait at a counter each, or at some.
void GridExpander::waitForOthers() {
  int64_t waiting =
      std::min<int64_t>(numCounters, llvm::bit_floor<uint64_t>(blockSize));
  Value old = read(generation).front();
  Value rank = blockRank();
  Value isWaiting = compare(CmpIPredicate::ult, rank, createI32(b, waiting));
  createIf(b, {}, isWaiting, [&] {
    Value first = arith::ExtUIOp::create(b, b.getI64Type(), rank);
    auto wait = [&](Value counter) { waitAt(counter, old); };
    if (waiting == numCounters)
      wait(first);
    else
      createFor(first, createI64(b, numCounters), waiting, wait);
    if (target.isAMD())
      FenceOp::create(b, MemoryOrder::Acquire, MemoryScope::Device);
    return Leaves();
  });
  write(add(old, createStep(b)), generation);
}

/// The barriers of the block order the accesses of its threads against those of
/// its leader, whose arrival orders them against other blocks'. AMD's waves do
/// not wait for each other's stores at the barrier, so that there each thread
/// needs the fences if not only the leader's accesses count.
void GridExpander::meet(int64_t leader, bool isFull,
                        llvm::function_ref<void()> prepare) {
  ++numBarriers;
  isUsed = true;
  getGeneration();
  bool isByAll = isFull && target.isAMD();
  if (isByAll)
    FenceOp::create(b, MemoryOrder::Release, MemoryScope::Device);
  SyncOp::create(b, blockGroup);
  createIf(b, {}, isEqual(blockRank(), leader), [&] {
    prepare();
    arrive();
    return Leaves();
  });
  waitForOthers();
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
    half = createHalfVariable(b, kernel);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&kernel.getBody().front());
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
