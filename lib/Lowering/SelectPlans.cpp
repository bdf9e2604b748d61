//===- SelectPlans.cpp - The plan of a collective -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SelectPlans.h"
#include "coll/Transforms/CollectiveReporter.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

ElementInfo coll::getElementInfo(TypeRange types) {
  ElementInfo element;
  for (Type type : types) {
    LeafType leaf;
    Type scalar = getElementTypeOrSelf(type);
    leaf.isFloat = isa<FloatType>(scalar);
    leaf.bits = scalar.getIntOrFloatBitWidth();
    leaf.isBF16 = scalar.isBF16();
    if (auto vector = dyn_cast<VectorType>(type))
      leaf.lanes = vector.getNumElements();
    element.leaves.push_back(leaf);
  }
  return element;
}

/// Words of the constants that are zero bits.
static unsigned countZeroWords(ArrayRef<TypedAttr> constants) {
  unsigned count = 0;
  for (TypedAttr constant : constants) {
    bool isInteger = isa<IntegerType>(getElementTypeOrSelf(constant.getType()));
    bool isZero = isInteger && matchPattern(constant, m_Zero());
    LeafType leaf = getElementInfo(constant.getType()).leaves.front();
    bool isDouble = leaf.isFloat && leaf.bits == 64; // Its low word is zero.
    count += isZero ? leaf.getWords() : isDouble ? leaf.lanes : 0;
  }
  return count;
}

OperatorInfo coll::getOperatorInfo(const Combiner &combiner,
                                   const ElementInfo &element,
                                   ArrayRef<TypedAttr> neutral) {
  if (std::optional<CombineKind> kind = combiner.getKind())
    return OperatorInfo::builtin(static_cast<OperatorKind>(*kind), element);
  if (std::optional<CombineKind> kind = combiner.getArgKind())
    return OperatorInfo::argument(static_cast<OperatorKind>(*kind),
                                  combiner.getNumOperations());
  // What the identity stands for is never combined by a plan for an operator of
  // the user's: it is what rank 0 of an exclusive scan gets.
  OperatorInfo info = OperatorInfo::custom(
      combiner.isCommutative(), /*hasIdentity=*/true,
      combiner.getNumOperations(), combiner.isSpeculatable());
  info.name = combiner.getName().str();
  return neutral.empty() ? info : info.withNeutral(countZeroWords(neutral));
}

PlanSelector::PlanSelector(KernelOp kernel, const Target &target,
                           std::string strategy, bool remarks,
                           CollectiveLog *log)
    : kernel(kernel), targetName(target.str()), strategy(std::move(strategy)),
      remarks(remarks), log(log) {}

void PlanSelector::logDirect(Location loc, std::string description) const {
  CollectiveRecord record = makeRecord(kernel, targetName, loc);
  record.direct = std::move(description);
  log->add(std::move(record));
}

void PlanSelector::report(Operation *op, const CollectiveRecord &record) const {
  const Choice &choice = record.planned->choice;
  InFlightDiagnostic remark = op->emitRemark();
  remark << record.planned->key.str() << ": " << choice.strategy << ", cost "
         << choice.plan.getCost() << describePart(record);
  for (const Rejected &rejected : choice.rejected)
    remark.attachNote() << "not " << rejected.strategy << ": "
                        << rejected.reason;
}

std::optional<Plan> PlanSelector::select(Operation *op,
                                         const PlanKey &key) const {
  llvm::Expected<Choice> choice = choosePlan(key, strategy);
  if (!choice && !strategy.empty()) {
    llvm::consumeError(choice.takeError());
    choice = choosePlan(key);
  }
  if (!choice) {
    llvm::consumeError(choice.takeError());
    return std::nullopt;
  }
  Plan plan = choice->plan;
  if (!remarks && !log)
    return plan;
  CollectiveRecord record = makeRecord(kernel, targetName, op->getLoc());
  record.planned.emplace(PlannedCollective{key, std::move(*choice)});
  if (remarks)
    report(op, record);
  if (log)
    log->add(std::move(record));
  return plan;
}
