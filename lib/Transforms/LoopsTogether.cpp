//===- LoopsTogether.cpp - Loops that a warp leaves together --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopsTogether.h"
#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/SplitExits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace coll::ir;

bool coll::ir::isLeftByCondition(LoopOp loop) {
  if (!isa<YieldOp>(loop.getBody().front().getTerminator()))
    return false;
  return !loop->walk([&](Operation *exit) {
                bool leaves = isa<BreakOp, ContinueOp, ReturnOp>(exit) &&
                              !loop->isProperAncestor(getExitTarget(exit));
                return leaves ? WalkResult::interrupt() : WalkResult::advance();
              })
              .wasInterrupted();
}

static Value createLoad(ImplicitLocOpBuilder &b, Value variable) {
  return LoadOp::create(b, TypeRange(b.getI1Type()), variable, ValueRange())
      .getResult(0);
}

/// Puts what is before the end of `block` under the condition in `variable`.
/// The branch gives values of `types`; its first arm has no end yet.
static IfOp nest(ImplicitLocOpBuilder &b, Block &block, Value variable,
                 TypeRange types) {
  b.setInsertionPointToStart(&block);
  auto branch = IfOp::create(b, types, createLoad(b, variable));
  Block *inside = b.createBlock(&branch.getThenRegion());
  inside->getOperations().splice(inside->end(), block.getOperations(),
                                 std::next(Block::iterator(branch)),
                                 Block::iterator(block.getTerminator()));
  b.setInsertionPointToEnd(inside);
  return branch;
}

void coll::ir::stayTogether(LoopOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  auto warp = GroupAttr::get(b.getContext(), GroupKind::Warp, 0);
  auto type =
      ViewType::get(b.getContext(), {}, b.getI1Type(), MemorySpace::Private);
  Value stays = VarOp::create(b, type, "stays");
  StoreOp::create(b, ValueRange(createBool(b, true)), stays, ValueRange());
  for (Region *region : {&loop.getBody(), &loop.getStep()}) {
    nest(b, region->front(), stays, {});
    YieldOp::create(b);
  }

  Block &condition = loop.getCondition().front();
  auto end = cast<ConditionOp>(condition.getTerminator());
  IfOp branch = nest(b, condition, stays, b.getI1Type());
  YieldOp::create(b, end.getCondition());
  b.createBlock(&branch.getElseRegion());
  YieldOp::create(b, ValueRange(createBool(b, false)));
  b.setInsertionPoint(end);
  StoreOp::create(b, branch.getResults(), stays, ValueRange());
  Value any = VoteOp::create(b, b.getI1Type(), VoteKind::Any, GroupRef(warp),
                             branch.getResult(0));
  end.getConditionMutable().assign(any);
}
