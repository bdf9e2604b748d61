//===- ExpandThread.cpp - Collectives of one thread -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: after the expansion of block collectives, which may leave tiles of
// one thread.
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace coll::ir {
#define GEN_PASS_DEF_EXPANDTHREAD
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

/// Whether the group of `op` is one thread, or a part of one.
static bool isOfOneThread(Operation *op) {
  auto attr = op->getAttrOfType<GroupAttr>("group");
  if (!attr)
    return false;
  if (attr.getKind() == GroupKind::Members) {
    auto partition = getGroup(op).members.getDefiningOp<PartitionOp>();
    return partition && isOfOneThread(partition);
  }
  return attr.isThread() ||
         (attr.getKind() == GroupKind::Tile && attr.getTileSize() == 1);
}

/// The rank 0 of an exclusive scan.
template <typename ScanLikeOp> static Leaves getFirst(ScanLikeOp op) {
  return Leaves(op.getFirst().empty() ? op.getValues() : op.getFirst());
}

/// The only source inside the group is rank 0.
static Leaves expandShuffle(ImplicitLocOpBuilder &b, ShuffleOp op) {
  if (op.getFill().empty() || op.getKind() == ShuffleKind::Rotate)
    return Leaves(op.getValues());
  Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       op.getIndex(), createI32(b, 0));
  return createSelect(b, inside, op.getValues(), op.getFill());
}

/// What the collective `op` of one thread gives, or nothing if it is none.
static std::optional<Leaves> expand(Operation *operation) {
  ImplicitLocOpBuilder b(operation->getLoc(), operation);
  return llvm::TypeSwitch<Operation *, std::optional<Leaves>>(operation)
      .Case<ReduceOp, ScanOp, BroadcastOp>(
          [&](auto op) { return Leaves(op.getValues()); })
      .Case<ExclusiveScanOp>([&](auto op) { return getFirst(op); })
      .Case<ScanTotalOp>([&](auto op) {
        Leaves results = getFirst(op);
        results.append(op.getValues().begin(), op.getValues().end());
        return results;
      })
      .Case<ShuffleOp>([&](auto op) { return expandShuffle(b, op); })
      .Case<VoteOp>([&](auto op) { return Leaves{op.getPredicate()}; })
      .Case<PopulationOp, BallotOp>([&](auto op) {
        Type type = op.getResult().getType();
        return Leaves{arith::ExtUIOp::create(b, type, op.getPredicate())};
      })
      .Case<RankAmongOp>([&](auto op) { return Leaves{createI32(b, 0)}; })
      .Case<MatchOp>([&](auto op) { return Leaves{createI64(b, 1)}; })
      .Case<UniformOp, ElectOp>(
          [&](auto op) { return Leaves{createBool(b, true)}; })
      .Case<ArgReduceOp>(
          [&](auto op) { return Leaves{op.getOperand(), createI32(b, 0)}; })
      .Case<RankOp>([&](auto op) { return Leaves{createI32(b, 0)}; })
      .Case<SizeOp>([&](auto op) { return Leaves{createI32(b, 1)}; })
      .Case<SyncOp>([&](auto op) { return Leaves{}; })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
struct ExpandThread : public coll::ir::impl::ExpandThreadBase<ExpandThread> {
  void runOnOperation() override {
    SmallVector<PartitionOp> partitions;
    getOperation().walk([&](Operation *op) {
      if (!isOfOneThread(op))
        return;
      if (auto partition = dyn_cast<PartitionOp>(op))
        partitions.push_back(partition);
      if (std::optional<Leaves> results = expand(op)) {
        op->replaceAllUsesWith(*results);
        op->erase();
      }
    });
    // Parts of parts first.
    for (PartitionOp partition : llvm::reverse(partitions))
      if (partition.use_empty())
        partition.erase();
  }
};
} // namespace
