//===- State.h - The devices behind the simulated HIP runtime ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the entry points of the HIP runtime that Coll binds, over the
// simulator. The environment says what devices there are:
//
//   COLL_SIM_CHIP      gfx942, or several: gfx942,gfx1100 (default gfx942)
//   COLL_SIM_MEMORY    bytes of each device's memory (default 4 GiB)
//   COLL_SIM_SCHEDULE  seed of a random interleaving of waves
//   COLL_SIM_ULP       seed of the errors of inexact instructions
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_HIPSIM_STATE_H
#define COLL_RUNTIME_HIPSIM_STATE_H

#include "coll/Simulator/Simulator.h"
#include "hip/Api.h"
#include <deque>
#include <map>
#include <mutex>

// The definitions must have the types that the HIP device binds.
namespace coll::hip {
extern "C" {
#define COLL_REQUIRED(field, symbol, result, parameters)                       \
  __attribute__((visibility("default"))) result symbol parameters;
#define COLL_OPTIONAL(field, symbol, use, result, parameters)                  \
  __attribute__((visibility("default"))) result symbol parameters;
#include "hip/Symbols.inc"
}
} // namespace coll::hip

namespace coll::hipsim {

using hip::hipError_t;

/// Errors that only this side of the interface has to name.
constexpr hipError_t ErrorInvalidValue = hipError_t(1);
constexpr hipError_t ErrorNotInitialized = hipError_t(3);
constexpr hipError_t ErrorInvalidConfiguration = hipError_t(9);
constexpr hipError_t ErrorInvalidHandle = hipError_t(400);
constexpr hipError_t ErrorLaunchTimeOut = hipError_t(702);

class SimDevice;

/// What a hipFunction_t points to.
struct Function {
  SimDevice *device;
  sim::Program *program;
  const sim::KernelInfo *kernel;
};

/// What a hipModule_t points to.
struct LoadedModule {
  SimDevice *device;
  std::unique_ptr<sim::Program> program;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

class SimDevice {
public:
  static constexpr unsigned numProcessors = 4;

  SimDevice(const Target &target, uint64_t memoryBytes)
      : target(target), memory(memoryBytes) {}

  const Target target;
  sim::DeviceMemory memory;
  /// What a kernel did; stays until the process ends, as on a real device.
  hipError_t stickyError = hip::Success;
  std::string faultText;

  /// Groups that one processor runs at once.
  unsigned getResidentGroups(const sim::KernelInfo &kernel, unsigned threads,
                             uint64_t dynamicShared) const;
};

/// Everything, behind one lock that each entry point takes.
class State {
public:
  /// Reads the environment at the first call.
  static State &get();

  std::mutex lock;
  /// Why there are no devices.
  std::string initError;
  std::deque<SimDevice> devices;
  std::map<const void *, std::unique_ptr<LoadedModule>> modules;
  uint64_t scheduleSeed = 0, ulpSeed = 0;

  /// The calling thread's device; null if there are none.
  SimDevice *getCurrent();
  SimDevice *getDevice(int index);
  /// Null if there is no such handle.
  Function *findFunction(hip::hipFunction_t handle);

private:
  State();
};

/// The index of the calling thread's device.
int &getCurrentIndex();

} // namespace coll::hipsim

#endif // COLL_RUNTIME_HIPSIM_STATE_H
