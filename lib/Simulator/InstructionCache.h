//===- InstructionCache.h - Instructions by address -------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_INSTRUCTIONCACHE_H
#define COLL_LIB_SIMULATOR_INSTRUCTIONCACHE_H

#include "CodeObject.h"
#include "Decoder.h"
#include <atomic>
#include <mutex>

namespace coll::sim {

/// The decoded instructions of a code object, by address. For use from several
/// threads; what `fetch` returns lives as long as the cache.
class InstructionCache {
public:
  InstructionCache(const Decoder &decoder, const DeviceMemory &memory,
                   AddressRange code)
      : decoder(decoder), memory(memory), code(code),
        entries((code.end - code.begin) / 4) {}

  /// Null if there is no instruction at `pc`.
  const DecodedInst *fetch(uint64_t pc) {
    uint64_t index = (pc - code.begin) / 4;
    if (pc < code.begin || index >= entries.size() || pc % 4 != 0)
      return nullptr;
    if (auto *inst = entries[index].load(std::memory_order_acquire))
      return inst;
    return decode(pc, index);
  }

private:
  const DecodedInst *decode(uint64_t pc, uint64_t index);

  const Decoder &decoder;
  const DeviceMemory &memory;
  AddressRange code;
  std::vector<std::atomic<const DecodedInst *>> entries;
  /// Of decoding, which LLVM does not do from several threads, and of `owned`.
  std::mutex lock;
  std::vector<std::unique_ptr<DecodedInst>> owned;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_INSTRUCTIONCACHE_H
