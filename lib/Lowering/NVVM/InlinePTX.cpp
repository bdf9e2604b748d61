//===- InlinePTX.cpp - PTX that LLVM cannot select ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file with PTX text. LLVM 22 drops scope and order of `atomicrmw`,
// and the minimum of a number and NaN it takes for the number, which it is but
// for the bits of another NaN.
//
//===----------------------------------------------------------------------===//

#include "InlinePTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

/// The operation and the letter of its type.
static std::pair<StringRef, StringRef> getAtomicText(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
  case AtomicKind::Sub:
    return {"add", "u"};
  case AtomicKind::SMin:
    return {"min", "s"};
  case AtomicKind::SMax:
    return {"max", "s"};
  case AtomicKind::UMin:
    return {"min", "u"};
  case AtomicKind::UMax:
    return {"max", "u"};
  case AtomicKind::And:
    return {"and", "b"};
  case AtomicKind::Or:
    return {"or", "b"};
  case AtomicKind::Xor:
    return {"xor", "b"};
  case AtomicKind::Exchange:
    return {"exch", "b"};
  case AtomicKind::FAdd:
    return {"add", "f"};
  case AtomicKind::FMin:
  case AtomicKind::FMax:
    break;
  }
  llvm_unreachable("float min and max are written with integers");
}

static StringRef getOrderText(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return "relaxed";
  case MemoryOrder::Acquire:
    return "acquire";
  case MemoryOrder::Release:
    return "release";
  case MemoryOrder::AcqRel:
    return "acq_rel";
  case MemoryOrder::SeqCst:
    break;
  }
  llvm_unreachable("PTX has no seq_cst update");
}

Value nvvm::createOrderedAtomic(ImplicitLocOpBuilder &b, AtomicKind kind,
                                Value pointer, Value value, MemoryOrder order,
                                StringRef scope) {
  Type type = value.getType();
  bool isWide = type.getIntOrFloatBitWidth() == 64;
  auto [operation, letter] = getAtomicText(kind);
  if (kind == AtomicKind::Sub)
    value = arith::SubIOp::create(
        b, arith::ConstantOp::create(b, b.getIntegerAttr(type, 0)), value);
  StringRef reg =
      isa<FloatType>(type) ? (isWide ? "d" : "f") : (isWide ? "l" : "r");
  std::string text =
      (Twine("atom.") + getOrderText(order) + "." + scope + ".global." +
       operation + "." + letter + (isWide ? "64" : "32") + " $0, [$1], $2;")
          .str();
  std::string constraints =
      (Twine("=") + reg + ",l," + reg + ",~{memory}").str();
  auto op = LLVM::InlineAsmOp::create(
      b, type, ValueRange{pointer, value}, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return op.getRes();
}

/// The instruction for sums and products of 64 bits and of pairs of 16-bit
/// floats, or nothing.
static std::string getArithmeticText(OperatorKind kind, Type type) {
  if (kind == OperatorKind::Xor && type.isInteger(64))
    return "xor.b64";
  if (kind != OperatorKind::Add && kind != OperatorKind::Mul)
    return "";
  StringRef name = kind == OperatorKind::Add ? "add" : "mul";
  if (type.isF64())
    return (name + ".rn.f64").str();
  if (type.isInteger(64))
    return (name + (kind == OperatorKind::Mul ? ".lo.s64" : ".s64")).str();
  auto pair = dyn_cast<VectorType>(type);
  if (!pair || pair.getNumElements() != 2)
    return "";
  if (pair.getElementType().isF16())
    return (name + ".rn.f16x2").str();
  return pair.getElementType().isBF16() ? (name + ".rn.bf16x2").str() : "";
}

Value nvvm::createPredicated(ImplicitLocOpBuilder &b, OperatorKind kind,
                             Value condition, Value left, Value right) {
  Type type = left.getType();
  std::string name = getArithmeticText(kind, type);
  if (name.empty())
    return {};
  bool isPair = isa<VectorType>(type);
  Type asmType = isPair ? b.getI32Type() : type;
  auto cast = [&](Value value, Type to) -> Value {
    return isPair ? LLVM::BitcastOp::create(b, to, value).getResult() : value;
  };
  StringRef reg = type.isF64() ? "d" : type.isInteger(64) ? "l" : "r";
  auto op = LLVM::InlineAsmOp::create(
      b, asmType,
      ValueRange{condition, cast(left, asmType), cast(right, asmType)},
      "{ @!$1 bra skip; " + name + " $0, $2, $0; skip: }",
      ("=" + reg + ",b," + reg + ",0").str(),
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return cast(op.getRes(), type);
}

/// `text` on one operand, without side effects.
static Value createUnary(ImplicitLocOpBuilder &b, StringRef text, Value value) {
  Type type = value.getType();
  auto op = LLVM::InlineAsmOp::create(
      b, type, ValueRange{value}, text, type.isF64() ? "=d,d" : "=f,f",
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return op.getRes();
}

Value nvvm::createCanonicalNaN(ImplicitLocOpBuilder &b, Value value,
                               bool isNegated) {
  if (!isNegated)
    return createUnary(b, "min.f32 $0, $1, 0f7FFFFFFF;", value);
  return createUnary(b,
                     "{ .reg .f32 negated; neg.f32 negated, $1; "
                     "min.f32 $0, negated, 0f7FFFFFFF; }",
                     value);
}

Value nvvm::createPositiveZero(ImplicitLocOpBuilder &b, Value value,
                               bool isNegated) {
  bool isDouble = value.getType().isF64();
  std::string zero = isDouble ? "0d0000000000000000" : "0f00000000";
  std::string type = isDouble ? ".rn.f64" : ".rn.f32";
  std::string text =
      (isNegated ? "sub" : "add") + type + " $0, " + zero + ", $1;";
  return createUnary(b, text, value);
}
