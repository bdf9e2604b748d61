//===- ExpandOrder.cpp - Ordering collectives as moves and comparisons ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: after reverse scans are gone, which are shuffles, and before the
// expansion of block collectives. That carries out the shuffles of groups of
// several warps, but where their places would take too much room: these use the
// memory of exchanges then.
//
//===----------------------------------------------------------------------===//

#include "ExchangeSpace.h"
#include "SortKeys.h"
#include "SortNetwork.h"
#include "coll/Transforms/Passes.h"
#include "coll/Transforms/ShuffleSource.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace coll::ir {
#define GEN_PASS_DEF_EXPANDORDER
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

namespace {

class OrderExpander {
public:
  OrderExpander(KernelOp kernel, const Target &target,
                const CollectiveReporter &reporter)
      : target(target), blockSize(kernel.getBlockSize()), reporter(reporter),
        b(kernel.getLoc(), kernel.getContext()), memory(kernel, b, notes),
        wanted(blockSize) {}

  /// Notes a site that will be expanded.
  void note(Operation *op);
  /// The bytes that the sites take, if each keeps all it has in memory at once.
  uint64_t countBytes() const { return wanted.countBytes(); }
  /// Makes them fit, if they do so one leaf after the other.
  void fitInto(uint64_t room) {
    memory.setPartBytes(wanted.getPartBytes(room));
  }

  void expand(Operation *op);
  /// After the last of them.
  void complete() { memory.complete(); }

private:
  std::optional<Leaves> dispatch(Operation *op);
  Leaves sort(SortOp op);
  Leaves topK(TopKOp op);
  Leaves exchange(ExchangeOp op);
  Elements exchangeOwn(const Elements &elements, ValueRange places);
  Leaves shuffle(ShuffleOp op);
  Leaves count(HistogramOp op);
  std::optional<Leaves> arrive(ArriveOp op);
  std::optional<Leaves> wait(WaitOp op);

  void setGroup(GroupAttr attr);
  SortKeys getCodec(SortOp op);
  SortKeys getCodec(TopKOp op);
  unsigned countFound(TopKOp op) const;
  bool takesRounds(TopKOp op, const SortKeys &codec) const;
  bool usesMemory(unsigned count) const { return count > 1 || !isInWarp; }
  void planNetwork(const SortKeys &codec, unsigned count);
  void plan(Operation *op);
  /// The keys encoded and in order, each with its element of `values`.
  Elements sortKeys(SortKeys &codec, ValueRange keys, ValueRange values);
  /// Each thread's elements at `places` of the list.
  Elements gather(const Elements &elements, ValueRange places);
  Elements getFirst(const Elements &elements, unsigned count);
  Elements encodeKeys(SortKeys &codec, ValueRange keys);
  unsigned countReductionSteps(bool isWide) const;
  Elements takeLeast(Elements elements, unsigned count);

  const Target &target;
  unsigned blockSize;
  /// Sites that may use memory, and the ranks of the narrowest groups of those.
  unsigned numSites = 0, narrowest = ~0u;
  /// The groups of the sites, and whether some warps are among them, which may
  /// share threads with others without being part of them.
  llvm::SmallSetVector<GroupAttr, 4> groups;
  bool haveWarps = false;
  const CollectiveReporter &reporter;
  ImplicitLocOpBuilder b;
  GroupNotes notes;
  ListMemory memory;
  /// What the sites would have in it.
  ListLayout wanted;
  // Of the operation that is expanded.
  GroupAttr group;
  unsigned numRanks = 0; ///< The most that such a group has.
  bool isFull = false;   ///< All such groups have as many.
  bool isInWarp = false; ///< It is one warp or a part of it.
  /// Waits that the chip carries out.
  llvm::SmallPtrSet<Operation *, 4> ownWaits;
};

} // namespace

