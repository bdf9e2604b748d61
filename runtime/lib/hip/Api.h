//===- Api.h - The part of the HIP runtime that is used ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types and numbers are those of hip_runtime_api.h of ROCm 5 to 7; no HIP
// header is needed to build. hipDeviceProp_t is not declared: its layout
// changed with ROCm 6, and the one field that is needed is found by its
// content.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_HIP_API_H
#define COLL_RUNTIME_HIP_API_H

#include "SharedLibrary.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace coll::hip {

using hipDevice_t = int;
using hipModule_t = struct OpaqueModule *;
using hipFunction_t = struct OpaqueFunction *;
using hipStream_t = struct OpaqueStream *;

enum hipError_t : int {
  Success = 0,
  ErrorOutOfMemory = 2,
  ErrorInsufficientDriver = 35,
  ErrorNoDevice = 100,
  ErrorInvalidDevice = 101,
  ErrorInvalidImage = 200,
  ErrorNoBinaryForGpu = 209,
  ErrorInvalidKernelFile = 218,
  ErrorSharedObjectInitFailed = 303,
  ErrorNotFound = 500,
  ErrorIllegalAddress = 700,
  ErrorLaunchOutOfResources = 701,
  ErrorAssert = 710,
  ErrorLaunchFailure = 719,
};

enum hipDeviceAttribute : int {
  MaxBlockDimX = 26,
  MaxBlockDimY = 27,
  MaxBlockDimZ = 28,
  MaxGridDimX = 29,
  MaxGridDimY = 30,
  MaxGridDimZ = 31,
  MaxThreadsPerBlock = 56,
  MultiprocessorCount = 63,
  MaxSharedMemoryPerBlock = 74,
  WarpSize = 87,
};

enum hipFunctionAttribute : int {
  FunctionMaxThreadsPerBlock = 0,
  FunctionSharedSizeBytes = 1,
};

enum hipMemcpyKind : int { HostToDevice = 1, DeviceToHost = 2 };

/// The bound entry points.
struct Api {
#define COLL_REQUIRED(field, symbol, result, parameters)                       \
  result(*field) parameters = nullptr;
#define COLL_OPTIONAL(field, symbol, use, result, parameters)                  \
  result(*field) parameters = nullptr;
#include "Symbols.inc"

  /// Opens the library and binds what there is.
  static llvm::Expected<SharedLibrary> openLibrary(Api &api);
  /// Opens the library, requires all that is required, and calls hipInit.
  static llvm::Expected<std::shared_ptr<const Api>> load();

  /// Success, or a DeviceError with the runtime's words for `status` and the
  /// usual advice, if no other is given.
  llvm::Error check(hipError_t status, const llvm::Twine &call,
                    const char *advice = nullptr) const;

  /// "HIP 5.2"; "HIP" where the runtime does not say.
  std::string getVersion() const;
};

/// The chip in the bytes of a hipDeviceProp_t of any version: the first
/// "gfx..." that stands at the start of a string, after the device's name
/// (which is the first 256 bytes in all versions, and may say "gfx" too).
/// Features after a ':' ("gfx90a:sramecc+:xnack-") are left out. Empty if there
/// is none.
llvm::StringRef findChip(llvm::StringRef properties);

} // namespace coll::hip

#endif // COLL_RUNTIME_HIP_API_H
