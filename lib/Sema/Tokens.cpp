//===- Tokens.cpp - Every arrival has its wait ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `g.arrive()` gives is good for nothing but `g.wait`. A token that no
// wait takes is a barrier that was forgotten, which nothing else would show:
// where a chip has no halves of barriers, the wait does all of the work. A
// token that never changes is waited for once: behind a wait, in the same list
// of statements or inside of them, a second one is an error.
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
        declare && declare->variable->type->isToken()) {
      waiting.insert(declare->variable);
      waited.erase(declare->variable);
    }
    if (auto *expression = dyn_cast<ExpressionStmt>(stmt);
        expression && expression->expr->getType()->isToken())
      report(expression->expr->getLoc(), *expression->expr->getType());
    forEachExpr(stmt, [&](Expr *&expr) { visitExpr(expr); });
    // What is waited for in an arm, or in a loop, may not be behind it.
    llvm::SmallDenseMap<const Variable *, llvm::SMLoc> outer;
    bool isSequence = llvm::isa<BlockStmt>(stmt);
    if (!isSequence)
      outer = waited;
    forEachSubStmt(stmt, [&](Stmt *inner) {
      visitStmt(inner);
      if (!isSequence)
        waited = outer;
    });
  }

  void visitExpr(Expr *expr) {
    forEachOperand(expr, [&](Expr *&operand) { visitExpr(operand); });
    if (auto *use = dyn_cast<VariableExpr>(expr))
      waiting.remove(use->variable);
    auto *collective = dyn_cast<CollectiveExpr>(expr);
    if (collective && collective->method == CollectiveExpr::Method::Wait)
      visitWait(collective);
  }

  void visitWait(const CollectiveExpr *wait) {
    auto *token = dyn_cast<VariableExpr>(wait->operands[0]);
    if (!token || token->variable->storage != Variable::Storage::Value)
      return;
    auto [first, isNew] = waited.insert({token->variable, wait->getLoc()});
    if (!isNew)
      diags
          .error(wait->getLoc(), Twine(wait->group.str()) +
                                     ".wait takes a token that has been "
                                     "waited for")
          .note(first->second, "the first wait is here");
  }

  void report(llvm::SMLoc loc, const Type &token) {
    diags.error(loc, "nothing waits for this " + Twine(token.str()));
  }

  DiagnosticEngine &diags;
  llvm::SetVector<const Variable *> waiting;
  /// Tokens that have been waited for whenever a thread comes here.
  llvm::SmallDenseMap<const Variable *, llvm::SMLoc> waited;
};

} // namespace

void coll::sema::checkTokens(Stmt *body, DiagnosticEngine &diags) {
  TokenChecker(diags).check(body);
}
