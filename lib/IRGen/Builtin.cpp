//===- Builtin.cpp - Functions with an operation of their own -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using BinaryOp = sema::BinaryExpr::Op;
using CompareOp = sema::CompareExpr::Op;
using sema::Builtin;
using sema::BuiltinOperator;

static_assert(unsigned(ir::MemoryOrder::SeqCst) ==
              unsigned(sema::MemoryOrder::SeqCst));
static_assert(unsigned(ir::MemoryScope::System) ==
              unsigned(sema::MemoryScope::System));

Leaves KernelEmitter::emitBuiltin(const sema::BuiltinExpr *expr) {
  switch (expr->builtin) {
  case Builtin::Trap:
    ir::TrapOp::create(b);
    return {};
  case Builtin::Fence:
    ir::FenceOp::create(b, static_cast<ir::MemoryOrder>(expr->order),
                        static_cast<ir::MemoryScope>(expr->scope));
    return {};
  case Builtin::Pause:
    ir::PauseOp::create(b);
    return {};
  default:
    break;
  }
  if (expr->builtin >= Builtin::MaskCount)
    return {emitMaskFunction(expr)};
  if (expr->builtin >= Builtin::FastExp && expr->builtin <= Builtin::FastDiv)
    return {emitFast(expr)};
  return {emitNumeric(expr)};
}

Value KernelEmitter::emitNumeric(const sema::BuiltinExpr *expr) {
  bool isSignedArg = isSigned(expr->args[0]->getType());
  SmallVector<Value, 3> args;
  for (const sema::Expr *arg : expr->args)
    args.push_back(emitScalar(arg));
  Value first = args[0];
  auto combine = [&](BuiltinOperator op, Value left, Value right) {
    return num.combine(op, left, right, isSignedArg);
  };
  switch (expr->builtin) {
  case Builtin::Abs:
    return num.abs(first, isSignedArg);
  case Builtin::Min:
    return combine(BuiltinOperator::Min, first, args[1]);
  case Builtin::Max:
    return combine(BuiltinOperator::Max, first, args[1]);
  case Builtin::Minimum:
    return combine(BuiltinOperator::Minimum, first, args[1]);
  case Builtin::Maximum:
    return combine(BuiltinOperator::Maximum, first, args[1]);
  case Builtin::Clamp:
    return combine(BuiltinOperator::Min,
                   combine(BuiltinOperator::Max, first, args[1]), args[2]);
  case Builtin::Floor:
    return math::FloorOp::create(b, first);
  case Builtin::Ceil:
    return math::CeilOp::create(b, first);
  case Builtin::Round:
    return math::RoundOp::create(b, first);
  case Builtin::Trunc:
    return math::TruncOp::create(b, first);
  case Builtin::Fma:
    return math::FmaOp::create(b, first, args[1], args[2]);
  case Builtin::Sqrt:
    return num.sqrt(first);
  case Builtin::Rsqrt:
    return num.binary(BinaryOp::Div, num.constant(first.getType(), 1),
                      num.sqrt(first), false);
  case Builtin::IsNan:
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, first, first);
  case Builtin::IsInf: {
    auto type = llvm::cast<FloatType>(getElementTypeOrSelf(first.getType()));
    Value infinity = num.constant(first.getType(),
                                  APFloat::getInf(type.getFloatSemantics()));
    return num.compare(CompareOp::Eq, num.abs(first, true), infinity, true);
  }
  case Builtin::Select:
    return arith::SelectOp::create(b, first, args[1], args[2]);
  case Builtin::Rotl:
  case Builtin::Rotr: {
    Value count = num.resize(args[1], false, first.getType());
    return num.rotate(first, count, expr->builtin == Builtin::Rotl);
  }
  case Builtin::BytePerm:
    return num.bytePerm(first, args[1], args[2]);
  default:
    return emitBitFunction(expr, first);
  }
}

