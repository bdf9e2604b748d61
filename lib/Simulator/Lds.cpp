//===- Lds.cpp - ds_* that access memory ----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySpaces.h"
#include "llvm/ADT/StringExtras.h"
#include <bit>

using namespace coll;
using namespace coll::sim;
using namespace llvm;

namespace {
/// Two elements at offset0 and offset1, which count strides.
struct PairFormat {
  const char *oldName; ///< After "ds_read" or "ds_write", of gfx9 and gfx10.
  const char *name;    ///< After "ds_load_" or "ds_store_", of later ones.
  const char *exchangeNames;
  ElementFormat element;
  unsigned stride;
};
} // namespace

static constexpr PairFormat pairFormats[] = {
    {"2_b32",
     "2addr_b32",
     "ds_wrxchg2_rtn_b32 ds_storexchg_2addr_rtn_b32",
     {4},
     4},
    {"2_b64",
     "2addr_b64",
     "ds_wrxchg2_rtn_b64 ds_storexchg_2addr_rtn_b64",
     {8},
     8},
    {"2st64_b32",
     "2addr_stride64_b32",
     "ds_wrxchg2st64_rtn_b32 ds_storexchg_2addr_stride64_rtn_b32",
     {4},
     4 * 64},
    {"2st64_b64",
     "2addr_stride64_b64",
     "ds_wrxchg2st64_rtn_b64 ds_storexchg_2addr_stride64_rtn_b64",
     {8},
     8 * 64}};

static constexpr RegisterPart whole = RegisterPart::Whole;
static constexpr RegisterPart low = RegisterPart::Low;
static constexpr RegisterPart high = RegisterPart::High;

static constexpr FormatName loadFormats[] = {
    {"u8", {1, false, whole}},    {"i8", {1, true, whole}},
    {"u16", {2, false, whole}},   {"i16", {2, true, whole}},
    {"b32", {4, false, whole}},   {"b64", {8, false, whole}},
    {"b96", {12, false, whole}},  {"b128", {16, false, whole}},
    {"u8_d16", {1, false, low}},  {"u8_d16_hi", {1, false, high}},
    {"i8_d16", {1, true, low}},   {"i8_d16_hi", {1, true, high}},
    {"u16_d16", {2, false, low}}, {"u16_d16_hi", {2, false, high}}};

static constexpr FormatName storeFormats[] = {
    {"b8", {1, false, whole}},       {"b16", {2, false, whole}},
    {"b32", {4, false, whole}},      {"b64", {8, false, whole}},
    {"b96", {12, false, whole}},     {"b128", {16, false, whole}},
    {"b8_d16_hi", {1, false, high}}, {"b16_d16_hi", {2, false, high}}};

/// False, and a fault, for the memory that all groups share on old chips.
static bool isLDS(Wave &wave, const DecodedInst &inst) {
  // The last immediate says so; gfx12 has none.
  if (wave.chip.isGFX12Plus() || inst.imms.empty() || inst.imms.back() == 0)
    return true;
  wave.fault(FaultKind::Unsupported, "global data share is not supported");
  return false;
}

/// Addresses wrap at 32 bits. False after a fault.
static bool makeAddresses(Wave &wave, const DecodedInst &inst,
                          const Operand &base, uint32_t offset,
                          LaneAddresses &addresses) {
  addresses.lanes = wave.getExec();
  if (!isLDS(wave, inst) || !checkAddressOperand(wave, base, addresses.lanes))
    return false;
  forEachLane(addresses.lanes, [&](unsigned lane) {
    addresses.at[lane] = wave.readLane(base, lane) + offset;
  });
  return true;
}

static void executeLoad(Wave &wave, const DecodedInst &inst) {
  auto format = *static_cast<const ElementFormat *>(inst.info);
  LaneAddresses addresses;
  if (!makeAddresses(wave, inst, inst.getSource(0), inst.offset, addresses))
    return;
  loadLanes(wave, LDSSpace(wave), addresses, format, inst.getDef());
  noteAccess(wave, AccessClass::LDS, &inst.getDef());
}

