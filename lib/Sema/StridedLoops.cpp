//===- StridedLoops.cpp - No collectives where trip counts differ ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a group make different numbers of trips through
// `for i in g.strided(n)`, so neither the group, nor one inside it, nor one
// that it is part of, is whole in there. Called functions are searched too.
// Groups that are made at run time may be made in there; that all their threads
// reach their collectives is checked later, as everywhere.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace coll::sema;
using coll::DiagnosticEngine;
using llvm::dyn_cast;
using llvm::Twine;

namespace {

class StridedLoopChecker {
public:
  StridedLoopChecker(const ForStmt &loop, DiagnosticEngine &diags)
      : loop(loop), diags(diags) {}

  void visitStmt(Stmt *stmt) {
    forEachExpr(stmt, [&](Expr *&expr) { visitExpr(expr); });
    if (auto *inner = dyn_cast<ForStmt>(stmt); inner && inner->strided)
      return;
    forEachSubStmt(stmt, [&](Stmt *inner) { visitStmt(inner); });
  }

private:
  void visitExpr(Expr *expr) {
    forEachOperand(expr, [&](Expr *&operand) { visitExpr(operand); });
    if (auto *call = dyn_cast<CallExpr>(expr)) {
      if (call->callee->body && visited.insert(call->callee).second)
        visitStmt(call->callee->body);
    } else if (auto *collective = dyn_cast<CollectiveExpr>(expr)) {
      visitCollective(*collective);
    }
  }

  void visitCollective(const CollectiveExpr &collective) {
    if (collective.group.kind == Group::Kind::Thread ||
        collective.group.kind == Group::Kind::Members)
      return;
    std::string group = loop.strided->str();
    diags
        .error(collective.getLoc(),
               Twine(collective.group.str()) + "." +
                   getMethodName(collective.method) +
                   " is inside a loop over " + group +
                   ".strided, where threads make different numbers of trips; "
                   "use " +
                   group + ".chunks, where all make the same")
        .note(loop.getLoc(), "the loop is here");
  }

  const ForStmt &loop;
  DiagnosticEngine &diags;
  llvm::SmallPtrSet<const Function *, 8> visited;
};

} // namespace

void coll::sema::checkStridedLoop(const ForStmt &loop,
                                  DiagnosticEngine &diags) {
  if (loop.strided && loop.strided->kind != Group::Kind::Thread && loop.body)
    StridedLoopChecker(loop, diags).visitStmt(loop.body);
}
