//===- ExpandGrid.cpp - Collectives of several blocks as those of one -----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: after arg_reduce is gone, before reverse scans are and before the
// block's own collectives are expanded. The orders of docs/semantics.md are
// kept: the tree, or the row, of the blocks' results.
//
//===----------------------------------------------------------------------===//

#include "BlocksExpander.h"
#include "GroupNotes.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace coll::ir {
#define GEN_PASS_DEF_EXPANDGRID
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// The cluster's index: clusters extend in x.
static void expandClusterId(ClusterIdOp op, int64_t numBlocks) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value index = BlockIdOp::create(b, op.getDimension());
  if (op.getDimension() == Dimension::X)
    index = arith::DivUIOp::create(b, index, createI64(b, numBlocks));
  op.replaceAllUsesWith(index);
  op.erase();
}

namespace {
struct ExpandGrid : public coll::ir::impl::ExpandGridBase<ExpandGrid> {
  using ExpandGridBase::ExpandGridBase;
  ExpandGrid(const ExpandGridOptions &options, CollectiveLog *log)
      : ExpandGridBase(options), log(log) {}

  void runOnOperation() override {
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      getOperation().emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    reportBarriers(*parsed);
    SmallVector<Operation *> sites;
    getOperation().walk([&](Operation *op) {
      auto group = op->getAttrOfType<GroupAttr>("group");
      if ((group && group.isOfBlocks()) || isa<ClusterIdOp>(op))
        sites.push_back(op);
    });
    if (sites.empty())
      return;
    auto grid = createGridExpander(getOperation(), *parsed);
    auto cluster = createClusterExpander(getOperation(), *parsed);
    for (Operation *op : sites) {
      auto group = op->getAttrOfType<GroupAttr>("group");
      BlocksExpander &expander = group && group.isCluster() ? *cluster : *grid;
      if (failed(expand(op, expander, *parsed)))
        return signalPassFailure();
    }
    grid->finish();
  }

private:
  void reportBarriers(const Target &target);
  LogicalResult expand(Operation *op, BlocksExpander &expander,
                       const Target &target);

  CollectiveLog *log = nullptr;
};
} // namespace

/// Those of the source, of the block and its parts: from here on others join
/// them, which are steps of collectives.
void ExpandGrid::reportBarriers(const Target &target) {
  CollectiveReporter reporter(getOperation(), target.str(), remarks, log);
  unsigned warpSize = target.getWarpSize();
  getOperation().walk([&](SyncOp op) {
    GroupAttr group = op.getGroup();
    bool isTile = group.getKind() == GroupKind::Tile;
    if (!group.isBlock() && !group.isWarps() &&
        !(isTile && group.getTileSize() > warpSize))
      return;
    unsigned size =
        group.isBlock() ? getOperation().getBlockSize() : group.getTileSize();
    GroupNotes notes;
    notes.begin(op, "warp", llvm::divideCeil(size, warpSize));
    notes.barrier("barrier of the " + notes.getGroup());
    notes.report(reporter, op.getLoc());
  });
}

LogicalResult ExpandGrid::expand(Operation *op, BlocksExpander &expander,
                                 const Target &target) {
  if (auto index = dyn_cast<ClusterIdOp>(op)) {
    expandClusterId(index, getOperation().getCluster());
    return success();
  }
  ImplicitLocOpBuilder b(op->getLoc(), op);
  if (isa<RankOp, SizeOp>(op)) {
    op->replaceAllUsesWith(ValueRange(
        isa<RankOp>(op) ? expander.createRank(b) : expander.createSize(b)));
    op->erase();
    return success();
  }
  if (getGroup(op).attr.isCluster() && !target.has(Feature::Cluster))
    return op->emitError() << target.str() << " has no clusters";
  CollectiveReporter reporter(getOperation(), target.str(), remarks, log);
  return expander.expand(op, [&](StringRef cost) {
    reporter.report(op->getLoc(), describeCollective(op), cost.str(),
                    describeBlocks(op));
  });
}

std::unique_ptr<Pass>
coll::ir::createExpandGrid(const ExpandGridOptions &options,
                           CollectiveLog *log) {
  return std::make_unique<ExpandGrid>(options, log);
}
