//===- Scan.cpp - Scans ---------------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over `[T; K]` a thread combines its elements one after the other, the
// threads' totals are scanned exclusively, from `init` if there is one, and
// what that gives is put on the left of each element.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using CompareOp = sema::CompareExpr::Op;
using Method = sema::CollectiveExpr::Method;

/// What is scanned: T, also for [T; K].
static const sema::Type *getElement(const sema::CollectiveExpr *expr) {
  const sema::Type *type = expr->operands[0]->getType();
  return expr->overArray ? type->getElement() : type;
}

static const sema::Expr *getInit(const sema::CollectiveExpr *expr) {
  return expr->operands.size() > 1 ? expr->operands[1] : nullptr;
}

Leaves KernelEmitter::emitScan(const sema::CollectiveExpr *expr,
                               const ir::GroupRef &group) {
  if (expr->method != Method::Scan)
    return expr->overArray ? emitExclusiveOverArray(expr, group)
                           : emitExclusive(expr, group);
  if (expr->overArray)
    return emitInclusiveOverArray(expr, group);
  return emitScanOp(expr, group, getElement(expr), emitExpr(expr->operands[0]));
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::emitScanOp(const sema::CollectiveExpr *expr,
                                 const ir::GroupRef &group,
                                 const sema::Type *element, ValueRange values) {
  const sema::Operator &op = *expr->op;
  if (!op.builtin || isOneExchange(group, element)) {
    auto scan =
        ir::ScanOp::create(b, values.getTypes(), group, ir::CombineKindAttr(),
                           values, op.commutative, expr->reverse);
    emitCombiner(scan.getCombiner(), op, element);
    return Leaves(scan.getResults());
  }
  Leaves leaves;
  for (auto [leaf, value] : llvm::zip(element->getLeaves(), values)) {
    auto kind = Arithmetic::getCombineKind(*op.builtin, value.getType(),
                                           isSigned(leaf.type));
    auto scan = ir::ScanOp::create(b, value.getType(), group,
                                   ir::CombineKindAttr::get(getContext(), kind),
                                   value, /*commutative=*/false, expr->reverse);
    leaves.push_back(scan.getResult(0));
  }
  return leaves;
}

Leaves KernelEmitter::emitExclusiveOp(const sema::CollectiveExpr *expr,
                                      const ir::GroupRef &group,
                                      const sema::Type *element,
                                      ValueRange values, ValueRange first,
                                      bool withTotal) {
  const sema::Operator &op = *expr->op;
  bool commutative = !op.builtin && op.commutative;
  auto create = [&](ir::CombineKindAttr kind, ValueRange values,
                    ValueRange first) -> Operation * {
    if (!withTotal)
      return ir::ExclusiveScanOp::create(b, values.getTypes(), group, kind,
                                         values, first, commutative,
                                         expr->reverse);
    SmallVector<Type> types(values.getTypes());
    llvm::append_range(types, values.getTypes());
    return ir::ScanTotalOp::create(b, types, group, kind, values, first,
                                   commutative, expr->reverse);
  };
  if (!op.builtin || isOneExchange(group, element)) {
    Operation *scan = create(ir::CombineKindAttr(), values, first);
    emitCombiner(scan->getRegion(0), op, element);
    return Leaves(scan->getResults());
  }
  Leaves prefixes, totals;
  for (auto [i, leaf] : llvm::enumerate(element->getLeaves())) {
    auto kind = Arithmetic::getCombineKind(*op.builtin, values[i].getType(),
                                           isSigned(leaf.type));
    Operation *scan =
        create(ir::CombineKindAttr::get(getContext(), kind), values[i],
               first.empty() ? first : first.slice(i, 1));
    prefixes.push_back(scan->getResult(0));
    if (withTotal)
      totals.push_back(scan->getResult(1));
  }
  llvm::append_range(prefixes, totals);
  return prefixes;
}

//===----------------------------------------------------------------------===//
// Inclusive over arrays
//===----------------------------------------------------------------------===//

/// isFirst ? otherwise : left op right. A builtin may be evaluated anyway; an
/// operator of the user's is called on real elements only.
Leaves KernelEmitter::combineUnless(Value isFirst, const sema::Operator &op,
                                    const sema::Type *element, ValueRange left,
                                    ValueRange right, ValueRange otherwise) {
  if (!op.builtin)
    return emitIf(
        isFirst, otherwise.getTypes(), [&] { return Leaves(otherwise); },
        [&] { return combine(op, element, left, right); });
  Leaves leaves;
  for (auto [combined, other] :
       llvm::zip(combine(op, element, left, right), otherwise))
    leaves.push_back(arith::SelectOp::create(b, isFirst, other, combined));
  return leaves;
}

/// Whether no rank comes before this one in the order of the scan.
Value KernelEmitter::emitIsFirstRank(const sema::CollectiveExpr *expr,
                                     const ir::GroupRef &group) {
  Value rank = ir::RankOp::create(b, group);
  Value first = num.constant(b.getI32Type(), 0);
  if (expr->reverse) {
    Value size = ir::SizeOp::create(b, group);
    first = arith::SubIOp::create(b, size, num.constant(b.getI32Type(), 1));
  }
  return num.compare(CompareOp::Eq, rank, first, true);
}

Leaves KernelEmitter::emitInclusiveOverArray(const sema::CollectiveExpr *expr,
                                             const ir::GroupRef &group) {
  const sema::Type *element = getElement(expr);
  SmallVector<Leaves> own;
  Leaves total =
      combineSerially(expr, element, emitExpr(expr->operands[0]), &own);
  Leaves before =
      emitExclusiveOp(expr, group, element, total, /*first=*/{}, false);
  Value isFirst = emitIsFirstRank(expr, group);
  Leaves results;
  for (const Leaves &each : own)
    llvm::append_range(results, combineUnless(isFirst, *expr->op, element,
                                              before, each, each));
  return results;
}

//===----------------------------------------------------------------------===//
// Exclusive, with and without the total
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::emitExclusive(const sema::CollectiveExpr *expr,
                                    const ir::GroupRef &group) {
  const sema::Type *element = getElement(expr);
  bool withTotal = expr->method == Method::ScanTotal;
  Leaves values = emitExpr(expr->operands[0]);
  Leaves init;
  if (getInit(expr))
    init = emitExpr(getInit(expr));
  Leaves first = init.empty() ? makeIdentity(*expr->op, element) : init;
  Leaves results =
      emitExclusiveOp(expr, group, element, values, first, withTotal);
  if (init.empty())
    return results;
  Value isFirst = emitIsFirstRank(expr, group);
  ValueRange prefixes = ValueRange(results).take_front(values.size());
  Leaves with =
      combineUnless(isFirst, *expr->op, element, init, prefixes, prefixes);
  llvm::append_range(with, ValueRange(results).drop_front(values.size()));
  return with;
}

Leaves KernelEmitter::emitExclusiveOverArray(const sema::CollectiveExpr *expr,
                                             const ir::GroupRef &group) {
  const sema::Type *element = getElement(expr);
  size_t width = element->getLeaves().size();
  bool withTotal = expr->method == Method::ScanTotal;
  SmallVector<Leaves> own;
  Leaves total =
      combineSerially(expr, element, emitExpr(expr->operands[0]), &own);
  Leaves init;
  if (getInit(expr))
    init = emitExpr(getInit(expr));
  Leaves first = init.empty() ? makeIdentity(*expr->op, element) : init;
  Leaves scanned =
      emitExclusiveOp(expr, group, element, total, first, withTotal);
  Leaves before(ValueRange(scanned).take_front(width));
  Value isFirst = emitIsFirstRank(expr, group);
  if (!init.empty())
    before = combineUnless(isFirst, *expr->op, element, init, before, before);
  SmallVector<Leaves> prefixes(own.size());
  for (size_t i = 0; i < own.size(); ++i) {
    size_t k = expr->reverse ? own.size() - 1 - i : i;
    if (i == 0) {
      prefixes[k] = before;
      continue;
    }
    const Leaves &previous = own[expr->reverse ? k + 1 : k - 1];
    if (!init.empty())
      prefixes[k] = combine(*expr->op, element, before, previous);
    else // Nothing comes before rank 0: the elements before, alone.
      prefixes[k] = combineUnless(isFirst, *expr->op, element, before, previous,
                                  previous);
  }
  Leaves results;
  for (const Leaves &prefix : prefixes)
    llvm::append_range(results, prefix);
  llvm::append_range(results, ValueRange(scanned).drop_front(width));
  return results;
}

//===----------------------------------------------------------------------===//
// A thread alone
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::emitThreadCombining(const sema::CollectiveExpr *expr,
                                          ValueRange values) {
  const sema::Type *element = getElement(expr);
  SmallVector<Leaves> own = {Leaves(values)};
  Leaves total(values);
  if (expr->overArray)
    total = combineSerially(expr, element, values, &own);
  if (expr->method == Method::Reduce)
    return total;
  Leaves results;
  if (expr->method == Method::Scan) {
    for (const Leaves &each : own)
      llvm::append_range(results, each);
    return results;
  }
  Leaves init;
  if (getInit(expr))
    init = emitExpr(getInit(expr));
  for (size_t k = 0; k < own.size(); ++k) {
    bool isFirst = k == (expr->reverse ? own.size() - 1 : 0);
    if (isFirst) {
      llvm::append_range(
          results, init.empty() ? makeIdentity(*expr->op, element) : init);
      continue;
    }
    const Leaves &previous = own[expr->reverse ? k + 1 : k - 1];
    llvm::append_range(
        results,
        init.empty() ? previous : combine(*expr->op, element, init, previous));
  }
  if (expr->method == Method::ScanTotal)
    llvm::append_range(results, total);
  return results;
}
