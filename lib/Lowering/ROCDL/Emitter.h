//===- Emitter.h - AMD's side of the lowering -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_ROCDL_EMITTER_H
#define COLL_LIB_LOWERING_ROCDL_EMITTER_H

#include "coll/Lowering/TargetEmitter.h"

namespace coll {

class ROCDLEmitter final : public TargetEmitter {
public:
  ROCDLEmitter(const Target &target, unsigned blockSize)
      : TargetEmitter(target, blockSize) {}

  // Steps.cpp
  Value isLaneIn(Builder &b, WarpConstant mask) const override;
  LaneGroup getGroup(Builder &b, unsigned size,
                     bool isConvergent) const override;
  Moved move(Builder &b, const LaneGroup &group, const Move &move, Value word,
             Value old, bool needsPredicate) const override;
  Value voteRanks(Builder &b, const LaneGroup &group, VoteRanks ranks,
                  OperatorKind kind, Value bit) const override;
  // Encodings.cpp
  Value encode(Builder &b, Encoding encoding, OperatorKind kind,
               Value value) const override;
  Value decode(Builder &b, Encoding encoding, OperatorKind kind, Value value,
               mlir::Type type) const override;
  Value combineTied(Builder &b, OperatorKind kind, mlir::Type element,
                    Value start, llvm::ArrayRef<TiedStep> steps) const override;
  Value combineValues(Builder &b, Encoding encoding, OperatorKind kind,
                      mlir::Type element, Value left,
                      Value right) const override;

  // Redux.cpp
  Value redux(Builder &b, const LaneGroup &group, ReduxForm form,
              OperatorKind kind, Value value) const override;
  ir::Leaves reduxArg(Builder &b, const LaneGroup &group, OperatorKind kind,
                      mlir::ValueRange pair) const override;

  // Steps.cpp
  Value ballot(Builder &b, const LaneGroup &group,
               Value predicate) const override;
  Value vote(Builder &b, const LaneGroup &group, ir::VoteKind kind,
             Value predicate) const override;
  Value shuffle(Builder &b, const LaneGroup &group, Value word,
                Value lane) const override;
  Value broadcast(Builder &b, const LaneGroup &group, Value word,
                  Value rank) const override;
  Value countBelow(Builder &b, Value mask) const override;
  Value match(Builder &b, const LaneGroup &group,
              llvm::ArrayRef<Value> words) const override;

  /// EXEC says who takes part.
  void syncMembers(Builder &b, Value) const override {
    syncGroup(b, {getWarpSize(), Value(), /*isWholeWarp=*/true});
  }

  // Exchange.cpp
  /// The word of the lane that `move`, a MoveKind::Shared, names.
  Value exchange(Builder &b, const Move &move, Value word) const;
  /// The word of another lane, which executes this too; null if there is no
  /// room in LDS.
  Value exchange(Builder &b, Value word, Value lane) const;
  bool hasScratch(ir::KernelOp kernel) const override;

  // Barriers.cpp
  void syncGroup(Builder &b, const LaneGroup &group) const override;
  void syncBlock(Builder &b, bool sharedOnly) const override;
  void arriveBlock(Builder &b) const override;
  void waitBlock(Builder &b) const override;
  void syncWarps(Builder &b, Value barrier, unsigned threads) const override;
  Value voteBlock(Builder &b, ir::VoteKind kind,
                  Value predicate) const override;
  Value countBlock(Builder &b, Value predicate) const override;
  void pause(Builder &b) const override;
  void trap(Builder &b) const override;

  // Memory.cpp
  unsigned getPrivateSpace() const override;
  Value atomicRMW(Builder &b, const AtomicAccess &access, ir::AtomicKind kind,
                  Value value) const override;
  llvm::StringRef getSyncScope(ir::MemoryScope scope) const override;

  // Kernel.cpp
  Value threadId(Builder &b, ir::Dimension dimension,
                 unsigned extent) const override;
  Value blockId(Builder &b, ir::Dimension dimension) const override;
  Value blockCount(Builder &b, ir::Dimension dimension) const override;
  Value fast(Builder &b, ir::FastKind kind, Value operand) const override;
  void markKernel(mlir::Operation *function,
                  ir::KernelOp kernel) const override;

private:
  /// Stores the word at `rank`, this thread's in the block, and loads from
  /// `source` and a distance.
  Value load(Builder &b, Value word, Value rank, Value source,
             int64_t distance) const;
};

} // namespace coll

#endif // COLL_LIB_LOWERING_ROCDL_EMITTER_H
