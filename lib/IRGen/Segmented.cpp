//===- Segmented.cpp - Segmented scans and reductions ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A segmented scan is the scan of pairs (value, head) with
// (a, f) . (b, g) = (g ? b : a op b, f or g). A segmented reduction takes the
// result at the last element of each segment: the one before the next head.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using CompareOp = sema::CompareExpr::Op;
using Method = sema::CollectiveExpr::Method;

class KernelEmitter::Segmented {
public:
  Segmented(KernelEmitter &emitter, const sema::CollectiveExpr *expr,
            const ir::GroupRef &group);

  /// The inclusive results of this thread's elements.
  SmallVector<Leaves> scan();
  /// Those of the last elements of their segments.
  SmallVector<Leaves> reduce();

private:
  Value i32(int64_t value) { return num.constant(b.getI32Type(), value); }
  Leaves select(Value condition, ValueRange whenTrue, ValueRange otherwise);
  /// Of pairs: the value's leaves, then the head.
  Leaves combine(ValueRange left, ValueRange right);
  /// The inclusive results as pairs.
  SmallVector<Leaves> scanPairs();
  void fillCombiner(Region &region, TypeRange pair);
  /// The place in the group's list of the first head after this thread's
  /// elements, or the list's length.
  Value findNextHead();
  /// Of one element a thread in a warp-level group: the rank where the own
  /// segment ends.
  Value findLastByBallot();
  Leaves shuffle(ValueRange values, Value from);

  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b;
  Arithmetic &num;
  const sema::Operator &op;
  ir::GroupRef group;
  bool isInWarp;
  const sema::Type *element;
  bool overArray;
  SmallVector<Leaves> values;
  Leaves heads;
};

KernelEmitter::Segmented::Segmented(KernelEmitter &emitter,
                                    const sema::CollectiveExpr *expr,
                                    const ir::GroupRef &group)
    : emitter(emitter), b(emitter.b), num(emitter.num), op(*expr->op),
      group(group), isInWarp(group.attr.isWarpLevel() &&
                             expr->group.kind != sema::Group::Kind::BlockTile),
      element(expr->operands[0]->getType()), overArray(expr->overArray) {
  if (overArray)
    element = element->getElement();
  Leaves leaves = emitter.emitExpr(expr->operands[0]);
  heads = emitter.emitExpr(expr->operands[1]);
  size_t width = element->getLeaves().size();
  for (size_t k = 0; k != heads.size(); ++k)
    values.emplace_back(ValueRange(leaves).slice(k * width, width));
}

