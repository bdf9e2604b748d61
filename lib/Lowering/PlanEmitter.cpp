//===- PlanEmitter.cpp - Plans as operations ------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanEmitter.h"
#include "Words.h"
#include "coll/Plan/Strategy.h"
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
    encodings.assign(values.size(), Encoding::Element);
  }

  Leaves emit() {
    ArrayRef<Step> steps = plan.getSteps();
    while (!steps.empty()) {
      if (steps.front().tied) {
        steps = steps.drop_front(emitTied(steps));
        continue;
      }
      values.push_back(emitStep(steps.front()));
      encodings.push_back(getEncoding(steps.front()));
      steps = steps.drop_front();
    }
    Leaves results;
    for (PlanValue result : plan.getResults())
      llvm::append_range(results, values[result]);
    return results;
  }

private:
  Leaves emitStep(const Step &step);
  /// The moved leaves, and the predicate if the guard asks for it.
  std::pair<Leaves, Value> emitMove(const Step &step);
  /// The guard's condition; null for Always.
  Value emitGuard(const Guard &guard, Value predicate);
  Leaves emitCombine(const Step &step);
  /// `left` combined with `right`, both in `encoding`.
  Leaves combine(Encoding encoding, ValueRange left, ValueRange right);
  /// The encoding of a step's result.
  Encoding getEncoding(const Step &step) const;
  size_t emitTied(ArrayRef<Step> steps);
  Leaves emitNeutral();
  Leaves emitNumbers(const Step &step);
  Value emitVote(const Step &step);
  Leaves emitRemove(const Step &step);
  OperatorKind getOperator() const;
  Type getInputType() { return operands.input.front().getType(); }

  ImplicitLocOpBuilder &b;
  const TargetEmitter &target;
  const LaneGroup &group;
  const Plan &plan;
  const PlanOperands &operands;
  SmallVector<Leaves> values;
  SmallVector<Encoding> encodings; ///< Of the values.
};
} // namespace

