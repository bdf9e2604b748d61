//===- CompileMemory.cpp - Views and accesses to instructions -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace coll;
using namespace coll::ref;
using namespace mlir;

// Larger objects are a mistake in the program, and would exhaust the host.
static constexpr uint64_t maxFrameSize = 512 << 10;
static constexpr uint64_t maxSharedSize = 64 << 20;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

FailureOr<ViewInfo> Compiler::makeView(Operation *op, ir::ViewType type) {
  ViewInfo view;
  view.space = type.getSpace();
  view.shape = type.getShape().vec();
  view.elementSize = type.getElementSize();
  if (auto vector = dyn_cast<VectorType>(type.getElementType())) {
    view.lanes = vector.getNumElements();
    if (llvm::isPowerOf2_64(view.elementSize))
      view.alignment = std::min<uint64_t>(view.elementSize, 16);
  }
  auto structType = dyn_cast<ir::StructType>(type.getElementType());
  for (auto [i, leaf] : llvm::enumerate(type.getLeafTypes())) {
    std::optional<Scalar> scalar = getScalar(leaf);
    if (!scalar) {
      std::string text;
      llvm::raw_string_ostream(text) << leaf;
      return fail(op, "the reference device has no memory of type " + text +
                          " yet");
    }
    uint64_t offset = structType ? structType.getOffsets()[i] : 0;
    for (unsigned k = 0; k != getLaneCount(leaf); ++k)
      view.scalars.push_back({offset + k * getByteSize(*scalar), *scalar});
  }
  return view;
}

/// Bytes of a static view, or of one index of its first dimension if that is
/// dynamic; saturating.
static uint64_t getViewSize(const ViewInfo &view) {
  uint64_t size = view.elementSize;
  for (int64_t extent : view.shape)
    if (extent >= 0)
      size = llvm::SaturatingMultiply(size, static_cast<uint64_t>(extent));
  return size;
}

/// The variable, array or parameter that a view is of.
static std::string getRootName(Value view, const CompiledKernel &kernel) {
  while (Operation *op = view.getDefiningOp()) {
    if (auto var = dyn_cast<ir::VarOp>(op))
      return var.getName().str();
    if (auto shared = dyn_cast<ir::SharedOp>(op))
      return shared.getName().str();
    if (op->getNumOperands() == 0)
      return "";
    view = op->getOperand(0);
  }
  unsigned index = cast<BlockArgument>(view).getArgNumber();
  return index < kernel.params.size() ? kernel.params[index].name : "";
}

LogicalResult Compiler::compileMemoryOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::VarOp op) { return compileVar(op); })
      .Case([&](ir::SharedOp op) { return compileShared(op); })
      .Case([&](ir::SliceOp op) { return compileSlice(op); })
      .Case([&](ir::ExtentOp op) {
        if (failed(allocateResults(op)))
          return failure();
        emitMove(op, slotOf(op),
                 slotOf(op.getView()) + 2 + 2 * op.getDimension(),
                 Opcode::Lanes);
        return success();
      })
      .Case([&](ir::FieldOp op) {
        return compileReshape(op, Opcode::Field, op.getView(), op.getResult(),
                              op.getOffset());
      })
      .Case([&](ir::FlatOp op) {
        return compileReshape(op, Opcode::Flat, op.getView(), op.getResult(),
                              0);
      })
      .Case([&](ir::RecastOp op) {
        return compileReshape(op, Opcode::Recast, op.getView(), op.getResult(),
                              0);
      })
      .Case<ir::LoadOp, ir::StoreOp>([&](auto op) { return compileAccess(op); })
      .Default([&](Operation *op) { return compileAtomic(op); });
}

/// Whether the view is only loaded and stored as a whole.
static bool isPlainVariable(ir::VarOp op) {
  return cast<ir::ViewType>(op.getView().getType()).getRank() == 0 &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           return isa<ir::LoadOp, ir::StoreOp>(user);
         });
}

LogicalResult Compiler::compileVar(ir::VarOp op) {
  FailureOr<ViewInfo> view =
      makeView(op, cast<ir::ViewType>(op.getView().getType()));
  if (failed(view))
    return failure();
  if (isPlainVariable(op)) {
    Variable variable = {reserve(view->scalars.size()), reserveMasks(1)};
    variables[op.getView()] = variable;
    emit(op, Opcode::NewVar).m = variable.assigned;
    return success();
  }
  if (failed(allocateResults(op)))
    return failure();
  PrivateObject object;
  object.view = *view;
  object.offset = llvm::alignTo(kernel.frameSize, 16);
  object.size = getViewSize(*view);
  if (object.size > maxFrameSize || object.offset + object.size > maxFrameSize)
    return fail(op, "variable '" + op.getName() + "' of " + Twine(object.size) +
                        " bytes is too large: a thread has at most " +
                        Twine(maxFrameSize) + " bytes of variables");
  kernel.frameSize = object.offset + object.size;
  Inst &inst = emit(op, Opcode::NewPrivate);
  inst.out = slotOf(op);
  inst.info = kernel.privates.size();
  kernel.privates.push_back(std::move(object));
  return success();
}

