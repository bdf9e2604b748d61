//===- Decoder.cpp - From bytes to decoded instructions -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of an instruction comes from three places: the MCInst has the
// registers and constants, the descriptor tells registers, constants, input
// modifiers and plain numbers apart, and the printed text has the named
// modifiers and the mnemonic.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "RegisterNames.h"
#include "TextModifiers.h"
#include "Wave.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace coll;
using namespace coll::sim;
using namespace llvm;

/// Of MCInstrDesc::TSFlags, LLVM 22; DecoderTest checks them.
enum TSFlag : uint64_t {
  FlagVOP3 = 1 << 10,
  FlagVOP3P = 1 << 12,
  FlagSDWA = 1 << 14,
  FlagDPP = 1 << 15,
  FlagTrans = 1 << 16
};

struct Decoder::Impl {
  explicit Impl(const Target &target) : chip(target) {}

  Chip chip;
  HandlerTable table;
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> assembly;
  std::unique_ptr<MCInstrInfo> instructions;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstPrinter> printer;
  /// By number of LLVM's register.
  std::vector<std::optional<Operand>> operands;
  /// The type that the descriptors give input modifiers.
  unsigned inputModsType = ~0u;

  void buildRegisterTable();
  void findInputModsType();
  bool addOperands(DecodedInst &inst, const MCInst &mc) const;
  void addImpliedVCC(DecodedInst &inst) const;
  void attachHandler(DecodedInst &inst) const;
  void splitDual(DecodedInst &inst) const;
};

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

static void initializeDisassembler() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
  });
}

void Decoder::Impl::buildRegisterTable() {
  operands.resize(registers->getNumRegs());
  for (unsigned i = 1; i != registers->getNumRegs(); ++i)
    operands[i] = parseRegisterName(registers->getName(i));
}

/// The second operand of v_add_f32 are the modifiers of its first source.
void Decoder::Impl::findInputModsType() {
  for (unsigned i = 0; i != instructions->getNumOpcodes(); ++i)
    if (instructions->getName(i) == "V_ADD_F32_e64_vi")
      inputModsType = instructions->get(i).operands()[1].OperandType;
}

