//===- MemberLowering.cpp - Groups that are made at run time --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks are the lanes of a mask in order, so that every exchange is a shuffle
// by a lane that is computed. Combinations follow the orders of
// docs/semantics.md step by step: a rank's partners at the distances 1, 2, 4,
// ... are found once a group. Only lanes of the group are read; others may be
// inactive.
//
// Parts of a group execute an operation together where the whole group does. On
// NVIDIA the instruction then names the lanes of all of them, so that it is
// issued once and not once a part.
//
//===----------------------------------------------------------------------===//

#include "MemberLowering.h"
#include "ActiveMasks.h"
#include "Words.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

static constexpr unsigned rowSize = 16, segmentSize = 32;

MemberLowering::MemberLowering(KernelOp kernel, const TargetEmitter &target)
    : kernel(kernel), target(target), b(kernel.getLoc(), kernel.getContext()),
      masks(b, target) {}

//===----------------------------------------------------------------------===//
// Who is there
//===----------------------------------------------------------------------===//

bool MemberLowering::isForMembers(Operation *op) {
  return isa<ActiveOp, PartitionOp>(op) || getMembers(op);
}

LogicalResult MemberLowering::prepare() {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isForMembers(op))
      ops.push_back(op);
  });
  if (ops.empty())
    return success();
  UniformityAnalysis analysis(kernel, target.getWarpSize());
  ActiveMasks active(kernel, target, analysis);
  for (Operation *op : ops) {
    findSharers(op, analysis);
    if (!isa<ActiveOp>(op))
      continue;
    Value mask = active.getBefore(op);
    if (!mask)
      return op->emitError("'coll.active' after lanes left from nested "
                           "branches, which 'coll-flag-exits' rewrites");
    activeMasks[op] = mask;
  }
  return success();
}

/// The group of the operation, or the largest that it is a part of all of whose
/// threads execute it.
void MemberLowering::findSharers(Operation *op,
                                 const UniformityAnalysis &analysis) {
  if (isa<ActiveOp, RankOp, SizeOp>(op))
    return;
  Sharers &found = sharers[op];
  GroupRef group = ir::getGroup(op);
  found = {group.members, group.attr};
  while (found.members) {
    auto part = found.members.getDefiningOp<PartitionOp>();
    if (!part)
      return;
    GroupRef base = ir::getGroup(part);
    const UniformityAnalysis &scope = analysis.getScope(base.members);
    if (scope.getControl(op).level < analysis.getLevel(base.attr))
      return;
    found = {base.members, base.attr};
  }
}

LaneGroup MemberLowering::getLaneGroup(const Sharers &sharers) {
  if (!sharers.members) {
    unsigned size = sharers.group.getKind() == GroupKind::Tile
                        ? sharers.group.getTileSize()
                        : target.getWarpSize();
    LaneGroup group = target.getGroup(b, size, /*isConvergent=*/false);
    return {target.getWarpSize(), group.members, /*isWholeWarp=*/true};
  }
  Value lanes = getGroup(sharers.members).getLanes();
  return {target.getWarpSize(), lanes, /*isWholeWarp=*/true};
}

void MemberLowering::makeActive(ActiveOp op) {
  Value lanes = masks.fromWide(activeMasks.lookup(op));
  LaneGroup here = {target.getWarpSize(), lanes, /*isWholeWarp=*/true};
  groups[op] = std::make_unique<MemberGroup>(target, op, lanes, here);
}

/// The lanes of the group that is split.
Value MemberLowering::getBaseLanes(PartitionOp op) {
  GroupRef base = ir::getGroup(op);
  if (base.members)
    return getGroup(base.members).getLanes();
  Value existing = target.warpConstant(
      b,
      {getLowLanes(masks.getWidth()), getLowLanes(target.getPresence().tail)},
      masks.getWidth());
  if (base.attr.getKind() == GroupKind::Warp)
    return existing;
  unsigned size = base.attr.getTileSize();
  Value first =
      arith::AndIOp::create(b, target.lane(b), createI32(b, -int64_t(size)));
  if (masks.getWidth() == 64)
    first = arith::ExtUIOp::create(b, b.getI64Type(), first);
  Value lanes =
      arith::ShLIOp::create(b, masks.constant(getLowLanes(size)), first);
  return masks.both(lanes, existing);
}

