//===- Item.h - What stands at the top of a file ----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_ITEM_H
#define COLL_SYNTAX_ITEM_H

#include "coll/Syntax/Stmt.h"

namespace coll::ast {

/// `T`, `T: numeric`, `T: float = f32`, `const N: u32`, `const N: u32 = 4`.
struct GenericParam {
  Name name;
  /// A constant rather than a type.
  bool isConst = false;
  /// Of a type: `any`, `numeric`, `integer`, `float`; empty if none is written,
  /// which is `any`. Another name is kept for Sema to refuse.
  Name constraint;
  /// Of a constant: its type, never null.
  const TypeExpr *type = nullptr;
  /// Of a type: its default, or null.
  const TypeExpr *defaultType = nullptr;
  /// Of a constant: its default, or null.
  const Expr *defaultValue = nullptr;
};

/// How a parameter is passed: `T`, `mut T`, `inout T`.
enum class Passing : uint8_t { In, Mut, InOut };

/// `x: [n]f32`, `y: mut [n]f32`, `t: mut shared [f32; 32]`, `v: mut f32`.
struct Param {
  Name name;
  Passing passing = Passing::In;
  /// `shared` is written before the type.
  bool isShared = false;
  const TypeExpr *type = nullptr;
  llvm::SMRange range;
};

class Item : public Node {
public:
  enum class Kind : uint8_t {
    Kernel,
    Pipeline,
    Function,
    Operator,
    Struct,
    Enum,
    Const,
    TypeAlias,
    Import,
    Test
  };
  Kind getKind() const { return kind; }
  /// Empty for imports and tests.
  const Name &getName() const { return name; }

protected:
  Item(Kind kind, llvm::SMRange range, Name name)
      : Node(range), kind(kind), name(name) {}

private:
  Kind kind;
  Name name;
};

/// What stands between the parameters of a kernel and its body. A list or
/// expression that was not written is empty or null.
struct KernelClauses {
  /// `workgroup(x[, y[, z]])`: at most three. Sema asks for at least one.
  llvm::ArrayRef<const Expr *> workgroup;
  /// `grid(gx[, gy[, gz]])`: at most three.
  llvm::ArrayRef<const Expr *> grid;
  /// `grid(device)`; then `grid` is empty.
  bool gridDevice = false;
  llvm::SMRange workgroupRange;
  llvm::SMRange gridRange;
  const Expr *cluster = nullptr;
  const Expr *maxRegisters = nullptr;
  const Expr *minBlocks = nullptr;
};

/// `kernel name<generics>(params) workgroup(x) grid(g) { }`.
class KernelItem : public Item {
public:
  KernelItem(llvm::SMRange range, Name name,
             llvm::ArrayRef<GenericParam> generics,
             llvm::ArrayRef<Param> params, const KernelClauses &clauses,
             const BlockStmt *body)
      : Item(Kind::Kernel, range, name), generics(generics), params(params),
        clauses(clauses), body(body) {}
  llvm::ArrayRef<GenericParam> getGenerics() const { return generics; }
  llvm::ArrayRef<Param> getParams() const { return params; }
  const KernelClauses &getClauses() const { return clauses; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Kernel; }

private:
  llvm::ArrayRef<GenericParam> generics;
  llvm::ArrayRef<Param> params;
  KernelClauses clauses;
  const BlockStmt *body;
};

/// `pipeline name(params) { }`.
class PipelineItem : public Item {
public:
  PipelineItem(llvm::SMRange range, Name name,
               llvm::ArrayRef<GenericParam> generics,
               llvm::ArrayRef<Param> params, const BlockStmt *body)
      : Item(Kind::Pipeline, range, name), generics(generics), params(params),
        body(body) {}
  llvm::ArrayRef<GenericParam> getGenerics() const { return generics; }
  llvm::ArrayRef<Param> getParams() const { return params; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Pipeline; }

private:
  llvm::ArrayRef<GenericParam> generics;
  llvm::ArrayRef<Param> params;
  const BlockStmt *body;
};

/// `fn name<generics>(params) -> T { }`.
class FunctionItem : public Item {
public:
  FunctionItem(llvm::SMRange range, Name name,
               llvm::ArrayRef<GenericParam> generics,
               llvm::ArrayRef<Param> params, const TypeExpr *result,
               const BlockStmt *body)
      : Item(Kind::Function, range, name), generics(generics), params(params),
        result(result), body(body) {}
  llvm::ArrayRef<GenericParam> getGenerics() const { return generics; }
  llvm::ArrayRef<Param> getParams() const { return params; }
  /// Null if the function returns nothing.
  const TypeExpr *getResult() const { return result; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Function; }

private:
  llvm::ArrayRef<GenericParam> generics;
  llvm::ArrayRef<Param> params;
  const TypeExpr *result;
  const BlockStmt *body;
};

/// `op name(a: T, b: T) -> T identity e commutative { }`.
class OperatorItem : public Item {
public:
  OperatorItem(llvm::SMRange range, Name name,
               llvm::ArrayRef<GenericParam> generics,
               llvm::ArrayRef<Param> params, const TypeExpr *result,
               const Expr *identity, bool commutative, const BlockStmt *body)
      : Item(Kind::Operator, range, name), generics(generics), params(params),
        result(result), identity(identity), commutative(commutative),
        body(body) {}
  llvm::ArrayRef<GenericParam> getGenerics() const { return generics; }
  /// As many as were written; Sema asks for two.
  llvm::ArrayRef<Param> getParams() const { return params; }
  const TypeExpr *getResult() const { return result; }
  /// Null if there is none.
  const Expr *getIdentity() const { return identity; }
  bool isCommutative() const { return commutative; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Operator; }

private:
  llvm::ArrayRef<GenericParam> generics;
  llvm::ArrayRef<Param> params;
  const TypeExpr *result;
  const Expr *identity;
  bool commutative;
  const BlockStmt *body;
};

struct Field {
  Name name;
  const TypeExpr *type = nullptr;
};

/// `struct Name { a: T, b: U }`.
class StructItem : public Item {
public:
  StructItem(llvm::SMRange range, Name name,
             llvm::ArrayRef<GenericParam> generics,
             llvm::ArrayRef<Field> fields)
      : Item(Kind::Struct, range, name), generics(generics), fields(fields) {}
  llvm::ArrayRef<GenericParam> getGenerics() const { return generics; }
  llvm::ArrayRef<Field> getFields() const { return fields; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Struct; }

private:
  llvm::ArrayRef<GenericParam> generics;
  llvm::ArrayRef<Field> fields;
};

/// `name` or `name = value` in an enum; `value` is null for the first form.
struct Enumerator {
  Name name;
  const Expr *value = nullptr;
};

/// `enum Flag: u32 { none, total = 4 }`.
class EnumItem : public Item {
public:
  EnumItem(llvm::SMRange range, Name name, const TypeExpr *underlying,
           llvm::ArrayRef<Enumerator> enumerators)
      : Item(Kind::Enum, range, name), underlying(underlying),
        enumerators(enumerators) {}
  /// Null if none is written.
  const TypeExpr *getUnderlying() const { return underlying; }
  llvm::ArrayRef<Enumerator> getEnumerators() const { return enumerators; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Enum; }

private:
  const TypeExpr *underlying;
  llvm::ArrayRef<Enumerator> enumerators;
};

/// `const NAME: T = e;`.
class ConstItem : public Item {
public:
  ConstItem(llvm::SMRange range, Name name, const TypeExpr *type,
            const Expr *value)
      : Item(Kind::Const, range, name), type(type), value(value) {}
  const TypeExpr *getType() const { return type; }
  const Expr *getValue() const { return value; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Const; }

private:
  const TypeExpr *type;
  const Expr *value;
};

/// `type Name = T;`.
class TypeAliasItem : public Item {
public:
  TypeAliasItem(llvm::SMRange range, Name name, const TypeExpr *type)
      : Item(Kind::TypeAlias, range, name), type(type) {}
  const TypeExpr *getType() const { return type; }
  static bool classof(const Item *i) { return i->getKind() == Kind::TypeAlias; }

private:
  const TypeExpr *type;
};

/// `import std.reduce;` or `import "file.coll";`.
class ImportItem : public Item {
public:
  ImportItem(llvm::SMRange range, llvm::ArrayRef<Name> path,
             const StringLiteral *file)
      : Item(Kind::Import, range, {}), path(path), file(file) {}
  /// Empty where a file is named.
  llvm::ArrayRef<Name> getPath() const { return path; }
  /// Null where a module is named.
  const StringLiteral *getFile() const { return file; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Import; }

private:
  llvm::ArrayRef<Name> path;
  const StringLiteral *file;
};

/// `test "what it shows" { }`.
class TestItem : public Item {
public:
  TestItem(llvm::SMRange range, const StringLiteral *title,
           const BlockStmt *body)
      : Item(Kind::Test, range, {}), title(title), body(body) {}
  const StringLiteral *getTitle() const { return title; }
  const BlockStmt *getBody() const { return body; }
  static bool classof(const Item *i) { return i->getKind() == Kind::Test; }

private:
  const StringLiteral *title;
  const BlockStmt *body;
};

} // namespace coll::ast

#endif // COLL_SYNTAX_ITEM_H
