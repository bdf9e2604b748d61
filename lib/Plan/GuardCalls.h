//===- GuardCalls.h - Call an operator in its tree only ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_PLAN_GUARDCALLS_H
#define COLL_LIB_PLAN_GUARDCALLS_H

#include "coll/Plan/Plan.h"

namespace coll {

/// Whether the key's operator may be called on nothing but what the tree of the
/// collective combines: a user's that could run on for ever, stop the program
/// or read memory that is not there.
bool callsTreeOnly(const PlanKey &key);

/// The plan, with its operator called in those lanes only whose result reaches
/// a result that is asked for, if that is needed.
Plan guardCalls(const PlanKey &key, Plan plan);

} // namespace coll

#endif // COLL_LIB_PLAN_GUARDCALLS_H
