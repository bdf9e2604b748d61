//===- TargetEmitter.h - What the vendors' code differs in ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one interface between the lowering and the two vendors. Everything is
// emitted where the builder stands, in structured code: as operations of llvm,
// nvvm, rocdl, arith and coll. Words are `i32`, lane masks `i64` whose bit l is
// lane l of the warp, lanes and ranks `i32`.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LOWERING_TARGETEMITTER_H
#define COLL_LOWERING_TARGETEMITTER_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Plan/Plan.h"
#include "coll/Transforms/Combiner.h"
#include <memory>

namespace coll {

/// Adds `nvvm` or `rocdl`, whichever `target` needs: loading the other one too
/// would cost a twentieth of a small compilation.
void insertVendorDialect(mlir::DialectRegistry &registry,
                         llvm::StringRef target);

/// The warp-level group of a collective.
struct LaneGroup {
  unsigned size; ///< Lanes: the warp's, or the tile's.
  /// NVIDIA: the lanes that take part, as `i32`.
  mlir::Value members;
  bool isWholeWarp;
};

/// An atomic access of `pointer`, which is to global or shared memory.
struct AtomicAccess {
  mlir::Value pointer;
  ir::MemoryOrder order;
  ir::MemoryScope scope;
  bool isShared;
};

/// Writes what differs between the vendors: lane instructions, barriers,
/// atomics and the kernel itself.
class TargetEmitter {
public:
  using Builder = mlir::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  static std::unique_ptr<TargetEmitter> create(const Target &target,
                                               unsigned blockSize);
  virtual ~TargetEmitter() = default;

  const Target &getTarget() const { return target; }
  unsigned getBlockSize() const { return blockSize; }
  unsigned getWarpSize() const { return target.getWarpSize(); }
  Presence getPresence() const {
    return Presence::ofBlock(blockSize, getWarpSize());
  }

  /// This thread's lane in its warp.
  Value lane(Builder &b) const;
  /// A constant that may differ in the block's last warp.
  Value warpConstant(Builder &b, WarpConstant constant, unsigned bits) const;
  /// Is this lane in `mask`?
  virtual Value isLaneIn(Builder &b, WarpConstant mask) const;

  // Lanes ------------------------------------------------------------------

  /// The group of a collective; `isConvergent` if the whole warp is sure to
  /// execute it together.
  virtual LaneGroup getGroup(Builder &b, unsigned size,
                             bool isConvergent) const = 0;
  /// A word and, if asked for, the shuffle's predicate.
  struct Moved {
    Value word, predicate;
  };
  virtual Moved move(Builder &b, const LaneGroup &group, const Move &move,
                     Value word, Value old, bool needsPredicate) const = 0;
  /// The operator by DPP instructions that overwrite their second operand.
  struct TiedStep {
    Move move;
    Value source; ///< Null: the value that is overwritten.
  };
  /// The value `start`, an encoded `element`, after all steps.
  virtual Value combineTied(Builder &b, OperatorKind kind, mlir::Type element,
                            Value start, llvm::ArrayRef<TiedStep> steps) const;
  /// The combination of two elements in an encoding by a builtin operator; null
  /// where that is what the operator does on values of their type, and the
  /// vendor has no better way.
  virtual Value combineValues(Builder &b, Encoding encoding, OperatorKind kind,
                              mlir::Type element, Value left,
                              Value right) const {
    return {};
  }
  /// The lanes of the warp with the predicate. Of other groups' lanes it tells
  /// nothing.
  virtual Value ballot(Builder &b, const LaneGroup &group,
                       Value predicate) const = 0;
  virtual Value vote(Builder &b, const LaneGroup &group, ir::VoteKind kind,
                     Value predicate) const = 0;
  /// Whether plans for `kernel` may use shared memory that it has left over.
  virtual bool hasScratch(ir::KernelOp kernel) const { return false; }
  /// The word of any present lane of the group.
  virtual Value shuffle(Builder &b, const LaneGroup &group, Value word,
                        Value lane) const = 0;
  /// The word of a rank that is the same in the whole group.
  virtual Value broadcast(Builder &b, const LaneGroup &group, Value word,
                          Value rank) const = 0;
  /// How many lanes of `mask` are below this one.
  virtual Value countBelow(Builder &b, Value mask) const = 0;
  /// The lanes whose words all equal this lane's.
  virtual Value match(Builder &b, const LaneGroup &group,
                      llvm::ArrayRef<Value> words) const = 0;

  // Steps of plans that only some vendors have (see coll/Plan/Plan.h); the
  // others' plans do not ask for them.

