//===- DppHazards.cpp - Wait states that gfx9 asks for --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DppHazards.h"
#include "Wave.h"

using namespace coll::sim;

static bool isVALU(const DecodedInst &inst) {
  return inst.instClass == InstClass::VALU ||
         inst.instClass == InstClass::Trans;
}

static bool isMemory(const DecodedInst &inst) {
  return inst.instClass == InstClass::Global ||
         inst.instClass == InstClass::Scratch ||
         inst.instClass == InstClass::Buffer;
}

namespace {
/// Checks the reads of one instruction.
class HazardCheck {
public:
  HazardCheck(Wave &wave, const DecodedInst &inst)
      : wave(wave), state(wave.hazards), inst(inst) {}

  void run() {
    if (isMemory(inst))
      for (const Operand &operand : inst.operands)
        checkScalar(operand, 5, "a memory instruction");
    if (!isVALU(inst))
      return;
    if (inst.isDPP())
      checkDPP();
    bool isLane = checkLaneInstruction();
    if (llvm::StringRef(inst.mnemonic).starts_with("v_div_fmas"))
      checkRegister(state.scalars[VCCLo], 4, "vcc", "v_div_fmas");
    if (wave.chip.isGFX940Plus() && !isLane)
      for (const Operand &operand : inst.getSources())
        checkScalar(operand, 2, "a VALU instruction");
  }

private:
  void checkRegister(uint64_t written, unsigned needed, const llvm::Twine &what,
                     const char *reader) {
    uint64_t between = state.now - written - 1;
    if (between < needed)
      wave.fault(FaultKind::Hazard,
                 what + " is read by " + reader + " " + llvm::Twine(between) +
                     " wait states after a VALU instruction wrote it; " +
                     llvm::Twine(needed) + " are needed");
  }
  void checkScalar(const Operand &operand, unsigned needed,
                   const char *reader) {
    if (!operand.isSGPR())
      return;
    for (unsigned i = 0; i < operand.dwords && operand.index + i < 128; ++i)
      checkRegister(state.scalars[operand.index + i], needed,
                    "a scalar register", reader);
  }
  void checkVector(const Operand &operand, unsigned needed,
                   const char *reader) {
    if (!operand.isVGPR())
      return;
    for (unsigned i = 0; i < operand.dwords; ++i)
      checkRegister(state.vgprs[operand.index + i], needed,
                    "v" + llvm::Twine(operand.index + i), reader);
  }

  void checkDPP() {
    checkVector(inst.getSource(0), 2, "DPP");
    checkRegister(state.scalars[ExecLo], 5, "exec", "DPP");
  }

  /// True for v_readlane, v_writelane and v_readfirstlane.
  bool checkLaneInstruction() {
    bool isRead = inst.mnemonic == "v_readlane_b32";
    bool isWrite = inst.mnemonic == "v_writelane_b32";
    bool isFirst = inst.mnemonic == "v_readfirstlane_b32";
    if (isRead || isWrite)
      checkScalar(inst.getSource(1), 4, "a lane select");
    if (wave.chip.isGFX940Plus() && (isRead || isWrite || isFirst)) {
      checkRegister(state.scalars[ExecLo], 4, "exec", "a lane instruction");
      if (!isWrite)
        checkVector(inst.getSource(0), 1, "a lane instruction");
    }
    return isRead || isWrite || isFirst;
  }

  Wave &wave;
  HazardState &state;
  const DecodedInst &inst;
};
} // namespace

/// Wait states that an instruction is.
static unsigned getWaitStates(const DecodedInst &inst) {
  if (inst.mnemonic == "s_nop" && !inst.imms.empty())
    return 1 + static_cast<unsigned>(inst.imms.front() & 15);
  return 1;
}

static void noteWrites(HazardState &state, const DecodedInst &inst) {
  bool isVector = isVALU(inst);
  uint64_t when = isVector ? state.now : 0;
  for (const Operand &def : inst.getDefs())
    for (unsigned i = 0; i < def.dwords; ++i) {
      // What another instruction overwrites is no hazard any more.
      if (def.isVGPR())
        state.vgprs[def.index + i] = when;
      else if (def.isSGPR() && def.index + i < 128)
        state.scalars[def.index + i] = when;
    }
  if (isVector && llvm::StringRef(inst.mnemonic).starts_with("v_cmpx"))
    state.scalars[ExecLo] = state.now;
}

void coll::sim::checkHazards(Wave &wave, const DecodedInst &inst) {
  HazardCheck(wave, inst).run();
  noteWrites(wave.hazards, inst);
  wave.hazards.now += getWaitStates(inst);
}
