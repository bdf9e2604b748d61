//===- DeviceMemory.h - Memory of a simulated device ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocations have addresses of their own, with unmapped gaps between them, so
// that an access beyond an allocation is found. Not for use from several
// threads at once, except `find`.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SIMULATOR_DEVICEMEMORY_H
#define COLL_SIMULATOR_DEVICEMEMORY_H

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace coll::sim {

class DeviceMemory {
public:
  /// At most `limit` bytes can be allocated at a time.
  explicit DeviceMemory(uint64_t limit);
  ~DeviceMemory();

  /// The address of `bytes` bytes of undefined content, aligned to 256;
  /// nothing when the limit is reached. 0 bytes get an address of their own.
  std::optional<uint64_t> allocate(uint64_t bytes);
  /// Allocates for a launch: the access checks tell the user of `what` ("the
  /// kernel's arguments"). `isReadOnly` memory must not be written by kernels.
  std::optional<uint64_t> allocate(uint64_t bytes, std::string what,
                                   bool isReadOnly);
  /// False if nothing was allocated at `address`.
  bool free(uint64_t address);

  /// The bytes [address, address + size) on the host, null unless all of them
  /// are in one allocation (`isWrite`: that kernels may write).
  uint8_t *find(uint64_t address, uint64_t size, bool isWrite = false) const;
  /// Says for a fault what is near an address: "16 bytes behind an allocation
  /// of 1024 bytes".
  std::string describe(uint64_t address) const;

  uint64_t getUsedBytes() const { return used; }
  uint64_t getLimit() const { return limit; }

private:
  struct Allocation {
    uint64_t size;
    std::unique_ptr<uint8_t[]> bytes;
    std::string what;
    bool isReadOnly;
  };
  std::map<uint64_t, Allocation> allocations;
  uint64_t limit, used = 0, next;
};

} // namespace coll::sim

#endif // COLL_SIMULATOR_DEVICEMEMORY_H
