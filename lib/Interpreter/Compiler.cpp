//===- Compiler.cpp - Structure of a kernel to instructions ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll;
using namespace coll::ref;
using namespace mlir;

std::optional<Scalar> coll::ref::getScalar(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  if (type.isF16())
    return Scalar::F16;
  if (type.isBF16())
    return Scalar::BF16;
  if (type.isF32())
    return Scalar::F32;
  if (type.isF64())
    return Scalar::F64;
  auto integer = dyn_cast<IntegerType>(type);
  switch (integer && integer.isSignless() ? integer.getWidth() : 0) {
  case 1:
    return Scalar::I1;
  case 8:
    return Scalar::I8;
  case 16:
    return Scalar::I16;
  case 32:
    return Scalar::I32;
  case 64:
    return Scalar::I64;
  default:
    return std::nullopt;
  }
}

unsigned coll::ref::getLaneCount(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

llvm::Error Compiler::compile() {
  kernel.symbol = op.getSymName().str();
  kernel.name = op.getKernelName().str();
  for (unsigned i = 0; i != 3; ++i)
    kernel.workgroup[i] = op.getWorkgroup()[i];
  kernel.cluster = op.getCluster();
  kernel.isCooperative = op.isCooperative();
  Label end = makeLabel();
  escape = end;
  if (failed(compileConstants()) || failed(compileParams()) ||
      failed(compileBlock(op.getBody().front())))
    return llvm::createStringError(error);
  bind(end);
  emit(op, Opcode::End);
  resolveLabels();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<unsigned> Compiler::countSlots(Type type) const {
  if (auto view = dyn_cast<ir::ViewType>(type))
    return 2 + 2 * view.getRank();
  if (isa<ir::GroupType>(type))
    return 1;
  if (!getScalar(type))
    return std::nullopt;
  return getLaneCount(type);
}

Slot Compiler::reserve(unsigned count) {
  Slot first = nextSlot;
  nextSlot += count;
  kernel.slotCount = std::max(kernel.slotCount, nextSlot);
  return first;
}

MaskSlot Compiler::reserveMasks(unsigned count) {
  MaskSlot first = kernel.maskCount;
  kernel.maskCount += count;
  return first;
}

LogicalResult Compiler::allocate(Operation *op, Value value) {
  std::optional<unsigned> count = countSlots(value.getType());
  if (!count) {
    std::string type;
    llvm::raw_string_ostream(type) << value.getType();
    return fail(op,
                "the reference device has no values of type " + type + " yet");
  }
  slots[value] = reserve(*count);
  return success();
}

LogicalResult Compiler::allocateResults(Operation *op) {
  for (Value result : op->getResults())
    if (failed(allocate(op, result)))
      return failure();
  return success();
}

std::vector<Slot> Compiler::scalarsOf(ValueRange values) const {
  std::vector<Slot> result;
  for (Value value : values)
    for (unsigned i = 0; i != getLaneCount(value.getType()); ++i)
      result.push_back(slotOf(value) + i);
  return result;
}

/// The bits of each scalar of a constant.
static std::optional<std::vector<uint64_t>> getBits(TypedAttr attribute) {
  if (!getScalar(attribute.getType()))
    return std::nullopt;
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return std::vector<uint64_t>{integer.getValue().getZExtValue()};
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return std::vector<uint64_t>{
        number.getValue().bitcastToAPInt().getZExtValue()};
  std::vector<uint64_t> bits;
  if (auto integers = dyn_cast<DenseIntElementsAttr>(attribute)) {
    for (const llvm::APInt &value : integers)
      bits.push_back(value.getZExtValue());
    return bits;
  }
  if (auto numbers = dyn_cast<DenseFPElementsAttr>(attribute)) {
    for (const llvm::APFloat &value : numbers)
      bits.push_back(value.bitcastToAPInt().getZExtValue());
    return bits;
  }
  return std::nullopt;
}

LogicalResult Compiler::compileConstants() {
  WalkResult result = op.walk([&](arith::ConstantOp constant) {
    std::optional<std::vector<uint64_t>> bits = getBits(constant.getValue());
    if (!bits) {
      (void)fail(constant, "the reference device has no such constant yet");
      return WalkResult::interrupt();
    }
    slots[constant.getResult()] = addConstant(*bits);
    return WalkResult::advance();
  });
  op.walk([&](ir::HistogramOp) { addConstant({1}); });
  return failure(result.wasInterrupted());
}

Slot Compiler::addConstant(const std::vector<uint64_t> &bits) {
  auto [known, isNew] = constantSlots.try_emplace(bits, nextSlot);
  if (isNew) {
    Slot slot = reserve(bits.size());
    for (uint64_t value : bits)
      kernel.constants.push_back({slot++, value});
  }
  return known->second;
}

LogicalResult Compiler::compileParams() {
  Block &body = op.getBody().front();
  for (auto [attribute, argument] : llvm::zip(
           op.getParams().getAsRange<ir::ParamAttr>(), body.getArguments())) {
    if (failed(allocate(op, argument)))
      return failure();
    ParamInfo param;
    param.name = attribute.getName().str();
    param.isView = attribute.getIsView();
    param.dims = attribute.getDims().vec();
    param.pitch = attribute.getPitch();
    param.slot = slotOf(argument);
    if (param.isView) {
      FailureOr<ViewInfo> view =
          makeView(op, cast<ir::ViewType>(argument.getType()));
      if (failed(view))
        return failure();
      param.view = *view;
    } else if (isa<VectorType>(argument.getType())) {
      return fail(op, "the reference device has no vector parameters yet, as "
                      "'" +
                          param.name + "' is");
    } else {
      param.type = *getScalar(argument.getType());
    }
    kernel.params.push_back(std::move(param));
  }
  for (auto [name, argument] :
       llvm::zip(op.getExtents().getAsValueRange<StringAttr>(),
                 body.getArguments().drop_front(kernel.params.size()))) {
    if (failed(allocate(op, argument)))
      return failure();
    kernel.extents.push_back(name.str());
    kernel.extentSlots.push_back(slotOf(argument));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Inst &Compiler::emit(Operation *op, Opcode opcode) {
  Inst &inst = kernel.code.emplace_back();
  inst.op = opcode;
  inst.place = placeOf(op->getLoc());
  return inst;
}

void Compiler::emitMove(Operation *op, Slot out, Slot in, Opcode opcode) {
  Inst &inst = emit(op, opcode);
  inst.out = out;
  inst.a = in;
  inst.fn = getMove();
}

Compiler::Label Compiler::makeLabel() {
  labels.push_back(0);
  return labels.size() - 1;
}

void Compiler::resolveLabels() {
  for (Inst &inst : kernel.code) {
    switch (inst.op) {
    case Opcode::If:
    case Opcode::Else:
    case Opcode::EndIf:
    case Opcode::Test:
    case Opcode::Step:
    case Opcode::Back:
    case Opcode::EndLoop:
    case Opcode::EndInline:
    case Opcode::Collective:
      inst.to = labels[inst.to];
      break;
    default:
      break;
    }
  }
}

uint32_t Compiler::placeOf(Location location) {
  auto [known, isNew] =
      placeIndices.try_emplace(location, kernel.places.size());
  if (isNew)
    kernel.places.push_back(makePlace(location));
  return known->second;
}

LogicalResult Compiler::fail(Operation *op, const Twine &message) {
  if (error.empty())
    error =
        llvm::toString(makeError(makePlace(op->getLoc()).place,
                                 "kernel '" + kernel.name + "': " + message));
  return failure();
}

LogicalResult Compiler::failUnknown(Operation *op) {
  return fail(op, "the reference device cannot run '" +
                      op->getName().getStringRef() + "' yet");
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileBlock(Block &block) {
  for (Operation &op : block)
    if (failed(compileOp(&op)))
      return failure();
  return success();
}

LogicalResult Compiler::compileRegion(Region &region, Label newEscape) {
  Slot savedSlot = nextSlot;
  Label savedEscape = std::exchange(escape, newEscape);
  LogicalResult result =
      region.empty() ? success() : compileBlock(region.front());
  nextSlot = savedSlot;
  escape = savedEscape;
  return result;
}

LogicalResult Compiler::compileOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<arith::ConstantOp>([](auto) { return success(); })
      .Case([&](ir::IfOp op) { return compileIf(op); })
      .Case([&](ir::LoopOp op) { return compileLoop(op); })
      .Case([&](ir::InlineOp op) { return compileInline(op); })
      .Case<ir::ReturnOp, ir::ConditionOp, ir::YieldOp, ir::BreakOp,
            ir::ContinueOp>([&](auto op) { return compileTerminator(op); })
      .Case<ir::ActiveOp, ir::RankOp, ir::SizeOp, ir::IndexOp, ir::CountOp,
            ir::ThreadIdOp, ir::BlockIdOp, ir::BlockCountOp, ir::ClusterIdOp>(
          [&](auto op) { return compileQuery(op); })
      .Case<ir::VarOp, ir::SharedOp, ir::ExtentOp, ir::SliceOp, ir::FieldOp,
            ir::FlatOp, ir::RecastOp, ir::LoadOp, ir::StoreOp, ir::AtomicRMWOp,
            ir::AtomicCASOp, ir::AtomicLoadOp, ir::AtomicStoreOp, ir::FenceOp>(
          [&](auto op) { return compileMemoryOp(op); })
      .Case<ir::ReduceOp, ir::ScanOp, ir::ExclusiveScanOp, ir::ScanTotalOp,
            ir::BroadcastOp, ir::ShuffleOp, ir::VoteOp, ir::PopulationOp,
            ir::RankAmongOp, ir::BallotOp, ir::MatchOp, ir::UniformOp,
            ir::ElectOp, ir::ArgReduceOp, ir::PartitionOp, ir::SyncOp,
            ir::SortOp, ir::TopKOp, ir::ExchangeOp, ir::ArriveOp, ir::WaitOp>(
          [&](auto op) { return compileCollective(op); })
      .Case([&](ir::HistogramOp op) { return compileHistogram(op); })
      .Case([&](ir::AssertOp op) { return compileAssert(op); })
      .Case<ir::TrapOp>([&](auto op) {
        emit(op, Opcode::Trap);
        return success();
      })
      .Case<ir::PauseOp>([&](auto op) {
        emit(op, Opcode::Pause);
        return success();
      })
      .Default([&](Operation *op) { return compileArith(op); });
}

LogicalResult Compiler::compileIf(ir::IfOp op) {
  if (failed(allocateResults(op)))
    return failure();
  Label elseLabel = makeLabel(), endLabel = makeLabel();
  MaskSlot mask = reserveMasks(2);
  Inst &branch = emit(op, Opcode::If);
  branch.a = slotOf(op.getCondition());
  branch.m = mask;
  branch.to = elseLabel;
  if (failed(compileRegion(op.getThenRegion(), elseLabel)))
    return failure();
  bind(elseLabel);
  Inst &otherwise = emit(op, Opcode::Else);
  otherwise.m = mask;
  otherwise.to = endLabel;
  if (failed(compileRegion(op.getElseRegion(), endLabel)))
    return failure();
  bind(endLabel);
  Inst &end = emit(op, Opcode::EndIf);
  end.m = mask;
  end.to = escape;
  return success();
}

LogicalResult Compiler::compileLoop(ir::LoopOp op) {
  Label condition = makeLabel(), test = makeLabel(), step = makeLabel(),
        back = makeLabel(), end = makeLabel();
  MaskSlot mask = reserveMasks(2);
  MaskSlot outerLoop = std::exchange(loopMask, mask);
  llvm::scope_exit restore([&] { loopMask = outerLoop; });

  emit(op, Opcode::Loop).m = mask;
  bind(condition);
  if (failed(compileRegion(op.getCondition(), test)))
    return failure();
  bind(test);
  auto terminator =
      cast<ir::ConditionOp>(op.getCondition().front().getTerminator());
  Inst &branch = emit(terminator, Opcode::Test);
  branch.a = slotOf(terminator.getCondition());
  branch.m = mask;
  branch.to = end;
  if (failed(compileRegion(op.getBody(), step)))
    return failure();
  bind(step);
  Inst &join = emit(op, Opcode::Step);
  join.m = mask;
  join.to = end;
  if (failed(compileRegion(op.getStep(), back)))
    return failure();
  bind(back);
  emit(op, Opcode::Back).to = condition;
  bind(end);
  Inst &exit = emit(op, Opcode::EndLoop);
  exit.m = mask;
  exit.to = escape;
  return success();
}

LogicalResult Compiler::compileInline(ir::InlineOp op) {
  if (failed(allocateResults(op)))
    return failure();
  Slot results = op.getNumResults() ? slotOf(op.getResult(0)) : 0;
  InlineContext outer = std::exchange(inlined, {op, reserveMasks(1), results});
  MaskSlot outerLoop = loopMask;
  llvm::scope_exit restore([&] {
    inlined = outer;
    loopMask = outerLoop;
  });
  MaskSlot mask = inlined.mask;
  emit(op, Opcode::Inline).m = mask;
  Label end = makeLabel();
  if (failed(compileRegion(op.getBody(), end)))
    return failure();
  bind(end);
  Inst &exit = emit(op, Opcode::EndInline);
  exit.m = mask;
  exit.to = escape;
  return success();
}

LogicalResult Compiler::compileTerminator(Operation *op) {
  auto copyTo = [&](Slot first, ValueRange values) {
    for (Slot value : scalarsOf(values))
      emitMove(op, first++, value, Opcode::Copy);
  };
  if (auto yield = dyn_cast<ir::YieldOp>(op)) {
    if (isa<ir::IfOp>(op->getParentOp()) && !yield.getValues().empty())
      copyTo(slotOf(op->getParentOp()->getResult(0)), yield.getValues());
  } else if (isa<ir::BreakOp>(op)) {
    emit(op, Opcode::Leave).m = loopMask;
  } else if (isa<ir::ContinueOp>(op)) {
    emit(op, Opcode::Leave).m = loopMask + 1;
  } else if (auto leave = dyn_cast<ir::ReturnOp>(op)) {
    copyTo(inlined.results, leave.getValues());
    if (inlined.op)
      emit(op, Opcode::Leave).m = inlined.mask;
    else
      emit(op, Opcode::Return);
  }
  return success();
}
