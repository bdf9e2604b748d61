//===- Steps.cpp - Lanes of an AMD wave -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// EXEC says who takes part, so groups have no member masks. All sources of a
// collective are lanes of its group, which are active with it.
//
//===----------------------------------------------------------------------===//

#include "../Words.h"
#include "Emitter.h"
#include "InlineISA.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

LaneGroup ROCDLEmitter::getGroup(Builder &, unsigned size, bool) const {
  return {size, Value(), size == getWarpSize()};
}

/// Whether LLVM 22 may write a 64-bit mask as a literal of 32 bits whose sign
/// it means to extend: s_mov_b64 fills the upper half with zeros ("Conversion
/// of Integer Literals" in LLVM's "AMDGPU Operand Syntax": b64 has no sign).
static bool isMisencoded(const APInt &mask) {
  return mask.getBitWidth() == 64 && mask.isNegative() &&
         mask.isSignedIntN(32) && mask.slt(-16);
}

/// A constant mask in scalar registers selects lanes in one instruction.
Value ROCDLEmitter::isLaneIn(Builder &b, WarpConstant mask) const {
  if (!mask.isSame() && !getPresence().isFull() && getPresence().hasFullWarp)
    return TargetEmitter::isLaneIn(b, mask);
  Value bits = warpConstant(b, mask, getWarpSize());
  auto select = [&](Value lanes) {
    return callIntrinsic(b, "llvm.amdgcn.inverse.ballot", b.getI1Type(), lanes);
  };
  APInt constant;
  if (!matchPattern(bits, m_ConstantInt(&constant)) || !isMisencoded(constant))
    return select(bits);
  Value others =
      arith::ConstantOp::create(b, IntegerAttr::get(bits.getType(), ~constant));
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  return arith::XOrIOp::create(b, select(others), yes);
}

/// A 16-bit value is moved with whatever is above it in its register: who gets
/// the word drops that, so no instruction has to clear it.
static Value dropPadding(ImplicitLocOpBuilder &b, Value word) {
  auto padded = word.getDefiningOp<arith::ExtUIOp>();
  if (!padded || !isPadded(word) || !padded.getIn().getType().isInteger(16))
    return word;
  auto halves = VectorType::get(2, b.getI16Type());
  Value result = LLVM::InsertElementOp::create(
      b, halves, LLVM::PoisonOp::create(b, halves), padded.getIn(),
      createI32(b, 0));
  return LLVM::BitcastOp::create(b, b.getI32Type(), result);
}

/// One of the two results of a swap of a word with itself.
static Value createSwap(ImplicitLocOpBuilder &b, const Move &move, Value word) {
  Type i32 = b.getI32Type();
  auto pair = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32});
  Value both;
  if (move.kind == MoveKind::Permlane16Swap)
    both = ROCDL::Permlane16SwapOp::create(b, pair, word, word, false, false);
  else
    both = ROCDL::Permlane32SwapOp::create(b, pair, word, word, false, false);
  return LLVM::ExtractValueOp::create(b, both, int64_t(move.control));
}

/// permlane16 or permlanex16, without fetch-inactive and bound_ctrl.
static Value createPermlane16(ImplicitLocOpBuilder &b, const Move &move,
                              Value word, Value old) {
  Type i32 = b.getI32Type();
  Value low = createI32(b, static_cast<int32_t>(move.selects));
  Value high = createI32(b, static_cast<int32_t>(move.selects >> 32));
  if (move.kind == MoveKind::PermlaneX16)
    return ROCDL::PermlaneX16Op::create(b, i32, old, word, low, high,
                                        /*fi=*/false, /*boundControl=*/false);
  Value no = arith::ConstantOp::create(b, b.getBoolAttr(false));
  return callIntrinsic(b, "llvm.amdgcn.permlane16", i32,
                       {old, word, low, high, no, no});
}

/// Whether lanes without source get the zero bits of `old` from the instruction
/// itself.
static bool fillsWithZero(const Move &move, Value old) {
  return move.kind == MoveKind::DPP && move.rowMask == 0xf &&
         move.bankMask == 0xf && old && matchPattern(old, m_Zero());
}

/// writelane does not ask EXEC: where other tiles of the wave wait for this one
/// it would write their lanes of a register that holds results of theirs.
static Value copyLane(ImplicitLocOpBuilder &b, const ROCDLEmitter &target,
                      const LaneGroup &group, const Move &move, Value word,
                      Value old) {
  Type i32 = b.getI32Type();
  Value source = target.warpConstant(b, move.lane, 32);
  Value scalar = ROCDL::ReadlaneOp::create(b, i32, word, source);
  if (group.isWholeWarp)
    return callIntrinsic(b, "llvm.amdgcn.writelane", i32,
                         {scalar, createI32(b, move.control), old});
  Value isThere =
      target.isLaneIn(b, WarpConstant::same(uint64_t(1) << move.control));
  return arith::SelectOp::create(b, isThere, scalar, old);
}

