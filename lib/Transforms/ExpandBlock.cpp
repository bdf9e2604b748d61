//===- ExpandBlock.cpp - Block collectives as warp collectives ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: after arg_reduce and reverse scans are gone, before plans are
// chosen. The trees of docs/semantics.md are kept: blocks of ranks are aligned,
// so the warps' results are the lower levels of the block's tree.
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"
#include "coll/Analysis/Uniformity.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace coll::ir {
#define GEN_PASS_DEF_EXPANDBLOCK
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

BlockExpander::BlockExpander(KernelOp kernel, const Target &target,
                             GroupAttr group, GroupBarrier barrier,
                             const CollectiveReporter &reporter)
    : kernel(kernel), target(target),
      groupSize(group.isBlock() ? kernel.getBlockSize() : group.getTileSize()),
      warpSize(target.getWarpSize()),
      numWarps(llvm::divideCeil(groupSize, warpSize)),
      numSegments(llvm::divideCeil(groupSize, segmentSize)), group(group),
      barrier(barrier), reporter(reporter),
      b(kernel.getLoc(), kernel.getContext()) {
  MLIRContext *context = kernel.getContext();
  warpGroup = GroupAttr::get(context, GroupKind::Warp, 0);
  blockGroup = GroupAttr::get(context, GroupKind::Block, 0);
  segmentGroup = warpSize == segmentSize
                     ? warpGroup
                     : GroupAttr::get(context, GroupKind::Tile, segmentSize);
}

//===----------------------------------------------------------------------===//
// Scratch in shared memory
//===----------------------------------------------------------------------===//

SharedOp BlockExpander::createShared(StringRef name, ArrayRef<int64_t> shape,
                                     Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto type =
      ViewType::get(b.getContext(), shape, element, MemorySpace::Shared);
  return SharedOp::create(b, type, b.getStringAttr(name), Value(), StringAttr(),
                          b.getI64IntegerAttr(16));
}

Value BlockExpander::takeHalf(Value &variable) {
  if (!variable)
    variable = createHalfVariable(b, kernel);
  Value half =
      LoadOp::create(b, TypeRange(b.getI64Type()), variable, ValueRange())
          .getResult(0);
  Value other = arith::XOrIOp::create(b, half, createI64(b, 1));
  StoreOp::create(b, ValueRange(other), variable, ValueRange());
  return half;
}

BlockExpander::Scratch BlockExpander::createScratch(Operation *site,
                                                    TypeRange types,
                                                    int64_t count,
                                                    bool isKept) {
  Scratch scratch;
  bool isOneOfTiles = isTile() && !group.isWarps();
  SmallVector<int64_t> shape{
      isOneOfTiles ? count * (kernel.getBlockSize() / groupSize) : count};
  if (isOneOfTiles) {
    Value tile =
        arith::DivUIOp::create(b, RankOp::create(b, b.getI32Type(), blockGroup),
                               createI32(b, groupSize));
    tile = arith::ExtUIOp::create(b, b.getI64Type(), tile);
    scratch.first = arith::MulIOp::create(b, tile, createI64(b, count));
  }
  bool isInLoop = bool(site->getParentOfType<LoopOp>());
  if (isInLoop) {
    shape.insert(shape.begin(), 2);
    Value ofSite;
    scratch.half = takeHalf(ofSite);
  }
  SmallVector<SharedOp> arrays;
  for (Type type : types) {
    arrays.push_back(createShared("partials", shape, type));
    scratch.views.push_back(arrays.back());
  }
  notes.useMemory(scratch.views);
  // Tiles do not wait for each other, and their parts of other arrays are
  // elsewhere.
  if (isInLoop || isOneOfTiles)
    return scratch;
  SiteArrays &sites = siteArrays[site->getBlock()];
  if (std::exchange(lastSite, site) != site)
    sites.emplace_back();
  if (!isKept)
    sites.back().append(arrays);
  return scratch;
}

/// Of sites one after the other, each has a barrier between its writes and its
/// reads. So what the one before the last left has been read by all when one
/// writes: every other site may use the same memory.
void BlockExpander::shareScratch(unsigned &number) {
  for (auto &[block, sites] : siteArrays) {
    if (sites.size() < 3)
      continue;
    for (auto [index, arrays] : llvm::enumerate(sites)) {
      std::string name = "partials" + std::to_string(number + index % 2);
      uint64_t offset = 0;
      for (SharedOp array : arrays) {
        auto type = cast<ViewType>(array.getView().getType());
        array.setName(name);
        array.setOverlay(offset);
        offset +=
            type.getElementSize() * ShapedType::getNumElements(type.getShape());
        offset = llvm::alignTo(offset, array.getAlignment());
      }
    }
    number += 2;
  }
}

