//===- MemoryBuffer.cpp - buffer_* ----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer resource of 4 SGPRs says where a buffer is and how it is addressed.
// Two kinds exist in compute code: raw buffers, whose range is checked by the
// hardware (a load beyond gives 0, a store beyond does nothing), and the one
// for scratch on gfx9 and gfx10, which adds the lane and swizzles.
//
//===----------------------------------------------------------------------===//

#include "MemorySpaces.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

namespace {
struct Resource {
  uint64_t base;
  uint32_t stride, range;
  bool swizzles, addsLane;
};

struct BufferOperands {
  const Operand *vector = nullptr;
  const Operand *resource = nullptr;
  const Operand *offset = nullptr;
};
} // namespace

static Resource readResource(const Wave &wave, const Operand &operand) {
  uint32_t words[4];
  for (unsigned i = 0; i != 4; ++i)
    words[i] = wave.readLane(operand, 0, i);
  unsigned swizzleBits = wave.chip.isGFX11Plus() ? 3 : 2;
  return {words[0] | uint64_t(words[1] & 0xffff) << 32, words[1] >> 16 & 0x3fff,
          words[2], (words[1] >> 30 & swizzleBits) != 0,
          (words[3] >> 23 & 1) != 0};
}

/// Sources from `first` on are the vector address, if there is one, the
/// resource and the scalar offset.
static BufferOperands getOperands(const DecodedInst &inst, unsigned first) {
  BufferOperands operands;
  if (inst.offen || inst.idxen)
    operands.vector = &inst.getSource(first++);
  operands.resource = &inst.getSource(first);
  operands.offset = &inst.getSource(first + 1);
  return operands;
}

/// Offsets of the lanes from the base, without the scalar one; false after a
/// fault.
static bool makeOffsets(Wave &wave, const DecodedInst &inst,
                        const BufferOperands &operands,
                        const Resource &resource, LaneAddresses &offsets) {
  if (operands.vector &&
      !checkAddressOperand(wave, *operands.vector, offsets.lanes))
    return false;
  forEachLane(offsets.lanes, [&](unsigned lane) {
    uint64_t offset = inst.offset;
    if (inst.idxen)
      offset +=
          uint64_t(resource.stride) * wave.readLane(*operands.vector, lane);
    if (inst.offen)
      offset += wave.readLane(*operands.vector, lane, inst.idxen ? 1 : 0);
    offsets.at[lane] = offset;
  });
  return true;
}

/// Calls `visit(space, addresses, beyond)`: `beyond` are the lanes that are out
/// of a raw buffer's range.
template <typename Visit>
static void accessBuffer(Wave &wave, const DecodedInst &inst,
                         const BufferOperands &operands, unsigned bytes,
                         bool isWrite, Visit visit) {
  LaneAddresses addresses;
  addresses.lanes = wave.getExec();
  if (!checkAddressOperand(wave, *operands.resource, 0) ||
      !checkAddressOperand(wave, *operands.offset, 0))
    return;
  Resource resource = readResource(wave, *operands.resource);
  uint32_t scalarOffset = wave.readScalar32(*operands.offset);
  if (!makeOffsets(wave, inst, operands, resource, addresses))
    return;

  if (resource.addsLane) {
    // The swizzled base and the scalar offset count bytes of the whole wave.
    uint64_t first = resource.base + scalarOffset - wave.scratchBase;
    forEachLane(addresses.lanes, [&](unsigned lane) {
      addresses.at[lane] += first / wave.size();
    });
    if (first % (4 * wave.size()))
      wave.fault(FaultKind::BadAddress,
                 "the base of a private access is not that of a dword of all "
                 "lanes");
    else
      visit(ScratchSpace(wave), addresses, uint64_t(0));
    return;
  }
  if (resource.swizzles) {
    wave.fault(FaultKind::Unsupported,
               "a swizzled buffer without lane is not supported");
    return;
  }
  uint64_t range = resource.stride ? uint64_t(resource.stride) * resource.range
                                   : resource.range;
  uint64_t beyond = 0;
  forEachLane(addresses.lanes, [&](unsigned lane) {
    uint64_t offset = addresses.at[lane] + scalarOffset;
    if (offset + bytes > range)
      beyond |= uint64_t(1) << lane;
    addresses.at[lane] = resource.base + offset;
  });
  addresses.lanes &= ~beyond;
  visit(DeviceSpace(wave, addresses, bytes, isWrite), addresses, beyond);
}

/// Lanes beyond the range get zeros.
static void clearLanes(Wave &wave, uint64_t lanes, ElementFormat format,
                       const Operand &destination) {
  forEachLane(lanes, [&](unsigned lane) {
    writeElement(wave, destination, format, lane, ElementData());
  });
}

static void executeLoad(Wave &wave, const DecodedInst &inst) {
  auto format = *static_cast<const ElementFormat *>(inst.info);
  if (inst.numDefs == 0) {
    wave.fault(FaultKind::Unsupported, "a load to LDS is not supported");
    return;
  }
  const Operand &result = inst.getDef();
  accessBuffer(
      wave, inst, getOperands(inst, 0), format.bytes, /*isWrite=*/false,
      [&](auto memory, const LaneAddresses &addresses, uint64_t beyond) {
        loadLanes(wave, memory, addresses, format, result);
        clearLanes(wave, beyond, format, result);
      });
  noteAccess(wave, AccessClass::VectorLoad, &result);
}

static void executeStore(Wave &wave, const DecodedInst &inst) {
  auto format = *static_cast<const ElementFormat *>(inst.info);
  accessBuffer(wave, inst, getOperands(inst, 1), format.bytes, /*isWrite=*/true,
               [&](auto memory, const LaneAddresses &addresses, uint64_t) {
                 storeLanes(wave, memory, addresses, format, inst.getSource(0));
               });
  noteAccess(wave, AccessClass::VectorStore, nullptr);
}

static void executeAtomic(Wave &wave, const DecodedInst &inst) {
  auto kind = *static_cast<const AtomicKind *>(inst.info);
  // The old value goes to the register of the data.
  bool returns = inst.returnsValue();
  const Operand &data = inst.operands[0];
  AtomicData values{&data, hasSecondData(kind.op) ? &data : nullptr, 0,
                    unsigned(kind.bytes / 4)};
  const Operand *result = returns ? &data : nullptr;
  accessBuffer(
      wave, inst, getOperands(inst, returns ? 0 : 1), kind.bytes,
      /*isWrite=*/true,
      [&](auto memory, const LaneAddresses &addresses, uint64_t beyond) {
        updateLanes(wave, memory, addresses, kind,
                    getDeviceFloatMode(wave.chip), values, result);
        if (result)
          clearLanes(wave, beyond, ElementFormat{kind.bytes}, *result);
      });
  noteAccess(wave, returns ? AccessClass::VectorLoad : AccessClass::VectorStore,
             result);
}

void coll::sim::registerBuffer(HandlerTable &table, const Chip &chip) {
  for (const FormatName &load : getLoadFormats())
    table.add((Twine("buffer_load_") + load.name).str(), executeLoad,
              &load.format);
  for (const FormatName &store : getStoreFormats())
    table.add((Twine("buffer_store_") + store.name).str(), executeStore,
              &store.format);
  forEachFlatAtomic([&](const Twine &name, AtomicKind kind) {
    table.add(("buffer_atomic_" + name).str(), executeAtomic, keep(kind));
  });
}
