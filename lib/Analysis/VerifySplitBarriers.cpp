//===- VerifySplitBarriers.cpp - Halves of barriers out of turn -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads of a group execute its `arrive` and `wait` together (uniformity
// has been verified), so that one path through the kernel stands for all of
// them. For each group, the operations that may have been the last of its
// halves are carried along all paths. Where each of them is wrong, so is every
// execution that comes there: an error. Where some are, a warning.
//
// A loop `for i in a..b` with constant ends is looked at twice: in its first
// trip, and in all later ones.
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "coll/Analysis/Passes.h"
#include "coll/Analysis/RankSets.h"
#include "coll/Analysis/Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace coll {
#define GEN_PASS_DEF_VERIFYSPLITBARRIERS
#include "coll/Analysis/Passes.h.inc"
} // namespace coll

using namespace coll;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Loops with constant ends
//===----------------------------------------------------------------------===//

/// The stores to a variable that is otherwise only loaded, as a whole: the one
/// in the step of `loop` and the other, which is before it. Null if there are
/// others.
static std::pair<ir::StoreOp, ir::StoreOp> findStores(ir::VarOp variable,
                                                      ir::LoopOp loop) {
  ir::StoreOp before, step;
  for (Operation *user : variable->getUsers()) {
    if (isa<ir::LoadOp>(user))
      continue;
    auto store = dyn_cast<ir::StoreOp>(user);
    if (!store || store.getValues().size() != 1 || !store.getIndices().empty())
      return {};
    bool isStep = store->getBlock() == &loop.getStep().front();
    bool isBefore =
        store->getBlock() == loop->getBlock() && store->isBeforeInBlock(loop);
    ir::StoreOp &known = isStep ? step : before;
    if (known || (!isStep && !isBefore))
      return {};
    known = store;
  }
  return {before, step};
}

static ir::VarOp getLoaded(Value value) {
  auto load = value.getDefiningOp<ir::LoadOp>();
  return load ? load.getView().getDefiningOp<ir::VarOp>() : ir::VarOp();
}

/// How many trips a loop makes that nothing leaves, if that is constant.
static std::optional<uint64_t> countTrips(ir::LoopOp loop) {
  auto condition = cast<ir::ConditionOp>(loop.getCondition().front().back());
  auto compare = condition.getCondition().getDefiningOp<arith::CmpIOp>();
  ir::VarOp variable = compare ? getLoaded(compare.getLhs()) : ir::VarOp();
  if (!variable)
    return std::nullopt;
  auto [before, step] = findStores(variable, loop);
  auto add =
      step ? step.getValues()[0].getDefiningOp<arith::AddIOp>() : nullptr;
  APInt begin, end, by;
  if (!before || !add || getLoaded(add.getLhs()) != variable ||
      !matchPattern(before.getValues()[0], m_ConstantInt(&begin)) ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&end)) ||
      !matchPattern(add.getRhs(), m_ConstantInt(&by)) ||
      !by.isStrictlyPositive())
    return std::nullopt;
  arith::CmpIPredicate predicate = compare.getPredicate();
  using enum arith::CmpIPredicate;
  if (predicate != slt && predicate != sle && predicate != ult &&
      predicate != ule)
    return std::nullopt;
  if (!arith::applyCmpPredicate(predicate, begin, end))
    return 0;
  uint64_t distance = (end - begin).getZExtValue();
  uint64_t stride = by.getZExtValue();
  bool isInclusive = predicate == sle || predicate == ule;
  return isInclusive ? distance / stride + 1
                     : llvm::divideCeil(distance, stride);
}

