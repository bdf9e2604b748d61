//===- Tokens.cpp - Every arrival has its wait ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `g.arrive()` gives is good for nothing but `g.wait`. A token that no
// wait takes is a barrier that was forgotten, which nothing else would show:
// where a chip has no halves of barriers, the wait does all of the work.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Walk.h"
#include "llvm/ADT/SetVector.h"

using namespace coll::sema;
using coll::DiagnosticEngine;
using llvm::dyn_cast;
using llvm::Twine;

namespace {

class TokenChecker {
public:
  explicit TokenChecker(DiagnosticEngine &diags) : diags(diags) {}

  void check(Stmt *body) {
    visitStmt(body);
    for (const Variable *variable : waiting)
      report(variable->loc, *variable->type);
  }

private:
  void visitStmt(Stmt *stmt) {
    if (auto *declare = dyn_cast<DeclareStmt>(stmt);
        declare && declare->variable->type->isToken())
      waiting.insert(declare->variable);
    if (auto *expression = dyn_cast<ExpressionStmt>(stmt);
        expression && expression->expr->getType()->isToken())
      report(expression->expr->getLoc(), *expression->expr->getType());
    forEachExpr(stmt, [&](Expr *&expr) { visitExpr(expr); });
    forEachSubStmt(stmt, [&](Stmt *inner) { visitStmt(inner); });
  }

  void visitExpr(Expr *expr) {
    forEachOperand(expr, [&](Expr *&operand) { visitExpr(operand); });
    if (auto *use = dyn_cast<VariableExpr>(expr))
      waiting.remove(use->variable);
  }

  void report(llvm::SMLoc loc, const Type &token) {
    diags.error(loc, "nothing waits for this " + Twine(token.str()));
  }

  DiagnosticEngine &diags;
  llvm::SetVector<const Variable *> waiting;
};

} // namespace

void coll::sema::checkTokens(Stmt *body, DiagnosticEngine &diags) {
  TokenChecker(diags).check(body);
}
