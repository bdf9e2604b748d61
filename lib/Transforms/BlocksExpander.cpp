//===- BlocksExpander.cpp - Collectives of several blocks -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlocksExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

BlocksExpander::BlocksExpander(KernelOp kernel, const Target &target)
    : kernel(kernel), target(target), blockSize(kernel.getBlockSize()),
      blockGroup(GroupAttr::get(kernel.getContext(), GroupKind::Block, 0)),
      b(kernel.getLoc(), kernel.getContext()) {}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// No launch has 2^63 blocks.
static constexpr auto noWrap =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

Value coll::ir::createGridCount(ImplicitLocOpBuilder &b) {
  Value count = BlockCountOp::create(b, Dimension::X);
  for (Dimension d : {Dimension::Y, Dimension::Z})
    count = arith::MulIOp::create(b, count, BlockCountOp::create(b, d), noWrap);
  return count;
}

Value coll::ir::createGridIndex(ImplicitLocOpBuilder &b) {
  Value index = BlockIdOp::create(b, Dimension::Z);
  for (Dimension d : {Dimension::Y, Dimension::X}) {
    Value before =
        arith::MulIOp::create(b, BlockCountOp::create(b, d), index, noWrap);
    index = arith::AddIOp::create(b, BlockIdOp::create(b, d), before, noWrap);
  }
  return index;
}

unsigned coll::ir::getPublishedBytes(Type type) {
  auto view = ViewType::get(type.getContext(), {}, type, MemorySpace::Shared);
  return view.getElementSize();
}

Value BlocksExpander::createSize(ImplicitLocOpBuilder &at) {
  Value blocks = arith::TruncIOp::create(at, at.getI32Type(), blockCount(at));
  return arith::MulIOp::create(at, blocks, createI32(at, blockSize));
}

Value BlocksExpander::createRank(ImplicitLocOpBuilder &at) {
  Value block = arith::TruncIOp::create(at, at.getI32Type(), blockIndex(at));
  Value first = arith::MulIOp::create(at, block, createI32(at, blockSize));
  Value own = RankOp::create(at, at.getI32Type(), blockGroup);
  return arith::AddIOp::create(at, first, own);
}

Value BlocksExpander::blockRank() {
  return RankOp::create(b, b.getI32Type(), blockGroup);
}

Value BlocksExpander::isEqual(Value left, int64_t right) {
  Value constant =
      left.getType().isInteger(64) ? createI64(b, right) : createI32(b, right);
  return arith::CmpIOp::create(b, CmpIPredicate::eq, left, constant);
}

Value BlocksExpander::position(Order order) {
  return blockAt(blockIndex(b), order);
}

Value BlocksExpander::blockAt(Value position, Order order) {
  if (!order.isReverse)
    return position;
  Value last = arith::SubIOp::create(b, blockCount(b), createI64(b, 1));
  return arith::SubIOp::create(b, last, position);
}

void BlocksExpander::countSlot(TypeRange types) {
  unsigned bytes = 0;
  for (Type type : types)
    bytes += getPublishedBytes(type);
  slotBytes = std::max(slotBytes, bytes);
  numBytes = std::max(numBytes, bytes);
}

std::string BlocksExpander::describeCost(Operation *op) const {
  GroupAttr group = getGroup(op).attr;
  std::string text = "no barrier";
  if (numBarriers)
    text = (Twine(numBarriers) + (numBarriers == 1 ? " barrier" : " barriers") +
            " of the " + stringifyGroupKind(group.getKind()))
               .str();
  // There are two halves.
  if (numBytes)
    text += (", " + Twine(2 * numBytes) + " bytes of " +
             (group.isGrid() ? "workspace" : "shared memory") + " a block")
                .str();
  return text;
}

bool BlocksExpander::isExact(const Combiner &combiner, TypeRange types) {
  std::optional<CombineKind> kind = combiner.getKind();
  if (!kind)
    return false;
  bool isRounding = *kind == CombineKind::Add || *kind == CombineKind::Mul;
  return !isRounding || isa<IntegerType>(getElementTypeOrSelf(types.front()));
}

