//===- CounterBarriers.cpp - Barriers of some warps, by counting ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CounterBarriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll::ir;

using arith::CmpIPredicate;

CounterBarriers::CounterBarriers(KernelOp kernel, unsigned warpSize,
                                 ArrayRef<GroupAttr> groups)
    : warpSize(warpSize) {
  MLIRContext *context = kernel.getContext();
  warpGroup = GroupAttr::get(context, GroupKind::Warp, 0);
  blockGroup = GroupAttr::get(context, GroupKind::Block, 0);
  unsigned count = 0;
  for (GroupAttr group : groups) {
    counters[group].index = count;
    count += group.isWarps() ? 1 : kernel.getBlockSize() / group.getTileSize();
  }
  if (count == 0)
    return;
  ImplicitLocOpBuilder b(kernel.getLoc(), context);
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto type = ViewType::get(context, {int64_t(count)}, b.getI32Type(),
                            MemorySpace::Shared);
  array = SharedOp::create(b, type, b.getStringAttr("arrivals"), Value(),
                           StringAttr(), b.getI64IntegerAttr(4));
  auto variable =
      ViewType::get(context, {}, b.getI32Type(), MemorySpace::Private);
  Value zero = createI32(b, 0);
  for (GroupAttr group : groups) {
    Value due = VarOp::create(b, variable, "due");
    StoreOp::create(b, ValueRange(zero), due, ValueRange());
    counters[group].due = due;
  }
  Value rank = RankOp::create(b, b.getI32Type(), blockGroup);
  Value isFirst = arith::CmpIOp::create(b, CmpIPredicate::eq, rank, zero);
  createIf(b, {}, isFirst, [&] {
    for (unsigned i = 0; i != count; ++i)
      StoreOp::create(b, ValueRange(zero), array, ValueRange(createI64(b, i)));
    return Leaves();
  });
  SyncOp::create(b, blockGroup).setSharedOnly(true);
}

Value CounterBarriers::getIndex(ImplicitLocOpBuilder &b, GroupAttr group,
                                unsigned first) const {
  if (group.isWarps())
    return createI64(b, first);
  Value own = RankOp::create(b, b.getI32Type(), blockGroup);
  Value tile =
      arith::DivUIOp::create(b, own, createI32(b, group.getTileSize()));
  tile = arith::AddIOp::create(b, tile, createI32(b, first));
  return arith::ExtUIOp::create(b, b.getI64Type(), tile);
}

/// Counts wrap around, and so do differences of them.
void CounterBarriers::sync(ImplicitLocOpBuilder &b, GroupAttr group) const {
  const Counter &counter = counters.find(group)->second;
  unsigned numWarps = llvm::divideCeil(group.getTileSize(), warpSize);
  Type i32 = b.getI32Type();
  Value index = getIndex(b, group, counter.index);
  Value before =
      LoadOp::create(b, TypeRange(i32), counter.due, ValueRange()).getResult(0);
  Value due = arith::AddIOp::create(b, before, createI32(b, numWarps));
  StoreOp::create(b, ValueRange(due), counter.due, ValueRange());

  // What all lanes did is before what the one does.
  FenceOp::create(b, MemoryOrder::Release, MemoryScope::Block);
  SyncOp::create(b, warpGroup);
  Value lane = RankOp::create(b, i32, warpGroup);
  Value zero = createI32(b, 0);
  createIf(b, {}, arith::CmpIOp::create(b, CmpIPredicate::eq, lane, zero), [&] {
    AtomicRMWOp::create(b, AtomicKind::Add, MemoryOrder::Relaxed,
                        MemoryScope::Block, createI32(b, 1), array,
                        ValueRange(index));
    return Leaves();
  });

  auto loop = LoopOp::create(b, /*unroll=*/1);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getCondition());
  Value come =
      AtomicLoadOp::create(b, i32, MemoryOrder::Relaxed, MemoryScope::Block,
                           array, ValueRange(index));
  // The lanes go on together.
  come = BroadcastOp::create(b, TypeRange(i32), warpGroup, ValueRange(come),
                             createI32(b, 0))
             .getResult(0);
  Value rest = arith::SubIOp::create(b, come, due);
  ConditionOp::create(
      b, arith::CmpIOp::create(b, CmpIPredicate::slt, rest, createI32(b, 0)));
  b.createBlock(&loop.getBody());
  PauseOp::create(b);
  YieldOp::create(b);
  b.createBlock(&loop.getStep());
  YieldOp::create(b);
  b.setInsertionPointAfter(loop);
  FenceOp::create(b, MemoryOrder::Acquire, MemoryScope::Block);
}