Leaves KernelEmitter::Segmented::select(Value condition, ValueRange whenTrue,
                                        ValueRange otherwise) {
  Leaves leaves;
  for (auto [first, second] : llvm::zip(whenTrue, otherwise))
    leaves.push_back(arith::SelectOp::create(b, condition, first, second));
  return leaves;
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

/// A user's operator is called inside a segment only.
Leaves KernelEmitter::Segmented::combine(ValueRange left, ValueRange right) {
  ValueRange leftValue = left.drop_back(), rightValue = right.drop_back();
  Value head = right.back();
  auto apply = [&] {
    return emitter.combine(op, element, leftValue, rightValue);
  };
  Leaves pair = op.builtin ? select(head, rightValue, apply())
                           : emitter.emitIf(
                                 head, rightValue.getTypes(),
                                 [&] { return Leaves(rightValue); }, apply);
  pair.push_back(arith::OrIOp::create(b, left.back(), head));
  return pair;
}

void KernelEmitter::Segmented::fillCombiner(Region &region, TypeRange pair) {
  emitter.emitRegion(region, [&] {
    Block *block = b.getInsertionBlock();
    for (unsigned side = 0; side < 2; ++side)
      for (Type leaf : pair)
        block->addArgument(leaf, b.getLoc());
    ValueRange arguments = block->getArguments();
    emitter.yieldCombination(op, combine(arguments.take_front(pair.size()),
                                         arguments.drop_front(pair.size())));
  });
}

SmallVector<Leaves> KernelEmitter::Segmented::scanPairs() {
  SmallVector<Leaves> own;
  for (auto [value, head] : llvm::zip(values, heads)) {
    Leaves pair(value);
    pair.push_back(head);
    own.push_back(own.empty() ? pair : combine(own.back(), pair));
  }
  ValueRange total = own.back();
  if (!overArray) {
    auto scan = ir::ScanOp::create(b, total.getTypes(), group,
                                   ir::CombineKindAttr(), total,
                                   /*commutative=*/false, /*reverse=*/false);
    fillCombiner(scan.getCombiner(), total.getTypes());
    return {Leaves(scan.getResults())};
  }
  auto scan = ir::ExclusiveScanOp::create(
      b, total.getTypes(), group, ir::CombineKindAttr(), total, ValueRange(),
      /*commutative=*/false, /*reverse=*/false);
  fillCombiner(scan.getCombiner(), total.getTypes());
  Value isFirst =
      num.compare(CompareOp::Eq, ir::RankOp::create(b, group), i32(0), false);
  SmallVector<Leaves> results;
  for (Leaves &each : own)
    results.push_back(emitter.emitIf(
        isFirst, total.getTypes(), [&] { return each; },
        [&] { return combine(scan.getResults(), each); }));
  return results;
}

SmallVector<Leaves> KernelEmitter::Segmented::scan() {
  SmallVector<Leaves> results = scanPairs();
  for (Leaves &pair : results)
    pair.pop_back();
  return results;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::Segmented::shuffle(ValueRange moved, Value from) {
  auto op = ir::ShuffleOp::create(b, moved.getTypes(), ir::ShuffleKind::Idx,
                                  group, moved, from, ValueRange());
  return Leaves(op.getResults());
}

Value KernelEmitter::Segmented::findNextHead() {
  int64_t count = heads.size();
  Value size = ir::SizeOp::create(b, group);
  Value rank = ir::RankOp::create(b, group);
  Value end = arith::MulIOp::create(b, size, i32(count));
  Value first = arith::MulIOp::create(b, rank, i32(count));
  Value own = end;
  for (int64_t k = count; k-- != 0;) {
    Value place = arith::AddIOp::create(b, first, i32(k));
    own = arith::SelectOp::create(b, heads[k], place, own);
  }
  auto scan = ir::ExclusiveScanOp::create(
      b, own.getType(), group,
      ir::CombineKindAttr::get(b.getContext(), ir::CombineKind::UMin), own, end,
      /*commutative=*/false, /*reverse=*/true);
  return scan.getResult(0);
}

Value KernelEmitter::Segmented::findLastByBallot() {
  Type i64 = b.getI64Type();
  Value rank = ir::RankOp::create(b, group);
  Value mask = ir::BallotOp::create(b, group, heads.front());
  Value shift = num.resize(rank, /*isSigned=*/false, i64);
  Value above = arith::ShRUIOp::create(b, mask, shift);
  above = arith::ShRUIOp::create(b, above, num.constant(i64, 1));
  Value isLast = num.compare(CompareOp::Eq, above, num.constant(i64, 0), false);
  Value zeros = math::CountTrailingZerosOp::create(b, above);
  Value distance = num.resize(zeros, /*isSigned=*/false, b.getI32Type());
  Value last = arith::SubIOp::create(b, ir::SizeOp::create(b, group), i32(1));
  return arith::SelectOp::create(b, isLast, last,
                                 arith::AddIOp::create(b, rank, distance));
}

SmallVector<Leaves> KernelEmitter::Segmented::reduce() {
  SmallVector<Leaves> own = scan();
  size_t count = own.size();
  if (count == 1 && isInWarp)
    return {shuffle(own.front(), findLastByBallot())};
  Value rank = ir::RankOp::create(b, group);
  Value last = arith::SubIOp::create(b, findNextHead(), i32(1));
  Value from = num.binary(sema::BinaryExpr::Op::Div, last, i32(count), false);
  // Others ask for what is before the first head here. If that is the first
  // element, they stop in the thread below; without a head they ask for the
  // last element.
  Leaves offered = own.back();
  for (size_t k = count; k-- > 1;)
    offered = select(heads[k], own[k - 1], offered);
  offered = select(heads[0], own.back(), offered);
  Leaves moved = shuffle(offered, from);
  Value endsHere = num.compare(CompareOp::Eq, from, rank, false);
  Leaves running = select(endsHere, own.back(), moved);
  SmallVector<Leaves> results(count);
  for (size_t k = count; k-- != 0;) {
    if (k + 1 != count)
      running = select(heads[k + 1], own[k], running);
    results[k] = running;
  }
  return results;
}

Leaves KernelEmitter::emitSegmented(const sema::CollectiveExpr *expr,
                                    const ir::GroupRef &group) {
  Segmented segmented(*this, expr, group);
  SmallVector<Leaves> elements = expr->method == Method::SegmentedScan
                                     ? segmented.scan()
                                     : segmented.reduce();
  Leaves results;
  for (const Leaves &each : elements)
    llvm::append_range(results, each);
  return results;
}
