//===- TypedPrinter.h - Bodies as the checker leaves them -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_SEMA_TYPEDPRINTER_H
#define COLL_TEST_UNITTESTS_SEMA_TYPEDPRINTER_H

#include "coll/Sema/Sema.h"

namespace coll::sema::test {

/// The messages ("error: ...", "note: ...", one a line) for a kernel `k` with
/// this body, and these items before it. Its parameters are x: [n]f32, y: mut
/// [n]f32, u: mut [n]u32, h: mut [n]f16, d: [n, m]f64, a, b, c: f32, i, j: i32,
/// p: bool.
std::string check(const llvm::Twine &body, const llvm::Twine &items = "",
                  const SemaOptions &options = {});

/// The text of that kernel.
std::string wrap(const llvm::Twine &body, const llvm::Twine &items = "");

/// The typed body of that kernel on one line, after contraction: statements end
/// in ';', builtins look like calls, collectives like method calls. The
/// messages instead, if there are any.
std::string print(const llvm::Twine &body, const llvm::Twine &items = "",
                  const SemaOptions &options = {});

std::string printExpr(const Expr *expr);
std::string printStmt(const Stmt *stmt);

} // namespace coll::sema::test

#endif // COLL_TEST_UNITTESTS_SEMA_TYPEDPRINTER_H
