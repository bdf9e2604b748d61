//===- LaunchExprs.cpp - What the host computes before a launch -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launch expressions compute in i64. Where the typed tree computes in a
// narrower type, its wrapping is written out.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::sema;
using Op = LaunchExpr::Op;

/// `value` wrapped to the integer type `kind`, as an i64.
static LaunchExpr wrap(const LaunchExpr &value, ScalarKind kind) {
  unsigned width = getBitWidth(kind);
  if (width == 64)
    return value;
  if (isUnsignedInteger(kind))
    return LaunchExpr::binary(Op::And, value,
                              LaunchExpr::constant((int64_t(1) << width) - 1));
  LaunchExpr bits = LaunchExpr::constant(64 - width);
  return LaunchExpr::binary(Op::Shr, LaunchExpr::binary(Op::Shl, value, bits),
                            bits);
}

static Op toLaunchOp(BinaryExpr::Op op) {
  static constexpr Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem,
                               Op::Shl, Op::Shr, Op::And, Op::Or,  Op::Xor};
  return ops[static_cast<unsigned>(op)];
}

static Op toLaunchOp(CompareExpr::Op op) {
  static constexpr Op ops[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
  return ops[static_cast<unsigned>(op)];
}

/// The two-argument functions that a launch expression has.
static std::optional<Op> toLaunchOp(Checker &checker, const Expr *expr) {
  if (const auto *call = llvm::dyn_cast<CallExpr>(expr))
    return checker.isCeilDiv(call->callee) ? std::optional(Op::CeilDiv)
                                           : std::nullopt;
  const auto *builtin = llvm::dyn_cast<BuiltinExpr>(expr);
  if (!builtin || builtin->args.size() != 2)
    return std::nullopt;
  if (builtin->builtin == Builtin::Min)
    return Op::Min;
  if (builtin->builtin == Builtin::Max)
    return Op::Max;
  return std::nullopt;
}

namespace {

/// Turns a typed tree into a launch expression; none where it cannot.
class LaunchBuilder {
public:
  explicit LaunchBuilder(Checker &checker) : checker(checker) {}

  std::optional<LaunchExpr> build(const Expr *expr) {
    const Type *type = expr->getType();
    bool isKnown = type->isIntegerScalar() || type->isBool() || type->isEnum();
    if (!isKnown)
      return std::nullopt;
    if (const auto *constant = llvm::dyn_cast<ConstantExpr>(expr))
      return buildConstant(*constant);
    if (const auto *variable = llvm::dyn_cast<VariableExpr>(expr))
      return checker.isLaunchValue(variable->variable)
                 ? std::optional(LaunchExpr::name(variable->variable->name))
                 : std::nullopt;
    if (const auto *cast = llvm::dyn_cast<CastExpr>(expr)) {
      std::optional<LaunchExpr> operand = build(cast->operand);
      bool isWidening =
          Checker::isLosslessWidening(cast->operand->getType(), type);
      if (operand && !isWidening)
        operand = wrap(*operand, type->getScalarKind());
      return operand;
    }
    if (const auto *binary = llvm::dyn_cast<BinaryExpr>(expr))
      return buildBinary(*binary);
    if (const auto *compare = llvm::dyn_cast<CompareExpr>(expr))
      return join(toLaunchOp(compare->op), compare->left, compare->right);
    if (const auto *conditional = llvm::dyn_cast<ConditionalExpr>(expr)) {
      auto condition = build(conditional->condition);
      auto ifTrue = build(conditional->ifTrue);
      auto ifFalse = build(conditional->ifFalse);
      if (!condition || !ifTrue || !ifFalse)
        return std::nullopt;
      return LaunchExpr::select(*condition, *ifTrue, *ifFalse);
    }
    std::optional<Op> op = toLaunchOp(checker, expr);
    if (!op)
      return std::nullopt;
    if (const auto *call = llvm::dyn_cast<CallExpr>(expr))
      return join(*op, call->args[0], call->args[1]);
    const auto *builtin = llvm::cast<BuiltinExpr>(expr);
    return join(*op, builtin->args[0], builtin->args[1]);
  }

private:
  static std::optional<LaunchExpr> buildConstant(const ConstantExpr &constant) {
    const auto &value = std::get<llvm::APInt>(constant.scalars.front());
    ScalarKind kind = constant.getType()->getScalarKind();
    return LaunchExpr::constant(
        isSignedInteger(kind) ? value.getSExtValue()
                              : static_cast<int64_t>(value.getZExtValue()));
  }

  std::optional<LaunchExpr> buildBinary(const BinaryExpr &binary) {
    const Type *type = binary.getType();
    ScalarKind kind = type->getScalarKind();
    // The shift count of a narrow type is taken modulo that type's width.
    bool isShift =
        binary.op == BinaryExpr::Op::Shl || binary.op == BinaryExpr::Op::Shr;
    std::optional<LaunchExpr> left = build(binary.left);
    std::optional<LaunchExpr> right = build(binary.right);
    if (!left || !right)
      return std::nullopt;
    if (isShift && getBitWidth(kind) < 64)
      right = LaunchExpr::binary(Op::And, *right,
                                 LaunchExpr::constant(getBitWidth(kind) - 1));
    LaunchExpr result =
        LaunchExpr::binary(toLaunchOp(binary.op), *left, *right);
    return type->isIntegerScalar() ? wrap(result, kind) : result;
  }

  std::optional<LaunchExpr> join(Op op, const Expr *left, const Expr *right) {
    std::optional<LaunchExpr> a = build(left), b = build(right);
    if (!a || !b)
      return std::nullopt;
    return LaunchExpr::binary(op, *a, *b);
  }

  Checker &checker;
};

} // namespace

bool Checker::isLaunchValue(const Variable *variable) const {
  if (variable->storage == Variable::Storage::Extent)
    return true;
  return current->kernel &&
         llvm::any_of(current->kernel->params, [&](const Kernel::Param &param) {
           return param.variable == variable;
         });
}

std::optional<LaunchExpr> Checker::makeLaunchExpr(const Expr *expr,
                                                  llvm::StringRef what) {
  std::optional<LaunchExpr> result = LaunchBuilder(*this).build(expr);
  if (!result)
    error(expr->getLoc(),
          what + " must be computed from constants, extents and integer "
                 "parameters by operators, ceil_div, min and max");
  return result;
}
