//===- ActiveMasks.cpp - Who is here --------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask goes from the outside in. Where a condition that may differ inside the
// warp splits it, the arms have the lanes of a ballot that is taken before the
// split, while all are still together. coll-flag-exits has left only exits at
// the end of an arm, so that after it the other arm has who stays. A loop keeps
// in a variable who makes the next trip: after the loop, when all are back,
// nobody could say who was in a trip.
//
// On NVIDIA an instruction must name the lanes that take part. On AMD they are
// in EXEC, which does not do as a mask: what a trip executes before it leaves a
// loop LLVM may place after the loop, where lanes of several trips are
// together. A ballot among the lanes of the mask around it is right there too.
//
//===----------------------------------------------------------------------===//

#include "ActiveMasks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

ActiveMasks::ActiveMasks(KernelOp kernel, const TargetEmitter &target,
                         const UniformityAnalysis &uniformity)
    : target(target), exits(kernel, uniformity) {}

//===----------------------------------------------------------------------===//
// Ballots
//===----------------------------------------------------------------------===//

Value ActiveMasks::createBallot(ImplicitLocOpBuilder &b, Value among,
                                Value condition) {
  Value members = arith::TruncIOp::create(b, b.getI32Type(), among);
  LaneGroup group{target.getWarpSize(), members, /*isWholeWarp=*/true};
  Value lanes = target.ballot(b, group, condition);
  return target.getTarget().isNVIDIA()
             ? lanes
             : arith::AndIOp::create(b, lanes, among).getResult();
}

//===----------------------------------------------------------------------===//
// Blocks and branches
//===----------------------------------------------------------------------===//

Value ActiveMasks::getBefore(Operation *op) {
  ArrayRef<Operation *> leaks = exits.getLeaks(op->getBlock());
  auto after = llvm::partition_point(
      leaks, [&](Operation *leak) { return leak->isBeforeInBlock(op); });
  if (after != leaks.begin())
    return getAfter(*std::prev(after));
  return getAtStart(op->getBlock());
}

Value ActiveMasks::getAtStart(Block *block) {
  auto found = starts.find(block);
  if (found != starts.end())
    return found->second;
  Value mask = computeAtStart(block);
  starts[block] = mask;
  return mask;
}

Value ActiveMasks::computeAtStart(Block *block) {
  Operation *parent = block->getParentOp();
  if (auto branch = dyn_cast<IfOp>(parent)) {
    const Arms &masks = getArms(branch);
    bool isThen = block->getParent() == &branch.getThenRegion();
    return isThen ? masks.whenTrue : masks.whenFalse;
  }
  if (auto loop = dyn_cast<LoopOp>(parent))
    return getInLoop(loop, block);
  if (isa<InlineOp>(parent))
    return getBefore(parent);
  auto b = ImplicitLocOpBuilder::atBlockBegin(parent->getLoc(), block);
  Presence presence = target.getPresence();
  return target.warpConstant(
      b, {getLowLanes(target.getWarpSize()), getLowLanes(presence.tail)}, 64);
}

const ActiveMasks::Arms &ActiveMasks::getArms(IfOp op) {
  auto found = arms.find(op);
  if (found != arms.end())
    return found->second;
  Value all = getBefore(op);
  Arms masks = {all, all};
  if (all && !exits.isUniform(op.getCondition())) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    masks.whenTrue = createBallot(b, all, op.getCondition());
    masks.whenFalse = arith::XOrIOp::create(b, all, masks.whenTrue);
  }
  return arms[op] = masks;
}

/// Of an arm that always leaves, the lanes are missing; the other has none that
/// leave.
Value ActiveMasks::getAfterExits(IfOp op) {
  if (!exits.isTight(op))
    return {};
  const Arms &masks = getArms(op);
  return alwaysLeaves(op.getThenRegion()) ? masks.whenFalse : masks.whenTrue;
}

Value ActiveMasks::getAfter(Operation *op) {
  auto found = afters.find(op);
  if (found != afters.end())
    return found->second;
  auto branch = dyn_cast<IfOp>(op);
  Value mask = branch ? getAfterExits(branch) : Value();
  afters[op] = mask;
  return mask;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value createLoad(ImplicitLocOpBuilder &b, Value variable) {
  return LoadOp::create(b, TypeRange(b.getI64Type()), variable, ValueRange())
      .getResult(0);
}

Value ActiveMasks::getTripVariable(LoopOp op) {
  auto found = trips.find(op);
  if (found != trips.end())
    return found->second;
  Value around = getBefore(op);
  if (!around || (exits.hasSplitContinue(op) && exits.hasSplitEnd(op)))
    return {};
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type =
      ViewType::get(b.getContext(), {}, b.getI64Type(), MemorySpace::Private);
  Value variable = VarOp::create(b, type, "trip");
  trips[op] = variable;
  StoreOp::create(b, ValueRange(around), variable, ValueRange());

  Operation *test = op.getCondition().front().getTerminator();
  Value condition = cast<ConditionOp>(test).getCondition();
  if (!exits.isUniform(condition)) {
    b.setInsertionPoint(test);
    Value inBody = createBallot(b, createLoad(b, variable), condition);
    StoreOp::create(b, ValueRange(inBody), variable, ValueRange());
  }
  storeTrips(op, variable);
  return variable;
}

/// Who breaks or returns is not in the next trip. Who continues is: where only
/// some do, all who began the trip are in the next one.
void ActiveMasks::storeTrips(LoopOp op, Value variable) {
  if (exits.hasSplitContinue(op))
    return;
  SmallVector<Operation *> ends;
  op.getBody().walk([&](ContinueOp exit) {
    if (getExitTarget(exit) == op)
      ends.push_back(exit);
  });
  Operation *end = op.getBody().front().getTerminator();
  if (isa<YieldOp>(end))
    ends.push_back(end);
  for (Operation *exit : ends) {
    Value here = getBefore(exit);
    if (!here)
      continue;
    ImplicitLocOpBuilder b(exit->getLoc(), exit);
    StoreOp::create(b, ValueRange(here), variable, ValueRange());
  }
}

Value ActiveMasks::getInLoop(LoopOp op, Block *block) {
  Value variable = getTripVariable(op);
  if (!variable)
    return {};
  auto found = starts.find(block);
  if (found != starts.end())
    return found->second;
  auto b = ImplicitLocOpBuilder::atBlockBegin(op.getLoc(), block);
  return createLoad(b, variable);
}
