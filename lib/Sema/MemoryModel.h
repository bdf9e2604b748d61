//===- MemoryModel.h - Arguments `order` and `scope` ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_MEMORYMODEL_H
#define COLL_LIB_SEMA_MEMORYMODEL_H

#include "Checker.h"

namespace coll::sema {

/// "relaxed", "acq_rel"
llvm::StringRef getOrderName(MemoryOrder order);

/// Reads the name that `arg` is into `order` (`scope`), which keeps its value
/// if `arg` is null. False after an error.
bool checkOrder(Checker &checker, const ast::Expr *arg, MemoryOrder &order);
bool checkScope(Checker &checker, const ast::Expr *arg, MemoryScope &scope);

} // namespace coll::sema

#endif // COLL_LIB_SEMA_MEMORYMODEL_H
