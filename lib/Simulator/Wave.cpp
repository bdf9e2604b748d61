//===- Wave.cpp - Accessors of a wave's registers -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wave.h"
#include "llvm/Support/ErrorHandling.h"

using namespace coll::sim;

Wave::Wave(Launch &launch, Workgroup &group, unsigned index,
           std::unique_ptr<uint32_t[]> registers)
    : launch(launch), group(group), chip(launch.chip), index(index),
      vgprs(registers
                ? std::move(registers)
                : std::unique_ptr<uint32_t[]>(new uint32_t[numVGPRs * 64])) {
  setExec(chip.getAllLanes());
}

/// Says where the wave is: at the line of its last instruction or, since what
/// is common to several lines has none, after the last one that had.
static void setLocation(const Wave &wave, Fault &fault) {
  if (!wave.launch.lines)
    return;
  size_t count = std::min<uint64_t>(wave.numExecuted, wave.recent.size());
  for (size_t i = 1; i <= count; ++i) {
    uint64_t address = wave.recent[(wave.numExecuted - i) % wave.recent.size()];
    if (auto location = wave.launch.lines->find(address)) {
      (i == 1 ? fault.location : fault.locationBefore) = location->str();
      return;
    }
  }
}

void Wave::fault(FaultKind kind, const llvm::Twine &message,
                 std::optional<unsigned> lane) {
  if (launch.fault)
    return;
  Fault fault;
  fault.kind = kind;
  fault.kernel = launch.kernel.name;
  fault.group = group.id;
  fault.wave = index;
  fault.lane = lane;
  fault.message = message.str();
  if (current) {
    fault.offset = current->address - launch.codeAddress;
    fault.instruction = current->text;
    setLocation(*this, fault);
  } else {
    fault.offset = pc - launch.codeAddress;
  }
  launch.fault = std::move(fault);
}

static uint64_t readSpecial(const Wave &wave, unsigned index) {
  switch (static_cast<SpecialRegister>(index)) {
  case SpecialRegister::SharedBase:
    return sharedAperture;
  case SpecialRegister::SharedLimit:
    return sharedAperture | 0xffffffffu;
  case SpecialRegister::PrivateBase:
    return privateAperture;
  case SpecialRegister::PrivateLimit:
    return privateAperture | 0xffffffffu;
  case SpecialRegister::VCCZ:
    return wave.getVCC() == 0;
  case SpecialRegister::EXECZ:
    return wave.getExec() == 0;
  case SpecialRegister::SCC:
    return wave.scc;
  case SpecialRegister::PopsExitingWaveId:
  case SpecialRegister::LDSDirect:
    return 0;
  }
  llvm_unreachable("all special registers are handled");
}

/// The apertures are 64 bits wide; 32-bit reads give their high halves.
static bool isAperture(unsigned index) {
  return index <= static_cast<unsigned>(SpecialRegister::PrivateLimit);
}

uint32_t Wave::readScalar32(const Operand &operand) const {
  switch (operand.kind) {
  case OperandKind::SGPR:
    return scalars[operand.index];
  case OperandKind::Constant:
    return static_cast<uint32_t>(operand.value);
  case OperandKind::Special: {
    uint64_t value = readSpecial(*this, operand.index);
    return static_cast<uint32_t>(isAperture(operand.index) ? value >> 32
                                                           : value);
  }
  case OperandKind::Null:
  case OperandKind::VGPR:
    return 0;
  }
  llvm_unreachable("all kinds are handled");
}

uint64_t Wave::readScalar64(const Operand &operand) const {
  switch (operand.kind) {
  case OperandKind::SGPR:
    return operand.dwords == 1 ? scalars[operand.index]
                               : getPair(operand.index);
  case OperandKind::Constant:
    return operand.value;
  case OperandKind::Special:
    return readSpecial(*this, operand.index);
  case OperandKind::Null:
  case OperandKind::VGPR:
    return 0;
  }
  llvm_unreachable("all kinds are handled");
}

void Wave::writeScalar32(const Operand &operand, uint32_t value) {
  if (!operand.isSGPR())
    return;
  scalars[operand.index] = value;
  scalarInit.set(operand.index);
}

void Wave::writeScalar64(const Operand &operand, uint64_t value) {
  if (operand.isSGPR())
    setPair(operand.index, value);
}

bool Wave::isInitialized(const Operand &operand) const {
  if (!operand.isSGPR())
    return true;
  for (unsigned i = 0; i != operand.dwords; ++i)
    if (!scalarInit.test(operand.index + i))
      return false;
  return true;
}

uint32_t Wave::readLane(const Operand &operand, unsigned lane,
                        unsigned dword) const {
  if (operand.isVGPR())
    return getVGPR(operand.index + dword)[lane];
  if (operand.isSGPR())
    return scalars[operand.index + dword];
  return static_cast<uint32_t>(dword ? readScalar64(operand) >> 32
                                     : readScalar32(operand));
}

uint64_t Wave::readLane64(const Operand &operand, unsigned lane) const {
  if (!operand.isVGPR())
    return readScalar64(operand);
  return getVGPR(operand.index)[lane] |
         static_cast<uint64_t>(getVGPR(operand.index + 1)[lane]) << 32;
}

uint64_t Wave::getInitializedLanes(const Operand &operand) const {
  if (!operand.isVGPR())
    return isInitialized(operand) ? ~0ull : 0;
  uint64_t lanes = ~0ull;
  for (unsigned i = 0; i != operand.dwords; ++i)
    lanes &= vgprInit[operand.index + i];
  return lanes;
}
