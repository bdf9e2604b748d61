//===- FindReaders.cpp - Which ranks need a reduction's result ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: when all reductions are `coll.reduce`, before those of blocks are
// expanded. All threads of the group execute the reduction in any case; only
// its result is at issue.
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/RankSets.h"
#include "coll/Target/Target.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace coll::ir {
#define GEN_PASS_DEF_FINDREADERS
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

/// Whether `condition` holds in rank 0 of the group `members` only, by its
/// form.
static bool selectsFirst(Value condition, Value members) {
  if (auto elect = condition.getDefiningOp<ElectOp>())
    return elect.getMembers() == members;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_Zero()))
    return false;
  auto rank = compare.getLhs().getDefiningOp<RankOp>();
  return rank && rank.getMembers() == members;
}

/// Of a group that is made at run time: whether all uses are under such a
/// condition.
static bool isForFirstMember(ValueRange results, Value members) {
  auto isUnder = [&](Operation *user) {
    for (Region *region = user->getParentRegion(); region;
         region = region->getParentRegion()) {
      auto branch = dyn_cast<IfOp>(region->getParentOp());
      if (branch && region == &branch.getThenRegion() &&
          selectsFirst(branch.getCondition(), members))
        return true;
    }
    return false;
  };
  return llvm::all_of(results, [&](Value result) {
    return llvm::all_of(result.getUsers(), isUnder);
  });
}

namespace {
struct FindReaders : public coll::ir::impl::FindReadersBase<FindReaders> {
  using FindReadersBase::FindReadersBase;

  void runOnOperation() override {
    llvm::Expected<coll::Target> parsed = coll::Target::parse(target);
    if (!parsed) {
      getOperation().emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    warpSize = parsed->getWarpSize();
    coll::RankSets sets(getOperation(), warpSize);
    getOperation().walk([&](Operation *op) {
      if (auto reduce = dyn_cast<ReduceOp>(op))
        reduce.setReaders(classify(sets, reduce, reduce.getResults()));
      else if (auto scan = dyn_cast<ScanTotalOp>(op))
        scan.setReaders(
            classify(sets, scan,
                     scan.getResults().drop_front(scan.getNumResults() / 2)));
    });
  }

private:
  Readers classify(coll::RankSets &sets, Operation *op, ValueRange results);

  unsigned warpSize = 0;
};
} // namespace

Readers FindReaders::classify(coll::RankSets &sets, Operation *op,
                              ValueRange results) {
  GroupRef group = getGroup(op);
  if (group.members)
    return isForFirstMember(results, group.members) ? Readers::First
                                                    : Readers::All;
  if (group.attr.isOfBlocks())
    return Readers::All;
  unsigned blockSize = getOperation().getBlockSize();
  llvm::BitVector readers(blockSize);
  for (Value result : results)
    readers |= sets.getReaders(result);
  bool isForFirst = true, isForLast = true, isForFirstWarp = true;
  for (unsigned reader : readers.set_bits()) {
    unsigned rank = sets.getRank(group, reader);
    isForFirst &= rank == 0;
    isForLast &= rank == sets.getRanks(group, reader) - 1;
    isForFirstWarp &= rank < warpSize;
  }
  bool isWide = sets.getRanks(group, 0) > warpSize;
  if (isForFirst)
    return Readers::First;
  if (isForLast && !isWide)
    return Readers::Last;
  return isForFirstWarp && isWide ? Readers::FirstWarp : Readers::All;
}