std::pair<Leaves, Value> PlanEmitter::emitMove(const Step &step) {
  const Leaves &source = values[step.source];
  if (step.move.kind == MoveKind::None)
    return {source, Value()};
  bool needsPredicate = step.guard.kind == GuardKind::Predicate;
  Value predicate;
  auto moveWord = [&](Value word, Value old) {
    auto result = target.move(b, group, step.move, word, old, needsPredicate);
    if (!predicate)
      predicate = result.predicate;
    return result.word;
  };
  // A shuffle costs more than to pack what shares a word. AMD's moves are parts
  // of the operations.
  if (target.getTarget().isNVIDIA()) {
    Leaves words = packLeaves(b, source);
    for (Value &word : words)
      word = moveWord(word, Value());
    return {unpackLeaves(b, words, ValueRange(source).getTypes()), predicate};
  }
  Leaves moved;
  for (auto [i, leaf] : llvm::enumerate(source)) {
    Leaves words = splitWords(b, leaf), oldWords;
    if (step.old != noValue)
      oldWords = splitWords(b, values[step.old][i]);
    for (auto [k, word] : llvm::enumerate(words))
      word = moveWord(word, oldWords.empty() ? Value() : oldWords[k]);
    moved.push_back(joinPair(b, words, leaf.getType()));
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
  Encoding encoding = encodings[step.own];
  if (!condition)
    return combine(encoding, left, right);
  if (operands.combiner->getKind() && step.otherwise == step.own)
    if (Value combined =
            target.combineWhere(b, getOperator(), condition, moved.front(),
                                values[step.own].front()))
      return {combined};
  if (encoding != Encoding::Element)
    return createSelect(b, condition, combine(encoding, left, right),
                        values[step.otherwise]);
  return operands.combiner->combineWhere(b, condition, left, right,
                                         values[step.otherwise]);
}

Leaves PlanEmitter::combine(Encoding encoding, ValueRange left,
                            ValueRange right) {
  if (operands.combiner->getKind())
    if (Value combined =
            target.combineValues(b, encoding, getOperator(), getInputType(),
                                 left.front(), right.front()))
      return {combined};
  return operands.combiner->combine(b, left, right);
}

Encoding PlanEmitter::getEncoding(const Step &step) const {
  if (step.kind == StepKind::Encode)
    return step.encoding;
  if (step.kind == StepKind::Decode || step.source == noValue)
    return Encoding::Element;
  return encodings[step.source];
}

static_assert(static_cast<int>(CombineKind::Add) ==
                  static_cast<int>(OperatorKind::Add) &&
              static_cast<int>(CombineKind::UMax) ==
                  static_cast<int>(OperatorKind::UMax) &&
              static_cast<int>(CombineKind::Xor) ==
                  static_cast<int>(OperatorKind::Xor));

OperatorKind PlanEmitter::getOperator() const {
  return static_cast<OperatorKind>(*operands.combiner->getKind());
}

/// Emits tied steps that overwrite each other's value together, as many as
/// there are, and gives their number.
size_t PlanEmitter::emitTied(ArrayRef<Step> steps) {
  SmallVector<TargetEmitter::TiedStep> tied;
  Value start = values[steps.front().own].front();
  while (true) {
    const Step &step = steps[tied.size()];
    Value source =
        step.source == step.own ? Value() : values[step.source].front();
    tied.push_back({step.move, source});
    // What is overwritten nobody else may want.
    PlanValue result = values.size() + tied.size() - 1;
    if (tied.size() == steps.size() || plan.countUses(result) != 1)
      break;
    const Step &next = steps[tied.size()];
    bool isLater = next.source != next.own && next.source >= values.size();
    if (!next.tied || next.own != result || isLater)
      break;
  }
  values.resize(values.size() + tied.size() - 1);
  values.push_back(
      {target.combineTied(b, getOperator(), getInputType(), start, tied)});
  encodings.resize(values.size(), encodings[steps.front().own]);
  return tied.size();
}

Leaves PlanEmitter::emitNeutral() {
  SmallVector<TypedAttr> constants(operands.neutral);
  if (std::optional<CombineKind> kind = operands.combiner->getKind())
    constants = {getNeutral(*kind, getInputType())};
  Leaves leaves;
  for (TypedAttr constant : constants)
    leaves.push_back(arith::ConstantOp::create(b, constant));
  return leaves;
}

Leaves PlanEmitter::emitNumbers(const Step &step) {
  PlanKey key = *getNumberKey(*operands.key);
  Choice choice = llvm::cantFail(choosePlan(key));
  auto cut = [&](ValueRange vector, unsigned i) {
    Leaves number;
    if (!vector.empty())
      number = {
          LLVM::ExtractElementOp::create(b, vector.front(), createI32(b, i))};
    return number;
  };
  Type type = getInputType();
  Value result = LLVM::PoisonOp::create(b, type);
  for (unsigned i = 0; i != operands.key->element.leaves.front().lanes; ++i) {
    Leaves input = cut(values[step.source], i), init = cut(operands.init, i);
    Leaves number = emitPlan(
        b, target, group, choice.plan,
        {input, init, cut(operands.identity, i), operands.combiner, {}, &key});
    result = LLVM::InsertElementOp::create(b, type, result, number.front(),
                                           createI32(b, i));
  }
  return {result};
}

/// A flag is a bit that was extended to an integer.
Value PlanEmitter::emitVote(const Step &step) {
  Value value = values[step.source].front();
  Type type = value.getType(), i1 = b.getI1Type();
  if (type == i1)
    return target.voteRanks(b, group, step.ranks, getOperator(), value);
  Value bit = arith::TruncIOp::create(b, i1, value);
  Value count = target.voteRanks(b, group, step.ranks, OperatorKind::Add, bit);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 32)
    return arith::TruncIOp::create(b, type, count);
  return width == 32 ? count : arith::ExtUIOp::create(b, type, count);
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
    return emitNeutral();
  case StepKind::Move: {
    auto [moved, predicate] = emitMove(step);
    if (Value condition = emitGuard(step.guard, predicate))
      return createSelect(b, condition, moved, values[step.otherwise]);
    return moved;
  }
  case StepKind::Combine:
    return emitCombine(step);
  case StepKind::Redux:
    if (step.form == ReduxForm::Arg)
      return target.reduxArg(
          b, group, static_cast<OperatorKind>(*operands.combiner->getArgKind()),
          values[step.source]);
    return {target.redux(b, group, step.form, getOperator(),
                         values[step.source].front())};
  case StepKind::Vote:
    return {emitVote(step)};
  case StepKind::Encode:
    return {target.encode(b, step.encoding, getOperator(),
                          values[step.source].front())};
  case StepKind::Decode:
    return {target.decode(b, step.encoding, getOperator(),
                          values[step.source].front(), getInputType())};
  case StepKind::Remove:
    return emitRemove(step);
  case StepKind::Numbers:
    return emitNumbers(step);
  }
  llvm_unreachable("all steps are handled");
}

Leaves coll::emitPlan(ImplicitLocOpBuilder &b, const TargetEmitter &target,
                      const LaneGroup &group, const Plan &plan,
                      const PlanOperands &operands) {
  return PlanEmitter(b, target, group, plan, operands).emit();
}
