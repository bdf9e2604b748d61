//===- ExchangeSpace.cpp - Shared memory of a kernel's shuffles -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangeSpace.h"
#include "coll/Analysis/Uniformity.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

uint64_t coll::ir::countExchangeBytes(TypeRange types, uint64_t threads) {
  uint64_t bytes = 0;
  for (Type type : types) {
    auto vector = dyn_cast<VectorType>(type);
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    bytes += llvm::divideCeil(bits, 8) * threads *
             (vector ? vector.getNumElements() : 1);
  }
  return bytes;
}

/// Whether the groups are part of a block and of several warps.
static bool hasWarps(GroupAttr group, unsigned blockSize, unsigned warpSize) {
  if (group.isBlock())
    return blockSize > warpSize;
  bool isPart = group.isWarps() || (group.getKind() == GroupKind::Tile &&
                                    blockSize % group.getTileSize() == 0);
  return isPart && group.getTileSize() > warpSize;
}

bool coll::ir::isExchangeOfWarps(Operation *op, KernelOp kernel,
                                 const Target &target) {
  auto shuffle = dyn_cast<ShuffleOp>(op);
  return shuffle && hasWarps(shuffle.getGroup(), kernel.getBlockSize(),
                             target.getWarpSize());
}

/// What BlockExpander takes for the shuffles of one kind of group: for those of
/// tiles an array for each type, for others one place.
static uint64_t countBytes(GroupAttr group, ArrayRef<ShuffleOp> shuffles,
                           uint64_t threads) {
  uint64_t most = 0, ofTypes = 0;
  llvm::SmallPtrSet<Type, 8> types;
  for (ShuffleOp op : shuffles) {
    TypeRange values = op.getValues().getTypes();
    uint64_t bytes = countExchangeBytes(values, threads);
    unsigned halves = 2 * bytes <= maxExchangeBytes ? 2 : 1;
    most = std::max(most, halves * bytes);
    for (Type type : values)
      if (types.insert(type).second)
        ofTypes += halves * countExchangeBytes(type, threads);
  }
  return group.getKind() == GroupKind::Tile ? std::max(most, ofTypes) : most;
}

uint64_t coll::ir::countShuffleBytes(KernelOp kernel,
                                     ArrayRef<ShuffleOp> shuffles) {
  llvm::MapVector<GroupAttr, SmallVector<ShuffleOp>> kinds;
  for (ShuffleOp op : shuffles)
    kinds[op.getGroup()].push_back(op);
  uint64_t bytes = 0;
  for (auto &[group, ops] : kinds)
    bytes += countBytes(group, ops, kernel.getBlockSize());
  return bytes;
}

uint64_t coll::ir::countArrayBytes(KernelOp kernel) {
  uint64_t bytes = 0;
  kernel.walk([&](SharedOp op) {
    auto type = cast<ViewType>(op.getView().getType());
    if (!ShapedType::isDynamicShape(type.getShape()))
      bytes +=
          type.getElementSize() * ShapedType::getNumElements(type.getShape());
  });
  return bytes;
}

/// The most bytes that the values of a collective take, one for each of
/// `places`.
static uint64_t countPartials(Operation *op, uint64_t places) {
  auto count = [&](TypeRange types) {
    uint64_t bytes = 0;
    for (Type type : types)
      if (getElementTypeOrSelf(type).isIntOrFloat())
        bytes += llvm::alignTo(countExchangeBytes(type, places), 16);
    return bytes;
  };
  return std::max(count(op->getOperandTypes()), count(op->getResultTypes()));
}

/// As BlockExpander has it: of those that follow each other two are enough, but
/// in loops, where each has two halves. A scan has a place more than warps.
uint64_t coll::ir::countScratchBytes(KernelOp kernel, const Target &target) {
  unsigned blockSize = kernel.getBlockSize(), warpSize = target.getWarpSize();
  uint64_t places = llvm::divideCeil(blockSize, warpSize) + 1, bytes = 0;
  struct Scratch {
    uint64_t all = 0, largest = 0;
  };
  llvm::MapVector<std::pair<Block *, GroupAttr>, Scratch> lists;
  llvm::SmallSetVector<GroupAttr, 4> tiles;
  kernel.walk([&](Operation *op) {
    GroupAttr group = UniformityAnalysis::getCollectiveGroup(op);
    if (!group || !hasWarps(group, blockSize, warpSize))
      return;
    if (!group.isBlock())
      tiles.insert(group);
    if (isa<ShuffleOp, SortOp, TopKOp, ExchangeOp, HistogramOp>(op))
      return;
    uint64_t partials = countPartials(op, places);
    if (op->getParentOfType<LoopOp>()) {
      bytes += 2 * partials;
      return;
    }
    Scratch &scratch = lists[{op->getBlock(), group}];
    scratch.all += partials;
    scratch.largest = std::max(scratch.largest, partials);
  });
  for (auto &[list, scratch] : lists)
    bytes += std::min(scratch.all, 2 * scratch.largest);
  // The counters of their barriers.
  for (GroupAttr group : tiles)
    if (target.isAMD())
      bytes += 4 * (group.isWarps() ? 1 : blockSize / group.getTileSize());
  return llvm::alignTo(bytes, 16);
}

bool coll::ir::needsOneMemory(KernelOp kernel, ArrayRef<ShuffleOp> shuffles,
                              uint64_t listBytes, const Target &target) {
  uint64_t bytes = countShuffleBytes(kernel, shuffles);
  uint64_t others = countArrayBytes(kernel);
  uint64_t room = target.getChip().getMaxStaticSharedBytes();
  return bytes > room / 2 || bytes + others > room ||
         bytes + others + listBytes > target.getChip().maxSharedBytes;
}
