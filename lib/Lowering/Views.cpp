//===- Views.cpp - Views as addresses, extents and strides ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

MemoryLowering::MemoryLowering(KernelOp kernel, const TargetEmitter &target,
                               bool checkBounds)
    : kernel(kernel), target(target), checkBounds(checkBounds),
      b(kernel.getLoc(), kernel.getContext()),
      shared(kernel, target.getTarget()) {}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Type MemoryLowering::getPointerType(MemorySpace space) {
  auto get = [&](unsigned number) {
    return LLVM::LLVMPointerType::get(kernel.getContext(), number);
  };
  switch (space) {
  case MemorySpace::Global:
    return get(1);
  case MemorySpace::Shared:
    return get(3);
  case MemorySpace::Private:
    return get(target.getPrivateSpace());
  case MemorySpace::Peer:
    return get(7); // Shared memory of a cluster; NVIDIA's alone.
  }
  llvm_unreachable("all spaces are handled");
}

/// The natural alignment of an element, as a power of two.
static uint64_t getAlignment(ViewType type) {
  return llvm::bit_floor(std::max<uint64_t>(1, type.getElementAlignment()));
}

/// What is accessed lies in memory, so that its distance from the start of the
/// view does not overflow, and is not negative.
static constexpr auto noWrap =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

Value MemoryLowering::multiply(Value left, Value right) {
  APInt leftConstant, rightConstant;
  bool isLeft = matchPattern(left, m_ConstantInt(&leftConstant));
  bool isRight = matchPattern(right, m_ConstantInt(&rightConstant));
  if (isLeft && isRight)
    return createI64(b, (leftConstant * rightConstant).getSExtValue());
  if (isRight && rightConstant.isOne())
    return left;
  if (isLeft && leftConstant.isOne())
    return right;
  return arith::MulIOp::create(b, left, right, noWrap);
}

