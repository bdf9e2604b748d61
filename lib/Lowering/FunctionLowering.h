//===- FunctionLowering.h - What upstream has no conversion for -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_FUNCTIONLOWERING_H
#define COLL_LIB_LOWERING_FUNCTIONLOWERING_H

#include "coll/Lowering/TargetEmitter.h"

namespace coll {

/// Where a thread stands, in a workgroup that is a constant.
class Positions {
public:
  Positions(const TargetEmitter &target, llvm::ArrayRef<int32_t> workgroup)
      : target(target), workgroup(workgroup) {}

  /// The value of a position query, or null if `op` is none.
  mlir::Value lower(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op) const;

private:
  using Builder = mlir::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  unsigned getBlockSize() const { return target.getBlockSize(); }
  unsigned getWarpSize() const { return target.getWarpSize(); }
  /// Threads of a whole group.
  unsigned getGroupSize(ir::GroupAttr group) const;
  Value threadId(Builder &b, ir::Dimension dimension) const;
  Value blockRank(Builder &b) const;
  Value rank(Builder &b, ir::GroupAttr group) const;
  Value size(Builder &b, ir::GroupAttr group) const;
  Value index(Builder &b, ir::GroupAttr group) const;
  Value count(Builder &b, ir::GroupAttr group) const;

  const TargetEmitter &target;
  llvm::ArrayRef<int32_t> workgroup;
};

/// Writes arithmetic of the coll dialect, and conversions that would round
/// twice, with upstream operations. Null: `op` stays as it is.
mlir::FailureOr<mlir::Value> lowerArithmetic(mlir::ImplicitLocOpBuilder &b,
                                             const TargetEmitter &target,
                                             mlir::Operation *op);

} // namespace coll

#endif // COLL_LIB_LOWERING_FUNCTIONLOWERING_H
