//===- BuiltinFolding.h - Builtin functions of constants --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_BUILTINFOLDING_H
#define COLL_LIB_SEMA_BUILTINFOLDING_H

#include "coll/Sema/TypedAST.h"

namespace coll::sema {

/// The scalars of the result where all arguments are constants and every device
/// gives the same bits (not `fast.*`); none otherwise. The arguments have one
/// type.
std::optional<std::vector<ConstantExpr::Scalar>>
foldBuiltin(Builtin builtin, llvm::ArrayRef<Expr *> args);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_BUILTINFOLDING_H