Value MemoryLowering::addBytes(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{bytes},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Leaves MemoryLowering::createStrides(ViewType type, ValueRange extents) {
  Leaves strides(type.getRank());
  Value stride = createI64(b, type.getElementSize());
  for (unsigned i = type.getRank(); i-- != 0;) {
    strides[i] = stride;
    if (i != 0)
      stride = multiply(stride, extents[i]);
  }
  return strides;
}

Leaves MemoryLowering::createExtents(ViewType type) {
  return llvm::map_to_vector(type.getShape(), [&](int64_t extent) -> Value {
    return createI64(b, extent);
  });
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

MemoryLowering::View MemoryLowering::createParameter(ParamAttr param,
                                                     ViewType type, Value base,
                                                     ValueRange extents) {
  View view{type, base, {}, {}, getAlignment(type)};
  for (int64_t dim : param.getDims())
    view.extents.push_back(dim >= 0 ? createI64(b, dim) : extents[-1 - dim]);
  view.strides = createStrides(type, view.extents);
  if (param.getPitch() < 0 || type.getRank() < 2)
    return view;
  // The pitch is the distance of the rows of the last dimension but one.
  unsigned row = type.getRank() - 2;
  Value stride =
      multiply(extents[param.getPitch()], createI64(b, type.getElementSize()));
  for (unsigned i = row + 1; i-- != 0;) {
    view.strides[i] = stride;
    stride = multiply(stride, view.extents[i]);
  }
  return view;
}

void MemoryLowering::lowerParameters() {
  Block &block = kernel.getBody().front();
  b.setInsertionPointToStart(&block);
  size_t count = kernel.getParams().size();
  ValueRange extents = block.getArguments().drop_front(count);
  for (auto [param, argument] : llvm::zip(
           kernel.getParams().getAsRange<ParamAttr>(), block.getArguments())) {
    if (auto type = dyn_cast<ViewType>(argument.getType())) {
      argument.setType(getPointerType(MemorySpace::Global));
      views[argument] = createParameter(param, type, argument, extents);
    } else if (argument.getType().isInteger(1)) {
      argument.setType(b.getI8Type());
      Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
      Value flag =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, argument, zero);
      argument.replaceAllUsesExcept(flag, flag.getDefiningOp());
    }
  }
  if (kernel.getWorkspace())
    block.addArgument(getPointerType(MemorySpace::Global), kernel.getLoc());
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// A scalar variable has its own type, so that it is easy to read.
static Type getStorageType(ViewType type) {
  Type element = type.getElementType();
  if (type.getRank() == 0 && !isa<StructType>(element) &&
      !getElementTypeOrSelf(element).isInteger(1))
    return element;
  return LLVM::LLVMArrayType::get(IntegerType::get(type.getContext(), 8),
                                  getStaticSize(type));
}

MemoryLowering::View MemoryLowering::lowerVar(VarOp op) {
  auto type = cast<ViewType>(op.getView().getType());
  View view{type, Value(), createExtents(type), {}, getAlignment(type)};
  view.strides = createStrides(type, view.extents);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  view.base = LLVM::AllocaOp::create(b, getPointerType(MemorySpace::Private),
                                     getStorageType(type), createI32(b, 1),
                                     view.alignment);
  return view;
}

MemoryLowering::View MemoryLowering::lowerShared(SharedOp op) {
  auto type = cast<ViewType>(op.getView().getType());
  View view{type, Value(), createExtents(type), {}, getAlignment(type)};
  if (op.getExtent())
    view.extents[0] = op.getExtent();
  view.strides = createStrides(type, view.extents);
  view.base = shared.getAddress(b, op);
  return view;
}

/// The kernel's last argument.
MemoryLowering::View MemoryLowering::lowerWorkspace(WorkspaceOp op) {
  auto type = cast<ViewType>(op.getView().getType());
  Block &entry = kernel.getBody().front();
  View view{type,
            addBytes(entry.getArguments().back(), op.getOffset()),
            {op.getExtent()},
            {},
            getAlignment(type)};
  view.strides = createStrides(type, view.extents);
  return view;
}

MemoryLowering::View MemoryLowering::lowerPeer(PeerOp op) {
  View view = getView(op);
  view.type = cast<ViewType>(op.getResult().getType());
  view.base = target.mapToPeer(b, view.base, op.getBlock());
  return view;
}

//===----------------------------------------------------------------------===//
// Views of views
//===----------------------------------------------------------------------===//

MemoryLowering::View MemoryLowering::lowerSlice(SliceOp op) {
  const View &view = getView(op);
  View result{cast<ViewType>(op.getResult().getType()),
              view.base,
              {},
              {},
              view.alignment};
  auto bounds = op.getBounds().begin();
  for (auto [i, form] : llvm::enumerate(op.getForms())) {
    Value extent = view.extents[i];
    if (form != 0) {
      Value first = *bounds++;
      result.base = addBytes(result.base, multiply(first, view.strides[i]));
      if (form == 1)
        continue;
      extent = arith::SubIOp::create(b, *bounds++, first);
    }
    result.extents.push_back(extent);
    result.strides.push_back(view.strides[i]);
  }
  return result;
}

MemoryLowering::View MemoryLowering::lowerField(FieldOp op) {
  const View &view = getView(op);
  auto type = cast<ViewType>(op.getResult().getType());
  uint64_t offset = op.getOffset();
  View result{type, getLeafAddress(view.base, offset), view.extents,
              view.strides,
              std::min<uint64_t>(getAlignment(type),
                                 llvm::MinAlign(view.alignment, offset))};
  ArrayRef<int64_t> appended = type.getShape().drop_front(view.extents.size());
  uint64_t stride = type.getElementSize();
  SmallVector<uint64_t> strides(appended.size());
  for (size_t i = appended.size(); i-- != 0;) {
    strides[i] = stride;
    stride *= appended[i];
  }
  for (auto [extent, bytes] : llvm::zip(appended, strides)) {
    result.extents.push_back(createI64(b, extent));
    result.strides.push_back(createI64(b, bytes));
  }
  return result;
}

MemoryLowering::View MemoryLowering::lowerFlat(FlatOp op) {
  const View &view = getView(op);
  auto type = cast<ViewType>(op.getResult().getType());
  Value extent = createI64(b, 1);
  for (Value dimension : view.extents)
    extent = multiply(extent, dimension);
  return {type,
          view.base,
          {extent},
          {createI64(b, type.getElementSize())},
          view.alignment};
}

MemoryLowering::View MemoryLowering::lowerRecast(RecastOp op) {
  const View &view = getView(op);
  auto type = cast<ViewType>(op.getResult().getType());
  uint64_t oldSize = view.type.getElementSize();
  uint64_t newSize = type.getElementSize();
  View result{type, view.base, view.extents, view.strides, view.alignment};
  if (oldSize == newSize)
    return result;
  result.alignment = getAlignment(type);
  result.extents.back() = arith::DivUIOp::create(
      b, view.extents.back(), createI64(b, newSize / oldSize));
  result.strides.back() = createI64(b, newSize);
  return result;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

Value MemoryLowering::getLeafAddress(Value element, uint64_t offset) {
  return offset == 0 ? element : addBytes(element, createI64(b, offset));
}

void MemoryLowering::trapIf(Value condition) {
  createIf(b, {}, condition, [&] {
    target.trap(b);
    return Leaves();
  });
}

void MemoryLowering::checkIndices(const View &view, ValueRange indices) {
  Value outside;
  for (auto [index, extent] : llvm::zip_equal(indices, view.extents)) {
    Value isOutside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::uge, index, extent);
    outside = outside ? arith::OrIOp::create(b, outside, isOutside).getResult()
                      : isOutside;
  }
  if (outside)
    trapIf(outside);
}

Value MemoryLowering::getAddress(const View &view, ValueRange indices) {
  if (checkBounds)
    checkIndices(view, indices);
  Value offset;
  for (auto [index, stride] : llvm::zip_equal(indices, view.strides)) {
    Value bytes = multiply(index, stride);
    offset = offset
                 ? arith::AddIOp::create(b, offset, bytes, noWrap).getResult()
                 : bytes;
  }
  return offset ? addBytes(view.base, offset) : view.base;
}

/// The form of a leaf in memory: i1 takes a byte.
static Type getMemoryType(Type type) {
  if (!getElementTypeOrSelf(type).isInteger(1))
    return type;
  Type byte = IntegerType::get(type.getContext(), 8);
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(byte)) : byte;
}

Value MemoryLowering::loadLeaf(Type type, Value address, uint64_t alignment) {
  Type inMemory = getMemoryType(type);
  Value value = LLVM::LoadOp::create(b, inMemory, address, alignment);
  if (inMemory == type)
    return value;
  Value zero =
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(inMemory)));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero);
}

