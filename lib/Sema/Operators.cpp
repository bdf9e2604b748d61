//===- Operators.cpp - Literals, operators and their types ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "coll/Target/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::APFloat;
using llvm::APInt;
using llvm::APSInt;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

bool Checker::isFlexible(const ast::Expr *expr) {
  switch (expr->getKind()) {
  case ast::Expr::Kind::IntLiteral:
  case ast::Expr::Kind::FloatLiteral:
    return true;
  case ast::Expr::Kind::Unary: {
    const auto *unary = llvm::cast<ast::UnaryExpr>(expr);
    return unary->getOp() != ast::UnaryOp::Not &&
           isFlexible(unary->getOperand());
  }
  case ast::Expr::Kind::Binary: {
    const auto *binary = llvm::cast<ast::BinaryExpr>(expr);
    switch (binary->getOp()) {
    case ast::BinaryOp::Less:
    case ast::BinaryOp::Greater:
    case ast::BinaryOp::LessEqual:
    case ast::BinaryOp::GreaterEqual:
    case ast::BinaryOp::Equal:
    case ast::BinaryOp::NotEqual:
    case ast::BinaryOp::LogicalAnd:
    case ast::BinaryOp::LogicalOr:
      return false;
    case ast::BinaryOp::Shl:
    case ast::BinaryOp::Shr:
      return isFlexible(binary->getLHS());
    default:
      return isFlexible(binary->getRHS()) && isFlexible(binary->getLHS());
    }
  }
  case ast::Expr::Kind::Conditional: {
    const auto *conditional = llvm::cast<ast::ConditionalExpr>(expr);
    return isFlexible(conditional->getTrue()) &&
           isFlexible(conditional->getFalse());
  }
  default:
    return false;
  }
}

/// The scalar that a literal becomes where `expected` is wanted, or null.
static const Type *getLiteralType(const Type *expected) {
  while (expected && (expected->isArray() || expected->isVector()))
    expected = expected->getElement();
  bool isNumber =
      expected && (expected->isIntegerScalar() || expected->isFloatScalar());
  return isNumber ? expected : nullptr;
}

Expr *Checker::checkIntLiteral(const ast::IntLiteral &literal, bool negative,
                               const Type *expected, llvm::SMRange range) {
  const Type *asked = getLiteralType(expected);
  const Type *type = asked ? asked : types.getI32();
  ScalarKind kind = type->getScalarKind();
  APSInt value(literal.getValue().zext(192), /*isUnsigned=*/false);
  if (negative)
    value = -value;
  auto failToFit = [&] {
    std::string text = ((negative ? "-" : "") + literal.getText()).str();
    auto report =
        error(range.Start, "literal " + text + " does not fit " + type->str());
    report.range(range);
    for (ScalarKind wider : {ScalarKind::I64, ScalarKind::U64})
      if (!asked && fits(value, wider)) {
        report.note(range.Start,
                    "its context gives it no type, and so it is i32; write '" +
                        text + " as " + types.getScalar(wider)->str() + "'");
        break;
      }
    return makeError(range);
  };
  if (!isFloat(kind)) {
    if (!fits(value, kind))
      return failToFit();
    return makeConstant(type, {value.trunc(getBitWidth(kind))}, range);
  }
  APFloat rounded(getFloatSemantics(kind));
  if (rounded.convertFromAPInt(value, /*IsSigned=*/true,
                               APFloat::rmNearestTiesToEven) != APFloat::opOK)
    return failToFit();
  return makeConstant(type, {rounded}, range);
}

