//===- Uniformity.h - What is the same in all threads of a group *- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value has a *level*: the number of consecutive threads (an aligned power
// of two, the whole block, all blocks of the cluster or of the grid) over which
// it is surely the same. Values start at the grid and fall to a fixpoint. A
// variable's content is as uniform as all that is stored to it and, where that
// is divided further than at the variable, as the control flow of those stores.
//
// Control flow has a level too: over how many threads it is taken by all or by
// none. Branches, loop conditions, and the threads that left by a return, break
// or continue before lower it. A function's return is forgotten after the call.
//
// A group that is made at run time (`coll.active`, `coll.partition`) has a
// *scope*: an analysis of what follows the operation that makes it, up to the
// last use, in which `grid` means: the same in all threads of each such group.
// It starts anew there, because all of them are there together; what it takes
// from outside is as uniform as it is over a larger group, to which the threads
// belong: the scope `outer`, or the whole kernel. So a variable from outside is
// no more uniform inside, as it may keep what other threads left in it.
//
// Some warps of the block (`block.warps`) are a group that its threads reach
// under a condition on ranks. Seen from it, `block` means: the same in all
// threads of that group. What is computed from ranks alone and is the same in
// all of them is known to be, the condition above all.
//
// Sources are few on purpose. Uniform over the grid: constants, parameters,
// extents, the number of blocks. Uniform over a group: its index, and
// the results of its reductions, broadcasts and votes. All else that is not
// computed from these differs: ranks, loads of global and shared memory,
// atomics, scans, shuffles.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_ANALYSIS_UNIFORMITY_H
#define COLL_ANALYSIS_UNIFORMITY_H

#include "coll/Analysis/RankSets.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "llvm/ADT/DenseMap.h"
#include <limits>
#include <memory>

namespace coll {

/// A level, and why it is no higher.
struct Uniformity {
  static constexpr unsigned grid = std::numeric_limits<unsigned>::max();
  static constexpr unsigned cluster = grid - 1;
  static constexpr unsigned block = grid - 2;

  unsigned level = grid;
  /// The value that it is due to; null if `at` is itself where it differs.
  mlir::Value from;
  /// The operation that differs, that uses `from`, or that branches on it.
  mlir::Operation *at = nullptr;
  /// The return, break or continue by which threads leave under that branch, or
  /// the store that only some of them execute.
  mlir::Operation *via = nullptr;
  /// Of control flow: how often it was divided on the way there. Where that is
  /// as often as at an operation before, all threads that came by there came.
  unsigned splits = 0;
};

/// What is the same over which threads of a kernel: its values, and the control
/// flow that reaches an operation.
class UniformityAnalysis {
public:
  UniformityAnalysis(ir::KernelOp kernel, unsigned warpSize)
      : UniformityAnalysis(kernel, warpSize, {}, nullptr) {}
  /// What is known, seen from some warps of the block. `ranks` must outlive
  /// this.
  UniformityAnalysis(ir::KernelOp kernel, unsigned warpSize,
                     ir::GroupAttr warps, RankSets *ranks);

  /// Threads over which a group of this kind extends; of `members` those of the
  /// warp that it is part of.
  unsigned getLevel(ir::GroupAttr group) const;
  Uniformity getValue(mlir::Value value) const;
  /// Of the control flow that reaches a collective, a coll.active, a coll.if,
  /// a coll.loop, a coll.inline, a coll.atomic_rmw or a coll.var.
  Uniformity getControl(mlir::Operation *op) const;
  bool isUniform(mlir::Value value, ir::GroupAttr group) const {
    return getValue(value).level >= getLevel(group);
  }
  /// What is known, seen from a group that is made at run time; of null all
  /// that is.
  const UniformityAnalysis &getScope(mlir::Value group) const;

  /// The group of a collective, which all its threads must reach; null for
  /// other operations.
  static ir::GroupAttr getCollectiveGroup(mlir::Operation *op);

private:
  /// How threads leave a region before its end.
  struct Exits {
    Uniformity breaks, continues, returns;
  };

  /// The scope of `group`, inside `outer`.
  UniformityAnalysis(const UniformityAnalysis &outer, mlir::Value group);

  void createScopes(mlir::Block &block, const UniformityAnalysis *enclosing);
  const UniformityAnalysis *createScope(mlir::Operation *op,
                                        const UniformityAnalysis *enclosing);
  /// Whether the operation is one that this analysis is about.
  bool isInside(mlir::Operation *op) const;
  Uniformity getContent(ir::VarOp variable) const;
  /// The threads over which the results of the group's collectives are the
  /// same.
  unsigned getSharers(ir::GroupRef group) const;

  unsigned normalize(unsigned threads) const;
  void lower(Uniformity &fact, const Uniformity &by);
  void lowerValue(mlir::Value value, const Uniformity &by);
  void visitBlock(mlir::Block &block, Uniformity control, Exits &exits);
  void visit(mlir::Operation *op, Uniformity &control, Exits &exits);
  void visitActive(ir::ActiveOp op, const Uniformity &control);
  void visitIf(ir::IfOp op, Uniformity &control, Exits &exits);
  void visitLoop(ir::LoopOp op, Uniformity &control, Exits &exits);
  void visitInline(ir::InlineOp op, const Uniformity &control);
  void visitReturn(ir::ReturnOp op, const Uniformity &control, Exits &exits);
  void visitYield(ir::YieldOp op);
  void visitStore(ir::StoreOp op, const Uniformity &control);
  void visitLoad(ir::LoadOp op);
  void visitPlain(mlir::Operation *op);
  /// Over how many threads the operation's own result is the same, whatever its
  /// operands are: `grid` if only they decide.
  unsigned getResultLevel(mlir::OpResult result) const;

  unsigned warpSize;
  unsigned blockSize;
  // Seen from some warps: these, and their ranks. Else null.
  ir::GroupAttr warps;
  RankSets *ranks = nullptr;
  llvm::BitVector members;
  // Of a scope: null for the whole kernel.
  const UniformityAnalysis *outer = nullptr;
  mlir::Value group;
  mlir::Operation *last = nullptr; ///< Of those inside, in the group's block.
  unsigned depth = 0;              ///< Scopes around this one.
  llvm::DenseMap<mlir::Value, std::unique_ptr<UniformityAnalysis>> scopes;
  bool hasChanged = false;
  llvm::DenseMap<mlir::Value, Uniformity> values;
  llvm::DenseMap<mlir::Operation *, Uniformity> contents; ///< Of coll.var.
  llvm::DenseMap<mlir::Operation *, Uniformity> controls;
  llvm::DenseMap<mlir::Operation *, Uniformity> loops; ///< Who goes on.
};

/// The coll.var that a view is part of, or null. Appends the values that select
/// the part to `selectors` if given.
ir::VarOp getVariable(mlir::Value view,
                      llvm::SmallVectorImpl<mlir::Value> *selectors = nullptr);

} // namespace coll

#endif // COLL_ANALYSIS_UNIFORMITY_H
