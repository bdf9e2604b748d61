//===- Steps.cpp - Lanes of an NVIDIA warp --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every instruction here names its members. A tile's collective is uniform over
// the tile only, so its members are the tile's lanes, unless the whole warp is
// sure to arrive together. Lanes that were never launched count as exited.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

static constexpr unsigned warpSize = 32;

/// Operand c of shfl.sync.idx inside aligned groups of `size` lanes.
static unsigned getSegmentClamp(unsigned size) {
  return (warpSize - size) << 8 | 31;
}

LaneGroup NVVMEmitter::getGroup(Builder &b, unsigned size,
                                bool isConvergent) const {
  bool isWhole = size == warpSize;
  if (isWhole || isConvergent)
    return {size, createI32(b, -1), isWhole};
  Value first = arith::AndIOp::create(b, lane(b), createI32(b, -int64_t(size)));
  Value lanes = createI32(b, int64_t(getLowLanes(size)));
  return {size, arith::ShLIOp::create(b, lanes, first), isWhole};
}

static NVVM::ShflKind getShuffleKind(MoveKind kind) {
  switch (kind) {
  case MoveKind::ShflBfly:
    return NVVM::ShflKind::bfly;
  case MoveKind::ShflUp:
    return NVVM::ShflKind::up;
  case MoveKind::ShflDown:
    return NVVM::ShflKind::down;
  case MoveKind::ShflIdx:
    return NVVM::ShflKind::idx;
  default:
    llvm_unreachable("no move of NVIDIA's");
  }
}

TargetEmitter::Moved NVVMEmitter::move(Builder &b, const LaneGroup &group,
                                       const Move &move, Value word, Value,
                                       bool needsPredicate) const {
  Value operand;
  if (move.operand == LaneOperand::InvertedLaneOr15) {
    Value inverted = arith::XOrIOp::create(b, lane(b), createI32(b, -1));
    operand = arith::OrIOp::create(b, inverted, createI32(b, 15));
  } else {
    operand = warpConstant(b, move.lane, 32);
  }
  Value clamp = warpConstant(b, move.clamp, 32);
  NVVM::ShflKind kind = getShuffleKind(move.kind);
  Type i32 = b.getI32Type();
  if (!needsPredicate)
    return {NVVM::ShflOp::create(b, i32, group.members, word, operand, clamp,
                                 kind, UnitAttr()),
            Value()};
  auto pair =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, b.getI1Type()});
  Value both = NVVM::ShflOp::create(b, pair, group.members, word, operand,
                                    clamp, kind, b.getUnitAttr());
  return {LLVM::ExtractValueOp::create(b, both, int64_t(0)),
          LLVM::ExtractValueOp::create(b, both, int64_t(1))};
}

Value NVVMEmitter::ballot(Builder &b, const LaneGroup &group,
                          Value predicate) const {
  Value bits = NVVM::VoteSyncOp::create(b, b.getI32Type(), group.members,
                                        predicate, NVVM::VoteSyncKind::ballot);
  return arith::ExtUIOp::create(b, b.getI64Type(), bits);
}

/// A vote over the members is one over the group only if they are the same:
/// a tile inside a convergent warp votes with a mask of its own.
Value NVVMEmitter::vote(Builder &b, const LaneGroup &group, VoteKind kind,
                        Value predicate) const {
  Value members = getGroup(b, group.size, /*isConvergent=*/false).members;
  return NVVM::VoteSyncOp::create(b, b.getI1Type(), members, predicate,
                                  kind == VoteKind::Any
                                      ? NVVM::VoteSyncKind::any
                                      : NVVM::VoteSyncKind::all);
}

Value NVVMEmitter::shuffle(Builder &b, const LaneGroup &group, Value word,
                           Value lane) const {
  return NVVM::ShflOp::create(b, b.getI32Type(), group.members, word, lane,
                              createI32(b, 31), NVVM::ShflKind::idx,
                              UnitAttr());
}

Value NVVMEmitter::broadcast(Builder &b, const LaneGroup &group, Value word,
                             Value rank) const {
  return NVVM::ShflOp::create(b, b.getI32Type(), group.members, word, rank,
                              createI32(b, getSegmentClamp(group.size)),
                              NVVM::ShflKind::idx, UnitAttr());
}

Value NVVMEmitter::countBelow(Builder &b, Value mask) const {
  Type i32 = b.getI32Type();
  Value bits = arith::TruncIOp::create(b, i32, mask);
  Value below = NVVM::LaneMaskLtOp::create(b, i32);
  return LLVM::CtPopOp::create(b, i32, arith::AndIOp::create(b, bits, below));
}

Value NVVMEmitter::match(Builder &b, const LaneGroup &group,
                         llvm::ArrayRef<Value> words) const {
  Value same;
  for (Value word : words) {
    Value lanes = NVVM::MatchSyncOp::create(b, b.getI32Type(), group.members,
                                            word, NVVM::MatchSyncKind::any);
    same = same ? arith::AndIOp::create(b, same, lanes).getResult() : lanes;
  }
  return arith::ExtUIOp::create(b, b.getI64Type(), same);
}