Expr *Checker::checkFloatLiteral(const ast::FloatLiteral &literal,
                                 const Type *expected) {
  const Type *type = getLiteralType(expected);
  if (!type || !type->isFloatScalar())
    type = types.getScalar(ScalarKind::F32);
  APFloat value(getFloatSemantics(type->getScalarKind()));
  llvm::Expected<APFloat::opStatus> status =
      value.convertFromString(literal.getText(), APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return fail(literal.getRange(),
                "'" + literal.getText() + "' is not a number");
  }
  if (*status & APFloat::opOverflow)
    return fail(literal.getRange(), "literal " + literal.getText() +
                                        " does not fit " + type->str());
  return makeConstant(type, {value}, literal.getRange());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The signed integer that holds every value of both, or null: i64 of i32 and
/// u32.
static const Type *getCommonInteger(const TypeContext &types, const Type *a,
                                    const Type *b) {
  for (ScalarKind kind : {ScalarKind::I16, ScalarKind::I32, ScalarKind::I64}) {
    const Type *type = types.getScalar(kind);
    if (Checker::isLosslessWidening(a, type) &&
        Checker::isLosslessWidening(b, type))
      return type;
  }
  return nullptr;
}

bool Checker::unifyOperands(Expr *&left, Expr *&right, llvm::SMLoc loc,
                            const llvm::Twine &what) {
  const Type *a = left->getType(), *b = right->getType();
  if (a->isError() || b->isError())
    return false;
  if (a == b)
    return true;
  // The narrower integer widens; else a constant adapts; else a scalar meets a
  // vector.
  if (isLosslessWidening(a, b)) {
    left = coerce(left, b, loc);
    return true;
  }
  if (isLosslessWidening(b, a)) {
    right = coerce(right, a, loc);
    return true;
  }
  if (llvm::isa<ConstantExpr>(right) || a->isVector())
    if (Expr *converted = tryCoerce(right, a)) {
      right = converted;
      return !right->getType()->isError();
    }
  if (llvm::isa<ConstantExpr>(left) || b->isVector())
    if (Expr *converted = tryCoerce(left, b)) {
      left = converted;
      return !left->getType()->isError();
    }
  if (const Type *wider = getCommonInteger(types, a, b)) {
    left = makeCast(left, wider, left->getRange());
    right = makeCast(right, wider, right->getRange());
    return true;
  }
  auto report = error(loc, what + " have different types: " + a->str() +
                               " and " + b->str());
  report.range({left->getRange().Start, right->getRange().End});
  if (canCast(a, b))
    report.note(loc, "convert one of them with 'as'");
  return false;
}

bool Checker::checkOperands(const ast::Expr *leftAST, const ast::Expr *rightAST,
                            const Type *expected, Expr *&left, Expr *&right,
                            llvm::SMLoc loc, const llvm::Twine &what) {
  bool leftAdapts = isFlexible(leftAST), rightAdapts = isFlexible(rightAST);
  if (leftAdapts && !rightAdapts) {
    right = checkValue(rightAST, expected);
    left = checkValue(leftAST, right->getType());
  } else {
    left = checkValue(leftAST, expected);
    right = checkValue(rightAST,
                       rightAdapts && !leftAdapts ? left->getType() : expected);
  }
  // `1 + 0.5`: the integer literal becomes a float too.
  if (leftAdapts && rightAdapts) {
    if (left->getType()->isFloatScalar() && right->getType()->isIntegerScalar())
      right = checkValue(rightAST, left->getType());
    else if (right->getType()->isFloatScalar() &&
             left->getType()->isIntegerScalar())
      left = checkValue(leftAST, right->getType());
  }
  return unifyOperands(left, right, loc, what);
}

//===----------------------------------------------------------------------===//
// Unary operators
//===----------------------------------------------------------------------===//

Expr *Checker::checkUnary(const ast::UnaryExpr &unary, const Type *expected) {
  if (unary.getOp() == ast::UnaryOp::Minus)
    if (const auto *literal =
            llvm::dyn_cast<ast::IntLiteral>(unary.getOperand()))
      return checkIntLiteral(*literal, /*negative=*/true, expected,
                             unary.getRange());
  if (unary.getOp() == ast::UnaryOp::Not) {
    Expr *operand = checkCondition(unary.getOperand());
    return makeUnary(UnaryExpr::Op::Not, operand, unary.getRange());
  }
  Expr *operand = checkValue(unary.getOperand(), expected);
  return makeUnary(unary.getOp() == ast::UnaryOp::Minus ? UnaryExpr::Op::Negate
                                                        : UnaryExpr::Op::BitNot,
                   operand, unary.getRange());
}

static const Type *getElementOrSelf(const Type *type) {
  return type->isVector() ? type->getElement() : type;
}

Expr *Checker::makeUnary(UnaryExpr::Op op, Expr *operand, llvm::SMRange range) {
  const Type *type = operand->getType();
  if (type->isError())
    return makeError(range);
  const Type *element = getElementOrSelf(type);
  if (op == UnaryExpr::Op::Negate && !element->isIntegerScalar() &&
      !element->isFloatScalar())
    return fail(range, "operator '-' needs a number, got " + type->str());
  if (op == UnaryExpr::Op::BitNot && !element->isIntegerScalar() &&
      !type->isMask())
    return fail(range,
                "operator '~' needs an integer or a mask, got " + type->str());
  if (const auto *constant = llvm::dyn_cast<ConstantExpr>(operand))
    return foldUnary(op, *constant, range);
  auto *unary = make<UnaryExpr>(type, range);
  unary->op = op;
  unary->operand = operand;
  return unary;
}

//===----------------------------------------------------------------------===//
// Binary operators
//===----------------------------------------------------------------------===//

static std::optional<CompareExpr::Op> toCompareOp(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Less:
    return CompareExpr::Op::Lt;
  case ast::BinaryOp::Greater:
    return CompareExpr::Op::Gt;
  case ast::BinaryOp::LessEqual:
    return CompareExpr::Op::Le;
  case ast::BinaryOp::GreaterEqual:
    return CompareExpr::Op::Ge;
  case ast::BinaryOp::Equal:
    return CompareExpr::Op::Eq;
  case ast::BinaryOp::NotEqual:
    return CompareExpr::Op::Ne;
  default:
    return std::nullopt;
  }
}

