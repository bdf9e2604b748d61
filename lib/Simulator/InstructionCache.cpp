//===- InstructionCache.cpp - Instructions by address ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionCache.h"

using namespace coll::sim;
using namespace llvm;

const DecodedInst *InstructionCache::decode(uint64_t pc, uint64_t index) {
  // The longest instruction has 20 bytes.
  uint64_t size = std::min<uint64_t>(20, code.end - pc);
  const uint8_t *bytes = memory.find(pc, size);
  if (!bytes)
    return nullptr;
  std::lock_guard guard(lock);
  // Another thread may have been here first.
  if (const DecodedInst *inst = entries[index].load(std::memory_order_relaxed))
    return inst;
  std::unique_ptr<DecodedInst> inst =
      decoder.decode(ArrayRef<uint8_t>(bytes, size), pc);
  if (!inst)
    return nullptr;
  entries[index].store(inst.get(), std::memory_order_release);
  owned.push_back(std::move(inst));
  return owned.back().get();
}
