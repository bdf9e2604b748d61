//===- WaitCounters.h - Registers with a load outstanding -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory instructions finish at once in the simulator, but their destinations
// are remembered until a wait that suffices: a use before it is a fault. The
// handlers of memory instructions and waits keep this; the main loop asks
// `checkOutstanding` before an instruction when `isBusy`.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_WAITCOUNTERS_H
#define COLL_LIB_SIMULATOR_WAITCOUNTERS_H

#include "Instruction.h"
#include <array>
#include <deque>

namespace coll::sim {

/// vmcnt or loadcnt; vscnt or storecnt; lgkmcnt or dscnt; kmcnt (gfx12; else
/// lgkmcnt).
enum class WaitCounter : uint8_t { Load, Store, LDS, Scalar };
constexpr unsigned numWaitCounters = 4;

/// Registers of one memory instruction, the oldest first in its queue.
struct OutstandingAccess {
  Operand destination; ///< dwords 0: none.
  bool isOutOfOrder = false;
};

struct WaitCounters {
  std::array<std::deque<OutstandingAccess>, numWaitCounters> queues;
  unsigned numOutstanding = 0;
  /// Accesses to LDS so far.
  uint64_t numLDSIssued = 0;
  bool isBusy() const { return numOutstanding != 0; }
  /// Those of them that a wait has shown to be finished.
  uint64_t getNumLDSFinished() const;
};

/// Reports a fault when `inst` reads or writes a register that a load in
/// flight will write.
void checkOutstanding(Wave &wave, const DecodedInst &inst);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_WAITCOUNTERS_H