//===----------------------------------------------------------------------===//
// Reductions and votes
//===----------------------------------------------------------------------===//

Leaves BlocksExpander::reduce(ReduceOp op) {
  Combiner combiner(op);
  Leaves own = combiner.createReduce(b, blockGroup, op.getValues());
  publish(own, /*leader=*/0);
  return combineAll(combiner, op.getValues().getTypes());
}

Value BlocksExpander::vote(VoteKind kind, Value predicate) {
  Value own = VoteOp::create(b, b.getI1Type(), kind, blockGroup, predicate);
  publish(own, /*leader=*/0);
  Combiner combiner(kind == VoteKind::Any ? CombineKind::Or : CombineKind::And);
  return combineAll(combiner, TypeRange(own.getType())).front();
}

Value BlocksExpander::population(Value predicate) {
  Value own = PopulationOp::create(b, b.getI32Type(), blockGroup, predicate);
  publish(own, /*leader=*/0);
  return combineAll(Combiner(CombineKind::Add), TypeRange(own.getType()))
      .front();
}

/// Every rank compares itself with rank 0.
Value BlocksExpander::isUniform(ValueRange values) {
  Leaves first = broadcast(values, createI32(b, 0));
  Value same;
  for (auto [left, right] : llvm::zip_equal(values, first)) {
    Value leaf = createSameBits(b, left, right);
    same = same ? arith::AndIOp::create(b, same, leaf).getResult() : leaf;
  }
  return vote(VoteKind::All, same);
}