/// Whether something may leave a trip of `loop` before its end.
static bool hasExits(ir::LoopOp loop) {
  return loop
      .walk([&](Operation *op) {
        bool leaves =
            isa<ir::BreakOp, ir::ContinueOp>(op) ||
            (isa<ir::ReturnOp>(op) && !isa<ir::InlineOp>(op->getParentOp()));
        return leaves ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// SplitVerifier
//===----------------------------------------------------------------------===//

namespace {
/// The halves of one group's barriers in a kernel.
class SplitVerifier {
public:
  SplitVerifier(ir::KernelOp kernel, RankSets &ranks, ir::GroupAttr group)
      : kernel(kernel), ranks(ranks), group(group),
        threads(kernel.getBlockSize(), true) {
    if (group.isWarps())
      threads = getRanks(kernel, group);
  }

  LogicalResult verify() {
    findRelevant();
    do {
      hasChanged = false;
      findings.clear();
      Lasts lasts;
      lasts.insert(nullptr);
      Exits exits;
      visitBlock(kernel.getBody().front(), lasts, exits);
    } while (hasChanged);
    return report();
  }

private:
  /// The operations one of which was the last half that a thread executed; null
  /// where it has executed none. Empty where no thread comes.
  using Lasts = llvm::SmallSetVector<Operation *, 4>;
  /// How threads leave a region before its end.
  struct Exits {
    Lasts breaks, continues, returns;
  };
  /// What is wrong with an operation.
  struct Finding {
    bool isCertain = false;
    Operation *other = nullptr; ///< The half before; null: there is none.
    ir::ReturnOp end; ///< Of an arrival without a wait: where the kernel ends.
  };

  void findRelevant();
  /// Notes the operations around `op` up to one of type `Outer`.
  template <typename Outer> void addAround(Operation *op);

  void visitBlock(Block &block, Lasts &lasts, Exits &exits);
  void visitIf(ir::IfOp op, Lasts &lasts, Exits &exits);
  void visitLoop(ir::LoopOp op, Lasts &lasts, Exits &exits);
  /// Trips of a loop, which begin with `head`: gives those at the end of the
  /// last one. `lasts` becomes what is true when the condition ends the loop.
  Lasts visitTrip(ir::LoopOp op, Lasts &lasts, Exits &exits);
  void visitTrips(ir::LoopOp op, Lasts &lasts, Exits &exits);
  void visitHalf(Operation *op, Lasts &lasts);
  void visitEnd(ir::ReturnOp op, const Lasts &lasts);
  void note(Operation *op, Finding finding);
  LogicalResult report();
  void explain(Operation *op, const Finding &finding,
               InFlightDiagnostic diagnostic);

  /// Whether the condition of `op` may be `value` in a thread of the group.
  bool mayBe(ir::IfOp op, bool value);

  ir::KernelOp kernel;
  RankSets &ranks;
  ir::GroupAttr group;
  llvm::BitVector threads; ///< That are in such a group.
  /// Operations with regions that are worth a look inside.
  llvm::DenseSet<Operation *> relevant;
  bool hasChanged = false;
  /// Of the loops around that are looked at twice, which trips these are: the
  /// binary digits behind the first 1.
  unsigned path = 1;
  /// Whether these are later trips of a loop, and not all of them come here.
  bool isLater = false, isConditional = false;
  /// At the beginning of a trip of a loop on a path.
  llvm::DenseMap<std::pair<Operation *, unsigned>, Lasts> heads;
  llvm::MapVector<Operation *, Finding> findings;
};
} // namespace

/// Loops inside each other that are looked at twice: at most four.
static constexpr unsigned maxPath = 1 << 4;

template <typename Set> static bool join(Set &into, const Set &from) {
  size_t before = into.size();
  into.insert(from.begin(), from.end());
  return into.size() != before;
}

template <typename Outer> void SplitVerifier::addAround(Operation *op) {
  for (op = op->getParentOp(); !isa<Outer>(op); op = op->getParentOp())
    relevant.insert(op);
}

/// What holds a half of a barrier, or the end of the kernel, and what leaves a
/// loop or function.
void SplitVerifier::findRelevant() {
  kernel.walk([&](Operation *op) {
    if (isa<ir::BreakOp, ir::ContinueOp>(op))
      addAround<ir::LoopOp>(op);
    else if (isa<ir::ReturnOp>(op) && op->getParentOfType<ir::InlineOp>())
      addAround<ir::InlineOp>(op);
    else if (isa<ir::ArriveOp, ir::WaitOp, ir::ReturnOp>(op))
      addAround<ir::KernelOp>(op);
  });
}

void SplitVerifier::visitBlock(Block &block, Lasts &lasts, Exits &exits) {
  for (Operation &op : block) {
    if (lasts.empty())
      return;
    if (op.getNumRegions() != 0 && !relevant.contains(&op))
      continue;
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](ir::IfOp op) { visitIf(op, lasts, exits); })
        .Case([&](ir::LoopOp op) { visitLoop(op, lasts, exits); })
        .Case([&](ir::InlineOp op) {
          Exits left;
          visitBlock(op.getBody().front(), lasts, left);
          lasts = left.returns;
        })
        .Case([&](ir::ReturnOp op) {
          if (op->getParentOfType<ir::InlineOp>())
            join(exits.returns, lasts);
          else
            visitEnd(op, lasts);
        })
        .Case([&](ir::BreakOp) { join(exits.breaks, lasts); })
        .Case([&](ir::ContinueOp) { join(exits.continues, lasts); })
        .Case([&](ir::TrapOp) { lasts.clear(); })
        .Case<ir::ArriveOp, ir::WaitOp>([&](auto op) {
          if (op.getGroup() == group)
            visitHalf(op, lasts);
        });
  }
}

bool SplitVerifier::mayBe(ir::IfOp op, bool value) {
  APInt constant;
  if (matchPattern(op.getCondition(), m_ConstantInt(&constant)))
    return !constant.isZero() == value;
  llvm::BitVector reach = ranks.getReach(op);
  reach &= threads;
  return llvm::any_of(reach.set_bits(), [&](unsigned thread) {
    return ranks.getValue(op.getCondition(), thread).value_or(value) == value;
  });
}

void SplitVerifier::visitIf(ir::IfOp op, Lasts &lasts, Exits &exits) {
  llvm::SaveAndRestore restore(isConditional, isLater);
  Lasts after;
  for (Region &region : op->getRegions()) {
    if (!mayBe(op, &region == &op.getThenRegion()))
      continue;
    Lasts arm = lasts;
    if (region.empty()) {
      join(after, arm);
      continue;
    }
    visitBlock(region.front(), arm, exits);
    if (isa<ir::YieldOp>(region.front().back()))
      join(after, arm);
  }
  lasts = std::move(after);
}

SplitVerifier::Lasts SplitVerifier::visitTrip(ir::LoopOp op, Lasts &lasts,
                                              Exits &exits) {
  visitBlock(op.getCondition().front(), lasts, exits);
  auto condition = cast<ir::ConditionOp>(op.getCondition().front().back());
  Lasts inside = lasts;
  APInt goesOn;
  if (matchPattern(condition.getCondition(), m_ConstantInt(&goesOn)))
    (goesOn.isZero() ? inside : lasts).clear();
  Exits left;
  visitBlock(op.getBody().front(), inside, left);
  if (!isa<ir::YieldOp>(op.getBody().front().back()))
    inside.clear();
  join(inside, left.continues);
  visitBlock(op.getStep().front(), inside, left);
  join(exits.breaks, left.breaks);
  join(exits.returns, left.returns);
  return inside;
}

/// Any number of trips.
void SplitVerifier::visitTrips(ir::LoopOp op, Lasts &lasts, Exits &exits) {
  std::pair<Operation *, unsigned> key(op, path);
  hasChanged |= join(heads[key], lasts);
  lasts = heads[key];
  Lasts back = visitTrip(op, lasts, exits);
  hasChanged |= join(heads[key], back);
}

void SplitVerifier::visitLoop(ir::LoopOp op, Lasts &lasts, Exits &exits) {
  llvm::SaveAndRestore restorePath(path);
  llvm::SaveAndRestore restoreLater(isLater);
  llvm::SaveAndRestore restoreConditional(isConditional);
  Exits left;
  std::optional<uint64_t> trips = countTrips(op);
  if (!trips || *trips < 2 || path >= maxPath) {
    isConditional |= isLater;
    visitTrips(op, lasts, left);
  } else {
    path *= 2;
    lasts = visitTrip(op, lasts, left);
    ++path;
    isLater = true;
    isConditional |= hasExits(op);
    if (!lasts.empty())
      visitTrips(op, lasts, left);
  }
  join(lasts, left.breaks);
  join(exits.returns, left.returns);
}

/// A wait after an arrive and an arrive after a wait are in turn.
void SplitVerifier::visitHalf(Operation *op, Lasts &lasts) {
  bool isWait = isa<ir::WaitOp>(op);
  SmallVector<Operation *> bad;
  llvm::copy_if(lasts, std::back_inserter(bad), [&](Operation *last) {
    return isa_and_present<ir::ArriveOp>(last) != isWait;
  });
  bool isSure = !(isLater && isConditional);
  if (!bad.empty())
    note(op, {bad.size() == lasts.size() && isSure, bad.front(), {}});
  lasts.clear();
  lasts.insert(op);
}

void SplitVerifier::visitEnd(ir::ReturnOp op, const Lasts &lasts) {
  auto isArrival = [](Operation *last) {
    return isa_and_present<ir::ArriveOp>(last);
  };
  bool isCertain =
      llvm::all_of(lasts, isArrival) && !(isLater && isConditional);
  for (Operation *last : lasts)
    if (isArrival(last))
      note(last, {isCertain, nullptr, op});
}

/// What is certain on one path is told rather than what may be on another, and
/// of an arrival in the first place that it comes too early.
void SplitVerifier::note(Operation *op, Finding finding) {
  auto [known, isNew] = findings.insert({op, finding});
  Finding &old = known->second;
  if (!isNew && !old.isCertain && finding.isCertain)
    old = finding;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

LogicalResult SplitVerifier::report() {
  // One arrival too many makes waits wrong that come after it.
  bool arrivesTwice = llvm::any_of(findings, [](const auto &entry) {
    const Finding &finding = entry.second;
    return finding.isCertain && !finding.end && isa<ir::ArriveOp>(entry.first);
  });
  LogicalResult result = success();
  for (const auto &[op, finding] : findings) {
    if (arrivesTwice && (finding.end || isa<ir::WaitOp>(op)))
      continue;
    if (finding.isCertain)
      result = failure();
    explain(op, finding,
            finding.isCertain ? emitError(op->getLoc())
                              : emitWarning(op->getLoc()));
  }
  return result;
}

void SplitVerifier::explain(Operation *op, const Finding &finding,
                            InFlightDiagnostic diagnostic) {
  diagnostic << getCollectiveName(op, group)
             << (finding.isCertain ? "" : " may");
  auto say = [&](StringRef certain, StringRef possible) {
    diagnostic << (finding.isCertain ? certain : possible);
  };
  if (ir::ReturnOp end = finding.end) {
    say(" has no wait before the kernel ends",
        " have no wait before the kernel ends");
    if (end->getNextNode() || !isa<ir::KernelOp>(end->getParentOp()))
      diagnostic.attachNote(end.getLoc()) << "the kernel ends here";
    return;
  }
  bool isWait = isa<ir::WaitOp>(op);
  if (!finding.other) {
    say(" follows no arrive", " follow no arrive");
    return;
  }
  say(" follows another without ", " follow another without ");
  diagnostic << (isWait ? "an arrive between" : "a wait between");
  if (finding.other != op)
    diagnostic.attachNote(finding.other->getLoc()) << "the other is here";
  else if (auto loop = op->getParentOfType<ir::LoopOp>())
    diagnostic.attachNote(loop.getLoc())
        << "the other is the same one, in another trip of this loop";
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static LogicalResult verifyKernel(ir::KernelOp kernel, unsigned warpSize) {
  llvm::SmallSetVector<ir::GroupAttr, 4> groups;
  kernel.walk([&](Operation *op) {
    if (isa<ir::ArriveOp, ir::WaitOp>(op))
      groups.insert(UniformityAnalysis::getCollectiveGroup(op));
  });
  RankSets ranks(kernel, warpSize);
  LogicalResult result = success();
  for (ir::GroupAttr group : groups)
    if (failed(SplitVerifier(kernel, ranks, group).verify()))
      result = failure();
  return result;
}

LogicalResult coll::verifySplitBarriers(ModuleOp module, unsigned warpSize) {
  LogicalResult result = success();
  for (auto kernel : module.getOps<ir::KernelOp>())
    if (failed(verifyKernel(kernel, warpSize)))
      result = failure();
  return result;
}

namespace {
struct VerifySplitBarriers
    : coll::impl::VerifySplitBarriersBase<VerifySplitBarriers> {
  using VerifySplitBarriersBase::VerifySplitBarriersBase;
  void runOnOperation() override {
    if (failed(verifySplitBarriers(getOperation(), warpSize)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
