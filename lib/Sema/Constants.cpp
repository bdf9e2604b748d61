//===- Constants.cpp - Values known at compile time -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folding, with exactly the results that the program would compute: integers
// wrap, division is total, float to integer saturates, floats round to nearest
// even in their own format.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace coll;
using namespace coll::sema;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;
using Scalar = ConstantExpr::Scalar;

const llvm::fltSemantics &sema::getFloatSemantics(ScalarKind kind) {
  switch (kind) {
  case ScalarKind::F16:
    return APFloat::IEEEhalf();
  case ScalarKind::BF16:
    return APFloat::BFloat();
  case ScalarKind::F64:
    return APFloat::IEEEdouble();
  default:
    return APFloat::IEEEsingle();
  }
}

//===----------------------------------------------------------------------===//
// Making constants
//===----------------------------------------------------------------------===//

ConstantExpr *Checker::makeConstant(const Type *type,
                                    std::vector<Scalar> scalars,
                                    llvm::SMRange range) {
  auto *constant = make<ConstantExpr>(type, range);
  constant->scalars = std::move(scalars);
  return constant;
}

ConstantExpr *Checker::makeInt(const Type *type, int64_t value,
                               llvm::SMRange range) {
  ScalarKind kind = type->getScalarKind();
  APInt bits =
      APInt(64, static_cast<uint64_t>(value)).sextOrTrunc(getBitWidth(kind));
  return makeConstant(type, {bits}, range);
}

ConstantExpr *Checker::makeBool(bool value, llvm::SMRange range) {
  return makeConstant(types.getBool(), {APInt(1, value)}, range);
}

std::optional<APSInt> Checker::getInteger(const Expr *expr) {
  const auto *constant = llvm::dyn_cast<ConstantExpr>(expr);
  if (!constant)
    return std::nullopt;
  const Type *type = constant->getType();
  if (!type->isIntegerScalar() && !type->isEnum())
    return std::nullopt;
  return APSInt(std::get<APInt>(constant->scalars.front()),
                !isSignedInteger(type->getScalarKind()));
}

std::optional<bool> Checker::getBool(const Expr *expr) {
  const auto *constant = llvm::dyn_cast<ConstantExpr>(expr);
  if (!constant || !constant->getType()->isBool())
    return std::nullopt;
  return std::get<APInt>(constant->scalars.front()).isOne();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static APInt foldDivision(BinaryExpr::Op op, const APInt &left,
                          const APInt &right, bool isSigned) {
  bool overflows = isSigned && left.isMinSignedValue() && right.isAllOnes();
  bool isDiv = op == BinaryExpr::Op::Div;
  if (right.isZero() || overflows)
    return isDiv ? left : APInt::getZero(left.getBitWidth());
  if (isSigned)
    return isDiv ? left.sdiv(right) : left.srem(right);
  return isDiv ? left.udiv(right) : left.urem(right);
}

static APInt foldInteger(BinaryExpr::Op op, const APInt &left,
                         const APInt &right, bool isSigned) {
  using Op = BinaryExpr::Op;
  auto shiftCount = [&] {
    return static_cast<unsigned>(right.urem(left.getBitWidth()));
  };
  switch (op) {
  case Op::Add:
    return left + right;
  case Op::Sub:
    return left - right;
  case Op::Mul:
    return left * right;
  case Op::Div:
  case Op::Rem:
    return foldDivision(op, left, right, isSigned);
  case Op::Shl:
    return left.shl(shiftCount());
  case Op::Shr:
    return isSigned ? left.ashr(shiftCount()) : left.lshr(shiftCount());
  case Op::And:
    return left & right;
  case Op::Or:
    return left | right;
  case Op::Xor:
    return left ^ right;
  }
  llvm_unreachable("unknown binary operator");
}

static std::optional<APFloat> foldFloat(BinaryExpr::Op op, APFloat left,
                                        const APFloat &right) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  switch (op) {
  case BinaryExpr::Op::Add:
    left.add(right, nearest);
    return left;
  case BinaryExpr::Op::Sub:
    left.subtract(right, nearest);
    return left;
  case BinaryExpr::Op::Mul:
    left.multiply(right, nearest);
    return left;
  case BinaryExpr::Op::Div:
    left.divide(right, nearest);
    return left;
  default:
    return std::nullopt;
  }
}