void OrderExpander::setGroup(GroupAttr attr) {
  group = attr;
  unsigned size = blockSize;
  if (group.isThread())
    size = 1;
  else if (group.getKind() == GroupKind::Tile || group.isWarps())
    size = group.getTileSize();
  else if (!group.isBlock())
    size = target.getWarpSize();
  numRanks = std::min(size, blockSize);
  isFull = llvm::isPowerOf2_32(numRanks) && blockSize % numRanks == 0;
  isInWarp = !group.isBlock() && numRanks <= target.getWarpSize();
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The keys as what is compared, with their places in the group's list.
Elements OrderExpander::encodeKeys(SortKeys &codec, ValueRange keys) {
  Elements elements;
  Value first =
      arith::MulIOp::create(b, memory.rank(group), createI32(b, keys.size()));
  for (auto [k, key] : llvm::enumerate(keys))
    elements.push_back(
        codec.encode(key, arith::AddIOp::create(b, first, createI32(b, k))));
  return elements;
}

Elements OrderExpander::sortKeys(SortKeys &codec, ValueRange keys,
                                 ValueRange values) {
  Elements elements = encodeKeys(codec, keys);
  unsigned numKeys = elements.front().size();
  for (auto [element, value] :
       llvm::zip_equal(elements, splitElements(values, keys.size())))
    element.append(value);
  SortNetwork(b, memory, notes, target, group, numRanks, isFull, numKeys)
      .sort(elements);
  return elements;
}

Elements OrderExpander::gather(const Elements &elements, ValueRange places) {
  if (usesMemory(elements.size()))
    return memory.gather(group, elements, places);
  notes.inside("every thread takes the value at the place it has: shuffle "
               "over " +
               describeGroup(group));
  ValueRange values = elements.front();
  auto op = ShuffleOp::create(b, values.getTypes(), ShuffleKind::Idx, group,
                              values, places.front(), ValueRange());
  return {Leaves(op.getResults())};
}

SortKeys OrderExpander::getCodec(SortOp op) {
  ValueRange keys = op.getKeys();
  bool isStable = !op.getValues().empty();
  return SortKeys(b, keys.front().getType(), op.getIsSigned(),
                  op.getDescending(),
                  isStable ? uint64_t(numRanks) * keys.size() : 0);
}

Leaves OrderExpander::sort(SortOp op) {
  ValueRange keys = op.getKeys();
  unsigned count = keys.size();
  bool isStable = !op.getValues().empty();
  SortKeys codec = getCodec(op);
  // Nothing but the place is sent through the network, except in a thread.
  bool isAlone = numRanks == 1;
  Elements sorted =
      sortKeys(codec, keys, isAlone ? op.getValues() : ValueRange());
  Leaves results, places;
  for (const Leaves &element : sorted) {
    results.push_back(codec.decodeKey(element));
    places.push_back(codec.decodePlace(element));
  }
  if (!isStable)
    return results;
  Elements values;
  for (const Leaves &element : sorted)
    values.emplace_back(ValueRange(element).drop_front(codec.getNumLeaves()));
  if (!isAlone)
    values = gather(splitElements(op.getValues(), count), places);
  results.append(joinElements(values));
  return results;
}

/// The elements of the list's start, in every thread. The list has as many.
Elements OrderExpander::getFirst(const Elements &elements, unsigned count) {
  if (!isInWarp)
    return memory.getFirst(group, elements, count);
  notes.inside("every thread takes the first " + Twine(count) +
               " elements, one after the other: broadcast over " +
               describeGroup(group));
  SmallVector<Type> leaves(ValueRange(elements.front()).getTypes());
  Value last;
  if (!isFull)
    last = arith::SubIOp::create(b, SizeOp::create(b, b.getI32Type(), group),
                                 createI32(b, 1));
  Elements results;
  for (unsigned i = 0; i != count; ++i) {
    Value from = createI32(b, i / elements.size());
    if (last)
      from = arith::MinUIOp::create(b, from, last);
    auto op = BroadcastOp::create(b, leaves, group,
                                  elements[i % elements.size()], from);
    results.emplace_back(op.getResults());
  }
  return results;
}

/// What a reduction of the keys costs more than a broadcast does, in steps of a
/// network on them, as counted in the final code. `isWide`: keys of 64 bits.
unsigned OrderExpander::countReductionSteps(bool isWide) const {
  bool hasRedux = target.has(Feature::Redux);
  if (!isInWarp) {
    if (target.isAMD())
      return isWide ? 5 : 4;
    if (isWide)
      return hasRedux ? 7 : 10;
    return hasRedux ? 4 : 5;
  }
  if (target.isAMD())
    return isWide ? 3 : 2;
  if (hasRedux && group.getKind() == GroupKind::Warp)
    return 1;
  unsigned levels = llvm::Log2_32_Ceil(numRanks);
  return isWide ? levels : llvm::divideCeil(levels, 2);
}

/// Whether one reduction after the other finds the first elements with less
/// work than a sort. Both have some for each of a thread's elements.
bool OrderExpander::takesRounds(TopKOp op, const SortKeys &codec) const {
  if (codec.getNumLeaves() != 1 || numRanks == 1)
    return false;
  unsigned numKeys = op.getKeys().size();
  unsigned levels = llvm::Log2_32_Ceil(numRanks);
  unsigned numSteps = levels * (levels + 1) / 2 * numKeys;
  return countFound(op) * (countReductionSteps(codec.isWide()) + numKeys - 1) <=
         numSteps;
}

/// The least elements, of one integer each, one after the other: a reduction
/// finds the next, and who has it puts the greatest integer in its place. That
/// is an element itself at most if no other is left.
Elements OrderExpander::takeLeast(Elements elements, unsigned count) {
  Combiner least(CombineKind::UMin);
  Type type = elements.front().front().getType();
  Value greatest = arith::ConstantOp::create(b, b.getIntegerAttr(type, -1));
  notes.inside(
      "the next element is found, and its thread leaves it out then, " +
      Twine(count) + (count == 1 ? " time" : " times") + ": reduce over " +
      describeGroup(group));
  Elements found;
  for (unsigned i = 0; i != count; ++i) {
    Leaves best = least.createReduce(b, group, least.combineTree(b, elements));
    for (Leaves &element : elements) {
      Value isFound = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                            element.front(), best.front());
      element = {
          arith::SelectOp::create(b, isFound, greatest, element.front())};
    }
    found.push_back(best);
  }
  return found;
}

