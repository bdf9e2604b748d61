//===- Passes.h - Passes over the typed tree --------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the checker does to finished bodies. Each of these expects a tree
// without errors; run them in this order: purity, definite assignment,
// contraction.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_PASSES_H
#define COLL_LIB_SEMA_PASSES_H

#include "coll/Sema/TypedAST.h"
#include "coll/Support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <vector>

namespace coll::sema {

/// Turns each addition or subtraction of `body` with a product as its left
/// (else its right) operand into one fma. Not to be called for bodies of
/// std.math, nor with contraction off. Bodies of called functions are left
/// alone: the caller hands in each function once.
void contractMultiplyAdds(Program &program, Stmt *body);

/// Reports what an operator does besides computing its result: writes of memory
/// or captured variables, atomics, collectives, fences. `use` is the place of
/// the collective's operator.
void checkOperatorPurity(const Operator &op, llvm::SMLoc use,
                         DiagnosticEngine &diags);

/// Reports collectives inside loops over `g.strided(n)`, in the kernel and in
/// the functions that it calls.
void checkStridedLoops(const Kernel &kernel, DiagnosticEngine &diags);

/// Reports reads of `var`s that are not assigned on every path before. An array
/// that is stored through an index counts as assigned from there on in the
/// text. Functions are checked once each, when first called or handed in.
class DefiniteAssignment {
public:
  explicit DefiniteAssignment(DiagnosticEngine &diags) : diags(diags) {}

  void check(const Kernel &kernel);
  void check(const Function &function) { summarize(&function); }

  /// What a function does with a `mut` parameter, a bit a slot of its type.
  struct ParamEffect {
    llvm::BitVector needs;   ///< Read before the function assigns it.
    llvm::BitVector assigns; ///< Assigned on every path to a return.
  };
  /// One effect a parameter; empty ones for parameters that are no references.
  using Summary = std::vector<ParamEffect>;
  const Summary &summarize(const Function *function);

private:
  DiagnosticEngine &diags;
  /// References into it stay valid: the values are on the heap.
  llvm::DenseMap<const Function *, std::unique_ptr<Summary>> summaries;
};

} // namespace coll::sema

#endif // COLL_LIB_SEMA_PASSES_H
