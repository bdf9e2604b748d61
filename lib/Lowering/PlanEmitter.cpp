//===- PlanEmitter.cpp - Plans as operations ------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanEmitter.h"
#include "Words.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

namespace {
class PlanEmitter {
public:
  PlanEmitter(ImplicitLocOpBuilder &b, const TargetEmitter &target,
              const LaneGroup &group, const Plan &plan,
              const PlanOperands &operands)
      : b(b), target(target), group(group), plan(plan), operands(operands) {
    values.push_back(Leaves(operands.input));
    if (plan.getInit() != noValue)
      values.push_back(Leaves(operands.init));
  }

  Leaves emit() {
    for (const Step &step : plan.getSteps())
      values.push_back(emitStep(step));
    Leaves results;
    for (PlanValue result : plan.getResults())
      llvm::append_range(results, values[result]);
    return results;
  }

private:
  /// The input, hidden from the assembler where it must be.
  Leaves emitStep(const Step &step);
  Leaves emitConstant(TypedAttr attr) {
    return {arith::ConstantOp::create(b, attr)};
  }
  /// The moved leaves, and the predicate if the guard asks for it.
  std::pair<Leaves, Value> emitMove(const Step &step);
  /// The guard's condition; null for Always.
  Value emitGuard(const Guard &guard, Value predicate);
  Leaves emitCombine(const Step &step);
  Leaves emitRedux(const Step &step);
  Leaves emitRemove(const Step &step);
  Type getInputType() { return operands.input.front().getType(); }

  ImplicitLocOpBuilder &b;
  const TargetEmitter &target;
  const LaneGroup &group;
  const Plan &plan;
  const PlanOperands &operands;
  SmallVector<Leaves> values;
};
} // namespace

std::pair<Leaves, Value> PlanEmitter::emitMove(const Step &step) {
  const Leaves &source = values[step.source];
  if (step.move.kind == MoveKind::None)
    return {source, Value()};
  bool needsPredicate = step.guard.kind == GuardKind::Predicate;
  Leaves moved;
  Value predicate;
  for (auto [i, leaf] : llvm::enumerate(source)) {
    Leaves words = splitWords(b, leaf), oldWords;
    if (step.old != noValue)
      oldWords = splitWords(b, values[step.old][i]);
    for (auto [k, word] : llvm::enumerate(words)) {
      Value old = oldWords.empty() ? Value() : oldWords[k];
      auto result = target.move(b, group, step.move, word, old, needsPredicate);
      word = result.word;
      if (!predicate)
        predicate = result.predicate;
    }
    moved.push_back(joinWords(b, words, leaf.getType()));
  }
  return {moved, predicate};
}

Value PlanEmitter::emitGuard(const Guard &guard, Value predicate) {
  switch (guard.kind) {
  case GuardKind::Always:
    return {};
  case GuardKind::Predicate:
    return predicate;
  case GuardKind::LaneMask:
    return target.isLaneIn(b, guard.mask);
  }
  llvm_unreachable("all guards are handled");
}

Leaves PlanEmitter::emitCombine(const Step &step) {
  auto [moved, predicate] = emitMove(step);
  Value condition = emitGuard(step.guard, predicate);
  ValueRange left = moved, right = values[step.own];
  if (step.side == Side::OwnLeft)
    std::swap(left, right);
  if (!condition)
    return operands.combiner->combine(b, left, right);
  return operands.combiner->combineWhere(b, condition, left, right,
                                         values[step.otherwise]);
}

static OperatorKind getOperatorKind(CombineKind kind) {
  return static_cast<OperatorKind>(kind);
}
static_assert(static_cast<int>(CombineKind::Add) ==
                  static_cast<int>(OperatorKind::Add) &&
              static_cast<int>(CombineKind::UMax) ==
                  static_cast<int>(OperatorKind::UMax) &&
              static_cast<int>(CombineKind::Xor) ==
                  static_cast<int>(OperatorKind::Xor));

Leaves PlanEmitter::emitRedux(const Step &step) {
  Value value = values[step.source].front();
  Type type = value.getType(), i32 = b.getI32Type();
  CombineKind kind = *operands.combiner->getKind();
  bool isNarrow = type != i32;
  if (isNarrow && (kind == CombineKind::SMin || kind == CombineKind::SMax))
    value = arith::ExtSIOp::create(b, i32, value);
  else if (isNarrow)
    value = arith::ExtUIOp::create(b, i32, value);
  Value result = target.redux(b, getOperatorKind(kind), value, step.mask);
  if (isNarrow)
    result = arith::TruncIOp::create(b, type, result);
  return {result};
}

Leaves PlanEmitter::emitRemove(const Step &step) {
  Value whole = values[step.source].front(), part = values[step.own].front();
  if (*operands.combiner->getKind() == CombineKind::Xor)
    return {arith::XOrIOp::create(b, whole, part)};
  return {arith::SubIOp::create(b, whole, part)};
}

Leaves PlanEmitter::emitStep(const Step &step) {
  switch (step.kind) {
  case StepKind::Identity:
    return operands.identity;
  case StepKind::Neutral:
    return emitConstant(
        getNeutral(*operands.combiner->getKind(), getInputType()));
  case StepKind::Move: {
    auto [moved, predicate] = emitMove(step);
    if (Value condition = emitGuard(step.guard, predicate))
      return createSelect(b, condition, moved, values[step.otherwise]);
    return moved;
  }
  case StepKind::Combine:
    return emitCombine(step);
  case StepKind::Redux:
    return emitRedux(step);
  case StepKind::Remove:
    return emitRemove(step);
  }
  llvm_unreachable("all steps are handled");
}

Leaves coll::emitPlan(ImplicitLocOpBuilder &b, const TargetEmitter &target,
                      const LaneGroup &group, const Plan &plan,
                      const PlanOperands &operands) {
  return PlanEmitter(b, target, group, plan, operands).emit();
}