static void executeStore(Wave &wave, const DecodedInst &inst) {
  auto format = *static_cast<const ElementFormat *>(inst.info);
  LaneAddresses addresses;
  if (!makeAddresses(wave, inst, inst.getSource(0), inst.offset, addresses))
    return;
  storeLanes(wave, LDSSpace(wave), addresses, format, inst.getSource(1));
  noteAccess(wave, AccessClass::LDS, nullptr);
}

static void executeLoadPair(Wave &wave, const DecodedInst &inst) {
  auto &format = *static_cast<const PairFormat *>(inst.info);
  const Operand &base = inst.getSource(0);
  LaneAddresses first, second;
  if (!makeAddresses(wave, inst, base, inst.offset0 * format.stride, first) ||
      !makeAddresses(wave, inst, base, inst.offset1 * format.stride, second))
    return;
  loadLanes(wave, LDSSpace(wave), first, format.element, inst.getDef());
  loadLanes(wave, LDSSpace(wave), second, format.element, inst.getDef(),
            format.element.getDwords());
  noteAccess(wave, AccessClass::LDS, &inst.getDef());
}

static void executeStorePair(Wave &wave, const DecodedInst &inst) {
  auto &format = *static_cast<const PairFormat *>(inst.info);
  for (unsigned i = 0; i != 2; ++i) {
    uint8_t offset = i == 0 ? inst.offset0 : inst.offset1;
    LaneAddresses addresses;
    if (!makeAddresses(wave, inst, inst.getSource(0), offset * format.stride,
                       addresses))
      return;
    storeLanes(wave, LDSSpace(wave), addresses, format.element,
               inst.getSource(1 + i));
  }
  noteAccess(wave, AccessClass::LDS, nullptr);
}

static void executeAtomic(Wave &wave, const DecodedInst &inst,
                          const AtomicData &data) {
  auto kind = *static_cast<const AtomicKind *>(inst.info);
  LaneAddresses addresses;
  if (!makeAddresses(wave, inst, inst.getSource(0), inst.offset, addresses))
    return;
  const Operand *result = inst.returnsValue() ? &inst.getDef() : nullptr;
  updateLanes(wave, LDSSpace(wave), addresses, kind, getLDSFloatMode(wave),
              data, result);
  noteAccess(wave, AccessClass::LDS, result);
}

/// Both places get their data, and their old values are returned.
static void executeExchangePair(Wave &wave, const DecodedInst &inst) {
  auto &format = *static_cast<const PairFormat *>(inst.info);
  AtomicKind kind{AtomicOp::Swap, format.element.bytes};
  for (unsigned i = 0; i != 2; ++i) {
    uint8_t offset = i == 0 ? inst.offset0 : inst.offset1;
    LaneAddresses addresses;
    if (!makeAddresses(wave, inst, inst.getSource(0), offset * format.stride,
                       addresses))
      return;
    Operand result = inst.getDef();
    result.dwords = static_cast<uint8_t>(format.element.getDwords());
    result.index += static_cast<uint16_t>(i * result.dwords);
    updateLanes(wave, LDSSpace(wave), addresses, kind, getLDSFloatMode(wave),
                {&inst.getSource(1 + i), nullptr}, &result);
  }
  noteAccess(wave, AccessClass::LDS, &inst.getDef());
}

static void executeNothing(Wave &, const DecodedInst &) {}

static void executeOneOperand(Wave &wave, const DecodedInst &inst) {
  executeAtomic(wave, inst, {&inst.getSource(1), nullptr});
}

static void executeTwoOperands(Wave &wave, const DecodedInst &inst) {
  executeAtomic(wave, inst, {&inst.getSource(1), &inst.getSource(2)});
}

/// ds_cmpst of gfx9 and gfx10 has what is compared first.
static void executeCompareStore(Wave &wave, const DecodedInst &inst) {
  executeAtomic(wave, inst, {&inst.getSource(2), &inst.getSource(1)});
}

