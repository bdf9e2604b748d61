//===- Modules.cpp - Modules and launches of simulated HIP ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"
#include <cstring>

using namespace coll;
using namespace coll::hip;
using namespace coll::hipsim;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// The bytes of an ELF file, whose size its headers tell: the caller gives
/// only a pointer. Empty if it is no 64-bit ELF file.
static ArrayRef<uint8_t> getImageBytes(const void *image) {
  ELF::Elf64_Ehdr header;
  if (std::memcmp(image, ELF::ElfMagic, 4) != 0)
    return {};
  std::memcpy(&header, image, sizeof header);
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return {};
  auto *bytes = static_cast<const uint8_t *>(image);
  uint64_t size = std::max<uint64_t>(
      sizeof header,
      header.e_phoff + uint64_t(header.e_phnum) * sizeof(ELF::Elf64_Phdr));
  for (unsigned i = 0; i != header.e_phnum; ++i) {
    ELF::Elf64_Phdr segment;
    std::memcpy(&segment, bytes + header.e_phoff + i * sizeof segment,
                sizeof segment);
    size = std::max(size, segment.p_offset + segment.p_filesz);
  }
  if (header.e_shnum)
    size = std::max(size, header.e_shoff + uint64_t(header.e_shnum) *
                                               sizeof(ELF::Elf64_Shdr));
  return {bytes, size};
}

/// Whether the file is for the chip; generic code objects are not.
static bool isForChip(ArrayRef<uint8_t> bytes, const Target &target) {
  auto object = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(toStringRef(bytes), "image"));
  if (!object) {
    consumeError(object.takeError());
    return true;
  }
  auto *elf = dyn_cast<object::ELFObjectFileBase>(object->get());
  std::optional<StringRef> chip = elf ? elf->tryGetCPUName() : std::nullopt;
  return !chip || *chip == target.getChip().name;
}

hipError_t hip::hipModuleLoadData(hipModule_t *module, const void *image) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  SimDevice *device = state.getCurrent();
  if (!device)
    return ErrorNoDevice;
  if (!module || !image)
    return ErrorInvalidValue;
  ArrayRef<uint8_t> bytes = getImageBytes(image);
  if (bytes.empty())
    return ErrorInvalidImage;
  if (!isForChip(bytes, device->target))
    return ErrorNoBinaryForGpu;
  auto program = sim::Program::load(bytes, device->target, device->memory);
  if (!program) {
    // The interface has no place for the words.
    logAllUnhandledErrors(program.takeError(), errs(), "collhip-sim: ");
    return ErrorInvalidImage;
  }
  auto loaded = std::make_unique<LoadedModule>();
  loaded->device = device;
  loaded->program = std::move(*program);
  *module = reinterpret_cast<hipModule_t>(loaded.get());
  state.modules[loaded.get()] = std::move(loaded);
  return Success;
}

hipError_t hip::hipModuleUnload(hipModule_t module) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  auto found = state.modules.find(module);
  if (found == state.modules.end())
    return ErrorInvalidHandle;
  found->second->device->finish();
  state.modules.erase(found);
  return Success;
}

hipError_t hip::hipModuleGetFunction(hipFunction_t *function,
                                     hipModule_t module, const char *name) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  if (!function || !name)
    return ErrorInvalidValue;
  auto found = state.modules.find(module);
  if (found == state.modules.end())
    return ErrorInvalidHandle;
  LoadedModule &loaded = *found->second;
  std::unique_ptr<Function> &known = loaded.functions[name];
  if (!known) {
    const sim::KernelInfo *kernel = loaded.program->findKernel(name);
    if (!kernel) {
      loaded.functions.erase(name);
      return ErrorNotFound;
    }
    known = std::make_unique<Function>(
        Function{loaded.device, loaded.program.get(), kernel});
  }
  *function = reinterpret_cast<hipFunction_t>(known.get());
  return Success;
}

hipError_t hip::hipFuncGetAttribute(int *value, hipFunctionAttribute attribute,
                                    hipFunction_t handle) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  if (!value)
    return ErrorInvalidValue;
  Function *function = state.findFunction(handle);
  if (!function)
    return ErrorInvalidHandle;
  switch (attribute) {
  case FunctionMaxThreadsPerBlock:
    *value = function->kernel->maxWorkgroupSize;
    return Success;
  case FunctionSharedSizeBytes:
    *value = function->kernel->ldsBytes;
    return Success;
  }
  return ErrorInvalidValue;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The arguments as the kernel's metadata lays them out, from a pointer to
/// each.
static std::vector<uint8_t> packParameters(const sim::KernelInfo &kernel,
                                           void **parameters) {
  std::vector<uint8_t> bytes(kernel.getExplicitBytes());
  unsigned index = 0;
  for (const sim::KernelParameter &parameter : kernel.parameters)
    if (!parameter.isHidden())
      std::memcpy(bytes.data() + parameter.offset, parameters[index++],
                  parameter.size);
  return bytes;
}

/// From `extra`: pairs of a number and a pointer. False if they are wrong.
static bool copyPacked(const sim::KernelInfo &kernel, void **extra,
                       std::vector<uint8_t> &bytes) {
  enum : uintptr_t { BufferPointer = 1, BufferSize = 2, End = 3 };
  const void *buffer = nullptr;
  size_t size = 0;
  for (; *extra != reinterpret_cast<void *>(End); extra += 2) {
    switch (reinterpret_cast<uintptr_t>(extra[0])) {
    case BufferPointer:
      buffer = extra[1];
      break;
    case BufferSize:
      size = *static_cast<size_t *>(extra[1]);
      break;
    default:
      return false;
    }
  }
  bytes.resize(kernel.getExplicitBytes());
  if (size < bytes.size() || (!buffer && size))
    return false;
  if (!bytes.empty())
    std::memcpy(bytes.data(), buffer, bytes.size());
  return true;
}