SortKeys OrderExpander::getCodec(TopKOp op) {
  ValueRange keys = op.getKeys();
  return SortKeys(b, keys.front().getType(), op.getIsSigned(),
                  /*isDescending=*/true, uint64_t(numRanks) * keys.size());
}

/// No more than the list has.
unsigned OrderExpander::countFound(TopKOp op) const {
  return std::min<uint64_t>(op.getNumResults() / 2,
                            uint64_t(numRanks) * op.getKeys().size());
}

Leaves OrderExpander::topK(TopKOp op) {
  ValueRange keys = op.getKeys();
  Type type = keys.front().getType();
  unsigned count = op.getNumResults() / 2, numFound = countFound(op);
  SortKeys codec = getCodec(op);
  Elements first = takesRounds(op, codec)
                       ? takeLeast(encodeKeys(codec, keys), numFound)
                       : getFirst(sortKeys(codec, keys, {}), numFound);
  auto kind = isa<FloatType>(type) ? CombineKind::MaxNum
              : op.getIsSigned()   ? CombineKind::SMax
                                   : CombineKind::UMax;
  Value lowest = arith::ConstantOp::create(b, getIdentity(kind, type));
  Leaves values(count, lowest), places(count, createI32(b, -1));
  Value size;
  if (!isFull && !group.isBlock())
    size = arith::MulIOp::create(b, SizeOp::create(b, b.getI32Type(), group),
                                 createI32(b, keys.size()));
  for (auto [i, element] : llvm::enumerate(first)) {
    Leaves found{codec.decodeKey(element), codec.decodePlace(element)};
    if (size) {
      Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                           createI32(b, i), size);
      found = createSelect(b, exists, found, {values[i], places[i]});
    }
    values[i] = found[0];
    places[i] = found[1];
  }
  values.append(places);
  return values;
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

/// Among the elements of a thread.
Elements OrderExpander::exchangeOwn(const Elements &elements,
                                    ValueRange places) {
  Elements results(elements.size(), elements.front());
  for (unsigned place = 0; place != elements.size(); ++place)
    for (unsigned k = 1; k < elements.size(); ++k) {
      Value isHere = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                           places[k], createI32(b, place));
      results[place] = createSelect(b, isHere, elements[k], results[place]);
    }
  return results;
}

