//===- Purity.cpp - Operators only compute --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan may call an operator more often than the tree of combinations has
// nodes, and, unless that could fail, on lanes whose result nobody uses. So an
// operator may read what it likes, assign its own variables and stop the
// program (assert, trap), no more.
//
// Only a lambda sees variables of its surroundings, and being an expression it
// can only change them by passing them on as `mut` arguments. Functions that it
// calls own what they declare, and what reaches them by reference was checked
// at the call.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Passes.h"
#include "Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace coll::sema;
using coll::DiagnosticEngine;
using llvm::dyn_cast;
using llvm::SMLoc;
using llvm::Twine;

namespace {

class PurityChecker {
public:
  /// `note` follows each error, at `noteLoc`.
  PurityChecker(llvm::StringRef name, SMLoc noteLoc, llvm::StringRef note,
                DiagnosticEngine &diags)
      : name(name), noteLoc(noteLoc), note(note), diags(diags) {}

  /// `captures`: local variables that occur belong to the operator's
  /// surroundings.
  void visitExpr(Expr *expr, bool captures) {
    if (auto *atomic = dyn_cast<AtomicExpr>(expr))
      report(atomic->getLoc(), "use an atomic");
    else if (auto *collective = dyn_cast<CollectiveExpr>(expr))
      report(collective->getLoc(), "call " + Twine(collective->group.str()) +
                                       "." + getMethodName(collective->method));
    else if (llvm::isa<GroupExpr>(expr))
      report(expr->getLoc(), "make a group");
    else if (auto *access = dyn_cast<VectorAccessExpr>(expr);
             access && access->value)
      report(access->getLoc(), "write memory");
    else if (auto *builtin = dyn_cast<BuiltinExpr>(expr))
      visitBuiltin(builtin);
    else if (auto *call = dyn_cast<CallExpr>(expr))
      visitCall(call, captures);
    forEachOperand(expr, [&](Expr *&part) { visitExpr(part, captures); });
  }

  void visitStmt(Stmt *stmt) {
    if (auto *assign = dyn_cast<AssignStmt>(stmt))
      checkWrite(assign->place, stmt->getLoc(), /*captures=*/false);
    forEachExpr(stmt,
                [&](Expr *&expr) { visitExpr(expr, /*captures=*/false); });
    forEachSubStmt(stmt, [&](Stmt *inner) { visitStmt(inner); });
  }

private:
  void visitBuiltin(BuiltinExpr *builtin) {
    if (builtin->builtin == Builtin::Fence)
      report(builtin->getLoc(), "use a fence");
    else if (builtin->builtin == Builtin::Pause)
      report(builtin->getLoc(), "pause");
  }

  void visitCall(CallExpr *call, bool captures) {
    for (size_t i = 0; i < call->args.size(); ++i) {
      if (call->callee->params[i]->storage == Variable::Storage::Reference)
        checkWrite(call->args[i], call->args[i]->getLoc(), captures);
    }
    if (call->callee->body && visited.insert(call->callee).second)
      visitStmt(call->callee->body);
  }

  void checkWrite(Expr *place, SMLoc loc, bool captures) {
    Variable *root = getRootVariable(place);
    if (!root)
      return;
    if (root->storage == Variable::Storage::View ||
        root->storage == Variable::Storage::Shared)
      report(loc, "write '" + Twine(root->name) + "', which is memory");
    else if (captures)
      report(loc, "assign the captured variable '" + Twine(root->name) + "'");
  }

  void report(SMLoc loc, const Twine &what) {
    diags
        .error(loc, "operator '" + Twine(name) + "' may not " + what +
                        ": operators are pure")
        .note(noteLoc, "'" + Twine(name) + "' " + note);
  }

  llvm::StringRef name;
  SMLoc noteLoc;
  llvm::StringRef note;
  DiagnosticEngine &diags;
  llvm::SmallPtrSet<const Function *, 8> visited;
};

} // namespace

void coll::sema::checkOperatorPurity(const Operator &op, SMLoc use,
                                     DiagnosticEngine &diags) {
  if (op.result)
    PurityChecker(op.name, use, "is used as an operator here", diags)
        .visitExpr(op.result, /*captures=*/true);
}

void coll::sema::checkPurity(const Function &op, DiagnosticEngine &diags) {
  if (op.body)
    PurityChecker(op.name, op.loc, "is declared here", diags)
        .visitStmt(op.body);
}