void MemoryLowering::storeLeaf(Value value, Value address, uint64_t alignment) {
  Type inMemory = getMemoryType(value.getType());
  if (inMemory != value.getType())
    value = arith::ExtUIOp::create(b, inMemory, value);
  LLVM::StoreOp::create(b, value, address, alignment);
}

/// Byte offsets of the leaves of an element.
static SmallVector<uint64_t> getOffsets(ViewType type) {
  if (auto structType = dyn_cast<StructType>(type.getElementType()))
    return llvm::to_vector(structType.getOffsets());
  return {0};
}

Leaves MemoryLowering::load(LoadOp op) {
  const View &view = getView(op);
  Value element = getAddress(view, op.getIndices());
  Leaves leaves;
  for (auto [type, offset] :
       llvm::zip_equal(op.getResultTypes(), getOffsets(view.type)))
    leaves.push_back(loadLeaf(type, getLeafAddress(element, offset),
                              llvm::MinAlign(view.alignment, offset)));
  return leaves;
}

void MemoryLowering::store(StoreOp op) {
  const View &view = getView(op);
  Value element = getAddress(view, op.getIndices());
  for (auto [value, offset] :
       llvm::zip_equal(op.getValues(), getOffsets(view.type)))
    storeLeaf(value, getLeafAddress(element, offset),
              llvm::MinAlign(view.alignment, offset));
}
