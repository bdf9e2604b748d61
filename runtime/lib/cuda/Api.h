//===- Api.h - The part of the CUDA driver that is used ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types and numbers are those of cuda.h, which the driver keeps stable; no
// CUDA header is needed to build.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_CUDA_API_H
#define COLL_RUNTIME_CUDA_API_H

#include "SharedLibrary.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace coll::cuda {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct OpaqueContext *;
using CUmodule = struct OpaqueModule *;
using CUfunction = struct OpaqueFunction *;
using CUstream = struct OpaqueStream *;

enum CUresult : int {
  Success = 0,
  ErrorInvalidValue = 1,
  ErrorOutOfMemory = 2,
  ErrorNoDevice = 100,
  ErrorInvalidDevice = 101,
  ErrorInvalidImage = 200,
  ErrorNoBinaryForGpu = 209,
  ErrorInvalidPtx = 218,
  ErrorUnsupportedPtxVersion = 222,
  ErrorNotFound = 500,
  ErrorIllegalAddress = 700,
  ErrorLaunchOutOfResources = 701,
  ErrorAssert = 710,
  ErrorIllegalInstruction = 715,
  ErrorLaunchFailed = 719,
  ErrorSystemDriverMismatch = 803,
};

enum CUdeviceAttribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxBlockDimY = 3,
  MaxBlockDimZ = 4,
  MaxGridDimX = 5,
  MaxGridDimY = 6,
  MaxGridDimZ = 7,
  WarpSize = 10,
  MultiprocessorCount = 16,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

enum CUfunctionAttribute : int {
  FunctionMaxThreadsPerBlock = 0,
  FunctionSharedSizeBytes = 1,
  FunctionMaxDynamicSharedSizeBytes = 8,
};

enum CUjitOption : int {
  JitInfoLogBuffer = 3,
  JitInfoLogBufferSizeBytes = 4,
  JitErrorLogBuffer = 5,
  JitErrorLogBufferSizeBytes = 6,
};

enum CUlaunchAttributeID : int {
  LaunchCooperative = 2,
  LaunchClusterDimension = 4,
};

/// The union of all attributes' values is 64 bytes; these are of a cluster, or
/// of a flag in the first word.
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  unsigned padding = 0;
  unsigned value[16] = {};
};
static_assert(sizeof(CUlaunchAttribute) == 72);

struct CUlaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned attributeCount;
};
static_assert(sizeof(CUlaunchConfig) == 56);

/// The bound entry points.
struct Api {
#define COLL_REQUIRED(field, symbol, parameters)                               \
  CUresult(*field) parameters = nullptr;
#define COLL_OPTIONAL(field, symbol, use, parameters)                          \
  CUresult(*field) parameters = nullptr;
#include "Symbols.inc"

  /// Opens the library and binds what there is.
  static llvm::Expected<SharedLibrary> openLibrary(Api &api);
  /// Opens the library, requires all that is required, and calls cuInit.
  static llvm::Expected<std::shared_ptr<const Api>> load();

  /// Success, or a DeviceError with the driver's words for `status`.
  llvm::Error check(CUresult status, const llvm::Twine &call) const;

  /// "CUDA 13.0"; "CUDA" where the driver does not say.
  std::string getDriverVersion() const;
};

} // namespace coll::cuda

#endif // COLL_RUNTIME_CUDA_API_H
