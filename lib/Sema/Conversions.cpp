//===- Conversions.cpp - Implicit conversions and casts -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::APSInt;

bool Checker::isLosslessWidening(const Type *from, const Type *to) {
  if (!from->isIntegerScalar() || !to->isIntegerScalar())
    return false;
  ScalarKind a = from->getScalarKind(), b = to->getScalarKind();
  if (isSignedInteger(a) && isUnsignedInteger(b))
    return false;
  unsigned widthA = getBitWidth(a), widthB = getBitWidth(b);
  if (isSignedInteger(a) == isSignedInteger(b))
    return widthA <= widthB;
  return widthA < widthB;
}

bool Checker::fits(const APSInt &value, ScalarKind kind) {
  unsigned width = getBitWidth(kind);
  bool isUnsigned = !isSignedInteger(kind);
  return APSInt::compareValues(value, APSInt::getMinValue(width, isUnsigned)) >=
             0 &&
         APSInt::compareValues(value, APSInt::getMaxValue(width, isUnsigned)) <=
             0;
}

/// Whether `as` converts between two scalars, enums or masks.
static bool canCastScalar(const Type *from, const Type *to) {
  if (from->isIntegerScalar())
    return to->isIntegerScalar() || to->isFloatScalar() || to->isEnum();
  if (from->isFloatScalar())
    return to->isIntegerScalar() || to->isFloatScalar();
  if (from->isBool() || from->isEnum())
    return to->isIntegerScalar();
  return from->isMask() && to->isScalar(ScalarKind::U64);
}

bool Checker::canCast(const Type *from, const Type *to) {
  if (from == to)
    return from->isScalar() || from->isVector() || from->isEnum() ||
           from->isMask();
  if (from->isVector() && to->isVector())
    return from->getCount() == to->getCount() &&
           canCastScalar(from->getElement(), to->getElement());
  return canCastScalar(from, to);
}

bool Checker::acceptsView(const Type *param, const Expr *arg) {
  const Type *type = arg->getType();
  if (type->isArray()) {
    // A shared array (or a part of one) seen as a view of constant extents.
    if (!param->isShared() || !isPlace(arg))
      return false;
    if (const Expr *view = getUnderlyingView(arg)) {
      if (!view->getType()->isShared() ||
          (param->isMutable() && !view->getType()->isMutable()))
        return false;
    } else if (Variable *root = getRootVariable(arg);
               !root || root->storage != Variable::Storage::Shared) {
      return false;
    }
    for (const Extent &extent : param->getExtents()) {
      if (!type->isArray() || (extent.isConstant() &&
                               uint64_t(extent.constant) != type->getCount()))
        return false;
      type = type->getElement();
    }
    return type == param->getElement();
  }
  if (!type->isView() || type->getRank() != param->getRank() ||
      type->getElement() != param->getElement() ||
      type->isShared() != param->isShared() ||
      (param->isMutable() && !type->isMutable()))
    return false;
  for (const auto &[wanted, given] :
       llvm::zip_equal(param->getExtents(), type->getExtents()))
    if (wanted.isConstant() && wanted.constant != given.constant)
      return false;
  return true;
}

Expr *Checker::coerceInteger(Expr *expr, const Type *type) {
  if (std::optional<APSInt> value = getInteger(expr))
    return !expr->getType()->isEnum() && fits(*value, type->getScalarKind())
               ? makeCast(expr, type, expr->getRange())
               : nullptr;
  return isLosslessWidening(expr->getType(), type)
             ? makeCast(expr, type, expr->getRange())
             : nullptr;
}

Expr *Checker::tryCoerce(Expr *expr, const Type *type) {
  const Type *from = expr->getType();
  if (from == type || from->isError())
    return expr;
  if (type->isError())
    return makeError(expr->getRange());
  if (type->isIntegerScalar())
    return coerceInteger(expr, type);
  if (type->isView())
    return acceptsView(type, expr) ? expr : nullptr;
  if ((type->isVector() && from->isScalar()) ||
      (type->isArray() && !from->isArray())) {
    Expr *element = tryCoerce(expr, type->getElement());
    if (!element || element->getType()->isError())
      return element;
    return makeAggregate(type, {element}, /*splat=*/true, expr->getRange());
  }
  return nullptr;
}

Expr *Checker::coerce(Expr *expr, const Type *type, llvm::SMLoc loc) {
  if (Expr *result = tryCoerce(expr, type))
    return result;
  const Type *from = expr->getType();
  llvm::SMRange range = expr->getRange();
  std::optional<APSInt> value = getInteger(expr);
  if (from->isVoid()) {
    error(loc, "expected " + type->str() + ", got a call that gives no value");
  } else if (value && !from->isEnum() && type->isIntegerScalar()) {
    error(loc, "constant " + llvm::toString(*value, 10) + " does not fit " +
                   type->str());
  } else if (canCast(from, type)) {
    error(loc, "expected " + type->str() + ", got " + from->str() +
                   "; write 'as " + type->str() + "' to convert");
  } else {
    error(loc, "expected " + type->str() + ", got " + from->str());
  }
  return makeError(range);
}

Expr *Checker::makeCast(Expr *expr, const Type *type, llvm::SMRange range) {
  const Type *from = expr->getType();
  if (from->isError() || type->isError())
    return makeError(range);
  if (!canCast(from, type)) {
    auto report = error(range.Start, "cannot convert " + from->str() + " to " +
                                         type->str() + " with 'as'");
    if (type->isBool() && from->isIntegerScalar())
      report.note(range.Start, "write '!= 0' to test for a nonzero value");
    if (from->isBool() && type->isFloatScalar())
      report.note(range.Start, "write '? 1.0 : 0.0'");
    return makeError(range);
  }
  if (from == type)
    return expr;
  if (const auto *constant = llvm::dyn_cast<ConstantExpr>(expr))
    return foldCast(*constant, type, range);
  auto *cast = make<CastExpr>(type, range);
  cast->operand = expr;
  return cast;
}
