//===- Stmt.h - Statements --------------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_STMT_H
#define COLL_SYNTAX_STMT_H

#include "coll/Syntax/Expr.h"
#include <optional>

namespace coll::ast {

/// `#[unroll]`, `#[unroll(4)]`, `#[distinct]` before a statement.
struct Attribute {
  Name name;
  llvm::ArrayRef<const Expr *> args;
};

class Stmt : public Node {
public:
  enum class Kind : uint8_t {
    Block,
    Var,
    Assign,
    Expr,
    If,
    While,
    For,
    Switch,
    Break,
    Continue,
    Return,
    Assert,
    Print,
    Trap,
    Shared,
    Workspace,
    Barrier,
    Launch,
    Expect
  };
  Kind getKind() const { return kind; }
  llvm::ArrayRef<Attribute> getAttributes() const { return attributes; }

protected:
  Stmt(Kind kind, llvm::SMRange range) : Node(range), kind(kind) {}

private:
  friend class Context;
  Kind kind;
  llvm::ArrayRef<Attribute> attributes;
};

/// `{ … }`.
class BlockStmt : public Stmt {
public:
  BlockStmt(llvm::SMRange range, llvm::ArrayRef<const Stmt *> body)
      : Stmt(Kind::Block, range), body(body) {}
  llvm::ArrayRef<const Stmt *> getBody() const { return body; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Block; }

private:
  llvm::ArrayRef<const Stmt *> body;
};

/// What `let` and `var` bind: a name (`_` binds nothing) or, where the name is
/// empty, a tuple of patterns.
class Pattern : public Node {
public:
  Pattern(llvm::SMRange range, Name name,
          llvm::ArrayRef<const Pattern *> elements)
      : Node(range), name(name), elements(elements) {}
  bool isTuple() const { return !name; }
  const Name &getName() const { return name; }
  llvm::ArrayRef<const Pattern *> getElements() const { return elements; }

private:
  Name name;
  llvm::ArrayRef<const Pattern *> elements;
};

/// `let x = e;`, `let (a, b) = e;`, `var x: T;`, `var x: T = e;`.
class VarStmt : public Stmt {
public:
  VarStmt(llvm::SMRange range, bool isLet, const Pattern *pattern,
          const TypeExpr *type, const Expr *init)
      : Stmt(Kind::Var, range), let(isLet), pattern(pattern), type(type),
        init(init) {}
  /// `let` rather than `var`.
  bool isLet() const { return let; }
  const Pattern *getPattern() const { return pattern; }
  /// Null where none is written; then there is an initial value.
  const TypeExpr *getType() const { return type; }
  /// Null for `var x: T;` only.
  const Expr *getInit() const { return init; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Var; }

private:
  bool let;
  const Pattern *pattern;
  const TypeExpr *type;
  const Expr *init;
};

/// `place = e;`, `place += e;`.
class AssignStmt : public Stmt {
public:
  AssignStmt(llvm::SMRange range, std::optional<BinaryOp> op, llvm::SMLoc opLoc,
             const Expr *target, const Expr *value)
      : Stmt(Kind::Assign, range), op(op), opLoc(opLoc), target(target),
        value(value) {}
  /// The operator of a compound assignment.
  std::optional<BinaryOp> getOp() const { return op; }
  llvm::SMLoc getOpLoc() const { return opLoc; }
  const Expr *getTarget() const { return target; }
  const Expr *getValue() const { return value; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Assign; }

private:
  std::optional<BinaryOp> op;
  llvm::SMLoc opLoc;
  const Expr *target;
  const Expr *value;
};

/// `f(x);`.
class ExprStmt : public Stmt {
public:
  ExprStmt(llvm::SMRange range, const Expr *expr)
      : Stmt(Kind::Expr, range), expr(expr) {}
  const Expr *getExpr() const { return expr; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Expr; }

private:
  const Expr *expr;
};

/// `if c { } else if d { } else { }`, `static if c { }`.
class IfStmt : public Stmt {
public:
  IfStmt(llvm::SMRange range, bool isStatic, const Expr *condition,
         const BlockStmt *thenBlock, const Stmt *elseStmt)
      : Stmt(Kind::If, range), staticIf(isStatic), condition(condition),
        thenBlock(thenBlock), elseStmt(elseStmt) {}
  /// An `else if` of a `static if` is static too.
  bool isStatic() const { return staticIf; }
  const Expr *getCondition() const { return condition; }
  const BlockStmt *getThen() const { return thenBlock; }
  /// Null, a `BlockStmt` or an `IfStmt`.
  const Stmt *getElse() const { return elseStmt; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::If; }

private:
  bool staticIf;
  const Expr *condition;
  const BlockStmt *thenBlock;
  const Stmt *elseStmt;
};

class WhileStmt : public Stmt {
public:
  WhileStmt(llvm::SMRange range, const Expr *condition, const BlockStmt *body)
      : Stmt(Kind::While, range), condition(condition), body(body) {}
  const Expr *getCondition() const { return condition; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::While; }

private:
  const Expr *condition;
  const BlockStmt *body;
};

/// `for i in a..b { }`, `static for k in 0..4 { }`. What is stepped through is
/// a `RangeExpr`, or a call: `(a..b).step(s)`, `(a..b).rev()`,
/// `g.strided(n)`, `g.chunks(n, K, max = M)`.
class ForStmt : public Stmt {
public:
  ForStmt(llvm::SMRange range, bool isStatic, Name variable,
          const Expr *iterated, const BlockStmt *body)
      : Stmt(Kind::For, range), staticFor(isStatic), variable(variable),
        iterated(iterated), body(body) {}
  bool isStatic() const { return staticFor; }
  const Name &getVariable() const { return variable; }
  const Expr *getIterated() const { return iterated; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::For; }

private:
  bool staticFor;
  Name variable;
  const Expr *iterated;
  const BlockStmt *body;
};

/// `1, 2: { }` in a switch.
struct SwitchCase {
  llvm::ArrayRef<const Expr *> values;
  const BlockStmt *body = nullptr;
};

/// `switch v { 1, 2: { } else: { } }`. No case falls through.
class SwitchStmt : public Stmt {
public:
  SwitchStmt(llvm::SMRange range, const Expr *value,
             llvm::ArrayRef<SwitchCase> cases, const BlockStmt *elseBody)
      : Stmt(Kind::Switch, range), value(value), cases(cases),
        elseBody(elseBody) {}
  const Expr *getValue() const { return value; }
  llvm::ArrayRef<SwitchCase> getCases() const { return cases; }
  /// Null if there is none.
  const BlockStmt *getElse() const { return elseBody; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Switch; }

private:
  const Expr *value;
  llvm::ArrayRef<SwitchCase> cases;
  const BlockStmt *elseBody;
};

class BreakStmt : public Stmt {
public:
  explicit BreakStmt(llvm::SMRange range) : Stmt(Kind::Break, range) {}
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Break; }
};