TargetEmitter::Moved ROCDLEmitter::move(Builder &b, const LaneGroup &group,
                                        const Move &move, Value word, Value old,
                                        bool) const {
  Type i32 = b.getI32Type();
  word = dropPadding(b, word);
  bool isFilled = fillsWithZero(move, old);
  if (move.hasOld())
    old = old && !isFilled ? dropPadding(b, old)
                           : LLVM::PoisonOp::create(b, i32).getRes();
  switch (move.kind) {
  case MoveKind::DPP:
    return {ROCDL::DPPUpdateOp::create(b, i32, old, word, move.control,
                                       move.rowMask, move.bankMask,
                                       move.boundCtrl || isFilled),
            Value()};
  case MoveKind::DPP8:
    return {callIntrinsic(b, "llvm.amdgcn.mov.dpp8", i32,
                          {word, createI32(b, int64_t(move.selects))}),
            Value()};
  case MoveKind::Permlane16:
  case MoveKind::PermlaneX16:
    return {createPermlane16(b, move, word, old), Value()};
  case MoveKind::Permlane64:
    return {callIntrinsic(b, "llvm.amdgcn.permlane64", i32, word), Value()};
  case MoveKind::Permlane16Swap:
  case MoveKind::Permlane32Swap:
    return {createSwap(b, move, word), Value()};
  case MoveKind::ReadLane: {
    Value source = warpConstant(b, move.lane, 32);
    return {ROCDL::ReadlaneOp::create(b, i32, word, source), Value()};
  }
  case MoveKind::CopyLane:
    return {copyLane(b, *this, group, move, word, old), Value()};
  case MoveKind::DsSwizzle:
    return {
        ROCDL::DsSwizzleOp::create(b, i32, word, createI32(b, move.control)),
        Value()};
  case MoveKind::Shared:
    return {exchange(b, move, word), Value()};
  default:
    llvm_unreachable("no move of AMD's");
  }
}

static Value createPermute(ImplicitLocOpBuilder &b, Value lane, Value word) {
  Value address = arith::ShLIOp::create(b, lane, createI32(b, 2));
  return ROCDL::DsBpermuteOp::create(b, b.getI32Type(), address, word);
}

/// Lane `source` of any lane, by reading all lanes one after the other: for
/// waves of 64 whose ds_bpermute does not leave its half, that have no
/// permlane64, and no room in LDS.
static Value createReadAll(ImplicitLocOpBuilder &b, Value word, Value source) {
  Value result = word;
  for (unsigned lane = 0; lane != 64; ++lane) {
    Value constant = createI32(b, lane);
    Value read = ROCDL::ReadlaneOp::create(b, b.getI32Type(), word, constant);
    Value isSource =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, source, constant);
    result = arith::SelectOp::create(b, isSource, read, result);
  }
  return result;
}

Value ROCDLEmitter::shuffle(Builder &b, const LaneGroup &group, Value word,
                            Value source) const {
  bool isSplit =
      getWarpSize() == 64 && (target.getFamily() == AMDFamily::GFX10 ||
                              target.getFamily() == AMDFamily::GFX11);
  if (!isSplit || group.size <= 32 || blockSize <= 32)
    return createPermute(b, source, word);
  if (Value loaded = exchange(b, word, source))
    return loaded;
  if (!target.has(Feature::Permlane64))
    return createReadAll(b, word, source);
  // A lane of the other half is read by way of the lane that is like it in
  // one's own half, which may be inactive: LLVM does it in whole wave mode.
  return callIntrinsic(b, "llvm.amdgcn.wave.shuffle", b.getI32Type(),
                       {word, source});
}

Value ROCDLEmitter::broadcast(Builder &b, const LaneGroup &group, Value word,
                              Value rank) const {
  Type i32 = b.getI32Type();
  if (group.isWholeWarp) {
    Value scalar = ROCDL::ReadfirstlaneOp::create(b, i32, rank);
    return ROCDL::ReadlaneOp::create(b, i32, word, scalar);
  }
  Value first =
      arith::AndIOp::create(b, lane(b), createI32(b, -int64_t(group.size)));
  return shuffle(b, group, word, arith::AddIOp::create(b, first, rank));
}

/// Takes the first lane's words, finds all lanes that have the same, and goes
/// on with the others: one trip for each value.
Value ROCDLEmitter::match(Builder &b, const LaneGroup &group,
                          llvm::ArrayRef<Value> words) const {
  Type i64 = b.getI64Type();
  auto type = ViewType::get(b.getContext(), {}, i64, MemorySpace::Private);
  Value result = VarOp::create(b, type, "same");
  auto loop = LoopOp::create(b, /*unroll=*/1);
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&loop.getCondition());
    ConditionOp::create(b, arith::ConstantOp::create(b, b.getBoolAttr(true)));
    b.createBlock(&loop.getStep());
    YieldOp::create(b);
    b.createBlock(&loop.getBody());
    Value same = arith::ConstantOp::create(b, b.getBoolAttr(true));
    for (Value word : words) {
      Value first = ROCDL::ReadfirstlaneOp::create(b, b.getI32Type(), word);
      Value equal =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, word, first);
      same = arith::AndIOp::create(b, same, equal);
    }
    Value lanes = ballot(b, group, same);
    auto found = IfOp::create(b, TypeRange(), same);
    b.createBlock(&found.getThenRegion());
    StoreOp::create(b, ValueRange(lanes), result, ValueRange());
    BreakOp::create(b);
    b.setInsertionPointAfter(found);
    YieldOp::create(b);
  }
  return LoadOp::create(b, TypeRange(i64), result, ValueRange()).getResult(0);
}
