//===- CompileCollectives.cpp - Groups and collectives to instructions ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "coll/Dialect/Coll/IR/MethodName.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll;
using namespace coll::ref;
using namespace mlir;

std::string GroupInfo::str() const {
  if (kind == ir::GroupKind::Tile)
    return "tile(" + std::to_string(tileSize) + ")";
  if (isWarps())
    return "block.warps";
  if (isMembers())
    return "group";
  return ir::stringifyGroupKind(kind).str();
}

GroupInfo Compiler::makeGroup(ir::GroupRef group) {
  GroupInfo info;
  info.kind = group.attr.getKind();
  info.tileSize = group.attr.isThread() ? 1 : group.attr.getTileSize();
  info.first = group.attr.getFirst();
  if (group.members)
    info.members = slotOf(group.members);
  if (!info.isWarps())
    kernel.widestTile = std::max(kernel.widestTile, info.tileSize);
  return info;
}

LogicalResult Compiler::compileQuery(Operation *op) {
  if (failed(allocateResults(op)))
    return failure();
  auto ofGroup = [&](Opcode opcode, ir::GroupAttr attr) {
    bool isSibling = opcode == Opcode::Index || opcode == Opcode::Count;
    if (isSibling && (!attr.isWarpLevel() || attr.isMembers()))
      return failUnknown(op);
    Inst &inst = emit(op, opcode);
    inst.out = slotOf(op->getResult(0));
    inst.info = kernel.groups.size();
    kernel.groups.push_back(makeGroup(ir::getGroup(op)));
    return success();
  };
  auto ofDimension = [&](Opcode opcode, ir::Dimension dimension) {
    Inst &inst = emit(op, opcode);
    inst.out = slotOf(op->getResult(0));
    inst.imm = static_cast<uint64_t>(dimension);
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::ActiveOp op) {
        Inst &inst = emit(op, Opcode::Active);
        inst.out = slotOf(op.getResult());
        return success();
      })
      .Case([&](ir::RankOp op) { return ofGroup(Opcode::Rank, op.getGroup()); })
      .Case([&](ir::SizeOp op) { return ofGroup(Opcode::Size, op.getGroup()); })
      .Case(
          [&](ir::IndexOp op) { return ofGroup(Opcode::Index, op.getGroup()); })
      .Case(
          [&](ir::CountOp op) { return ofGroup(Opcode::Count, op.getGroup()); })
      .Case([&](ir::ThreadIdOp op) {
        return ofDimension(Opcode::ThreadId, op.getDimension());
      })
      .Case([&](ir::BlockIdOp op) {
        return ofDimension(Opcode::BlockId, op.getDimension());
      })
      .Case([&](ir::BlockCountOp op) {
        return ofDimension(Opcode::BlockCount, op.getDimension());
      })
      .Case([&](ir::ClusterIdOp op) {
        return ofDimension(Opcode::ClusterId, op.getDimension());
      })
      .Default([&](Operation *op) { return failUnknown(op); });
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileCollective(Operation *op) {
  if (failed(allocateResults(op)))
    return failure();
  CollectiveInfo info;
  info.group = makeGroup(ir::getGroup(op));
  info.name = ir::getCallName(op, info.group.str());
  info.results = scalarsOf(op->getResults());
  if (failed(describe(op, info)))
    return failure();
  Label after = makeLabel();
  uint32_t index = kernel.collectives.size();
  Inst &inst = emit(op, Opcode::Collective);
  inst.info = index;
  inst.to = after;
  kernel.collectives.push_back(std::move(info));
  for (Region &region : op->getRegions())
    if (!region.empty() && failed(compileCombiner(region, index)))
      return failure();
  bind(after);
  return success();
}

