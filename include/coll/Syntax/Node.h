//===- Node.h - What all nodes of the tree share, and types -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree is immutable once parsed. Nodes, lists and strings lie in the arena
// of an `ast::Context` and are never destroyed one by one, so a node holds
// nothing that has a destructor. Names refer into the source buffer.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_NODE_H
#define COLL_SYNTAX_NODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"
#include <cstdint>

namespace coll::ast {

class Expr;

/// A name with its place.
struct Name {
  llvm::StringRef text;
  llvm::SMRange range;
  llvm::SMLoc getLoc() const { return range.Start; }
  explicit operator bool() const { return !text.empty(); }
};

/// The base of all nodes: a half-open range of source text.
class Node {
public:
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;
  llvm::SMRange getRange() const { return range; }
  /// Where the node begins.
  llvm::SMLoc getLoc() const { return range.Start; }

protected:
  explicit Node(llvm::SMRange range) : range(range) {}

private:
  llvm::SMRange range;
};

/// A type as written.
class TypeExpr : public Node {
public:
  enum class Kind : uint8_t { Named, Array, Tuple, View };
  Kind getKind() const { return kind; }

protected:
  TypeExpr(Kind kind, llvm::SMRange range) : Node(range), kind(kind) {}

private:
  Kind kind;
};

/// An argument between `<` and `>`: exactly one of the two is set. A plain name
/// such as `N`, `f32`, `add` or `std.Pair` is always a `NamedType`, because
/// only its declaration tells a constant or an operator from a type.
struct GenericArg {
  const TypeExpr *type = nullptr;
  const Expr *value = nullptr;
};

/// `f32`, `Moments`, `std.Pair<f32, 4>`.
class NamedType : public TypeExpr {
public:
  NamedType(llvm::SMRange range, llvm::ArrayRef<Name> path,
            llvm::ArrayRef<GenericArg> args)
      : TypeExpr(Kind::Named, range), path(path), args(args) {}
  /// At least one name; more where it is qualified.
  llvm::ArrayRef<Name> getPath() const { return path; }
  /// The last name of the path.
  const Name &getName() const { return path.back(); }
  llvm::ArrayRef<GenericArg> getArgs() const { return args; }
  static bool classof(const TypeExpr *t) { return t->getKind() == Kind::Named; }

private:
  llvm::ArrayRef<Name> path;
  llvm::ArrayRef<GenericArg> args;
};

/// `[T; N]`.
class ArrayType : public TypeExpr {
public:
  ArrayType(llvm::SMRange range, const TypeExpr *element, const Expr *count)
      : TypeExpr(Kind::Array, range), element(element), count(count) {}
  const TypeExpr *getElement() const { return element; }
  const Expr *getCount() const { return count; }
  static bool classof(const TypeExpr *t) { return t->getKind() == Kind::Array; }

private:
  const TypeExpr *element;
  const Expr *count;
};

/// `(A, B)`; `()` has no elements, `(A,)` one.
class TupleType : public TypeExpr {
public:
  TupleType(llvm::SMRange range, llvm::ArrayRef<const TypeExpr *> elements)
      : TypeExpr(Kind::Tuple, range), elements(elements) {}
  llvm::ArrayRef<const TypeExpr *> getElements() const { return elements; }
  static bool classof(const TypeExpr *t) { return t->getKind() == Kind::Tuple; }

private:
  llvm::ArrayRef<const TypeExpr *> elements;
};

/// `[n]T`, `[rows, cols]T`, `[rows, cols; pitch ld]T`: a shaped view in a
/// parameter; the shape of a buffer in `shared`, `workspace` and `scratch`.
class ViewType : public TypeExpr {
public:
  ViewType(llvm::SMRange range, llvm::ArrayRef<const Expr *> extents,
           Name pitch, const TypeExpr *element)
      : TypeExpr(Kind::View, range), extents(extents), pitch(pitch),
        element(element) {}
  /// At least one. In a signature a plain `NameExpr` names the extent.
  llvm::ArrayRef<const Expr *> getExtents() const { return extents; }
  /// The name of the pitch; empty if there is none.
  const Name &getPitch() const { return pitch; }
  const TypeExpr *getElement() const { return element; }
  static bool classof(const TypeExpr *t) { return t->getKind() == Kind::View; }

private:
  llvm::ArrayRef<const Expr *> extents;
  Name pitch;
  const TypeExpr *element;
};

} // namespace coll::ast

#endif // COLL_SYNTAX_NODE_H
