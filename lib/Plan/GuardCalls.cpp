//===- GuardCalls.cpp - Call an operator in its tree only -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In most plans some lanes combine what nobody asks for, which is cheaper than
// to leave them out. Here it is found, from the results back, which values of
// which lanes are needed; the other lanes do not call the operator.
//
//===----------------------------------------------------------------------===//

#include "GuardCalls.h"
#include "coll/Plan/Lanes.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;

bool coll::callsTreeOnly(const PlanKey &key) {
  return key.op.kind == OperatorKind::Custom && !key.op.arg && !key.op.isTotal;
}

namespace {
/// What is needed in one kind of warp.
class NeededLanes {
public:
  NeededLanes(const PlanKey &key, const Plan &plan, WarpShape warp);

  /// Lanes that call the operator in a step.
  uint64_t getCalls(size_t step) const { return calls[step]; }
  /// The same before anything is left out.
  uint64_t getAllCalls(const Step &step) const;

private:
  void visit(size_t index);
  void visitLane(const Step &step, size_t index, unsigned lane);
  /// Whether a move or combination is wanted, by its guard.
  bool isWanted(const Step &step, unsigned lane) const;
  void need(PlanValue value, uint64_t lanes) {
    if (value != noValue)
      needed[value] |= lanes;
  }

  const Plan &plan;
  WarpShape warp;
  std::vector<uint64_t> needed; ///< By PlanValue: a bit for each lane.
  std::vector<uint64_t> calls;  ///< By step.
};
} // namespace

NeededLanes::NeededLanes(const PlanKey &key, const Plan &plan, WarpShape warp)
    : plan(plan), warp(warp), needed(plan.getNumValues()),
      calls(plan.getSteps().size()) {
  for (unsigned lane = 0; lane != warp.presentLanes; ++lane)
    if (key.isDemanded(lane, warp.presentLanes))
      for (PlanValue result : plan.getResults())
        need(result, uint64_t(1) << lane);
  for (size_t index = calls.size(); index-- != 0;)
    visit(index);
}

bool NeededLanes::isWanted(const Step &step, unsigned lane) const {
  switch (step.guard.kind) {
  case GuardKind::Always:
    return true;
  case GuardKind::Predicate:
    return findSource(step.move, lane, warp).predicate;
  case GuardKind::LaneMask:
    return warp.get(step.guard.mask) >> lane & 1;
  }
  return true;
}

void NeededLanes::visit(size_t index) {
  const Step &step = plan.getSteps()[index];
  uint64_t lanes = needed[plan.getStepValue(index)];
  if (step.kind == StepKind::Move || step.kind == StepKind::Combine) {
    for (unsigned lane = 0; lane != warp.presentLanes; ++lane)
      if (lanes >> lane & 1)
        visitLane(step, index, lane);
    return;
  }
  // These look at other lanes' values.
  need(step.source, getLowLanes(warp.presentLanes));
  need(step.own, getLowLanes(warp.presentLanes));
}

void NeededLanes::visitLane(const Step &step, size_t index, unsigned lane) {
  uint64_t bit = uint64_t(1) << lane;
  if (!isWanted(step, lane)) {
    need(step.otherwise, bit);
    return;
  }
  if (step.kind == StepKind::Combine) {
    calls[index] |= bit;
    need(step.own, bit);
  }
  LaneSource source = findSource(step.move, lane, warp);
  if (source.kind == LaneSource::Lane)
    need(step.source, uint64_t(1) << source.lane);
  else if (source.kind == LaneSource::Old)
    need(step.old, bit);
}

uint64_t NeededLanes::getAllCalls(const Step &step) const {
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane != warp.presentLanes; ++lane)
    if (isWanted(step, lane))
      lanes |= uint64_t(1) << lane;
  return lanes;
}

Plan coll::guardCalls(const PlanKey &key, Plan plan) {
  if (!callsTreeOnly(key))
    return plan;
  WarpConstant present = key.getPresentLanes();
  auto analyze = [&](uint64_t lanes, bool isTail) {
    WarpShape warp{key.getWarpSize(), static_cast<unsigned>(lanes), isTail};
    return NeededLanes(key, plan, warp);
  };
  NeededLanes full = analyze(present.full, false);
  NeededLanes tail = analyze(present.tail, true);
  Plan guarded(key.hasInit);
  for (auto [index, original] : llvm::enumerate(plan.getSteps())) {
    Step step = original;
    WarpConstant calls{full.getCalls(index), tail.getCalls(index)};
    WarpConstant all{full.getAllCalls(step), tail.getAllCalls(step)};
    if (step.kind == StepKind::Combine && calls != all) {
      step.guard = Guard::lanes(calls);
      if (step.otherwise == noValue)
        step.otherwise = step.own;
    }
    guarded.addStep(step);
  }
  guarded.setResults(plan.getResults());
  return guarded;
}
