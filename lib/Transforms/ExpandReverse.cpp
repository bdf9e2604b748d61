//===- ExpandReverse.cpp - Reverse scans as scans -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: before the expansion of block collectives. The values that rank 0
// of the reversed order gets are chosen after the scan, so that they are that
// thread's own.
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace coll::ir {
#define GEN_PASS_DEF_EXPANDREVERSE
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

namespace {
/// Turns the order of a group's ranks round.
class Reversal {
public:
  Reversal(ImplicitLocOpBuilder &b, const GroupRef &group)
      : b(b), group(group) {
    Type i32 = b.getI32Type();
    rank = RankOp::create(b, i32, group);
    Value size = SizeOp::create(b, i32, group);
    last = arith::SubIOp::create(b, size, createI32(b, 1));
    opposite = arith::SubIOp::create(b, last, rank);
  }

  /// The values of the opposite rank.
  Leaves apply(ValueRange values) {
    auto op = ShuffleOp::create(b, values.getTypes(), ShuffleKind::Idx, group,
                                values, opposite, ValueRange());
    return Leaves(op.getResults());
  }

  /// `first` in the last rank, `values` in the others.
  Leaves withFirst(ValueRange first, ValueRange values) {
    if (first.empty())
      return Leaves(values);
    Value isLast =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank, last);
    return createSelect(b, isLast, first, values);
  }

private:
  ImplicitLocOpBuilder &b;
  GroupRef group;
  Value rank, last, opposite;
};
} // namespace

static void expand(ScanOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Reversal reversal(b, getGroup(op));
  Leaves mirrored = reversal.apply(op.getValues());
  Leaves scanned = Combiner(op).createScan(b, getGroup(op), mirrored);
  op.replaceAllUsesWith(reversal.apply(scanned));
  op.erase();
}

static void expand(ExclusiveScanOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Reversal reversal(b, getGroup(op));
  Leaves mirrored = reversal.apply(op.getValues());
  auto scan = ExclusiveScanOp::create(b, op.getResultTypes(), getGroup(op),
                                      op.getKindAttr(), mirrored, ValueRange(),
                                      op.getCommutative(), /*reverse=*/false);
  scan.getCombiner().takeBody(op.getCombiner());
  Leaves results = reversal.apply(scan.getResults());
  op.replaceAllUsesWith(reversal.withFirst(op.getFirst(), results));
  op.erase();
}

static void expand(ScanTotalOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Reversal reversal(b, getGroup(op));
  Leaves mirrored = reversal.apply(op.getValues());
  auto scan = ScanTotalOp::create(b, op.getResultTypes(), getGroup(op),
                                  op.getKindAttr(), mirrored, ValueRange(),
                                  op.getCommutative(), /*reverse=*/false);
  scan.getCombiner().takeBody(op.getCombiner());
  unsigned half = mirrored.size();
  Leaves results = reversal.withFirst(
      op.getFirst(), reversal.apply(scan.getResults().take_front(half)));
  results.append(scan.getResults().begin() + half, scan.getResults().end());
  op.replaceAllUsesWith(results);
  op.erase();
}

namespace {
struct ExpandReverse : public coll::ir::impl::ExpandReverseBase<ExpandReverse> {
  void runOnOperation() override {
    SmallVector<Operation *> scans;
    getOperation().walk([&](Operation *op) {
      if (isa<ScanOp, ExclusiveScanOp, ScanTotalOp>(op) &&
          op->hasAttr("reverse"))
        scans.push_back(op);
    });
    for (Operation *op : scans) {
      if (auto scan = dyn_cast<ScanOp>(op))
        expand(scan);
      else if (auto exclusive = dyn_cast<ExclusiveScanOp>(op))
        expand(exclusive);
      else
        expand(cast<ScanTotalOp>(op));
    }
  }
};
} // namespace
