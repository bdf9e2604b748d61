//===- LowerCollectives.cpp - Warp collectives as instructions ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: after the expansion of block collectives, on structured control
// flow: operators' regions are copied with all that is in them.
//
//===----------------------------------------------------------------------===//

#include "CollectiveLowering.h"
#include "GlobalOrder.h"
#include "MemberLowering.h"
#include "coll/Lowering/Passes.h"
#include "coll/Lowering/TargetEmitter.h"
#include "coll/Plan/Strategy.h"
#include "coll/Transforms/CollectiveReporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace coll::ir {
#define GEN_PASS_DEF_LOWERCOLLECTIVES
#include "coll/Lowering/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

static bool isCollective(Operation *op) {
  return op->hasAttr("group") && !isa<RankOp, SizeOp, IndexOp, CountOp>(op);
}

/// What the log says of a warp-level collective that has no plan, "any over
/// warp". Empty for all others, and for what makes or describes a group.
static std::string describeDirect(Operation *op, unsigned warpSize) {
  if (isa<ActiveOp, PartitionOp, RankOp, SizeOp, IndexOp, CountOp>(op))
    return "";
  GroupRef group = getGroup(op);
  bool isWide = group.attr.getKind() == GroupKind::Tile &&
                group.attr.getTileSize() > warpSize;
  if (!group.attr.isWarpLevel() || isWide)
    return "";
  return describeCollective(op);
}

namespace {
struct LowerCollectives
    : public coll::ir::impl::LowerCollectivesBase<LowerCollectives> {
  using LowerCollectivesBase::LowerCollectivesBase;
  LowerCollectives(const LowerCollectivesOptions &options, CollectiveLog *log)
      : LowerCollectivesBase(options), log(log) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    LowerCollectivesBase::getDependentDialects(registry);
    coll::insertVendorDialect(registry, target);
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      kernel.emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    if (!strategy.empty())
      if (llvm::Error error = checkStrategyName(*parsed, strategy)) {
        kernel.emitError() << llvm::toString(std::move(error));
        return signalPassFailure();
      }
    markGlobalOrder(kernel);
    SmallVector<Operation *> collectives;
    kernel.walk([&](Operation *op) {
      if (isCollective(op) || MemberLowering::isForMembers(op))
        collectives.push_back(op);
    });
    auto emitter = TargetEmitter::create(*parsed, kernel.getBlockSize());
    PlanSelector plans(kernel, *parsed, strategy, remarks, log);
    CollectiveLowering lowering(kernel, *emitter, plans);
    MemberLowering members(kernel, *emitter);
    if (failed(members.prepare()))
      return signalPassFailure();
    for (Operation *op : collectives) {
      size_t numLogged = log ? log->getNumAdded() : 0;
      Location loc = op->getLoc();
      std::string direct = log ? describeDirect(op, parsed->getWarpSize()) : "";
      if (failed(MemberLowering::isForMembers(op) ? members.lower(op)
                                                  : lowering.lower(op)))
        return signalPassFailure();
      if (!direct.empty() && log->getNumAdded() == numLogged)
        plans.logDirect(loc, std::move(direct));
    }
    members.finish();
  }

  CollectiveLog *log = nullptr;
};
} // namespace

std::unique_ptr<Pass>
coll::ir::createLowerCollectives(const LowerCollectivesOptions &options,
                                 CollectiveLog *log) {
  return std::make_unique<LowerCollectives>(options, log);
}