BinaryExpr::Op Checker::toBinaryOp(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Mul:
    return BinaryExpr::Op::Mul;
  case ast::BinaryOp::Div:
    return BinaryExpr::Op::Div;
  case ast::BinaryOp::Rem:
    return BinaryExpr::Op::Rem;
  case ast::BinaryOp::Sub:
    return BinaryExpr::Op::Sub;
  case ast::BinaryOp::Shl:
    return BinaryExpr::Op::Shl;
  case ast::BinaryOp::Shr:
    return BinaryExpr::Op::Shr;
  case ast::BinaryOp::BitAnd:
    return BinaryExpr::Op::And;
  case ast::BinaryOp::BitXor:
    return BinaryExpr::Op::Xor;
  case ast::BinaryOp::BitOr:
    return BinaryExpr::Op::Or;
  default:
    return BinaryExpr::Op::Add;
  }
}

Expr *Checker::checkBinary(const ast::BinaryExpr &binary,
                           const Type *expected) {
  ast::BinaryOp op = binary.getOp();
  llvm::SMRange range = binary.getRange();
  if (op == ast::BinaryOp::LogicalAnd || op == ast::BinaryOp::LogicalOr)
    return checkLogical(binary);
  std::string what = ("the operands of '" + getSpelling(op) + "'").str();
  Expr *left = nullptr, *right = nullptr;
  if (std::optional<CompareExpr::Op> compare = toCompareOp(op)) {
    if (Expr *result = checkStringCompare(*compare, binary))
      return result;
    if (!checkOperands(binary.getLHS(), binary.getRHS(), nullptr, left, right,
                       binary.getOpLoc(), what))
      return makeError(range);
    return makeCompare(*compare, left, right, range);
  }
  if (op == ast::BinaryOp::Shl || op == ast::BinaryOp::Shr) {
    left = checkValue(binary.getLHS(), expected);
    right = checkValue(binary.getRHS());
    return makeShift(toBinaryOp(op), left, right, range);
  }
  if (!checkOperands(binary.getLHS(), binary.getRHS(), expected, left, right,
                     binary.getOpLoc(), what))
    return makeError(range);
  return makeBinary(toBinaryOp(op), left, right, range);
}

