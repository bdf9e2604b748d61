//===- ScalarModes.cpp - Hardware registers -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"

using namespace coll::sim;
using llvm::Twine;

/// Numbers of hardware registers.
enum HardwareRegister : unsigned { ModeRegister = 1, ShaderCycles = 29 };

/// The 16-bit constant of s_getreg and s_setreg.
struct RegisterField {
  unsigned number, offset, size;

  explicit RegisterField(int64_t bits)
      : number(bits & 63), offset(bits >> 6 & 31), size((bits >> 11 & 31) + 1) {
  }
  uint32_t getMask() const {
    return size == 32 ? ~0u : ((1u << size) - 1) << offset;
  }
};

/// Registers of the hardware's state (where the wave runs, what it has been
/// given) read as 0.
static void getRegister(Wave &wave, const DecodedInst &inst) {
  RegisterField field(inst.imms.back());
  uint32_t value = 0;
  if (field.number == ModeRegister) {
    value = wave.mode;
  } else if (field.number == ShaderCycles) {
    value = static_cast<uint32_t>(wave.launch.clock);
    ++wave.launch.changes;
  }
  wave.writeScalar32(inst.getDef(), (value & field.getMask()) >> field.offset);
}

/// Writes to other registers than MODE (the base of private memory, for
/// instance, which kernels of gfx10 set to what it is) change nothing.
static void setField(Wave &wave, const RegisterField &field, uint32_t value) {
  if (field.number != ModeRegister)
    return;
  wave.mode = (wave.mode & ~field.getMask()) |
              (value << field.offset & field.getMask());
}

static void setRegister(Wave &wave, const DecodedInst &inst) {
  setField(wave, RegisterField(inst.imms.back()),
           wave.readScalar32(inst.operands.front()));
}

static void setRegisterConstant(Wave &wave, const DecodedInst &inst) {
  setField(wave, RegisterField(inst.imms.back()),
           static_cast<uint32_t>(inst.imms.front()));
}

static void setRoundMode(Wave &wave, const DecodedInst &inst) {
  wave.mode = (wave.mode & ~0xfu) | (inst.imms.front() & 0xf);
}

static void setDenormMode(Wave &wave, const DecodedInst &inst) {
  wave.mode = (wave.mode & ~0xf0u) | (inst.imms.front() & 0xf) << 4;
}

void coll::sim::registerScalarModes(HandlerTable &table) {
  table.add("s_getreg_b32", getRegister);
  table.add("s_setreg_b32", setRegister);
  table.add("s_setreg_imm32_b32", setRegisterConstant);
  table.add("s_round_mode", setRoundMode);
  table.add("s_denorm_mode", setDenormMode);
}
