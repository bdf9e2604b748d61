//===- Rows.h - What the AMD strategies share -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An AMD wave is rows of 16 lanes. DPP moves inside rows; what crosses them
// depends on the family: row_bcast on gfx9, permlanex16 and readlane from
// gfx10, permlane64 from gfx11. These helpers hide which.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_AMD_ROWS_H
#define COLL_PLAN_AMD_ROWS_H

#include "coll/Plan/PlanBuilder.h"

namespace coll::amd {

constexpr unsigned rowSize = 16;
/// Lanes of every second row, and of the upper half of a wave64.
constexpr uint64_t oddRows = 0xffff0000ffff0000, upperHalf = 0xffffffff00000000;

/// Combines by a move that leaves out lanes without source: by an instruction
/// that does not write them, else they get the neutral value where the operator
/// has one, else a mask selects.
class GapFiller {
public:
  GapFiller(PlanBuilder &builder, const PlanKey &key);

  PlanValue combine(Move move, PlanValue value, Side side, WarpConstant mask);
  /// op(carried, value) in the rows of `rowMask`, whose lanes are `mask`.
  PlanValue combineCarried(PlanValue carried, PlanValue value, unsigned rowMask,
                           uint64_t mask);

private:
  PlanBuilder &builder;
  const PlanKey &key;
  bool isTied;
  PlanValue neutral = noValue;
};

/// An element as DPP instructions combine it, and back: narrow integers are
/// words, bf16 is f32, 64-bit integers of SMin and SMax have no sign.
PlanValue encode(PlanBuilder &builder, const PlanKey &key, PlanValue value);
PlanValue decode(PlanBuilder &builder, const PlanKey &key, PlanValue value);

/// In rows 1 and 3: combines the last value of the row before (left).
PlanValue combineRowBefore(PlanBuilder &builder, const PlanKey &key,
                           GapFiller &gaps, PlanValue value);
/// In lanes 32 to 63: combines the value of lane 31 (left).
PlanValue combineLowerHalf(PlanBuilder &builder, const PlanKey &key,
                           GapFiller &gaps, PlanValue value);

/// Gives all ranks of each group of up to 32 lanes the value of its rank 0, or
/// of the last rank of a full group (a short group gets anything then).
PlanValue broadcastRank(PlanBuilder &builder, const PlanKey &key,
                        PlanValue value, bool isLast);
/// Gives all ranks of each group the value of its last present rank.
PlanValue broadcastLastPresent(PlanBuilder &builder, const PlanKey &key,
                               PlanValue value);
/// For groups of 32 or 64 lanes: reads the last present lane of each group.
PlanValue readLastOfHalves(PlanBuilder &builder, const PlanKey &key,
                           PlanValue value);

} // namespace coll::amd

#endif // COLL_PLAN_AMD_ROWS_H
