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
#include "../Words.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

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
                                  bool isFloat, unsigned bits) {
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
  dpp::printControl(os << ' ', move.control);
  os << " row_mask:0x";
  os.write_hex(move.rowMask);
  os << " bank_mask:0x";
  os.write_hex(move.bankMask);
  os << '\n';
}

namespace {
/// Writes the text of tied steps. The words of the value are $0 and, if there
/// are two, $1; behind them is a word to work in, where one is needed.
class TiedText {
public:
  TiedText(const Target &target, OperatorKind kind, Type element, Type word,
           unsigned words)
      : os(text), target(target), kind(kind), words(words),
        isFloat(isa<FloatType>(word)), bits(word.getIntOrFloatBitWidth()),
        isRounded(element.isBF16() &&
                  (kind == OperatorKind::Add || kind == OperatorKind::Mul)) {}

  bool needsScratch() const {
    return (isRounded && !roundsInOne()) || isMinMaxOfTwo();
  }
  /// 0x7fff in a scalar register, where it cannot stand in an instruction.
  bool needsConstant() const {
    return isRounded && !roundsInOne() && target.isGFX9();
  }
  bool writesVCC() const { return words == 2 && !isBitwise(kind); }
  /// A step whose source's first word is operand `source`. `constant` is the
  /// operand of the constant.
  void print(const Move &move, unsigned source, unsigned constant);

  std::string text;

private:
  bool isMinMaxOfTwo() const {
    return words == 2 &&
           (kind == OperatorKind::UMin || kind == OperatorKind::UMax);
  }
  bool roundsInOne() const { return target.getFamily() == AMDFamily::GFX950; }
  bool waitsForVCC() const {
    return target.getFamily() == AMDFamily::GFX940 ||
           target.getFamily() == AMDFamily::GFX950;
  }
  llvm::StringRef getVCC() const {
    return target.getWarpSize() == 64 ? "vcc" : "vcc_lo";
  }
  void printWaits();
  void printWaitForVCC();
  void printOne(const Move &move, unsigned source);
  void printCarryPair(llvm::StringRef stem, llvm::StringRef carryStem,
                      const Move &move, unsigned source, bool isScratch);
  void printChoice(const Move &move, unsigned source);
  void printRounding(unsigned constant);

  llvm::raw_string_ostream os;
  Target target;
  OperatorKind kind;
  unsigned words;
  bool isFloat;
  unsigned bits;
  bool isRounded;
};
} // namespace

/// What gfx9 needs before an instruction reads the value by DPP. Between two
/// steps on two words one instruction stands already; where a carry has been
/// waited for, enough of them.
void TiedText::printWaits() {
  if (!target.isGFX9())
    return;
  if (words == 1 || text.empty())
    os << "s_nop 1\n";
  else if (!(writesVCC() && !isMinMaxOfTwo() && waitsForVCC()))
    os << "s_nop 0\n";
}

/// gfx940 and gfx950 want two wait states between vector instructions that
/// write and read a scalar register.
void TiedText::printWaitForVCC() {
  if (waitsForVCC())
    os << "s_nop 1\n";
}

void TiedText::printOne(const Move &move, unsigned source) {
  for (unsigned word = 0; word != words; ++word) {
    os << getInstruction(kind, target, isFloat, bits) << " $" << word << ", $"
       << source + word << ", $" << word;
    printDPP(os, move);
  }
}

/// Sum or difference of both words. gfx9 writes the carry in the short form of
/// both instructions, gfx10 only in that which reads one too.
void TiedText::printCarryPair(llvm::StringRef stem, llvm::StringRef carryStem,
                              const Move &move, unsigned source,
                              bool isScratch) {
  bool isGFX10 = target.getFamily() == AMDFamily::GFX10;
  std::string carry =
      (target.isGFX9() ? carryStem + "_co_u32_dpp" : stem + "_co_ci_u32_dpp")
          .str();
  std::string first =
      isGFX10 ? carry
              : (stem + (target.isGFX9() ? "_co_u32_dpp" : "_co_u32_e64_dpp"))
                    .str();
  if (isGFX10)
    os << (target.getWarpSize() == 64 ? "s_mov_b64 " : "s_mov_b32 ") << getVCC()
       << ", 0\n";
  for (unsigned word = 0; word != 2; ++word) {
    if (word == 1)
      printWaitForVCC();
    os << (word == 0 ? first : carry) << " $" << (isScratch ? 2 : word) << ", "
       << getVCC() << ", $" << source + word << ", $" << word;
    if (word == 1 || isGFX10)
      os << ", " << getVCC();
    printDPP(os, move);
  }
}

/// The difference tells by its borrow whether the own value stays.
void TiedText::printChoice(const Move &move, unsigned source) {
  bool isMin = kind == OperatorKind::UMin;
  printCarryPair(isMin ? "v_subrev" : "v_sub", isMin ? "v_subbrev" : "v_subb",
                 move, source, /*isScratch=*/true);
  printWaitForVCC();
  for (unsigned word = 0; word != 2; ++word) {
    os << "v_cndmask_b32_dpp $" << word << ", $" << source + word << ", $"
       << word << ", " << getVCC();
    printDPP(os, move);
  }
}