Leaves OrderExpander::exchange(ExchangeOp op) {
  Elements elements = splitElements(op.getValues(), op.getPlaces().size());
  if (numRanks == 1)
    return joinElements(exchangeOwn(elements, op.getPlaces()));
  return joinElements(memory.scatter(group, elements, op.getPlaces()));
}

Leaves OrderExpander::shuffle(ShuffleOp op) {
  ShuffleSource source =
      findShuffleSource(b, op, memory.rank(group), createI32(b, numRanks));
  Leaves moved =
      memory.gather(group, {Leaves(op.getValues())}, source.rank).front();
  if (!source.isInside || op.getFill().empty())
    return moved;
  return createSelect(b, source.isInside, moved, op.getFill());
}

Leaves OrderExpander::count(HistogramOp op) {
  Type type = cast<ViewType>(op.getCounts().getType()).getElementType();
  notes.inside("every thread adds 1 to the counts of its elements, by atomics "
               "on shared memory");
  Value one = arith::ConstantOp::create(b, b.getIntegerAttr(type, 1));
  for (Value bin : op.getBins())
    AtomicRMWOp::create(b, AtomicKind::Add, MemoryOrder::Relaxed,
                        MemoryScope::Block, one, op.getCounts(),
                        ValueRange(bin));
  return {};
}

/// The wait after `op`, if nothing between the two might use the block's
/// barrier or leave.
static WaitOp findWait(ArriveOp op, unsigned warpSize) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    auto wait = dyn_cast<WaitOp>(next);
    if (wait && wait.getGroup() == op.getGroup())
      return wait;
    bool isUsed =
        next->walk([&](Operation *inner) {
              auto group = inner->getAttrOfType<GroupAttr>("group");
              bool isQuery = isa<RankOp, SizeOp, IndexOp, CountOp>(inner);
              bool isWide =
                  group && (group.isBlock() || group.getTileSize() > warpSize);
              bool leaves = isa<ReturnOp, BreakOp, ContinueOp>(inner);
              return leaves || (isWide && !isQuery) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
            })
            .wasInterrupted();
    if (isUsed)
      break;
  }
  return {};
}

/// A chip with halves of barriers has one barrier for a block.
std::optional<Leaves> OrderExpander::arrive(ArriveOp op) {
  unsigned warpSize = target.getWarpSize();
  bool hasHalves = target.has(Feature::SplitBarrier) && group.isBlock() &&
                   blockSize > warpSize;
  WaitOp wait = hasHalves ? findWait(op, warpSize) : WaitOp();
  if (!wait) {
    notes.inside("nothing: the barrier is where it is waited for");
    return Leaves();
  }
  notes.inside("every thread says that it is there: s_barrier_signal");
  ownWaits.insert(wait);
  return std::nullopt;
}

/// The whole barrier, where nothing was done at the arrival.
std::optional<Leaves> OrderExpander::wait(WaitOp op) {
  notes.barrier("barrier of the " + describeGroup(group));
  if (ownWaits.contains(op))
    return std::nullopt;
  SyncOp::create(b, group);
  return Leaves();
}