SmallVector<Value> BlockExpander::getIndices(const Scratch &scratch,
                                             Value index) {
  if (scratch.first)
    index = arith::AddIOp::create(b, scratch.first, index);
  SmallVector<Value> indices{index};
  if (scratch.half)
    indices.insert(indices.begin(), scratch.half);
  return indices;
}

void BlockExpander::store(const Scratch &scratch, ValueRange values,
                          Value index) {
  SmallVector<Value> indices = getIndices(scratch, index);
  for (auto [view, value] : llvm::zip_equal(scratch.views, values))
    StoreOp::create(b, ValueRange(value), view, indices);
}

Leaves BlockExpander::load(const Scratch &scratch, TypeRange types,
                           Value index) {
  SmallVector<Value> indices = getIndices(scratch, index);
  Leaves values;
  for (auto [view, type] : llvm::zip_equal(scratch.views, types))
    values.push_back(
        LoadOp::create(b, TypeRange(type), view, indices).getResult(0));
  return values;
}

void BlockExpander::sync() {
  if (barrier.number) {
    notes.barrier("barrier of the " + notes.getGroup());
    SyncOp::create(b, group).setBarrier(*barrier.number);
  } else if (barrier.counters && barrier.counters->has(group)) {
    unsigned groups =
        group.isWarps() ? 1 : kernel.getBlockSize() / group.getTileSize();
    notes.useCounters(4 * groups);
    notes.barrier("barrier of the " + notes.getGroup() +
                  ": its warps count arrivals in shared memory");
    barrier.counters->sync(b, group);
  } else {
    notes.barrier("barrier of the block");
    SyncOp::create(b, blockGroup).setSharedOnly(true);
  }
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

Value BlockExpander::groupRank() {
  return RankOp::create(b, b.getI32Type(), group);
}

Value BlockExpander::inBlock(Value rank) {
  if (isTile()) {
    Value own = RankOp::create(b, b.getI32Type(), blockGroup);
    Value first = arith::SubIOp::create(b, own, groupRank());
    rank = arith::AddIOp::create(b, first, rank);
  }
  return arith::ExtUIOp::create(b, b.getI64Type(), rank);
}

Value BlockExpander::warpIndex() {
  Value index = IndexOp::create(b, b.getI32Type(), warpGroup);
  if (group.isWarps())
    index = arith::SubIOp::create(b, index,
                                  createI32(b, group.getFirst() / warpSize));
  else if (isTile())
    index = arith::AndIOp::create(b, index, createI32(b, numWarps - 1));
  return arith::ExtUIOp::create(b, b.getI64Type(), index);
}

Value BlockExpander::isEqual(Value left, int64_t right) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, left,
                               createI32(b, right));
}

//===----------------------------------------------------------------------===//
// Reductions and votes
//===----------------------------------------------------------------------===//

Leaves BlockExpander::combineSerially(const Scratch &scratch,
                                      const Combiner &combiner,
                                      TypeRange types) {
  SmallVector<Leaves> partials;
  for (unsigned warp = 0; warp != numWarps; ++warp)
    partials.push_back(load(scratch, types, createI64(b, warp)));
  return combiner.combineTree(b, std::move(partials));
}

Value BlockExpander::isHolder(Readers holder) {
  Value lane = RankOp::create(b, b.getI32Type(), warpGroup);
  if (holder == Readers::First)
    return isEqual(lane, 0);
  if (groupSize % warpSize == 0)
    return isEqual(lane, warpSize - 1);
  Value size = SizeOp::create(b, b.getI32Type(), warpGroup);
  Value last = arith::SubIOp::create(b, size, createI32(b, 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, last);
}

Leaves BlockExpander::createForReaders(Operation *site, ValueRange otherwise,
                                       bool needsWholeWarp,
                                       llvm::function_ref<Leaves()> fill) {
  Readers readers = getReaders(site);
  if (readers == Readers::All || readers == Readers::Last)
    return fill();
  // That the warp's index is the same in the warp is known later.
  bool isOneRank = readers == Readers::First && !needsWholeWarp;
  Value isReader = isOneRank
                       ? isEqual(groupRank(), 0)
                       : arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                               warpIndex(), createI64(b, 0))
                             .getResult();
  return createIf(b, otherwise.getTypes(), isReader, fill,
                  [&] { return Leaves(otherwise); });
}

