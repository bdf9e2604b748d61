//===- GroupNotes.cpp - What a collective of a block takes ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupNotes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

void GroupNotes::begin(Operation *op, StringRef unit, unsigned numUnits) {
  *this = GroupNotes();
  text = describeCollective(op);
  setUnits(unit, numUnits);
}

void GroupNotes::setUnits(StringRef unit, unsigned numUnits) {
  plan.unit = unit.str();
  plan.numUnits = numUnits;
}

StringRef GroupNotes::getName() const {
  return StringRef(text).split(" over ").first;
}

StringRef GroupNotes::getGroup() const {
  return StringRef(text).split(" over ").second;
}

void GroupNotes::store(const Twine &step) {
  store(step, [](unsigned) { return true; });
}

void GroupNotes::store(const Twine &step,
                       llvm::function_ref<bool(unsigned)> isStored) {
  plan.addStore(step.str(), isStored);
}

void GroupNotes::barrier(const Twine &step) {
  ++numBarriers;
  plan.addBarrier(step.str());
}

void GroupNotes::read(const Twine &step) {
  read(step, [](unsigned, unsigned) { return true; });
}

void GroupNotes::read(const Twine &step,
                      llvm::function_ref<bool(unsigned, unsigned)> isRead) {
  plan.addRead(step.str(), isRead);
}

void GroupNotes::useMemory(ValueRange arrays) {
  for (Value array : arrays) {
    auto type = cast<ViewType>(array.getType());
    numBytes +=
        type.getElementSize() * ShapedType::getNumElements(type.getShape());
  }
}

std::string GroupNotes::getCost() const {
  std::string cost = "no barrier";
  if (numBarriers)
    cost = (Twine(numBarriers) + (numBarriers == 1 ? " barrier" : " barriers") +
            " of the " + getGroup())
               .str();
  if (uint64_t bytes = numBytes + counterBytes)
    cost += ", " + std::to_string(bytes) + " bytes of shared memory";
  return cost;
}

void GroupNotes::report(const CollectiveReporter &reporter, Location loc) {
  reporter.report(loc, text, getCost(), std::move(plan));
}

std::string coll::ir::describeOperator(const Combiner &combiner) {
  if (std::optional<CombineKind> kind = combiner.getKind())
    return getOperatorName(static_cast<OperatorKind>(*kind)).str();
  if (std::optional<CombineKind> kind = combiner.getArgKind())
    return getArgName(static_cast<OperatorKind>(*kind)).str();
  StringRef name = combiner.getName();
  return name.empty() ? "the operator" : name.str();
}

//===----------------------------------------------------------------------===//
// Several blocks
//===----------------------------------------------------------------------===//

namespace {
/// Notes what ExpandGrid writes for one operation.
class BlocksText {
public:
  explicit BlocksText(Operation *op)
      : op(op), group(stringifyGroupKind(getGroup(op).attr.getKind())) {
    plan.unit = "block";
    // As many as a cluster of an unknown launch may have at the least.
    plan.numUnits = 4;
    plan.isExample = true;
    if (getGroup(op).attr.isCluster()) {
      plan.numUnits = op->getParentOfType<KernelOp>().getCluster();
      plan.isExample = false;
    }
  }

  GroupPlan run();

private:
  void exchange(const Twine &stored);
  void combineAll(const Combiner &combiner);
  void combineBefore(const Combiner &combiner, bool isReverse);
  template <typename ScanLike> void scan(ScanLike op);
  void uniform();

  Operation *op;
  StringRef group;
  GroupPlan plan;
};
} // namespace

void BlocksText::exchange(const Twine &stored) {
  bool isGrid = getGroup(op).attr.isGrid();
  plan.addStore(
      (stored + " in " + (isGrid ? "the workspace" : "its shared memory"))
          .str(),
      [](unsigned) { return true; });
  plan.addBarrier(("barrier of the " + group).str());
}

void BlocksText::combineAll(const Combiner &combiner) {
  plan.addRead(
      "every block loads the results of all blocks and combines them: " +
          describeOperator(combiner),
      [](unsigned, unsigned) { return true; });
}

void BlocksText::combineBefore(const Combiner &combiner, bool isReverse) {
  plan.addRead(("every block loads the results of the blocks " +
                Twine(isReverse ? "after" : "before") +
                " it and combines them: " + describeOperator(combiner))
                   .str(),
               [&](unsigned reader, unsigned source) {
                 return isReverse ? source > reader : source < reader;
               });
  plan.addInside("every thread combines that with its own value");
}

template <typename ScanLike> void BlocksText::scan(ScanLike op) {
  plan.addInside("each block: a scan of its own");
  exchange("one thread of each block stores the block's total");
  combineBefore(Combiner(op), op.getReverse());
}

void BlocksText::uniform() {
  exchange("one thread of each block stores the value of its block's first "
           "rank");
  plan.addRead("every thread compares its own value with that of the first "
               "block",
               [](unsigned, unsigned source) { return source == 0; });
  plan.addInside("each block: a vote of its own");
  exchange("one thread of each block stores the vote");
  combineAll(Combiner(CombineKind::And));
}

GroupPlan BlocksText::run() {
  auto reduce = [&](const Twine &inside, const Combiner &combiner) {
    plan.addInside(("each block: " + inside + " of its own").str());
    exchange("one thread of each block stores the block's result");
    combineAll(combiner);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ReduceOp op) { reduce("a reduce", Combiner(op)); })
      .Case([&](VoteOp op) {
        bool isAny = op.getKind() == VoteKind::Any;
        reduce("a vote", Combiner(isAny ? CombineKind::Or : CombineKind::And));
      })
      .Case(
          [&](PopulationOp) { reduce("a count", Combiner(CombineKind::Add)); })
      .Case<ScanOp, ExclusiveScanOp, ScanTotalOp>([&](auto op) { scan(op); })
      .Case([&](RankAmongOp) {
        plan.addInside("each block: a rank_among and a count of its own");
        exchange("one thread of each block stores the block's count");
        combineBefore(Combiner(CombineKind::Add), /*isReverse=*/false);
      })
      .Case([&](BroadcastOp) {
        plan.addInside("each block: a broadcast of the source's rank in its "
                       "block");
        exchange("one thread of each block stores that value");
        plan.addRead("every thread loads what the source's block stored",
                     [](unsigned, unsigned) { return false; });
      })
      .Case([&](UniformOp) { uniform(); })
      .Case([&](SyncOp) { plan.addBarrier(("barrier of the " + group).str()); })
      .Case([&](ElectOp) {
        plan.addInside("every thread compares its rank with 0");
      });
  return std::move(plan);
}

GroupPlan coll::ir::describeBlocks(Operation *op) {
  return BlocksText(op).run();
}
