//===- SharedObjects.cpp - Where a block's shared arrays lie --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedObjects.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

uint64_t coll::getStaticSize(ViewType type) {
  return type.getElementSize() * ShapedType::getNumElements(type.getShape());
}

/// Bytes that one access takes at most. Code generation makes one of several
/// loads, and of ten bytes it makes one of sixteen where the alignment allows
/// it: an array ends where such a load does.
constexpr uint64_t widestAccess = 16;

static uint64_t getArrayAlignment(SharedOp op) {
  auto type = cast<ViewType>(op.getView().getType());
  return std::max<uint64_t>(
      {widestAccess, llvm::bit_floor(uint64_t(type.getElementAlignment())),
       llvm::bit_floor(uint64_t(op.getAlignment()))});
}

SharedObjects::Object &SharedObjects::getObject(SharedOp op) {
  return op.isOverlay() ? overlays[op.getName()] : arrays[op];
}

void SharedObjects::note(SharedOp op) {
  Object &object = getObject(op);
  if (!object.op)
    object.op = op;
  object.alignment = std::max(object.alignment, getArrayAlignment(op));
  whole.alignment = std::max(whole.alignment, object.alignment);
  if (op.getExtent()) {
    dynamicArray = op;
    return;
  }
  uint64_t size = getStaticSize(cast<ViewType>(op.getView().getType()));
  uint64_t first = op.isOverlay() ? op.getOverlay() : 0;
  object.bytes =
      std::max(object.bytes, llvm::alignTo(first + size, widestAccess));
}

void SharedObjects::place(Object &object) {
  object.offset = llvm::alignTo(bytes, object.alignment);
  bytes = object.offset + object.bytes;
  if (!firstBeyond && bytes > target.getChip().maxSharedBytes)
    firstBeyond = object.op;
}

SharedObjects::SharedObjects(KernelOp kernel, const Target &target)
    : kernel(kernel), target(target) {
  SmallVector<SharedOp> ops;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](SharedOp op) {
    note(op);
    ops.push_back(op);
  });
  // The array without a size comes last.
  for (SharedOp op : ops)
    if (Object &object = getObject(op); object.op == op && !op.getExtent())
      place(object);
  isSizedByLaunch = bytes > target.getChip().getMaxStaticSharedBytes();
  if (isSizedByLaunch && dynamicArray)
    place(getObject(dynamicArray));
}

LogicalResult SharedObjects::check() const {
  if (!firstBeyond)
    return success();
  SharedOp op = firstBeyond;
  return op.emitError() << "kernel '"
                        << SymbolTable::getSymbolName(kernel).getValue()
                        << "' needs " << bytes
                        << " bytes of shared memory, more than the "
                        << target.getChip().maxSharedBytes << " of "
                        << target.str();
}

/// Makes it where it is asked for first, before the kernel.
Value SharedObjects::getGlobalAddress(ImplicitLocOpBuilder &b, Object &object,
                                      StringRef name, bool isExternal) {
  if (!object.global) {
    SymbolTable symbols(kernel->getParentOfType<ModuleOp>());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(kernel);
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), object.bytes);
    object.global = LLVM::GlobalOp::create(
        b, type, /*isConstant=*/false,
        isExternal ? LLVM::Linkage::External : LLVM::Linkage::Internal,
        (kernel.getSymName() + "$" + name).str(), Attribute(), object.alignment,
        /*addrSpace=*/3);
    // It belongs to no function, and so to no call of one.
    if (auto site = dyn_cast<CallSiteLoc>(object.global.getLoc()))
      object.global->setLoc(site.getCallee());
    symbols.insert(object.global);
  }
  return LLVM::AddressOfOp::create(b, object.global);
}

static Value addOffset(ImplicitLocOpBuilder &b, Value address,
                       uint64_t offset) {
  if (offset == 0)
    return address;
  return LLVM::GEPOp::create(
      b, address.getType(), b.getI8Type(), address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
      LLVM::GEPNoWrapFlags::inbounds);
}

Value SharedObjects::getAddress(ImplicitLocOpBuilder &b, SharedOp op) {
  Object &object = getObject(op);
  uint64_t inObject = op.isOverlay() ? op.getOverlay() : 0;
  if (isSizedByLaunch) {
    Value address = getGlobalAddress(b, whole, "shared", /*isExternal=*/true);
    return addOffset(b, address, object.offset + inObject);
  }
  Value address =
      getGlobalAddress(b, object, op.getName(), bool(op.getExtent()));
  return addOffset(b, address, inObject);
}
