//===- MemberGroup.h - The lanes of a group as values -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group that is made at run time is a mask of lanes, of as many bits as the
// warp has lanes. What follows from it is computed once, where the group is
// made, when it is first asked for: all who share that place are there.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_MEMBERGROUP_H
#define COLL_LIB_LOWERING_MEMBERGROUP_H

#include "coll/Lowering/TargetEmitter.h"
#include "llvm/ADT/DenseMap.h"

namespace coll {

/// Arithmetic on masks of lanes where the builder stands. Lanes and ranks are
/// `i32`.
class LaneMasks {
public:
  using Builder = mlir::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  LaneMasks(Builder &b, const TargetEmitter &target)
      : b(b), target(target), width(target.getWarpSize()) {}

  unsigned getWidth() const { return width; }
  Value constant(uint64_t lanes) const;
  /// From and to the `i64` that TargetEmitter works with.
  Value fromWide(Value wide) const;
  Value toWide(Value mask) const;
  Value both(Value left, Value right) const;
  Value isSame(Value left, Value right) const;
  Value isEmpty(Value mask) const { return isSame(mask, constant(0)); }
  /// The lanes below this one, and those above.
  Value below() const;
  Value above() const;
  Value count(Value mask) const;
  /// The lowest and the highest lane of a mask that is not empty.
  Value lowest(Value mask) const;
  Value highest(Value mask) const;
  /// The lane of a rank that the mask has.
  Value select(Value mask, Value rank) const;
  /// The bits of `mask` at the lanes of `group`, closed up: bit i is rank i's.
  Value compress(Value mask, Value group) const;

private:
  Value shift(Value mask, unsigned bits, bool isLeft) const;

  Builder &b;
  const TargetEmitter &target;
  unsigned width;
};

class MemberGroup {
public:
  using Value = mlir::Value;

  /// `maker` makes the group, which has `lanes`; `together` execute that.
  MemberGroup(const TargetEmitter &target, mlir::Operation *maker, Value lanes,
              const LaneGroup &together)
      : target(target), maker(maker), lanes(lanes), together(together) {}

  mlir::Operation *getMaker() const { return maker; }
  Value getLanes() const { return lanes; }
  Value getRank();
  Value getSize();
  Value getFirstLane();
  Value getLastLane();
  /// The lane of the rank that is 2^level above or below this one's; if there
  /// is none, that of some rank.
  Value getAbove(unsigned level) { return getNeighbour(level, false, aboves); }
  Value getBelow(unsigned level) { return getNeighbour(level, true, belows); }
  /// The lane of a rank, if the group has it; else no lane.
  Value getLane(unsigned rank);

private:
  using Builder = mlir::ImplicitLocOpBuilder;
  Builder createBuilder() const { return Builder(maker->getLoc(), maker); }
  Value getNeighbour(unsigned level, bool isBelow,
                     llvm::SmallVectorImpl<Value> &known);

  const TargetEmitter &target;
  mlir::Operation *maker;
  Value lanes;
  LaneGroup together;
  Value rank, size, firstLane, lastLane;
  llvm::SmallVector<Value, 6> aboves, belows;
  llvm::DenseMap<unsigned, Value> fixedLanes;
};

} // namespace coll

#endif // COLL_LIB_LOWERING_MEMBERGROUP_H