  /// The value of all present lanes of the group.
  virtual Value redux(Builder &b, const LaneGroup &group, ReduxForm form,
                      OperatorKind kind, Value value) const;
  /// ReduxForm::Arg of a value and a rank.
  virtual ir::Leaves reduxArg(Builder &b, const LaneGroup &group,
                              OperatorKind kind, mlir::ValueRange pair) const;
  /// condition ? left and right combined : right, where the vendor has better
  /// than a select; else null.
  virtual Value combineWhere(Builder &b, OperatorKind kind, Value condition,
                             Value left, Value right) const {
    return {};
  }
  /// And, Or or Xor of the bits of some ranks as an `i1`, or with Add their
  /// number as an `i32`.
  virtual Value voteRanks(Builder &b, const LaneGroup &group, VoteRanks ranks,
                          OperatorKind kind, Value bit) const;
  virtual Value encode(Builder &b, Encoding encoding, OperatorKind kind,
                       Value element) const;
  /// An element of `type` again.
  virtual Value decode(Builder &b, Encoding encoding, OperatorKind kind,
                       Value value, mlir::Type type) const;

  // Groups that are made at run time ----------------------------------------

  /// The combination of the words of all members, by one instruction; null if
  /// the chip has none. `members` has a bit for each lane of the warp; each
  /// member gives the same ones.
  virtual Value reduceMembers(Builder &b, ir::CombineKind kind, Value word,
                              Value members) const {
    return {};
  }
  virtual void syncMembers(Builder &b, Value members) const = 0;

  // Barriers ---------------------------------------------------------------

  virtual void syncGroup(Builder &b, const LaneGroup &group) const = 0;
  /// `sharedOnly`: accesses of global memory need no order.
  virtual void syncBlock(Builder &b, bool sharedOnly) const = 0;
  /// The halves of the block's barrier, on chips that have them.
  virtual void arriveBlock(Builder &b) const = 0;
  virtual void waitBlock(Builder &b) const = 0;
  /// Of `threads` threads, whole warps, with one of the chip's barriers; only
  /// asked for where `coll-expand-block` has found one.
  virtual void syncWarps(Builder &b, Value barrier, unsigned threads) const = 0;
  /// The barrier of a cluster, of chips that have them. Threads of a warp come
  /// to it together, unless they are `divergent`.
  virtual void syncCluster(Builder &b, bool divergent) const;
  /// Votes that the block's barrier carries out; only asked for where
  /// `coll-expand-block` leaves them.
  virtual Value voteBlock(Builder &b, ir::VoteKind kind,
                          Value predicate) const = 0;
  virtual Value countBlock(Builder &b, Value predicate) const = 0;
  virtual void pause(Builder &b) const = 0;
  /// Stops the kernel. What follows is not executed.
  virtual void trap(Builder &b) const = 0;

  // Memory -----------------------------------------------------------------

  /// The address space of local variables.
  virtual unsigned getPrivateSpace() const = 0;
  /// The old value. Float kinds arrive as integers, but for FAdd.
  virtual Value atomicRMW(Builder &b, const AtomicAccess &access,
                          ir::AtomicKind kind, Value value) const = 0;
  virtual llvm::StringRef getSyncScope(ir::MemoryScope scope) const = 0;
  /// Where in its own shared memory the block of this index in the cluster has
  /// what `pointer` points to; on chips that have clusters.
  virtual Value mapToPeer(Builder &b, Value pointer, Value block) const;
  /// Null for the relaxed order.
  mlir::LLVM::FenceOp fence(Builder &b, ir::MemoryOrder order,
                            ir::MemoryScope scope) const;

  // Positions and approximations -------------------------------------------

  virtual Value threadId(Builder &b, ir::Dimension dimension,
                         unsigned extent) const = 0;
  /// 32 bits; the caller extends.
  virtual Value blockId(Builder &b, ir::Dimension dimension) const = 0;
  virtual Value blockCount(Builder &b, ir::Dimension dimension) const = 0;
  /// Of an f32. Null if the chip has no such approximation.
  virtual Value fast(Builder &b, ir::FastKind kind, Value operand) const = 0;
  /// Marks `function` as a kernel of that workgroup.
  virtual void markKernel(mlir::Operation *function,
                          ir::KernelOp kernel) const = 0;

protected:
  TargetEmitter(const Target &target, unsigned blockSize)
      : target(target), blockSize(blockSize) {}

  Target target;
  unsigned blockSize;
};

/// Calls an LLVM intrinsic that has no operation of its own.
mlir::Value callIntrinsic(mlir::ImplicitLocOpBuilder &b, llvm::StringRef name,
                          mlir::Type type, mlir::ValueRange operands);

} // namespace coll

#endif // COLL_LOWERING_TARGETEMITTER_H