Expr *Checker::checkLogical(const ast::BinaryExpr &binary) {
  bool isAnd = binary.getOp() == ast::BinaryOp::LogicalAnd;
  Expr *left = checkCondition(binary.getLHS());
  Expr *right = checkCondition(binary.getRHS());
  return makeLogical(isAnd, left, right, binary.getRange());
}

Expr *Checker::makeLogical(bool isAnd, Expr *left, Expr *right,
                           llvm::SMRange range) {
  if (left->getType()->isError() || right->getType()->isError())
    return makeError(range);
  if (std::optional<bool> value = getBool(left))
    return *value == isAnd ? right : makeBool(!isAnd, range);
  auto *logical = make<LogicalExpr>(types.getBool(), range);
  logical->isAnd = isAnd;
  logical->left = left;
  logical->right = right;
  return logical;
}

/// The string literal that `expr` is, or null.
static const ast::StringLiteral *getLiteral(const ast::Expr *expr) {
  return llvm::dyn_cast<ast::StringLiteral>(expr);
}

Expr *Checker::checkTargetName(const ast::BinaryExpr &binary) {
  const ast::StringLiteral *literal = getLiteral(binary.getLHS());
  const ast::Expr *value = literal ? binary.getRHS() : binary.getLHS();
  if (!literal)
    literal = getLiteral(binary.getRHS());
  const auto *member = llvm::dyn_cast<ast::MemberExpr>(value);
  if (!literal || !member)
    return nullptr;
  bool isChip = member->getMember().text == "chip";
  llvm::SmallVector<llvm::StringRef> names = {"reference"};
  if (!isChip)
    names.append({"nvidia", "amd"});
  for (const ChipInfo &chip : getChips())
    if (isChip)
      names.push_back(chip.name);
  if (llvm::is_contained(names, literal->getValue()))
    return nullptr;
  return failNoName(isChip ? "there is no chip" : "there is no vendor",
                    literal->getValue(), names, literal->getRange());
}

Expr *Checker::checkStringCompare(CompareExpr::Op op,
                                  const ast::BinaryExpr &binary) {
  std::optional<llvm::StringRef> left = evaluateString(binary.getLHS());
  std::optional<llvm::StringRef> right = evaluateString(binary.getRHS());
  if (!left && !right)
    return nullptr;
  bool isEquality = op == CompareExpr::Op::Eq || op == CompareExpr::Op::Ne;
  if (!left || !right || !isEquality)
    return fail(binary.getRange(), "a string may only be compared with another "
                                   "by '==' or '!='");
  if (Expr *wrong = checkTargetName(binary))
    return wrong;
  return makeBool((*left == *right) == (op == CompareExpr::Op::Eq),
                  binary.getRange());
}

static llvm::StringRef getSpelling(BinaryExpr::Op op) {
  static constexpr llvm::StringLiteral names[] = {"+",  "-",  "*", "/", "%",
                                                  "<<", ">>", "&", "|", "^"};
  return names[static_cast<unsigned>(op)];
}

static bool isZeroDivisor(const Expr *expr) {
  const auto *constant = llvm::dyn_cast<ConstantExpr>(expr);
  return constant && llvm::any_of(constant->scalars, [](const auto &scalar) {
           const auto *value = std::get_if<APInt>(&scalar);
           return value && value->isZero();
         });
}

