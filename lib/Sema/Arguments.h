//===- Arguments.h - Matching arguments of language functions ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collectives, atomics and other functions of the language take arguments by
// position or by name (`fill = 0`). This matches them before any is typed.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_ARGUMENTS_H
#define COLL_LIB_SEMA_ARGUMENTS_H

#include "coll/Support/Diagnostics.h"
#include "coll/Syntax/AST.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace coll::sema {

/// What a function of the language takes.
struct ParamSpec {
  enum class Form {
    Required, ///< By position, or by its name.
    Optional, ///< The same, and may be left out.
    Named,    ///< Only by its name, and may be left out.
  };
  llvm::StringRef name;
  Form form = Form::Required;
};

/// One entry a parameter: the argument, or null where an optional one is left
/// out.
using MatchedArgs = llvm::SmallVector<const ast::Expr *, 4>;

/// Matches the arguments of `call` to `params`; `callee` names the function in
/// messages ("block.reduce"). Reports what does not fit and gives nothing then.
std::optional<MatchedArgs> matchArguments(const ast::CallExpr &call,
                                          const llvm::Twine &callee,
                                          llvm::ArrayRef<ParamSpec> params,
                                          DiagnosticEngine &diags);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_ARGUMENTS_H
