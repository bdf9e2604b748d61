//===- CollectiveLowering.cpp - One kernel's warp collectives -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveLowering.h"
#include "PlanEmitter.h"
#include "ScanInit.h"
#include "Words.h"
#include "coll/Analysis/Uniformity.h"
#include "coll/Transforms/NeutralValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

CollectiveLowering::CollectiveLowering(KernelOp kernel,
                                       const TargetEmitter &target,
                                       const PlanSelector &plans)
    : kernel(kernel), target(target), plans(plans),
      b(kernel.getLoc(), kernel.getContext()) {
  if (target.getTarget().isNVIDIA())
    findConvergent();
}

void CollectiveLowering::findConvergent() {
  SmallVector<Operation *> sites;
  kernel.walk([&](Operation *op) {
    GroupAttr group = UniformityAnalysis::getCollectiveGroup(op);
    if (group && group.getKind() == GroupKind::Tile)
      sites.push_back(op);
  });
  if (sites.empty())
    return;
  UniformityAnalysis uniformity(kernel, target.getWarpSize());
  auto warp = GroupAttr::get(kernel.getContext(), GroupKind::Warp, 0);
  for (Operation *op : sites)
    if (uniformity.getControl(op).level >= uniformity.getLevel(warp))
      convergent.insert(op);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

Value CollectiveLowering::rank() {
  return RankOp::create(b, b.getI32Type(), groupAttr);
}

Value CollectiveLowering::firstLane() {
  return arith::AndIOp::create(b, target.lane(b),
                               createI32(b, -int64_t(group.size)));
}

PlanKey CollectiveLowering::createKey(CollectiveKind kind,
                                      TypeRange types) const {
  PlanKey key{kind,       OperatorInfo(),       getElementInfo(types),
              group.size, target.getPresence(), target.getTarget()};
  Operation *parent = b.getInsertionBlock()->getParentOp();
  key.isRepeated = isa<LoopOp>(parent) || parent->getParentOfType<LoopOp>();
  return key;
}

/// Whether the integers are bits that were extended: 0 or 1.
static bool isFlag(ValueRange values) {
  if (values.size() != 1)
    return false;
  auto extended = values.front().getDefiningOp<arith::ExtUIOp>();
  return extended && extended.getIn().getType().isInteger(1);
}

PlanKey CollectiveLowering::createKey(CollectiveKind kind,
                                      const Combiner &combiner,
                                      ValueRange values,
                                      ArrayRef<TypedAttr> neutral) const {
  PlanKey key = createKey(kind, values.getTypes());
  key.op = getOperatorInfo(combiner, key.element, neutral);
  key.isFlag = isFlag(values);
  return key;
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

std::optional<Leaves> CollectiveLowering::reduce(ReduceOp op) {
  Combiner combiner(op);
  auto neutral = findNeutral(combiner, op.getValues().getTypes());
  PlanKey key =
      createKey(CollectiveKind::Reduce, combiner, op.getValues(), neutral);
  if (op.getReaders() == Readers::First)
    key.demand = Demand::First;
  else if (op.getReaders() == Readers::Last)
    key.demand = Demand::Last;
  std::optional<Plan> plan = plans.select(op, key);
  if (!plan)
    return std::nullopt;
  return emitPlan(b, target, group, *plan,
                  {op.getValues(), {}, {}, &combiner, neutral, &key});
}

std::optional<Leaves> CollectiveLowering::scan(ScanOp op) {
  Combiner combiner(op);
  auto neutral = findNeutral(combiner, op.getValues().getTypes());
  PlanKey key = createKey(CollectiveKind::InclusiveScan, combiner,
                          op.getValues(), neutral);
  std::optional<Plan> plan = plans.select(op, key);
  if (!plan)
    return std::nullopt;
  return emitPlan(b, target, group, *plan,
                  {op.getValues(), {}, {}, &combiner, neutral, &key});
}

/// True if `values` are a built-in operator's constant: its identity, or what
/// is neutral for it.
static bool isConstant(const Combiner &combiner, ValueRange values,
                       TypedAttr (*getConstant)(CombineKind, Type)) {
  TypedAttr attr;
  return combiner.getKind() && values.size() == 1 &&
         matchPattern(values.front(), m_Constant(&attr)) &&
         attr == getConstant(*combiner.getKind(), values.front().getType());
}

/// As one with `init`, if that is what the results are used for.
template <typename ScanLikeOp>
std::optional<Leaves> CollectiveLowering::scanWithInit(ScanLikeOp op,
                                                       CollectiveKind kind) {
  Combiner combiner(op);
  if (op.getFirst().size() != 1)
    return std::nullopt;
  arith::SelectOp select = findScanInit(
      combiner, groupAttr, op.getFirst().front(), op->getResult(0));
  if (!select)
    return std::nullopt;
  PlanKey key = createKey(kind, combiner, op.getValues(), {});
  key.hasInit = true;
  std::optional<Plan> plan = plans.select(op, key);
  if (!plan)
    return std::nullopt;
  Leaves results =
      emitPlan(b, target, group, *plan,
               {op.getValues(), op.getFirst(), {}, &combiner, {}, &key});
  replaceScanInit(select, results.front());
  return results;
}

/// What rank 0 gets is any value of the thread's own. A built-in operator's
/// plan may combine the identity, so there it is put in afterwards.
template <typename ScanLikeOp>
std::optional<Leaves> CollectiveLowering::exclusiveScan(ScanLikeOp op,
                                                        CollectiveKind kind) {
  if (std::optional<Leaves> results = scanWithInit(op, kind))
    return results;
  Combiner combiner(op);
  ValueRange values = op.getValues();
  ValueRange first = op.getFirst().empty() ? values : ValueRange(op.getFirst());
  auto neutral = findNeutral(combiner, values.getTypes());
  PlanKey key = createKey(kind, combiner, values, neutral);
  bool isNeutral = isConstant(combiner, first, getNeutral);
  if (isNeutral) {
    key.op.isIdentityNeutral = true;
    key.op.isZeroIdentity = key.op.isZeroNeutral;
  }
  std::optional<Plan> plan = plans.select(op, key);
  if (!plan)
    return std::nullopt;
  Leaves identity(first);
  if (std::optional<CombineKind> builtin = combiner.getKind();
      builtin && !isNeutral)
    identity = {arith::ConstantOp::create(
        b, getIdentity(*builtin, values.front().getType()))};
  Leaves results = emitPlan(b, target, group, *plan,
                            {values, {}, identity, &combiner, neutral, &key});
  if (!combiner.getKind() || isNeutral ||
      isConstant(combiner, first, getIdentity))
    return results;
  Value isFirst =
      arith::CmpIOp::create(b, CmpIPredicate::eq, rank(), createI32(b, 0));
  results[0] = arith::SelectOp::create(b, isFirst, first[0], results[0]);
  return results;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// `move` applied to every word of the leaves.
static Leaves moveWords(ImplicitLocOpBuilder &b, ValueRange values,
                        llvm::function_ref<Value(Value)> move) {
  Leaves words = packLeaves(b, values);
  for (Value &word : words)
    word = move(word);
  return unpackLeaves(b, words, values.getTypes());
}

std::optional<Leaves> CollectiveLowering::moveByPlan(Operation *op,
                                                     CollectiveKind kind,
                                                     ValueRange values,
                                                     ValueRange fill,
                                                     Value argument) {
  APInt constant;
  if (!matchPattern(argument, m_ConstantInt(&constant)) ||
      (kind != CollectiveKind::Rotate && constant.uge(group.size)))
    return std::nullopt;
  PlanKey key = createKey(kind, values.getTypes());
  key.hasInit = !fill.empty();
  key.argument = static_cast<uint32_t>(constant.getSExtValue());
  key.hasScratch = target.hasScratch(kernel);
  std::optional<Plan> plan = plans.select(op, key);
  if (!plan)
    return std::nullopt;
  return emitPlan(b, target, group, *plan, {values, fill, {}, nullptr});
}

std::optional<Leaves> CollectiveLowering::broadcast(BroadcastOp op) {
  if (std::optional<Leaves> results = moveByPlan(
          op, CollectiveKind::Broadcast, op.getValues(), {}, op.getFrom()))
    return results;
  return moveWords(b, op.getValues(), [&](Value word) {
    return target.broadcast(b, group, word, op.getFrom());
  });
}

ShuffleSource CollectiveLowering::findSource(ShuffleOp op) {
  Value size = SizeOp::create(b, b.getI32Type(), groupAttr);
  return findShuffleSource(b, op, rank(), size);
}

static CollectiveKind getPlannedKind(ShuffleKind kind) {
  switch (kind) {
  case ShuffleKind::Up:
    return CollectiveKind::ShuffleUp;
  case ShuffleKind::Down:
    return CollectiveKind::ShuffleDown;
  case ShuffleKind::Xor:
    return CollectiveKind::ShuffleXor;
  case ShuffleKind::Idx: // A constant rank is the same for all.
    return CollectiveKind::Broadcast;
  case ShuffleKind::Rotate:
    return CollectiveKind::Rotate;
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<Leaves> CollectiveLowering::shuffle(ShuffleOp op) {
  if (std::optional<Leaves> results =
          moveByPlan(op, getPlannedKind(op.getKind()), op.getValues(),
                     op.getFill(), op.getIndex()))
    return results;
  auto [source, inside] = findSource(op);
  if (!group.isWholeWarp)
    source = arith::AddIOp::create(b, firstLane(), source);
  Leaves moved = moveWords(b, op.getValues(), [&, lane = source](Value word) {
    return target.shuffle(b, group, word, lane);
  });
  if (!inside || op.getFill().empty())
    return moved;
  return createSelect(b, inside, moved, op.getFill());
}

//===----------------------------------------------------------------------===//
// Votes and masks
//===----------------------------------------------------------------------===//

Value CollectiveLowering::keepGroup(Value lanes) {
  if (group.isWholeWarp)
    return lanes;
  Value first = arith::ExtUIOp::create(b, b.getI64Type(), firstLane());
  Value own = createI64(b, int64_t(getLowLanes(group.size)));
  return arith::AndIOp::create(b, lanes, arith::ShLIOp::create(b, own, first));
}

Value CollectiveLowering::toRanks(Value lanes) {
  if (group.isWholeWarp)
    return lanes;
  Value first = arith::ExtUIOp::create(b, b.getI64Type(), firstLane());
  // Of a wave of 64 the mask is shifted in any case, so this makes no other.
  if (target.getWarpSize() == 64)
    return arith::AndIOp::create(
        b, arith::ShRUIOp::create(b, lanes, first),
        createI64(b, int64_t(getLowLanes(group.size))));
  return arith::ShRUIOp::create(b, keepGroup(lanes), first);
}

Value CollectiveLowering::ballot(Value predicate) {
  return target.ballot(b, group, predicate);
}

Leaves CollectiveLowering::uniform(UniformOp op) {
  Value same;
  for (Value value : op.getValues())
    for (Value word : splitWords(b, value)) {
      Value first = target.broadcast(b, group, word, createI32(b, 0));
      Value equal = arith::CmpIOp::create(b, CmpIPredicate::eq, word, first);
      same = same ? arith::AndIOp::create(b, same, equal).getResult() : equal;
    }
  return {target.vote(b, group, VoteKind::All, same)};
}

Leaves CollectiveLowering::match(MatchOp op) {
  Leaves words;
  for (Value value : op.getValues())
    llvm::append_range(words, splitWords(b, value));
  return {toRanks(target.match(b, group, words))};
}

//===----------------------------------------------------------------------===//
// All collectives
//===----------------------------------------------------------------------===//

std::optional<Leaves> CollectiveLowering::dispatch(Operation *operation) {
  using Result = std::optional<Leaves>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case<ReduceOp>([&](auto op) { return reduce(op); })
      .Case<ScanOp>([&](auto op) { return scan(op); })
      .Case<ExclusiveScanOp>([&](auto op) {
        return exclusiveScan(op, CollectiveKind::ExclusiveScan);
      })
      .Case<ScanTotalOp>(
          [&](auto op) { return exclusiveScan(op, CollectiveKind::ScanTotal); })
      .Case<BroadcastOp>([&](auto op) { return broadcast(op); })
      .Case<ShuffleOp>([&](auto op) { return shuffle(op); })
      .Case<VoteOp>([&](auto op) -> Result {
        return Leaves{target.vote(b, group, op.getKind(), op.getPredicate())};
      })
      .Case<BallotOp>([&](auto op) -> Result {
        return Leaves{toRanks(ballot(op.getPredicate()))};
      })
      .Case<PopulationOp>([&](auto op) -> Result {
        return Leaves{target.voteRanks(b, group, VoteRanks::All,
                                       OperatorKind::Add, op.getPredicate())};
      })
      .Case<RankAmongOp>([&](auto op) -> Result {
        return Leaves{target.voteRanks(b, group, VoteRanks::BelowOwn,
                                       OperatorKind::Add, op.getPredicate())};
      })
      .Case<UniformOp>([&](auto op) -> Result { return uniform(op); })
      .Case<MatchOp>([&](auto op) -> Result { return match(op); })
      .Case<ElectOp>([&](auto) -> Result {
        return Leaves{arith::CmpIOp::create(b, CmpIPredicate::eq, rank(),
                                            createI32(b, 0))};
      })
      .Case<SyncOp>([&](auto) -> Result {
        target.syncGroup(b, group);
        return Leaves{};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Block collectives that the chip's barrier carries out.
static std::optional<Leaves> lowerBlock(ImplicitLocOpBuilder &b,
                                        const TargetEmitter &target,
                                        Operation *operation) {
  using Result = std::optional<Leaves>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case<SyncOp>([&](auto op) -> Result {
        target.syncBlock(b, op.getSharedOnly());
        return Leaves{};
      })
      .Case<ArriveOp>([&](auto) -> Result {
        target.arriveBlock(b);
        return Leaves{};
      })
      .Case<WaitOp>([&](auto) -> Result {
        target.waitBlock(b);
        return Leaves{};
      })
      .Case<VoteOp>([&](auto op) -> Result {
        return Leaves{target.voteBlock(b, op.getKind(), op.getPredicate())};
      })
      .Case<PopulationOp>([&](auto op) -> Result {
        return Leaves{target.countBlock(b, op.getPredicate())};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// A tile of several warps: its barrier is the one of its index from the first
/// on that `coll-expand-block` noted.
bool CollectiveLowering::lowerWideSync(Operation *op) {
  auto sync = dyn_cast<SyncOp>(op);
  if (!sync || !sync.getBarrier())
    return false;
  auto block = GroupAttr::get(b.getContext(), GroupKind::Block, 0);
  if (groupAttr.isWarps()) {
    // A short warp counts as a whole one.
    target.syncWarps(
        b, createI32(b, *sync.getBarrier()),
        llvm::alignTo(groupAttr.getTileSize(), target.getWarpSize()));
    op->erase();
    return true;
  }
  unsigned threads = groupAttr.getTileSize();
  Value own = RankOp::create(b, b.getI32Type(), block);
  Value tile = arith::DivUIOp::create(b, own, createI32(b, threads));
  target.syncWarps(
      b, arith::AddIOp::create(b, tile, createI32(b, *sync.getBarrier())),
      threads);
  op->erase();
  return true;
}

LogicalResult CollectiveLowering::lower(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  groupAttr = op->getAttrOfType<GroupAttr>("group");
  std::optional<Leaves> results;
  if (auto sync = dyn_cast<SyncOp>(op); sync && groupAttr.isCluster()) {
    target.syncCluster(b, sync.getDivergent());
    results = Leaves();
  } else if (groupAttr.isBlock()) {
    results = lowerBlock(b, target, op);
  } else if (lowerWideSync(op)) {
    return success();
  } else {
    unsigned size = groupAttr.getKind() == GroupKind::Tile
                        ? groupAttr.getTileSize()
                        : target.getWarpSize();
    if (size > target.getWarpSize())
      return op->emitError()
             << "a tile of " << size << " is wider than the warp of "
             << target.getWarpSize() << " of " << target.getTarget().str();
    group = target.getGroup(b, size, convergent.contains(op));
    results = dispatch(op);
  }
  if (!results)
    return op->emitError() << "'" << op->getName() << "' of the group '"
                           << stringifyGroupKind(groupAttr.getKind())
                           << "' is not supported yet on "
                           << target.getTarget().str();
  op->replaceAllUsesWith(*results);
  op->erase();
  return success();
}
