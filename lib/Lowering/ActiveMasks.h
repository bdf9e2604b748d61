//===- ActiveMasks.h - Who is here ------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_ACTIVEMASKS_H
#define COLL_LIB_LOWERING_ACTIVEMASKS_H

#include "coll/Lowering/TargetEmitter.h"
#include "coll/Transforms/SplitExits.h"

namespace coll {

/// The lanes that execute an operation, as the structure of the kernel says.
/// Emits what computes them, where that is needed, and changes nothing else.
class ActiveMasks {
public:
  ActiveMasks(ir::KernelOp kernel, const TargetEmitter &target,
              const UniformityAnalysis &uniformity);

  /// An `i64` that dominates `op`; the lanes that execute it together. Null
  /// where lanes left in a way that coll-flag-exits would have rewritten.
  mlir::Value getBefore(mlir::Operation *op);

private:
  using Value = mlir::Value;
  struct Arms {
    Value whenTrue, whenFalse;
  };

  Value getAtStart(mlir::Block *block);
  Value computeAtStart(mlir::Block *block);
  Value getAfter(mlir::Operation *op);
  Value getAfterExits(ir::IfOp op);
  const Arms &getArms(ir::IfOp op);
  /// The lanes of `among`, which execute this together, with the condition.
  Value createBallot(mlir::ImplicitLocOpBuilder &b, Value among,
                     Value condition);
  Value getInLoop(ir::LoopOp op, mlir::Block *block);
  void storeTrips(ir::LoopOp op, Value variable);
  /// The variable that holds who makes the trip.
  Value getTripVariable(ir::LoopOp op);

  const TargetEmitter &target;
  ir::SplitExits exits;
  llvm::DenseMap<mlir::Block *, Value> starts;
  llvm::DenseMap<mlir::Operation *, Value> afters;
  llvm::DenseMap<mlir::Operation *, Arms> arms;
  llvm::DenseMap<mlir::Operation *, Value> trips;
};

} // namespace coll

#endif // COLL_LIB_LOWERING_ACTIVEMASKS_H
