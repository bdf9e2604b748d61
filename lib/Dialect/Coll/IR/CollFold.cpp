//===- CollFold.cpp - Folders and canonicalizations -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace coll::ir;

/// What the folders give is a constant of arith.
Operation *CollDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

OpFoldResult ExtentOp::fold(FoldAdaptor) {
  int64_t extent =
      cast<ViewType>(getView().getType()).getShape()[getDimension()];
  if (ShapedType::isDynamic(extent))
    return {};
  return IntegerAttr::get(IntegerType::get(getContext(), 64), extent);
}

/// x / 1 is x. A constant divisor of 0 stays: the reference device reports it.
OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_One()))
    return getLhs();
  return {};
}

OpFoldResult RemOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getRhs(), m_One()))
    return Builder(getContext()).getZeroAttr(getType());
  return {};
}

namespace {
/// An arm that ends in coll.yield replaces a branch on a constant. Arms that
/// leave early stay: what follows them would be unreachable.
struct ConstantIf : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    BoolAttr condition;
    if (!matchPattern(op.getCondition(), m_Constant(&condition)))
      return failure();
    Region &taken =
        condition.getValue() ? op.getThenRegion() : op.getElseRegion();
    if (taken.empty()) {
      rewriter.eraseOp(op);
      return success();
    }
    auto yield = dyn_cast<YieldOp>(taken.front().back());
    if (!yield)
      return failure();
    SmallVector<Value> results(yield.getValues());
    rewriter.eraseOp(yield);
    rewriter.inlineBlockBefore(&taken.front(), op);
    rewriter.replaceOp(op, results);
    return success();
  }
};
} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<ConstantIf>(context);
}
