//===- SplitExits.cpp - Exits that some lanes of a warp take --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/SplitExits.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

Operation *coll::ir::getExitTarget(Operation *exit) {
  if (!isa<ReturnOp>(exit))
    return exit->getParentOfType<LoopOp>();
  Operation *call = exit->getParentOfType<InlineOp>();
  return call ? call : exit->getParentOfType<KernelOp>();
}

bool coll::ir::alwaysLeaves(Region &arm) {
  return !arm.empty() && !isa<YieldOp>(arm.front().getTerminator());
}

SplitExits::SplitExits(KernelOp kernel, const UniformityAnalysis &uniformity)
    : uniformity(uniformity),
      warp(GroupAttr::get(kernel.getContext(), GroupKind::Warp, 0)) {
  kernel.walk([&](Operation *op) {
    if (isa<BreakOp, ContinueOp, ReturnOp>(op))
      note(op);
  });
  for (auto &[block, ops] : leaks) {
    llvm::sort(ops, [](Operation *a, Operation *b) {
      return a != b && a->isBeforeInBlock(b);
    });
    ops.erase(llvm::unique(ops), ops.end());
  }
}

bool SplitExits::isUniform(Value condition) const {
  return uniformity.isUniform(condition, warp);
}

/// An exit that all lanes take or none splits nothing.
void SplitExits::note(Operation *exit) {
  Operation *target = getExitTarget(exit);
  bool isSplit = false;
  for (Operation *op = exit->getParentOp(); op != target;
       op = op->getParentOp())
    isSplit |= !isa<IfOp>(op) || !isUniform(cast<IfOp>(op).getCondition());
  if (!isSplit)
    return;
  exits.insert(exit);
  if (isa<ContinueOp>(exit))
    splitContinues.insert(target);
  else
    splitEnds.insert(target);
  for (Operation *op = exit->getParentOp(); op != target;
       op = op->getParentOp()) {
    leaks[op->getBlock()].push_back(op);
    if (isa<LoopOp>(op))
      splitEnds.insert(op);
  }
}

ArrayRef<Operation *> SplitExits::getLeaks(Block *block) const {
  auto found = leaks.find(block);
  return found == leaks.end() ? ArrayRef<Operation *>() : found->second;
}

bool SplitExits::keepsOrLeaves(Region &arm) const {
  return arm.empty() || alwaysLeaves(arm) || getLeaks(&arm.front()).empty();
}

bool SplitExits::isTight(IfOp branch) const {
  return keepsOrLeaves(branch.getThenRegion()) &&
         keepsOrLeaves(branch.getElseRegion());
}

bool SplitExits::isTight(Operation *target) const {
  auto loop = dyn_cast<LoopOp>(target);
  if (loop && hasSplitContinue(loop) && hasSplitEnd(loop))
    return false;
  for (Operation *exit : exits) {
    if (getExitTarget(exit) != target)
      continue;
    for (Operation *op = exit->getParentOp(); op != target;
         op = op->getParentOp())
      if (!isa<IfOp>(op) || !isTight(cast<IfOp>(op)))
        return false;
  }
  return true;
}

bool SplitExits::hasSplitContinue(LoopOp loop) const {
  return splitContinues.contains(loop);
}

bool SplitExits::hasSplitEnd(LoopOp loop) const {
  return splitEnds.contains(loop);
}
