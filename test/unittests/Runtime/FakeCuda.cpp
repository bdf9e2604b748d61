//===- FakeCuda.cpp - A CUDA driver without a GPU -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands in for libcuda.so.1 in tests: device memory is host memory, a launch
// adds its second argument to the 32-bit integers of its first. It fails where
// the interface was used wrongly: without a current context, or with a context
// left over.
//
// With FAKE_COOPERATIVE it is a newer driver, which has cooperative launches:
// these add the number of the launch in their workspace, which they count in
// its first word, and a power of two that tells which entry point was used.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define EXPORT extern "C" __attribute__((visibility("default")))

using Status = int;
static constexpr Status success = 0, invalidValue = 1, outOfMemory = 2,
                        invalidContext = 201, invalidPtx = 218, notFound = 500;

static thread_local int depth = 0;
static int maxDynamicShared = 48 << 10;

EXPORT Status cuInit(unsigned) { return success; }
EXPORT Status cuDriverGetVersion(int *version) {
  *version = 12040;
  return success;
}
EXPORT Status cuGetErrorName(Status status, const char **name) {
  *name = status == outOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : status == invalidPtx     ? "CUDA_ERROR_INVALID_PTX"
          : status == notFound       ? "CUDA_ERROR_NOT_FOUND"
          : status == invalidContext ? "CUDA_ERROR_INVALID_CONTEXT"
          : status == 100            ? "CUDA_ERROR_NO_DEVICE"
                                     : nullptr;
  return *name ? success : invalidValue;
}
EXPORT Status cuGetErrorString(Status status, const char **text) {
  *text = status == outOfMemory  ? "out of memory"
          : status == invalidPtx ? "a PTX JIT compilation failed"
          : status == notFound   ? "named symbol not found"
                                 : "some error";
  return success;
}
EXPORT Status cuDeviceGetCount(int *count) {
  const char *text = std::getenv("COLL_FAKE_CUDA_DEVICES");
  *count = text ? std::atoi(text) : 1;
  return success;
}
EXPORT Status cuDeviceGet(int *device, int index) {
  *device = 40 + index;
  return success;
}
EXPORT Status cuDeviceGetName(char *name, int size, int) {
  std::snprintf(name, size, "Fake GPU");
  return success;
}
EXPORT Status cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = size_t(1) << 30;
  return success;
}
EXPORT Status cuDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 1: // threads in a block
  case 2:
  case 3:
    *value = 1024;
    return success;
  case 4:
    *value = 64;
    return success;
  case 5:
    *value = 0x7fffffff;
    return success;
  case 6:
  case 7:
    *value = 65535;
    return success;
  case 10:
    *value = 32;
    return success;
  case 16:
    *value = 7;
    return success;
  case 75:
    *value = 8;
    return success;
  case 76:
    *value = 6;
    return success;
  case 97:
    *value = 99 << 10;
    return success;
  default:
    return invalidValue;
  }
}
EXPORT Status cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = reinterpret_cast<void *>(uintptr_t(device));
  return success;
}
EXPORT Status cuDevicePrimaryCtxRelease_v2(int) {
  return depth == 0 ? success : invalidContext;
}
EXPORT Status cuCtxPushCurrent_v2(void *) {
  ++depth;
  return success;
}
EXPORT Status cuCtxPopCurrent_v2(void **) {
  --depth;
  return success;
}
static Status requireContext() { return depth == 1 ? success : invalidContext; }

EXPORT Status cuCtxSynchronize() { return requireContext(); }
EXPORT Status cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
  if (requireContext() != success)
    return invalidContext;
  if (bytes == 0)
    return invalidValue;
  if (bytes > (size_t(1) << 30))
    return outOfMemory;
  *address = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  return success;
}
EXPORT Status cuMemFree_v2(unsigned long long address) {
  std::free(reinterpret_cast<void *>(uintptr_t(address)));
  return requireContext();
}
EXPORT Status cuMemcpyHtoD_v2(unsigned long long to, const void *from,
                              size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(uintptr_t(to)), from, bytes);
  return requireContext();
}
EXPORT Status cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(uintptr_t(from)), bytes);
  return requireContext();
}
EXPORT Status cuModuleLoadDataEx(void **module, const void *image,
                                 unsigned count, const int *options,
                                 void **values) {
  const char *text = static_cast<const char *>(image);
  if (!std::strstr(text, "bad")) {
    *module = const_cast<char *>(text);
    return requireContext();
  }
  for (unsigned i = 0; i != count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "line 1: bad instruction\n");
  return invalidPtx;
}
EXPORT Status cuModuleUnload(void *) { return requireContext(); }
EXPORT Status cuModuleGetFunction(void **function, void *, const char *name) {
  *function = reinterpret_cast<void *>(1);
  return std::strcmp(name, "add_i32") == 0 ? requireContext() : notFound;
}
EXPORT Status cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 0 ? 512 : 1024;
  return requireContext();
}
EXPORT Status cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute != 8)
    return invalidValue;
  maxDynamicShared = value;
  return requireContext();
}
static Status add(unsigned threads, unsigned sharedBytes, void **parameters,
                  int32_t more) {
  if (int(sharedBytes) > maxDynamicShared)
    return invalidValue;
  auto *data = *static_cast<int32_t **>(parameters[0]);
  if (!data)
    return invalidValue;
  int32_t addend = *static_cast<int32_t *>(parameters[1]);
  for (unsigned i = 0; i != threads; ++i)
    data[i] += addend + more;
  return requireContext();
}
EXPORT Status cuLaunchKernel(void *, unsigned gridX, unsigned, unsigned,
                             unsigned blockX, unsigned, unsigned,
                             unsigned sharedBytes, void *, void **parameters,
                             void **) {
  return add(gridX * blockX, sharedBytes, parameters, 0);
}

#ifdef FAKE_COOPERATIVE
static int32_t countLaunch(void **parameters) {
  return ++**static_cast<int32_t **>(parameters[2]);
}
EXPORT Status cuLaunchCooperativeKernel(void *, unsigned gridX, unsigned,
                                        unsigned, unsigned blockX, unsigned,
                                        unsigned, unsigned sharedBytes, void *,
                                        void **parameters) {
  return add(gridX * blockX, sharedBytes, parameters,
             countLaunch(parameters) + (1 << 10));
}

struct Attribute {
  int id;
  alignas(8) unsigned value[16];
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  Attribute *attributes;
  unsigned attributeCount;
};
EXPORT Status cuLaunchKernelEx(const LaunchConfig *config, void *,
                               void **parameters, void **) {
  constexpr int cooperative = 2;
  if (config->attributeCount != 1 || config->attributes->id != cooperative ||
      config->attributes->value[0] != 1)
    return invalidValue;
  return add(config->grid[0] * config->block[0], config->sharedBytes,
             parameters, countLaunch(parameters) + (1 << 20));
}
/// 2048 threads on a multiprocessor.
EXPORT Status cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *,
                                                          int threads, size_t) {
  *blocks = 2048 / threads;
  return requireContext();
}
/// Clusters of four blocks, two of them on the device.
EXPORT Status cuOccupancyMaxActiveClusters(int *clusters, void *,
                                           const LaunchConfig *config) {
  constexpr int clusterDimension = 4;
  if (config->attributeCount != 1 ||
      config->attributes->id != clusterDimension ||
      config->attributes->value[0] != 4)
    return invalidValue;
  *clusters = 2;
  return requireContext();
}
#endif