static hipError_t getFaultStatus(sim::FaultKind kind) {
  switch (kind) {
  case sim::FaultKind::BadAddress:
    return ErrorIllegalAddress;
  case sim::FaultKind::Trap:
    return ErrorAssert;
  case sim::FaultKind::InstructionLimit:
    return ErrorLaunchTimeOut;
  default:
    return ErrorLaunchFailure;
  }
}

static hipError_t checkShape(const Function &function,
                             const std::array<uint32_t, 3> &grid,
                             const std::array<uint32_t, 3> &block,
                             unsigned sharedBytes) {
  uint64_t threads = 1;
  for (unsigned i = 0; i != 3; ++i) {
    // A dimension in threads has 32 bits.
    if (!grid[i] || !block[i] || block[i] > Target::maxThreadsPerBlock ||
        uint64_t(grid[i]) * block[i] > UINT32_MAX)
      return ErrorInvalidConfiguration;
    threads *= block[i];
  }
  if (threads > Target::maxThreadsPerBlock)
    return ErrorInvalidConfiguration;
  uint64_t shared = uint64_t(function.kernel->ldsBytes) + sharedBytes;
  if (threads > function.kernel->maxWorkgroupSize ||
      shared > function.device->target.getChip().maxSharedBytes)
    return ErrorLaunchOutOfResources;
  return Success;
}

/// Groups that the device runs at once.
static unsigned getResidentGroups(const Function &function,
                                  const sim::LaunchOptions &options) {
  unsigned threads = options.block[0] * options.block[1] * options.block[2];
  return SimDevice::numProcessors *
         function.device->getResidentGroups(*function.kernel, threads,
                                            options.dynamicLDSBytes);
}

static void run(State &state, const Function &function,
                ArrayRef<uint8_t> arguments, sim::LaunchOptions options) {
  SimDevice &device = *function.device;
  options.residentGroups = std::max<unsigned>(
      SimDevice::numProcessors, getResidentGroups(function, options));
  options.scheduleSeed = state.scheduleSeed;
  options.ulpSeed = state.ulpSeed;
  options.threads = static_cast<unsigned>(state.threads);
  auto result = function.program->launch(*function.kernel, arguments, options);
  if (!result) {
    device.stickyError = ErrorLaunchOutOfResources;
    device.faultText = toString(result.takeError());
  } else if (result->fault) {
    device.stickyError = getFaultStatus(result->fault->kind);
    device.faultText = result->fault->str();
  }
}

/// Issues a launch with its shape in `options`.
static hipError_t launch(hipFunction_t handle, hipStream_t streamHandle,
                         const sim::LaunchOptions &options, void **parameters,
                         void **extra) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  Function *function = state.findFunction(handle);
  if (!function)
    return ErrorInvalidHandle;
  Stream *stream;
  SimDevice *device;
  if (hipError_t status = state.findStream(streamHandle, stream, device))
    return status;
  if (device != function->device)
    return ErrorInvalidHandle;
  if (device->stickyError != Success)
    return device->stickyError;
  hipError_t status = checkShape(*function, options.grid, options.block,
                                 options.dynamicLDSBytes);
  if (status != Success)
    return status;
  uint64_t groups = SaturatingMultiply<uint64_t>(
      uint64_t(options.grid[0]) * options.grid[1], options.grid[2]);
  if (options.isCooperative && groups > getResidentGroups(*function, options))
    return ErrorCooperativeLaunchTooLarge;
  const sim::KernelInfo &kernel = *function->kernel;
  if (parameters && extra)
    return ErrorInvalidValue;
  std::vector<uint8_t> arguments;
  if (extra) {
    if (!copyPacked(kernel, extra, arguments))
      return ErrorInvalidValue;
  } else if (parameters) {
    arguments = packParameters(kernel, parameters);
  } else if (kernel.getExplicitBytes()) {
    return ErrorInvalidValue;
  }
  device->issue(stream, [&state, function = *function, arguments, options] {
    run(state, function, arguments, options);
  });
  return Success;
}

hipError_t hip::hipModuleLaunchKernel(hipFunction_t function, unsigned gridX,
                                      unsigned gridY, unsigned gridZ,
                                      unsigned blockX, unsigned blockY,
                                      unsigned blockZ, unsigned sharedBytes,
                                      hipStream_t stream, void **parameters,
                                      void **extra) {
  sim::LaunchOptions options;
  options.grid = {gridX, gridY, gridZ};
  options.block = {blockX, blockY, blockZ};
  options.dynamicLDSBytes = sharedBytes;
  return launch(function, stream, options, parameters, extra);
}

hipError_t hip::hipModuleLaunchCooperativeKernel(
    hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    hipStream_t stream, void **parameters) {
  sim::LaunchOptions options;
  options.grid = {gridX, gridY, gridZ};
  options.block = {blockX, blockY, blockZ};
  options.dynamicLDSBytes = sharedBytes;
  options.isCooperative = true;
  return launch(function, stream, options, parameters, /*extra=*/nullptr);
}

hipError_t hip::hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, hipFunction_t handle, int blockThreads, size_t dynamicShared) {
  State &state = State::get();
  std::lock_guard guard(state.lock);
  Function *function = state.findFunction(handle);
  if (!function)
    return ErrorInvalidHandle;
  if (!blocks || blockThreads <= 0)
    return ErrorInvalidValue;
  *blocks = function->device->getResidentGroups(*function->kernel, blockThreads,
                                                dynamicShared);
  return Success;
}
