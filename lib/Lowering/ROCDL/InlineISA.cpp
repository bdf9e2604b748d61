//===- InlineISA.cpp - Instructions that LLVM does not form ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file with AMD assembly text. LLVM 22 does not fuse DPP into float
// operators where lanes without source keep what they have: it knows no neutral
// value of theirs. An instruction whose destination is also its second operand
// needs none, and is right whichever lanes are active.
//
// gfx9 wants two wait states between a vector instruction and a DPP instruction
// that reads its result. LLVM does not look into assembly, so each instruction
// waits for itself, the first one too.
//
//===----------------------------------------------------------------------===//

#include "InlineISA.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace coll;

/// The operator of an instruction's name, without its type.
static StringRef getOperation(OperatorKind kind, const Target &target,
                              bool isFloat) {
  bool isGFX12 = target.getFamily() == AMDFamily::GFX12;
  switch (kind) {
  case OperatorKind::Add: // gfx9's v_add_u32 has no carry either.
    return isFloat || target.isGFX9() ? "v_add" : "v_add_nc";
  case OperatorKind::Mul:
    return "v_mul";
  case OperatorKind::SMin:
  case OperatorKind::UMin:
    return "v_min";
  case OperatorKind::SMax:
  case OperatorKind::UMax:
    return "v_max";
  case OperatorKind::MinNum:
    return isGFX12 ? "v_min_num" : "v_min";
  case OperatorKind::MaxNum:
    return isGFX12 ? "v_max_num" : "v_max";
  case OperatorKind::Minimum:
    return "v_minimum";
  case OperatorKind::Maximum:
    return "v_maximum";
  case OperatorKind::And:
    return "v_and";
  case OperatorKind::Or:
    return "v_or";
  case OperatorKind::Xor:
    return "v_xor";
  case OperatorKind::Custom:
    break;
  }
  llvm_unreachable("no DPP instruction has the operator");
}

static char getTypeLetter(OperatorKind kind, bool isFloat) {
  if (isFloat)
    return 'f';
  switch (kind) {
  case OperatorKind::SMin:
  case OperatorKind::SMax:
    return 'i';
  case OperatorKind::And:
  case OperatorKind::Or:
  case OperatorKind::Xor:
    return 'b';
  default:
    return 'u';
  }
}

/// "v_add_f32_dpp". What may have the long encoding is named without a suffix:
/// the assembler takes the one that fits the registers.
static std::string getInstruction(OperatorKind kind, const Target &target,
                                  Type type) {
  bool isFloat = isa<FloatType>(type);
  unsigned bits = type.getIntOrFloatBitWidth();
  bool mayBeLong = kind == OperatorKind::Minimum ||
                   kind == OperatorKind::Maximum ||
                   (bits == 16 && !target.isGFX9());
  std::string name;
  llvm::raw_string_ostream os(name);
  os << getOperation(kind, target, isFloat) << '_'
     << getTypeLetter(kind, isFloat) << bits << (mayBeLong ? "" : "_dpp");
  return name;
}

static void printDPP(llvm::raw_ostream &os, const Move &move) {
  dpp::printControl(os, move.control);
  os << " row_mask:0x";
  os.write_hex(move.rowMask);
  os << " bank_mask:0x";
  os.write_hex(move.bankMask);
}

Value rocdl::createTiedSteps(ImplicitLocOpBuilder &b, const Target &target,
                             OperatorKind kind, Value start,
                             ArrayRef<TargetEmitter::TiedStep> steps) {
  Type type = start.getType();
  std::string instruction = getInstruction(kind, target, type);
  std::string text, inputs;
  SmallVector<Value> operands;
  llvm::raw_string_ostream os(text);
  for (const TargetEmitter::TiedStep &step : steps) {
    if (step.source) {
      operands.push_back(step.source);
      inputs += "v,";
    }
    size_t source = step.source ? operands.size() : 0;
    os << (text.empty() ? "" : "\n");
    if (target.isGFX9())
      os << "s_nop 1\n";
    os << instruction << " $0, $" << source << ", $0 ";
    printDPP(os, step.move);
  }
  // The result shares no register with the operands that are read later.
  std::string constraints = (operands.empty() ? "=v," : "=&v,") + inputs + "0";
  operands.push_back(start);
  auto op = LLVM::InlineAsmOp::create(
      b, type, operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return op.getRes();
}

void rocdl::createTrap(ImplicitLocOpBuilder &b) {
  LLVM::InlineAsmOp::create(
      b, TypeRange(), ValueRange(), "s_trap 2", /*constraints=*/"",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}
