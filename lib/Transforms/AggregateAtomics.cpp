//===- AggregateAtomics.cpp - One atomic for the lanes of a warp ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: first, while the control flow is the source's, and before
// coll-resolve-active, which knows where all of a warp is here. A relaxed
// atomic whose address is the same in all lanes of a warp is carried out once,
// by the lowest lane that is there, with the combination of the lanes' values;
// each lane's old value is what it would be if they had come in rank order.
// Floats, whose sum depends on the order, stay as they are but for those that
// are `fast`.
//
// Some lanes of a warp find each other's values by a shuffle from a computed
// lane for each level of the tree, and their places before. All of a warp have
// better plans: so atomics under conditions are taken out of the branches.
//
//===----------------------------------------------------------------------===//

#include "BranchLifter.h"
#include "EarlyExits.h"
#include "LoopsTogether.h"
#include "coll/Analysis/Uniformity.h"
#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace coll::ir {
#define GEN_PASS_DEF_AGGREGATEATOMICS
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// How the values of several atomics become that of one.
static std::optional<CombineKind> getCombineKind(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
  case AtomicKind::Sub: // of the sum
  case AtomicKind::FAdd:
    return CombineKind::Add;
  case AtomicKind::SMin:
    return CombineKind::SMin;
  case AtomicKind::SMax:
    return CombineKind::SMax;
  case AtomicKind::UMin:
    return CombineKind::UMin;
  case AtomicKind::UMax:
    return CombineKind::UMax;
  case AtomicKind::And:
    return CombineKind::And;
  case AtomicKind::Or:
    return CombineKind::Or;
  case AtomicKind::Xor:
    return CombineKind::Xor;
  case AtomicKind::FMin:
    return CombineKind::MinNum;
  case AtomicKind::FMax:
    return CombineKind::MaxNum;
  case AtomicKind::Exchange:
    return std::nullopt;
  }
  llvm_unreachable("unknown atomic");
}

/// Whether a condition holds in one thread by its form: `elect`, or a rank
/// compared with a number. Such an atomic was aggregated by hand.
static bool selectsOneThread(Value condition) {
  if (condition.getDefiningOp<ElectOp>())
    return true;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return false;
  auto isRank = [](Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (isa<RankOp, ThreadIdOp>(op))
        return true;
      if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op))
        return false;
      value = op->getOperand(0);
    }
    return false;
  };
  return isRank(compare.getLhs()) || isRank(compare.getRhs());
}

static bool isOfOneThread(Operation *op) {
  for (Operation *parent = op->getParentOp(); !isa<KernelOp>(parent);
       parent = parent->getParentOp())
    if (auto branch = dyn_cast<IfOp>(parent))
      if (selectsOneThread(branch.getCondition()))
        return true;
  return false;
}

namespace {
class Aggregation {
public:
  /// `group` has all lanes that execute `op` together.
  Aggregation(AtomicRMWOp op, const GroupRef &group)
      : op(op), kind(*getCombineKind(op.getKind())),
        needsOld(!op.getResult().use_empty()), b(op.getLoc(), op),
        group(group) {}

  /// `isUniform`: all lanes have the same value.
  void run(bool isUniform);

private:
  /// A number of lanes (`i32`) as a value of the type of the atomic's.
  Value convert(Value number);
  /// The sum of so many lanes that have the atomic's value.
  Value multiply(Value number);
  // These set `total`, and `before` where it is needed.
  void sumSame();
  void combine();
  Value combineOld(Value first);

  AtomicRMWOp op;
  CombineKind kind;
  bool needsOld;
  ImplicitLocOpBuilder b;
  GroupRef group; ///< The lanes that are here.
  /// The combinations of the lanes below and of all.
  Value before, total;
};

/// An atomic that one lane may carry out.
struct Site {
  AtomicRMWOp op;
  bool hasUniformValue;
  /// The outermost branch or call that only some lanes may come to the atomic
  /// through, if all of the warp come to that; else null.
  Operation *outermost;
  /// What takes it out of that; null if nothing does.
  std::unique_ptr<BranchLifter> lifter;
};

struct AggregateAtomics
    : public coll::ir::impl::AggregateAtomicsBase<AggregateAtomics> {
  using AggregateAtomicsBase::AggregateAtomicsBase;
  void runOnOperation() override;

private:
  bool isBetterLifted(const Site &site) const;
  bool bringTogether(ArrayRef<Site> sites, const UniformityAnalysis &uniformity,
                     GroupAttr warp) const;
  void prepareLifters(MutableArrayRef<Site> sites) const;
  void run(const Site &site);
};
} // namespace

Value Aggregation::convert(Value number) {
  Type type = op.getValue().getType();
  if (isa<FloatType>(type))
    return arith::UIToFPOp::create(b, type, number);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return number;
  if (width > 32)
    return arith::ExtUIOp::create(b, type, number);
  return arith::TruncIOp::create(b, type, number);
}

