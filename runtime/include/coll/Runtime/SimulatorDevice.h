//===- SimulatorDevice.h - AMD chips without the chip -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator of AMDGPU code objects behind the interface of a device. A
// launch has ended when it returns; what a wave does wrong is a KernelFault
// (coll/Runtime/ReferenceDevice.h).
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_SIMULATORDEVICE_H
#define COLL_RUNTIME_SIMULATORDEVICE_H

#include "coll/Runtime/Device.h"

namespace coll {

/// How a simulated device runs kernels.
struct SimulatorSettings {
  /// Not 0: waves are stepped in an order that is random, from this seed.
  uint64_t scheduleSeed = 0;
  /// Not 0: inexact instructions are off by what they may be, from this seed.
  uint64_t ulpSeed = 0;
  /// Threads of the host that step workgroups; 0: one for each of its cores.
  /// With `scheduleSeed`, `trace` or `breakLine` there is one, whatever is
  /// asked for.
  unsigned threads = 0;
  /// Workgroups that are stepped in turn; 0: what the simulator chooses.
  unsigned residentGroups = 0;
  /// Instructions of all waves after which a launch is given up; 0: 2 billion.
  uint64_t maxInstructions = 0;
  /// Prints instructions by class after each launch.
  bool printStatistics = false;
  /// Prints each instruction with the registers that it changed.
  bool trace = false;
  /// Prints the state of each wave when it first reaches each place of this
  /// line that has code.
  unsigned breakLine = 0; ///< 0: none.
  std::string breakFile;  ///< Its name or the end of its path; empty: any.
};

/// `chip` is an AMD target as the compiler names it: "gfx90a", "gfx1100:64".
llvm::Expected<std::unique_ptr<Device>>
openSimulatedDevice(llvm::StringRef chip, const SimulatorSettings &settings);

} // namespace coll

#endif // COLL_RUNTIME_SIMULATORDEVICE_H
