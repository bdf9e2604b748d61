//===- Uniformity.cpp - What is the same in all threads of a group --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/Uniformity.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll;
using namespace mlir;

ir::VarOp coll::getVariable(Value view, SmallVectorImpl<Value> *selectors) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto variable = dyn_cast<ir::VarOp>(op))
      return variable;
    if (!isa<ir::SliceOp, ir::FieldOp, ir::FlatOp, ir::RecastOp>(op))
      break;
    if (selectors)
      llvm::append_range(*selectors, op->getOperands().drop_front());
    view = op->getOperand(0);
  }
  return {};
}

UniformityAnalysis::UniformityAnalysis(ir::KernelOp kernel, unsigned warpSize,
                                       ir::GroupAttr warps, RankSets *ranks)
    : warpSize(warpSize), blockSize(kernel.getBlockSize()), warps(warps),
      ranks(ranks) {
  if (warps)
    members = getRanks(kernel, warps);
  do {
    hasChanged = false;
    Exits exits;
    visitBlock(kernel.getBody().front(), Uniformity(), exits);
  } while (hasChanged);
  createScopes(kernel.getBody().front(), nullptr);
}

/// A group that is as large as the block is the block.
unsigned UniformityAnalysis::normalize(unsigned threads) const {
  return threads >= blockSize ? Uniformity::block : threads;
}

unsigned UniformityAnalysis::getLevel(ir::GroupAttr group) const {
  switch (group.getKind()) {
  case ir::GroupKind::Thread:
    return normalize(1);
  case ir::GroupKind::Tile:
    return normalize(group.getTileSize());
  case ir::GroupKind::Warp:
  case ir::GroupKind::Members:
    return normalize(warpSize);
  case ir::GroupKind::Block:
  case ir::GroupKind::Warps: // They are no aligned part of it.
    return Uniformity::block;
  case ir::GroupKind::Cluster:
    return Uniformity::cluster;
  case ir::GroupKind::Grid:
    return Uniformity::grid;
  }
  llvm_unreachable("unknown group");
}

ir::GroupAttr UniformityAnalysis::getCollectiveGroup(Operation *op) {
  if (!isa_and_present<ir::CollDialect>(op->getDialect()) ||
      isa<ir::RankOp, ir::SizeOp, ir::IndexOp, ir::CountOp>(op))
    return {};
  std::optional<Attribute> group = op->getInherentAttr("group");
  return group ? dyn_cast_if_present<ir::GroupAttr>(*group) : ir::GroupAttr();
}

void UniformityAnalysis::lower(Uniformity &fact, const Uniformity &by) {
  if (by.level >= fact.level)
    return;
  fact = by;
  hasChanged = true;
}

void UniformityAnalysis::lowerValue(Value value, const Uniformity &by) {
  // Whole conditions are looked at, not what they are made of.
  if (warps && by.level < Uniformity::block && value.getType().isInteger(1) &&
      ranks->isSame(value, members))
    return;
  if (by.level != Uniformity::grid)
    lower(values[value], by);
}

/// The lower of the two, without a note that anything changed.
static Uniformity meet(const Uniformity &a, const Uniformity &b) {
  return b.level < a.level ? b : a;
}

/// Control flow that `by` may divide once more.
static Uniformity split(const Uniformity &control, const Uniformity &by) {
  Uniformity result = meet(control, by);
  result.splits = control.splits + (by.level != Uniformity::grid);
  return result;
}

/// The same control flow, left by `exit`.
static Uniformity leftBy(Uniformity control, Operation *exit) {
  control.via = exit;
  return control;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void UniformityAnalysis::visitBlock(Block &block, Uniformity control,
                                    Exits &exits) {
  for (Operation &op : block)
    visit(&op, control, exits);
}

void UniformityAnalysis::visit(Operation *op, Uniformity &control,
                               Exits &exits) {
  if (isa<ir::VarOp, ir::ActiveOp, ir::InlineOp, ir::IfOp, ir::LoopOp,
          ir::AtomicRMWOp>(op) ||
      getCollectiveGroup(op)) {
    Uniformity &known = controls[op];
    lower(known, control);
    known.splits = control.splits;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ir::IfOp op) { visitIf(op, control, exits); })
      .Case([&](ir::LoopOp op) { visitLoop(op, control, exits); })
      .Case([&](ir::InlineOp op) { visitInline(op, control); })
      .Case([&](ir::ReturnOp op) { visitReturn(op, control, exits); })
      .Case([&](ir::BreakOp op) {
        exits.breaks = meet(exits.breaks, leftBy(control, op));
      })
      .Case([&](ir::ContinueOp op) {
        exits.continues = meet(exits.continues, leftBy(control, op));
      })
      .Case([&](ir::YieldOp op) { visitYield(op); })
      .Case([&](ir::StoreOp op) { visitStore(op, control); })
      .Case([&](ir::LoadOp op) { visitLoad(op); })
      .Case([&](ir::ActiveOp op) { visitActive(op, control); })
      .Default([&](Operation *op) { visitPlain(op); });
}

void UniformityAnalysis::visitIf(ir::IfOp op, Uniformity &control,
                                 Exits &exits) {
  Uniformity branch = {getValue(op.getCondition()).level, op.getCondition(), op,
                       nullptr};
  for (Value result : op.getResults())
    lowerValue(result, branch);
  Exits left;
  for (Region &region : op->getRegions())
    if (!region.empty())
      visitBlock(region.front(), split(control, branch), left);
  // Who left is missing in what follows.
  for (const Uniformity *exit : {&left.breaks, &left.continues, &left.returns})
    control = split(control, *exit);
  exits.breaks = meet(exits.breaks, left.breaks);
  exits.continues = meet(exits.continues, left.continues);
  exits.returns = meet(exits.returns, left.returns);
}

