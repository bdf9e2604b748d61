//===- GridExpander.h - Collectives of the grid -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The workspace: 128 bytes of which the first word is the barrier's, then two
// halves, used in turn. A half holds an array for each leaf, larger ones first,
// with an element for each block.
//
// The barrier's word counts the blocks that have come in its lower 31 bits. The
// first block adds 2^31 less the number of the others, which add 1 each: so the
// top bit changes when all have come, and the lower bits are 0 again. No launch
// has to clear it for the next.
//
// A block that writes a half has passed the barrier after the other one was
// written, and so have all that still read this half from the time before.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_GRIDEXPANDER_H
#define COLL_LIB_TRANSFORMS_GRIDEXPANDER_H

#include "BlocksExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

namespace coll::ir {

class GridExpander : public BlocksExpander {
public:
  GridExpander(KernelOp kernel, const Target &target)
      : BlocksExpander(kernel, target) {}

  void finish() override;

protected:
  void sync() override;
  void publish(mlir::ValueRange values, int64_t leader) override;
  Leaves load(mlir::TypeRange types, mlir::Value block) override;
  mlir::Value blockIndex(mlir::ImplicitLocOpBuilder &at) override {
    return createGridIndex(at);
  }
  mlir::Value blockCount(mlir::ImplicitLocOpBuilder &at) override {
    return createGridCount(at);
  }
  Leaves combineAll(const Combiner &combiner, mlir::TypeRange types) override;
  Prefix combineBefore(const Combiner &combiner, mlir::TypeRange types,
                       Order order, bool needsTotal) override;

private:
  // GridExpander: the barrier and the workspace.
  /// All blocks meet. Thread `leader` of each calls `prepare` before, and
  /// `isFull` orders all threads' accesses and not the leaders' alone.
  void meet(int64_t leader, bool isFull, llvm::function_ref<void()> prepare);
  mlir::Value getCounters();
  /// The counter at which this block arrives.
  mlir::Value ownCounter();
  /// The variable with the generation of the barrier before the next one.
  mlir::Value getGeneration();
  void arrive();
  void waitForOthers();
  /// Waits until the generation of a counter is no longer that of `old`.
  void waitAt(mlir::Value counter, mlir::Value old);
  /// Views of the arrays of the half that is in use.
  Leaves getArrays(mlir::TypeRange types);

  // GridCombine: what the blocks have published.
  /// A variable of this thread for each type.
  Leaves createVars(mlir::TypeRange types, int64_t count = 0);
  Leaves read(mlir::ValueRange vars, mlir::ValueRange indices = {});
  void write(mlir::ValueRange values, mlir::ValueRange vars,
             mlir::ValueRange indices = {});
  mlir::Value createBool(bool value);
  mlir::Value add(mlir::Value left, mlir::Value right);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value left,
                      mlir::Value right);
  void createWhile(llvm::function_ref<mlir::Value()> condition,
                   llvm::function_ref<void()> body);
  /// `body` for the indices from `begin` to `end` in steps.
  void createFor(mlir::Value begin, mlir::Value end, int64_t step,
                 llvm::function_ref<void(mlir::Value)> body);
  /// Of the blocks at positions below `end`, in any order, all of the block's
  /// threads together.
  Leaves combineExact(const Combiner &combiner, mlir::TypeRange types,
                      mlir::Value end, Order order);
  /// The tree over up to `groupSize` elements from `first` on, of those before
  /// `end`, of which there is one at least.
  Leaves combineGroup(const Combiner &combiner, mlir::TypeRange types,
                      mlir::Value first, mlir::Value end, unsigned groupSize);
  /// The tree over the elements from `first` to `end`, by groups.
  void combineChunk(const Combiner &combiner, mlir::TypeRange types,
                    mlir::Value first, mlir::Value end, unsigned groupSize,
                    mlir::ValueRange result);
  /// The tree over what the first threads of the block have: those with
  /// `isPresent`.
  Leaves combinePresent(const Combiner &combiner, mlir::ValueRange values,
                        mlir::Value isPresent);
  /// Combines those at positions from `begin` to `end` one after the other into
  /// the variables.
  void combineSerially(const Combiner &combiner, mlir::TypeRange types,
                       mlir::Value begin, mlir::Value end, Order order,
                       mlir::ValueRange running);
  Leaves getStage(mlir::TypeRange types);

  bool isUsed = false; ///< There is a barrier, and so a workspace.
  mlir::Value generation;
  mlir::Value half;                  ///< The variable that says which one.
  mlir::arith::ConstantOp halfBytes; ///< Of a block; known in the end.
  unsigned largestLeaf = 1;
  /// Shared arrays of an element for each thread: the k-th of a type.
  llvm::DenseMap<std::pair<mlir::Type, unsigned>, mlir::Value> stages;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_GRIDEXPANDER_H
