//===- Groups.h - Expressions about groups ----------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops over groups, chunks and group loads compute with ranks and sizes.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SEMA_GROUPS_H
#define COLL_LIB_SEMA_GROUPS_H

#include "Checker.h"

namespace coll::sema {

/// A query of `group` with the type that GroupQueryExpr states.
GroupQueryExpr *makeGroupQuery(Checker &checker, const Group &group,
                               GroupQueryExpr::Query query, unsigned dimension,
                               llvm::SMRange range);

/// g.rank, g.size as i64.
Expr *makeRank(Checker &checker, const Group &group, llvm::SMRange range);
Expr *makeSize(Checker &checker, const Group &group, llvm::SMRange range);

/// The first of this thread's `perThread` elements when the group starts at
/// `first` (i64): first + g.rank * perThread.
Expr *makeFirstElement(Checker &checker, const Group &group, Expr *first,
                       unsigned perThread, llvm::SMRange range);

/// The elements of one trip of a chunk loop: g.size * perThread, i64.
Expr *makeChunkSize(Checker &checker, const Group &group, unsigned perThread,
                    llvm::SMRange range);

/// `g.load<K>(x, first, fill)` and `g.store(x, first, v)` (Views.cpp).
Expr *checkGroupLoad(Checker &checker, const Group &group,
                     const ast::CallExpr &call);
Expr *checkGroupStore(Checker &checker, const Group &group,
                      const ast::CallExpr &call);

/// Groups that are made at run time (MemberGroups.cpp): `warp.active()`,
/// `base.partition(p)` and `base.partition_by(label)`; nothing after an error.
std::optional<Group> resolveActive(Checker &checker, const Group &base,
                                   const ast::CallExpr &call);
std::optional<Group> resolvePartition(Checker &checker, const Group &base,
                                      const ast::CallExpr &call,
                                      llvm::StringRef method);
/// `base.partition_by(label)` for an argument of the method `name`.
std::optional<Group> makeLabelGroup(Checker &checker, const Group &base,
                                    const ast::Expr *label,
                                    llvm::StringRef name,
                                    const ast::CallExpr &call);
/// `group` for several uses: one that is made at run time is made here, by a
/// `let` that is appended to `out`.
Group nameGroup(Checker &checker, const Group &group, llvm::StringRef name,
                StmtList &out);

/// A method of `group` that its threads execute together (Collectives.cpp).
Expr *checkCollective(Checker &checker, const Group &group,
                      const ast::CallExpr &call, const ast::Name &method,
                      const Type *expected);
/// One of those that order and rearrange (Rearrangements.cpp); null if `method`
/// is none.
Expr *checkRearrangement(Checker &checker, const Group &group,
                         const ast::CallExpr &call, const ast::Name &method,
                         const Type *expected);
void listRearrangements(llvm::SmallVectorImpl<llvm::StringRef> &names);
/// A value that threads exchange, as an argument of `name`; null after an
/// error.
Expr *checkExchanged(Checker &checker, llvm::StringRef name,
                     const ast::Expr *arg, const Type *expected);
/// The names of all collectives, those that are not supported yet included.
void listCollectives(llvm::SmallVectorImpl<llvm::StringRef> &names);

/// The elements a thread of a load or chunk is limited to.
constexpr unsigned maxElementsPerThread = 256;

} // namespace coll::sema

#endif // COLL_LIB_SEMA_GROUPS_H
