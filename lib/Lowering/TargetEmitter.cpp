//===- TargetEmitter.cpp - What the vendors share -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Lowering/TargetEmitter.h"
#include "Atomics.h"
#include "NVVM/Emitter.h"
#include "ROCDL/Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

void coll::insertVendorDialect(mlir::DialectRegistry &registry,
                               llvm::StringRef target) {
  llvm::Expected<Target> parsed = Target::parse(target);
  if (!parsed) // The pass reports it when it runs.
    llvm::consumeError(parsed.takeError());
  else if (parsed->isNVIDIA())
    registry.insert<mlir::NVVM::NVVMDialect>();
  else
    registry.insert<mlir::ROCDL::ROCDLDialect>();
}

std::unique_ptr<TargetEmitter> TargetEmitter::create(const Target &target,
                                                     unsigned blockSize) {
  if (target.isNVIDIA())
    return std::make_unique<NVVMEmitter>(target, blockSize);
  return std::make_unique<ROCDLEmitter>(target, blockSize);
}

Value TargetEmitter::lane(Builder &b) const {
  auto warp = GroupAttr::get(b.getContext(), GroupKind::Warp, 0);
  return RankOp::create(b, b.getI32Type(), warp);
}

Value TargetEmitter::warpConstant(Builder &b, WarpConstant constant,
                                  unsigned bits) const {
  Type type = b.getIntegerType(bits);
  auto create = [&](uint64_t value) -> Value {
    return arith::ConstantOp::create(
        b, IntegerAttr::get(type, APInt(bits, value, /*isSigned=*/false,
                                        /*implicitTrunc=*/true)));
  };
  Presence presence = getPresence();
  if (presence.isFull() || constant.isSame())
    return create(constant.full);
  if (!presence.hasFullWarp)
    return create(constant.tail);
  auto block = GroupAttr::get(b.getContext(), GroupKind::Block, 0);
  Value rank = RankOp::create(b, b.getI32Type(), block);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, rank,
                                       createI32(b, blockSize - presence.tail));
  return arith::SelectOp::create(b, isLast, create(constant.tail),
                                 create(constant.full));
}

Value TargetEmitter::isLaneIn(Builder &b, WarpConstant mask) const {
  unsigned bits = getWarpSize();
  Value count = lane(b);
  if (bits == 64)
    count = arith::ExtUIOp::create(b, b.getI64Type(), count);
  Value shifted = arith::ShRUIOp::create(b, warpConstant(b, mask, bits), count);
  return arith::TruncIOp::create(b, b.getI1Type(), shifted);
}

Value TargetEmitter::redux(Builder &, const LaneGroup &, ReduxForm,
                           OperatorKind, Value) const {
  llvm_unreachable("no plan of this vendor's has a redux step");
}

Leaves TargetEmitter::reduxArg(Builder &, const LaneGroup &, OperatorKind,
                               mlir::ValueRange) const {
  llvm_unreachable("no plan of this vendor's has a redux step");
}

Value TargetEmitter::voteRanks(Builder &, const LaneGroup &, VoteRanks,
                               OperatorKind, Value) const {
  llvm_unreachable("no plan of this vendor's has a vote step");
}

Value TargetEmitter::combineTied(Builder &, OperatorKind, mlir::Type, Value,
                                 ArrayRef<TiedStep>) const {
  llvm_unreachable("no plan of this vendor's has tied steps");
}

Value TargetEmitter::encode(Builder &, Encoding, OperatorKind, Value) const {
  llvm_unreachable("no plan of this vendor's has encodings");
}

Value TargetEmitter::decode(Builder &, Encoding, OperatorKind, Value,
                            mlir::Type) const {
  llvm_unreachable("no plan of this vendor's has encodings");
}

void TargetEmitter::syncCluster(Builder &, bool) const {
  llvm_unreachable("this vendor has no clusters");
}

Value TargetEmitter::mapToPeer(Builder &, Value, Value) const {
  llvm_unreachable("this vendor has no clusters");
}

LLVM::FenceOp TargetEmitter::fence(Builder &b, MemoryOrder order,
                                   MemoryScope scope) const {
  if (order == MemoryOrder::Relaxed)
    return {};
  return LLVM::FenceOp::create(b, getOrdering(order), getSyncScope(scope));
}

Value coll::callIntrinsic(ImplicitLocOpBuilder &b, StringRef name, Type type,
                          ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResults();
}
