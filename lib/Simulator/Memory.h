//===- Memory.h - What the memory instructions share ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction makes an address for each active lane (`LaneAddresses`), then
// moves elements between registers and one of three spaces: device memory, LDS
// and scratch (MemorySpaces.h). Each space checks what it is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_MEMORY_H
#define COLL_LIB_SIMULATOR_MEMORY_H

#include "Atomics.h"
#include "HandlerTable.h"
#include "Wave.h"

namespace coll::sim {

/// Where a small element is in its register.
enum class RegisterPart : uint8_t {
  Whole, ///< It fills the register, extended.
  Low,   ///< "_d16": the lower half; a load keeps the upper one.
  High   ///< "_d16_hi"
};

/// How an element looks in memory and in a register.
struct ElementFormat {
  uint8_t bytes = 4; ///< 1, 2, 4, 8, 12 or 16
  bool isSigned = false;
  RegisterPart part = RegisterPart::Whole;

  unsigned getDwords() const { return bytes <= 4 ? 1 : bytes / 4; }
};

/// What follows the space in the mnemonic of a load or store: "dwordx2", "b64".
struct FormatName {
  const char *name;
  ElementFormat format;
};
/// Of flat, global, scratch and buffer memory, after "load_" or "store_".
llvm::ArrayRef<FormatName> getLoadFormats();
llvm::ArrayRef<FormatName> getStoreFormats();

/// An address for each lane of `lanes`.
struct LaneAddresses {
  uint64_t lanes = 0;
  uint64_t at[64];
};

/// Calls `visit(lane)` for each lane of a mask, the lowest first.
template <typename Visit> void forEachLane(uint64_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    visit(static_cast<unsigned>(__builtin_ctzll(lanes)));
}

/// False, and a fault, if an operand of an address is uninitialised in one of
/// `lanes`.
bool checkAddressOperand(Wave &wave, const Operand &operand, uint64_t lanes);

/// The data of a store or an atomic for one lane.
struct ElementData {
  uint32_t dwords[4] = {};
  uint8_t initialized = 15; ///< A bit for each dword.

  bool isInitialized(unsigned bytes) const {
    unsigned all = (1u << ((bytes + 3) / 4)) - 1;
    return (initialized & all) == all;
  }
};
ElementData readElement(const Wave &wave, const Operand &source,
                        ElementFormat format, unsigned lane,
                        unsigned firstDword = 0);
/// Writes what a load gave to the register of a lane.
void writeElement(Wave &wave, const Operand &destination, ElementFormat format,
                  unsigned lane, const ElementData &data,
                  unsigned firstDword = 0);

/// Operands of an atomic; `second` is null where the operation needs none.
struct AtomicData {
  const Operand *data;
  const Operand *second;
  unsigned dataDword = 0, secondDword = 0;
};

/// What happens to counters when a memory instruction is issued.
enum class AccessClass : uint8_t {
  VectorLoad, ///< Also atomics that return.
  VectorStore,
  LDS,
  Scalar,
  FlatLoad,
  FlatStore
};
/// Notes an access in the wave's counters; `destination` is null for one that
/// writes no register.
void noteAccess(Wave &wave, AccessClass access, const Operand *destination);

void registerScalarMemory(HandlerTable &table, const Chip &chip);
void registerLds(HandlerTable &table, const Chip &chip);
void registerLdsMoves(HandlerTable &table, const Chip &chip);
/// flat_*, global_* and scratch_*.
void registerFlat(HandlerTable &table, const Chip &chip);
void registerBuffer(HandlerTable &table, const Chip &chip);
void registerWaits(HandlerTable &table, const Chip &chip);

/// A copy of `kind` that lives forever, for the table.
const AtomicKind *keep(const AtomicKind &kind);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_MEMORY_H