/// Of f64 and vectors, whose operators have no DPP, it is several.
bool BlockExpander::hasLaneInstruction(const Combiner &combiner, Type type) {
  return combiner.getKind() && !isa<VectorType>(type) && !type.isF64();
}

/// How many partials are combined one after the other, at most. On AMD a step
/// in lanes by a builtin operator is hardly more than an instruction a word; on
/// NVIDIA the moves are worth it for long operators. One thread alone is under
/// the branch of whoever reads the result; lanes would need another one.
unsigned BlockExpander::countSerial(const Combiner &combiner, Type type,
                                    Readers readers) const {
  if (target.isNVIDIA())
    return combiner.getNumOperations() > 4 ? 2 : 8;
  if (combiner.getArgKind())
    return 1;
  if (combiner.getKind() && readers == Readers::First)
    return 8;
  return hasLaneInstruction(combiner, type) ? 2 : 4;
}

/// Few partials are read at once by wide loads. Many are read one a lane, for
/// which every warp must have as many lanes as there are partials.
bool BlockExpander::combinesInLanes(Operation *site, const Combiner &combiner,
                                    Type type) const {
  return numWarps > countSerial(combiner, type, getReaders(site)) &&
         llvm::isPowerOf2_32(numWarps) && groupSize % warpSize == 0;
}

Leaves BlockExpander::combineWarps(Operation *site, const Combiner &combiner,
                                   ValueRange partials, Readers holder) {
  SmallVector<Type> types(partials.getTypes());
  bool inLanes = combinesInLanes(site, combiner, types.front());
  // The last lane of wave w of 64 shifts its rank right and has 4 * w + 3: with
  // an element before the first, what is too much goes into the offset of its
  // store. (Wide loads are from the start of an array.)
  bool isShifted = inLanes && holder == Readers::Last && warpSize == 64 &&
                   target.isAMD() && !isTile();
  Scratch scratch = createScratch(site, types, numWarps + isShifted);
  if (isShifted)
    scratch.first = createI64(b, 1);
  notes.inside("each warp: " + notes.getName() + " over warp");
  notes.store((holder == Readers::First ? "rank 0" : "the last rank") +
              Twine(" of each warp stores its result"));
  createIf(b, {}, isHolder(holder), [&] {
    store(scratch, partials, warpIndex());
    return Leaves();
  });
  sync();
  noteCombination(site, combiner, inLanes);
  return createForReaders(site, partials, inLanes, [&] {
    if (!inLanes)
      return combineSerially(scratch, combiner, types);
    auto tile = GroupAttr::get(b.getContext(), GroupKind::Tile, numWarps);
    Value rank = RankOp::create(b, b.getI32Type(), tile);
    Value index = arith::ExtUIOp::create(b, b.getI64Type(), rank);
    Readers readers =
        getReaders(site) == Readers::First ? Readers::First : Readers::All;
    // All tiles have the same: a vote of the warp needs no part of a mask.
    bool isVote =
        types.front().isInteger(1) && (combiner.getKind() == CombineKind::And ||
                                       combiner.getKind() == CombineKind::Or);
    return combiner.createReduce(b, isVote ? warpGroup : tile,
                                 load(scratch, types, index), readers);
  });
}

/// NVIDIA's plans bring a warp's result to rank 0 first, AMD's to the last one,
/// or to all at once.
Leaves BlockExpander::reduce(Operation *site, const Combiner &combiner,
                             ValueRange values) {
  if (isByRows(site, combiner, values.front().getType()))
    return reduceRows(site, combiner, values);
  bool isForAll = target.has(Feature::Permlane16) &&
                  groupSize % warpSize == 0 &&
                  (combiner.getKind() || combiner.isCommutative());
  Readers holder =
      target.isNVIDIA() || isForAll ? Readers::First : Readers::Last;
  return combineWarps(site, combiner,
                      combiner.createReduce(b, warpGroup, values, holder),
                      holder);
}

Value BlockExpander::vote(VoteOp op) {
  Value result = VoteOp::create(b, b.getI1Type(), op.getKind(), warpGroup,
                                op.getPredicate());
  Combiner combiner(op.getKind() == VoteKind::Any ? CombineKind::Or
                                                  : CombineKind::And);
  return combineWarps(op, combiner, result).front();
}

