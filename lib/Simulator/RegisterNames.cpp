//===- RegisterNames.cpp - LLVM's registers as operands -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers of LLVM's registers are in headers that are not installed; their
// names are part of the library.
//
//===----------------------------------------------------------------------===//

#include "RegisterNames.h"
#include "Wave.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace coll::sim;
using namespace llvm;

static Operand makeScalar(unsigned index, unsigned dwords) {
  Operand operand;
  operand.kind = OperandKind::SGPR;
  operand.index = static_cast<uint16_t>(index);
  operand.dwords = static_cast<uint8_t>(dwords);
  return operand;
}

static Operand makeSpecial(SpecialRegister special, unsigned dwords) {
  Operand operand;
  operand.kind = OperandKind::Special;
  operand.index = static_cast<uint16_t>(special);
  operand.dwords = static_cast<uint8_t>(dwords);
  return operand;
}

static Operand makeNull() {
  Operand operand;
  operand.kind = OperandKind::Null;
  return operand;
}

/// "VGPR4_VGPR5", "SGPR0", "TTMP8_TTMP9_gfx9plus", "VGPR3_LO16".
static std::optional<Operand> parseNumbered(StringRef name) {
  SmallVector<StringRef, 34> parts;
  name.split(parts, '_');
  StringRef prefix =
      parts.front().take_until([](char c) { return isDigit(c); });
  unsigned first;
  if (parts.front().drop_front(prefix.size()).getAsInteger(10, first))
    return std::nullopt;
  unsigned dwords = 1;
  while (dwords < parts.size() && parts[dwords].starts_with(prefix))
    ++dwords;
  Operand operand;
  operand.dwords = static_cast<uint8_t>(dwords);
  if (prefix == "VGPR" || prefix == "AGPR") {
    unsigned base = prefix == "AGPR" ? 256 : 0;
    if (first + dwords > 256)
      return std::nullopt;
    operand.kind = OperandKind::VGPR;
    operand.index = static_cast<uint16_t>(base + first);
    if (parts.back() == "LO16")
      operand.half = Half::Low;
    else if (parts.back() == "HI16")
      operand.half = Half::High;
    return operand;
  }
  if (prefix == "SGPR" && first + dwords <= VCCLo)
    return makeScalar(first, dwords);
  if (prefix == "TTMP" && first + dwords <= 16)
    return makeScalar(Ttmp0 + first, dwords);
  return std::nullopt;
}

std::optional<Operand> coll::sim::parseRegisterName(StringRef name) {
  if (std::optional<Operand> numbered = parseNumbered(name))
    return numbered;
  // "_vi", "_gfx11plus", "_gfxpre11": the same register by another number.
  if (name.ends_with("_vi"))
    name = name.drop_back(3);
  else if (size_t suffix = name.find("_gfx"); suffix != StringRef::npos)
    name = name.take_front(suffix);
  using S = SpecialRegister;
  return StringSwitch<std::optional<Operand>>(name)
      .Case("VCC", makeScalar(VCCLo, 2))
      .Case("VCC_LO", makeScalar(VCCLo, 1))
      .Case("VCC_HI", makeScalar(VCCLo + 1, 1))
      .Case("EXEC", makeScalar(ExecLo, 2))
      .Case("EXEC_LO", makeScalar(ExecLo, 1))
      .Case("EXEC_HI", makeScalar(ExecLo + 1, 1))
      .Case("M0", makeScalar(M0Index, 1))
      .Case("FLAT_SCR", makeScalar(FlatScratchLo, 2))
      .Case("FLAT_SCR_LO", makeScalar(FlatScratchLo, 1))
      .Case("FLAT_SCR_HI", makeScalar(FlatScratchLo + 1, 1))
      .Case("XNACK_MASK", makeScalar(XnackMaskLo, 2))
      .Case("XNACK_MASK_LO", makeScalar(XnackMaskLo, 1))
      .Case("XNACK_MASK_HI", makeScalar(XnackMaskLo + 1, 1))
      .Cases({"SGPR_NULL", "SGPR_NULL64", "SGPR_NULL_HI"}, makeNull())
      .Case("SRC_SHARED_BASE", makeSpecial(S::SharedBase, 2))
      .Case("SRC_SHARED_BASE_LO", makeSpecial(S::SharedBase, 1))
      .Case("SRC_SHARED_LIMIT", makeSpecial(S::SharedLimit, 2))
      .Case("SRC_SHARED_LIMIT_LO", makeSpecial(S::SharedLimit, 1))
      .Case("SRC_PRIVATE_BASE", makeSpecial(S::PrivateBase, 2))
      .Case("SRC_PRIVATE_BASE_LO", makeSpecial(S::PrivateBase, 1))
      .Case("SRC_PRIVATE_LIMIT", makeSpecial(S::PrivateLimit, 2))
      .Case("SRC_PRIVATE_LIMIT_LO", makeSpecial(S::PrivateLimit, 1))
      .Case("SRC_VCCZ", makeSpecial(S::VCCZ, 1))
      .Case("SRC_EXECZ", makeSpecial(S::EXECZ, 1))
      .Case("SRC_SCC", makeSpecial(S::SCC, 1))
      .Case("SRC_POPS_EXITING_WAVE_ID", makeSpecial(S::PopsExitingWaveId, 1))
      .Case("LDS_DIRECT", makeSpecial(S::LDSDirect, 1))
      .Default(std::nullopt);
}
