//===- CompileArith.cpp - arith, math and vector to lane functions --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll;
using namespace coll::ref;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Which lane function an operation is
//===----------------------------------------------------------------------===//

static std::optional<IntBinary> getIntBinaryKind(Operation *op) {
  using Result = std::optional<IntBinary>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([](auto) { return IntBinary::Add; })
      .Case<arith::SubIOp>([](auto) { return IntBinary::Sub; })
      .Case<arith::MulIOp>([](auto) { return IntBinary::Mul; })
      .Case<arith::AndIOp>([](auto) { return IntBinary::And; })
      .Case<arith::OrIOp>([](auto) { return IntBinary::Or; })
      .Case<arith::XOrIOp>([](auto) { return IntBinary::Xor; })
      .Case<arith::ShLIOp>([](auto) { return IntBinary::Shl; })
      .Case<arith::ShRSIOp>([](auto) { return IntBinary::ShrS; })
      .Case<arith::ShRUIOp>([](auto) { return IntBinary::ShrU; })
      .Case<arith::MinSIOp>([](auto) { return IntBinary::SMin; })
      .Case<arith::MaxSIOp>([](auto) { return IntBinary::SMax; })
      .Case<arith::MinUIOp>([](auto) { return IntBinary::UMin; })
      .Case<arith::MaxUIOp>([](auto) { return IntBinary::UMax; })
      .Case([](arith::CmpIOp compare) {
        static_assert(int(arith::CmpIPredicate::uge) ==
                      int(IntBinary::UGe) - int(IntBinary::Eq));
        return IntBinary(int(IntBinary::Eq) + int(compare.getPredicate()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<IntUnary> getIntUnaryKind(Operation *op) {
  using Result = std::optional<IntUnary>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<math::AbsIOp>([](auto) { return IntUnary::Abs; })
      .Case<math::CtPopOp>([](auto) { return IntUnary::PopCount; })
      .Case<math::CountLeadingZerosOp>([](auto) { return IntUnary::LeadZeros; })
      .Case<math::CountTrailingZerosOp>(
          [](auto) { return IntUnary::TrailZeros; })
      .Case<LLVM::BitReverseOp>([](auto) { return IntUnary::Reverse; })
      .Default([](Operation *) { return std::nullopt; });
}

static std::optional<FloatBinary> getFloatBinaryKind(Operation *op) {
  using Result = std::optional<FloatBinary>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([](auto) { return FloatBinary::Add; })
      .Case<arith::SubFOp>([](auto) { return FloatBinary::Sub; })
      .Case<arith::MulFOp>([](auto) { return FloatBinary::Mul; })
      .Case<arith::DivFOp>([](auto) { return FloatBinary::Div; })
      .Case<arith::MinimumFOp>([](auto) { return FloatBinary::Minimum; })
      .Case<arith::MaximumFOp>([](auto) { return FloatBinary::Maximum; })
      .Case<ir::MinNumOp>([](auto) { return FloatBinary::MinNum; })
      .Case<ir::MaxNumOp>([](auto) { return FloatBinary::MaxNum; })
      .Case<math::CopySignOp>([](auto) { return FloatBinary::CopySign; })
      .Case([](arith::CmpFOp compare) {
        static_assert(int(arith::CmpFPredicate::AlwaysTrue) ==
                      int(FloatBinary::True) - int(FloatBinary::False));
        return FloatBinary(int(FloatBinary::False) +
                           int(compare.getPredicate()));
      })
      .Default([](Operation *) { return std::nullopt; });
}

static FloatUnary getFastKind(ir::FastKind kind) {
  switch (kind) {
  case ir::FastKind::Exp:
    return FloatUnary::Exp;
  case ir::FastKind::Exp2:
    return FloatUnary::Exp2;
  case ir::FastKind::Log:
    return FloatUnary::Log;
  case ir::FastKind::Log2:
    return FloatUnary::Log2;
  case ir::FastKind::Sin:
    return FloatUnary::Sin;
  case ir::FastKind::Cos:
    return FloatUnary::Cos;
  case ir::FastKind::Tanh:
    return FloatUnary::Tanh;
  case ir::FastKind::Sqrt:
    return FloatUnary::Sqrt;
  case ir::FastKind::Rsqrt:
    return FloatUnary::Rsqrt;
  case ir::FastKind::Rcp:
    return FloatUnary::Rcp;
  }
  llvm_unreachable("unknown approximation");
}

static std::optional<FloatUnary> getFloatUnaryKind(Operation *op) {
  using Result = std::optional<FloatUnary>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::NegFOp>([](auto) { return FloatUnary::Neg; })
      .Case<math::AbsFOp>([](auto) { return FloatUnary::Abs; })
      .Case<math::SqrtOp>([](auto) { return FloatUnary::Sqrt; })
      .Case<math::FloorOp>([](auto) { return FloatUnary::Floor; })
      .Case<math::CeilOp>([](auto) { return FloatUnary::Ceil; })
      .Case<math::TruncOp>([](auto) { return FloatUnary::Trunc; })
      .Case<math::RoundOp>([](auto) { return FloatUnary::Round; })
      .Case<math::RoundEvenOp>([](auto) { return FloatUnary::RoundEven; })
      .Case([](ir::FastOp fast) { return getFastKind(fast.getKind()); })
      .Default([](Operation *) { return std::nullopt; });
}

/// The lane function of a conversion from one scalar type to another.
static LaneFn getConversion(Operation *op, Scalar from, Scalar to) {
  return llvm::TypeSwitch<Operation *, LaneFn>(op)
      .Case<arith::ExtSIOp>([&](auto) { return getIntResize(from, to, true); })
      .Case<arith::ExtUIOp, arith::TruncIOp>(
          [&](auto) { return getIntResize(from, to, false); })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return getFloatResize(from, to); })
      .Case<arith::SIToFPOp>(
          [&](auto) { return getIntToFloat(from, to, true); })
      .Case<arith::UIToFPOp>(
          [&](auto) { return getIntToFloat(from, to, false); })
      .Case([&](ir::FPToIntOp convert) {
        return getFloatToInt(from, to, convert.getIsSigned());
      })
      .Case<arith::BitcastOp>([](auto) { return getMove(); })
      .Default([](Operation *) { return nullptr; });
}

/// The operation on each element, from operands of type `from`; null if it is
/// none of these.
static LaneFn getLaneFn(Operation *op, Scalar from, Scalar to) {
  if (isFloat(from)) {
    if (std::optional<FloatBinary> kind = getFloatBinaryKind(op))
      return getFloatBinary(*kind, from);
    if (std::optional<FloatUnary> kind = getFloatUnaryKind(op))
      return getFloatUnary(*kind, from);
    if (isa<math::FmaOp>(op))
      return getFma(from);
  } else {
    if (std::optional<IntBinary> kind = getIntBinaryKind(op))
      return getIntBinary(*kind, from);
    if (std::optional<IntUnary> kind = getIntUnaryKind(op))
      return getIntUnary(*kind, from);
  }
  return getConversion(op, from, to);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

void Compiler::emitElementwise(Operation *op, LaneFn fn, Opcode opcode) {
  unsigned count = getLaneCount(op->getResult(0).getType());
  for (unsigned i = 0; i != count; ++i) {
    auto operand = [&](unsigned k) -> Slot {
      if (k >= op->getNumOperands())
        return 0;
      Value value = op->getOperand(k);
      // The condition of a select may be one for all elements.
      return slotOf(value) + (getLaneCount(value.getType()) == 1 ? 0 : i);
    };
    Inst &inst = emit(op, opcode);
    inst.out = slotOf(op->getResult(0)) + i;
    inst.a = operand(0);
    inst.b = operand(1);
    inst.c = operand(2);
    inst.fn = fn;
  }
}

static LaneFn getDivision(Operation *op, Scalar scalar) {
  if (auto div = dyn_cast<ir::DivOp>(op))
    return getIntBinary(div.getIsSigned() ? IntBinary::SDiv : IntBinary::UDiv,
                        scalar);
  if (auto rem = dyn_cast<ir::RemOp>(op))
    return getIntBinary(rem.getIsSigned() ? IntBinary::SRem : IntBinary::URem,
                        scalar);
  return nullptr;
}

LogicalResult Compiler::compileArith(Operation *op) {
  if (isa<vector::VectorDialect>(op->getDialect()))
    return compileVectorOp(op);
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      op->getNumOperands() > 3)
    return failUnknown(op);
  if (failed(allocateResults(op)))
    return failure();
  std::optional<Scalar> from = getScalar(op->getOperand(0).getType());
  std::optional<Scalar> to = getScalar(op->getResult(0).getType());
  if (!from || !to)
    return failUnknown(op);
  if (isa<arith::SelectOp>(op)) {
    emitElementwise(op, getSelect());
    return success();
  }
  if (LaneFn fn = getDivision(op, *from)) {
    emitElementwise(op, fn, Opcode::Divide);
    return success();
  }
  LaneFn fn = getLaneFn(op, *from, *to);
  if (!fn)
    return failUnknown(op);
  emitElementwise(op, fn);
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

/// The number of the element or of the first of a part that static positions
/// name.
static unsigned getPosition(VectorType type, ArrayRef<int64_t> position) {
  unsigned result = 0, left = type.getNumElements();
  for (auto [index, extent] : llvm::zip(position, type.getShape())) {
    left /= extent;
    result += index * left;
  }
  return result;
}

void Compiler::emitMoves(Operation *op, Slot out, Slot in, unsigned count) {
  for (unsigned i = 0; i != count; ++i)
    emitMove(op, out + i, in + i, Opcode::Lanes);
}

LogicalResult Compiler::compileElements(Operation *op) {
  Slot out = slotOf(op->getResult(0));
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    if (extract.hasDynamicPosition())
      return fail(op, "the reference device extracts at constant positions "
                      "only");
    emitMoves(op, out,
              slotOf(extract.getSource()) +
                  getPosition(extract.getSourceVectorType(),
                              extract.getStaticPosition()),
              getLaneCount(op->getResult(0).getType()));
    return success();
  }
  if (auto insert = dyn_cast<vector::InsertOp>(op)) {
    if (insert.hasDynamicPosition())
      return fail(op,
                  "the reference device inserts at constant positions only");
    emitMoves(op, out, slotOf(insert.getDest()),
              getLaneCount(insert.getType()));
    emitMoves(op,
              out + getPosition(insert.getDestVectorType(),
                                insert.getStaticPosition()),
              slotOf(insert.getValueToStore()),
              getLaneCount(insert.getValueToStore().getType()));
    return success();
  }
  return failUnknown(op);
}

LogicalResult Compiler::compileVectorOp(Operation *op) {
  if (failed(allocateResults(op)))
    return failure();
  if (isa<vector::ExtractOp, vector::InsertOp>(op))
    return compileElements(op);
  Slot out = op->getNumResults() ? slotOf(op->getResult(0)) : 0;
  if (isa<vector::FromElementsOp>(op)) {
    for (Slot in : scalarsOf(op->getOperands()))
      emitMoves(op, out++, in, 1);
    return success();
  }
  if (isa<vector::ToElementsOp>(op)) {
    emitMoves(op, out, slotOf(op->getOperand(0)), op->getNumResults());
    return success();
  }
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    unsigned count = getLaneCount(broadcast.getSourceType());
    unsigned total = getLaneCount(broadcast.getResultVectorType());
    if (count != 1 && count != total)
      return failUnknown(op);
    for (unsigned i = 0; i != total; ++i)
      emitMoves(op, out + i, slotOf(broadcast.getSource()) + i % count, 1);
    return success();
  }
  if (auto cast = dyn_cast<vector::BitCastOp>(op)) {
    Inst &inst = emit(op, Opcode::Repack);
    inst.info = kernel.repacks.size();
    kernel.repacks.push_back(
        {slotOf(cast.getSource()), out,
         getBitWidth(*getScalar(cast.getSourceVectorType())),
         getBitWidth(*getScalar(cast.getResultVectorType())),
         getLaneCount(cast.getResultVectorType())});
    return success();
  }
  if (isa<vector::FMAOp>(op)) {
    LaneFn fn = getFma(*getScalar(op->getResult(0).getType()));
    if (!fn)
      return failUnknown(op);
    emitElementwise(op, fn);
    return success();
  }
  return failUnknown(op);
}