class ContinueStmt : public Stmt {
public:
  explicit ContinueStmt(llvm::SMRange range) : Stmt(Kind::Continue, range) {}
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Continue; }
};

class ReturnStmt : public Stmt {
public:
  ReturnStmt(llvm::SMRange range, const Expr *value)
      : Stmt(Kind::Return, range), value(value) {}
  /// Null in `return;`.
  const Expr *getValue() const { return value; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Return; }

private:
  const Expr *value;
};

/// `assert(cond);`, `assert(cond, "text {}", v);`.
class AssertStmt : public Stmt {
public:
  AssertStmt(llvm::SMRange range, const Expr *condition,
             const StringLiteral *format, llvm::ArrayRef<const Expr *> args)
      : Stmt(Kind::Assert, range), condition(condition), format(format),
        args(args) {}
  const Expr *getCondition() const { return condition; }
  /// Null if there is no text.
  const StringLiteral *getFormat() const { return format; }
  llvm::ArrayRef<const Expr *> getArgs() const { return args; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Assert; }

private:
  const Expr *condition;
  const StringLiteral *format;
  llvm::ArrayRef<const Expr *> args;
};

/// `print("lane {}: {}", i, v);`.
class PrintStmt : public Stmt {
public:
  PrintStmt(llvm::SMRange range, const StringLiteral *format,
            llvm::ArrayRef<const Expr *> args)
      : Stmt(Kind::Print, range), format(format), args(args) {}
  const StringLiteral *getFormat() const { return format; }
  llvm::ArrayRef<const Expr *> getArgs() const { return args; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Print; }

private:
  const StringLiteral *format;
  llvm::ArrayRef<const Expr *> args;
};

