//===- DropUnused.cpp - Collectives whose result nobody reads -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: first. A collective other than a barrier exchanges its operands and
// promises nothing else, and that all threads of its group reach it was checked
// before. What may stop the program in an operator stays.
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/Uniformity.h"
#include "coll/Target/Target.h"
#include "coll/Transforms/CollectiveReporter.h"
#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace coll::ir {
#define GEN_PASS_DEF_DROPUNUSED
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// Whether the operator of `op`, if it has one, may stop the program.
static bool mayStop(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        return isa<TrapOp, AssertOp>(inner) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Leaves of an operator
//===----------------------------------------------------------------------===//

/// Puts the bodies of functions that return at their end only where they are
/// called, so that what each result comes from is seen.
static void flattenCalls(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto call = dyn_cast<InlineOp>(op);
    if (!call)
      continue;
    Block &body = call.getBody().front();
    flattenCalls(body);
    bool hasRegions = llvm::any_of(
        body, [](Operation &inner) { return inner.getNumRegions() != 0; });
    auto end = dyn_cast<ReturnOp>(body.back());
    if (hasRegions || !end)
      continue;
    call->replaceAllUsesWith(end.getValues());
    end.erase();
    block.getOperations().splice(call->getIterator(), body.getOperations());
    call.erase();
  }
}

/// Whether each result of the operator is computed by plain operations.
static bool isPlain(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) {
    return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
  });
}

/// Adds to `needed` the leaves of a plain operator that it computes those from.
static void addSources(Block &block, llvm::BitVector &needed) {
  ValueRange yielded = block.getTerminator()->getOperands();
  SmallVector<Value> work;
  for (unsigned leaf : needed.set_bits())
    work.push_back(yielded[leaf]);
  llvm::SmallDenseSet<Value> visited;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == &block) {
      unsigned leaf = argument.getArgNumber() % needed.size();
      needed.set(leaf);
      work.push_back(yielded[leaf]);
    } else if (Operation *op = value.getDefiningOp();
               op && op->getBlock() == &block) {
      work.append(op->operand_begin(), op->operand_end());
    }
  }
}

static SmallVector<Value> pick(ValueRange values,
                               const llvm::BitVector &leaves) {
  SmallVector<Value> picked;
  for (unsigned leaf : leaves.set_bits())
    picked.push_back(values[leaf]);
  return picked;
}

/// Takes the leaves that are not in `kept` out of a plain operator.
static void shrinkOperator(Block &block, const llvm::BitVector &kept) {
  Operation *yield = block.getTerminator();
  yield->setOperands(pick(yield->getOperands(), kept));
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  block.eraseArguments([&](BlockArgument argument) {
    return !kept.test(argument.getArgNumber() % kept.size());
  });
}

namespace {
struct DropUnused : public coll::ir::impl::DropUnusedBase<DropUnused> {
  using DropUnusedBase::DropUnusedBase;
  DropUnused(const DropUnusedOptions &options, CollectiveLog *log)
      : DropUnusedBase(options), log(log) {}

  void runOnOperation() override {
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      getOperation().emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    warpSize = parsed->getWarpSize();
    CollectiveReporter inKernel(getOperation(), target, remarks, log);
    reporter = &inKernel;
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isOfInterest(op))
        ops.push_back(op);
    });
    // Users come after what they use, and regions after what holds them.
    for (Operation *op : llvm::reverse(ops))
      visit(op);
    derived.clear();
  }

private:
  bool isOfInterest(Operation *op);
  void visit(Operation *op);
  void visitScanTotal(ScanTotalOp op);
  void visitArgReduce(ArgReduceOp op);
  template <typename CombiningOp> void visitLeaves(CombiningOp op);
  bool isReduction(ScanTotalOp op);

  unsigned warpSize = 0;
  /// What collectives and groups give, and all that is computed from that.
  llvm::DenseSet<Value> derived;
  const CollectiveReporter *reporter = nullptr;
  CollectiveLog *log = nullptr;
};
} // namespace

/// Tiles that the chip does not have stay, and with them the error.
static bool isTooWide(GroupAttr group, unsigned warpSize, unsigned blockSize) {
  return group.getKind() == GroupKind::Tile && group.getTileSize() > warpSize &&
         blockSize % group.getTileSize() != 0;
}

/// A collective with results, or a plain operation on some. Called in the order
/// of definitions.
bool DropUnused::isOfInterest(Operation *op) {
  GroupAttr group = UniformityAnalysis::getCollectiveGroup(op);
  bool isSource =
      isa<ActiveOp>(op) ||
      (group && !isTooWide(group, warpSize, getOperation().getBlockSize()));
  bool isDerived = isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
                   llvm::any_of(op->getOperands(), [&](Value operand) {
                     return derived.contains(operand);
                   });
  if (op->getNumResults() == 0 || !(isSource || isDerived))
    return false;
  derived.insert(op->result_begin(), op->result_end());
  return true;
}

