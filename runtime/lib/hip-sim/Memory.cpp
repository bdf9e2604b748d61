//===- Memory.cpp - Memory and copies of simulated HIP --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <cstring>
#include <new>

using namespace coll;
using namespace coll::hip;
using namespace coll::hipsim;

static uint64_t toAddress(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

hipError_t hip::hipMalloc(void **address, size_t bytes) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  if (!address)
    return ErrorInvalidValue;
  *address = nullptr;
  if (bytes == 0)
    return Success;
  std::optional<uint64_t> allocated = device->memory.allocate(bytes);
  if (!allocated)
    return ErrorOutOfMemory;
  *address = reinterpret_cast<void *>(*allocated);
  return Success;
}

hipError_t hip::hipFree(void *address) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  if (!address)
    return Success;
  device->finish();
  return device->memory.free(toAddress(address)) ? Success : ErrorInvalidValue;
}

hipError_t hip::hipMemGetInfo(size_t *available, size_t *total) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  if (!available || !total)
    return ErrorInvalidValue;
  *total = device->memory.getLimit();
  *available = *total - device->memory.getUsedBytes();
  return Success;
}

hipError_t hip::hipHostMalloc(void **address, size_t bytes, unsigned) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  if (!address)
    return ErrorInvalidValue;
  *address = nullptr;
  if (bytes == 0)
    return Success;
  std::unique_ptr<uint8_t[]> memory(new (std::nothrow) uint8_t[bytes]);
  if (!memory)
    return ErrorOutOfMemory;
  *address = memory.get();
  state.hostMemory[toAddress(*address)] = {std::move(memory), bytes};
  return Success;
}

hipError_t hip::hipHostFree(void *address) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  if (!address)
    return Success;
  for (SimDevice &device : state.devices)
    device.finish();
  return state.hostMemory.erase(toAddress(address)) ? Success
                                                    : ErrorInvalidValue;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// A copy with host pointers, after its arguments have been checked.
struct Copy {
  uint8_t *to;
  const uint8_t *from;
  size_t bytes;
  bool fromHost, toHost;

  void run() const { std::memmove(to, from, bytes); }
};
} // namespace

/// Which sides of a copy are the host's. False for a kind that there is not.
static bool readKind(const sim::DeviceMemory &memory, hipMemcpyKind kind,
                     Copy &copy) {
  switch (int(kind)) {
  case HostToHost:
  case HostToDevice:
  case DeviceToHost:
  case DeviceToDevice:
    copy.fromHost = kind == HostToHost || kind == HostToDevice;
    copy.toHost = kind == HostToHost || kind == DeviceToHost;
    return true;
  case DefaultDirection:
    copy.fromHost = !memory.find(toAddress(copy.from), copy.bytes);
    copy.toHost = !memory.find(toAddress(copy.to), copy.bytes);
    return true;
  }
  return false;
}

static hipError_t checkCopy(SimDevice &device, Copy &copy, hipMemcpyKind kind) {
  if (!readKind(device.memory, kind, copy))
    return ErrorInvalidMemcpyDirection;
  if (!copy.fromHost)
    copy.from = device.memory.find(toAddress(copy.from), copy.bytes);
  if (!copy.toHost)
    copy.to = device.memory.find(toAddress(copy.to), copy.bytes);
  return copy.from && copy.to ? Success : ErrorInvalidValue;
}

hipError_t hip::hipMemcpy(void *destination, const void *source, size_t bytes,
                          hipMemcpyKind kind) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  device->finish();
  if (device->stickyError != Success)
    return device->stickyError;
  if (bytes == 0)
    return Success;
  Copy copy = {static_cast<uint8_t *>(destination),
               static_cast<const uint8_t *>(source), bytes, false, false};
  if (hipError_t status = checkCopy(*device, copy, kind))
    return status;
  copy.run();
  return Success;
}

static bool isHostMemory(const State &state, const void *pointer,
                         size_t bytes) {
  uint64_t address = toAddress(pointer);
  auto behind = state.hostMemory.upper_bound(address);
  if (behind == state.hostMemory.begin())
    return false;
  auto &[base, memory] = *std::prev(behind);
  return address - base <= memory.size &&
         bytes <= memory.size - (address - base);
}

/// Memory of the host that hipHostMalloc did not give is read before the call
/// returns, and a copy to it is done then.
hipError_t hip::hipMemcpyAsync(void *destination, const void *source,
                               size_t bytes, hipMemcpyKind kind,
                               hipStream_t handle) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  Stream *stream;
  SimDevice *device;
  if (hipError_t status = state.findStream(handle, stream, device))
    return status;
  if (device->stickyError != Success)
    return device->stickyError;
  if (bytes == 0)
    return Success;
  Copy copy = {static_cast<uint8_t *>(destination),
               static_cast<const uint8_t *>(source), bytes, false, false};
  if (hipError_t status = checkCopy(*device, copy, kind))
    return status;
  if (copy.toHost && !isHostMemory(state, copy.to, bytes)) {
    device->finish(stream);
    if (device->stickyError != Success)
      return device->stickyError;
    copy.run();
  } else if (copy.fromHost && !isHostMemory(state, copy.from, bytes)) {
    device->issue(stream, [copy, staged = std::vector<uint8_t>(
                                     copy.from, copy.from + bytes)]() mutable {
      copy.from = staged.data();
      copy.run();
    });
  } else {
    device->issue(stream, [copy] { copy.run(); });
  }
  return Success;
}

hipError_t hip::hipMemsetAsync(void *destination, int value, size_t bytes,
                               hipStream_t handle) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  Stream *stream;
  SimDevice *device;
  if (hipError_t status = state.findStream(handle, stream, device))
    return status;
  if (device->stickyError != Success)
    return device->stickyError;
  if (bytes == 0)
    return Success;
  uint8_t *to = device->memory.find(toAddress(destination), bytes);
  if (!to)
    return ErrorInvalidValue;
  device->issue(stream, [to, value, bytes] { std::memset(to, value, bytes); });
  return Success;
}

hipError_t hip::hipMemset(void *destination, int value, size_t bytes) {
  return hipMemsetAsync(destination, value, bytes, nullptr);
}
