//===- MemorySpaces.h - Device memory, LDS and scratch ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each space has
//
//   bool read(unsigned lane, uint64_t address, unsigned bytes,
//             ElementData &data)
//   bool write(unsigned lane, uint64_t address, unsigned bytes,
//              const ElementData &data)
//   bool update(unsigned lane, uint64_t address, unsigned bytes, fn,
//               ElementData &old): memory becomes fn(memory) at once
//
// which return false after a fault.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_MEMORYSPACES_H
#define COLL_LIB_SIMULATOR_MEMORYSPACES_H

#include "Memory.h"
#include <bit>

namespace coll::sim {

template <typename Word>
void loadWords(void *out, const uint8_t *in, unsigned bytes) {
  for (unsigned at = 0; at != bytes; at += sizeof(Word)) {
    Word word = __atomic_load_n(reinterpret_cast<const Word *>(in + at),
                                __ATOMIC_ACQUIRE);
    std::memcpy(static_cast<uint8_t *>(out) + at, &word, sizeof word);
  }
}

template <typename Word>
bool storeWords(uint8_t *out, const void *in, unsigned bytes) {
  bool isChange = false;
  for (unsigned at = 0; at != bytes; at += sizeof(Word)) {
    Word word, *place = reinterpret_cast<Word *>(out + at);
    std::memcpy(&word, static_cast<const uint8_t *>(in) + at, sizeof word);
    isChange |= __atomic_load_n(place, __ATOMIC_RELAXED) != word;
    __atomic_store_n(place, word, __ATOMIC_RELEASE);
  }
  return isChange;
}

/// Copies from and to device memory. Groups run on several threads, so that the
/// host's accesses are atomic, in the largest words that the place is aligned
/// to: a race of the simulated program is none of the host's.
inline void loadBytes(void *out, const uint8_t *in, unsigned bytes) {
  uintptr_t alignment = reinterpret_cast<uintptr_t>(in) | bytes;
  if (alignment % 8 == 0)
    loadWords<uint64_t>(out, in, bytes);
  else if (alignment % 4 == 0)
    loadWords<uint32_t>(out, in, bytes);
  else if (alignment % 2 == 0)
    loadWords<uint16_t>(out, in, bytes);
  else
    loadWords<uint8_t>(out, in, bytes);
}

/// Gives whether the bytes are others now.
inline bool storeBytes(uint8_t *out, const void *in, unsigned bytes) {
  uintptr_t alignment = reinterpret_cast<uintptr_t>(out) | bytes;
  if (alignment % 8 == 0)
    return storeWords<uint64_t>(out, in, bytes);
  if (alignment % 4 == 0)
    return storeWords<uint32_t>(out, in, bytes);
  if (alignment % 2 == 0)
    return storeWords<uint16_t>(out, in, bytes);
  return storeWords<uint8_t>(out, in, bytes);
}

/// Replaces an aligned word of the host and returns what it was. Counts one
/// more change if it is another now.
template <typename Word, typename Function>
uint64_t exchangeWord(uint8_t *place, Function fn, uint64_t &changes) {
  Word *word = reinterpret_cast<Word *>(place);
  Word old = __atomic_load_n(word, __ATOMIC_ACQUIRE), next;
  do
    next = static_cast<Word>(fn(old));
  while (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE));
  changes += next != old;
  return old;
}

/// The same for memory that only one thread of the host uses.
inline bool copyBytes(uint8_t *out, const void *in, unsigned bytes) {
  bool isChange = std::memcmp(out, in, bytes) != 0;
  std::memcpy(out, in, bytes);
  return isChange;
}

/// False, and a fault, unless `address` is a multiple of `bytes`.
bool checkAligned(Wave &wave, unsigned lane, uint64_t address, unsigned bytes);

/// Global memory. Looks all lanes up at once where they are in one allocation.
class DeviceSpace {
public:
  DeviceSpace(Wave &wave, const LaneAddresses &addresses, unsigned bytes,
              bool isWrite);