Value Aggregation::multiply(Value number) {
  Value value = op.getValue();
  if (isa<FloatType>(value.getType()))
    return arith::MulFOp::create(b, value, convert(number));
  return arith::MulIOp::create(b, value, convert(number));
}

/// All lanes add the same.
void Aggregation::sumSame() {
  total = multiply(SizeOp::create(b, b.getI32Type(), group));
  if (!needsOld)
    return;
  Value rank = RankOp::create(b, b.getI32Type(), group);
  before = multiply(rank);
  auto type = dyn_cast<FloatType>(before.getType());
  if (!type)
    return;
  // Infinities times 0 are none, and +0 is not neutral.
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank, createI32(b, 0));
  Value nothing = arith::ConstantOp::create(b, getNeutral(kind, type));
  before = arith::SelectOp::create(b, isFirst, nothing, before);
}

void Aggregation::combine() {
  Type type = op.getValue().getType();
  auto attr = CombineKindAttr::get(b.getContext(), kind);
  if (!needsOld) {
    total = ReduceOp::create(b, TypeRange(type), group, attr,
                             ValueRange(op.getValue()), /*commutative=*/true)
                .getResult(0);
    return;
  }
  Value nothing = arith::ConstantOp::create(b, getNeutral(kind, type));
  auto scanned =
      ScanTotalOp::create(b, TypeRange{type, type}, group, attr,
                          ValueRange(op.getValue()), ValueRange(nothing),
                          /*commutative=*/true, /*reverse=*/false);
  before = scanned.getResult(0);
  total = scanned.getResult(1);
}

Value Aggregation::combineOld(Value first) {
  if (op.getKind() == AtomicKind::Sub)
    return arith::SubIOp::create(b, first, before);
  return combineBuiltin(b, kind, first, before);
}

void Aggregation::run(bool isUniform) {
  Type type = op.getValue().getType();
  if (isUniform && kind == CombineKind::Add)
    sumSame();
  else
    combine();
  Value isLowest = ElectOp::create(b, group);
  auto update = [&] {
    Value old =
        AtomicRMWOp::create(b, op.getKind(), op.getOrder(), op.getScope(),
                            total, op.getView(), op.getIndices());
    return needsOld ? Leaves{old} : Leaves();
  };
  if (!needsOld) {
    createIf(b, {}, isLowest, update);
    // A lane that reads the element next sees its own update in it.
    SyncOp::create(b, group);
  } else {
    Leaves first = createIf(b, TypeRange(type), isLowest, update, [&] {
      return Leaves{
          arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)))};
    });
    auto spread =
        BroadcastOp::create(b, TypeRange(type), group, first, createI32(b, 0));
    op.getResult().replaceAllUsesWith(combineOld(spread.getResult(0)));
  }
  op.erase();
}

//===----------------------------------------------------------------------===//
// Under conditions
//===----------------------------------------------------------------------===//

/// The innermost branch or call around `op`, inside of which lanes part, that
/// all of a warp come to. Null if a loop is in between, or there is none.
static Operation *findOutermost(AtomicRMWOp op,
                                const UniformityAnalysis &uniformity,
                                GroupAttr warp) {
  unsigned level = uniformity.getLevel(warp);
  Operation *place = op;
  while (uniformity.getControl(place).level < level) {
    place = place->getParentOp();
    if (!isa<IfOp, InlineOp>(place))
      return nullptr;
  }
  return place == op ? nullptr : place;
}

