//===- BranchLifter.h - Operations out of their branches --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What some lanes of a warp do under a condition all of them may do together,
// if those that do not take part have a neutral value. The branch is split for
// that: what stands before the operation goes into a branch of its own.
//
// Before:
//   coll.if %c { A; op %x; B } else { C }
// After:
//   %all = coll.if %c -> f32 { A; coll.yield %x } else { coll.yield %neutral }
//   op %all
//   coll.if %c { B } else { C }
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_BRANCHLIFTER_H
#define COLL_LIB_TRANSFORMS_BRANCHLIFTER_H

#include "coll/Transforms/Combiner.h"
#include "llvm/ADT/SetVector.h"

namespace coll::ir {

/// Takes an operation out of the branches and calls around it.
class BranchLifter {
public:
  /// The last branch or call that `op` is taken out of is `outermost`, which is
  /// around it. Of its operands, `value` alone may differ between lanes.
  BranchLifter(mlir::Operation *op, mlir::OpOperand &value,
               mlir::Operation *outermost)
      : op(op), value(value), outermost(outermost),
        b(op->getLoc(), op->getContext()) {}

  /// Computes the other operands before `outermost`. False, and nothing is
  /// changed, if these or what follows need what cannot be had there, if a loop
  /// is around `op`, or if lanes may leave before it. To be called for all that
  /// are lifted before the first is: what this hands from one part of a branch
  /// to the other, lanes that were not there do not have.
  bool prepare();
  /// Puts `op` before `outermost`. There the value is `neutral` in lanes that
  /// were not at it; under which condition they were, an `i1`, is returned.
  mlir::Value lift(mlir::TypedAttr neutral);

private:
  using Value = mlir::Value;
  using Operation = mlir::Operation;

  std::optional<llvm::SetVector<Operation *>> findAddress() const;
  bool canSplit() const;
  void leave(Operation *parent);
  Leaves share(mlir::Block &head, Operation *parent);
  Leaves splitBranch(IfOp branch, mlir::Region &head, bool isThen,
                     const Leaves &carried);
  Leaves splitCall(InlineOp call, mlir::Region &head, const Leaves &carried);

  Operation *op;
  mlir::OpOperand &value;
  Operation *outermost;
  mlir::ImplicitLocOpBuilder b;
  mlir::TypedAttr neutral;
  Value isHere; ///< Null before the first branch.
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_BRANCHLIFTER_H
