//===- TypedAST.h - The program after checking ------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Sema hands to IRGen. Every expression has a type; generics are
// instances; compile-time constants are ConstantExpr; `static if` and `static
// for` are gone (the chosen arm, the repeated body); implicit conversions are
// explicit CastExpr; multiply-adds are contracted into fma builtins; method
// sugar (`c.load(x, fill)`, `x.flat()`) is spelled with the few nodes below.
// Definite assignment, types, mutability, recursion, purity of operators are
// checked: IRGen may rely on all of it and reports nothing of its own, except
// that a program is too large.
//
// All nodes are owned by the Program's allocator and never change after Sema.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SEMA_TYPEDAST_H
#define COLL_SEMA_TYPEDAST_H

#include "coll/Sema/TypedExpr.h"
#include "coll/Sema/TypedStmt.h"

namespace coll::sema {

/// A checked program. Owns all nodes.
class Program {
public:
  Program();
  ~Program();
  TypeContext &getTypes() { return *types; }
  llvm::ArrayRef<Kernel *> getKernels() const { return kernels; }
  void addKernel(Kernel *kernel) { kernels.push_back(kernel); }

  /// Makes a node that lives as long as the program.
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T *raw = node.get();
    nodes.push_back(std::move(node));
    return raw;
  }
  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> list) {
    return *make<std::vector<T>>(list.begin(), list.end());
  }

private:
  std::unique_ptr<TypeContext> types;
  std::vector<Kernel *> kernels;
  std::vector<std::shared_ptr<void>> nodes;
};

} // namespace coll::sema

#endif // COLL_SEMA_TYPEDAST_H