Leaves BlocksExpander::broadcast(ValueRange values, Value from) {
  Value size = createI32(b, blockSize);
  Value inBlock = arith::RemUIOp::create(b, from, size);
  Leaves own(
      BroadcastOp::create(b, values.getTypes(), blockGroup, values, inBlock)
          .getResults());
  publish(own, /*leader=*/0);
  Value block = arith::ExtUIOp::create(b, b.getI64Type(),
                                       arith::DivUIOp::create(b, from, size));
  return load(values.getTypes(), block);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

ScanTotalOp BlocksExpander::createScanTotal(Operation *op, ValueRange values) {
  SmallVector<Type> types(values.getTypes());
  llvm::append_range(types, values.getTypes());
  auto result = ScanTotalOp::create(
      b, types, blockGroup, op->getAttrOfType<CombineKindAttr>("kind"), values,
      ValueRange(), op->hasAttr("commutative"), op->hasAttr("reverse"));
  IRMapping mapping;
  op->getRegion(0).cloneInto(&result.getCombiner(), mapping);
  return result;
}

/// Gives the others the block's total: P of its last segment. That is what the
/// last rank has, if the order does not matter or there are two segments at
/// most; of 32 * 2^k ranks it is the result of a reduction.
void BlocksExpander::publishTotal(ScanOp op, ValueRange inclusive) {
  constexpr int64_t segmentSize = 32;
  Combiner combiner(op);
  TypeRange types = inclusive.getTypes();
  if (isExact(combiner, types) || blockSize <= 2 * segmentSize)
    return publish(inclusive, op.getReverse() ? 0 : blockSize - 1);
  if (!op.getReverse() && blockSize % segmentSize == 0 &&
      llvm::isPowerOf2_64(blockSize))
    return publish(combiner.createReduce(b, blockGroup, op.getValues()),
                   /*leader=*/0);
  ScanTotalOp total = createScanTotal(op, op.getValues());
  publish(total.getResults().drop_front(types.size()), /*leader=*/0);
}

Leaves BlocksExpander::scan(ScanOp op) {
  Combiner combiner(op);
  Order order{op.getReverse()};
  SmallVector<Type> types(op.getResultTypes());
  auto inBlock =
      ScanOp::create(b, types, blockGroup, op.getKindAttr(), op.getValues(),
                     op.getCommutative(), op.getReverse());
  IRMapping mapping;
  op.getCombiner().cloneInto(&inBlock.getCombiner(), mapping);
  Leaves inclusive(inBlock.getResults());
  publishTotal(op, inclusive);
  Prefix prefix = combineBefore(combiner, types, order, /*needsTotal=*/false);
  Value isLater = arith::CmpIOp::create(b, CmpIPredicate::ne, position(order),
                                        createI64(b, 0));
  return combiner.combineWhere(b, isLater, prefix.before, inclusive, inclusive);
}

Leaves BlocksExpander::exclusiveScan(Operation *op, const Combiner &combiner,
                                     ValueRange values, ValueRange first,
                                     bool needsTotal) {
  Order order{op->hasAttr("reverse")};
  SmallVector<Type> types(values.getTypes());
  ValueRange results = createScanTotal(op, values).getResults();
  Leaves exclusive(results.take_front(types.size()));
  publish(results.drop_front(types.size()), /*leader=*/0);
  Prefix prefix = combineBefore(combiner, types, order, needsTotal);
  Value isFirstBlock = isEqual(position(order), 0);
  Value isFirstRank = isEqual(blockRank(), order.isReverse ? blockSize - 1 : 0);
  // The first rank of a block has nothing of its own.
  Value isAlone = arith::OrIOp::create(b, isFirstBlock, isFirstRank);
  Leaves start = createSelect(b, isFirstBlock, first.empty() ? values : first,
                              prefix.before);
  Leaves alone = createSelect(b, isFirstRank, start, exclusive);
  Value hasBoth = arith::XOrIOp::create(b, isAlone, createBool(b, true));
  Leaves combined =
      combiner.combineWhere(b, hasBoth, prefix.before, exclusive, alone);
  if (needsTotal)
    llvm::append_range(combined, prefix.total);
  return combined;
}

Value BlocksExpander::rankAmong(Value predicate) {
  Type i32 = b.getI32Type();
  Value below = RankAmongOp::create(b, i32, blockGroup, predicate);
  Value own = PopulationOp::create(b, i32, blockGroup, predicate);
  publish(own, /*leader=*/0);
  Combiner sum(CombineKind::Add);
  Value before =
      combineBefore(sum, TypeRange(i32), Order(), /*needsTotal=*/false)
          .before.front();
  Value isFirst = isEqual(position(Order()), 0);
  before = arith::SelectOp::create(b, isFirst, createI32(b, 0), before);
  return arith::AddIOp::create(b, before, below);
}

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

std::optional<Leaves> BlocksExpander::dispatch(Operation *operation) {
  using Result = std::optional<Leaves>;
  return llvm::TypeSwitch<Operation *, Result>(operation)
      .Case([&](ReduceOp op) { return reduce(op); })
      .Case([&](ScanOp op) { return scan(op); })
      .Case([&](ExclusiveScanOp op) {
        return exclusiveScan(op, Combiner(op), op.getValues(), op.getFirst(),
                             /*needsTotal=*/false);
      })
      .Case([&](ScanTotalOp op) {
        return exclusiveScan(op, Combiner(op), op.getValues(), op.getFirst(),
                             /*needsTotal=*/true);
      })
      .Case([&](BroadcastOp op) {
        return broadcast(op.getValues(), op.getFrom());
      })
      .Case([&](VoteOp op) {
        return Leaves{vote(op.getKind(), op.getPredicate())};
      })
      .Case([&](PopulationOp op) {
        return Leaves{population(op.getPredicate())};
      })
      .Case(
          [&](RankAmongOp op) { return Leaves{rankAmong(op.getPredicate())}; })
      .Case([&](UniformOp op) { return Leaves{isUniform(op.getValues())}; })
      .Case([&](ElectOp op) { return Leaves{isEqual(createRank(b), 0)}; })
      .Case([&](SyncOp op) {
        sync();
        return Leaves();
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

LogicalResult
BlocksExpander::expand(Operation *op,
                       llvm::function_ref<void(llvm::StringRef cost)> report) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  numBarriers = numBytes = 0;
  std::optional<Leaves> results = dispatch(op);
  if (!results) {
    GroupKind kind = getGroup(op).attr.getKind();
    return op->emitError() << "'" << op->getName() << "' of the group '"
                           << stringifyGroupKind(kind)
                           << "' is not supported yet on " << target.str();
  }
  report(describeCost(op));
  op->replaceAllUsesWith(*results);
  op->erase();
  return success();
}
