//===- Devices.cpp - Devices and errors of simulated HIP ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace coll;
using namespace coll::hip;
using namespace coll::hipsim;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
struct ErrorName {
  hipError_t status;
  const char *name, *text;
};
} // namespace

static constexpr ErrorName errorNames[] = {
    {Success, "hipSuccess", "no error"},
    {ErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {ErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {ErrorNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {ErrorInvalidConfiguration, "hipErrorInvalidConfiguration",
     "invalid configuration argument"},
    {ErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {ErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {ErrorInvalidImage, "hipErrorInvalidImage",
     "device kernel image is invalid"},
    {ErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {ErrorInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {ErrorNotReady, "hipErrorNotReady", "device not ready"},
    {ErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {ErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {ErrorIllegalAddress, "hipErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {ErrorLaunchOutOfResources, "hipErrorLaunchOutOfResources",
     "out of resources for launch"},
    {ErrorLaunchTimeOut, "hipErrorLaunchTimeOut",
     "the launch timed out and was terminated"},
    {ErrorAssert, "hipErrorAssert", "device-side assert triggered"},
    {ErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {ErrorCooperativeLaunchTooLarge, "hipErrorCooperativeLaunchTooLarge",
     "too many blocks in cooperative launch"}};

static const ErrorName *findError(hipError_t status) {
  for (const ErrorName &error : errorNames)
    if (error.status == status)
      return &error;
  return nullptr;
}

const char *hip::hipGetErrorName(hipError_t status) {
  const ErrorName *error = findError(status);
  return error ? error->name : "hipErrorUnknown";
}

/// For what a kernel did or what is wrong with the environment, the
/// simulator's own words.
const char *hip::hipGetErrorString(hipError_t status) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  if (status == ErrorNotInitialized && !state.initError.empty())
    return state.initError.c_str();
  for (const SimDevice &device : state.devices)
    if (status != Success && device.stickyError == status)
      return device.faultText.c_str();
  const ErrorName *error = findError(status);
  return error ? error->text : "unknown error";
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

hipError_t hip::hipInit(unsigned flags) {
  if (flags != 0)
    return ErrorInvalidValue;
  return State::get().initError.empty() ? Success : ErrorNotInitialized;
}

hipError_t hip::hipRuntimeGetVersion(int *version) {
  if (!version)
    return ErrorInvalidValue;
  *version = 60000000;
  return Success;
}

hipError_t hip::hipGetDeviceCount(int *count) {
  if (!count)
    return ErrorInvalidValue;
  State &state = State::get();
  if (!state.initError.empty())
    return ErrorNotInitialized;
  *count = static_cast<int>(state.devices.size());
  return Success;
}

hipError_t hip::hipSetDevice(int device) {
  if (!State::get().getDevice(device))
    return ErrorInvalidDevice;
  getCurrentIndex() = device;
  return Success;
}

hipError_t hip::hipGetDevice(int *device) {
  if (!device)
    return ErrorInvalidValue;
  *device = getCurrentIndex();
  return Success;
}

/// Of a grid, as on real devices.
static constexpr int mostGroupsX = 0x7fffffff, mostGroupsYZ = 65536;

static std::string getName(const SimDevice &device) {
  return "Simulated " + device.target.str();
}

hipError_t hip::hipDeviceGetName(char *name, int size, hipDevice_t index) {
  SimDevice *device = State::get().getDevice(index);
  if (!device)
    return ErrorInvalidDevice;
  if (!name || size <= 0)
    return ErrorInvalidValue;
  std::string text = getName(*device).substr(0, size - 1);
  std::memcpy(name, text.c_str(), text.size() + 1);
  return Success;
}

hipError_t hip::hipDeviceGetAttribute(int *value, hipDeviceAttribute attribute,
                                      int index) {
  SimDevice *device = State::get().getDevice(index);
  if (!device)
    return ErrorInvalidDevice;
  if (!value)
    return ErrorInvalidValue;
  switch (attribute) {
  case MaxBlockDimX:
  case MaxBlockDimY:
  case MaxBlockDimZ:
  case MaxThreadsPerBlock:
    *value = Target::maxThreadsPerBlock;
    return Success;
  case MaxGridDimX:
    *value = mostGroupsX;
    return Success;
  case MaxGridDimY:
  case MaxGridDimZ:
    *value = mostGroupsYZ;
    return Success;
  case MultiprocessorCount:
    *value = SimDevice::numProcessors;
    return Success;
  case MaxSharedMemoryPerBlock:
    *value = device->target.getChip().maxSharedBytes;
    return Success;
  case WarpSize:
    *value = device->target.getWarpSize();
    return Success;
  }
  return ErrorInvalidValue;
}

hipError_t hip::hipDeviceTotalMem(size_t *bytes, hipDevice_t index) {
  SimDevice *device = State::get().getDevice(index);
  if (!device)
    return ErrorInvalidDevice;
  if (!bytes)
    return ErrorInvalidValue;
  *bytes = device->memory.getLimit();
  return Success;
}

namespace {
/// The start of hipDeviceProp_t of ROCm 6, and its gcnArchName.
struct Properties {
  char name[256];
  char ids[32];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  char others[812];
  char gcnArchName[256];
};
static_assert(offsetof(Properties, gcnArchName) == 1160);

/// The same before ROCm 6.
struct OldProperties {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  char others[88];
  char gcnArchName[256];
};
static_assert(offsetof(OldProperties, gcnArchName) == 396);
} // namespace

template <typename Layout>
static hipError_t getProperties(void *properties, int index) {
  SimDevice *device = State::get().getDevice(index);
  if (!device)
    return ErrorInvalidDevice;
  if (!properties)
    return ErrorInvalidValue;
  Layout result = {};
  std::strncpy(result.name, getName(*device).c_str(), sizeof result.name - 1);
  result.totalGlobalMem = device->memory.getLimit();
  result.sharedMemPerBlock = device->target.getChip().maxSharedBytes;
  result.warpSize = device->target.getWarpSize();
  result.maxThreadsPerBlock = Target::maxThreadsPerBlock;
  std::fill_n(result.maxThreadsDim, 3, int(Target::maxThreadsPerBlock));
  result.maxGridSize[0] = mostGroupsX;
  result.maxGridSize[1] = result.maxGridSize[2] = mostGroupsYZ;
  std::string chip = device->target.getChip().name.str();
  std::strncpy(result.gcnArchName, chip.c_str(), sizeof result.gcnArchName - 1);
  // The caller's structure has all the fields of its version and more.
  std::memcpy(properties, &result,
              offsetof(Layout, gcnArchName) + chip.size() + 1);
  return Success;
}

hipError_t hip::hipGetDevicePropertiesR0600(void *properties, int device) {
  return getProperties<Properties>(properties, device);
}

hipError_t hip::hipGetDeviceProperties(void *properties, int device) {
  return getProperties<OldProperties>(properties, device);
}

hipError_t hip::hipDeviceSynchronize() {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  device->finish();
  return device->stickyError;
}
