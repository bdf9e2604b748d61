//===- Walk.h - Visiting the parts of typed nodes ---------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes over the typed tree (contraction, definite assignment, purity)
// share these visitors. A part is handed out by reference so that it can be
// replaced; absent parts are left out. Parts come in the order of evaluation.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_WALK_H
#define COLL_LIB_SEMA_WALK_H

#include "coll/Sema/TypedAST.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace coll::sema {

using ExprVisitor = llvm::function_ref<void(Expr *&)>;
using StmtVisitor = llvm::function_ref<void(Stmt *)>;

/// The expressions directly inside `expr`. Those of a collective's operator
/// (its result and identity) come last.
void forEachOperand(Expr *expr, ExprVisitor visit);

/// The expressions directly inside `stmt`, places included; not those of nested
/// statements.
void forEachExpr(Stmt *stmt, ExprVisitor visit);

/// The statements directly inside `stmt`.
void forEachSubStmt(Stmt *stmt, StmtVisitor visit);

/// The variable that a place or view is part of: `x` for `x.a[i]` and for
/// `x.flat()[i]`; null if the base is a value.
Variable *getRootVariable(Expr *place);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_WALK_H