Decoder::Decoder(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Decoder::~Decoder() = default;
const Chip &Decoder::getChip() const { return impl->chip; }

Expected<std::unique_ptr<Decoder>> Decoder::create(const coll::Target &target) {
  initializeDisassembler();
  Triple triple("amdgcn-amd-amdhsa");
  std::string message;
  const llvm::Target *backend = TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return createStringError("this LLVM has no back end for " + triple.str() +
                             ": " + message);
  auto impl = std::make_unique<Impl>(target);
  StringRef features;
  if (target.getChip().hasWave64Mode)
    features =
        target.getWarpSize() == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
  impl->registers.reset(backend->createMCRegInfo(triple));
  impl->assembly.reset(
      backend->createMCAsmInfo(*impl->registers, triple, impl->options));
  impl->instructions.reset(backend->createMCInstrInfo());
  impl->subtarget.reset(
      backend->createMCSubtargetInfo(triple, target.getChip().name, features));
  impl->context =
      std::make_unique<MCContext>(triple, impl->assembly.get(),
                                  impl->registers.get(), impl->subtarget.get());
  impl->disassembler.reset(
      backend->createMCDisassembler(*impl->subtarget, *impl->context));
  impl->printer.reset(backend->createMCInstPrinter(
      triple, impl->assembly->getAssemblerDialect(), *impl->assembly,
      *impl->instructions, *impl->registers));
  if (!impl->disassembler || !impl->printer)
    return createStringError("this LLVM has no disassembler for " +
                             triple.str());
  impl->buildRegisterTable();
  impl->findInputModsType();
  registerScalar(impl->table, impl->chip);
  registerVector(impl->table, impl->chip);
  registerMemory(impl->table, impl->chip);
  return std::unique_ptr<Decoder>(new Decoder(std::move(impl)));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool Decoder::Impl::addOperands(DecodedInst &inst, const MCInst &mc) const {
  const MCInstrDesc &desc = instructions->get(mc.getOpcode());
  inst.numDefs = desc.getNumDefs();
  uint8_t mods = 0;
  for (unsigned i = 0; i != mc.getNumOperands(); ++i) {
    const MCOperand &operand = mc.getOperand(i);
    unsigned type = i < desc.getNumOperands() ? desc.operands()[i].OperandType
                                              : MCOI::OPERAND_IMMEDIATE;
    if (i < desc.getNumOperands() &&
        desc.getOperandConstraint(i, MCOI::TIED_TO) >= 0)
      continue;
    int64_t value = operand.isImm() ? operand.getImm() : 0;
    if (operand.isReg()) {
      MCRegister reg = operand.getReg();
      // The disassembler leaves DPP's old value out where the result is the
      // addend too (v_fmac in the long encoding).
      if (!reg && inst.isDPP() && i == inst.numDefs)
        continue;
      if (!reg || !operands[reg.id()])
        return false;
      inst.operands.push_back(*operands[reg.id()]);
    } else if (!operand.isImm() &&
               !(operand.isExpr() &&
                 // A literal that could be inline is lit(0).
                 operand.getExpr()->evaluateAsAbsolute(value))) {
      return false;
    } else if (type == inputModsType) {
      mods = static_cast<uint8_t>(value);
      continue;
    } else if (type < MCOI::OPERAND_FIRST_TARGET) {
      inst.imms.push_back(value);
      continue;
    } else {
      Operand constant;
      constant.value = static_cast<uint64_t>(value);
      inst.operands.push_back(constant);
    }
    inst.operands.back().mods = mods;
    mods = 0;
  }
  return inst.operands.size() >= inst.numDefs;
}

/// Makes the VCC or EXEC that a short encoding implies an operand.
void Decoder::Impl::addImpliedVCC(DecodedInst &inst) const {
  if (inst.encoding == Encoding::VOP3 || inst.name.contains("_e64"))
    return;
  StringRef mnemonic = inst.mnemonic;
  Operand vcc;
  vcc.kind = OperandKind::SGPR;
  vcc.index = VCCLo;
  vcc.dwords = chip.getWaveSize() / 32;
  bool hasCarryIn =
      StringSwitch<bool>(mnemonic)
          .Cases({"v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32",
                  "v_add_co_ci_u32", "v_sub_co_ci_u32", "v_subrev_co_ci_u32"},
                 true)
          .Default(false);
  bool hasCarryOut =
      hasCarryIn ||
      StringSwitch<bool>(mnemonic)
          .Cases({"v_add_co_u32", "v_sub_co_u32", "v_subrev_co_u32"}, true)
          .Default(false);
  if (hasCarryOut && inst.numDefs == 1) {
    inst.operands.insert(inst.operands.begin() + 1, vcc);
    inst.numDefs = 2;
  }
  if (hasCarryIn || mnemonic.starts_with("v_cndmask"))
    inst.operands.push_back(vcc);
  if (mnemonic.starts_with("v_cmp_") && inst.numDefs == 0) {
    inst.operands.insert(inst.operands.begin(), vcc);
    inst.numDefs = 1;
  }
}

/// v_cmpx has EXEC as its destination where it has no other.
static void addImpliedExec(DecodedInst &inst, const Chip &chip) {
  if (!StringRef(inst.mnemonic).starts_with("v_cmpx") || inst.numDefs != 0)
    return;
  Operand mask;
  mask.kind = OperandKind::SGPR;
  mask.index = chip.compareWritesExecOnly() ? ExecLo : VCCLo;
  mask.dwords = chip.getWaveSize() / 32;
  inst.operands.insert(inst.operands.begin(), mask);
  inst.numDefs = 1;
}

//===----------------------------------------------------------------------===//
// Names and classes
//===----------------------------------------------------------------------===//

static StringRef stripEncoding(StringRef mnemonic) {
  for (StringRef suffix : {"_e64_dpp", "_dpp", "_sdwa", "_e32", "_e64"})
    if (mnemonic.consume_back(suffix))
      break;
  return mnemonic;
}

static Encoding getEncoding(uint64_t flags, StringRef name) {
  if (flags & FlagSDWA)
    return Encoding::SDWA;
  if (flags & FlagDPP)
    return name.contains("_dpp8") ? Encoding::DPP8 : Encoding::DPP16;
  if (flags & FlagVOP3P)
    return Encoding::VOP3P;
  return flags & FlagVOP3 ? Encoding::VOP3 : Encoding::Plain;
}

static InstClass getScalarClass(StringRef mnemonic) {
  if (mnemonic.starts_with("s_load") || mnemonic.starts_with("s_buffer_load") ||
      mnemonic.starts_with("s_scratch_load") ||
      mnemonic.starts_with("s_dcache") || mnemonic == "s_memtime" ||
      mnemonic == "s_memrealtime")
    return InstClass::SMEM;
  if (mnemonic.starts_with("s_barrier"))
    return InstClass::Barrier;
  if (mnemonic.starts_with("s_wait") || mnemonic == "s_nop" ||
      mnemonic == "s_delay_alu" || mnemonic == "s_clause")
    return InstClass::Wait;
  if (mnemonic.starts_with("s_cbranch") || mnemonic == "s_branch" ||
      mnemonic.starts_with("s_setpc") || mnemonic.starts_with("s_swappc"))
    return InstClass::Branch;
  return InstClass::SALU;
}

static InstClass getClass(StringRef mnemonic, uint64_t flags) {
  if (mnemonic.starts_with("s_"))
    return getScalarClass(mnemonic);
  if (mnemonic.starts_with("v_"))
    return flags & FlagTrans ? InstClass::Trans : InstClass::VALU;
  if (mnemonic.starts_with("ds_"))
    return InstClass::LDS;
  if (mnemonic.starts_with("global_") || mnemonic.starts_with("flat_"))
    return InstClass::Global;
  if (mnemonic.starts_with("scratch_"))
    return InstClass::Scratch;
  return mnemonic.starts_with("buffer_") ? InstClass::Buffer : InstClass::Other;
}

void Decoder::Impl::attachHandler(DecodedInst &inst) const {
  HandlerTable::Entry entry = table.lookup(inst.mnemonic);
  inst.handler = entry.handler;
  inst.info = entry.info;
}

/// DPP's numbers are the last of the MCInst.
static void decodeDPP(DecodedInst &inst, const Chip &chip) {
  ArrayRef<int64_t> imms = inst.imms;
  if (inst.encoding == Encoding::DPP8 && imms.size() >= 2) {
    inst.dpp.lanes = static_cast<uint32_t>(imms[imms.size() - 2]);
    // The encoding of source 0: 0xe9, or 0xea with fi.
    inst.dpp.fetchInactive = imms.back() == 0xea || imms.back() == 1;
    return;
  }
  size_t count = chip.isGFX10Plus() ? 5 : 4;
  if (imms.size() < count)
    return;
  imms = imms.take_back(count);
  inst.dpp.ctrl = static_cast<uint16_t>(imms[0]);
  inst.dpp.rowMask = static_cast<uint8_t>(imms[1]);
  inst.dpp.bankMask = static_cast<uint8_t>(imms[2]);
  inst.dpp.boundCtrl = imms[3] & 1;
  inst.dpp.fetchInactive = count == 5 && (imms[4] & 1);
}

//===----------------------------------------------------------------------===//
// Dual instructions
//===----------------------------------------------------------------------===//

/// Sources in the MCInst of half a dual instruction, by its mnemonic.
static unsigned getNumDualSources(StringRef mnemonic) {
  return StringSwitch<unsigned>(mnemonic)
      .Case("v_mov_b32", 1)
      .Cases({"v_fmaak_f32", "v_fmamk_f32"}, 3)
      .Default(2);
}

/// "v_dual_add_f32 v0, v1, v2" is a v_add_f32.
static std::string getDualMnemonic(StringRef text) {
  StringRef word = text.trim().take_until([](char c) { return c == ' '; });
  word.consume_front("v_dual_");
  return ("v_" + word).str();
}

void Decoder::Impl::splitDual(DecodedInst &inst) const {
  auto [textX, textY] = StringRef(inst.text).split(" :: ");
  auto second = std::make_unique<DecodedInst>();
  inst.mnemonic = getDualMnemonic(textX);
  second->mnemonic = getDualMnemonic(textY);
  second->address = inst.address;
  second->name = inst.name;
  second->text = textY.str();
  second->instClass = InstClass::VALU;
  SmallVector<Operand, 8> all(inst.operands.begin(), inst.operands.end());
  inst.operands.clear();
  size_t next = 2;
  for (auto [half, def] : {std::pair(&inst, 0), std::pair(second.get(), 1)}) {
    half->encoding = Encoding::VOPD;
    half->numDefs = 1;
    half->operands.push_back(all[def]);
    for (unsigned i = getNumDualSources(half->mnemonic);
         i != 0 && next != all.size(); --i)
      half->operands.push_back(all[next++]);
    addImpliedVCC(*half);
    attachHandler(*half);
  }
  // Without one of the halves' handlers the whole is unknown.
  if (!second->handler)
    inst.handler = nullptr;
  inst.second = std::move(second);
}

std::unique_ptr<DecodedInst> Decoder::decode(ArrayRef<uint8_t> bytes,
                                             uint64_t address) const {
  MCInst mc;
  uint64_t size = 0;
  if (impl->disassembler->getInstruction(mc, size, bytes, address, nulls()) !=
      MCDisassembler::Success)
    return nullptr;
  auto inst = std::make_unique<DecodedInst>();
  inst->address = address;
  inst->size = static_cast<uint32_t>(size);
  raw_string_ostream os(inst->text);
  impl->printer->printInst(&mc, address, "", *impl->subtarget, os);
  inst->text = StringRef(inst->text).trim().str();
  inst->name = impl->instructions->getName(mc.getOpcode());
  uint64_t flags = impl->instructions->get(mc.getOpcode()).TSFlags;
  StringRef word = StringRef(inst->text).take_until([](char c) {
    return c == ' ' || c == '\t';
  });
  inst->mnemonic = stripEncoding(word).str();
  inst->encoding = getEncoding(flags, inst->name);
  inst->instClass = getClass(inst->mnemonic, flags);
  if (!impl->addOperands(*inst, mc))
    return inst;
  if (StringRef(inst->mnemonic).starts_with("v_dual_") &&
      inst->operands.size() >= 4) {
    impl->splitDual(*inst);
    return inst;
  }
  parseTextModifiers(*inst);
  if (inst->isDPP())
    decodeDPP(*inst, impl->chip);
  impl->addImpliedVCC(*inst);
  addImpliedExec(*inst, impl->chip);
  impl->attachHandler(*inst);
  return inst;
}
