//===- InlinePTX.cpp - PTX that LLVM cannot select ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file with PTX text. LLVM 22 drops the scope of `atomicrmw`.
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

Value nvvm::createSystemAtomic(ImplicitLocOpBuilder &b, AtomicKind kind,
                               Value pointer, Value value) {
  Type type = value.getType();
  bool isWide = type.getIntOrFloatBitWidth() == 64;
  auto [operation, letter] = getAtomicText(kind);
  if (kind == AtomicKind::Sub)
    value = arith::SubIOp::create(
        b, arith::ConstantOp::create(b, b.getIntegerAttr(type, 0)), value);
  StringRef reg =
      isa<FloatType>(type) ? (isWide ? "d" : "f") : (isWide ? "l" : "r");
  std::string text = (Twine("atom.relaxed.sys.global.") + operation + "." +
                      letter + (isWide ? "64" : "32") + " $0, [$1], $2;")
                         .str();
  std::string constraints =
      (Twine("=") + reg + ",l," + reg + ",~{memory}").str();
  auto op = LLVM::InlineAsmOp::create(
      b, type, ValueRange{pointer, value}, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return op.getRes();
}
