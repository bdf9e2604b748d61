//===- State.h - The devices behind the simulated HIP runtime ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the entry points of the HIP runtime that Coll binds, and those
// for streams, events and copies, over the simulator. The environment says what
// devices there are:
//
//   COLL_SIM_CHIP      gfx942, or several: gfx942,gfx1100 (default gfx942)
//   COLL_SIM_MEMORY    bytes of each device's memory (default 4 GiB)
//   COLL_SIM_SCHEDULE  seed of a random interleaving of waves
//   COLL_SIM_ULP       seed of the errors of inexact instructions
//   COLL_SIM_THREADS   threads that step workgroups (default: one for each
//   core)
//
// Work is done as late as it may be: a launch or an asynchronous copy is kept
// in its device's queue until someone waits for its stream or for an event, so
// that a program that does not wait where it must is found out. Waiting does
// all that was issued before, on any stream, in the order of issue.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_HIPSIM_STATE_H
#define COLL_RUNTIME_HIPSIM_STATE_H

#include "Entries.h"
#include "coll/Simulator/Simulator.h"
#include <chrono>
#include <deque>
#include <functional>
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
#define COLL_ENTRY(symbol, parameters)                                         \
  __attribute__((visibility("default"))) hipError_t symbol parameters;
#include "Entries.inc"
}
} // namespace coll::hip

namespace coll::hipsim {

using hip::hipError_t;

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

/// What a hipStream_t points to; the null stream of a device has no object.
struct Stream {
  SimDevice *device;
};

/// What a hipEvent_t points to.
struct Event {
  SimDevice *device = nullptr;
  bool isTimed = true;
  /// Records that were issued, and the last one that was reached.
  uint64_t issued = 0, reached = 0;
  std::chrono::steady_clock::time_point time; ///< Of the last one.

  bool isPending() const { return reached != issued; }
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

  /// Issues work on a stream (null: the null stream). It is not done after a
  /// kernel's fault.
  void issue(const Stream *stream, std::function<void()> work);
  /// Issues a record of an event, which is reached in any case.
  void issueRecord(const Stream *stream, Event &event);
  /// Does all that was issued.
  void finish();
  /// Does what was issued until nothing of the stream is left.
  void finish(const Stream *stream);
  bool hasPending(const Stream *stream) const;
  /// Does the oldest work, so that a program which asks until all is done ends.
  void advance();

  /// Groups that one processor runs at once.
  unsigned getResidentGroups(const sim::KernelInfo &kernel, unsigned threads,
                             uint64_t dynamicShared) const;

private:
  struct Work {
    const Stream *stream;
    std::function<void()> run;
  };
  std::deque<Work> pending; ///< In the order of issue.
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
  std::map<const void *, std::unique_ptr<Stream>> streams;
  std::map<const void *, std::unique_ptr<Event>> events;
  /// What hipHostMalloc gave: copies from and to it are asynchronous.
  struct HostMemory {
    std::unique_ptr<uint8_t[]> bytes;
    uint64_t size;
  };
  std::map<uint64_t, HostMemory> hostMemory;
  uint64_t scheduleSeed = 0, ulpSeed = 0, threads = 0;

  /// The calling thread's device; null if there are none.
  SimDevice *getCurrent();
  SimDevice *getDevice(int index);
  /// Null if there is no such handle.
  Function *findFunction(hip::hipFunction_t handle);
  Event *findEvent(hip::hipEvent_t handle);
  /// Sets the stream that a handle means, and its device: that of the calling
  /// thread for the null stream. An error if there is none.
  hipError_t findStream(hip::hipStream_t handle, Stream *&stream,
                        SimDevice *&device);

private:
  State();
};

/// The index of the calling thread's device.
int &getCurrentIndex();

} // namespace coll::hipsim

#endif // COLL_RUNTIME_HIPSIM_STATE_H
