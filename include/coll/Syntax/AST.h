//===- AST.h - The syntax tree of a file ------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree as a whole: a `SourceFile` lists the items, a `Context` owns all
// nodes of any number of files. See Node.h (types), Expr.h, Stmt.h, Item.h.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SYNTAX_AST_H
#define COLL_SYNTAX_AST_H

#include "coll/Syntax/Item.h"
#include "llvm/Support/Allocator.h"
#include <type_traits>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace coll::ast {

/// The items of one buffer, in the order of the text.
class SourceFile : public Node {
public:
  SourceFile(llvm::SMRange range, unsigned bufferId,
             llvm::ArrayRef<const Item *> items)
      : Node(range), bufferId(bufferId), items(items) {}
  /// The buffer's number in the source manager.
  unsigned getBufferId() const { return bufferId; }
  llvm::ArrayRef<const Item *> getItems() const { return items; }

private:
  unsigned bufferId;
  llvm::ArrayRef<const Item *> items;
};

/// Owns the nodes of any number of files. They live as long as it does, and
/// refer into the buffers of the source manager, which must live as long.
class Context {
public:
  Context() = default;
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  template <typename T, typename... Args> const T *create(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (arena.Allocate<T>()) T(std::forward<Args>(args)...);
  }
  /// A statement with the attributes that stand before it.
  void setAttributes(const Stmt *stmt, llvm::ArrayRef<Attribute> attributes) {
    const_cast<Stmt *>(stmt)->attributes = attributes;
  }
  /// A copy of a list, in the arena.
  template <typename List> auto copy(const List &list) {
    return llvm::ArrayRef(list).copy(arena);
  }
  llvm::StringRef copy(llvm::StringRef text) { return text.copy(arena); }

private:
  llvm::BumpPtrAllocator arena;
};

/// Prints the file as Coll text in the canonical style. Parsing that text and
/// printing again gives the same text.
void printAST(llvm::raw_ostream &os, const SourceFile &file);
/// Prints one expression or type on one line, as messages quote it.
void printAST(llvm::raw_ostream &os, const Expr &expr);
void printAST(llvm::raw_ostream &os, const TypeExpr &type);

} // namespace coll::ast

#endif // COLL_SYNTAX_AST_H
