//===- Entries.h - More of HIP than Coll's runtime binds --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams, events and copies for programs that link with HIP themselves. The
// types and numbers are those of hip_runtime_api.h.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_HIPSIM_ENTRIES_H
#define COLL_RUNTIME_HIPSIM_ENTRIES_H

#include "hip/Api.h"

namespace coll::hip {

using hipEvent_t = struct OpaqueEvent *;

constexpr hipError_t ErrorInvalidValue = hipError_t(1);
constexpr hipError_t ErrorNotInitialized = hipError_t(3);
constexpr hipError_t ErrorInvalidConfiguration = hipError_t(9);
constexpr hipError_t ErrorInvalidMemcpyDirection = hipError_t(21);
constexpr hipError_t ErrorInvalidHandle = hipError_t(400);
constexpr hipError_t ErrorNotReady = hipError_t(600);
constexpr hipError_t ErrorLaunchTimeOut = hipError_t(702);
constexpr hipError_t ErrorCooperativeLaunchTooLarge = hipError_t(720);

constexpr hipMemcpyKind HostToHost = hipMemcpyKind(0);
constexpr hipMemcpyKind DeviceToDevice = hipMemcpyKind(3);
constexpr hipMemcpyKind DefaultDirection = hipMemcpyKind(4);

} // namespace coll::hip

#endif // COLL_RUNTIME_HIPSIM_ENTRIES_H
