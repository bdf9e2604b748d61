//===- TypedStmt.h - Statements after checking ------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See TypedAST.h.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SEMA_TYPEDSTMT_H
#define COLL_SEMA_TYPEDSTMT_H

#include "coll/Sema/TypedExpr.h"

namespace coll::sema {

/// A statement with its place.
class Stmt {
public:
  enum class Kind {
    Block,
    Declare,
    Assign,
    Expression,
    If,
    While,
    For,
    Break,
    Continue,
    Return,
    Assert,
  };
  Kind getKind() const { return kind; }
  llvm::SMLoc getLoc() const { return loc; }

protected:
  Stmt(Kind kind, llvm::SMLoc loc) : kind(kind), loc(loc) {}

private:
  Kind kind;
  llvm::SMLoc loc;
};

#define COLL_STMT(NAME, KIND)                                                  \
  static bool classof(const Stmt *s) { return s->getKind() == Kind::KIND; }    \
  explicit NAME(llvm::SMLoc loc) : Stmt(Kind::KIND, loc) {}

class BlockStmt : public Stmt {
public:
  COLL_STMT(BlockStmt, Block)
  llvm::SmallVector<Stmt *, 8> body;
};

/// Introduces `variable`: `let` and `var` (init may be null for var), a view
/// alias, a shared array (no init). Its scope ends with the enclosing block.
class DeclareStmt : public Stmt {
public:
  COLL_STMT(DeclareStmt, Declare)
  Variable *variable = nullptr;
  Expr *init = nullptr;
};

/// place = value. A compound assignment `place op= rhs` has `op` (or `fma`) set
/// through `value` being an expression in which the old value of the place
/// occurs as `oldValue` (a Variable bound here), so that the place's indices
/// are evaluated once.
class AssignStmt : public Stmt {
public:
  COLL_STMT(AssignStmt, Assign)
  Expr *place = nullptr;
  Variable *oldValue = nullptr; ///< Null for a plain assignment.
  Expr *value = nullptr;
};

class ExpressionStmt : public Stmt {
public:
  COLL_STMT(ExpressionStmt, Expression)
  Expr *expr = nullptr;
};

/// `switch` arrives as a chain of these over a `let`.
class IfStmt : public Stmt {
public:
  COLL_STMT(IfStmt, If)
  Expr *condition = nullptr;
  Stmt *thenBody = nullptr;
  Stmt *elseBody = nullptr; ///< May be null.
};

class WhileStmt : public Stmt {
public:
  COLL_STMT(WhileStmt, While)
  Expr *condition = nullptr;
  Stmt *body = nullptr;
  unsigned unroll = 0; ///< 0: as LLVM likes; 1: not; n: n times; ~0u: fully.
};

/// for variable in begin..end step step, the bounds evaluated once. All of one
/// integer type; step is positive. `reverse`: the same values from last to
/// first. `g.strided(n)` is begin = g.rank, end = n, step = g.size (as i64),
/// with `strided` set to the group. `g.chunks(n, K)` is a loop over the trip
/// number with `chunked` set: every thread of the group makes the same trips.
class ForStmt : public Stmt {
public:
  COLL_STMT(ForStmt, For)
  Variable *variable = nullptr;
  Expr *begin = nullptr;
  Expr *end = nullptr;
  Expr *step = nullptr; ///< Null: 1.
  bool inclusive = false;
  bool reverse = false;
  std::optional<Group> strided;
  std::optional<Group> chunked;
  Stmt *body = nullptr;
  unsigned unroll = 0;
};

class BreakStmt : public Stmt {
public:
  COLL_STMT(BreakStmt, Break)
};
class ContinueStmt : public Stmt {
public:
  COLL_STMT(ContinueStmt, Continue)
};
class ReturnStmt : public Stmt {
public:
  COLL_STMT(ReturnStmt, Return)
  Expr *value = nullptr; ///< Null in kernels and void functions.
};

/// assert(condition, "text {}", args...)
class AssertStmt : public Stmt {
public:
  COLL_STMT(AssertStmt, Assert)
  Expr *condition = nullptr;
  llvm::StringRef message;
  llvm::SmallVector<Expr *, 2> args;
};

#undef COLL_STMT

} // namespace coll::sema

#endif // COLL_SEMA_TYPEDSTMT_H
