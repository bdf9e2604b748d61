//===- UniformOperands.cpp - Collectives of values all ranks have ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position: before block collectives are expanded, where it is known best what
// is the same in the block; and again after that, as the operand of a block's
// reduction may be the same in each warp.
//
// Where all ranks give the same bits nothing needs to be exchanged. All aligned
// blocks of 2^k ranks have the same result then, so that the tree of any
// operator takes one combination a level, x[k+1] = op(x[k], x[k]), and one more
// for each block that is missing in a group of another size.
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/Uniformity.h"
#include "coll/Target/Target.h"
#include "coll/Transforms/CollectiveReporter.h"
#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "coll/Transforms/ShuffleSource.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace coll::ir {
#define GEN_PASS_DEF_UNIFORMOPERANDS
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

namespace {
/// How many ranks the groups of a collective have: the full ones, and the short
/// last one if there is one.
struct RankCounts {
  unsigned full = 0; ///< 0: only known at run time.
  unsigned tail = 0;

  bool isSame() const { return full != 0 && tail == 0; }
  bool arePowersOf2() const {
    return llvm::isPowerOf2_32(full) &&
           (tail == 0 || llvm::isPowerOf2_32(tail));
  }
};

/// Writes one collective, whose operands all ranks have, without an exchange.
class UniformCollective {
public:
  UniformCollective(Operation *op, RankCounts counts)
      : b(op->getLoc(), op), group(getGroup(op)), counts(counts) {}

  /// What the collective gives; nothing if it has to exchange something.
  std::optional<Leaves> write(Operation *op);

private:
  Value size() { return SizeOp::create(b, b.getI32Type(), group); }
  Value rank() { return RankOp::create(b, b.getI32Type(), group); }
  Value isFirst(Value rank);
  Value isFull();
  Value constant(Type type, double number);
  Value times(Value value, Value count);
  Value where(Value condition, Value value);
  Value lanes();

  std::optional<Leaves> reduce(const Combiner &combiner, ValueRange values);
  std::optional<Leaves> reduceTree(const Combiner &combiner, ValueRange values);
  Leaves combineTree(const Combiner &combiner, ArrayRef<Leaves> blocks,
                     unsigned ranks);
  Value sumFloat(Value value);
  /// The combination of as many ranks as `count` says, of operators for which
  /// that is an expression of it.
  Value combineTimes(CombineKind kind, Value value, Value count);
  std::optional<Leaves> scan(ScanOp op);
  std::optional<Leaves> exclusiveScan(const Combiner &combiner,
                                      ValueRange values, ValueRange first,
                                      bool isReverse);
  std::optional<Leaves> scanTotal(ScanTotalOp op);
  Value rankInOrder(bool isReverse);
  Leaves shuffle(ShuffleOp op);

  ImplicitLocOpBuilder b;
  GroupRef group;
  RankCounts counts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Value UniformCollective::isFirst(Value rank) {
  return arith::CmpIOp::create(b, CmpIPredicate::eq, rank, createI32(b, 0));
}

Value UniformCollective::isFull() {
  return arith::CmpIOp::create(b, CmpIPredicate::eq, size(),
                               createI32(b, counts.full));
}

/// A whole number as a float, in all lanes of a vector.
Value UniformCollective::constant(Type type, double number) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  TypedAttr attr = FloatAttr::get(element, number);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, attr);
}

/// An integer, or a vector of them, times an `i32`; it wraps.
Value UniformCollective::times(Value value, Value count) {
  Type type = value.getType(), element = getElementTypeOrSelf(type);
  unsigned width = element.getIntOrFloatBitWidth();
  if (width > 32)
    count = arith::ExtUIOp::create(b, element, count);
  else if (width < 32)
    count = arith::TruncIOp::create(b, element, count);
  if (isa<VectorType>(type))
    count = vector::BroadcastOp::create(b, type, count);
  return arith::MulIOp::create(b, value, count);
}

/// condition ? value : 0.
Value UniformCollective::where(Value condition, Value value) {
  Value zero = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(value.getType())));
  return arith::SelectOp::create(b, condition, value, zero);
}

/// A mask of all ranks.
Value UniformCollective::lanes() {
  if (counts.isSame())
    return createI64(
        b, counts.full == 64 ? -1 : int64_t((uint64_t(1) << counts.full) - 1));
  Value absent = arith::SubIOp::create(b, createI32(b, 64), size());
  absent = arith::ExtUIOp::create(b, b.getI64Type(), absent);
  return arith::ShRUIOp::create(b, createI64(b, -1), absent);
}

/// op(x, x) is x.
static bool isIdempotent(CombineKind kind) {
  return kind != CombineKind::Add && kind != CombineKind::Mul &&
         kind != CombineKind::Xor;
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value.getType()));
}

/// Whether `combineTimes` has the operator.
static bool isTimes(std::optional<CombineKind> kind, ValueRange values) {
  return kind && (isIdempotent(*kind) ||
                  (isInteger(values.front()) && *kind != CombineKind::Mul));
}

