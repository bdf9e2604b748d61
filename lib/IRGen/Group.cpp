//===- Group.cpp - Ranks, sizes and indices of groups ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using Query = sema::GroupQueryExpr::Query;
using sema::Group;

ir::GroupRef KernelEmitter::getGroup(const Group &group) {
  auto make = [&](ir::GroupKind kind, unsigned tileSize = 0) -> ir::GroupRef {
    return ir::GroupAttr::get(getContext(), kind, tileSize);
  };
  switch (group.kind) {
  case Group::Kind::Thread:
    return make(ir::GroupKind::Thread);
  case Group::Kind::Warp:
    return make(ir::GroupKind::Warp);
  case Group::Kind::Tile:
    return make(ir::GroupKind::Tile, group.tileSize);
  case Group::Kind::BlockTile:
    if (group.tileSize == getBlockSize())
      return make(ir::GroupKind::Block);
    return make(ir::GroupKind::Tile, group.tileSize);
  case Group::Kind::Warps: {
    unsigned warpSize = group.tileSize / group.numWarps;
    unsigned first = group.firstWarp * warpSize;
    unsigned size = std::min<int64_t>(group.tileSize, getBlockSize() - first);
    if (size == getBlockSize())
      return make(ir::GroupKind::Block);
    return ir::GroupAttr::get(getContext(), ir::GroupKind::Warps, size, first);
  }
  case Group::Kind::Block:
    return make(ir::GroupKind::Block);
  case Group::Kind::Cluster:
    return make(kernel.cluster == 1 ? ir::GroupKind::Block
                                    : ir::GroupKind::Cluster);
  case Group::Kind::Grid:
    return make(ir::GroupKind::Grid);
  case Group::Kind::Members: {
    Leaves leaves = emitExpr(group.members);
    if (leaves.empty()) // After an error.
      return make(ir::GroupKind::Thread);
    return {make(ir::GroupKind::Members), leaves.front()};
  }
  }
  llvm_unreachable("unknown group");
}

Value KernelEmitter::emitGroup(const sema::GroupExpr *expr) {
  if (!expr->label) {
    b.setLoc(getNamedLoc("warp.active()", b.getLoc()));
    return ir::ActiveOp::create(b);
  }
  ir::GroupRef base = getGroup(expr->base);
  Leaves label = emitExpr(expr->label);
  bool isByCondition = expr->label->getType()->isBool();
  b.setLoc(getNamedLoc(expr->base.str() +
                           (isByCondition ? ".partition" : ".partition_by"),
                       b.getLoc()));
  return ir::PartitionOp::create(b, base, label);
}

/// No launch has 2^63 blocks.
static constexpr auto noWrap =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

/// The linear index, x fastest, whatever the shape of the launch.
Value KernelEmitter::emitBlockIndex() {
  auto index = [&](ir::Dimension d) -> Value {
    return ir::BlockIdOp::create(b, d);
  };
  auto scaled = [&](ir::Dimension d, Value outer) -> Value {
    Value count = ir::BlockCountOp::create(b, d);
    Value before = arith::MulIOp::create(b, count, outer, noWrap);
    return arith::AddIOp::create(b, index(d), before, noWrap);
  };
  return scaled(ir::Dimension::X,
                scaled(ir::Dimension::Y, index(ir::Dimension::Z)));
}

Value KernelEmitter::emitBlockCount() {
  Value count = ir::BlockCountOp::create(b, ir::Dimension::X);
  for (ir::Dimension d : {ir::Dimension::Y, ir::Dimension::Z})
    count =
        arith::MulIOp::create(b, count, ir::BlockCountOp::create(b, d), noWrap);
  return count;
}

/// The x, y, z forms.
Value KernelEmitter::emitDimensionQuery(const sema::GroupQueryExpr *expr,
                                        Type type) {
  Group::Kind kind = expr->group.kind;
  auto dimension = static_cast<ir::Dimension>(expr->dimension);
  int64_t side = kernel.workgroup[expr->dimension];
  if (kind == Group::Kind::Thread) {
    if (expr->query == Query::Index3)
      return ir::ThreadIdOp::create(b, dimension);
    return num.constant(type, expr->query == Query::Count3 ? side : 1);
  }
  if (expr->query == Query::Index3)
    return ir::BlockIdOp::create(b, dimension);
  if (expr->query == Query::Size3 && kind == Group::Kind::Block)
    return num.constant(type, side);
  Value blocks = ir::BlockCountOp::create(b, dimension);
  if (expr->query == Query::Count3)
    return blocks;
  return arith::MulIOp::create(b, blocks, makeIndex(side));
}

Value KernelEmitter::emitGridQuery(Query query, Type type) {
  if (query == Query::Index || query == Query::Count)
    return num.constant(type, query == Query::Count);
  Value blocks = query == Query::Rank ? emitBlockIndex() : emitBlockCount();
  Value threads = arith::MulIOp::create(b, blocks, makeIndex(getBlockSize()));
  if (query == Query::Size)
    return threads;
  Value rank = ir::RankOp::create(b, getGroup({Group::Kind::Block}));
  return arith::AddIOp::create(b, threads,
                               num.resize(rank, true, b.getI64Type()));
}

