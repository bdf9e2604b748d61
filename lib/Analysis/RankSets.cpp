//===- RankSets.cpp - Which threads reach an operation --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Analysis/RankSets.h"
#include "coll/Analysis/Uniformity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;
using llvm::BitVector;

/// Conditions on ranks are short. Longer chains of operations are not followed.
static constexpr unsigned maxDepth = 64;
static constexpr size_t maxVisited = 256;

BitVector coll::getRanks(KernelOp kernel, GroupAttr warps) {
  BitVector ranks(kernel.getBlockSize());
  unsigned end = warps.getFirst() + warps.getTileSize();
  ranks.set(std::min(warps.getFirst(), ranks.size()),
            std::min(end, ranks.size()));
  return ranks;
}

RankSets::RankSets(KernelOp kernel, unsigned warpSize)
    : kernel(kernel), warpSize(warpSize), blockSize(kernel.getBlockSize()) {}

unsigned RankSets::getSize(GroupAttr group) const {
  switch (group.getKind()) {
  case GroupKind::Thread:
    return 1;
  case GroupKind::Tile:
  case GroupKind::Warps:
    return group.getTileSize();
  case GroupKind::Warp:
  case GroupKind::Members:
    return warpSize;
  case GroupKind::Block:
  case GroupKind::Cluster:
  case GroupKind::Grid:
    return blockSize;
  }
  llvm_unreachable("unknown group");
}

