//===- Positions.cpp - Where a thread stands ------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

unsigned Positions::getGroupSize(GroupAttr group) const {
  switch (group.getKind()) {
  case GroupKind::Thread:
    return 1;
  case GroupKind::Warp:
    return target.getWarpSize();
  case GroupKind::Tile:
  case GroupKind::Warps:
    return group.getTileSize();
  case GroupKind::Block:
    return getBlockSize();
  case GroupKind::Members:
    break; // LowerCollectives has replaced what asks for it.
  case GroupKind::Cluster:
  case GroupKind::Grid:
    break; // And ExpandGrid what asks for these.
  }
  llvm_unreachable("all groups are handled");
}

Value Positions::threadId(Builder &b, Dimension dimension) const {
  unsigned extent = workgroup[static_cast<unsigned>(dimension)];
  return extent == 1 ? createI32(b, 0) : target.threadId(b, dimension, extent);
}

/// x + width * (y + height * z), without the dimensions of one thread.
Value Positions::blockRank(Builder &b) const {
  Value rank = threadId(b, Dimension::X);
  unsigned stride = workgroup[0];
  for (Dimension dimension : {Dimension::Y, Dimension::Z}) {
    unsigned extent = workgroup[static_cast<unsigned>(dimension)];
    if (extent != 1) {
      Value scaled = arith::MulIOp::create(b, threadId(b, dimension),
                                           createI32(b, stride));
      rank = arith::AddIOp::create(b, rank, scaled);
    }
    stride *= extent;
  }
  return rank;
}

Value Positions::rank(Builder &b, GroupAttr group) const {
  if (group.isWarps())
    return arith::SubIOp::create(b, blockRank(b),
                                 createI32(b, group.getFirst()));
  unsigned size = getGroupSize(group);
  if (size == 1)
    return createI32(b, 0);
  Value own = blockRank(b);
  if (size >= getBlockSize())
    return own;
  return arith::AndIOp::create(b, own, createI32(b, size - 1));
}

Value Positions::size(Builder &b, GroupAttr group) const {
  unsigned size = getGroupSize(group);
  if (group.isWarps())
    return createI32(b, size);
  if (getBlockSize() <= size)
    return createI32(b, getBlockSize());
  if (getBlockSize() % size == 0)
    return createI32(b, size);
  Value first =
      arith::AndIOp::create(b, blockRank(b), createI32(b, -int64_t(size)));
  Value rest = arith::SubIOp::create(b, createI32(b, getBlockSize()), first);
  return arith::MinUIOp::create(b, rest, createI32(b, size));
}

Value Positions::index(Builder &b, GroupAttr group) const {
  if (group.isBlock())
    return {};
  Value own = blockRank(b);
  unsigned size = getGroupSize(group);
  bool isInWarp = group.getKind() == GroupKind::Tile && size <= getWarpSize();
  if (isInWarp && getBlockSize() > getWarpSize())
    own = arith::AndIOp::create(b, own, createI32(b, getWarpSize() - 1));
  return arith::ShRUIOp::create(b, own, createI32(b, llvm::Log2_32(size)));
}

Value Positions::count(Builder &b, GroupAttr group) const {
  unsigned size = getGroupSize(group);
  if (group.getKind() != GroupKind::Tile)
    return createI32(b, llvm::divideCeil(getBlockSize(), size));
  auto warp = GroupAttr::get(b.getContext(), GroupKind::Warp, 0);
  Value lanes = this->size(b, warp);
  Value rounded = arith::AddIOp::create(b, lanes, createI32(b, size - 1));
  return arith::ShRUIOp::create(b, rounded, createI32(b, llvm::Log2_32(size)));
}

Value Positions::lower(Builder &b, Operation *operation) const {
  auto extend = [&](Value value) -> Value {
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  };
  return llvm::TypeSwitch<Operation *, Value>(operation)
      .Case<RankOp>([&](auto op) { return rank(b, op.getGroup()); })
      .Case<SizeOp>([&](auto op) { return size(b, op.getGroup()); })
      .Case<IndexOp>([&](auto op) { return index(b, op.getGroup()); })
      .Case<CountOp>([&](auto op) { return count(b, op.getGroup()); })
      .Case<ThreadIdOp>([&](auto op) { return threadId(b, op.getDimension()); })
      .Case<BlockIdOp>(
          [&](auto op) { return extend(target.blockId(b, op.getDimension())); })
      .Case<BlockCountOp>([&](auto op) {
        return extend(target.blockCount(b, op.getDimension()));
      })
      .Default([](Operation *) { return Value(); });
}
