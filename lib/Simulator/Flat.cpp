//===- Flat.cpp - flat_*, global_* and scratch_* --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySpaces.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

namespace {
/// Where an instruction goes, by the first word of its mnemonic.
enum class FlatSpace : uint8_t { Flat, Global, Scratch };

/// The operands of an address: a 64-bit VGPR pair, or an SGPR pair and a 32-bit
/// VGPR; in scratch a 32-bit VGPR and an SGPR, each of which may be missing.
struct AddressOperands {
  const Operand *vector = nullptr;
  const Operand *scalar = nullptr;

  void add(const Operand &operand) {
    (operand.isVGPR() ? vector : scalar) = &operand;
  }
};
} // namespace

/// False after a fault.
static bool makeAddresses(Wave &wave, const DecodedInst &inst, FlatSpace space,
                          AddressOperands operands, LaneAddresses &addresses) {
  addresses.lanes = wave.getExec();
  if (!addresses.lanes)
    return true;
  uint64_t base = inst.offset;
  if (operands.scalar) {
    if (!checkAddressOperand(wave, *operands.scalar, addresses.lanes))
      return false;
    base += space == FlatSpace::Scratch ? wave.readScalar32(*operands.scalar)
                                        : wave.readScalar64(*operands.scalar);
  }
  if (operands.vector &&
      !checkAddressOperand(wave, *operands.vector, addresses.lanes))
    return false;
  bool isWide = operands.vector && operands.vector->dwords == 2;
  forEachLane(addresses.lanes, [&](unsigned lane) {
    uint64_t vector = 0;
    if (operands.vector)
      vector = isWide ? wave.readLane64(*operands.vector, lane)
                      : wave.readLane(*operands.vector, lane);
    uint64_t address = base + vector;
    addresses.at[lane] =
        space == FlatSpace::Scratch ? static_cast<uint32_t>(address) : address;
  });
  return true;
}

/// The lanes of a flat access that go to the aperture, with addresses in it.
static LaneAddresses takeAperture(LaneAddresses &addresses, uint64_t aperture) {
  LaneAddresses taken;
  forEachLane(addresses.lanes, [&](unsigned lane) {
    if (addresses.at[lane] >> 32 != aperture >> 32)
      return;
    taken.lanes |= uint64_t(1) << lane;
    taken.at[lane] = static_cast<uint32_t>(addresses.at[lane]);
  });
  addresses.lanes &= ~taken.lanes;
  return taken;
}

/// Calls `visit(space, addresses)` with the space of each lane.
template <typename Visit>
static void forEachSpace(Wave &wave, FlatSpace space, LaneAddresses addresses,
                         unsigned bytes, bool isWrite, Visit visit) {
  if (space == FlatSpace::Scratch) {
    visit(ScratchSpace(wave), addresses);
    return;
  }
  if (space == FlatSpace::Flat) {
    LaneAddresses shared = takeAperture(addresses, sharedAperture);
    if (shared.lanes)
      visit(LDSSpace(wave), shared);
    LaneAddresses scratch = takeAperture(addresses, privateAperture);
    if (scratch.lanes)
      visit(ScratchSpace(wave), scratch);
  }
  if (addresses.lanes)
    visit(DeviceSpace(wave, addresses, bytes, isWrite), addresses);
}

static void noteFlat(Wave &wave, FlatSpace space, const Operand *destination) {
  bool isFlat = space == FlatSpace::Flat;
  if (destination)
    noteAccess(wave, isFlat ? AccessClass::FlatLoad : AccessClass::VectorLoad,
               destination);
  else
    noteAccess(wave, isFlat ? AccessClass::FlatStore : AccessClass::VectorStore,
               nullptr);
}

