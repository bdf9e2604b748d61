//===- EarlyExits.cpp - What follows an early exit ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EarlyExits.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace coll::ir;

/// Whether `op` does, in `body`, what its end would.
static bool isEnd(Operation *op, Block *body) {
  Operation *end = body->getTerminator();
  if (isa<KernelOp, InlineOp>(body->getParentOp()))
    return isa<ReturnOp>(op) && isa<ReturnOp>(end);
  return isa<ContinueOp>(op) && isa<YieldOp>(end) &&
         body->getParent() == &cast<LoopOp>(body->getParentOp()).getBody();
}

/// The arm of a branch in `body` that ends that; null if none does, both do, or
/// the other ends something else.
static Region *findLeavingArm(IfOp branch) {
  Block *body = branch->getBlock();
  Region *leaving = nullptr;
  for (Region &arm : branch->getRegions()) {
    if (arm.empty() || isa<YieldOp>(arm.front().getTerminator()))
      continue;
    if (leaving || !isEnd(arm.front().getTerminator(), body))
      return nullptr;
    leaving = &arm;
  }
  return branch.getNumResults() == 0 ? leaving : nullptr;
}

/// Ends an arm by giving what its end would return.
static void yieldAtEnd(Block &arm) {
  Operation *end = arm.getTerminator();
  OpBuilder b(end);
  YieldOp::create(b, end->getLoc(), end->getOperands());
  end->erase();
}

/// Moves what follows `branch` into the arm that is not `leaving`.
static void nest(IfOp branch, Region &leaving) {
  Block *body = branch->getBlock();
  Operation *end = body->getTerminator();
  bool isFunction = isa<ReturnOp>(end);
  Location loc = end->getLoc();
  OpBuilder b(branch);
  auto whole = IfOp::create(b, branch.getLoc(), end->getOperandTypes(),
                            branch.getCondition());
  bool isThen = &leaving == &branch.getThenRegion();
  for (auto [arm, from] :
       llvm::zip_equal(whole->getRegions(), branch->getRegions()))
    arm.takeBody(from);
  Region &rest = isThen ? whole.getElseRegion() : whole.getThenRegion();
  if (rest.empty())
    b.createBlock(&rest);
  else
    rest.front().getTerminator()->erase();
  rest.front().getOperations().splice(rest.front().end(), body->getOperations(),
                                      std::next(Block::iterator(branch)),
                                      body->end());
  yieldAtEnd(rest.front());
  yieldAtEnd((isThen ? whole.getThenRegion() : whole.getElseRegion()).front());
  branch.erase();
  b.setInsertionPointToEnd(body);
  if (isFunction)
    ReturnOp::create(b, loc, whole.getResults());
  else
    YieldOp::create(b, loc);
}

bool coll::ir::nestAfterExits(Operation *op,
                              llvm::function_ref<bool(Value)> isUniform) {
  bool isNested = false;
  for (Operation *place = op; !isa<KernelOp>(place);) {
    Operation *parent = place->getParentOp();
    if (!isa<IfOp>(parent)) {
      SmallVector<IfOp> branches;
      for (Operation &before :
           llvm::make_range(place->getBlock()->begin(), place->getIterator()))
        if (auto branch = dyn_cast<IfOp>(before))
          branches.push_back(branch);
      // The last first: it is in the rest of the others.
      for (IfOp branch : llvm::reverse(branches)) {
        Region *leaving = findLeavingArm(branch);
        if (!leaving || isUniform(branch.getCondition()))
          continue;
        nest(branch, *leaving);
        isNested = true;
      }
    }
    place = parent;
  }
  return isNested;
}