Value UniformCollective::combineTimes(CombineKind kind, Value value,
                                      Value count) {
  if (isIdempotent(kind))
    return value;
  if (kind == CombineKind::Add)
    return times(value, count);
  return where(arith::TruncIOp::create(b, b.getI1Type(), count), value);
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

/// Every doubling is exact, or overflows as the product does.
Value UniformCollective::sumFloat(Value value) {
  auto multiply = [&](unsigned ranks) {
    return combineBuiltin(b, CombineKind::Mul, value,
                          constant(value.getType(), ranks));
  };
  if (counts.tail == 0)
    return multiply(counts.full);
  return arith::SelectOp::create(b, isFull(), multiply(counts.full),
                                 multiply(counts.tail));
}

/// `blocks` has the results of 1, 2, 4, ... ranks: the tree of `ranks` ranks is
/// that of their largest blocks, of which the last is combined first.
Leaves UniformCollective::combineTree(const Combiner &combiner,
                                      ArrayRef<Leaves> blocks, unsigned ranks) {
  Leaves result;
  for (unsigned level = 0; level != blocks.size(); ++level) {
    if (!(ranks >> level & 1))
      continue;
    result = result.empty() ? blocks[level]
                            : combiner.combine(b, blocks[level], result);
  }
  return result;
}

std::optional<Leaves> UniformCollective::reduceTree(const Combiner &combiner,
                                                    ValueRange values) {
  // A short group must not run what only a full one may.
  if (counts.full == 0 || (!counts.isSame() && !combiner.isSpeculatable()))
    return std::nullopt;
  SmallVector<Leaves> blocks{Leaves(values)};
  for (unsigned ranks = 2; ranks <= counts.full; ranks *= 2)
    blocks.push_back(combiner.combine(b, blocks.back(), blocks.back()));
  Leaves result = combineTree(combiner, blocks, counts.full);
  if (counts.isSame())
    return result;
  Leaves ofTail = combineTree(combiner, blocks, counts.tail);
  return createSelect(b, isFull(), result, ofTail);
}

std::optional<Leaves> UniformCollective::reduce(const Combiner &combiner,
                                                ValueRange values) {
  std::optional<CombineKind> kind = combiner.getKind();
  if (isTimes(kind, values)) {
    Value count = isIdempotent(*kind) ? Value()
                  : counts.isSame()   ? createI32(b, counts.full)
                                      : size();
    return Leaves{combineTimes(*kind, values.front(), count)};
  }
  if (kind == CombineKind::Add && counts.arePowersOf2())
    return Leaves{sumFloat(values.front())};
  return reduceTree(combiner, values);
}

/// How many ranks come before this one in the order of the scan.
Value UniformCollective::rankInOrder(bool isReverse) {
  if (!isReverse)
    return rank();
  Value last = arith::SubIOp::create(b, size(), createI32(b, 1));
  return arith::SubIOp::create(b, last, rank());
}

std::optional<Leaves> UniformCollective::scan(ScanOp op) {
  if (!isTimes(op.getKind(), op.getValues()))
    return std::nullopt;
  Value count;
  if (!isIdempotent(*op.getKind()))
    count =
        arith::AddIOp::create(b, rankInOrder(op.getReverse()), createI32(b, 1));
  return Leaves{combineTimes(*op.getKind(), op.getValues().front(), count)};
}

std::optional<Leaves> UniformCollective::exclusiveScan(const Combiner &combiner,
                                                       ValueRange values,
                                                       ValueRange first,
                                                       bool isReverse) {
  if (!isTimes(combiner.getKind(), values))
    return std::nullopt;
  CombineKind kind = *combiner.getKind();
  Value before = rankInOrder(isReverse);
  Value result = combineTimes(kind, values.front(), before);
  Value own = first.empty() ? values.front() : first.front();
  TypedAttr attr;
  bool isZero = !isIdempotent(kind) && matchPattern(own, m_Constant(&attr)) &&
                attr == getIdentity(kind, own.getType());
  if (!isZero)
    result = arith::SelectOp::create(b, isFirst(before), own, result);
  return Leaves{result};
}

std::optional<Leaves> UniformCollective::scanTotal(ScanTotalOp op) {
  Combiner combiner(op);
  std::optional<Leaves> results =
      exclusiveScan(combiner, op.getValues(), op.getFirst(), op.getReverse());
  if (results)
    results->append(*reduce(combiner, op.getValues()));
  return results;
}

Leaves UniformCollective::shuffle(ShuffleOp op) {
  if (op.getFill().empty())
    return Leaves(op.getValues());
  ShuffleSource source = findShuffleSource(b, op, rank(), size());
  if (!source.isInside)
    return Leaves(op.getValues());
  return createSelect(b, source.isInside, op.getValues(), op.getFill());
}

//===----------------------------------------------------------------------===//
// All collectives
//===----------------------------------------------------------------------===//

std::optional<Leaves> UniformCollective::write(Operation *operation) {
  using Result = std::optional<Leaves>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case([&](ReduceOp op) { return reduce(Combiner(op), op.getValues()); })
      .Case([&](ScanOp op) { return scan(op); })
      .Case([&](ExclusiveScanOp op) {
        return exclusiveScan(Combiner(op), op.getValues(), op.getFirst(),
                             op.getReverse());
      })
      .Case([&](ScanTotalOp op) { return scanTotal(op); })
      .Case([&](ArgReduceOp op) {
        return Leaves{op.getOperand(), createI32(b, 0)};
      })
      .Case([&](BroadcastOp op) { return Leaves(op.getValues()); })
      .Case([&](ShuffleOp op) { return shuffle(op); })
      .Case([&](VoteOp op) { return Leaves{op.getPredicate()}; })
      .Case([&](PopulationOp op) {
        return Leaves{where(op.getPredicate(), size())};
      })
      .Case([&](RankAmongOp op) {
        return Leaves{where(op.getPredicate(), rank())};
      })
      .Case([&](BallotOp op) {
        return Leaves{where(op.getPredicate(), lanes())};
      })
      .Case([&](MatchOp) { return Leaves{lanes()}; })
      .Case([&](UniformOp) { return Leaves{createBool(b, true)}; })
      .Default([](Operation *) { return std::nullopt; });
}

/// What all ranks must have for the rest to follow; nothing if the collective
/// is of another kind.
static std::optional<ValueRange> getExchanged(Operation *operation) {
  using Result = std::optional<ValueRange>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case<ReduceOp, ScanOp, ExclusiveScanOp, ScanTotalOp, BroadcastOp,
            ShuffleOp, MatchOp, UniformOp>(
          [](auto op) -> Result { return ValueRange(op.getValues()); })
      .Case<VoteOp, PopulationOp, RankAmongOp, BallotOp, ArgReduceOp>(
          [](Operation *op) -> Result {
            return ValueRange(op->getOperands().take_front());
          })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
struct UniformOperands
    : public coll::ir::impl::UniformOperandsBase<UniformOperands> {
  using UniformOperandsBase::UniformOperandsBase;
  UniformOperands(const UniformOperandsOptions &options, CollectiveLog *log)
      : UniformOperandsBase(options), log(log) {}

  void runOnOperation() override;

private:
  bool isWanted(Operation *op);
  RankCounts getCounts(GroupAttr group);
  unsigned getSize(GroupAttr group);

  unsigned warpSize = 0;
  CollectiveLog *log = nullptr;
};
} // namespace

unsigned UniformOperands::getSize(GroupAttr group) {
  if (group.isThread())
    return 1;
  if (group.getKind() == GroupKind::Warp)
    return warpSize;
  return group.isBlock() ? getOperation().getBlockSize() : group.getTileSize();
}

RankCounts UniformOperands::getCounts(GroupAttr group) {
  if (group.isMembers())
    return {};
  unsigned blockSize = getOperation().getBlockSize();
  unsigned size = std::min(getSize(group), blockSize);
  return {size, group.isWarps() ? 0 : blockSize % size};
}

/// Wide tiles that do not divide the block are errors, which stay.
bool UniformOperands::isWanted(Operation *op) {
  GroupAttr group = UniformityAnalysis::getCollectiveGroup(op);
  if (!group || group.isOfBlocks() || !getExchanged(op))
    return false;
  bool isWide =
      group.getKind() == GroupKind::Tile && group.getTileSize() > warpSize;
  return !isWide || getOperation().getBlockSize() % group.getTileSize() == 0;
}

void UniformOperands::runOnOperation() {
  llvm::Expected<Target> parsed = Target::parse(target);
  if (!parsed) {
    getOperation().emitError() << llvm::toString(parsed.takeError());
    return signalPassFailure();
  }
  warpSize = parsed->getWarpSize();
  SmallVector<Operation *> sites;
  getOperation().walk([&](Operation *op) {
    if (isWanted(op))
      sites.push_back(op);
  });
  if (sites.empty())
    return;
  UniformityAnalysis uniformity(getOperation(), warpSize);
  // What is known of the values, before any is replaced.
  llvm::erase_if(sites, [&](Operation *op) {
    const UniformityAnalysis &scope = uniformity.getScope(getMembers(op));
    GroupAttr group = getGroup(op);
    return !llvm::all_of(*getExchanged(op), [&](Value value) {
      return scope.isUniform(value, group);
    });
  });
  CollectiveReporter reporter(getOperation(), target, remarks, log);
  for (Operation *op : sites) {
    UniformCollective collective(op, getCounts(getGroup(op)));
    std::optional<Leaves> results = collective.write(op);
    if (!results)
      continue;
    reporter.report(op, "uniform operand");
    op->replaceAllUsesWith(*results);
    op->erase();
  }
}

std::unique_ptr<Pass>
coll::ir::createUniformOperands(const UniformOperandsOptions &options,
                                CollectiveLog *log) {
  return std::make_unique<UniformOperands>(options, log);
}
