//===- BarrierStores.cpp - Stores in flight at a barrier ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BarrierStores.h"

using namespace coll::sim;

void BarrierStores::reset(size_t ldsBytes, unsigned numWaves) {
  stores.assign(ldsBytes, Store());
  for (std::vector<Counts> &counts : atBarrier)
    counts.assign(numWaves, Counts());
  wereInFlight = false;
}

void BarrierStores::noteBarrier(unsigned wave, uint64_t phase, uint64_t issued,
                                uint64_t finished) {
  atBarrier[phase % 2][wave] = {issued, finished};
  wereInFlight |= finished != issued;
}

std::optional<unsigned> BarrierStores::search(unsigned reader, uint64_t phase,
                                              uint64_t address,
                                              unsigned bytes) const {
  for (unsigned i = 0; i != bytes; ++i) {
    const Store &store = stores[address + i];
    if (store.number == 0 || store.wave == reader)
      continue;
    const Counts &counts = atBarrier[phase % 2][store.wave];
    // What was issued later is no matter of this barrier.
    if (store.number > counts.finished && store.number <= counts.issued)
      return store.wave;
  }
  return std::nullopt;
}