ConstantExpr *Checker::foldBinary(BinaryExpr::Op op, const ConstantExpr &left,
                                  const ConstantExpr &right,
                                  llvm::SMRange range) {
  const Type *type = left.getType();
  bool isSigned = isSignedInteger(type->getScalarKind());
  std::vector<Scalar> result;
  for (const auto &[a, b] : llvm::zip_equal(left.scalars, right.scalars)) {
    if (std::holds_alternative<APInt>(a)) {
      result.emplace_back(
          foldInteger(op, std::get<APInt>(a), std::get<APInt>(b), isSigned));
      continue;
    }
    std::optional<APFloat> value =
        foldFloat(op, std::get<APFloat>(a), std::get<APFloat>(b));
    if (!value)
      return nullptr;
    result.emplace_back(*value);
  }
  return makeConstant(type, std::move(result), range);
}

/// -1, 0, 1, or none if unordered.
static std::optional<int> compare(const Scalar &left, const Scalar &right,
                                  bool isSigned) {
  if (const auto *a = std::get_if<APInt>(&left)) {
    const APInt &b = std::get<APInt>(right);
    if (*a == b)
      return 0;
    return (isSigned ? a->slt(b) : a->ult(b)) ? -1 : 1;
  }
  switch (std::get<APFloat>(left).compare(std::get<APFloat>(right))) {
  case APFloat::cmpLessThan:
    return -1;
  case APFloat::cmpEqual:
    return 0;
  case APFloat::cmpGreaterThan:
    return 1;
  case APFloat::cmpUnordered:
    return std::nullopt;
  }
  llvm_unreachable("unknown comparison result");
}

ConstantExpr *Checker::foldCompare(CompareExpr::Op op, const ConstantExpr &left,
                                   const ConstantExpr &right,
                                   llvm::SMRange range) {
  using Op = CompareExpr::Op;
  bool isSigned = isSignedInteger(left.getType()->getScalarKind());
  std::optional<int> order =
      compare(left.scalars.front(), right.scalars.front(), isSigned);
  if (!order)
    return makeBool(op == Op::Ne, range);
  switch (op) {
  case Op::Eq:
    return makeBool(*order == 0, range);
  case Op::Ne:
    return makeBool(*order != 0, range);
  case Op::Lt:
    return makeBool(*order < 0, range);
  case Op::Le:
    return makeBool(*order <= 0, range);
  case Op::Gt:
    return makeBool(*order > 0, range);
  case Op::Ge:
    return makeBool(*order >= 0, range);
  }
  llvm_unreachable("unknown comparison");
}

