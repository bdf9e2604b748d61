//===- ExpandArgReduce.cpp - arg_reduce as a reduction of pairs -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: before the expansion of block collectives, which then need not
// know arg_reduce.
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace coll::ir {
#define GEN_PASS_DEF_EXPANDARGREDUCE
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

/// Is `left` before `right` in the order that `kind` looks for?
static Value isBetter(ImplicitLocOpBuilder &b, CombineKind kind, Value left,
                      Value right) {
  using arith::CmpFPredicate;
  using arith::CmpIPredicate;
  switch (kind) {
  case CombineKind::SMin:
    return arith::CmpIOp::create(b, CmpIPredicate::slt, left, right);
  case CombineKind::SMax:
    return arith::CmpIOp::create(b, CmpIPredicate::sgt, left, right);
  case CombineKind::UMin:
    return arith::CmpIOp::create(b, CmpIPredicate::ult, left, right);
  case CombineKind::UMax:
    return arith::CmpIOp::create(b, CmpIPredicate::ugt, left, right);
  default:
    break;
  }
  auto predicate =
      kind == CombineKind::MinNum ? CmpFPredicate::OLT : CmpFPredicate::OGT;
  Value better = arith::CmpFOp::create(b, predicate, left, right);
  Value isNumber = arith::CmpFOp::create(b, CmpFPredicate::ORD, left, left);
  Value otherIsNaN = arith::CmpFOp::create(b, CmpFPredicate::UNO, right, right);
  Value beatsNaN = arith::AndIOp::create(b, isNumber, otherIsNaN);
  return arith::OrIOp::create(b, better, beatsNaN);
}

/// Fills the combiner: (value, rank) pairs in lexicographic order.
static void fillCombiner(ImplicitLocOpBuilder &b, CombineKind kind,
                         Region &region, Type type) {
  OpBuilder::InsertionGuard guard(b);
  Type rank = b.getI32Type();
  Location loc = b.getLoc();
  Block *block = b.createBlock(&region, {}, {type, rank, type, rank},
                               {loc, loc, loc, loc});
  Value leftValue = block->getArgument(0), leftRank = block->getArgument(1);
  Value rightValue = block->getArgument(2), rightRank = block->getArgument(3);
  Value leftBetter = isBetter(b, kind, leftValue, rightValue);
  Value rightBetter = isBetter(b, kind, rightValue, leftValue);
  Value leftLower =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, leftRank, rightRank);
  Value notWorse = arith::XOrIOp::create(b, rightBetter, createBool(b, true));
  Value tie = arith::AndIOp::create(b, notWorse, leftLower);
  Value takeLeft = arith::OrIOp::create(b, leftBetter, tie);
  YieldOp::create(b, createSelect(b, takeLeft, {leftValue, leftRank},
                                  {rightValue, rightRank}));
}

namespace {
struct ExpandArgReduce
    : public coll::ir::impl::ExpandArgReduceBase<ExpandArgReduce> {
  void runOnOperation() override {
    getOperation().walk([](ArgReduceOp op) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Value operand = op.getOperand();
      Value rank = RankOp::create(b, b.getI32Type(), getGroup(op));
      SmallVector<Value> values{operand, rank};
      auto reduce =
          ReduceOp::create(b, TypeRange(ValueRange(values)), getGroup(op),
                           CombineKindAttr(), values, /*commutative=*/true);
      fillCombiner(b, op.getKind(), reduce.getCombiner(), operand.getType());
      reduce->setAttr(Combiner::argAttrName, op.getKindAttr());
      op.replaceAllUsesWith(reduce.getResults());
      op.erase();
    });
  }
};
} // namespace