void DropUnused::visit(Operation *op) {
  if (!UniformityAnalysis::getCollectiveGroup(op)) {
    if (op->use_empty())
      op->erase();
    return;
  }
  if (mayStop(op))
    return;
  if (op->use_empty()) {
    reporter->report(op, "unused result");
    op->erase();
    return;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ScanTotalOp op) { visitScanTotal(op); })
      .Case([&](ArgReduceOp op) { visitArgReduce(op); })
      .Case<ReduceOp, ScanOp, ExclusiveScanOp>(
          [&](auto op) { visitLeaves(op); });
}

/// Whether the total is that of a reduction in every group, as
/// docs/semantics.md says: of exact operators, else where the ranks are a power
/// of two.
bool DropUnused::isReduction(ScanTotalOp op) {
  std::optional<CombineKind> kind = op.getKind();
  bool isSum = kind == CombineKind::Add || kind == CombineKind::Mul;
  if (kind && !(isSum && isa<FloatType>(getElementTypeOrSelf(
                             op.getValues().front().getType()))))
    return true;
  GroupAttr group = op.getGroup();
  if (op.getReverse() || group.isMembers() || group.isOfBlocks())
    return false;
  if (group.isWarps())
    return llvm::isPowerOf2_32(group.getTileSize());
  unsigned blockSize = getOperation().getBlockSize(), size = blockSize;
  if (group.isThread())
    size = 1;
  else if (group.getKind() == GroupKind::Warp)
    size = warpSize;
  else if (group.getKind() == GroupKind::Tile)
    size = group.getTileSize();
  size = std::min(size, blockSize);
  unsigned rest = blockSize % size;
  return llvm::isPowerOf2_32(size) && (rest == 0 || llvm::isPowerOf2_32(rest));
}

void DropUnused::visitScanTotal(ScanTotalOp op) {
  unsigned half = op.getNumResults() / 2;
  ResultRange prefix = op.getResults().take_front(half);
  ResultRange total = op.getResults().drop_front(half);
  auto isUnused = [](Value value) { return value.use_empty(); };
  SmallVector<Type> types(prefix.getTypes());
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto replace = [&](ResultRange results, auto simpler) {
    simpler.getCombiner().takeBody(op.getCombiner());
    for (auto [result, value] : llvm::zip(results, simpler.getResults()))
      result.replaceAllUsesWith(value);
    op.erase();
    visitLeaves(simpler);
  };
  if (llvm::all_of(total, isUnused)) {
    reporter->report(op, "unused total");
    replace(prefix,
            ExclusiveScanOp::create(b, types, getGroup(op), op.getKindAttr(),
                                    op.getValues(), op.getFirst(),
                                    op.getCommutative(), op.getReverse()));
  } else if (llvm::all_of(prefix, isUnused) && isReduction(op)) {
    reporter->report(op, "only the total is used");
    replace(total, ReduceOp::create(b, types, getGroup(op), op.getKindAttr(),
                                    op.getValues(), op.getCommutative()));
  }
}

/// Of integers the best value is a reduction. Among floats -0 equals +0, and
/// the rank decides.
void DropUnused::visitArgReduce(ArgReduceOp op) {
  if (!op.getRank().use_empty() ||
      isa<FloatType>(getElementTypeOrSelf(op.getOperand().getType())))
    return;
  reporter->report(op, "unused rank");
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto reduce = ReduceOp::create(b, getGroup(op), op.getKindAttr(),
                                 ValueRange(op.getOperand()));
  op.getValue().replaceAllUsesWith(reduce.getResult(0));
  op.erase();
}

/// Leaves that no result comes from that somebody reads.
template <typename CombiningOp> void DropUnused::visitLeaves(CombiningOp op) {
  unsigned count = op.getValues().size();
  llvm::BitVector needed(count);
  for (unsigned leaf = 0; leaf != count; ++leaf)
    needed[leaf] = !op.getResult(leaf).use_empty();
  if (op.getKind() || needed.all())
    return;
  Block &block = op.getCombiner().front();
  flattenCalls(block);
  if (!isPlain(block))
    return;
  addSources(block, needed);
  if (needed.all())
    return;
  reporter->report(op, "unused members");
  shrinkOperator(block, needed);
  op.getValuesMutable().assign(pick(op.getValues(), needed));
  if constexpr (std::is_same_v<CombiningOp, ExclusiveScanOp>)
    if (!op.getFirst().empty())
      op.getFirstMutable().assign(pick(op.getFirst(), needed));
  OperationState state(op.getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addTypes(llvm::to_vector(op.getValues().getTypes()));
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.addRegion()->takeBody(op.getCombiner());
  OpBuilder b(op);
  Operation *shrunk = b.create(state);
  for (auto [leaf, result] : llvm::zip(needed.set_bits(), shrunk->getResults()))
    op.getResult(leaf).replaceAllUsesWith(result);
  op.erase();
}

std::unique_ptr<Pass>
coll::ir::createDropUnused(const DropUnusedOptions &options,
                           CollectiveLog *log) {
  return std::make_unique<DropUnused>(options, log);
}
