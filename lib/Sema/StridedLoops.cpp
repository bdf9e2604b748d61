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
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace coll::sema;
using coll::DiagnosticEngine;
using llvm::dyn_cast;
using llvm::Twine;

namespace {

class StridedLoopChecker {
public:
  explicit StridedLoopChecker(DiagnosticEngine &diags) : diags(diags) {}

  void visitStmt(Stmt *stmt) {
    forEachExpr(stmt, [&](Expr *&expr) { visitExpr(expr); });
    const ForStmt *outer = around;
    if (auto *loop = dyn_cast<ForStmt>(stmt); loop && loop->strided)
      if (loop->strided->kind != Group::Kind::Thread)
        around = loop;
    forEachSubStmt(stmt, [&](Stmt *inner) { visitStmt(inner); });
    around = outer;
  }

private:
  void visitExpr(Expr *expr) {
    forEachOperand(expr, [&](Expr *&operand) { visitExpr(operand); });
    if (auto *call = dyn_cast<CallExpr>(expr)) {
      std::pair<const Function *, bool> key(call->callee, around != nullptr);
      if (call->callee->body && visited.insert(key).second)
        visitStmt(call->callee->body);
    } else if (auto *collective = dyn_cast<CollectiveExpr>(expr)) {
      visitCollective(collective);
    }
  }

  void visitCollective(const CollectiveExpr *collective) {
    if (!around || collective->group.kind == Group::Kind::Thread)
      return;
    std::string loopGroup = around->strided->str();
    diags
        .error(collective->getLoc(),
               Twine(collective->group.str()) + "." +
                   getMethodName(collective->method) +
                   " is inside a loop over " + loopGroup +
                   ".strided, where threads make different numbers of trips; "
                   "use " +
                   loopGroup + ".chunks, where all make the same")
        .note(around->getLoc(), "the loop is here");
  }

  DiagnosticEngine &diags;
  const ForStmt *around = nullptr;
  /// Functions searched, outside and inside such a loop.
  llvm::DenseSet<std::pair<const Function *, bool>> visited;
};

} // namespace

void coll::sema::checkStridedLoops(const Kernel &kernel,
                                   DiagnosticEngine &diags) {
  if (kernel.body)
    StridedLoopChecker(diags).visitStmt(kernel.body);
}
