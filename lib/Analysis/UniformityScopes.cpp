//===- UniformityScopes.cpp - Groups that are made at run time ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which group is part of which larger one, so that what is the same in the
// larger is the same in it:
//
//   coll.active               the coll.active before it, whose threads all came
//                             here or left
//   coll.partition of `g`     g
//   coll.partition of `warp`  the coll.active before it: it has the whole warp
//
// A scope ends with the last use of its group. So scopes are as short as what
// is written needs, and a long kernel with many groups stays cheap.
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/Uniformity.h"

using namespace coll;
using namespace mlir;

/// Scopes inside each other that are told apart. Deeper ones see what is the
/// same in the whole kernel only.
static constexpr unsigned maxDepth = 8;

/// The last operation of `block` that uses `group`, or a part of it, or holds
/// one that does.
static Operation *findLastUser(Block *block, Value group) {
  Operation *last = group.getDefiningOp();
  SmallVector<Value> work = {group};
  while (!work.empty())
    for (Operation *user : work.pop_back_val().getUsers()) {
      Operation *inBlock = block->findAncestorOpInBlock(*user);
      if (last->isBeforeInBlock(inBlock))
        last = inBlock;
      if (auto part = dyn_cast<ir::PartitionOp>(user);
          part && user->getBlock() == block)
        work.push_back(part);
    }
  return last;
}

UniformityAnalysis::UniformityAnalysis(const UniformityAnalysis &outer,
                                       Value group)
    : warpSize(outer.warpSize), blockSize(outer.blockSize), outer(&outer),
      group(group), depth(outer.depth + 1) {
  Operation *maker = group.getDefiningOp();
  last = findLastUser(maker->getBlock(), group);
  do {
    hasChanged = false;
    Uniformity control;
    Exits exits;
    for (Operation *op = maker; op != last;) {
      op = op->getNextNode();
      visit(op, control, exits);
    }
  } while (hasChanged);
}

bool UniformityAnalysis::isInside(Operation *op) const {
  if (!outer)
    return true;
  Operation *maker = group.getDefiningOp();
  Operation *inBlock = maker->getBlock()->findAncestorOpInBlock(*op);
  return inBlock && maker->isBeforeInBlock(inBlock) &&
         !last->isBeforeInBlock(inBlock);
}

Uniformity UniformityAnalysis::getValue(Value value) const {
  if (outer && value == group)
    return Uniformity();
  Operation *op = value.getDefiningOp();
  if (outer && !(op && isInside(op)))
    return outer->getValue(value);
  return values.lookup(value);
}

Uniformity UniformityAnalysis::getControl(Operation *op) const {
  return isInside(op) ? controls.lookup(op) : outer->getControl(op);
}

Uniformity UniformityAnalysis::getContent(ir::VarOp variable) const {
  return isInside(variable) ? contents.lookup(variable)
                            : outer->getContent(variable);
}

unsigned UniformityAnalysis::getSharers(ir::GroupRef group) const {
  if (group.attr.isWarps() && group.attr != warps)
    return normalize(warpSize);
  return group.members ? getValue(group.members).level : getLevel(group);
}

void UniformityAnalysis::visitActive(ir::ActiveOp op,
                                     const Uniformity &control) {
  lowerValue(op, {normalize(warpSize), Value(), op, nullptr});
  lowerValue(op, control);
}

const UniformityAnalysis &UniformityAnalysis::getScope(Value group) const {
  return group ? *scopes.find(group)->second : *this;
}

const UniformityAnalysis *
UniformityAnalysis::createScope(Operation *op,
                                const UniformityAnalysis *enclosing) {
  if (Value base = ir::getMembers(op))
    enclosing = scopes[base].get();
  while (enclosing && enclosing->outer && !enclosing->isInside(op))
    enclosing = enclosing->outer;
  if (!enclosing || enclosing->depth >= maxDepth)
    enclosing = this;
  Value group = op->getResult(0);
  scopes[group].reset(new UniformityAnalysis(*enclosing, group));
  return scopes[group].get();
}

void UniformityAnalysis::createScopes(Block &block,
                                      const UniformityAnalysis *enclosing) {
  for (Operation &op : block) {
    if (isa<ir::ActiveOp>(op))
      enclosing = createScope(&op, enclosing);
    else if (isa<ir::PartitionOp>(op))
      createScope(&op, enclosing);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        createScopes(inner, enclosing);
  }
}