  bool read(unsigned lane, uint64_t address, unsigned bytes,
            ElementData &data) {
    wave.look = wave.current;
    const uint8_t *place = find(lane, address, bytes);
    if (place)
      loadBytes(data.dwords, place, bytes);
    return place;
  }
  bool write(unsigned lane, uint64_t address, unsigned bytes,
             const ElementData &data) {
    uint8_t *place = find(lane, address, bytes);
    if (place && !data.isInitialized(bytes))
      return failUninitialized(lane, address);
    if (place)
      wave.launch.changes += storeBytes(place, data.dwords, bytes);
    return place;
  }
  template <typename Function>
  bool update(unsigned lane, uint64_t address, unsigned bytes, Function fn,
              ElementData &old) {
    if (!checkAligned(wave, lane, address, bytes))
      return false;
    uint8_t *place = find(lane, address, bytes);
    if (!place)
      return false;
    wave.look = wave.current;
    uint64_t &changes = wave.launch.changes;
    uint64_t value = bytes == 8 ? exchangeWord<uint64_t>(place, fn, changes)
                                : exchangeWord<uint32_t>(place, fn, changes);
    std::memcpy(old.dwords, &value, sizeof value);
    return true;
  }

private:
  uint8_t *find(unsigned lane, uint64_t address, unsigned bytes) {
    return span ? span + (address - spanAddress)
                : findOne(lane, address, bytes);
  }
  uint8_t *findOne(unsigned lane, uint64_t address, unsigned bytes);
  bool failUninitialized(unsigned lane, uint64_t address);

  Wave &wave;
  bool isWrite;
  uint8_t *span = nullptr;
  uint64_t spanAddress = 0;
};

/// The LDS of the wave's group. What is stored keeps being uninitialised if it
/// was.
class LDSSpace {
public:
  explicit LDSSpace(Wave &wave) : wave(wave), group(wave.group) {}

  bool read(unsigned lane, uint64_t address, unsigned bytes,
            ElementData &data) {
    if (!check(lane, address, bytes) || !checkStores(lane, address, bytes))
      return false;
    wave.look = wave.current;
    std::memcpy(data.dwords, &group.lds[address], bytes);
    data.initialized = getInitializedDwords(address, bytes);
    return true;
  }
  bool write(unsigned lane, uint64_t address, unsigned bytes,
             const ElementData &data) {
    if (!check(lane, address, bytes))
      return false;
    noteStore(address, bytes);
    wave.launch.changes += copyBytes(&group.lds[address], data.dwords, bytes);
    for (unsigned at = 0; at < bytes; at += 4)
      std::memset(&group.ldsInitialized[address + at],
                  data.initialized >> (at / 4) & 1, std::min(4u, bytes - at));
    return true;
  }
  template <typename Function>
  bool update(unsigned lane, uint64_t address, unsigned bytes, Function fn,
              ElementData &old) {
    if (!checkAligned(wave, lane, address, bytes) ||
        !read(lane, address, bytes, old))
      return false;
    uint64_t value = 0;
    std::memcpy(&value, old.dwords, bytes);
    value = fn(value);
    noteStore(address, bytes);
    wave.launch.changes += copyBytes(&group.lds[address], &value, bytes);
    return true;
  }

private:
  /// A dword counts as initialised when one of its bytes is: LLVM loads the
  /// neighbours of what it needs along with it.
  uint8_t getInitializedDwords(uint64_t address, unsigned bytes) const {
    uint8_t result = 0;
    for (unsigned at = 0; at < bytes; at += 4)
      if (std::memchr(&group.ldsInitialized[address + at], 1,
                      std::min(4u, bytes - at)))
        result |= 1 << (at / 4);
    return result;
  }
  bool check(unsigned lane, uint64_t address, unsigned bytes) {
    return address + bytes <= group.lds.size() || fail(lane, address, bytes);
  }
  void noteStore(uint64_t address, unsigned bytes) {
    group.barrierStores.noteStore(wave.index, wave.waits.numLDSIssued + 1,
                                  address, bytes);
  }
  bool checkStores(unsigned lane, uint64_t address, unsigned bytes) {
    std::optional<unsigned> writer = group.barrierStores.findInFlight(
        wave.index, group.barrierPhase, address, bytes);
    return !writer || failInFlight(lane, address, *writer);
  }
  bool failInFlight(unsigned lane, uint64_t address, unsigned writer);
  bool fail(unsigned lane, uint64_t address, unsigned bytes);

  Wave &wave;
  Workgroup &group;
};

/// The private memory of each lane. An address is the offset in it.
class ScratchSpace {
public:
  explicit ScratchSpace(Wave &wave);

