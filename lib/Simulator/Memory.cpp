//===- Memory.cpp - What the memory instructions share --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "MemorySpaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

void coll::sim::registerMemory(HandlerTable &table, const Chip &chip) {
  registerScalarMemory(table, chip);
  registerLds(table, chip);
  registerLdsMoves(table, chip);
  registerFlat(table, chip);
  registerBuffer(table, chip);
  registerWaits(table, chip);
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static constexpr RegisterPart whole = RegisterPart::Whole;
static constexpr RegisterPart low = RegisterPart::Low;
static constexpr RegisterPart high = RegisterPart::High;

static constexpr FormatName loadFormats[] = {
    // gfx9 and gfx10
    {"ubyte", {1, false, whole}},
    {"sbyte", {1, true, whole}},
    {"ushort", {2, false, whole}},
    {"sshort", {2, true, whole}},
    {"dword", {4, false, whole}},
    {"dwordx2", {8, false, whole}},
    {"dwordx3", {12, false, whole}},
    {"dwordx4", {16, false, whole}},
    {"ubyte_d16", {1, false, low}},
    {"ubyte_d16_hi", {1, false, high}},
    {"sbyte_d16", {1, true, low}},
    {"sbyte_d16_hi", {1, true, high}},
    {"short_d16", {2, false, low}},
    {"short_d16_hi", {2, false, high}},
    // gfx11 and later
    {"u8", {1, false, whole}},
    {"i8", {1, true, whole}},
    {"u16", {2, false, whole}},
    {"i16", {2, true, whole}},
    {"b32", {4, false, whole}},
    {"b64", {8, false, whole}},
    {"b96", {12, false, whole}},
    {"b128", {16, false, whole}},
    {"d16_u8", {1, false, low}},
    {"d16_hi_u8", {1, false, high}},
    {"d16_i8", {1, true, low}},
    {"d16_hi_i8", {1, true, high}},
    {"d16_b16", {2, false, low}},
    {"d16_hi_b16", {2, false, high}}};

static constexpr FormatName storeFormats[] = {
    {"byte", {1, false, whole}},       {"short", {2, false, whole}},
    {"dword", {4, false, whole}},      {"dwordx2", {8, false, whole}},
    {"dwordx3", {12, false, whole}},   {"dwordx4", {16, false, whole}},
    {"byte_d16_hi", {1, false, high}}, {"short_d16_hi", {2, false, high}},
    {"b8", {1, false, whole}},         {"b16", {2, false, whole}},
    {"b32", {4, false, whole}},        {"b64", {8, false, whole}},
    {"b96", {12, false, whole}},       {"b128", {16, false, whole}},
    {"d16_hi_b8", {1, false, high}},   {"d16_hi_b16", {2, false, high}}};

ArrayRef<FormatName> coll::sim::getLoadFormats() { return loadFormats; }
ArrayRef<FormatName> coll::sim::getStoreFormats() { return storeFormats; }

const AtomicKind *coll::sim::keep(const AtomicKind &kind) {
  constexpr unsigned numOps =
      static_cast<unsigned>(AtomicOp::AddPackedBF16) + 1;
  static const auto kinds = [] {
    std::array<std::array<AtomicKind, 2>, numOps> kinds;
    for (unsigned op = 0; op != numOps; ++op)
      kinds[op] = {AtomicKind{static_cast<AtomicOp>(op), 4},
                   AtomicKind{static_cast<AtomicOp>(op), 8}};
    return kinds;
  }();
  return &kinds[static_cast<unsigned>(kind.op)][kind.bytes == 8];
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

bool coll::sim::checkAddressOperand(Wave &wave, const Operand &operand,
                                    uint64_t lanes) {
  if (!operand.isVGPR()) {
    if (wave.isInitialized(operand))
      return true;
    wave.fault(FaultKind::Uninitialized,
               "the address comes from a scalar register that was never "
               "written");
    return false;
  }
  uint64_t bad = lanes & ~wave.getInitializedLanes(operand);
  if (!bad)
    return true;
  wave.fault(FaultKind::Uninitialized,
             "the address comes from a register that was never written",
             std::countr_zero(bad));
  return false;
}

ElementData coll::sim::readElement(const Wave &wave, const Operand &source,
                                   ElementFormat format, unsigned lane,
                                   unsigned firstDword) {
  ElementData data;
  for (unsigned i = 0, e = format.getDwords(); i != e; ++i) {
    unsigned dword = firstDword + i;
    data.dwords[i] = wave.readLane(source, lane, dword);
    if (source.isVGPR() && !(wave.vgprInit[source.index + dword] >> lane & 1))
      data.initialized &= ~(1 << i);
  }
  if (format.part == RegisterPart::High)
    data.dwords[0] >>= 16;
  return data;
}

/// The register of a lane after a load of less than 4 bytes.
static uint32_t extend(ElementFormat format, uint32_t value, uint32_t old) {
  unsigned unused = 32 - 8 * format.bytes;
  value <<= unused;
  value = format.isSigned ? static_cast<uint32_t>(int32_t(value) >> unused)
                          : value >> unused;
  switch (format.part) {
  case RegisterPart::Whole:
    return value;
  case RegisterPart::Low:
    return (old & 0xffff0000) | (value & 0xffff);
  case RegisterPart::High:
    return (old & 0xffff) | value << 16;
  }
  llvm_unreachable("bad part");
}

void coll::sim::writeElement(Wave &wave, const Operand &destination,
                             ElementFormat format, unsigned lane,
                             const ElementData &data, unsigned firstDword) {
  if (!destination.isVGPR())
    return;
  unsigned first = destination.index + firstDword;
  uint64_t bit = uint64_t(1) << lane;
  if (format.bytes < 4) {
    uint32_t &place = wave.getVGPR(first)[lane];
    place = extend(format, data.dwords[0], place);
    wave.markVGPR(first, bit, data.initialized & 1 ? bit : 0);
    return;
  }
  for (unsigned i = 0, e = format.getDwords(); i != e; ++i) {
    wave.getVGPR(first + i)[lane] = data.dwords[i];
    wave.markVGPR(first + i, bit, data.initialized >> i & 1 ? bit : 0);
  }
}

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

static std::string formatAddress(uint64_t address) {
  return "0x" + utohexstr(address, /*LowerCase=*/true);
}

bool coll::sim::checkAligned(Wave &wave, unsigned lane, uint64_t address,
                             unsigned bytes) {
  if (address % bytes == 0)
    return true;
  wave.fault(FaultKind::Misaligned,
             "the address " + formatAddress(address) +
                 " of an atomic is no multiple of " + Twine(bytes),
             lane);
  return false;
}

DeviceSpace::DeviceSpace(Wave &wave, const LaneAddresses &addresses,
                         unsigned bytes, bool isWrite)
    : wave(wave), isWrite(isWrite) {
  if (!addresses.lanes)
    return;
  uint64_t lowest = ~uint64_t(0), highest = 0;
  forEachLane(addresses.lanes, [&](unsigned lane) {
    lowest = std::min(lowest, addresses.at[lane]);
    highest = std::max(highest, addresses.at[lane]);
  });
  uint64_t size = highest - lowest + bytes;
  if (size < bytes)
    return;
  span = wave.launch.memory.find(lowest, size, isWrite);
  spanAddress = lowest;
}

uint8_t *DeviceSpace::findOne(unsigned lane, uint64_t address, unsigned bytes) {
  const DeviceMemory &memory = wave.launch.memory;
  if (uint8_t *place = memory.find(address, bytes, isWrite))
    return place;
  bool isReadOnly = isWrite && memory.find(address, bytes);
  wave.fault(FaultKind::BadAddress,
             Twine(isWrite ? "write" : "read") + " of " + Twine(bytes) +
                 " bytes at " + formatAddress(address) + ": " +
                 (isReadOnly ? "read-only memory, " : "") +
                 memory.describe(address),
             lane);
  return nullptr;
}

bool DeviceSpace::failUninitialized(unsigned lane, uint64_t address) {
  wave.fault(FaultKind::Uninitialized,
             "the value stored at " + formatAddress(address) +
                 " was never initialised",
             lane);
  return false;
}

bool LDSSpace::fail(unsigned lane, uint64_t address, unsigned bytes) {
  wave.fault(FaultKind::BadLDSAddress,
             "access to " + Twine(bytes) + " bytes at " + Twine(address) +
                 " of the LDS, of which the group has " +
                 Twine(group.lds.size()) + " bytes",
             lane);
  return false;
}

bool LDSSpace::failInFlight(unsigned lane, uint64_t address, unsigned writer) {
  wave.fault(FaultKind::MissingWait,
             "read of " + Twine(address) + " of the LDS, which wave " +
                 Twine(writer) +
                 " wrote without waiting for it before the last barrier (" +
                 (wave.chip.hasSplitCounters() ? "dscnt" : "lgkmcnt") + ")",
             lane);
  return false;
}

ScratchSpace::ScratchSpace(Wave &wave)
    : wave(wave),
      memory(wave.launch.memory.find(
          wave.scratchBase, alignTo(wave.scratchBytes, 4) * wave.size(),
          /*isWrite=*/true)) {}

bool ScratchSpace::fail(unsigned lane, uint64_t address, unsigned bytes) {
  wave.fault(FaultKind::BadAddress,
             "access to " + Twine(bytes) + " bytes at " + Twine(address) +
                 " of private memory, of which a lane has " +
                 Twine(wave.scratchBytes) + " bytes",
             lane);
  return false;
}

AtomicFloatMode coll::sim::getLDSFloatMode(const Wave &wave) {
  return {wave.getDenorm32() != 3, wave.getDenorm16_64() != 3};
}

AtomicFloatMode coll::sim::getDeviceFloatMode(const Chip &chip) {
  return {chip.isGFX9() && !chip.isGFX940Plus(), false};
}
