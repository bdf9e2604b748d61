//===- ControlFlow.cpp - Structured control flow as branches --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Innermost operations first: an operation's region may then have several
// blocks, of which some end in the exits of operations further out. Those stay
// as they are until their operation's turn.
//
//===----------------------------------------------------------------------===//

#include "ControlFlow.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace coll::ir;

namespace {
class Flattener {
public:
  explicit Flattener(MLIRContext *context) : rewriter(context) {}

  void flatten(IfOp op);
  void flatten(LoopOp op);
  void flatten(InlineOp op);
  void finishReturns(Region &body);
  void removeUnreachable(Region &body) {
    (void)eraseUnreachableBlocks(rewriter, body);
  }

private:
  /// Splits the block behind `op` and gives the rest arguments in place of the
  /// operation's results.
  Block *splitAfter(Operation *op);
  /// Replaces the terminators of kind `Exit` of a region by branches.
  template <typename Exit>
  void replaceExits(Region &region, Block *destination,
                    LLVM::LoopAnnotationAttr annotation = {});
  /// Moves the blocks of a region before `before`; gives its entry.
  Block *inlineBefore(Region &region, Block *before);

  IRRewriter rewriter;
};
} // namespace

Block *Flattener::splitAfter(Operation *op) {
  Block *rest =
      rewriter.splitBlock(op->getBlock(), std::next(Block::iterator(op)));
  for (Value result : op->getResults())
    result.replaceAllUsesWith(
        rest->addArgument(result.getType(), op->getLoc()));
  return rest;
}

template <typename Exit>
void Flattener::replaceExits(Region &region, Block *destination,
                             LLVM::LoopAnnotationAttr annotation) {
  for (Block &block : region) {
    auto exit = dyn_cast<Exit>(block.back());
    if (!exit)
      continue;
    rewriter.setInsertionPoint(exit);
    auto branch = LLVM::BrOp::create(rewriter, exit.getLoc(),
                                     exit->getOperands(), destination);
    if (annotation)
      branch.setLoopAnnotationAttr(annotation);
    rewriter.eraseOp(exit);
  }
}

Block *Flattener::inlineBefore(Region &region, Block *before) {
  Block *entry = &region.front();
  rewriter.inlineRegionBefore(region, before);
  return entry;
}

void Flattener::flatten(IfOp op) {
  Block *rest = splitAfter(op);
  for (Region *region : op.getRegions())
    replaceExits<YieldOp>(*region, rest);
  Block *thenBlock = inlineBefore(op.getThenRegion(), rest);
  Block *elseBlock = op.getElseRegion().empty()
                         ? rest
                         : inlineBefore(op.getElseRegion(), rest);
  rewriter.setInsertionPoint(op);
  LLVM::CondBrOp::create(rewriter, op.getLoc(), op.getCondition(), thenBlock,
                         elseBlock);
  rewriter.eraseOp(op);
}

/// The optimiser's hint for `coll.loop`'s `unroll`.
static LLVM::LoopAnnotationAttr getAnnotation(LoopOp op) {
  MLIRContext *context = op.getContext();
  Builder builder(context);
  int32_t unroll = static_cast<int32_t>(op.getUnroll());
  if (unroll == 0)
    return {};
  BoolAttr yes = builder.getBoolAttr(true), disable, full;
  IntegerAttr count;
  if (unroll == 1)
    disable = yes;
  else if (unroll < 0)
    full = yes;
  else
    count = builder.getI32IntegerAttr(unroll);
  auto attr =
      LLVM::LoopUnrollAttr::get(context, disable, count, {}, full, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, attr, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

void Flattener::flatten(LoopOp op) {
  Block *rest = splitAfter(op);
  Block *condition = &op.getCondition().front();
  Block *body = &op.getBody().front();
  Block *step = &op.getStep().front();
  replaceExits<YieldOp>(op.getBody(), step);
  replaceExits<ContinueOp>(op.getBody(), step);
  replaceExits<BreakOp>(op.getBody(), rest);
  replaceExits<YieldOp>(op.getStep(), condition, getAnnotation(op));
  for (Block &block : op.getCondition())
    if (auto test = dyn_cast<ConditionOp>(block.back())) {
      rewriter.setInsertionPoint(test);
      LLVM::CondBrOp::create(rewriter, test.getLoc(), test.getCondition(), body,
                             rest);
      rewriter.eraseOp(test);
    }
  inlineBefore(op.getCondition(), rest);
  inlineBefore(op.getBody(), rest);
  inlineBefore(op.getStep(), rest);
  rewriter.setInsertionPoint(op);
  LLVM::BrOp::create(rewriter, op.getLoc(), condition);
  rewriter.eraseOp(op);
}

void Flattener::flatten(InlineOp op) {
  Block *rest = splitAfter(op);
  replaceExits<ReturnOp>(op.getBody(), rest);
  Block *body = inlineBefore(op.getBody(), rest);
  rewriter.setInsertionPoint(op);
  LLVM::BrOp::create(rewriter, op.getLoc(), body);
  rewriter.eraseOp(op);
}

void Flattener::finishReturns(Region &body) {
  for (Block &block : body)
    if (auto exit = dyn_cast<ReturnOp>(block.back())) {
      rewriter.setInsertionPoint(exit);
      LLVM::ReturnOp::create(rewriter, exit.getLoc(), ValueRange());
      rewriter.eraseOp(exit);
    }
}

void coll::flattenControlFlow(Region &body) {
  Flattener flattener(body.getContext());
  SmallVector<Operation *> structured;
  body.walk<WalkOrder::PostOrder>([&](Operation *op) {
    if (isa<IfOp, LoopOp, InlineOp>(op))
      structured.push_back(op);
  });
  for (Operation *op : structured) {
    if (auto branch = dyn_cast<IfOp>(op))
      flattener.flatten(branch);
    else if (auto loop = dyn_cast<LoopOp>(op))
      flattener.flatten(loop);
    else
      flattener.flatten(cast<InlineOp>(op));
  }
  flattener.finishReturns(body);
  flattener.removeUnreachable(body);
}