/// The clusters of a grid, x fastest.
Value KernelEmitter::emitClusterQuery(const sema::GroupQueryExpr *expr,
                                      Type type) {
  ir::GroupAttr group = getGroup(expr->group);
  if (group.isBlock())
    return emitLinearQuery(expr, type);
  if (expr->query == Query::Rank)
    return ir::RankOp::create(b, group);
  int64_t blocks = kernel.cluster;
  if (expr->query == Query::Size)
    return num.constant(type, blocks * getBlockSize());
  auto divide = [&](Value count) {
    return num.binary(sema::BinaryExpr::Op::Div, count, makeIndex(blocks),
                      /*isSigned=*/false);
  };
  if (expr->query == Query::Count)
    return divide(emitBlockCount());
  Value width = divide(ir::BlockCountOp::create(b, ir::Dimension::X));
  Value height = ir::BlockCountOp::create(b, ir::Dimension::Y);
  auto index = [&](ir::Dimension d) -> Value {
    return ir::ClusterIdOp::create(b, d);
  };
  Value row = arith::AddIOp::create(
      b, index(ir::Dimension::Y),
      arith::MulIOp::create(b, height, index(ir::Dimension::Z), noWrap),
      noWrap);
  return arith::AddIOp::create(b, index(ir::Dimension::X),
                               arith::MulIOp::create(b, width, row, noWrap),
                               noWrap);
}

/// A thread's siblings are those of the block.
Value KernelEmitter::emitThreadQuery(Query query, Type type) {
  if (query == Query::Index)
    return ir::RankOp::create(b, getGroup({Group::Kind::Block}));
  if (query == Query::Count)
    return num.constant(type, getBlockSize());
  return num.constant(type, query == Query::Size);
}

bool KernelEmitter::hasWarps(const Group &group, llvm::SMLoc loc) {
  unsigned warpSize = group.tileSize / group.numWarps;
  uint64_t count = llvm::divideCeil<uint64_t>(getBlockSize(), warpSize);
  if (group.firstWarp + group.numWarps <= count)
    return true;
  fail(loc, group.str() + ": a block of kernel '" + kernel.name + "' has " +
                Twine(count) + (count == 1 ? " warp" : " warps"));
  return false;
}

bool KernelEmitter::fitsBlock(const Group &group, llvm::SMLoc loc) {
  if (group.kind == Group::Kind::Warps)
    return hasWarps(group, loc);
  if (group.kind != Group::Kind::BlockTile ||
      getBlockSize() % group.tileSize == 0)
    return true;
  fail(loc, group.str() + " does not divide the workgroup of kernel '" +
                kernel.name + "', which has " + Twine(getBlockSize()) +
                " threads");
  return false;
}

bool KernelEmitter::fitsConstantRank(const sema::CollectiveExpr *expr,
                                     Value rank) {
  APInt constant;
  if (expr->group.kind != Group::Kind::Block ||
      !matchPattern(rank, m_ConstantInt(&constant)) ||
      constant.ult(getBlockSize()))
    return true;
  fail(expr->operands[1]->getLoc(),
       expr->group.str() + "." + sema::getMethodName(expr->method) +
           " reaches outside the group: rank " +
           Twine(constant.getSExtValue()) + ", but a block of kernel '" +
           kernel.name + "' has " + Twine(getBlockSize()) +
           (getBlockSize() == 1 ? " rank" : " ranks"));
  return false;
}

/// The siblings of a tile of whole warps are those of the block.
Value KernelEmitter::emitBlockTileQuery(const sema::GroupQueryExpr *expr,
                                        Type type) {
  int64_t size = expr->group.tileSize;
  ir::GroupAttr group = getGroup(expr->group);
  switch (expr->query) {
  case Query::Rank:
    return ir::RankOp::create(b, group);
  case Query::Size:
    return num.constant(type, size);
  case Query::Index:
    if (group.isBlock())
      return num.constant(type, 0);
    return ir::IndexOp::create(b, group);
  default:
    return num.constant(type, getBlockSize() / size);
  }
}

Value KernelEmitter::emitLinearQuery(const sema::GroupQueryExpr *expr,
                                     Type type) {
  ir::GroupRef group = getGroup(expr->group);
  bool isBlock = group.attr.isBlock();
  switch (expr->query) {
  case Query::Rank:
    return ir::RankOp::create(b, group);
  case Query::Size:
    if (isBlock)
      return num.constant(type, getBlockSize());
    return ir::SizeOp::create(b, group);
  case Query::Index:
    if (isBlock)
      return emitBlockIndex();
    return ir::IndexOp::create(b, group);
  default:
    if (isBlock)
      return emitBlockCount();
    return ir::CountOp::create(b, group);
  }
}

Value KernelEmitter::emitGroupQuery(const sema::GroupQueryExpr *expr) {
  NodeScope scope(*this, expr->getLoc());
  static constexpr StringLiteral names[] = {".rank", ".size", ".index",
                                            ".count"};
  std::string name = expr->written.str();
  if (name.empty() && expr->query < Query::Index3)
    name = expr->group.str() + names[unsigned(expr->query)].str();
  if (!name.empty())
    b.setLoc(getNamedLoc(name, b.getLoc()));
  Type type = getLeafType(expr->getType(), getContext());
  auto emit = [&]() -> Value {
    if (expr->query >= Query::Index3)
      return emitDimensionQuery(expr, type);
    if (expr->group.kind == Group::Kind::Grid)
      return emitGridQuery(expr->query, type);
    if (expr->group.kind == Group::Kind::Cluster)
      return emitClusterQuery(expr, type);
    if (expr->group.kind == Group::Kind::Thread)
      return emitThreadQuery(expr->query, type);
    if (!fitsBlock(expr->group, expr->getLoc()))
      return num.constant(type, 0);
    if (expr->group.kind == Group::Kind::BlockTile)
      return emitBlockTileQuery(expr, type);
    if (expr->group.kind == Group::Kind::Warps && expr->query == Query::Size)
      return num.constant(type, getGroup(expr->group).attr.isBlock()
                                    ? getBlockSize()
                                    : getGroup(expr->group).attr.getTileSize());
    return emitLinearQuery(expr, type);
  };
  return num.resize(emit(), /*isSigned=*/true, type);
}