Expr *Checker::makeBinary(BinaryExpr::Op op, Expr *left, Expr *right,
                          llvm::SMRange range) {
  using Op = BinaryExpr::Op;
  const Type *type = left->getType();
  if (type->isError() || right->getType()->isError())
    return makeError(range);
  const Type *element = getElementOrSelf(type);
  bool isNumber = element->isIntegerScalar() || element->isFloatScalar();
  bool isBits = element->isIntegerScalar() || type->isBool() || type->isMask();
  auto failOperands = [&](llvm::StringRef wanted) {
    return fail(range, "operator '" + getSpelling(op) + "' needs " + wanted +
                           ", got " + type->str());
  };
  if ((op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div) &&
      !isNumber)
    return failOperands("numbers");
  if ((op == Op::Rem || op == Op::Shl || op == Op::Shr) &&
      !element->isIntegerScalar())
    return failOperands("integers");
  if ((op == Op::And || op == Op::Or || op == Op::Xor) && !isBits)
    return failOperands("integers, bools or masks");
  if ((op == Op::Div || op == Op::Rem) && isZeroDivisor(right))
    return fail(range, op == Op::Div ? "division by the constant zero"
                                     : "remainder by the constant zero");
  const auto *a = llvm::dyn_cast<ConstantExpr>(left);
  const auto *b = llvm::dyn_cast<ConstantExpr>(right);
  if (a && b)
    if (ConstantExpr *folded = foldBinary(op, *a, *b, range))
      return folded;
  auto *binary = make<BinaryExpr>(type, range);
  binary->op = op;
  binary->left = left;
  binary->right = right;
  return binary;
}

Expr *Checker::makeShift(BinaryExpr::Op op, Expr *value, Expr *count,
                         llvm::SMRange range) {
  const Type *type = value->getType();
  if (type->isError() || count->getType()->isError())
    return makeError(range);
  const Type *element = getElementOrSelf(type);
  if (!element->isIntegerScalar())
    return fail(range, "operator '" + getSpelling(op) +
                           "' needs integers, got " + type->str());
  if (count->getType() != type) {
    if (!count->getType()->isIntegerScalar())
      return fail(count->getRange(), "a shift count must be an integer, got " +
                                         count->getType()->str());
    // The count is taken modulo the width, which its low bits decide.
    count = makeCast(count, element, count->getRange());
    count = coerce(count, type, count->getLoc());
  }
  return makeBinary(op, value, count, range);
}

Expr *Checker::makeCompare(CompareExpr::Op op, Expr *left, Expr *right,
                           llvm::SMRange range) {
  const Type *type = left->getType();
  if (type->isError() || right->getType()->isError())
    return makeError(range);
  bool isEquality = op == CompareExpr::Op::Eq || op == CompareExpr::Op::Ne;
  if (!type->isScalar() && !type->isEnum() && !(type->isMask() && isEquality))
    return fail(range, "values of type " + type->str() + " cannot be compared");
  if (type->isBool() && !isEquality)
    return fail(range, "values of type bool have no order");
  const auto *a = llvm::dyn_cast<ConstantExpr>(left);
  const auto *b = llvm::dyn_cast<ConstantExpr>(right);
  if (a && b)
    return foldCompare(op, *a, *b, range);
  auto *compare = make<CompareExpr>(types.getBool(), range);
  compare->op = op;
  compare->left = left;
  compare->right = right;
  return compare;
}

Expr *Checker::checkConditional(const ast::ConditionalExpr &conditional,
                                const Type *expected) {
  Expr *condition = checkCondition(conditional.getCondition());
  Expr *ifTrue = nullptr, *ifFalse = nullptr;
  if (!checkOperands(conditional.getTrue(), conditional.getFalse(), expected,
                     ifTrue, ifFalse, conditional.getTrue()->getLoc(),
                     "the arms of '?:'"))
    return makeError(conditional.getRange());
  return makeConditional(condition, ifTrue, ifFalse, conditional.getRange());
}

Expr *Checker::makeConditional(Expr *condition, Expr *ifTrue, Expr *ifFalse,
                               llvm::SMRange range) {
  if (condition->getType()->isError() || ifTrue->getType()->isError() ||
      ifFalse->getType()->isError())
    return makeError(range);
  if (std::optional<bool> value = getBool(condition))
    return *value ? ifTrue : ifFalse;
  auto *result = make<ConditionalExpr>(ifTrue->getType(), range);
  result->condition = condition;
  result->ifTrue = ifTrue;
  result->ifFalse = ifFalse;
  return result;
}