unsigned RankSets::getRanks(GroupAttr group, unsigned rank) const {
  if (group.isWarps())
    return getSize(group);
  unsigned first = rank - getRank(group, rank);
  return std::min(getSize(group), blockSize - first);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const RankSets::Values &RankSets::evaluate(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return *found->second;
  Values values;
  auto type = dyn_cast<IntegerType>(value.getType());
  if (type && type.getWidth() <= 64 && depth < maxDepth) {
    ++depth;
    values = compute(value);
    --depth;
  }
  auto &entry = known[value];
  entry = std::make_unique<Values>(std::move(values));
  return *entry;
}

bool RankSets::isSame(Value value, const BitVector &ranks) {
  const Values &values = evaluate(value);
  int first = ranks.find_first();
  if (values.empty() || first < 0 || !values[first])
    return false;
  return llvm::all_of(ranks.set_bits(), [&](unsigned rank) {
    return values[rank] == values[first];
  });
}

RankSets::Values RankSets::compute(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  unsigned result = cast<OpResult>(value).getResultNumber();
  return llvm::TypeSwitch<Operation *, Values>(op)
      .Case([&](arith::ConstantOp op) {
        auto attr = cast<IntegerAttr>(op.getValue());
        return Values(blockSize, attr.getValue().getZExtValue());
      })
      .Case<RankOp, SizeOp, IndexOp, ElectOp>(
          [&](Operation *op) { return computePosition(op); })
      .Case([&](ThreadIdOp op) { return computeThreadId(op); })
      .Case([&](IfOp op) { return computeBranch(op, result); })
      .Case([&](InlineOp op) { return computeCall(op, result); })
      .Default([&](Operation *op) { return computePlain(op); });
}

RankSets::Values RankSets::computePosition(Operation *op) const {
  auto group = op->getAttrOfType<GroupAttr>("group");
  if (group.isMembers() || group.isOfBlocks())
    return {};
  unsigned size = getSize(group);
  Values values(blockSize);
  for (unsigned rank = 0; rank != blockSize; ++rank) {
    unsigned own = getRank(group, rank);
    if (isa<RankOp>(op))
      values[rank] = own;
    else if (isa<ElectOp>(op))
      values[rank] = own == 0;
    else if (isa<SizeOp>(op))
      values[rank] = getRanks(group, rank);
    else // Tiles are counted in the warp, or in the block if they are larger.
      values[rank] = (group.getKind() == GroupKind::Tile && size <= warpSize
                          ? rank % warpSize
                          : rank) /
                     size;
  }
  return values;
}

RankSets::Values RankSets::computeThreadId(ThreadIdOp op) {
  ArrayRef<int32_t> extents = kernel.getWorkgroup();
  unsigned dimension = static_cast<unsigned>(op.getDimension());
  unsigned stride = 1;
  for (unsigned below = 0; below != dimension; ++below)
    stride *= extents[below];
  Values values(blockSize);
  for (unsigned rank = 0; rank != blockSize; ++rank)
    values[rank] = rank / stride % extents[dimension];
  return values;
}

/// The result of an arm that yields, in the threads of which the arm is known.
RankSets::Values RankSets::computeBranch(IfOp op, unsigned result) {
  const Values &condition = evaluate(op.getCondition());
  if (condition.empty())
    return {};
  const Values *arms[2] = {nullptr, nullptr};
  for (unsigned arm : {0, 1}) {
    Region &region = arm ? op.getThenRegion() : op.getElseRegion();
    if (region.empty())
      return {};
    if (auto yield = dyn_cast<YieldOp>(region.front().back()))
      arms[arm] = &evaluate(yield.getValues()[result]);
  }
  Values values(blockSize);
  for (unsigned rank = 0; rank != blockSize; ++rank) {
    if (!condition[rank])
      continue;
    const Values *taken = arms[*condition[rank] & 1];
    if (taken && !taken->empty())
      values[rank] = (*taken)[rank];
  }
  return values;
}

/// The result of a function that returns at its end only.
RankSets::Values RankSets::computeCall(InlineOp op, unsigned result) {
  Block &body = op.getBody().front();
  auto end = dyn_cast<ReturnOp>(body.back());
  if (!end)
    return {};
  bool returnsEarlier = false;
  body.walk([&](ReturnOp other) {
    returnsEarlier |= other != end && other->getParentOfType<InlineOp>() == op;
  });
  return returnsEarlier ? Values() : evaluate(end.getValues()[result]);
}

static bool compare(arith::CmpIPredicate predicate, const APInt &left,
                    const APInt &right) {
  return arith::applyCmpPredicate(predicate, left, right);
}

/// The result of an integer operation on known operands.
static std::optional<APInt> apply(Operation *op, ArrayRef<APInt> operands) {
  const APInt &left = operands.front(), &right = operands.back();
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  bool isShift = right.ult(left.getBitWidth());
  using Result = std::optional<APInt>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return left + right; })
      .Case([&](arith::SubIOp) { return left - right; })
      .Case([&](arith::MulIOp) { return left * right; })
      .Case([&](arith::AndIOp) { return left & right; })
      .Case([&](arith::OrIOp) { return left | right; })
      .Case([&](arith::XOrIOp) { return left ^ right; })
      .Case([&](arith::ShLIOp) {
        return isShift ? Result(left.shl(right)) : std::nullopt;
      })
      .Case([&](arith::ShRUIOp) {
        return isShift ? Result(left.lshr(right)) : std::nullopt;
      })
      .Case([&](arith::ShRSIOp) {
        return isShift ? Result(left.ashr(right)) : std::nullopt;
      })
      .Case([&](arith::MinUIOp) { return llvm::APIntOps::umin(left, right); })
      .Case([&](arith::MaxUIOp) { return llvm::APIntOps::umax(left, right); })
      .Case([&](arith::MinSIOp) { return llvm::APIntOps::smin(left, right); })
      .Case([&](arith::MaxSIOp) { return llvm::APIntOps::smax(left, right); })
      .Case([&](DivOp op) -> Result {
        if (right.isZero() || (op.getIsSigned() && right.isAllOnes()))
          return std::nullopt;
        return op.getIsSigned() ? left.sdiv(right) : left.udiv(right);
      })
      .Case([&](RemOp op) -> Result {
        if (right.isZero() || (op.getIsSigned() && right.isAllOnes()))
          return std::nullopt;
        return op.getIsSigned() ? left.srem(right) : left.urem(right);
      })
      .Case([&](arith::ExtUIOp) { return left.zext(width); })
      .Case([&](arith::ExtSIOp) { return left.sext(width); })
      .Case([&](arith::TruncIOp) { return left.trunc(width); })
      .Case([&](arith::CmpIOp op) {
        return APInt(1, compare(op.getPredicate(), left, right));
      })
      .Case([&](arith::SelectOp) {
        return operands[0].isZero() ? operands[2] : operands[1];
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// An operation on integers; in threads that know all operands.
RankSets::Values RankSets::computePlain(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumOperands() > 3 ||
      op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return {};
  SmallVector<const Values *, 3> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(&evaluate(operand));
    if (operands.back()->empty())
      return {};
  }
  Values values(blockSize);
  SmallVector<APInt, 3> own;
  for (unsigned rank = 0; rank != blockSize; ++rank) {
    own.clear();
    for (auto [operand, of] : llvm::zip(op->getOperands(), operands))
      if (std::optional<uint64_t> value = (*of)[rank])
        own.emplace_back(operand.getType().getIntOrFloatBitWidth(), *value);
    if (own.size() != operands.size())
      continue;
    std::optional<APInt> result = apply(op, own);
    if (!result)
      continue;
    values[rank] = result->getZExtValue();
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void RankSets::exclude(BitVector &ranks, Value condition, bool value) {
  const Values &values = evaluate(condition);
  if (values.empty())
    return;
  for (unsigned rank : ranks.set_bits())
    if (values[rank] && bool(*values[rank] & 1) == value)
      ranks.reset(rank);
}

ArrayRef<IfOp> RankSets::getExits(Block *block) {
  auto [entry, isNew] = exits.try_emplace(block);
  if (isNew)
    for (IfOp branch : block->getOps<IfOp>())
      for (Region &region : branch->getRegions())
        if (!region.empty() && !isa<YieldOp>(region.front().back())) {
          entry->second.push_back(branch);
          break;
        }
  return entry->second;
}

BitVector RankSets::getReach(Block *block) {
  auto found = reaches.find(block);
  if (found != reaches.end())
    return found->second;
  Operation *parent = block->getParentOp();
  BitVector reach =
      isa<KernelOp>(parent) ? BitVector(blockSize, true) : getReach(parent);
  if (auto branch = dyn_cast<IfOp>(parent))
    exclude(reach, branch.getCondition(),
            block->getParent() == &branch.getElseRegion());
  reaches[block] = reach;
  return reach;
}

BitVector RankSets::getReach(Operation *op) {
  BitVector reach = getReach(op->getBlock());
  for (IfOp branch : getExits(op->getBlock())) {
    if (!branch->isBeforeInBlock(op))
      break;
    for (Region &region : branch->getRegions())
      if (!region.empty() && !isa<YieldOp>(region.front().back()))
        exclude(reach, branch.getCondition(),
                &region == &branch.getThenRegion());
  }
  return reach;
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

/// Whoever loads from a variable needs what is stored to it.
void RankSets::visitView(Value view, BitVector &readers,
                         SmallVectorImpl<Value> &work) {
  for (Operation *user : view.getUsers()) {
    if (auto load = dyn_cast<LoadOp>(user))
      work.append(load.result_begin(), load.result_end());
    else if (isa<SliceOp, FieldOp, FlatOp, RecastOp>(user))
      visitView(user->getResult(0), readers, work);
    else if (!isa<StoreOp, ExtentOp>(user))
      readers.set();
  }
}

void RankSets::visitUse(OpOperand &use, BitVector &readers,
                        SmallVectorImpl<Value> &work) {
  Operation *user = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (auto branch = dyn_cast<IfOp>(user->getParentOp());
      branch && isa<YieldOp>(user)) {
    work.push_back(branch.getResult(index));
    return;
  }
  if (isa<ReturnOp>(user)) {
    work.push_back(user->getParentOfType<InlineOp>().getResult(index));
    return;
  }
  auto store = dyn_cast<StoreOp>(user);
  if (store && index < store.getValues().size())
    if (VarOp variable = coll::getVariable(store.getView())) {
      visitView(variable, readers, work);
      return;
    }
  bool isPlain = isMemoryEffectFree(user) && user->getNumRegions() == 0 &&
                 !user->hasTrait<OpTrait::IsTerminator>();
  if (isPlain)
    work.append(user->result_begin(), user->result_end());
  else // The end of a collective's operator is for who executes that.
    readers |= getReach(user);
}

BitVector RankSets::getReaders(Value value) {
  BitVector readers(blockSize);
  SmallVector<Value> work{value};
  llvm::SmallPtrSet<Value, 16> visited;
  while (!work.empty() && !readers.all()) {
    Value next = work.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    if (visited.size() > maxVisited)
      readers.set();
    for (OpOperand &use : next.getUses())
      visitUse(use, readers, work);
  }
  return readers;
}
