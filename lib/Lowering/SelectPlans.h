//===- SelectPlans.h - The plan of a collective -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_SELECTPLANS_H
#define COLL_LIB_LOWERING_SELECTPLANS_H

#include "coll/Plan/CollectiveLog.h"
#include "coll/Transforms/Combiner.h"

namespace coll {

/// Asks for plans, and tells in remarks and in the log what was chosen.
class PlanSelector {
public:
  /// For the collectives of `kernel`; `log` may be null.
  PlanSelector(ir::KernelOp kernel, const Target &target, std::string strategy,
               bool remarks, CollectiveLog *log);

  /// The plan for `key`, which is the collective `op`. Nothing if the chip has
  /// none. A forced strategy that does not apply gives way to the best.
  std::optional<Plan> select(mlir::Operation *op, const PlanKey &key) const;

  /// Logs a collective at `loc` that is lowered without a plan.
  void logDirect(mlir::Location loc, std::string description) const;

private:
  void report(mlir::Operation *op, const CollectiveRecord &record) const;

  ir::KernelOp kernel;
  std::string targetName;
  std::string strategy;
  bool remarks;
  CollectiveLog *log;
};

/// The leaves of `values` as plans see them.
ElementInfo getElementInfo(mlir::TypeRange types);
/// What plans may assume of `combiner` on such elements. `neutral` is what
/// `findNeutral` found of a user's operator.
OperatorInfo getOperatorInfo(const ir::Combiner &combiner,
                             const ElementInfo &element,
                             llvm::ArrayRef<mlir::TypedAttr> neutral);

} // namespace coll

#endif // COLL_LIB_LOWERING_SELECTPLANS_H