/// Collectives that nothing but their operands describes.
static std::optional<CollectiveKind> getPlainKind(Operation *op) {
  using Result = std::optional<CollectiveKind>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<ir::PopulationOp>([](auto) { return CollectiveKind::Population; })
      .Case<ir::RankAmongOp>([](auto) { return CollectiveKind::RankAmong; })
      .Case<ir::BallotOp>([](auto) { return CollectiveKind::Ballot; })
      .Case<ir::MatchOp>([](auto) { return CollectiveKind::Match; })
      .Case<ir::UniformOp>([](auto) { return CollectiveKind::Uniform; })
      .Case<ir::ElectOp>([](auto) { return CollectiveKind::Elect; })
      .Case<ir::PartitionOp>([](auto) { return CollectiveKind::Partition; })
      .Case<ir::SyncOp>([](auto) { return CollectiveKind::Sync; })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult Compiler::describe(Operation *op, CollectiveInfo &info) {
  auto set = [&](CollectiveKind kind, ValueRange values) {
    info.kind = kind;
    info.values = scalarsOf(values);
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::ReduceOp op) {
        info.kind = CollectiveKind::Reduce;
        return describeOperator(op, op.getKind(), op.getValues(), info);
      })
      .Case([&](ir::ScanOp op) {
        info.kind = CollectiveKind::Scan;
        info.isReverse = op.getReverse();
        return describeOperator(op, op.getKind(), op.getValues(), info);
      })
      .Case([&](ir::ExclusiveScanOp op) {
        info.kind = CollectiveKind::ExclusiveScan;
        info.isReverse = op.getReverse();
        info.extras = scalarsOf(op.getFirst());
        return describeOperator(op, op.getKind(), op.getValues(), info);
      })
      .Case([&](ir::ScanTotalOp op) {
        info.kind = CollectiveKind::ScanTotal;
        info.isReverse = op.getReverse();
        info.extras = scalarsOf(op.getFirst());
        return describeOperator(op, op.getKind(), op.getValues(), info);
      })
      .Case([&](ir::BroadcastOp op) {
        info.index = slotOf(op.getFrom());
        return set(CollectiveKind::Broadcast, op.getValues());
      })
      .Case([&](ir::ShuffleOp op) {
        info.index = slotOf(op.getIndex());
        info.shuffle = op.getKind();
        info.extras = scalarsOf(op.getFill());
        return set(CollectiveKind::Shuffle, op.getValues());
      })
      .Case([&](ir::VoteOp op) {
        return set(op.getKind() == ir::VoteKind::Any ? CollectiveKind::Any
                                                     : CollectiveKind::All,
                   op.getPredicate());
      })
      .Case([&](ir::ArgReduceOp op) {
        info.argKind = op.getKind();
        info.argType = *getScalar(op.getOperand().getType());
        return set(CollectiveKind::ArgReduce, op.getOperand());
      })
      .Default([&](Operation *op) {
        std::optional<CollectiveKind> kind = getPlainKind(op);
        auto values =
            llvm::make_filter_range(op->getOperands(), [](Value value) {
              return !isa<ir::GroupType>(value.getType());
            });
        return kind ? set(*kind, llvm::to_vector(values))
                    : describeOrder(op, info);
      });
}

static LaneFn getCombine(ir::CombineKind kind, Scalar scalar) {
  bool isFloatAdd = isFloat(scalar);
  switch (kind) {
  case ir::CombineKind::Add:
    return isFloatAdd ? getFloatBinary(FloatBinary::Add, scalar)
                      : getIntBinary(IntBinary::Add, scalar);
  case ir::CombineKind::Mul:
    return isFloatAdd ? getFloatBinary(FloatBinary::Mul, scalar)
                      : getIntBinary(IntBinary::Mul, scalar);
  case ir::CombineKind::SMin:
    return getIntBinary(IntBinary::SMin, scalar);
  case ir::CombineKind::SMax:
    return getIntBinary(IntBinary::SMax, scalar);
  case ir::CombineKind::UMin:
    return getIntBinary(IntBinary::UMin, scalar);
  case ir::CombineKind::UMax:
    return getIntBinary(IntBinary::UMax, scalar);
  case ir::CombineKind::MinNum:
    return getFloatBinary(FloatBinary::MinNum, scalar);
  case ir::CombineKind::MaxNum:
    return getFloatBinary(FloatBinary::MaxNum, scalar);
  case ir::CombineKind::Minimum:
    return getFloatBinary(FloatBinary::Minimum, scalar);
  case ir::CombineKind::Maximum:
    return getFloatBinary(FloatBinary::Maximum, scalar);
  case ir::CombineKind::And:
    return getIntBinary(IntBinary::And, scalar);
  case ir::CombineKind::Or:
    return getIntBinary(IntBinary::Or, scalar);
  case ir::CombineKind::Xor:
    return getIntBinary(IntBinary::Xor, scalar);
  }
  llvm_unreachable("unknown operator");
}

