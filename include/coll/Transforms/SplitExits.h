//===- SplitExits.h - Exits that some lanes of a warp take ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a branch in which some lanes of a warp left by a break, continue or
// return, the others go on without them. The branch is *tight* if everybody
// knew before it who will leave: of each arm's lanes all do, or none.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_SPLITEXITS_H
#define COLL_TRANSFORMS_SPLITEXITS_H

#include "coll/Analysis/Uniformity.h"
#include "llvm/ADT/SetVector.h"

namespace coll::ir {

/// What a coll.break, coll.continue or coll.return leaves: a coll.loop, a
/// coll.inline, or the kernel.
mlir::Operation *getExitTarget(mlir::Operation *exit);
/// Whether the arm is there and always ends in an exit.
bool alwaysLeaves(mlir::Region &arm);

class SplitExits {
public:
  /// The results hold as long as the kernel's structure does not change.
  SplitExits(KernelOp kernel, const UniformityAnalysis &uniformity);

  /// Whether a condition is the same in the whole warp.
  bool isUniform(mlir::Value condition) const;
  /// In order, the operations of the block in which lanes leave it.
  llvm::ArrayRef<mlir::Operation *> getLeaks(mlir::Block *block) const;
  bool isTight(IfOp branch) const;
  /// Whether all branches in which lanes leave `target` are, and it is no loop
  /// in which some lanes begin the next trip and others leave.
  bool isTight(mlir::Operation *target) const;
  bool hasSplitContinue(LoopOp loop) const;
  /// Whether some lanes break, or return, out of the loop.
  bool hasSplitEnd(LoopOp loop) const;

private:
  void note(mlir::Operation *exit);
  bool keepsOrLeaves(mlir::Region &arm) const;

  const UniformityAnalysis &uniformity;
  GroupAttr warp;
  llvm::SetVector<mlir::Operation *> exits;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<mlir::Operation *>> leaks;
  llvm::DenseSet<mlir::Operation *> splitContinues, splitEnds; ///< Loops.
};

} // namespace coll::ir

#endif // COLL_TRANSFORMS_SPLITEXITS_H
