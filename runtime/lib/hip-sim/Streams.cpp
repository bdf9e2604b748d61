//===- Streams.cpp - Streams and events of simulated HIP ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::hip;
using namespace coll::hipsim;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Queues
//===----------------------------------------------------------------------===//

void SimDevice::issue(const Stream *stream, std::function<void()> work) {
  pending.push_back({stream, [this, work = std::move(work)] {
                       if (stickyError == Success)
                         work();
                     }});
}

void SimDevice::issueRecord(const Stream *stream, Event &event) {
  pending.push_back({stream, [&event, number = ++event.issued] {
                       event.reached = number;
                       event.time = std::chrono::steady_clock::now();
                     }});
}

void SimDevice::advance() {
  if (pending.empty())
    return;
  Work work = std::move(pending.front());
  pending.pop_front();
  work.run();
}

void SimDevice::finish() {
  while (!pending.empty())
    advance();
}

bool SimDevice::hasPending(const Stream *stream) const {
  return any_of(pending,
                [&](const Work &work) { return work.stream == stream; });
}

void SimDevice::finish(const Stream *stream) {
  while (hasPending(stream))
    advance();
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

hipError_t State::findStream(hipStream_t handle, Stream *&stream,
                             SimDevice *&device) {
  stream = nullptr;
  if (!handle) {
    device = getCurrent();
    return device ? Success : ErrorNoDevice;
  }
  auto found = streams.find(handle);
  if (found == streams.end())
    return ErrorInvalidHandle;
  stream = found->second.get();
  device = stream->device;
  return Success;
}

hipError_t hip::hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  constexpr unsigned nonBlocking = 1;
  if (!stream || (flags & ~nonBlocking))
    return ErrorInvalidValue;
  auto created = std::make_unique<Stream>(Stream{device});
  *stream = reinterpret_cast<hipStream_t>(created.get());
  state.streams[created.get()] = std::move(created);
  return Success;
}

hipError_t hip::hipStreamCreate(hipStream_t *stream) {
  return hipStreamCreateWithFlags(stream, 0);
}

/// Calls `use(stream, device)` with what a handle means.
template <typename Use>
static hipError_t withStream(hipStream_t handle, Use use) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  Stream *stream;
  SimDevice *device;
  if (hipError_t status = state.findStream(handle, stream, device))
    return status;
  return use(stream, *device);
}

hipError_t hip::hipStreamDestroy(hipStream_t handle) {
  if (!handle)
    return ErrorInvalidHandle;
  return withStream(handle, [](Stream *stream, SimDevice &device) {
    device.finish(stream);
    State::get().streams.erase(stream);
    return Success;
  });
}

hipError_t hip::hipStreamSynchronize(hipStream_t handle) {
  return withStream(handle, [](Stream *stream, SimDevice &device) {
    device.finish(stream);
    return device.stickyError;
  });
}

hipError_t hip::hipStreamQuery(hipStream_t handle) {
  return withStream(handle, [](Stream *stream, SimDevice &device) {
    if (!device.hasPending(stream))
      return device.stickyError;
    device.advance();
    return ErrorNotReady;
  });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

Event *State::findEvent(hipEvent_t handle) {
  auto found = events.find(handle);
  return found == events.end() ? nullptr : found->second.get();
}

hipError_t hip::hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  // How the host waits makes no difference.
  constexpr unsigned blockingSync = 1, disableTiming = 2;
  if (!event || (flags & ~(blockingSync | disableTiming)))
    return ErrorInvalidValue;
  auto created = std::make_unique<Event>();
  created->device = device;
  created->isTimed = !(flags & disableTiming);
  *event = reinterpret_cast<hipEvent_t>(created.get());
  state.events[created.get()] = std::move(created);
  return Success;
}

hipError_t hip::hipEventCreate(hipEvent_t *event) {
  return hipEventCreateWithFlags(event, 0);
}

/// Calls `use(event)` with what a handle means.
template <typename Use>
static hipError_t withEvent(hipEvent_t handle, Use use) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  Event *event = state.findEvent(handle);
  return event ? use(*event) : ErrorInvalidHandle;
}

static void finish(Event &event) {
  while (event.isPending())
    event.device->advance();
}

hipError_t hip::hipEventDestroy(hipEvent_t handle) {
  return withEvent(handle, [](Event &event) {
    finish(event);
    State::get().events.erase(&event);
    return Success;
  });
}

hipError_t hip::hipEventRecord(hipEvent_t handle, hipStream_t streamHandle) {
  return withEvent(handle, [&](Event &event) {
    Stream *stream;
    SimDevice *device;
    if (hipError_t status =
            State::get().findStream(streamHandle, stream, device))
      return status;
    if (device != event.device)
      return ErrorInvalidHandle;
    device->issueRecord(stream, event);
    return Success;
  });
}

/// Work is done in the order of issue on all streams of a device; of another
/// device's event, the record is reached first.
hipError_t hip::hipStreamWaitEvent(hipStream_t handle, hipEvent_t eventHandle,
                                   unsigned flags) {
  return withEvent(eventHandle, [&](Event &event) {
    Stream *stream;
    SimDevice *device;
    if (hipError_t status = State::get().findStream(handle, stream, device))
      return status;
    if (flags != 0)
      return ErrorInvalidValue;
    if (device != event.device)
      finish(event);
    return Success;
  });
}

hipError_t hip::hipEventSynchronize(hipEvent_t handle) {
  return withEvent(handle, [](Event &event) {
    finish(event);
    return event.device->stickyError;
  });
}

hipError_t hip::hipEventQuery(hipEvent_t handle) {
  return withEvent(handle, [](Event &event) {
    if (!event.isPending())
      return event.device->stickyError;
    event.device->advance();
    return ErrorNotReady;
  });
}

hipError_t hip::hipEventElapsedTime(float *milliseconds, hipEvent_t start,
                                    hipEvent_t stop) {
  return withEvent(start, [&](Event &first) {
    Event *second = State::get().findEvent(stop);
    if (!second || second->device != first.device)
      return ErrorInvalidHandle;
    if (!milliseconds)
      return ErrorInvalidValue;
    if (!first.isTimed || !second->isTimed || !first.issued || !second->issued)
      return ErrorInvalidHandle;
    if (first.isPending() || second->isPending())
      return ErrorNotReady;
    *milliseconds =
        std::chrono::duration<float, std::milli>(second->time - first.time)
            .count();
    return Success;
  });
}
