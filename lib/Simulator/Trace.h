//===- Trace.h - Watching waves ---------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_TRACE_H
#define COLL_LIB_SIMULATOR_TRACE_H

#include "Wave.h"

namespace coll::sim {

/// Remembers a wave's registers before an instruction and prints what it
/// changed: scalars as they are, VGPRs lane by lane.
class TraceRecord {
public:
  TraceRecord(const Wave &wave, const DecodedInst &inst);
  void print(llvm::raw_ostream &os, const Wave &wave) const;

private:
  const DecodedInst &inst;
  std::array<uint32_t, numScalars> scalars;
  bool scc;
  /// The registers that `inst` defines, 64 lanes each.
  llvm::SmallVector<uint32_t, 256> lanes;
};

/// Prints the state of a wave that is about to execute `inst`, if the launch
/// has a breakpoint at its line and the wave has not been at this place of the
/// line before.
void stopAtBreakpoint(Wave &wave, const DecodedInst &inst);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_TRACE_H
