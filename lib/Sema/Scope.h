//===- Scope.h - Local names ------------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a local name stands for, and the nested scopes of a function's body.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_SCOPE_H
#define COLL_LIB_SEMA_SCOPE_H

#include "coll/Sema/TypedAST.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace coll::sema {

struct ChunkInfo;

/// A local name's meaning.
struct Symbol {
  enum class Kind { Variable, Constant, Type, Group, Chunk, Poison };
  /// Poison: declared, but with an error; uses are silent.
  Kind kind = Kind::Poison;
  llvm::SMLoc loc;
  Variable *variable = nullptr;
  ConstantExpr *constant = nullptr; ///< `static for`, const generics.
  const Type *type = nullptr;       ///< Type generics.
  std::optional<Group> group;       ///< `let tile = warp.tile(8);`
  const ChunkInfo *chunk = nullptr;

  static Symbol of(Variable *variable) {
    Symbol symbol;
    symbol.kind = Kind::Variable;
    symbol.loc = variable->loc;
    symbol.variable = variable;
    return symbol;
  }
  static Symbol of(ConstantExpr *constant, llvm::SMLoc loc) {
    Symbol symbol;
    symbol.kind = Kind::Constant;
    symbol.loc = loc;
    symbol.constant = constant;
    return symbol;
  }
  static Symbol of(const Type *type, llvm::SMLoc loc) {
    Symbol symbol;
    symbol.kind = Kind::Type;
    symbol.loc = loc;
    symbol.type = type;
    return symbol;
  }
  static Symbol of(const Group &group, llvm::SMLoc loc) {
    Symbol symbol;
    symbol.kind = Kind::Group;
    symbol.loc = loc;
    symbol.group = group;
    return symbol;
  }
  static Symbol of(const ChunkInfo *chunk, llvm::SMLoc loc) {
    Symbol symbol;
    symbol.kind = Kind::Chunk;
    symbol.loc = loc;
    symbol.chunk = chunk;
    return symbol;
  }
  static Symbol poison(llvm::SMLoc loc) {
    Symbol symbol;
    symbol.loc = loc;
    return symbol;
  }
};

/// Nested scopes. Looking up, entering and leaving take constant time a name.
class Scopes {
public:
  void push() { marks.push_back(entries.size()); }
  void pop();
  /// Null if there is none.
  const Symbol *lookup(llvm::StringRef name) const;
  /// The symbol that the innermost scope has under that name already, and which
  /// stays; null if `symbol` was declared.
  const Symbol *declare(llvm::StringRef name, Symbol symbol);
  /// All visible names, for suggestions.
  void list(llvm::SmallVectorImpl<llvm::StringRef> &names) const;

private:
  static constexpr unsigned none = ~0u;
  struct Entry {
    llvm::StringRef name;
    Symbol symbol;
    unsigned shadowed; ///< Index of the entry that this one hides.
  };
  std::vector<Entry> entries;
  llvm::SmallVector<unsigned, 8> marks;
  llvm::DenseMap<llvm::StringRef, unsigned> visible;
};

/// Enters a scope for as long as it lives.
class ScopeGuard {
public:
  explicit ScopeGuard(Scopes &scopes) : scopes(scopes) { scopes.push(); }
  ~ScopeGuard() { scopes.pop(); }
  ScopeGuard(const ScopeGuard &) = delete;
  ScopeGuard &operator=(const ScopeGuard &) = delete;

private:
  Scopes &scopes;
};

} // namespace coll::sema

#endif // COLL_LIB_SEMA_SCOPE_H