void UniformityAnalysis::visitLoop(ir::LoopOp op, Uniformity &control,
                                   Exits &exits) {
  Uniformity inside = split(control, loops.lookup(op));
  Exits left;
  visitBlock(op.getCondition().front(), inside, left);
  auto condition = cast<ir::ConditionOp>(op.getCondition().front().back());
  Value decision = condition.getCondition();
  Uniformity &goesOn = loops[op];
  lower(goesOn, {getValue(decision).level, decision, op, nullptr});
  inside = split(control, goesOn);
  visitBlock(op.getBody().front(), inside, left);
  lower(loops[op], left.breaks);
  lower(loops[op], left.returns);
  // Who continues is back for the step.
  visitBlock(op.getStep().front(), split(control, loops[op]), left);
  control = split(control, left.returns);
  exits.returns = meet(exits.returns, left.returns);
}

void UniformityAnalysis::visitInline(ir::InlineOp op,
                                     const Uniformity &control) {
  Exits left;
  visitBlock(op.getBody().front(), control, left);
}

void UniformityAnalysis::visitReturn(ir::ReturnOp op, const Uniformity &control,
                                     Exits &exits) {
  exits.returns = meet(exits.returns, leftBy(control, op));
  auto call = op->getParentOfType<ir::InlineOp>();
  if (!call || !isInside(call))
    return;
  for (auto [result, value] : llvm::zip(call.getResults(), op.getValues())) {
    lowerValue(result, {getValue(value).level, value, op, nullptr});
    // Which of several returns gives the value?
    if (control.splits != getControl(call).splits)
      lowerValue(result, leftBy(control, op));
  }
}

void UniformityAnalysis::visitYield(ir::YieldOp op) {
  auto branch = dyn_cast<ir::IfOp>(op->getParentOp());
  if (!branch || !isInside(branch))
    return;
  for (auto [result, value] : llvm::zip(branch.getResults(), op.getValues()))
    lowerValue(result, {getValue(value).level, value, op, nullptr});
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void UniformityAnalysis::visitStore(ir::StoreOp op, const Uniformity &control) {
  SmallVector<Value> sources(op.getValues());
  llvm::append_range(sources, op.getIndices());
  ir::VarOp variable = getVariable(op.getView(), &sources);
  if (!variable || !isInside(variable))
    return;
  Uniformity &content = contents[variable];
  for (Value source : sources)
    lower(content, {getValue(source).level, source, op, nullptr});
  if (control.splits != getControl(variable).splits)
    lower(content, leftBy(control, op));
}

void UniformityAnalysis::visitLoad(ir::LoadOp op) {
  SmallVector<Value> selectors(op.getIndices());
  ir::VarOp variable = getVariable(op.getView(), &selectors);
  for (Value result : op.getResults()) {
    if (!variable) {
      lowerValue(result, {normalize(1), Value(), op, nullptr});
      continue;
    }
    lowerValue(result, getContent(variable));
    for (Value selector : selectors)
      lowerValue(result, {getValue(selector).level, selector, op, nullptr});
  }
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

unsigned UniformityAnalysis::getResultLevel(OpResult result) const {
  Operation *op = result.getOwner();
  // Only some ranks get the result of the others.
  if (auto reduce = dyn_cast<ir::ReduceOp>(op);
      reduce && reduce.getReaders() != ir::Readers::All)
    return normalize(1);
  if (isa<ir::ReduceOp, ir::BroadcastOp, ir::VoteOp, ir::PopulationOp,
          ir::UniformOp, ir::BallotOp, ir::ArgReduceOp, ir::PartitionOp,
          ir::TopKOp>(op))
    return getSharers(ir::getGroup(op));
  if (isa<ir::ScanTotalOp>(op))
    return result.getResultNumber() >= op->getNumResults() / 2
               ? getSharers(ir::getGroup(op))
               : normalize(1);
  if (auto index = dyn_cast<ir::IndexOp>(op))
    return getLevel(index.getGroup());
  // The last warp, and the last tile of a warp, may be short.
  if (auto size = dyn_cast<ir::SizeOp>(op))
    return size.getGroup().isWarpLevel() ? getLevel(size.getGroup())
                                         : Uniformity::grid;
  if (auto count = dyn_cast<ir::CountOp>(op))
    return count.getGroup().getKind() == ir::GroupKind::Tile
               ? normalize(warpSize)
               : Uniformity::grid;
  if (isa<ir::RankOp, ir::ThreadIdOp>(op))
    return normalize(1);
  if (isa<ir::BlockIdOp, ir::SharedOp>(op))
    return Uniformity::block;
  if (isa<ir::ClusterIdOp>(op))
    return Uniformity::cluster;
  if (isa<ir::VarOp>(op) || isMemoryEffectFree(op))
    return Uniformity::grid;
  return normalize(1);
}

void UniformityAnalysis::visitPlain(Operation *op) {
  bool isCollective = bool(getCollectiveGroup(op));
  for (OpResult result : op->getResults()) {
    lowerValue(result, {getResultLevel(result), Value(), op, nullptr});
    // Who takes its value from different ranks gets different values.
    if (auto broadcast = dyn_cast<ir::BroadcastOp>(op)) {
      Value from = broadcast.getFrom();
      lowerValue(result, {getValue(from).level, from, op, nullptr});
    }
    // Threads with different labels are in different groups.
    if (auto partition = dyn_cast<ir::PartitionOp>(op))
      for (Value label : partition.getValues())
        lowerValue(result, {getValue(label).level, label, op, nullptr});
    // Else a collective's result is its own, whatever it was made from.
    if (isCollective)
      continue;
    for (Value operand : op->getOperands())
      lowerValue(result, {getValue(operand).level, operand, op, nullptr});
  }
}
