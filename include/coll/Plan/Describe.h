//===- Describe.h - Plans for people: text and pictures ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_DESCRIBE_H
#define COLL_PLAN_DESCRIBE_H

#include "coll/Plan/CollectiveLog.h"
#include "coll/Plan/Lanes.h"

namespace coll {

/// The lanes of `set` among the first `present`: "all lanes", "lanes 1..31",
/// "lanes 1..15 of each 16", "lanes 0, 4, 7..9".
std::string describeLanes(uint64_t set, unsigned present);

/// Which lane reads which, by one rule if there is one. `sources` has one entry
/// for each lane that is there, none for a lane that reads no other (if none
/// does, the text is empty):
/// "lane i <- lane i^1", "lane i <- lane i-4", "lane i <- lane 15 of its 16".
std::string describeSources(llvm::ArrayRef<std::optional<unsigned>> sources);

/// "add", "arg smin", "op" for an operator of the user's.
std::string describeOperator(const OperatorInfo &op);

/// What one step does in `warp`, in one line without its cost: who reads whom,
/// by which instruction, what is combined and in which lanes.
std::string describeStep(const PlanKey &key, const Plan &plan, size_t step,
                         const WarpShape &warp);

/// The whole record: a header line with place, collective, strategy and cost;
/// then kernel, the strategies not taken and why, and a line for each step.
void explain(llvm::raw_ostream &os, const CollectiveRecord &record);

/// A plan as an SVG picture: lanes across, steps down, lines from the lanes
/// that are read, a filled dot where a lane combines, a ring where it takes
/// over what it reads; absent lanes are grey. A block whose last warp is short
/// has a second part for it.
void drawPlan(llvm::raw_ostream &os, const PlannedCollective &planned);

/// What warps or blocks do together (`record.group`) as an SVG picture: units
/// across, steps down, lines from what is read; a bar is a barrier.
void drawGroupPlan(llvm::raw_ostream &os, const CollectiveRecord &record);

/// What one lane does in a Move or Combine step.
struct LaneRead {
  LaneSource source;
  bool isWanted = true; ///< The guard is true.

  /// True if the lane's result comes from `source.lane`.
  bool readsLane() const { return isWanted && source.kind == LaneSource::Lane; }
};

/// What each lane of `warp` that is present does in `step`, a Move or Combine.
llvm::SmallVector<LaneRead, 64> findReads(const Step &step,
                                          const WarpShape &warp);

/// The warps that a key's plan is for: the full one, the short last one.
llvm::SmallVector<WarpShape, 2> getWarps(const PlanKey &key);

} // namespace coll

#endif // COLL_PLAN_DESCRIBE_H
