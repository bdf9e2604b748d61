//===- SelectPlans.h - The plan of a collective -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_SELECTPLANS_H
#define COLL_LIB_LOWERING_SELECTPLANS_H

#include "coll/Plan/Strategy.h"
#include "coll/Transforms/Combiner.h"

namespace coll {

/// Asks for plans, and tells in remarks what was chosen.
class PlanSelector {
public:
  PlanSelector(std::string strategy, bool remarks)
      : strategy(std::move(strategy)), remarks(remarks) {}

  /// The plan for `key`, which is the collective `op`. Nothing if the chip has
  /// none. A forced strategy that does not apply gives way to the best.
  std::optional<Plan> select(mlir::Operation *op, const PlanKey &key) const;

private:
  void report(mlir::Operation *op, const PlanKey &key,
              const Choice &choice) const;

  std::string strategy;
  bool remarks;
};

/// The leaves of `values` as plans see them.
ElementInfo getElementInfo(mlir::TypeRange types);
/// What plans may assume of `combiner` on such elements.
OperatorInfo getOperatorInfo(const ir::Combiner &combiner,
                             const ElementInfo &element);

} // namespace coll

#endif // COLL_LIB_LOWERING_SELECTPLANS_H
