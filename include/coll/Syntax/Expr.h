//===- Expr.h - Expressions -------------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parentheses are not kept: the tree says what belongs together. What looks
// like a call is a `CallExpr`, also `bitcast<T>(v)`, `atomic.add(x[i], v)` and
// `g.reduce(add, v)`; Sema finds out who is called.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_EXPR_H
#define COLL_SYNTAX_EXPR_H

#include "coll/Syntax/Node.h"
#include "llvm/ADT/APInt.h"
#include <algorithm>

namespace coll::ast {

class BlockStmt;

class Expr : public Node {
public:
  enum class Kind : uint8_t {
    IntLiteral,
    FloatLiteral,
    BoolLiteral,
    StringLiteral,
    Name,
    Member,
    Call,
    Index,
    Unary,
    Binary,
    Conditional,
    Cast,
    Range,
    Tuple,
    ArrayLiteral,
    ArrayRepeat,
    StructLiteral,
    Lambda,
    Scratch,
    Type
  };
  Kind getKind() const { return kind; }
  /// The number of expressions on the longest way to a leaf, those inside types
  /// and bodies included. The parser refuses more than `maxExprHeight`, so that
  /// a walk over the tree may recurse. Constructors of expressions that hold
  /// types or a body take the greatest height in there as `inner`.
  unsigned getHeight() const { return height; }

protected:
  Expr(Kind kind, llvm::SMRange range, unsigned height = 1)
      : Node(range), kind(kind), height(height) {}
  static unsigned above(const Expr *e) { return e ? e->height + 1 : 1; }
  static unsigned above(const Expr *a, const Expr *b) {
    return std::max(above(a), above(b));
  }
  static unsigned above(llvm::ArrayRef<const Expr *> list) {
    unsigned height = 1;
    for (const Expr *e : list)
      height = std::max(height, above(e));
    return height;
  }

private:
  Kind kind;
  unsigned height;
};

/// The greatest `Expr::getHeight` of a parsed tree.
constexpr unsigned maxExprHeight = 1000;
/// The greatest number of brackets, blocks, types and prefix operators inside
/// one another.
constexpr unsigned maxNesting = 256;

/// `42`, `0xff`, `0b11`, `0o17`, `1_000`.
class IntLiteral : public Expr {
public:
  IntLiteral(llvm::SMRange range, llvm::StringRef text, uint64_t low,
             uint64_t high)
      : Expr(Kind::IntLiteral, range), text(text), words{low, high} {}
  /// The value, 128 bits wide, unsigned.
  llvm::APInt getValue() const { return llvm::APInt(128, words); }
  llvm::StringRef getText() const { return text; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::IntLiteral;
  }

private:
  llvm::StringRef text;
  uint64_t words[2];
};

/// `1.0`, `1e-3`, `0x1.8p3`, `inf`, `nan`. The text is kept, so that it is
/// rounded once, to the type it gets.
class FloatLiteral : public Expr {
public:
  FloatLiteral(llvm::SMRange range, llvm::StringRef text)
      : Expr(Kind::FloatLiteral, range), text(text) {}
  /// Without `_`: what `llvm::APFloat::convertFromString` takes.
  llvm::StringRef getText() const { return text; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::FloatLiteral;
  }

private:
  llvm::StringRef text;
};

/// `true`, `false`.
class BoolLiteral : public Expr {
public:
  BoolLiteral(llvm::SMRange range, bool value)
      : Expr(Kind::BoolLiteral, range), value(value) {}
  bool getValue() const { return value; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::BoolLiteral;
  }

private:
  bool value;
};

/// `"text"`, where a string may stand: `target.has("redux")`, `assert`,
/// `print`.
class StringLiteral : public Expr {
public:
  StringLiteral(llvm::SMRange range, llvm::StringRef value)
      : Expr(Kind::StringLiteral, range), value(value) {}
  /// With the escapes resolved.
  llvm::StringRef getValue() const { return value; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::StringLiteral;
  }

private:
  llvm::StringRef value;
};

/// A plain name: a variable, a function, an operator, a type, a group.
class NameExpr : public Expr {
public:
  NameExpr(llvm::SMRange range, llvm::StringRef name)
      : Expr(Kind::Name, range), name(name) {}
  llvm::StringRef getName() const { return name; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Name; }

private:
  llvm::StringRef name;
};

/// `base.member`: a field, a method, an enumerator, a component, or `t.0`, an
/// element of a tuple (the name is then a decimal number).
class MemberExpr : public Expr {
public:
  MemberExpr(llvm::SMRange range, const Expr *base, Name member)
      : Expr(Kind::Member, range, above(base)), base(base), member(member) {}
  const Expr *getBase() const { return base; }
  const Name &getMember() const { return member; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Member; }

private:
  const Expr *base;
  Name member;
};

/// An argument of a call; `name` is empty unless it was given: `fill = 0`.
struct Arg {
  Name name;
  const Expr *value = nullptr;
};

/// `callee<generics>(args)`. The callee is a `NameExpr` or `MemberExpr` in
/// every valid program.
class CallExpr : public Expr {
public:
  CallExpr(llvm::SMRange range, const Expr *callee,
           llvm::ArrayRef<GenericArg> genericArgs, llvm::ArrayRef<Arg> args,
           unsigned inner);
  const Expr *getCallee() const { return callee; }
  /// Empty where none are written.
  llvm::ArrayRef<GenericArg> getGenericArgs() const { return genericArgs; }
  llvm::ArrayRef<Arg> getArgs() const { return args; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Call; }

private:
  const Expr *callee;
  llvm::ArrayRef<GenericArg> genericArgs;
  llvm::ArrayRef<Arg> args;
};

/// `base[i, j]`. An index that is a `RangeExpr` makes a slice: `x[a..b, c]`.
class IndexExpr : public Expr {
public:
  IndexExpr(llvm::SMRange range, const Expr *base,
            llvm::ArrayRef<const Expr *> indices)
      : Expr(Kind::Index, range, std::max(above(base), above(indices))),
        base(base), indices(indices) {}
  const Expr *getBase() const { return base; }
  llvm::ArrayRef<const Expr *> getIndices() const { return indices; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Index; }

private:
  const Expr *base;
  llvm::ArrayRef<const Expr *> indices;
};

enum class UnaryOp : uint8_t { Minus, Not, BitNot };

/// `-a`, `!a`, `~a`. The minus of `-1` is an operator, not a part of the
/// literal.
class UnaryExpr : public Expr {
public:
  UnaryExpr(llvm::SMRange range, UnaryOp op, const Expr *operand)
      : Expr(Kind::Unary, range, above(operand)), op(op), operand(operand) {}
  UnaryOp getOp() const { return op; }
  const Expr *getOperand() const { return operand; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Unary; }

private:
  UnaryOp op;
  const Expr *operand;
};

enum class BinaryOp : uint8_t {
  Mul,
  Div,
  Rem,
  Add,
  Sub,
  Shl,
  Shr,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Equal,
  NotEqual,
  BitAnd,
  BitXor,
  BitOr,
  LogicalAnd,
  LogicalOr
};

/// How the operator is written: `<<`.
llvm::StringRef getSpelling(BinaryOp op);
llvm::StringRef getSpelling(UnaryOp op);

class BinaryExpr : public Expr {
public:
  BinaryExpr(llvm::SMRange range, BinaryOp op, llvm::SMLoc opLoc,
             const Expr *lhs, const Expr *rhs)
      : Expr(Kind::Binary, range, above(lhs, rhs)), op(op), opLoc(opLoc),
        lhs(lhs), rhs(rhs) {}
  BinaryOp getOp() const { return op; }
  /// Where the operator stands.
  llvm::SMLoc getOpLoc() const { return opLoc; }
  const Expr *getLHS() const { return lhs; }
  const Expr *getRHS() const { return rhs; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Binary; }

private:
  BinaryOp op;
  llvm::SMLoc opLoc;
  const Expr *lhs;
  const Expr *rhs;
};

/// `c ? a : b`.
class ConditionalExpr : public Expr {
public:
  ConditionalExpr(llvm::SMRange range, const Expr *condition,
                  const Expr *ifTrue, const Expr *ifFalse)
      : Expr(Kind::Conditional, range,
             std::max(above(condition), above(ifTrue, ifFalse))),
        condition(condition), ifTrue(ifTrue), ifFalse(ifFalse) {}
  const Expr *getCondition() const { return condition; }
  const Expr *getTrue() const { return ifTrue; }
  const Expr *getFalse() const { return ifFalse; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::Conditional;
  }

private:
  const Expr *condition;
  const Expr *ifTrue;
  const Expr *ifFalse;
};

/// `v as T`.
class CastExpr : public Expr {
public:
  CastExpr(llvm::SMRange range, const Expr *operand, const TypeExpr *type,
           unsigned inner)
      : Expr(Kind::Cast, range, std::max(above(operand), inner + 1)),
        operand(operand), type(type) {}
  const Expr *getOperand() const { return operand; }
  const TypeExpr *getType() const { return type; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Cast; }

private:
  const Expr *operand;
  const TypeExpr *type;
};

/// `a..b`, `a..=b`: in the head of a `for`, as an index, as an argument.
class RangeExpr : public Expr {
public:
  RangeExpr(llvm::SMRange range, const Expr *begin, const Expr *end,
            bool inclusive)
      : Expr(Kind::Range, range, above(begin, end)), begin(begin), end(end),
        inclusive(inclusive) {}
  /// Null in `x[..b]` and `x[..]`, which only an index may be.
  const Expr *getBegin() const { return begin; }
  /// Null in `x[a..]` and `x[..]`, which only an index may be.
  const Expr *getEnd() const { return end; }
  bool isInclusive() const { return inclusive; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Range; }

private:
  const Expr *begin;
  const Expr *end;
  bool inclusive;
};

/// `(a, b)`; `()` has no elements, `(a,)` one.
class TupleExpr : public Expr {
public:
  TupleExpr(llvm::SMRange range, llvm::ArrayRef<const Expr *> elements)
      : Expr(Kind::Tuple, range, above(elements)), elements(elements) {}
  llvm::ArrayRef<const Expr *> getElements() const { return elements; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Tuple; }

private:
  llvm::ArrayRef<const Expr *> elements;
};

/// `[a, b]`.
class ArrayLiteral : public Expr {
public:
  ArrayLiteral(llvm::SMRange range, llvm::ArrayRef<const Expr *> elements)
      : Expr(Kind::ArrayLiteral, range, above(elements)), elements(elements) {}
  llvm::ArrayRef<const Expr *> getElements() const { return elements; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::ArrayLiteral;
  }

private:
  llvm::ArrayRef<const Expr *> elements;
};

/// `[e; N]`.
class ArrayRepeat : public Expr {
public:
  ArrayRepeat(llvm::SMRange range, const Expr *element, const Expr *count)
      : Expr(Kind::ArrayRepeat, range, above(element, count)), element(element),
        count(count) {}
  const Expr *getElement() const { return element; }
  const Expr *getCount() const { return count; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::ArrayRepeat;
  }

private:
  const Expr *element;
  const Expr *count;
};

/// `name: value` in a struct literal; `name` alone stands for `name: name`.
struct FieldInit {
  Name name;
  const Expr *value = nullptr;
};

/// `Moments { n: 1.0, mean: x }`.
class StructLiteral : public Expr {
public:
  StructLiteral(llvm::SMRange range, const NamedType *type,
                llvm::ArrayRef<FieldInit> fields, unsigned inner);
  const NamedType *getType() const { return type; }
  llvm::ArrayRef<FieldInit> getFields() const { return fields; }
  static bool classof(const Expr *e) {
    return e->getKind() == Kind::StructLiteral;
  }

private:
  const NamedType *type;
  llvm::ArrayRef<FieldInit> fields;
};

/// A parameter of a lambda; `type` is null where it is left to be inferred.
struct LambdaParam {
  Name name;
  const TypeExpr *type = nullptr;
};

/// `|a, b| a * b` or `|a, b| { return a * b; }`.
class LambdaExpr : public Expr {
public:
  LambdaExpr(llvm::SMRange range, llvm::ArrayRef<LambdaParam> params,
             const Expr *value, const BlockStmt *body, unsigned inner)
      : Expr(Kind::Lambda, range, std::max(above(value), inner + 1)),
        params(params), value(value), body(body) {}
  llvm::ArrayRef<LambdaParam> getParams() const { return params; }
  /// Exactly one of value and body is set.
  const Expr *getValue() const { return value; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Lambda; }

private:
  llvm::ArrayRef<LambdaParam> params;
  const Expr *value;
  const BlockStmt *body;
};

/// `scratch [n]T` in a pipeline.
class ScratchExpr : public Expr {
public:
  ScratchExpr(llvm::SMRange range, const TypeExpr *type, unsigned inner)
      : Expr(Kind::Scratch, range, inner + 1), type(type) {}
  const TypeExpr *getType() const { return type; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Scratch; }

private:
  const TypeExpr *type;
};

/// A shape as an argument, in tests: `zeros([10000]f32)`.
class TypeArgExpr : public Expr {
public:
  TypeArgExpr(llvm::SMRange range, const TypeExpr *type, unsigned inner)
      : Expr(Kind::Type, range, inner + 1), type(type) {}
  const TypeExpr *getType() const { return type; }
  static bool classof(const Expr *e) { return e->getKind() == Kind::Type; }

private:
  const TypeExpr *type;
};

inline CallExpr::CallExpr(llvm::SMRange range, const Expr *callee,
                          llvm::ArrayRef<GenericArg> genericArgs,
                          llvm::ArrayRef<Arg> args, unsigned inner)
    : Expr(Kind::Call, range,
           [&] {
             unsigned height = std::max(above(callee), inner + 1);
             for (const Arg &arg : args)
               height = std::max(height, above(arg.value));
             return height;
           }()),
      callee(callee), genericArgs(genericArgs), args(args) {}

inline StructLiteral::StructLiteral(llvm::SMRange range, const NamedType *type,
                                    llvm::ArrayRef<FieldInit> fields,
                                    unsigned inner)
    : Expr(Kind::StructLiteral, range,
           [&] {
             unsigned height = inner + 1;
             for (const FieldInit &field : fields)
               height = std::max(height, above(field.value));
             return height;
           }()),
      type(type), fields(fields) {}

} // namespace coll::ast

#endif // COLL_SYNTAX_EXPR_H
