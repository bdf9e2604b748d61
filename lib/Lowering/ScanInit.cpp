//===- ScanInit.cpp - Exclusive scans that start with a value -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScanInit.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// Whether `value` is "this is rank 0 of the group".
static bool isFirstRank(Value value, GroupAttr group) {
  auto compare = value.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_Zero()))
    return false;
  auto rank = compare.getLhs().getDefiningOp<RankOp>();
  return rank && rank->getNumOperands() == 0 &&
         rank->getAttrOfType<GroupAttr>("group") == group;
}

/// Whether `actual` is computed as `expected` is, and for one user.
static bool isSame(Value expected, Value actual) {
  if (expected == actual)
    return true;
  Operation *left = expected.getDefiningOp(), *right = actual.getDefiningOp();
  if (!left || !right || left->getNumRegions() != 0 || !actual.hasOneUse() ||
      left->getName() != right->getName() ||
      left->getRawDictionaryAttrs() != right->getRawDictionaryAttrs() ||
      left->getPropertiesAsAttribute() != right->getPropertiesAsAttribute() ||
      left->getResultTypes() != right->getResultTypes() ||
      left->getNumOperands() != right->getNumOperands())
    return false;
  return llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()),
                      [](auto pair) {
                        auto [one, other] = pair;
                        return isSame(one, other);
                      });
}

/// Erases the operation of `value`, and of its operands, if nobody uses them.
static void eraseUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isOpTriviallyDead(op))
    return;
  SmallVector<Value> operands(op->getOperands());
  op->erase();
  for (Value operand : operands)
    eraseUnused(operand);
}

arith::SelectOp coll::findScanInit(const Combiner &combiner, GroupAttr group,
                                   Value first, Value prefix) {
  if (!combiner.getKind())
    return {};
  arith::SelectOp select;
  for (Operation *user : prefix.getUsers())
    if (auto op = dyn_cast<arith::SelectOp>(user))
      select = op;
  if (!select || select.getTrueValue() != prefix ||
      !isFirstRank(select.getCondition(), group))
    return {};
  ImplicitLocOpBuilder b(select.getLoc(), select);
  Value expected = combineBuiltin(b, *combiner.getKind(), first, prefix);
  bool isCombined = isSame(expected, select.getFalseValue());
  eraseUnused(expected);
  // By the select, and by the combination.
  return isCombined && prefix.hasNUses(2) ? select : arith::SelectOp();
}

void coll::replaceScanInit(arith::SelectOp select, Value result) {
  SmallVector<Value> operands(select->getOperands());
  select.replaceAllUsesWith(result);
  select.erase();
  for (Value operand : operands)
    eraseUnused(operand);
}