void MemberLowering::makePart(PartitionOp op) {
  ValueRange labels = op.getValues();
  Value lanes;
  if (labels.size() == 1 && labels.front().getType().isInteger(1)) {
    Value yes = ballot(labels.front());
    Value no = arith::XOrIOp::create(b, yes, masks.constant(~uint64_t(0)));
    lanes = arith::SelectOp::create(b, labels.front(), yes, no);
  } else {
    lanes = match(labels);
  }
  lanes = masks.both(lanes, getBaseLanes(op));
  groups[op] = std::make_unique<MemberGroup>(target, op, lanes, together);
}

//===----------------------------------------------------------------------===//
// What lanes tell each other
//===----------------------------------------------------------------------===//

/// The lanes with the predicate, of all that execute this.
Value MemberLowering::ballot(Value predicate) {
  return masks.fromWide(target.ballot(b, together, predicate));
}

/// The lanes with the same bits, of all that execute this.
Value MemberLowering::match(ValueRange values) {
  Leaves words;
  for (Value value : values)
    llvm::append_range(words, splitWords(b, value));
  return masks.fromWide(target.match(b, together, words));
}

Leaves MemberLowering::move(ValueRange values, Value lane) {
  Leaves results;
  for (Value value : values) {
    Leaves words = splitWords(b, value);
    for (Value &word : words)
      word = target.shuffle(b, together, word, lane);
    results.push_back(joinWords(b, words, value.getType()));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

Value MemberLowering::reduceFlag(CombineKind kind, Value flag) {
  Value lanes = masks.both(ballot(flag), current->getLanes());
  if (kind == CombineKind::And)
    return masks.isSame(lanes, current->getLanes());
  if (kind == CombineKind::Or)
    return arith::CmpIOp::create(b, CmpIPredicate::ne, lanes,
                                 masks.constant(0));
  return arith::TruncIOp::create(b, b.getI1Type(), masks.count(lanes));
}

Value MemberLowering::reduceWord(CombineKind kind, Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.getWidth() > 32 || kind == CombineKind::Mul)
    return {};
  Type i32 = b.getI32Type();
  bool isSigned = kind == CombineKind::SMin || kind == CombineKind::SMax;
  if (type.getWidth() < 32)
    value = isSigned ? arith::ExtSIOp::create(b, i32, value).getResult()
                     : arith::ExtUIOp::create(b, i32, value).getResult();
  Value result = target.reduceMembers(b, kind, value, current->getLanes());
  if (result && type.getWidth() < 32)
    result = arith::TruncIOp::create(b, type, result);
  return result;
}

/// Every rank takes in the block of 2^level ranks above it; in rank 0 that is
/// the tree.
Leaves MemberLowering::reduce(ReduceOp op) {
  Combiner combiner(op);
  Leaves values(op.getValues());
  if (combiner.getKind()) {
    if (values.front().getType().isInteger(1) &&
        *combiner.getKind() >= CombineKind::And)
      return {reduceFlag(*combiner.getKind(), values.front())};
    if (Value result = reduceWord(*combiner.getKind(), values.front()))
      return {result};
  }
  Value rank = current->getRank(), size = current->getSize();
  for (unsigned level = 0; 1u << level != masks.getWidth(); ++level) {
    Leaves above = move(values, current->getAbove(level));
    Value partner =
        arith::AddIOp::create(b, rank, createI32(b, int64_t(1) << level));
    Value exists = arith::CmpIOp::create(b, CmpIPredicate::ult, partner, size);
    if (!combiner.isSpeculatable()) { // Nor what only other ranks combine.
      Value below = arith::AndIOp::create(
          b, rank, createI32(b, (int64_t(2) << level) - 1));
      Value isInTree =
          arith::CmpIOp::create(b, CmpIPredicate::eq, below, createI32(b, 0));
      exists = arith::AndIOp::create(b, exists, isInTree);
    }
    values = combiner.combineWhere(b, exists, values, above, values);
  }
  if (op.getReaders() == Readers::First)
    return values;
  return move(values, current->getFirstLane());
}

/// Rows of 16 ranks, and the second row of each segment behind the first.
void MemberLowering::scanSegments(const Combiner &combiner, Leaves &values) {
  Value rank = current->getRank();
  Value inRow = arith::AndIOp::create(b, rank, createI32(b, rowSize - 1));
  for (unsigned level = 0; 1u << level != rowSize; ++level) {
    Leaves below = move(values, current->getBelow(level));
    Value exists = arith::CmpIOp::create(b, CmpIPredicate::uge, inRow,
                                         createI32(b, int64_t(1) << level));
    values = combiner.combineWhere(b, exists, below, values, values);
  }
  Value rowBit = arith::AndIOp::create(b, rank, createI32(b, rowSize));
  Value isSecond =
      arith::CmpIOp::create(b, CmpIPredicate::ne, rowBit, createI32(b, 0));
  Value last = current->getLane(rowSize - 1);
  if (masks.getWidth() > segmentSize) {
    Value isUpper = arith::CmpIOp::create(b, CmpIPredicate::uge, rank,
                                          createI32(b, segmentSize));
    last = arith::SelectOp::create(
        b, isUpper, current->getLane(segmentSize + rowSize - 1), last);
  }
  last = arith::SelectOp::create(b, isSecond, last, target.lane(b));
  values =
      combiner.combineWhere(b, isSecond, move(values, last), values, values);
}

Leaves MemberLowering::scan(const Combiner &combiner, ValueRange operands) {
  Leaves values(operands);
  scanSegments(combiner, values);
  if (masks.getWidth() == segmentSize)
    return values;
  Value isUpper = arith::CmpIOp::create(
      b, CmpIPredicate::uge, current->getRank(), createI32(b, segmentSize));
  Value last = arith::SelectOp::create(
      b, isUpper, current->getLane(segmentSize - 1), target.lane(b));
  return combiner.combineWhere(b, isUpper, move(values, last), values, values);
}

template <typename ScanLikeOp>
Leaves MemberLowering::exclusiveScan(ScanLikeOp op, bool withTotal) {
  Leaves scanned = scan(Combiner(op), op.getValues());
  Leaves results = move(scanned, current->getBelow(0));
  ValueRange first = op.getFirst().empty() ? op.getValues() : op.getFirst();
  Value isFirst = arith::CmpIOp::create(b, CmpIPredicate::eq,
                                        current->getRank(), createI32(b, 0));
  results = createSelect(b, isFirst, first, results);
  if (withTotal)
    results.append(move(scanned, current->getLastLane()));
  return results;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

Leaves MemberLowering::broadcast(BroadcastOp op) {
  bool isFirst = matchPattern(op.getFrom(), m_Zero());
  return move(op.getValues(),
              isFirst ? current->getFirstLane()
                      : masks.select(current->getLanes(), op.getFrom()));
}

/// A neighbour is known already.
Value MemberLowering::findSourceLane(ShuffleOp op,
                                     const ShuffleSource &source) {
  APInt distance;
  bool isUp = op.getKind() == ShuffleKind::Up;
  if ((isUp || op.getKind() == ShuffleKind::Down) &&
      matchPattern(op.getIndex(), m_ConstantInt(&distance)) &&
      distance.isPowerOf2() && distance.ult(masks.getWidth())) {
    unsigned level = distance.logBase2();
    Value lane = isUp ? current->getBelow(level) : current->getAbove(level);
    return arith::SelectOp::create(b, source.isInside, lane, target.lane(b));
  }
  return masks.select(current->getLanes(), source.rank);
}

Leaves MemberLowering::shuffle(ShuffleOp op) {
  ShuffleSource source =
      findShuffleSource(b, op, current->getRank(), current->getSize());
  Leaves moved = move(op.getValues(), findSourceLane(op, source));
  if (!source.isInside || op.getFill().empty())
    return moved;
  return createSelect(b, source.isInside, moved, op.getFill());
}

//===----------------------------------------------------------------------===//
// Votes and masks
//===----------------------------------------------------------------------===//

Value MemberLowering::vote(VoteKind kind, Value predicate) {
  return reduceFlag(kind == VoteKind::Any ? CombineKind::Or : CombineKind::And,
                    predicate);
}

Value MemberLowering::uniform(UniformOp op) {
  Value same;
  for (Value value : op.getValues())
    for (Value word : splitWords(b, value)) {
      Value first = target.shuffle(b, together, word, current->getFirstLane());
      Value equal = masks.isSame(word, first);
      same = same ? masks.both(same, equal) : equal;
    }
  return vote(VoteKind::All, same);
}

/// Each lane gives its rank's bit, where the chip combines bits at once.
Value MemberLowering::ballotRanks(Value predicate) {
  if (masks.getWidth() == 32) {
    Value bit = arith::ExtUIOp::create(b, b.getI32Type(), predicate);
    bit = arith::ShLIOp::create(b, bit, current->getRank());
    if (Value ranks =
            target.reduceMembers(b, CombineKind::Or, bit, current->getLanes()))
      return masks.toWide(ranks);
  }
  return masks.toWide(masks.compress(ballot(predicate), current->getLanes()));
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

std::optional<Leaves> MemberLowering::dispatch(Operation *operation) {
  using Result = std::optional<Leaves>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case<RankOp>([&](auto) { return Leaves{current->getRank()}; })
      .Case<SizeOp>([&](auto) { return Leaves{current->getSize()}; })
      .Case<ReduceOp>([&](auto op) { return reduce(op); })
      .Case<ScanOp>([&](auto op) { return scan(Combiner(op), op.getValues()); })
      .Case<ExclusiveScanOp>(
          [&](auto op) { return exclusiveScan(op, /*withTotal=*/false); })
      .Case<ScanTotalOp>(
          [&](auto op) { return exclusiveScan(op, /*withTotal=*/true); })
      .Case<BroadcastOp>([&](auto op) { return broadcast(op); })
      .Case<ShuffleOp>([&](auto op) { return shuffle(op); })
      .Case<VoteOp>([&](auto op) {
        return Leaves{vote(op.getKind(), op.getPredicate())};
      })
      .Case<PopulationOp>([&](auto op) {
        return Leaves{masks.count(
            masks.both(ballot(op.getPredicate()), current->getLanes()))};
      })
      .Case<RankAmongOp>([&](auto op) {
        Value lanes =
            masks.both(ballot(op.getPredicate()), current->getLanes());
        return Leaves{target.countBelow(b, masks.toWide(lanes))};
      })
      .Case<BallotOp>(
          [&](auto op) { return Leaves{ballotRanks(op.getPredicate())}; })
      .Case<MatchOp>([&](auto op) {
        Value lanes = match(op.getValues());
        return Leaves{masks.toWide(masks.compress(lanes, current->getLanes()))};
      })
      .Case<UniformOp>([&](auto op) { return Leaves{uniform(op)}; })
      .Case<ElectOp>([&](auto) {
        return Leaves{
            masks.isEmpty(masks.both(current->getLanes(), masks.below()))};
      })
      .Case<SyncOp>([&](auto) {
        target.syncMembers(b, current->getLanes());
        return Leaves{};
      })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult MemberLowering::lower(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  auto found = sharers.find(op);
  if (found != sharers.end())
    together = getLaneGroup(found->second);
  if (isa<ActiveOp, PartitionOp>(op)) {
    makers.push_back(op);
    if (auto active = dyn_cast<ActiveOp>(op))
      makeActive(active);
    else
      makePart(cast<PartitionOp>(op));
    return success();
  }
  current = &getGroup(getMembers(op));
  std::optional<Leaves> results = dispatch(op);
  if (!results)
    return op->emitError() << "'" << op->getName()
                           << "' of a group that is made at run time is not "
                              "supported yet on "
                           << target.getTarget().str();
  op->replaceAllUsesWith(*results);
  op->erase();
  return success();
}

void MemberLowering::finish() {
  for (Operation *maker : llvm::reverse(makers))
    maker->erase();
}