/// Each warp says what its first rank has and whether the others have the same;
/// then every warp compares its own with what all warps said.
Value BlockExpander::isUniform(UniformOp op) {
  Leaves said(op.getValues());
  said.push_back(UniformOp::create(b, warpGroup, op.getValues()));
  SmallVector<Type> types(ValueRange(said).getTypes());
  Scratch scratch = createScratch(op, types, numWarps);
  notes.inside("each warp: uniform over warp");
  notes.store("rank 0 of each warp stores its value, and whether the others of "
              "its warp have the same");
  createIf(b, {}, isHolder(Readers::First), [&] {
    store(scratch, said, warpIndex());
    return Leaves();
  });
  sync();
  auto isSame = [&](Value warp) {
    Leaves others = load(scratch, types, warp);
    Value same = others.pop_back_val();
    for (auto [own, other] : llvm::zip_equal(op.getValues(), others))
      same = arith::AndIOp::create(b, same, createSameBits(b, own, other));
    return same;
  };
  unsigned rest = groupSize % warpSize;
  bool isSerial = rest != 0 && rest < numWarps;
  notes.read(isSerial ? "every thread compares its value with those of all "
                        "warps"
                      : "each lane compares its value with that of a warp, and "
                        "each warp votes: all over warp");
  if (isSerial) {
    // The last warp has no lane for each warp.
    Value same = isSame(createI64(b, 0));
    for (unsigned warp = 1; warp != numWarps; ++warp)
      same = arith::AndIOp::create(b, same, isSame(createI64(b, warp)));
    return same;
  }
  Value lane = RankOp::create(b, b.getI32Type(), warpGroup);
  Value warp = arith::MinUIOp::create(b, lane, createI32(b, numWarps - 1));
  Value same = isSame(arith::ExtUIOp::create(b, b.getI64Type(), warp));
  return VoteOp::create(b, b.getI1Type(), VoteKind::All, warpGroup, same);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

std::optional<Leaves> BlockExpander::dispatch(Operation *operation) {
  return llvm::TypeSwitch<Operation *, std::optional<Leaves>>(operation)
      .Case<ReduceOp>(
          [&](auto op) { return reduce(op, Combiner(op), op.getValues()); })
      .Case<ScanOp>([&](auto op) { return scan(op); })
      .Case<ExclusiveScanOp>([&](auto op) {
        return exclusiveScan(op, Combiner(op), op.getValues(), op.getFirst())
            .first;
      })
      .Case<ScanTotalOp>([&](auto op) {
        auto [results, total] =
            exclusiveScan(op, Combiner(op), op.getValues(), op.getFirst());
        results.append(total);
        return results;
      })
      .Case<BroadcastOp>(
          [&](auto op) { return broadcast(op, op.getValues(), op.getFrom()); })
      .Case<ShuffleOp>([&](auto op) { return shuffle(op); })
      .Case<VoteOp>([&](auto op) -> std::optional<Leaves> {
        if (target.isNVIDIA() && !isTile())
          return std::nullopt;
        return Leaves{vote(op)};
      })
      .Case<PopulationOp>([&](auto op) -> std::optional<Leaves> {
        if (target.isNVIDIA() && !isTile())
          return std::nullopt;
        Value inWarp = PopulationOp::create(b, b.getI32Type(), warpGroup,
                                            op.getPredicate());
        return combineWarps(op, Combiner(CombineKind::Add), inWarp);
      })
      .Case<RankAmongOp>([&](auto op) { return Leaves{rankAmong(op)}; })
      .Case<UniformOp>([&](auto op) { return Leaves{isUniform(op)}; })
      .Case<ElectOp>([&](auto op) {
        notes.inside("every thread compares its rank with 0");
        return Leaves{isEqual(groupRank(), 0)};
      })
      .Case<SyncOp>([&](auto op) -> std::optional<Leaves> {
        if (!isTile())
          return std::nullopt;
        sync();
        return Leaves();
      })
      .Default([](Operation *) { return std::nullopt; });
}

void BlockExpander::expand(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  notes.begin(op, "warp", numWarps);
  if (numWarps == 1) {
    if (!isa<SyncOp>(op) || group.isWarps())
      op->setAttr("group", warpGroup);
    return;
  }
  std::optional<Leaves> results = dispatch(op);
  if (isa<VoteOp, PopulationOp>(op) && !results)
    noteVote(op);
  // Barriers may be parts of other collectives. What the halves of one do
  // ExpandOrder has told.
  if (!isa<SyncOp, ArriveOp, WaitOp>(op))
    notes.report(reporter, op->getLoc());
  if (results) {
    op->replaceAllUsesWith(*results);
    op->erase();
  }
}

namespace {
struct ExpandBlock : public coll::ir::impl::ExpandBlockBase<ExpandBlock> {
  using ExpandBlockBase::ExpandBlockBase;
  ExpandBlock(const ExpandBlockOptions &options, CollectiveLog *log)
      : ExpandBlockBase(options), log(log) {}

  void runOnOperation() override {
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      getOperation().emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    SmallVector<Operation *> sites;
    getOperation().walk([&](Operation *op) {
      GroupAttr group = UniformityAnalysis::getCollectiveGroup(op);
      if (group &&
          (group.isBlock() || group.isWarps() || isWide(group, *parsed)))
        sites.push_back(op);
    });
    llvm::DenseMap<GroupAttr, unsigned> numbers;
    CounterBarriers counters(getOperation(), parsed->getWarpSize(),
                             assignBarriers(sites, *parsed, numbers));
    CollectiveReporter reporter(getOperation(), target, remarks, log);
    llvm::MapVector<GroupAttr, std::unique_ptr<BlockExpander>> expanders;
    for (Operation *op : sites) {
      auto group = op->getAttrOfType<GroupAttr>("group");
      auto &expander = expanders[group];
      if (!expander) {
        GroupBarrier barrier{std::nullopt, &counters};
        if (auto number = numbers.find(group); number != numbers.end())
          barrier.number = number->second;
        expander = std::make_unique<BlockExpander>(getOperation(), *parsed,
                                                   group, barrier, reporter);
      }
      expander->expand(op);
    }
    unsigned numPlaces = 0;
    for (auto &[group, expander] : expanders) {
      expander->shareScratch(numPlaces);
      expander->shareExchanges(numPlaces);
    }
  }

private:
  /// A tile of several warps that divides the block; others are errors later.
  bool isWide(GroupAttr group, const Target &target) {
    return group.getKind() == GroupKind::Tile &&
           group.getTileSize() > target.getWarpSize() &&
           getOperation().getBlockSize() % group.getTileSize() == 0;
  }
  SmallVector<GroupAttr>
  assignBarriers(ArrayRef<Operation *> sites, const Target &target,
                 llvm::DenseMap<GroupAttr, unsigned> &numbers);

  CollectiveLog *log = nullptr;
};
} // namespace

std::unique_ptr<Pass>
coll::ir::createExpandBlock(const ExpandBlockOptions &options,
                            CollectiveLog *log) {
  return std::make_unique<ExpandBlock>(options, log);
}

/// Barriers of an NVIDIA block besides the one of the whole block.
static constexpr unsigned numOtherBarriers = 15;

/// Gives each group that is a part of the block a barrier, as long as the chip
/// has some: its own to some warps, one after the other to the tiles of a size.
/// Of the groups that got none, tiles can use the block's where all of them
/// are there. The others are returned.
SmallVector<GroupAttr>
ExpandBlock::assignBarriers(ArrayRef<Operation *> sites, const Target &target,
                            llvm::DenseMap<GroupAttr, unsigned> &numbers) {
  unsigned blockSize = getOperation().getBlockSize();
  unsigned next = 1, end = target.isNVIDIA() ? numOtherBarriers + 1 : 1;
  llvm::MapVector<GroupAttr, SmallVector<Operation *>> rest;
  for (Operation *op : sites) {
    auto group = op->getAttrOfType<GroupAttr>("group");
    bool isOneWarp = group.getTileSize() <= target.getWarpSize();
    if (group.isBlock() || isOneWarp || numbers.contains(group))
      continue;
    unsigned count = group.isWarps() ? 1 : blockSize / group.getTileSize();
    if (!rest.contains(group) && next + count <= end) {
      numbers[group] = next;
      next += count;
    } else {
      rest[group].push_back(op);
    }
  }
  SmallVector<GroupAttr> counted;
  if (rest.empty())
    return counted;
  UniformityAnalysis analysis(getOperation(), target.getWarpSize());
  for (auto &[group, ops] : rest) {
    bool areAllThere = llvm::all_of(ops, [&](Operation *op) {
      return analysis.getControl(op).level >= Uniformity::block;
    });
    if (group.isWarps() || !areAllThere)
      counted.push_back(group);
  }
  return counted;
}