  bool read(unsigned lane, uint64_t address, unsigned bytes,
            ElementData &data) {
    return check(lane, address, bytes) &&
           forEachPiece(lane, address, bytes,
                        [&](uint8_t *place, unsigned at, unsigned size) {
                          std::memcpy(getByte(data, at), place, size);
                        });
  }
  bool write(unsigned lane, uint64_t address, unsigned bytes,
             const ElementData &data) {
    return check(lane, address, bytes) &&
           forEachPiece(lane, address, bytes,
                        [&](uint8_t *place, unsigned at, unsigned size) {
                          wave.launch.changes +=
                              copyBytes(place, getByte(data, at), size);
                        });
  }
  template <typename Function>
  bool update(unsigned lane, uint64_t address, unsigned bytes, Function fn,
              ElementData &old) {
    if (!checkAligned(wave, lane, address, bytes) ||
        !read(lane, address, bytes, old))
      return false;
    uint64_t value = 0;
    std::memcpy(&value, old.dwords, bytes);
    value = fn(value);
    ElementData result;
    std::memcpy(result.dwords, &value, bytes);
    return write(lane, address, bytes, result);
  }

private:
  static uint8_t *getByte(ElementData &data, unsigned at) {
    return reinterpret_cast<uint8_t *>(data.dwords) + at;
  }
  static const uint8_t *getByte(const ElementData &data, unsigned at) {
    return reinterpret_cast<const uint8_t *>(data.dwords) + at;
  }
  /// Dwords of the lanes alternate; an element may be in several.
  template <typename Visit>
  bool forEachPiece(unsigned lane, uint64_t address, unsigned bytes,
                    Visit visit) {
    for (unsigned at = 0; at != bytes;) {
      uint64_t offset = address + at;
      unsigned size = std::min<unsigned>(4 - offset % 4, bytes - at);
      visit(memory + ((offset / 4) * wave.size() + lane) * 4 + offset % 4, at,
            size);
      at += size;
    }
    return true;
  }
  bool check(unsigned lane, uint64_t address, unsigned bytes) {
    return (memory && address + bytes <= wave.scratchBytes) ||
           fail(lane, address, bytes);
  }
  bool fail(unsigned lane, uint64_t address, unsigned bytes);

  Wave &wave;
  uint8_t *memory = nullptr;
};

//===----------------------------------------------------------------------===//
// Elements of all lanes
//===----------------------------------------------------------------------===//

template <typename Space>
void loadLanes(Wave &wave, Space space, const LaneAddresses &addresses,
               ElementFormat format, const Operand &destination,
               unsigned firstDword = 0) {
  for (uint64_t lanes = addresses.lanes; lanes; lanes &= lanes - 1) {
    unsigned lane = std::countr_zero(lanes);
    ElementData data;
    if (!space.read(lane, addresses.at[lane], format.bytes, data))
      return;
    writeElement(wave, destination, format, lane, data, firstDword);
  }
}

template <typename Space>
void storeLanes(Wave &wave, Space space, const LaneAddresses &addresses,
                ElementFormat format, const Operand &source) {
  for (uint64_t lanes = addresses.lanes; lanes; lanes &= lanes - 1) {
    unsigned lane = std::countr_zero(lanes);
    if (!space.write(lane, addresses.at[lane], format.bytes,
                     readElement(wave, source, format, lane)))
      return;
  }
}

/// `result` is null for an atomic that returns nothing.
template <typename Space>
void updateLanes(Wave &wave, Space space, const LaneAddresses &addresses,
                 AtomicKind kind, AtomicFloatMode mode, const AtomicData &data,
                 const Operand *result) {
  ElementFormat format{kind.bytes};
  auto readValue = [&](const Operand *operand, unsigned dword, unsigned lane) {
    uint64_t value = 0;
    if (operand)
      std::memcpy(&value,
                  readElement(wave, *operand, format, lane, dword).dwords,
                  kind.bytes);
    return value;
  };
  for (uint64_t lanes = addresses.lanes; lanes; lanes &= lanes - 1) {
    unsigned lane = std::countr_zero(lanes);
    uint64_t first = readValue(data.data, data.dataDword, lane);
    uint64_t second = readValue(data.second, data.secondDword, lane);
    ElementData old;
    auto combine = [&](uint64_t memory) {
      return evaluateAtomic(kind, memory, first, second, mode);
    };
    if (!space.update(lane, addresses.at[lane], kind.bytes, combine, old))
      return;
    if (result)
      writeElement(wave, *result, format, lane, old);
  }
}

/// The float mode of atomics on LDS (also through flat addresses): that of
/// MODE.
AtomicFloatMode getLDSFloatMode(const Wave &wave);
/// Of device memory: gfx90a and before flush f32.
AtomicFloatMode getDeviceFloatMode(const Chip &chip);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_MEMORYSPACES_H
