//===- ExchangeSpace.cpp - Shared memory of a kernel's shuffles -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangeSpace.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
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

bool coll::ir::isExchangeOfWarps(Operation *op, KernelOp kernel,
                                 const Target &target) {
  auto shuffle = dyn_cast<ShuffleOp>(op);
  if (!shuffle)
    return false;
  GroupAttr group = shuffle.getGroup();
  unsigned warpSize = target.getWarpSize(), blockSize = kernel.getBlockSize();
  if (group.isBlock())
    return blockSize > warpSize;
  bool isPart = group.isWarps() || (group.getKind() == GroupKind::Tile &&
                                    blockSize % group.getTileSize() == 0);
  return isPart && group.getTileSize() > warpSize;
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

bool coll::ir::needsOneMemory(KernelOp kernel, ArrayRef<ShuffleOp> shuffles,
                              const Target &target) {
  llvm::MapVector<GroupAttr, SmallVector<ShuffleOp>> kinds;
  for (ShuffleOp op : shuffles)
    kinds[op.getGroup()].push_back(op);
  uint64_t bytes = 0, others = 0;
  for (auto &[group, ops] : kinds)
    bytes += countBytes(group, ops, kernel.getBlockSize());
  kernel.walk([&](SharedOp op) {
    auto type = cast<ViewType>(op.getView().getType());
    if (!ShapedType::isDynamicShape(type.getShape()))
      others +=
          type.getElementSize() * ShapedType::getNumElements(type.getShape());
  });
  uint64_t room = target.getChip().getMaxStaticSharedBytes();
  return bytes > room / 2 || bytes + others > room;
}
