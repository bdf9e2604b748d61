//===- Exchange.cpp - Words of other lanes through LDS --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane stores its word at its own place and loads from another's. A wave's
// accesses of LDS are carried out in order, whatever lanes they are of, and all
// of a wave's lanes are in one collective: nothing waits but the user of what
// was loaded, and the next exchange may use the same places. LLVM, which knows
// threads and not lanes, is kept from changing the order by fences, which are
// no instructions within a wave.
//
//===----------------------------------------------------------------------===//

#include "../SharedObjects.h"
#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// Words before the first thread's and behind the last wave's, which lanes load
/// that do not want them.
static constexpr int64_t margin = 64;
static constexpr llvm::StringLiteral scratchName = "coll.lanes";

static int64_t countWords(unsigned blockSize) {
  return llvm::alignTo(blockSize, 64) + 2 * margin;
}

static SharedOp findScratch(KernelOp kernel) {
  for (SharedOp op : kernel.getBody().front().getOps<SharedOp>())
    if (op->hasAttr(scratchName))
      return op;
  return {};
}

bool ROCDLEmitter::hasScratch(KernelOp kernel) const {
  if (findScratch(kernel))
    return true;
  SharedObjects shared(kernel, target);
  uint64_t bytes = llvm::alignTo(shared.getBytes(), 16);
  bytes += 4 * countWords(blockSize);
  return !shared.hasDynamicArray() && bytes <= target.getChip().maxSharedBytes;
}

static KernelOp getKernel(ImplicitLocOpBuilder &b) {
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto kernel = dyn_cast<KernelOp>(parent);
  return kernel ? kernel : parent->getParentOfType<KernelOp>();
}

static Value getScratch(ImplicitLocOpBuilder &b, unsigned blockSize) {
  KernelOp kernel = getKernel(b);
  if (SharedOp op = findScratch(kernel))
    return op.getView();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto type = ViewType::get(b.getContext(), {countWords(blockSize)},
                            b.getI32Type(), MemorySpace::Shared);
  auto op = SharedOp::create(b, type, b.getStringAttr("lanes"), Value(),
                             StringAttr(), b.getI64IntegerAttr(16));
  op->setAttr(scratchName, b.getUnitAttr());
  return op.getView();
}

/// The rank in the block of the thread whose word is loaded. Where that is
/// outside the warp, nobody looks at it.
static Value getSource(ImplicitLocOpBuilder &b, const Move &move, Value rank,
                       unsigned warpSize) {
  Value distance = createI32(b, move.distance);
  switch (static_cast<SharedForm>(move.control)) {
  case SharedForm::Xor:
    return arith::XOrIOp::create(b, rank, distance);
  case SharedForm::Shift:
    return rank;
  case SharedForm::Rotate: {
    Value lane = arith::AddIOp::create(b, rank, distance);
    lane = arith::AndIOp::create(b, lane, createI32(b, warpSize - 1));
    Value first =
        arith::AndIOp::create(b, rank, createI32(b, -int64_t(warpSize)));
    return arith::OrIOp::create(b, first, lane);
  }
  }
  llvm_unreachable("all forms are handled");
}

static Value getBlockRank(ImplicitLocOpBuilder &b) {
  auto block = GroupAttr::get(b.getContext(), GroupKind::Block, 0);
  return RankOp::create(b, b.getI32Type(), block);
}

Value ROCDLEmitter::load(Builder &b, Value word, Value rank, Value source,
                         int64_t distance) const {
  Value scratch = getScratch(b, blockSize);
  auto getPlace = [&](Value rank, int64_t offset) -> Value {
    Value place = arith::ExtUIOp::create(b, b.getI64Type(), rank);
    return arith::AddIOp::create(b, place, createI64(b, margin + offset));
  };
  StoreOp::create(b, ValueRange(word), scratch, ValueRange(getPlace(rank, 0)));
  LaneGroup warp{getWarpSize(), Value(), /*isWholeWarp=*/true};
  syncGroup(b, warp);
  Value place = getPlace(source, distance);
  Value loaded =
      LoadOp::create(b, TypeRange(b.getI32Type()), scratch, ValueRange(place))
          .getResult(0);
  syncGroup(b, warp);
  return loaded;
}

Value ROCDLEmitter::exchange(Builder &b, const Move &move, Value word) const {
  Value rank = getBlockRank(b);
  bool isShift = move.control == static_cast<unsigned>(SharedForm::Shift);
  return load(b, word, rank, getSource(b, move, rank, getWarpSize()),
              isShift ? move.distance : 0);
}

Value ROCDLEmitter::exchange(Builder &b, Value word, Value lane) const {
  if (!hasScratch(getKernel(b)))
    return {};
  Value rank = getBlockRank(b);
  Value first =
      arith::AndIOp::create(b, rank, createI32(b, -int64_t(getWarpSize())));
  return load(b, word, rank, arith::OrIOp::create(b, first, lane), 0);
}
