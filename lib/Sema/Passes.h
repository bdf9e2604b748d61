//===- Passes.h - Passes over the typed tree --------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Besides those that Checker.h declares: checks that a construct gets as soon
// as it is typed. They expect a tree without errors.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_PASSES_H
#define COLL_LIB_SEMA_PASSES_H

#include "coll/Sema/TypedAST.h"
#include "coll/Support/Diagnostics.h"

namespace coll::sema {

/// Purity.cpp: reports what a lambda or function that serves as an operator
/// does besides computing its result. `use` is where it is used as one.
void checkOperatorPurity(const Operator &op, llvm::SMLoc use,
                         DiagnosticEngine &diags);

/// StridedLoops.cpp: reports collectives in the body of a loop over
/// `g.strided(n)` and in functions called there; not those in strided loops
/// further inside, which had their own check.
void checkStridedLoop(const ForStmt &loop, DiagnosticEngine &diags);

/// Tokens.cpp: reports what `arrive` gave and nothing in `body` uses.
void checkTokens(Stmt *body, DiagnosticEngine &diags);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_PASSES_H