/// The largest part of the element that no access splits: with a recast in the
/// kernel, one byte.
static unsigned getGranule(ir::KernelOp kernel, const ViewInfo &view) {
  bool hasRecast = false;
  kernel.walk([&](ir::RecastOp) { hasRecast = true; });
  if (hasRecast)
    return 1;
  uint64_t granule = view.elementSize;
  for (const MemoryScalar &scalar : view.scalars)
    granule = std::gcd(std::gcd(granule, scalar.offset),
                       uint64_t(getByteSize(scalar.type)));
  return std::max<uint64_t>(granule, 1);
}

LogicalResult Compiler::compileShared(ir::SharedOp op) {
  FailureOr<ViewInfo> view =
      makeView(op, cast<ir::ViewType>(op.getView().getType()));
  if (failed(view) || failed(allocateResults(op)))
    return failure();
  SharedObject object;
  object.name = op.getName().str();
  object.view = *view;
  object.size = getViewSize(*view);
  object.isDynamic = bool(op.getExtent());
  object.granule = getGranule(this->op, *view);
  if (object.size > maxSharedSize)
    return fail(op, "shared array '" + op.getName() + "' of " +
                        Twine(object.size) +
                        " bytes is too large for the reference device");
  Inst &inst = emit(op, Opcode::NewShared);
  inst.out = slotOf(op);
  inst.a = object.isDynamic ? slotOf(op.getExtent()) : 0;
  inst.info = kernel.shareds.size();
  kernel.shareds.push_back(std::move(object));
  return success();
}

LogicalResult Compiler::compileSlice(ir::SliceOp op) {
  FailureOr<ViewInfo> view =
      makeView(op, cast<ir::ViewType>(op.getView().getType()));
  if (failed(view) || failed(allocateResults(op)))
    return failure();
  SliceInfo slice;
  slice.view = *view;
  slice.forms.assign(op.getForms().begin(), op.getForms().end());
  slice.bounds = scalarsOf(op.getBounds());
  Inst &inst = emit(op, Opcode::Slice);
  inst.out = slotOf(op);
  inst.a = slotOf(op.getView());
  inst.info = kernel.slices.size();
  kernel.slices.push_back(std::move(slice));
  return success();
}

