//===- Strategies.h - The strategies of both vendors ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_STRATEGIES_H
#define COLL_PLAN_STRATEGIES_H

#include "coll/Plan/Plan.h"

namespace coll {

/// Groups of one rank: nothing moves.
std::optional<Plan> buildSingle(const PlanKey &key);

/// A broadcast or shuffle by one move: the first of `moves`, best first, that
/// the chip has and that brings every lane its value.
std::optional<Plan> buildMove(const PlanKey &key, llvm::ArrayRef<Move> moves);

/// Bits and flags of both vendors' lanes, by votes.
std::optional<Plan> buildVote(const PlanKey &key);

/// Vectors, each number by its own plan.
std::optional<Plan> buildNumbers(const PlanKey &key);

namespace nvidia {
std::optional<Plan> buildShuffle(const PlanKey &key);
std::optional<Plan> buildRedux(const PlanKey &key);
std::optional<Plan> buildReduxKeys(const PlanKey &key);
std::optional<Plan> buildReduxFloat(const PlanKey &key);
std::optional<Plan> buildReduxArg(const PlanKey &key);
std::optional<Plan> buildShuffleButterfly(const PlanKey &key);
std::optional<Plan> buildShuffleDown(const PlanKey &key);
std::optional<Plan> buildShuffleScan(const PlanKey &key);
std::optional<Plan> buildShuffleScanByLane(const PlanKey &key);
} // namespace nvidia

namespace amd {
std::optional<Plan> buildShuffle(const PlanKey &key);
std::optional<Plan> buildDPPWords(const PlanKey &key);
std::optional<Plan> buildDPPArg(const PlanKey &key);
std::optional<Plan> buildDPPTree(const PlanKey &key);
std::optional<Plan> buildDPPTreeToLast(const PlanKey &key);
std::optional<Plan> buildDPPDown(const PlanKey &key);
std::optional<Plan> buildDPPUp(const PlanKey &key);
std::optional<Plan> buildDPPScan(const PlanKey &key);
} // namespace amd

} // namespace coll

#endif // COLL_PLAN_STRATEGIES_H