/// To the nearest bf16, even at ties. Values that are one stay, those of lanes
/// that were not written too, and so do NaNs, whose low halves are zero.
void TiedText::printRounding(unsigned constant) {
  if (roundsInOne()) {
    os << "v_cvt_pk_bf16_f32 $0, 0, $0\n";
    return;
  }
  os << "v_bfe_u32 $1, $0, 16, 1\nv_add3_u32 $0, $0, $1, ";
  if (needsConstant())
    os << '$' << constant;
  else
    os << "0x7fff";
  os << "\nv_and_b32 $0, 0xffff0000, $0\n";
}

void TiedText::print(const Move &move, unsigned source, unsigned constant) {
  printWaits();
  if (isMinMaxOfTwo())
    printChoice(move, source);
  else if (writesVCC())
    printCarryPair("v_add", "v_addc", move, source, /*isScratch=*/false);
  else
    printOne(move, source);
  if (isRounded)
    printRounding(constant);
}

Value rocdl::createTiedSteps(ImplicitLocOpBuilder &b, const Target &target,
                             OperatorKind kind, Type element, Value start,
                             ArrayRef<TargetEmitter::TiedStep> steps) {
  // Values of one word are given as they are.
  auto split = [&](Value value) {
    return getNumWords(value.getType()) == 1 ? Leaves{value}
                                             : splitWords(b, value);
  };
  Leaves words = split(start);
  unsigned count = words.size();
  Type word = words.front().getType();
  TiedText text(target, kind, element, word, count);
  SmallVector<Type> outputs(count, word);
  if (text.needsScratch())
    outputs.push_back(b.getI32Type());
  Leaves inputs;
  std::string constraints;
  for (const TargetEmitter::TiedStep &step : steps)
    if (step.source)
      llvm::append_range(inputs, split(step.source));
  // The results share no register with operands that are read later.
  bool isEarly = !inputs.empty() || text.needsScratch();
  for (size_t i = 0; i != outputs.size(); ++i)
    constraints += isEarly ? "=&v," : "=v,";
  for (size_t i = 0; i != inputs.size(); ++i)
    constraints += "v,";
  unsigned source = outputs.size(), constant = source + inputs.size();
  if (text.needsConstant()) {
    inputs.push_back(createI32(b, 0x7fff));
    constraints += "s,";
  }
  for (const TargetEmitter::TiedStep &step : steps) {
    text.print(step.move, step.source ? source : 0, constant);
    source += step.source ? count : 0;
  }
  for (unsigned i = 0; i != count; ++i) {
    constraints += (i == 0 ? "" : ",") + std::to_string(i);
    inputs.push_back(words[i]);
  }
  if (text.writesVCC())
    constraints += ",~{vcc}";
  Type type = outputs.front();
  if (outputs.size() > 1)
    type = LLVM::LLVMStructType::getLiteral(b.getContext(), outputs);
  auto op = LLVM::InlineAsmOp::create(
      b, type, inputs, StringRef(text.text).rtrim('\n'), constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  if (outputs.size() == 1)
    return op.getRes();
  for (unsigned i = 0; i != count; ++i)
    words[i] = LLVM::ExtractValueOp::create(b, op.getRes(), i);
  return count == 1 ? words.front() : joinPair(b, words, start.getType());
}

/// One of GFX12's instructions that LLVM puts others before.
static Value createMinMaxOf(ImplicitLocOpBuilder &b, StringRef instruction,
                            Value left, Value right) {
  auto op = LLVM::InlineAsmOp::create(
      b, left.getType(), ValueRange{left, right},
      (instruction + " $0, $1, $2").str(), "=v,v,v",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return op.getRes();
}

Value rocdl::createMinMax(ImplicitLocOpBuilder &b, const Target &target,
                          OperatorKind kind, Value left, Value right) {
  bool isMin = kind == OperatorKind::MinNum;
  Type type = left.getType();
  if (target.getFamily() != AMDFamily::GFX12 ||
      !(isMin || kind == OperatorKind::MaxNum))
    return {};
  if (type.isF64())
    return createMinMaxOf(b, isMin ? "v_min_num_f64" : "v_max_num_f64", left,
                          right);
  if (type.isF32())
    return createMinMaxOf(b, isMin ? "v_min_num_f32" : "v_max_num_f32", left,
                          right);
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || !vector.getElementType().isF16())
    return {};
  auto pair = VectorType::get(2, b.getF16Type());
  Leaves words = splitWords(b, left);
  for (auto [word, other] : llvm::zip_equal(words, splitWords(b, right))) {
    Value best =
        createMinMaxOf(b, isMin ? "v_pk_min_num_f16" : "v_pk_max_num_f16",
                       LLVM::BitcastOp::create(b, pair, word),
                       LLVM::BitcastOp::create(b, pair, other));
    word = LLVM::BitcastOp::create(b, b.getI32Type(), best);
  }
  return joinWords(b, words, type);
}

void rocdl::createTrap(ImplicitLocOpBuilder &b) {
  LLVM::InlineAsmOp::create(
      b, TypeRange(), ValueRange(), "s_trap 2", /*constraints=*/"",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}