std::optional<Leaves> OrderExpander::dispatch(Operation *operation) {
  return llvm::TypeSwitch<Operation *, std::optional<Leaves>>(operation)
      .Case([&](SortOp op) { return sort(op); })
      .Case([&](TopKOp op) { return topK(op); })
      .Case([&](ExchangeOp op) { return exchange(op); })
      .Case([&](ShuffleOp op) { return shuffle(op); })
      .Case([&](HistogramOp op) { return count(op); })
      .Case([&](ArriveOp op) { return arrive(op); })
      .Case([&](WaitOp op) { return wait(op); })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

void OrderExpander::planNetwork(const SortKeys &codec, unsigned count) {
  if (numRanks <= target.getWarpSize())
    return;
  SmallVector<Type> leaves = codec.getLeaves();
  wanted.add(numRanks, count, leaves,
             SortNetwork::getNumHalves(target, blockSize, count, leaves));
}

/// The lists that expanding `op` would ask the memory for.
void OrderExpander::plan(Operation *operation) {
  auto add = [&](ValueRange values, unsigned count) {
    TypeRange types(values.getTypes());
    wanted.add(numRanks, count, types.take_front(values.size() / count));
  };
  llvm::TypeSwitch<Operation *>(operation)
      .Case([&](SortOp op) {
        unsigned count = op.getKeys().size();
        planNetwork(getCodec(op), count);
        if (!op.getValues().empty() && usesMemory(count))
          add(op.getValues(), count);
      })
      .Case([&](TopKOp op) {
        SortKeys codec = getCodec(op);
        if (takesRounds(op, codec))
          return;
        planNetwork(codec, op.getKeys().size());
        if (!isInWarp)
          wanted.add(numRanks, op.getKeys().size(), codec.getLeaves());
      })
      .Case([&](ExchangeOp op) { add(op.getValues(), op.getPlaces().size()); })
      .Case([&](ShuffleOp op) { add(op.getValues(), 1); });
}

void OrderExpander::note(Operation *op) {
  setGroup(op->getAttrOfType<GroupAttr>("group"));
  if (numRanks == 1 || !isa<SortOp, TopKOp, ExchangeOp, ShuffleOp>(op))
    return;
  ++numSites;
  narrowest = std::min(narrowest, numRanks);
  groups.insert(group);
  haveWarps |= group.isWarps();
  plan(op);
}

void OrderExpander::expand(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  setGroup(op->getAttrOfType<GroupAttr>("group"));
  // A sort with values uses memory twice.
  auto sort = dyn_cast<SortOp>(op);
  bool isReused = numSites > 1 || op->getParentOfType<LoopOp>() ||
                  (sort && !sort.getValues().empty()) || isa<TopKOp>(op);
  notes.begin(op, "warp", llvm::divideCeil(numRanks, target.getWarpSize()));
  bool mayMeet = narrowest < numRanks || (haveWarps && groups.size() > 1);
  memory.beginSite(numRanks, isReused, mayMeet);
  std::optional<Leaves> results = dispatch(op);
  memory.endSite();
  notes.report(reporter, op->getLoc());
  if (results) {
    op->replaceAllUsesWith(*results);
    op->erase();
  }
}

namespace {
struct ExpandOrder : public coll::ir::impl::ExpandOrderBase<ExpandOrder> {
  using ExpandOrderBase::ExpandOrderBase;
  ExpandOrder(const ExpandOrderOptions &options, CollectiveLog *log)
      : ExpandOrderBase(options), log(log) {}

  void runOnOperation() override {
    llvm::Expected<Target> parsed = Target::parse(target);
    if (!parsed) {
      getOperation().emitError() << llvm::toString(parsed.takeError());
      return signalPassFailure();
    }
    KernelOp kernel = getOperation();
    CollectiveReporter reporter(kernel, target, remarks, log);
    OrderExpander expander(kernel, *parsed, reporter);
    SmallVector<ShuffleOp> shuffles;
    llvm::SetVector<Operation *> sites;
    kernel.walk([&](Operation *op) {
      if (isExchangeOfWarps(op, kernel, *parsed))
        shuffles.push_back(cast<ShuffleOp>(op));
      if (isa<SortOp, TopKOp, ExchangeOp, HistogramOp, ArriveOp, WaitOp>(op)) {
        sites.insert(op);
        expander.note(op);
      }
    });
    uint64_t others =
        countArrayBytes(kernel) + countScratchBytes(kernel, *parsed);
    if (needsOneMemory(kernel, shuffles, expander.countBytes(), *parsed)) {
      for (ShuffleOp op : shuffles)
        expander.note(op);
    } else {
      others += countShuffleBytes(kernel, shuffles);
      shuffles.clear();
    }
    uint64_t most = parsed->getChip().maxSharedBytes;
    expander.fitInto(most - std::min(most, others));
    SmallVector<Operation *> all;
    kernel.walk([&](Operation *op) {
      if (sites.contains(op) || llvm::is_contained(shuffles, op))
        all.push_back(op);
    });
    for (Operation *op : all)
      expander.expand(op);
    expander.complete();
  }

private:
  CollectiveLog *log = nullptr;
};
} // namespace

std::unique_ptr<Pass>
coll::ir::createExpandOrder(const ExpandOrderOptions &options,
                            CollectiveLog *log) {
  return std::make_unique<ExpandOrder>(options, log);
}