LogicalResult Compiler::compileReshape(Operation *op, Opcode opcode, Value view,
                                       Value result, uint64_t offset) {
  auto type = cast<ir::ViewType>(view.getType());
  auto resultType = cast<ir::ViewType>(result.getType());
  FailureOr<ViewInfo> from = makeView(op, type), to = makeView(op, resultType);
  if (failed(from) || failed(to) || failed(allocateResults(op)))
    return failure();
  Inst &inst = emit(op, opcode);
  inst.out = slotOf(result);
  inst.a = slotOf(view);
  inst.imm = offset;
  inst.info = kernel.views.size();
  kernel.views.push_back(std::move(*from));
  kernel.views.push_back(std::move(*to));
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

bool Compiler::compileVariableAccess(Operation *op) {
  auto load = dyn_cast<ir::LoadOp>(op);
  Value view = load ? load.getView() : cast<ir::StoreOp>(op).getView();
  auto known = variables.find(view);
  if (known == variables.end())
    return false;
  Slot slot = known->second.slot;
  if (load) {
    Inst &check = emit(op, Opcode::CheckVar);
    check.m = known->second.assigned;
    check.info = kernel.texts.size();
    kernel.texts.push_back(getRootName(view, kernel));
    for (Slot value : scalarsOf(load.getResults()))
      emitMove(op, value, slot++, Opcode::Lanes);
    return true;
  }
  for (Slot value : scalarsOf(cast<ir::StoreOp>(op).getValues()))
    emitMove(op, slot++, value, Opcode::Copy);
  emit(op, Opcode::AssignVar).m = known->second.assigned;
  return true;
}

FailureOr<Access> Compiler::makeAccess(Operation *op, Value view,
                                       ValueRange indices, ValueRange values) {
  Access access;
  FailureOr<ViewInfo> info = makeView(op, cast<ir::ViewType>(view.getType()));
  if (failed(info))
    return failure();
  access.view = std::move(*info);
  access.viewSlot = slotOf(view);
  access.indices = scalarsOf(indices);
  access.values = scalarsOf(values);
  access.name = getRootName(view, kernel);
  return access;
}

LogicalResult Compiler::compileAccess(Operation *op) {
  if (failed(allocateResults(op)))
    return failure();
  if (compileVariableAccess(op))
    return success();
  auto load = dyn_cast<ir::LoadOp>(op);
  auto store = dyn_cast<ir::StoreOp>(op);
  FailureOr<Access> access =
      load
          ? makeAccess(op, load.getView(), load.getIndices(), load.getResults())
          : makeAccess(op, store.getView(), store.getIndices(),
                       store.getValues());
  if (failed(access))
    return failure();
  emit(op, load ? Opcode::Load : Opcode::Store).info = kernel.accesses.size();
  kernel.accesses.push_back(std::move(*access));
  return success();
}

/// The new value of an element, from the old one and the operand.
static LaneFn getAtomicCombine(ir::AtomicKind kind, Scalar scalar) {
  switch (kind) {
  case ir::AtomicKind::Add:
    return getIntBinary(IntBinary::Add, scalar);
  case ir::AtomicKind::Sub:
    return getIntBinary(IntBinary::Sub, scalar);
  case ir::AtomicKind::SMin:
    return getIntBinary(IntBinary::SMin, scalar);
  case ir::AtomicKind::SMax:
    return getIntBinary(IntBinary::SMax, scalar);
  case ir::AtomicKind::UMin:
    return getIntBinary(IntBinary::UMin, scalar);
  case ir::AtomicKind::UMax:
    return getIntBinary(IntBinary::UMax, scalar);
  case ir::AtomicKind::And:
    return getIntBinary(IntBinary::And, scalar);
  case ir::AtomicKind::Or:
    return getIntBinary(IntBinary::Or, scalar);
  case ir::AtomicKind::Xor:
    return getIntBinary(IntBinary::Xor, scalar);
  case ir::AtomicKind::Exchange:
    return nullptr;
  case ir::AtomicKind::FAdd:
    return getFloatBinary(FloatBinary::Add, scalar);
  case ir::AtomicKind::FMin:
    return getFloatBinary(FloatBinary::MinNum, scalar);
  case ir::AtomicKind::FMax:
    return getFloatBinary(FloatBinary::MaxNum, scalar);
  }
  llvm_unreachable("unknown atomic");
}

LogicalResult Compiler::compileAtomic(Operation *op) {
  if (failed(allocateResults(op)))
    return failure();
  if (auto fence = dyn_cast<ir::FenceOp>(op)) {
    Access access;
    access.order = fence.getOrder();
    emit(op, Opcode::Fence).info = kernel.accesses.size();
    kernel.accesses.push_back(std::move(access));
    return success();
  }
  Opcode opcode = Opcode::AtomicLoad;
  FailureOr<Access> access = failure();
  auto begin = [&](auto op, ValueRange values, Opcode code) {
    opcode = code;
    access = makeAccess(op, op.getView(), op.getIndices(), values);
    if (succeeded(access))
      access->order = op.getOrder();
    return succeeded(access);
  };
  if (auto rmw = dyn_cast<ir::AtomicRMWOp>(op)) {
    if (begin(rmw, rmw.getValue(), Opcode::AtomicRMW)) {
      access->kind = rmw.getKind();
      access->combine =
          getAtomicCombine(rmw.getKind(), *getScalar(rmw.getValue().getType()));
      access->result = slotOf(rmw.getResult());
    }
  } else if (auto cas = dyn_cast<ir::AtomicCASOp>(op)) {
    if (begin(cas, cas.getDesired(), Opcode::AtomicCAS)) {
      access->expected = slotOf(cas.getExpected());
      access->result = slotOf(cas.getResult());
    }
  } else if (auto load = dyn_cast<ir::AtomicLoadOp>(op)) {
    begin(load, load.getResult(), Opcode::AtomicLoad);
  } else if (auto store = dyn_cast<ir::AtomicStoreOp>(op)) {
    begin(store, store.getValue(), Opcode::AtomicStore);
  }
  if (failed(access))
    return error.empty() ? failUnknown(op) : failure();
  access->isAtomic = true;
  emit(op, opcode).info = kernel.accesses.size();
  kernel.accesses.push_back(std::move(*access));
  return success();
}