LogicalResult Compiler::describeOperator(Operation *op,
                                         std::optional<ir::CombineKind> kind,
                                         ValueRange values,
                                         CollectiveInfo &info) {
  info.values = scalarsOf(values);
  if (kind)
    info.combine.assign(
        info.values.size(),
        getCombine(*kind, *getScalar(values.front().getType())));
  return success();
}

/// What an operator's region cannot hold: collectives, and returns from a
/// function around it.
static Operation *findForbidden(Region &region) {
  Operation *forbidden = nullptr;
  region.walk([&](Operation *op) {
    bool leaves = isa<ir::ReturnOp>(op);
    for (Region *parent = op->getParentRegion(); leaves && parent != &region;
         parent = parent->getParentOp()->getParentRegion())
      leaves = !isa<ir::InlineOp>(parent->getParentOp());
    bool isQuery = isa<ir::RankOp, ir::SizeOp, ir::IndexOp, ir::CountOp>(op);
    if (leaves || (op->hasAttrOfType<ir::GroupAttr>("group") && !isQuery))
      forbidden = op;
  });
  return forbidden;
}

LogicalResult Compiler::compileCombiner(Region &region, uint32_t index) {
  if (Operation *forbidden = findForbidden(region))
    return fail(forbidden, "an operator cannot hold '" +
                               forbidden->getName().getStringRef() + "'");
  kernel.hasCombiner = true;
  Slot savedSlot = nextSlot;
  Label end = makeLabel();
  Label savedEscape = std::exchange(escape, end);
  InlineContext savedInline = std::exchange(inlined, {nullptr, 0, 0});
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(region, used);
  std::vector<Capture> captures;
  for (Value value : used) {
    if (isa_and_nonnull<arith::ConstantOp>(value.getDefiningOp()))
      continue;
    auto variable = variables.find(value);
    if (variable != variables.end()) {
      auto type = cast<ir::ViewType>(value.getType());
      unsigned count = 0;
      for (Type leaf : type.getLeafTypes())
        count += getLaneCount(leaf);
      captures.push_back(
          {variable->second.slot, count, variable->second.assigned});
    } else {
      captures.push_back(
          {slotOf(value), *countSlots(value.getType()), std::nullopt});
    }
  }
  Block &block = region.front();
  for (BlockArgument argument : block.getArguments())
    if (failed(allocate(op, argument)))
      return failure();
  uint32_t entry = kernel.code.size();
  if (failed(compileBlock(block)))
    return failure();
  bind(end);
  emit(region.getParentOp(), Opcode::End);

  CollectiveInfo &info = kernel.collectives[index];
  ValueRange arguments = block.getArguments();
  size_t half = arguments.size() / 2;
  info.combiner = entry;
  info.captures = std::move(captures);
  info.left = scalarsOf(arguments.take_front(half));
  info.right = scalarsOf(arguments.drop_front(half));
  info.combined =
      scalarsOf(cast<ir::YieldOp>(block.getTerminator()).getValues());
  nextSlot = savedSlot;
  escape = savedEscape;
  inlined = savedInline;
  return success();
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileAssert(ir::AssertOp op) {
  AssertionInfo info;
  info.message = op.getMessage().str();
  for (auto [i, value] : llvm::enumerate(op.getArguments())) {
    AssertionInfo::Value argument;
    argument.slots = scalarsOf(value);
    argument.type = *getScalar(value.getType());
    argument.isSigned = i < op.getSigns().size() && op.getSigns()[i];
    info.values.push_back(std::move(argument));
  }
  Inst &inst = emit(op, Opcode::Assert);
  inst.a = slotOf(op.getCondition());
  inst.info = kernel.assertions.size();
  kernel.assertions.push_back(std::move(info));
  return success();
}