ConstantExpr *Checker::foldUnary(UnaryExpr::Op op, const ConstantExpr &operand,
                                 llvm::SMRange range) {
  std::vector<Scalar> result;
  for (const Scalar &scalar : operand.scalars) {
    if (const auto *value = std::get_if<APInt>(&scalar))
      result.emplace_back(op == UnaryExpr::Op::Negate ? -*value : ~*value);
    else
      result.emplace_back(-std::get<APFloat>(scalar));
  }
  return makeConstant(operand.getType(), std::move(result), range);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Scalar convert(const Scalar &scalar, ScalarKind from, ScalarKind to) {
  bool lost = false;
  if (const auto *value = std::get_if<APInt>(&scalar)) {
    bool isSigned = isSignedInteger(from);
    if (!isFloat(to))
      return isSigned ? value->sextOrTrunc(getBitWidth(to))
                      : value->zextOrTrunc(getBitWidth(to));
    APFloat result(getFloatSemantics(to));
    result.convertFromAPInt(*value, isSigned, APFloat::rmNearestTiesToEven);
    return result;
  }
  APFloat value = std::get<APFloat>(scalar);
  if (isFloat(to)) {
    value.convert(getFloatSemantics(to), APFloat::rmNearestTiesToEven, &lost);
    return value;
  }
  // What is out of range gives the nearest end, NaN gives 0.
  APSInt result(getBitWidth(to), !isSignedInteger(to));
  value.convertToInteger(result, APFloat::rmTowardZero, &lost);
  return static_cast<const APInt &>(result);
}

ConstantExpr *Checker::foldCast(const ConstantExpr &operand, const Type *type,
                                llvm::SMRange range) {
  if (!canCast(operand.getType(), type))
    return nullptr;
  std::vector<Scalar> result;
  for (const Scalar &scalar : operand.scalars)
    result.push_back(convert(scalar, operand.getType()->getScalarKind(),
                             type->getScalarKind()));
  return makeConstant(type, std::move(result), range);
}

/// Calls `fn` with the kind and byte offset of every scalar, in the order of
/// ConstantExpr::scalars.
template <typename Fn> static void forEachScalar(const Type *type, Fn fn) {
  for (const Leaf &leaf : type->getLeaves()) {
    ScalarKind kind = leaf.type->getScalarKind();
    uint64_t lanes = leaf.type->isVector() ? leaf.type->getCount() : 1;
    uint64_t bytes = std::max(1u, getBitWidth(kind) / 8);
    for (uint64_t lane = 0; lane < lanes; ++lane)
      fn(kind, leaf.offset + lane * bytes);
  }
}

uint64_t Checker::countScalars(const Type *type) {
  uint64_t count = 0;
  forEachScalar(type, [&](ScalarKind, uint64_t) { ++count; });
  return count;
}

ConstantExpr *Checker::foldBitcast(const ConstantExpr &operand,
                                   const Type *type, llvm::SMRange range) {
  if (operand.getType()->getSize() == 0)
    return nullptr;
  APInt bytes = APInt::getZero(operand.getType()->getSize() * 8);
  unsigned next = 0;
  forEachScalar(operand.getType(), [&](ScalarKind, uint64_t offset) {
    const Scalar &scalar = operand.scalars[next++];
    const auto *value = std::get_if<APInt>(&scalar);
    APInt bits = value ? *value : std::get<APFloat>(scalar).bitcastToAPInt();
    bytes.insertBits(bits, offset * 8);
  });
  std::vector<Scalar> result;
  forEachScalar(type, [&](ScalarKind kind, uint64_t offset) {
    APInt bits = bytes.extractBits(getBitWidth(kind), offset * 8);
    if (isFloat(kind))
      result.emplace_back(APFloat(getFloatSemantics(kind), bits));
    else
      result.emplace_back(bits);
  });
  return makeConstant(type, std::move(result), range);
}

//===----------------------------------------------------------------------===//
// Demanding constants
//===----------------------------------------------------------------------===//

std::optional<int64_t> Checker::requireConstantInt(const ast::Expr *expr,
                                                   llvm::StringRef what,
                                                   int64_t min, int64_t max) {
  Expr *checked = checkExpr(expr);
  if (checked->getType()->isError())
    return std::nullopt;
  std::optional<APSInt> value = getInteger(checked);
  if (!value || checked->getType()->isEnum()) {
    error(expr->getLoc(), what + " must be a compile-time integer" +
                              (llvm::isa<ConstantExpr>(checked)
                                   ? ", got " + checked->getType()->str()
                                   : std::string()));
    return std::nullopt;
  }
  if (APSInt::compareValues(*value, APSInt::get(min)) < 0 ||
      APSInt::compareValues(*value, APSInt::get(max)) > 0) {
    error(expr->getLoc(), what + " must be from " + llvm::Twine(min) + " to " +
                              llvm::Twine(max) + ", got " +
                              llvm::toString(*value, 10));
    return std::nullopt;
  }
  return value->getExtValue();
}

std::optional<bool> Checker::requireConstantBool(const ast::Expr *expr,
                                                 llvm::StringRef what) {
  Expr *checked = checkCondition(expr);
  if (checked->getType()->isError())
    return std::nullopt;
  std::optional<bool> value = getBool(checked);
  if (!value)
    error(expr->getLoc(), what + " must be known at compile time");
  return value;
}

std::optional<llvm::StringRef> Checker::evaluateString(const ast::Expr *expr) {
  if (const auto *literal = llvm::dyn_cast<ast::StringLiteral>(expr))
    return literal->getValue();
  const auto *member = llvm::dyn_cast<ast::MemberExpr>(expr);
  if (!member)
    return std::nullopt;
  const auto *base = llvm::dyn_cast<ast::NameExpr>(member->getBase());
  if (!base || base->getName() != "target" || !isBuiltinMeaning("target"))
    return std::nullopt;
  if (member->getMember().text == "vendor")
    return options.target.vendor;
  if (member->getMember().text == "chip")
    return options.target.chip;
  return std::nullopt;
}