/// ds_append and ds_consume: adds the number of active lanes to one place, or
/// subtracts it; all lanes get the old value.
template <bool isAppend>
static void executeCount(Wave &wave, const DecodedInst &inst) {
  uint64_t lanes = wave.getExec();
  if (!isLDS(wave, inst) || !lanes)
    return;
  if (!wave.scalarInit[M0Index]) {
    wave.fault(FaultKind::Uninitialized, "M0 was never written");
    return;
  }
  uint32_t address = (wave.getM0() >> 16) + inst.offset;
  uint32_t count = std::popcount(lanes);
  ElementData old;
  auto change = [&](uint64_t memory) {
    return isAppend ? memory + count : memory - count;
  };
  if (!LDSSpace(wave).update(std::countr_zero(lanes), address, 4, change, old))
    return;
  forEachLane(lanes, [&](unsigned lane) {
    writeElement(wave, inst.getDef(), ElementFormat{4}, lane, old);
  });
  noteAccess(wave, AccessClass::LDS, &inst.getDef());
}

/// ds_read_addtid_b32 and ds_write_addtid_b32: a dword for each lane from M0
/// on.
template <bool isLoad>
static void executeAddTid(Wave &wave, const DecodedInst &inst) {
  if (!isLDS(wave, inst))
    return;
  if (!wave.scalarInit[M0Index]) {
    wave.fault(FaultKind::Uninitialized, "M0 was never written");
    return;
  }
  LaneAddresses addresses;
  addresses.lanes = wave.getExec();
  forEachLane(addresses.lanes, [&](unsigned lane) {
    addresses.at[lane] = (wave.getM0() & 0xffff) + inst.offset + 4 * lane;
  });
  if (isLoad)
    loadLanes(wave, LDSSpace(wave), addresses, {4}, inst.getDef());
  else
    storeLanes(wave, LDSSpace(wave), addresses, {4}, inst.getSource(0));
  noteAccess(wave, AccessClass::LDS, isLoad ? &inst.getDef() : nullptr);
}

static void registerAtomics(HandlerTable &table) {
  auto add = [&](const Twine &stem, const Twine &type, Handler handler,
                 AtomicKind kind) {
    table.add(("ds_" + stem + type).str(), handler, keep(kind));
    table.add(("ds_" + stem + "rtn_" + type).str(), handler, keep(kind));
  };
  forEachLdsAtomic([&](const Twine &stem, const Twine &type, AtomicKind kind) {
    add(stem, type,
        hasSecondData(kind.op) ? executeTwoOperands : executeOneOperand, kind);
  });
  for (uint8_t bytes : {4, 8})
    for (AtomicOp op : {AtomicOp::CompareSwap, AtomicOp::CompareSwapF})
      add("cmpst_",
          Twine(op == AtomicOp::CompareSwap ? "b" : "f") + Twine(8 * bytes),
          executeCompareStore, {op, bytes});
}

void coll::sim::registerLds(HandlerTable &table, const Chip &chip) {
  for (const FormatName &load : loadFormats)
    for (const char *prefix : {"ds_read_", "ds_load_"})
      table.add((Twine(prefix) + load.name).str(), executeLoad, &load.format);
  for (const FormatName &store : storeFormats)
    for (const char *prefix : {"ds_write_", "ds_store_"})
      table.add((Twine(prefix) + store.name).str(), executeStore,
                &store.format);
  for (const PairFormat &pair : pairFormats) {
    table.add((Twine("ds_read") + pair.oldName).str(), executeLoadPair, &pair);
    table.add((Twine("ds_load_") + pair.name).str(), executeLoadPair, &pair);
    table.add((Twine("ds_write") + pair.oldName).str(), executeStorePair,
              &pair);
    table.add((Twine("ds_store_") + pair.name).str(), executeStorePair, &pair);
  }
  for (const PairFormat &pair : pairFormats)
    for (StringRef name : llvm::split(pair.exchangeNames, ' '))
      table.add(name, executeExchangePair, &pair);
  registerAtomics(table);
  table.add("ds_nop", executeNothing);
  table.add("ds_append", executeCount<true>);
  table.add("ds_consume", executeCount<false>);
  for (const char *name : {"ds_read_addtid_b32", "ds_load_addtid_b32"})
    table.add(name, executeAddTid<true>);
  for (const char *name : {"ds_write_addtid_b32", "ds_store_addtid_b32"})
    table.add(name, executeAddTid<false>);
}
