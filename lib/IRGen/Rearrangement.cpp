//===- Rearrangement.cpp - Order and places of a group's elements ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using ArithOp = sema::BinaryExpr::Op;
using Method = sema::CollectiveExpr::Method;

/// The operation in messages: "block.transpose", where its own name says less.
static std::string getSpelling(const sema::CollectiveExpr *expr) {
  return expr->group.str() + "." + sema::getMethodName(expr->method).str();
}

Leaves KernelEmitter::emitRearrangement(const sema::CollectiveExpr *expr) {
  b.setLoc(getNamedLoc(getSpelling(expr), b.getLoc()));
  ir::GroupRef group = getGroup(expr->group);
  switch (expr->method) {
  case Method::SegmentedScan:
  case Method::SegmentedReduce:
    return emitSegmented(expr, group);
  case Method::Sort:
  case Method::SortBy:
  case Method::TopK:
    return emitSort(expr, group);
  case Method::Exchange:
    return emitExchange(expr, group);
  case Method::Transpose:
    return emitTranspose(expr, group);
  case Method::Histogram:
    emitHistogram(expr, group);
    return {};
  case Method::Arrive:
    if (!group.members)
      ir::ArriveOp::create(b, group);
    return {};
  case Method::Wait:
    emitExpr(expr->operands[0]);
    // Lanes of one warp: a barrier at the second half costs no more.
    if (group.members)
      ir::SyncOp::create(b, group);
    else
      ir::WaitOp::create(b, group);
    return {};
  default:
    llvm_unreachable("emitCollective emits it");
  }
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::emitSort(const sema::CollectiveExpr *expr,
                               ir::GroupAttr group) {
  const sema::Expr *operand = expr->operands[0];
  Leaves keys = emitExpr(operand);
  bool isSignedKey = isSigned(operand->getType()->getLeaves().front().type);
  SmallVector<Type> types = getLeafTypes(expr->getType());
  if (expr->method == Method::TopK) {
    auto op = ir::TopKOp::create(b, types, group, isSignedKey, keys);
    return Leaves(op.getResults());
  }
  Leaves values;
  if (expr->method == Method::SortBy)
    values = emitExpr(expr->operands[1]);
  auto op = ir::SortOp::create(b, types, group, isSignedKey,
                               /*descending=*/false, keys, values);
  return Leaves(op.getResults());
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::emitExchange(const sema::CollectiveExpr *expr,
                                   ir::GroupAttr group) {
  Leaves values = emitExpr(expr->operands[0]);
  Leaves places = emitExpr(expr->operands[1]);
  auto op = ir::ExchangeOp::create(b, ValueRange(values).getTypes(), group,
                                   values, places);
  return Leaves(op.getResults());
}

/// Element i of a list of n * K, n a group's ranks, is at place i in blocked
/// arrangement. Striped it is the (i / n)-th of rank i % n.
Leaves KernelEmitter::emitTranspose(const sema::CollectiveExpr *expr,
                                    ir::GroupAttr group) {
  Leaves values = emitExpr(expr->operands[0]);
  int64_t count = expr->operands[0]->getType()->getCount();
  Type i32 = b.getI32Type();
  auto constant = [&](int64_t value) { return num.constant(i32, value); };
  Value rank = ir::RankOp::create(b, group);
  Value size = ir::SizeOp::create(b, group);
  Value first = arith::MulIOp::create(b, rank, constant(count));
  Leaves places;
  for (int64_t k = 0; k != count; ++k) {
    // Of the place that an element has, the one that it goes to.
    if (expr->reverse) {
      Value before = arith::MulIOp::create(b, size, constant(k));
      places.push_back(arith::AddIOp::create(b, before, rank));
      continue;
    }
    Value place = arith::AddIOp::create(b, first, constant(k));
    Value stripe = num.binary(ArithOp::Div, place, size, /*isSigned=*/false);
    Value owner = num.binary(ArithOp::Rem, place, size, /*isSigned=*/false);
    Value before = arith::MulIOp::create(b, owner, constant(count));
    places.push_back(arith::AddIOp::create(b, before, stripe));
  }
  auto op = ir::ExchangeOp::create(b, ValueRange(values).getTypes(), group,
                                   values, places);
  return Leaves(op.getResults());
}

//===----------------------------------------------------------------------===//
// Histogram
//===----------------------------------------------------------------------===//

void KernelEmitter::emitHistogram(const sema::CollectiveExpr *expr,
                                  ir::GroupAttr group) {
  Value counts = getView(emitPlace(expr->operands[0]));
  Leaves bins;
  const sema::Expr *operand = expr->operands[1];
  bool isSignedBin = isSigned(operand->getType()->getLeaves().front().type);
  for (Value bin : emitExpr(operand))
    bins.push_back(num.resize(bin, isSignedBin, b.getI64Type()));
  ir::HistogramOp::create(b, group, counts, bins);
}
