//===- State.h - What the handles of the host API refer to ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the files of this folder, `coll::Device` is the runtime's and
// `coll::v0::Device` the API's. Each state keeps alive what it stands on: a
// kernel its module, a module and a buffer their device.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_LIB_API_STATE_H
#define COLL_RUNTIME_LIB_API_STATE_H

#include "coll/Bundle/Bundle.h"
#include "coll/Runtime/Device.h"
#include "coll/coll.hpp"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace coll::v0 {

struct DeviceState {
  DeviceState(std::unique_ptr<coll::Device> device, DeviceInfo info)
      : device(std::move(device)), info(std::move(info)) {}

  std::unique_ptr<coll::Device> device;
  const DeviceInfo info;
  /// Held during every call on the device, except while waiting for it.
  std::mutex mutex;
};

struct BufferState {
  ~BufferState() {
    std::lock_guard<std::mutex> lock(device->mutex);
    buffer.reset();
  }

  std::shared_ptr<DeviceState> device;
  std::unique_ptr<coll::Buffer> buffer;
};

/// A bundle and what the compiler said about it.
struct CompiledProgram {
  coll::Bundle bundle;
  std::string warnings;
};

struct ModuleState {
  ~ModuleState() {
    std::lock_guard<std::mutex> lock(device->mutex);
    module.reset();
  }

  std::shared_ptr<DeviceState> device;
  std::shared_ptr<const CompiledProgram> program;
  std::unique_ptr<coll::Module> module;
};

struct KernelState {
  std::shared_ptr<ModuleState> module;
  const coll::KernelManifest *manifest; ///< Of `module->program`.
  coll::Kernel *kernel;                 ///< Of `module->module`.
};

struct ProgramState {
  std::string name;
  std::string text;
  ProgramOptions options;
  /// Instead of text and options, for a program that was compiled before.
  std::shared_ptr<const CompiledProgram> bundle;

  /// Guards what follows.
  std::mutex mutex;
  /// By the name of the target.
  std::map<std::string, std::shared_ptr<const CompiledProgram>> compiled;
  std::map<std::weak_ptr<DeviceState>, std::weak_ptr<ModuleState>,
           std::owner_less<>>
      modules;
};

/// Turns an error of the runtime into one of the API. What is neither a
/// device's refusal nor a kernel's fault is of kind `kind`. `context` names the
/// call; it may be empty.
Error makeError(llvm::Error error, ErrorKind kind,
                const llvm::Twine &context = "");
Error makeUsageError(const llvm::Twine &message);

} // namespace coll::v0

#endif // COLL_RUNTIME_LIB_API_STATE_H
