//===- SortNetwork.h - Sorting by comparisons of pairs ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bitonic network over ranks in which the lower of two ranks always keeps the
// lesser elements: the first step of each level pairs rank r with its mirror
// image in the level's block of ranks, the others pair at distances 2^j. So
// ranks that do not exist, being the highest, count as infinitely great, and
// there is nothing to do for them. The operator of a comparison is never
// applied to padding.
//
// Of K elements a thread, those of a pair of threads are compared one by one;
// inside a thread the elements are sorted before the first level and again, as
// they are bitonic then, after each.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_SORTNETWORK_H
#define COLL_LIB_TRANSFORMS_SORTNETWORK_H

#include "ListMemory.h"
#include "coll/Target/Target.h"

namespace coll::ir {

class SortNetwork {
public:
  /// Of a group of at most `numRanks` ranks, which some groups lack if not
  /// `isFull`. Elements are compared by their first `numKeys` leaves; what
  /// follows is moved along.
  SortNetwork(mlir::ImplicitLocOpBuilder &b, ListMemory &memory,
              GroupNotes &notes, const Target &target, GroupAttr group,
              unsigned numRanks, bool isFull, unsigned numKeys);

  /// How many halves of memory the steps between warps use in turn, where
  /// nothing but that limits them, for so many elements a thread.
  static unsigned getNumHalves(const Target &target, unsigned blockSize,
                               unsigned count, mlir::TypeRange leaves);

  /// Sorts the group's list of elements.
  void sort(Elements &elements);

private:
  mlir::Value isLess(mlir::ValueRange left, mlir::ValueRange right);
  void compare(Leaves &low, Leaves &high);
  void sortOwn(Elements &elements);
  void mergeOwn(Elements &elements);
  /// Compares with the elements of rank `own ^ mask`, in reverse if `mirrored`.
  void step(Elements &elements, unsigned mask, bool mirrored);
  /// The elements of that rank; the own ones where it does not exist.
  Elements fetch(const Elements &elements, unsigned mask);
  Elements shuffle(const Elements &elements, unsigned mask);
  Elements passThroughMemory(const Elements &elements, unsigned mask);
  mlir::Value isInside(mlir::Value partner);

  mlir::ImplicitLocOpBuilder &b;
  ListMemory &memory;
  GroupNotes &notes;
  const Target &target;
  GroupAttr group;
  /// The group of the steps that are shuffles, and the lanes of a warp.
  GroupAttr lanes;
  unsigned numLanes;
  unsigned numRanks;
  bool isFull;
  unsigned numKeys;
  mlir::Value rank;
  /// Steps through memory so far, and the halves that they use in turn.
  unsigned numPasses = 0, numHalves = 1;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_SORTNETWORK_H
