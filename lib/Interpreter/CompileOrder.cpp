//===- CompileOrder.cpp - Ordering collectives to instructions ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "coll/Dialect/Coll/IR/MethodName.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll;
using namespace coll::ref;
using namespace mlir;

LogicalResult Compiler::describeOrder(Operation *op, CollectiveInfo &info) {
  auto setKeys = [&](CollectiveKind kind, ValueRange keys, bool isSigned) {
    info.kind = kind;
    info.values = scalarsOf(keys);
    info.argType = *getScalar(keys.front().getType());
    info.isSigned = isSigned;
    info.elements = keys.size();
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ir::SortOp op) {
        info.extras = scalarsOf(op.getValues());
        info.isDescending = op.getDescending();
        return setKeys(CollectiveKind::Sort, op.getKeys(), op.getIsSigned());
      })
      .Case([&](ir::TopKOp op) {
        info.isDescending = true;
        return setKeys(CollectiveKind::TopK, op.getKeys(), op.getIsSigned());
      })
      .Case([&](ir::ExchangeOp op) {
        info.kind = CollectiveKind::Exchange;
        info.values = scalarsOf(op.getValues());
        info.extras = scalarsOf(op.getPlaces());
        info.elements = op.getPlaces().size();
        return success();
      })
      .Case([&](ir::ArriveOp) {
        info.kind = CollectiveKind::Arrive;
        return success();
      })
      .Case([&](ir::WaitOp) {
        info.kind = CollectiveKind::Wait;
        return success();
      })
      .Default([&](Operation *op) { return failUnknown(op); });
}

/// The threads meet, then each counts for itself.
LogicalResult Compiler::compileHistogram(ir::HistogramOp op) {
  CollectiveInfo info;
  info.kind = CollectiveKind::Meet;
  info.group = makeGroup(op.getGroup());
  info.name = ir::getCallName(op, info.group.str());
  Label after = makeLabel();
  Inst &inst = emit(op, Opcode::Collective);
  inst.info = kernel.collectives.size();
  inst.to = after;
  kernel.collectives.push_back(std::move(info));
  bind(after);
  Slot saved = nextSlot;
  Slot old = reserve(1);
  auto counts = cast<ir::ViewType>(op.getCounts().getType());
  for (Value bin : op.getBins()) {
    FailureOr<Access> access = makeAccess(op, op.getCounts(), bin, {});
    if (failed(access))
      return failure();
    access->values = {addConstant({1})};
    access->kind = ir::AtomicKind::Add;
    access->combine =
        getIntBinary(IntBinary::Add, *getScalar(counts.getElementType()));
    access->result = old;
    access->isAtomic = true;
    emit(op, Opcode::AtomicRMW).info = kernel.accesses.size();
    kernel.accesses.push_back(std::move(*access));
  }
  nextSlot = saved;
  return success();
}
