//===- MemoryLowering.cpp - Atomics, and the walk over a kernel -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryLowering.h"
#include "Atomics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

AtomicAccess MemoryLowering::getAccess(const View &view, ValueRange indices,
                                       MemoryOrder order, MemoryScope scope) {
  return {getAddress(view, indices), order, scope,
          view.type.getSpace() == MemorySpace::Shared};
}

/// By comparison of integers: floats of one sign are ordered as their bits are,
/// negative ones the other way round. A NaN becomes the operand that changes
/// nothing.
Value MemoryLowering::floatMinMax(const AtomicAccess &access, bool isMin,
                                  Value value) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(width);
  auto constant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(b, IntegerAttr::get(integer, bits));
  };
  Value bits = arith::BitcastOp::create(b, integer, value);
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value nothing = constant(isMin ? APInt::getSignedMaxValue(width)
                                 : APInt::getAllOnes(width));
  bits = arith::SelectOp::create(b, isNaN, nothing, bits);
  Value isPositive = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, bits,
                                           constant(APInt::getZero(width)));
  Leaves old = createIf(
      b, {integer}, isPositive,
      [&]() -> Leaves {
        return {target.atomicRMW(
            b, access, isMin ? AtomicKind::SMin : AtomicKind::SMax, bits)};
      },
      [&]() -> Leaves {
        return {target.atomicRMW(
            b, access, isMin ? AtomicKind::UMax : AtomicKind::UMin, bits)};
      });
  return arith::BitcastOp::create(b, type, old.front());
}

Value MemoryLowering::atomicRMW(AtomicRMWOp op) {
  AtomicAccess access =
      getAccess(getView(op), op.getIndices(), op.getOrder(), op.getScope());
  AtomicKind kind = op.getKind();
  Value value = op.getValue();
  if (kind == AtomicKind::FMin || kind == AtomicKind::FMax)
    return floatMinMax(access, kind == AtomicKind::FMin, value);
  Type type = value.getType();
  if (kind != AtomicKind::Exchange || !isa<FloatType>(type))
    return target.atomicRMW(b, access, kind, value);
  Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
  Value bits = arith::BitcastOp::create(b, integer, value);
  return arith::BitcastOp::create(b, type,
                                  target.atomicRMW(b, access, kind, bits));
}

/// The order of the read if a compare-exchange fails.
static LLVM::AtomicOrdering getFailureOrdering(MemoryOrder order) {
  if (order == MemoryOrder::Release)
    return LLVM::AtomicOrdering::monotonic;
  if (order == MemoryOrder::AcqRel)
    return LLVM::AtomicOrdering::acquire;
  return getOrdering(order);
}

Value MemoryLowering::atomicCAS(AtomicCASOp op) {
  AtomicAccess access =
      getAccess(getView(op), op.getIndices(), op.getOrder(), op.getScope());
  Value pair = LLVM::AtomicCmpXchgOp::create(
      b, access.pointer, op.getExpected(), op.getDesired(),
      getOrdering(access.order), getFailureOrdering(access.order),
      target.getSyncScope(access.scope));
  return LLVM::ExtractValueOp::create(b, pair, int64_t(0));
}

Value MemoryLowering::atomicLoad(AtomicLoadOp op) {
  AtomicAccess access =
      getAccess(getView(op), op.getIndices(), op.getOrder(), op.getScope());
  Type type = op.getResult().getType();
  return LLVM::LoadOp::create(
      b, type, access.pointer, type.getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, getOrdering(access.order),
      target.getSyncScope(access.scope));
}

void MemoryLowering::atomicStore(AtomicStoreOp op) {
  AtomicAccess access =
      getAccess(getView(op), op.getIndices(), op.getOrder(), op.getScope());
  LLVM::StoreOp::create(b, op.getValue(), access.pointer,
                        op.getValue().getType().getIntOrFloatBitWidth() / 8,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false, getOrdering(access.order),
                        target.getSyncScope(access.scope));
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

LogicalResult MemoryLowering::lower(Operation *operation) {
  b.setLoc(operation->getLoc());
  b.setInsertionPoint(operation);
  auto define = [&](Operation *op, View view) {
    views[op->getResult(0)] = std::move(view);
    dead.push_back(op);
    return success();
  };
  auto replace = [&](Operation *op, ValueRange values) {
    op->replaceAllUsesWith(values);
    dead.push_back(op);
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(operation)
      .Case<VarOp>([&](auto op) { return define(op, lowerVar(op)); })
      .Case<SharedOp>([&](auto op) { return define(op, lowerShared(op)); })
      .Case<WorkspaceOp>(
          [&](auto op) { return define(op, lowerWorkspace(op)); })
      .Case<PeerOp>([&](auto op) { return define(op, lowerPeer(op)); })
      .Case<SliceOp>([&](auto op) { return define(op, lowerSlice(op)); })
      .Case<FieldOp>([&](auto op) { return define(op, lowerField(op)); })
      .Case<FlatOp>([&](auto op) { return define(op, lowerFlat(op)); })
      .Case<RecastOp>([&](auto op) { return define(op, lowerRecast(op)); })
      .Case<ExtentOp>([&](auto op) {
        const View &view = getView(op);
        return replace(op, view.extents[op.getDimension()]);
      })
      .Case<LoadOp>([&](auto op) { return replace(op, load(op)); })
      .Case<StoreOp>([&](auto op) { return store(op), replace(op, {}); })
      .Case<AtomicRMWOp>([&](auto op) { return replace(op, atomicRMW(op)); })
      .Case<AtomicCASOp>([&](auto op) { return replace(op, atomicCAS(op)); })
      .Case<AtomicLoadOp>([&](auto op) { return replace(op, atomicLoad(op)); })
      .Case<AtomicStoreOp>(
          [&](auto op) { return atomicStore(op), replace(op, {}); })
      .Case<FenceOp>([&](auto op) {
        target.fence(b, op.getOrder(), op.getScope());
        return replace(op, {});
      })
      .Case<AssertOp>([&](auto op) {
        Value holds = op.getCondition();
        trapIf(arith::XOrIOp::create(
            b, holds, arith::ConstantOp::create(b, b.getBoolAttr(true))));
        return replace(op, {});
      })
      .Case<TrapOp>([&](auto op) {
        target.trap(b);
        return replace(op, {});
      })
      .Case<PauseOp>([&](auto op) {
        target.pause(b);
        return replace(op, {});
      })
      .Default([](Operation *) { return success(); });
}

LogicalResult MemoryLowering::run() {
  if (failed(shared.check()))
    return failure();
  SmallVector<Operation *> operations;
  kernel.getBody().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  lowerParameters();
  for (Operation *op : operations)
    if (failed(lower(op)))
      return failure();
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  return success();
}
