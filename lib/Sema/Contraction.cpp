//===- Contraction.cpp - Multiply-adds become fma -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This is the only place that contracts. An addition or subtraction whose left
// operand is a product, else whose right one is, becomes one fma with the sign
// on an operand:
//
//   a * b + c  ->  fma(a, b, c)      c + a * b  ->  fma(a, b, c)
//   a * b - c  ->  fma(a, b, -c)     c - a * b  ->  fma(-a, b, c)
//
// Operands are rewritten before the operation that they belong to. That gives
// the same result as the other order: contracting an operand never makes or
// unmakes a product.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Walk.h"

using namespace coll::sema;
using llvm::dyn_cast;

namespace {

class Contractor {
public:
  explicit Contractor(Program &program) : program(program) {}

  void rewriteBody(Stmt *stmt) {
    forEachExpr(stmt, [&](Expr *&expr) { rewrite(expr); });
    forEachSubStmt(stmt, [&](Stmt *inner) { rewriteBody(inner); });
  }

private:
  void rewrite(Expr *&expr) {
    forEachOperand(expr, [&](Expr *&operand) { rewrite(operand); });
    if (auto *binary = dyn_cast<BinaryExpr>(expr))
      expr = contract(binary);
  }

  Expr *contract(BinaryExpr *sum) {
    if (sum->op != BinaryExpr::Op::Add && sum->op != BinaryExpr::Op::Sub)
      return sum;
    if (!contractsIn(sum->getType()))
      return sum;
    bool subtract = sum->op == BinaryExpr::Op::Sub;
    if (BinaryExpr *product = asProduct(sum->left))
      return makeFma(sum, product->left, product->right,
                     subtract ? negate(sum->right) : sum->right);
    if (BinaryExpr *product = asProduct(sum->right))
      return makeFma(sum, subtract ? negate(product->left) : product->left,
                     product->right, sum->left);
    return sum;
  }

  /// bf16 never contracts: its fma rounds twice on some chips.
  static bool contractsIn(const Type *type) {
    if (!type->isScalar() && !type->isVector())
      return false;
    ScalarKind kind = type->getScalarKind();
    return kind == ScalarKind::F16 || kind == ScalarKind::F32 ||
           kind == ScalarKind::F64;
  }

  static BinaryExpr *asProduct(Expr *expr) {
    auto *binary = dyn_cast<BinaryExpr>(expr);
    return binary && binary->op == BinaryExpr::Op::Mul ? binary : nullptr;
  }

  Expr *negate(Expr *expr) {
    auto *negation = program.make<UnaryExpr>(expr->getType(), expr->getRange());
    negation->op = UnaryExpr::Op::Negate;
    negation->operand = expr;
    return negation;
  }

  Expr *makeFma(BinaryExpr *sum, Expr *a, Expr *b, Expr *c) {
    auto *fma = program.make<BuiltinExpr>(sum->getType(), sum->getRange());
    fma->builtin = Builtin::Fma;
    fma->args = {a, b, c};
    return fma;
  }

  Program &program;
};

} // namespace

void coll::sema::contract(Program &program, Stmt *body) {
  if (body)
    Contractor(program).rewriteBody(body);
}
