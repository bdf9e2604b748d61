//===- Votes.cpp - One bit of every rank by votes -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vote collects a bit of every lane at once (vote.sync, or a comparison whose
// result is a scalar mask): the reduction of bits is one vote, a scan is a
// ballot of which the bits of the lower ranks are looked at. The sum of flags
// is the number of bits in it.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"
#include "coll/Plan/PlanBuilder.h"

using namespace coll;

std::optional<Plan> coll::buildVote(const PlanKey &key) {
  if (isShuffle(key.kind) || !key.element.isScalar(/*isFloat=*/false) ||
      key.getMaxRanks() < 2)
    return std::nullopt;
  bool isBit = key.element.leaves.front().bits == 1 && isBitwise(key.op.kind);
  bool isCount = key.isFlag && key.op.kind == OperatorKind::Add;
  if (!isBit && !isCount)
    return std::nullopt;
  PlanBuilder builder(key);
  PlanValue input = builder.getInput();
  if (key.kind == CollectiveKind::Reduce)
    return builder.finishReduce(builder.vote(VoteRanks::All, input));
  PlanValue prefix = builder.vote(key.kind == CollectiveKind::InclusiveScan
                                      ? VoteRanks::UpToOwn
                                      : VoteRanks::BelowOwn,
                                  input);
  PlanValue total = noValue;
  if (key.kind == CollectiveKind::ScanTotal)
    total = builder.vote(VoteRanks::All, input);
  return builder.finishScan(prefix, total);
}
