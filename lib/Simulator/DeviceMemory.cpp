//===- DeviceMemory.cpp - Memory of a simulated device --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Simulator/DeviceMemory.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <new>

using namespace coll::sim;
using namespace llvm;

/// Addresses look like those of a process on Linux, and are never used twice:
/// what is freed stays unmapped.
static constexpr uint64_t firstAddress = 0x7000'0000'0000;
static constexpr uint64_t alignment = 256;
static constexpr uint64_t gap = 64 << 10;

/// What new memory holds, so that a run depends on nothing else; memory that is
/// larger than this is left as the host gives it, to be quick.
static constexpr uint8_t filling = 0xa5;
static constexpr uint64_t mostFilled = 256 << 20;

DeviceMemory::DeviceMemory(uint64_t limit) : limit(limit), next(firstAddress) {}
DeviceMemory::~DeviceMemory() = default;

std::optional<uint64_t> DeviceMemory::allocate(uint64_t bytes) {
  return allocate(bytes, "", /*isReadOnly=*/false);
}

std::optional<uint64_t> DeviceMemory::allocate(uint64_t bytes, std::string what,
                                               bool isReadOnly) {
  if (bytes > limit - used)
    return std::nullopt;
  std::unique_ptr<uint8_t[]> memory(new (std::nothrow)
                                        uint8_t[std::max<uint64_t>(bytes, 1)]);
  if (!memory)
    return std::nullopt;
  if (bytes <= mostFilled)
    std::memset(memory.get(), filling, bytes);
  uint64_t address = next;
  next = alignTo(next + bytes + gap, alignment);
  used += bytes;
  allocations[address] = {bytes, std::move(memory), std::move(what),
                          isReadOnly};
  return address;
}

bool DeviceMemory::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  used -= found->second.size;
  allocations.erase(found);
  return true;
}

uint8_t *DeviceMemory::find(uint64_t address, uint64_t size,
                            bool isWrite) const {
  auto behind = allocations.upper_bound(address);
  if (behind == allocations.begin())
    return nullptr;
  auto &[base, allocation] = *std::prev(behind);
  uint64_t offset = address - base;
  if (offset > allocation.size || size > allocation.size - offset ||
      (isWrite && allocation.isReadOnly))
    return nullptr;
  return allocation.bytes.get() + offset;
}

std::string DeviceMemory::describe(uint64_t address) const {
  auto describeOne = [](uint64_t distance, const char *where, uint64_t size,
                        const std::string &what) {
    return (Twine(distance) + (distance == 1 ? " byte " : " bytes ") + where +
            " " + (what.empty() ? "an allocation" : what) + " of " +
            Twine(size) + (size == 1 ? " byte" : " bytes"))
        .str();
  };
  auto behind = allocations.upper_bound(address);
  uint64_t after = ~uint64_t(0), before = ~uint64_t(0);
  if (behind != allocations.begin()) {
    auto &[base, allocation] = *std::prev(behind);
    if (address - base < allocation.size)
      return describeOne(address - base, "into", allocation.size,
                         allocation.what);
    after = address - base - allocation.size;
  }
  if (behind != allocations.end())
    before = behind->first - address;
  if (std::min(after, before) >= gap)
    return "no allocation is near";
  if (after <= before) {
    const Allocation &allocation = std::prev(behind)->second;
    return describeOne(after, "behind", allocation.size, allocation.what);
  }
  return describeOne(before, "before", behind->second.size,
                     behind->second.what);
}
