//===- ScalarMemory.cpp - s_load_* and kin --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySpaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

namespace {
struct ScalarFormat {
  const char *oldName; ///< After "s_load_", of gfx9 and gfx10; may be null.
  const char *name;    ///< Of gfx11 and later.
  uint8_t bytes;
  bool isSigned;
};
} // namespace

static constexpr ScalarFormat formats[] = {
    {"dword", "b32", 4, false},     {"dwordx2", "b64", 8, false},
    {"dwordx3", "b96", 12, false},  {"dwordx4", "b128", 16, false},
    {"dwordx8", "b256", 32, false}, {"dwordx16", "b512", 64, false},
    {nullptr, "u8", 1, false},      {nullptr, "i8", 1, true},
    {nullptr, "u16", 2, false},     {nullptr, "i16", 2, true}};

/// The offset of an access from its base: the immediate and the register that
/// it may have. Immediates are the offset, if the form has one, and the cache
/// policy.
static uint64_t getOffset(Wave &wave, const DecodedInst &inst) {
  uint64_t offset = inst.imms.size() >= 2 ? inst.imms[0] : 0;
  if (inst.getSources().size() > 1)
    offset += wave.readScalar32(inst.getSource(1));
  return offset;
}

static bool checkAddressOperands(Wave &wave, const DecodedInst &inst) {
  return all_of(inst.getSources(), [&](const Operand &source) {
    return checkAddressOperand(wave, source, 0);
  });
}

static void writeResult(Wave &wave, const Operand &destination,
                        const ScalarFormat &format, const uint8_t *bytes) {
  Operand part = destination;
  part.dwords = 1;
  if (format.bytes < 4) {
    uint32_t value = 0;
    loadBytes(&value, bytes, format.bytes);
    unsigned unused = 32 - 8 * format.bytes;
    value <<= unused;
    wave.writeScalar32(
        part, format.isSigned ? static_cast<uint32_t>(int32_t(value) >> unused)
                              : value >> unused);
    return;
  }
  for (unsigned i = 0; i != format.bytes / 4; ++i) {
    uint32_t value;
    loadBytes(&value, bytes + 4 * i, 4);
    wave.writeScalar32(part, value);
    ++part.index;
  }
}

static void executeLoad(Wave &wave, const DecodedInst &inst) {
  auto &format = *static_cast<const ScalarFormat *>(inst.info);
  if (!checkAddressOperands(wave, inst))
    return;
  uint64_t address =
      wave.readScalar64(inst.getSource(0)) + getOffset(wave, inst);
  if (format.bytes >= 4)
    address &= ~uint64_t(3);
  const DeviceMemory &memory = wave.launch.memory;
  const uint8_t *bytes = memory.find(address, format.bytes);
  if (!bytes) {
    wave.fault(FaultKind::BadAddress,
               "scalar read of " + Twine(unsigned(format.bytes)) +
                   " bytes at 0x" + utohexstr(address, /*LowerCase=*/true) +
                   ": " + memory.describe(address));
    return;
  }
  writeResult(wave, inst.getDef(), format, bytes);
  noteAccess(wave, AccessClass::Scalar, &inst.getDef());
}

/// Through a buffer resource of 4 SGPRs, whose range is checked: what is
/// beyond reads as 0.
static void executeBufferLoad(Wave &wave, const DecodedInst &inst) {
  auto &format = *static_cast<const ScalarFormat *>(inst.info);
  if (!checkAddressOperands(wave, inst))
    return;
  Operand word = inst.getSource(0);
  word.dwords = 1;
  uint32_t resource[4];
  for (uint32_t &value : resource) {
    value = wave.readScalar32(word);
    ++word.index;
  }
  uint64_t base = resource[0] | uint64_t(resource[1] & 0xffff) << 32;
  uint64_t stride = resource[1] >> 16 & 0x3fff;
  uint64_t range = stride ? stride * resource[2] : resource[2];
  uint64_t offset = getOffset(wave, inst);
  if (format.bytes >= 4)
    offset &= ~uint64_t(3);
  uint8_t bytes[64] = {};
  uint64_t inRange =
      offset < range ? std::min<uint64_t>(format.bytes, range - offset) : 0;
  if (inRange) {
    const uint8_t *place = wave.launch.memory.find(base + offset, inRange);
    if (!place) {
      wave.fault(FaultKind::BadAddress,
                 "scalar read of " + Twine(inRange) + " bytes at 0x" +
                     utohexstr(base + offset, /*LowerCase=*/true) + ": " +
                     wave.launch.memory.describe(base + offset));
      return;
    }
    loadBytes(bytes, place, static_cast<unsigned>(inRange));
  }
  writeResult(wave, inst.getDef(), format, bytes);
  noteAccess(wave, AccessClass::Scalar, &inst.getDef());
}

/// s_memtime and s_memrealtime: the instructions of the launch so far.
static void executeClock(Wave &wave, const DecodedInst &inst) {
  wave.writeScalar64(inst.getDef(), wave.launch.clock);
  ++wave.launch.changes;
  noteAccess(wave, AccessClass::Scalar, &inst.getDef());
}

/// Caches and prefetches are not modelled.
static void executeCacheOperation(Wave &wave, const DecodedInst &inst) {}

void coll::sim::registerScalarMemory(HandlerTable &table, const Chip &chip) {
  for (const ScalarFormat &format : formats)
    for (const char *name : {format.oldName, format.name})
      if (name) {
        table.add(("s_load_" + Twine(name)).str(), executeLoad, &format);
        table.add(("s_buffer_load_" + Twine(name)).str(), executeBufferLoad,
                  &format);
      }
  table.add("s_memtime", executeClock);
  table.add("s_memrealtime", executeClock);
  for (const char *name :
       {"s_dcache_inv", "s_dcache_inv_vol", "s_dcache_wb", "s_dcache_wb_vol",
        "s_gl1_inv", "s_prefetch_inst", "s_prefetch_inst_pc_rel",
        "s_prefetch_data", "s_prefetch_data_pc_rel", "s_buffer_prefetch_data"})
    table.add(name, executeCacheOperation);
}
