//===- ResolveActive.cpp - Active groups that are the warp ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: before all other passes over coll, as what is the same in the warp
// is seen best there.
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/Uniformity.h"
#include "coll/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace coll::ir {
#define GEN_PASS_DEF_RESOLVEACTIVE
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

static void useWarp(Operation *user, GroupAttr warp) {
  llvm::TypeSwitch<Operation *>(user)
      .Case<RankOp, SizeOp, ReduceOp, ScanOp, ExclusiveScanOp, ScanTotalOp,
            BroadcastOp, ShuffleOp, VoteOp, PopulationOp, RankAmongOp, BallotOp,
            MatchOp, UniformOp, ElectOp, ArgReduceOp, SyncOp, PartitionOp>(
          [&](auto op) {
            op.setGroupAttr(warp);
            op.getMembersMutable().clear();
          });
}

namespace {
struct ResolveActive : public coll::ir::impl::ResolveActiveBase<ResolveActive> {
  using ResolveActiveBase::ResolveActiveBase;

  void runOnOperation() override {
    SmallVector<ActiveOp> groups;
    getOperation().walk([&](ActiveOp op) { groups.push_back(op); });
    if (groups.empty())
      return;
    coll::UniformityAnalysis uniformity(getOperation(), warpSize);
    auto warp = GroupAttr::get(&getContext(), GroupKind::Warp, 0);
    for (ActiveOp group : groups) {
      if (uniformity.getControl(group).level < uniformity.getLevel(warp))
        continue;
      for (Operation *user : llvm::make_early_inc_range(group->getUsers()))
        useWarp(user, warp);
      if (group->use_empty())
        group.erase();
    }
  }
};
} // namespace
