//===- Device.cpp - Devices and buffers of the host API -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "coll/Runtime/ReferenceDevice.h"
#include "coll/Runtime/SimulatorDevice.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static v0::DeviceInfo describe(const coll::Device &device) {
  const coll::DeviceInfo &info = device.getInfo();
  v0::DeviceInfo result;
  result.id = device.str();
  result.name = info.name;
  result.chip = info.chip;
  result.driver = info.driver;
  result.warpSize = info.warpSize;
  result.multiprocessors = info.multiprocessors;
  result.sharedBytes = info.maxSharedBytes;
  result.memoryBytes = info.memoryBytes;
  return result;
}

static llvm::Expected<std::unique_ptr<coll::Device>>
openDevice(const DeviceSpec &spec) {
  constexpr unsigned defaultWarpSize = 32;
  if (spec.kind == DeviceKind::Reference)
    return openReferenceDevice(spec.number ? spec.number : defaultWarpSize);
  if (spec.kind == DeviceKind::Simulator)
    return openSimulatedDevice(spec.chip, SimulatorSettings());
  llvm::Expected<std::unique_ptr<coll::Device>> gpu = openGpu(spec);
  if (gpu || spec.kind)
    return gpu;
  llvm::consumeError(gpu.takeError());
  return openReferenceDevice(defaultWarpSize);
}

v0::Expected<v0::Device> v0::Device::open(const std::string &id) {
  llvm::Expected<DeviceSpec> spec = DeviceSpec::parse(id);
  if (!spec)
    return makeError(spec.takeError(), ErrorKind::Usage);
  llvm::Expected<std::unique_ptr<coll::Device>> device = openDevice(*spec);
  if (!device)
    return makeError(device.takeError(), ErrorKind::Device,
                     "opening device '" + llvm::Twine(id) + "'");
  DeviceInfo info = describe(**device);
  return Device(
      std::make_shared<DeviceState>(std::move(*device), std::move(info)));
}

std::vector<v0::DeviceInfo> v0::Device::list() {
  std::vector<DeviceInfo> result;
  auto add = [&](llvm::Expected<unsigned> count,
                 llvm::function_ref<
                     llvm::Expected<std::unique_ptr<coll::Device>>(unsigned)>
                     open) {
    if (!count)
      return llvm::consumeError(count.takeError());
    for (unsigned index = 0; index != *count; ++index) {
      llvm::Expected<std::unique_ptr<coll::Device>> device = open(index);
      if (device)
        result.push_back(describe(**device));
      else
        llvm::consumeError(device.takeError());
    }
  };
  add(countCudaDevices(), openCudaDevice);
  add(countHipDevices(), openHipDevice);
  for (unsigned warpSize : {32u, 64u})
    result.push_back(describe(*openReferenceDevice(warpSize)));
  return result;
}

const v0::DeviceInfo &v0::Device::info() const { return state->info; }

bool v0::Device::isReference() const {
  return state->device->getInfo().kind == DeviceKind::Reference;
}

v0::Expected<void> v0::Device::synchronize() const {
  // Launches of other threads that came before have started once the lock was
  // free; while this thread waits, others can go on.
  std::unique_lock<std::mutex> lock(state->mutex);
  lock.unlock();
  if (llvm::Error error = state->device->synchronize())
    return makeError(std::move(error), ErrorKind::Device,
                     "waiting for " + state->info.id);
  return {};
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

v0::Expected<v0::Buffer> v0::Device::allocate(size_t bytes) const {
  return allocateElements(bytes, ElementType());
}

v0::Expected<v0::Buffer> v0::Device::allocateElements(size_t count,
                                                      ElementType type) const {
  bool overflows = false;
  uint64_t bytes =
      llvm::SaturatingMultiply<uint64_t>(count, type.size, &overflows);
  if (overflows)
    return makeUsageError("a buffer of " + llvm::Twine(count) +
                          " elements of " + llvm::Twine(type.size) +
                          " bytes is larger than any memory");
  std::lock_guard<std::mutex> lock(state->mutex);
  llvm::Expected<std::unique_ptr<coll::Buffer>> buffer =
      state->device->allocate(bytes);
  if (!buffer)
    return makeError(buffer.takeError(), ErrorKind::Device,
                     "allocating on " + state->info.id);
  auto result = std::make_shared<BufferState>();
  result->device = state;
  result->buffer = std::move(*buffer);
  return Buffer(std::move(result), type);
}

size_t v0::Buffer::bytes() const { return state->buffer->getSize(); }

v0::Expected<size_t> v0::Buffer::countElements(size_t size) const {
  if (bytes() % size == 0)
    return bytes() / size;
  return makeUsageError("reading a buffer of " + llvm::Twine(bytes()) +
                        " bytes, which are no whole number of elements of " +
                        llvm::Twine(size) + " bytes");
}

/// Copies are of whole buffers.
static std::optional<v0::Error> checkSize(const char *call, size_t buffer,
                                          size_t given) {
  if (buffer == given)
    return std::nullopt;
  return v0::makeUsageError(llvm::Twine(call) + " a buffer of " +
                            llvm::Twine(buffer) + " bytes, got " +
                            llvm::Twine(given) + " bytes");
}

v0::Expected<void> v0::Buffer::write(const void *data, size_t size) {
  if (std::optional<Error> error = checkSize("writing", bytes(), size))
    return *error;
  DeviceState &device = *state->device;
  std::lock_guard<std::mutex> lock(device.mutex);
  if (llvm::Error error = device.device->copyIn(
          *state->buffer, {static_cast<const uint8_t *>(data), size}))
    return makeError(std::move(error), ErrorKind::Device,
                     "writing a buffer of " + device.info.id);
  return {};
}

v0::Expected<void> v0::Buffer::read(void *data, size_t size) const {
  if (std::optional<Error> error = checkSize("reading", bytes(), size))
    return *error;
  DeviceState &device = *state->device;
  std::lock_guard<std::mutex> lock(device.mutex);
  if (llvm::Error error = device.device->copyOut(
          {static_cast<uint8_t *>(data), size}, *state->buffer))
    return makeError(std::move(error), ErrorKind::Device,
                     "reading a buffer of " + device.info.id);
  return {};
}