/// Takes the atomic out of its branches, and carries it out for the whole warp
/// if any of its lanes was at it. What the lanes have written before comes
/// first, as another of them may make the access.
static void aggregateLifted(AtomicRMWOp op, BranchLifter &lifter) {
  Type type = op.getValue().getType();
  Value isHere = lifter.lift(getNeutral(*getCombineKind(op.getKind()), type));
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto warp = GroupAttr::get(b.getContext(), GroupKind::Warp, 0);
  Value any =
      VoteOp::create(b, b.getI1Type(), VoteKind::Any, GroupRef(warp), isHere);
  auto moveInside = [&] {
    SyncOp::create(b, GroupRef(warp));
    op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
  };
  if (op.getResult().use_empty()) {
    createIf(b, {}, any, [&] {
      moveInside();
      return Leaves();
    });
  } else {
    SmallVector<OpOperand *> uses =
        llvm::to_vector(llvm::make_pointer_range(op.getResult().getUses()));
    Leaves old = createIf(
        b, TypeRange(type), any,
        [&] {
          moveInside();
          return Leaves{op.getResult()};
        },
        [&] {
          return Leaves{arith::ConstantOp::create(
              b, cast<TypedAttr>(b.getZeroAttr(type)))};
        });
    for (OpOperand *use : uses)
      use->set(old.front());
  }
  Aggregation(op, warp).run(/*isUniform=*/false);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Those that may be combined, if they are at one address.
static SmallVector<AtomicRMWOp> findAtomics(KernelOp kernel) {
  SmallVector<AtomicRMWOp> atomics;
  kernel.walk([&](AtomicRMWOp op) {
    bool mayCombine = isa<IntegerType>(op.getValue().getType()) || op.getFast();
    if (mayCombine && op.getOrder() == MemoryOrder::Relaxed &&
        getCombineKind(op.getKind()) && !isOfOneThread(op))
      atomics.push_back(op);
  });
  return atomics;
}

/// What is known of the atomics, before any is replaced.
static SmallVector<Site> findSites(ArrayRef<AtomicRMWOp> atomics,
                                   const UniformityAnalysis &uniformity,
                                   GroupAttr warp) {
  auto isUniform = [&](Value value) {
    return uniformity.isUniform(value, warp);
  };
  SmallVector<Site> sites;
  for (AtomicRMWOp op : atomics)
    if (isUniform(op.getView()) && llvm::all_of(op.getIndices(), isUniform))
      sites.push_back({op, isUniform(op.getValue()),
                       findOutermost(op, uniformity, warp), nullptr});
  return sites;
}

/// Equal values need no exchange among any lanes.
bool AggregateAtomics::isBetterLifted(const Site &site) const {
  AtomicRMWOp op = site.op;
  if (site.hasUniformValue)
    return false;
  bool needsOld = !op.getResult().use_empty();
  return needsOld || !reducesMembers || !op.getValue().getType().isInteger(32);
}

/// The loop around `op`, left by its condition, that all of a warp come to, if
/// there are only branches and calls in between. Else null.
static LoopOp findLoop(AtomicRMWOp op, const UniformityAnalysis &uniformity,
                       GroupAttr warp) {
  Operation *place = op, *parent = op->getParentOp();
  for (; isa<IfOp, InlineOp>(parent); parent = parent->getParentOp())
    place = parent;
  auto loop = dyn_cast<LoopOp>(parent);
  if (!loop || place->getParentRegion() != &loop.getBody() ||
      uniformity.getControl(loop).level < uniformity.getLevel(warp))
    return {};
  auto end = cast<ConditionOp>(loop.getCondition().front().getTerminator());
  bool isTogether = uniformity.isUniform(end.getCondition(), warp);
  return isTogether || !isLeftByCondition(loop) ? LoopOp() : loop;
}

/// Where some of a warp leave before an atomic, all are to come back after it,
/// and they are to leave a loop together. True if anything was changed.
bool AggregateAtomics::bringTogether(ArrayRef<Site> sites,
                                     const UniformityAnalysis &uniformity,
                                     GroupAttr warp) const {
  bool isChanged = false;
  llvm::SetVector<Operation *> loops;
  for (const Site &site : sites) {
    if (site.outermost || !isBetterLifted(site))
      continue;
    isChanged |= nestAfterExits(site.op, [&](Value condition) {
      return uniformity.isUniform(condition, warp);
    });
    if (LoopOp loop = findLoop(site.op, uniformity, warp))
      loops.insert(loop);
  }
  for (Operation *loop : loops)
    stayTogether(cast<LoopOp>(loop));
  return isChanged || !loops.empty();
}

void AggregateAtomics::prepareLifters(MutableArrayRef<Site> sites) const {
  for (Site &site : sites) {
    if (!site.outermost || !isBetterLifted(site))
      continue;
    auto lifter = std::make_unique<BranchLifter>(
        site.op, site.op.getValueMutable(), site.outermost);
    if (lifter->prepare())
      site.lifter = std::move(lifter);
  }
}

void AggregateAtomics::run(const Site &site) {
  AtomicRMWOp op = site.op;
  if (site.lifter)
    return aggregateLifted(op, *site.lifter);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto members = GroupAttr::get(&getContext(), GroupKind::Members, 0);
  Aggregation(op, GroupRef(members, ActiveOp::create(b)))
      .run(site.hasUniformValue);
}

void AggregateAtomics::runOnOperation() {
  SmallVector<AtomicRMWOp> atomics = findAtomics(getOperation());
  if (atomics.empty())
    return;
  auto warp = GroupAttr::get(&getContext(), GroupKind::Warp, 0);
  auto uniformity =
      std::make_unique<UniformityAnalysis>(getOperation(), warpSize);
  SmallVector<Site> sites = findSites(atomics, *uniformity, warp);
  if (bringTogether(sites, *uniformity, warp)) {
    uniformity = std::make_unique<UniformityAnalysis>(getOperation(), warpSize);
    sites = findSites(atomics, *uniformity, warp);
  }
  prepareLifters(sites);
  for (const Site &site : sites)
    run(site);
}