/// `trap();`.
class TrapStmt : public Stmt {
public:
  explicit TrapStmt(llvm::SMRange range) : Stmt(Kind::Trap, range) {}
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Trap; }
};

/// `shared name: T;`, `shared name: T align(128);`.
class SharedStmt : public Stmt {
public:
  SharedStmt(llvm::SMRange range, Name name, const TypeExpr *type,
             const Expr *alignment)
      : Stmt(Kind::Shared, range), name(name), type(type),
        alignment(alignment) {}
  const Name &getName() const { return name; }
  const TypeExpr *getType() const { return type; }
  /// Null if none is asked for.
  const Expr *getAlignment() const { return alignment; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Shared; }

private:
  Name name;
  const TypeExpr *type;
  const Expr *alignment;
};

/// `workspace name: [e]T;`, `workspace name: [e]T kept;`.
class WorkspaceStmt : public Stmt {
public:
  WorkspaceStmt(llvm::SMRange range, Name name, const TypeExpr *type, bool kept)
      : Stmt(Kind::Workspace, range), name(name), type(type), kept(kept) {}
  const Name &getName() const { return name; }
  const TypeExpr *getType() const { return type; }
  bool isKept() const { return kept; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Workspace; }

private:
  Name name;
  const TypeExpr *type;
  bool kept;
};

/// `b(n)` or `ring[3](n)` in a barrier statement; `count` is null for the
/// first form.
struct BarrierDecl {
  Name name;
  const Expr *count = nullptr;
  const Expr *arrivals = nullptr;
};

/// `barrier b(n), ring[3](n);`.
class BarrierStmt : public Stmt {
public:
  BarrierStmt(llvm::SMRange range, llvm::ArrayRef<BarrierDecl> decls)
      : Stmt(Kind::Barrier, range), decls(decls) {}
  llvm::ArrayRef<BarrierDecl> getDecls() const { return decls; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Barrier; }

private:
  llvm::ArrayRef<BarrierDecl> decls;
};

/// `launch k<args>(…) grid(e);`.
class LaunchStmt : public Stmt {
public:
  LaunchStmt(llvm::SMRange range, const CallExpr *call,
             llvm::ArrayRef<const Expr *> grid)
      : Stmt(Kind::Launch, range), call(call), grid(grid) {}
  const CallExpr *getCall() const { return call; }
  /// Empty where the kernel's own grid serves.
  llvm::ArrayRef<const Expr *> getGrid() const { return grid; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Launch; }

private:
  const CallExpr *call;
  llvm::ArrayRef<const Expr *> grid;
};

/// `expect e;` in a test.
class ExpectStmt : public Stmt {
public:
  ExpectStmt(llvm::SMRange range, const Expr *condition)
      : Stmt(Kind::Expect, range), condition(condition) {}
  const Expr *getCondition() const { return condition; }
  static bool classof(const Stmt *s) { return s->getKind() == Kind::Expect; }

private:
  const Expr *condition;
};

} // namespace coll::ast

#endif // COLL_SYNTAX_STMT_H
