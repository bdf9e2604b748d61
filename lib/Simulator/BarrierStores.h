//===- BarrierStores.h - Stores in flight at a barrier ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier says nothing about memory: a wave has to wait for its stores to LDS
// before it signals. Stores finish at once in the simulator, so they are
// numbered, and each byte remembers the last one. A read after a barrier of
// what another wave had in flight when it signalled that barrier is found
// whatever the order in which waves are stepped.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_BARRIERSTORES_H
#define COLL_LIB_SIMULATOR_BARRIERSTORES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coll::sim {

class BarrierStores {
public:
  void reset(size_t ldsBytes, unsigned numWaves);

  /// `number`: which of the wave's accesses to LDS, from 1 on, the store is.
  void noteStore(unsigned wave, uint64_t number, uint64_t address,
                 unsigned bytes) {
    for (unsigned i = 0; i != bytes; ++i)
      stores[address + i] = {number, wave};
  }
  /// The wave signals the barrier of `phase`: it has issued so many accesses
  /// and knows that so many are finished.
  void noteBarrier(unsigned wave, uint64_t phase, uint64_t issued,
                   uint64_t finished);

  /// The other wave whose store to one of the bytes was in flight when it
  /// signalled the last barrier, that of `phase` - 1.
  std::optional<unsigned> findInFlight(unsigned reader, uint64_t phase,
                                       uint64_t address, unsigned bytes) const {
    if (!wereInFlight || phase == 0)
      return std::nullopt;
    return search(reader, phase - 1, address, bytes);
  }

private:
  std::optional<unsigned> search(unsigned reader, uint64_t phase,
                                 uint64_t address, unsigned bytes) const;

  struct Store {
    uint64_t number = 0; ///< 0: none.
    unsigned wave = 0;
  };
  struct Counts {
    uint64_t issued = 0, finished = 0;
  };
  std::vector<Store> stores; ///< Of each byte of the LDS.
  /// At the barriers of even and of odd phases: a wave may be one ahead.
  std::array<std::vector<Counts>, 2> atBarrier;
  /// Some wave has signalled with an access in flight.
  bool wereInFlight = false;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_BARRIERSTORES_H