template <FlatSpace space>
static void executeLoad(Wave &wave, const DecodedInst &inst) {
  auto format = *static_cast<const ElementFormat *>(inst.info);
  AddressOperands operands;
  for (const Operand &source : inst.getSources())
    operands.add(source);
  LaneAddresses addresses;
  if (!makeAddresses(wave, inst, space, operands, addresses))
    return;
  forEachSpace(wave, space, addresses, format.bytes, /*isWrite=*/false,
               [&](auto memory, const LaneAddresses &addresses) {
                 loadLanes(wave, memory, addresses, format, inst.getDef());
               });
  noteFlat(wave, space, &inst.getDef());
}

template <FlatSpace space>
static void executeStore(Wave &wave, const DecodedInst &inst) {
  auto format = *static_cast<const ElementFormat *>(inst.info);
  constexpr unsigned dataIndex = space == FlatSpace::Scratch ? 0 : 1;
  AddressOperands operands;
  for (auto [index, source] : enumerate(inst.getSources()))
    if (index != dataIndex)
      operands.add(source);
  LaneAddresses addresses;
  if (!makeAddresses(wave, inst, space, operands, addresses))
    return;
  forEachSpace(wave, space, addresses, format.bytes, /*isWrite=*/true,
               [&](auto memory, const LaneAddresses &addresses) {
                 storeLanes(wave, memory, addresses, format,
                            inst.getSource(dataIndex));
               });
  noteFlat(wave, space, nullptr);
}

template <FlatSpace space>
static void executeAtomic(Wave &wave, const DecodedInst &inst) {
  auto kind = *static_cast<const AtomicKind *>(inst.info);
  AddressOperands operands;
  operands.add(inst.getSource(0));
  if (inst.getSources().size() > 2)
    operands.add(inst.getSource(2));
  LaneAddresses addresses;
  if (!makeAddresses(wave, inst, space, operands, addresses))
    return;
  const Operand *result = inst.returnsValue() ? &inst.getDef() : nullptr;
  const Operand *data = &inst.getSource(1);
  AtomicData values{data, hasSecondData(kind.op) ? data : nullptr, 0,
                    unsigned(kind.bytes / 4)};
  forEachSpace(
      wave, space, addresses, kind.bytes, /*isWrite=*/true,
      [&](auto memory, const LaneAddresses &addresses) {
        AtomicFloatMode mode = std::is_same_v<decltype(memory), DeviceSpace>
                                   ? getDeviceFloatMode(wave.chip)
                                   : getLDSFloatMode(wave);
        updateLanes(wave, memory, addresses, kind, mode, values, result);
      });
  noteFlat(wave, space, result);
}

template <FlatSpace space>
static void registerSpace(HandlerTable &table, const Twine &prefix) {
  for (const FormatName &load : getLoadFormats())
    table.add((prefix + "load_" + load.name).str(), executeLoad<space>,
              &load.format);
  for (const FormatName &store : getStoreFormats())
    table.add((prefix + "store_" + store.name).str(), executeStore<space>,
              &store.format);
  if (space == FlatSpace::Scratch)
    return;
  forEachFlatAtomic([&](const Twine &name, AtomicKind kind) {
    table.add((prefix + "atomic_" + name).str(), executeAtomic<space>,
              keep(kind));
  });
}

/// Caches are not modelled: what a wave writes is seen by all.
static void executeCacheOperation(Wave &wave, const DecodedInst &inst) {
  // LLVM counts the invalidation of gfx12 as a load; an older one is not
  // counted when it places waits.
  if (inst.mnemonic == "global_inv")
    noteAccess(wave, AccessClass::VectorLoad, nullptr);
}

void coll::sim::registerFlat(HandlerTable &table, const Chip &chip) {
  registerSpace<FlatSpace::Flat>(table, "flat_");
  registerSpace<FlatSpace::Global>(table, "global_");
  registerSpace<FlatSpace::Scratch>(table, "scratch_");
  for (const char *name :
       {"buffer_wbinvl1", "buffer_wbinvl1_vol", "buffer_invl2", "buffer_wbl2",
        "buffer_inv", "buffer_gl0_inv", "buffer_gl1_inv", "global_inv",
        "global_wb", "global_wbinv"})
    table.add(name, executeCacheOperation);
}
