//===- Instance.h - Declarations and their instances ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checker knows about files, their items, and the functions, kernels
// and structs that were made of items with generic arguments.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_INSTANCE_H
#define COLL_LIB_SEMA_INSTANCE_H

#include "Scope.h"
#include "coll/Syntax/AST.h"
#include <memory>
#include <string>

namespace coll::sema {

/// The format of a float kind.
const llvm::fltSemantics &getFloatSemantics(ScalarKind kind);

/// How far the check of a declaration is: asking for one in progress is a
/// cycle.
enum class Progress { NotStarted, InProgress, Done };

struct Module;

/// A named item of a file.
struct Decl {
  const ast::Item *item = nullptr;
  Module *module = nullptr;
  Progress progress = Progress::NotStarted;
  /// Once done: of a struct, enum or alias without generics.
  const Type *type = nullptr;
  /// Once done: of a const; null after an error.
  ConstantExpr *value = nullptr;
};

/// An argument of a generic: one of the two is set.
struct GenericValue {
  const Type *type = nullptr;
  ConstantExpr *value = nullptr;
};

/// A function, op or kernel with its generic arguments.
struct Instance {
  Decl *decl = nullptr;
  Module *module = nullptr;
  llvm::SmallVector<GenericValue, 2> args;
  std::string name; ///< "digit", "pass<8>"
  Progress progress = Progress::NotStarted;
  Function *function = nullptr; ///< Of a function or op.
  Kernel *kernel = nullptr;
  const Type *result = nullptr;
  bool isValid = false; ///< The signature is; the body may have errors.
  llvm::SmallVector<Function::BoundExtent, 4> extents;
  /// Of an op: its declared identity, or null.
  Expr *identity = nullptr;
  bool commutative = false;
  /// Bytes of shared arrays declared in the body itself.
  uint64_t sharedBytes = 0;
  Variable *dynamicShared = nullptr;
  llvm::SmallVector<Instance *, 4> callees;
  /// The calls inside one another below this one, and the bytes of stack that
  /// they take where each is checked inside its caller.
  unsigned callHeight = 0;
  ptrdiff_t stackHeight = 0;

  // While the body is being checked.
  Scopes scopes;
  unsigned loopDepth = 0;
  bool inStaticFor = false; ///< More closely than in a loop.
  unsigned staticTrips = 0;
  Instance *caller = nullptr;
  llvm::SMLoc callLoc;
  const char *frame = nullptr; ///< The stack where the check began.
};

/// The names of one file, together with those that it imports.
struct Module {
  llvm::StringRef name;
  bool isStd = false;
  const ast::SourceFile *file = nullptr;
  llvm::DenseMap<llvm::StringRef, Decl *> decls;
  llvm::SmallVector<Module *, 4> imports;
  /// The surroundings of items that are no functions.
  std::unique_ptr<Instance> top;
};

/// What `for c in g.chunks(n, K)` knows about its variable.
struct ChunkInfo {
  Group group;
  unsigned perThread = 1;
  Variable *trip = nullptr;  ///< The loop variable: the trip's number, i64.
  Variable *count = nullptr; ///< A `let` before the loop: n, i64.
};

/// A struct type and what it was made from.
struct StructInfo {
  Decl *decl = nullptr;
  llvm::SmallVector<GenericValue, 2> args;
  const Type *type = nullptr; ///< Null while its fields are being checked.
};

using StmtList = llvm::SmallVectorImpl<Stmt *>;

} // namespace coll::sema

#endif // COLL_LIB_SEMA_INSTANCE_H