/// Counts are of the argument's width in the dialect, of any in the language.
Value KernelEmitter::emitBitFunction(const sema::BuiltinExpr *expr,
                                     Value value) {
  Type type = getLeafType(expr->getType(), getContext());
  switch (expr->builtin) {
  case Builtin::Popcount:
    return num.resize(math::CtPopOp::create(b, value), false, type);
  case Builtin::Clz:
    return num.resize(math::CountLeadingZerosOp::create(b, value), false, type);
  case Builtin::Ctz:
    return num.resize(math::CountTrailingZerosOp::create(b, value), false,
                      type);
  case Builtin::Reverse:
    return num.reverseBits(value);
  default:
    llvm_unreachable("unknown numeric builtin");
  }
}

Value KernelEmitter::emitFast(const sema::BuiltinExpr *expr) {
  Value first = emitScalar(expr->args[0]);
  if (expr->builtin == Builtin::FastDiv) {
    Value divisor = emitScalar(expr->args[1]);
    Value inverse = ir::FastOp::create(b, ir::FastKind::Rcp, divisor);
    return num.binary(BinaryOp::Mul, first, inverse, false);
  }
  static_assert(unsigned(ir::FastKind::Rcp) ==
                unsigned(Builtin::FastRcp) - unsigned(Builtin::FastExp));
  auto kind = static_cast<ir::FastKind>(unsigned(expr->builtin) -
                                        unsigned(Builtin::FastExp));
  return ir::FastOp::create(b, kind, first);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// The bits below `rank`: none for ranks under 0, all for those above 63.
static Value getBitsBelow(ImplicitLocOpBuilder &b, Arithmetic &num,
                          Value rank) {
  Type i64 = b.getI64Type();
  Value wide = num.resize(rank, true, i64);
  Value bit = num.binary(BinaryOp::Shl, num.constant(i64, 1), wide, true);
  Value below = num.binary(BinaryOp::Sub, bit, num.constant(i64, 1), true);
  Value isAbove = num.compare(CompareOp::Ge, wide, num.constant(i64, 64), true);
  Value isUnder = num.compare(CompareOp::Lt, wide, num.constant(i64, 0), true);
  Value capped =
      arith::SelectOp::create(b, isAbove, num.constant(i64, -1), below);
  return arith::SelectOp::create(b, isUnder, num.constant(i64, 0), capped);
}

/// Of an empty mask the lowest rank is 64, the highest -1, and all are above.
Value KernelEmitter::emitMaskFunction(const sema::BuiltinExpr *expr) {
  Type i64 = b.getI64Type();
  Type type = getLeafType(expr->getType(), getContext());
  Value mask = emitScalar(expr->args[0]);
  Value rank = expr->args.size() > 1 ? emitScalar(expr->args[1]) : Value();
  switch (expr->builtin) {
  case Builtin::MaskCount:
    return num.resize(math::CtPopOp::create(b, mask), true, type);
  case Builtin::MaskLowest:
    return num.resize(math::CountTrailingZerosOp::create(b, mask), true, type);
  case Builtin::MaskHighest: {
    Value zeros = math::CountLeadingZerosOp::create(b, mask);
    return num.resize(
        num.binary(BinaryOp::Sub, num.constant(i64, 63), zeros, true), true,
        type);
  }
  case Builtin::MaskContains: {
    Value wide = num.resize(rank, true, i64);
    Value shifted = num.binary(BinaryOp::Shr, mask, wide, false);
    Value bit = arith::TruncIOp::create(b, b.getI1Type(), shifted);
    Value isRank = num.compare(CompareOp::Lt, wide, num.constant(i64, 64),
                               /*isSigned=*/false);
    return arith::AndIOp::create(b, bit, isRank);
  }
  case Builtin::MaskBelow:
    return arith::AndIOp::create(b, mask, getBitsBelow(b, num, rank));
  case Builtin::MaskAbove: {
    Value zeros = math::CountLeadingZerosOp::create(b, mask);
    Value count = num.binary(BinaryOp::Sub, num.constant(i64, 64), zeros, true);
    return num.bitNot(getBitsBelow(b, num, count));
  }
  default:
    llvm_unreachable("unknown function of masks");
  }
}
