//===- Device.cpp - Kernels on AMD GPUs -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Device.h"
#include "Api.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace coll;
using namespace coll::hip;
using namespace llvm;

namespace {
/// A device of the runtime. Its primary context lives as long as the process.
struct Context {
  std::shared_ptr<const Api> api;
  int device;
};
using ContextRef = std::shared_ptr<const Context>;

/// Makes the device current on this thread, and what was current before again
/// at the end.
class CurrentDevice {
public:
  explicit CurrentDevice(const Context &context) : api(*context.api) {
    if (api.getDevice(&old) != Success)
      old = context.device;
    status = api.setDevice(context.device);
  }
  ~CurrentDevice() {
    if (status == Success)
      api.setDevice(old);
  }
  Error check() const { return api.check(status, "hipSetDevice"); }

private:
  const Api &api;
  int old = 0;
  hipError_t status;
};

class HipBuffer final : public Buffer {
public:
  HipBuffer(ContextRef context, void *address, uint64_t size)
      : Buffer(size), context(std::move(context)), address(address) {}
  ~HipBuffer() override {
    CurrentDevice current(*context);
    context->api->memFree(address);
  }
  uint64_t getAddress() const override {
    return reinterpret_cast<uintptr_t>(address);
  }
  void *get() const { return address; }

private:
  ContextRef context;
  void *address;
};

class HipKernel final : public Kernel {
public:
  HipKernel(const ImageEntry &entry, uint64_t sharedBytes, uint32_t maxThreads,
            hipFunction_t function)
      : Kernel(entry, sharedBytes, maxThreads), function(function) {}
  const hipFunction_t function;
};

class HipModule final : public Module {
public:
  HipModule(ContextRef context, hipModule_t module, const Image &image)
      : context(std::move(context)), module(module), entries(image.entries) {}
  ~HipModule() override {
    CurrentDevice current(*context);
    context->api->moduleUnload(module);
  }
  Expected<Kernel *> getKernel(StringRef kernel) override;

private:
  ContextRef context;
  hipModule_t module;
  std::vector<ImageEntry> entries;
  StringMap<std::unique_ptr<HipKernel>> kernels;
};

class HipDevice final : public Device {
public:
  HipDevice(DeviceInfo info, ContextRef context)
      : Device(std::move(info)), context(std::move(context)) {}

  Expected<std::unique_ptr<Buffer>> allocate(uint64_t bytes) override;
  Expected<std::unique_ptr<Module>> loadModule(const Image &image) override;
  Error synchronize() override;
  Expected<unsigned> getMaxResidentBlocks(Kernel &kernel,
                                          const LaunchConfig &config) override;

protected:
  Error doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) override;
  Error doCopyOut(MutableArrayRef<uint8_t> bytes, Buffer &buffer) override;
  Error doLaunch(Kernel &kernel, const LaunchConfig &config,
                 ArrayRef<KernelArg> args) override;

private:
  ContextRef context;
};
} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Expected<Kernel *> HipModule::getKernel(StringRef kernel) {
  std::unique_ptr<HipKernel> &known = kernels[kernel];
  if (known)
    return known.get();
  auto entry = find_if(
      entries, [&](const ImageEntry &entry) { return entry.kernel == kernel; });
  if (entry == entries.end())
    return createStringError("the image has no kernel '" + kernel + "'");
  const Api &api = *context->api;
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  hipFunction_t function = nullptr;
  if (Error error = api.check(
          api.moduleGetFunction(&function, module, entry->symbol.c_str()),
          "hipModuleGetFunction of '" + entry->symbol + "'"))
    return error;
  int maxThreads = 0, sharedBytes = 0;
  if (Error error =
          api.check(api.funcGetAttribute(&maxThreads,
                                         FunctionMaxThreadsPerBlock, function),
                    "hipFuncGetAttribute of '" + entry->symbol + "'"))
    return error;
  if (Error error = api.check(
          api.funcGetAttribute(&sharedBytes, FunctionSharedSizeBytes, function),
          "hipFuncGetAttribute of '" + entry->symbol + "'"))
    return error;
  known =
      std::make_unique<HipKernel>(*entry, sharedBytes, maxThreads, function);
  return known.get();
}

Expected<std::unique_ptr<Module>> HipDevice::loadModule(const Image &image) {
  if (image.kind != ImageKind::HSACO)
    return createStringError("a HIP device cannot load an image of kind " +
                             getImageKindName(image.kind));
  const Api &api = *context->api;
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  hipModule_t module = nullptr;
  if (Error error =
          api.check(api.moduleLoadData(&module, image.bytes.data()),
                    "hipModuleLoadData of an image for " + image.targetName +
                        " (" + image.isa + ") on " + getInfo().name + " (" +
                        getInfo().chip + ", " + getInfo().driver + ")"))
    return error;
  return std::make_unique<HipModule>(context, module, image);
}

//===----------------------------------------------------------------------===//
// Memory and launches
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Buffer>> HipDevice::allocate(uint64_t bytes) {
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  void *address = nullptr;
  // 0 bytes would give a null pointer; a view of extent 0 has an address.
  if (Error error = context->api->check(
          context->api->memAlloc(&address, std::max<uint64_t>(bytes, 1)),
          "hipMalloc of " + Twine(bytes) + " bytes"))
    return error;
  return std::make_unique<HipBuffer>(context, address, bytes);
}

Error HipDevice::doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) {
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  return context->api->check(
      context->api->memCopy(static_cast<HipBuffer &>(buffer).get(),
                            bytes.data(), bytes.size(), HostToDevice),
      "hipMemcpy of " + Twine(bytes.size()) + " bytes to the device");
}

Error HipDevice::doCopyOut(MutableArrayRef<uint8_t> bytes, Buffer &buffer) {
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  return context->api->check(
      context->api->memCopy(bytes.data(),
                            static_cast<HipBuffer &>(buffer).get(),
                            bytes.size(), DeviceToHost),
      "hipMemcpy of " + Twine(bytes.size()) + " bytes from the device");
}

Error HipDevice::doLaunch(Kernel &kernel, const LaunchConfig &config,
                          ArrayRef<KernelArg> args) {
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  SmallVector<uint64_t> slots;
  for (const KernelArg &arg : args)
    slots.push_back(arg.buffer ? arg.buffer->getAddress() : arg.bits);
  SmallVector<void *> parameters;
  for (uint64_t &slot : slots)
    parameters.push_back(&slot);
  const Api &api = *context->api;
  hipFunction_t function = static_cast<HipKernel &>(kernel).function;
  if (kernel.getEntry().cooperative && api.moduleLaunchCooperativeKernel)
    return api.check(
        api.moduleLaunchCooperativeKernel(
            function, config.grid[0], config.grid[1], config.grid[2],
            config.block[0], config.block[1], config.block[2],
            config.dynamicSharedBytes, /*stream=*/nullptr, parameters.data()),
        "hipModuleLaunchCooperativeKernel of '" + kernel.getName() + "'");
  return api.check(
      api.moduleLaunchKernel(function, config.grid[0], config.grid[1],
                             config.grid[2], config.block[0], config.block[1],
                             config.block[2], config.dynamicSharedBytes,
                             /*stream=*/nullptr, parameters.data(), nullptr),
      "hipModuleLaunchKernel of '" + kernel.getName() + "'");
}

Error HipDevice::synchronize() {
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  return context->api->check(context->api->deviceSynchronize(),
                             "hipDeviceSynchronize");
}

Expected<unsigned> HipDevice::getMaxResidentBlocks(Kernel &kernel,
                                                   const LaunchConfig &config) {
  const Api &api = *context->api;
  if (!api.occupancyMaxActiveBlocks)
    return make_error<DeviceError>(
        "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", "",
        "the HIP runtime lacks this entry point", "update the HIP runtime");
  if (Error error = checkLaunch(getInfo(), kernel, config))
    return error;
  CurrentDevice current(*context);
  if (Error error = current.check())
    return error;
  int blocks = 0;
  int threads = config.block[0] * config.block[1] * config.block[2];
  if (Error error =
          api.check(api.occupancyMaxActiveBlocks(
                        &blocks, static_cast<HipKernel &>(kernel).function,
                        threads, config.dynamicSharedBytes),
                    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor of '" +
                        kernel.getName() + "'"))
    return error;
  return blocks;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static Expected<unsigned> countDevices(const Api &api) {
  int count = 0;
  if (Error error = api.check(api.getDeviceCount(&count), "hipGetDeviceCount"))
    return error;
  if (count == 0)
    return api.check(ErrorNoDevice, "hipGetDeviceCount");
  return count;
}

Expected<unsigned> coll::countHipDevices() {
  Expected<std::shared_ptr<const Api>> api = Api::load();
  if (!api)
    return api.takeError();
  return countDevices(**api);
}

static Expected<std::string> readChip(const Api &api, int device) {
  bool isNew = api.getDevicePropertiesR0600 != nullptr;
  auto *getProperties =
      isNew ? api.getDevicePropertiesR0600 : api.getDeviceProperties;
  const char *call =
      isNew ? "hipGetDevicePropertiesR0600" : "hipGetDeviceProperties";
  if (!getProperties)
    return make_error<DeviceError>(call, "", "the HIP runtime lacks it",
                                   "update the HIP runtime");
  // Ten times the largest layout so far (1472 bytes).
  alignas(16) std::array<char, 16384> properties = {};
  if (Error error = api.check(getProperties(properties.data(), device), call))
    return error;
  StringRef chip = findChip({properties.data(), properties.size()});
  if (chip.empty())
    return make_error<DeviceError>(call, "", "it names no chip (gfx...)",
                                   "update the HIP runtime");
  return chip.str();
}

static Error readAttributes(const Api &api, int device, DeviceInfo &info) {
  int warpSize = 0, processors = 0, threads = 0, shared = 0, block[3] = {},
      grid[3] = {};
  const std::pair<hipDeviceAttribute, int *> attributes[] = {
      {WarpSize, &warpSize},          {MultiprocessorCount, &processors},
      {MaxThreadsPerBlock, &threads}, {MaxSharedMemoryPerBlock, &shared},
      {MaxBlockDimX, &block[0]},      {MaxBlockDimY, &block[1]},
      {MaxBlockDimZ, &block[2]},      {MaxGridDimX, &grid[0]},
      {MaxGridDimY, &grid[1]},        {MaxGridDimZ, &grid[2]}};
  for (auto [attribute, value] : attributes)
    if (Error error =
            api.check(api.deviceGetAttribute(value, attribute, device),
                      "hipDeviceGetAttribute " + Twine(int(attribute))))
      return error;
  info.warpSize = warpSize;
  info.multiprocessors = processors;
  info.maxThreadsPerBlock = threads;
  info.maxSharedBytes = shared;
  std::copy_n(block, 3, info.maxBlock.begin());
  std::copy_n(grid, 3, info.maxGrid.begin());
  return Error::success();
}

static Expected<DeviceInfo> readInfo(const Api &api, unsigned index) {
  DeviceInfo info;
  info.kind = DeviceKind::HIP;
  info.index = index;
  info.vendor = "amd";
  info.driver = api.getVersion();
  Expected<std::string> chip = readChip(api, index);
  if (!chip)
    return chip.takeError();
  info.chip = *chip;
  char name[256] = {};
  if (Error error = api.check(api.deviceGetName(name, sizeof(name) - 1, index),
                              "hipDeviceGetName"))
    return error;
  info.name = name[0] ? name : info.chip;
  size_t memory = 0;
  if (Error error =
          api.check(api.deviceTotalMem(&memory, index), "hipDeviceTotalMem"))
    return error;
  info.memoryBytes = memory;
  if (Error error = readAttributes(api, index, info))
    return error;
  return info;
}

Expected<std::unique_ptr<Device>> coll::openHipDevice(unsigned index) {
  Expected<std::shared_ptr<const Api>> api = Api::load();
  if (!api)
    return api.takeError();
  Expected<unsigned> count = countDevices(**api);
  if (!count)
    return count.takeError();
  if (index >= *count)
    return make_error<DeviceError>(
        ("opening hip:" + Twine(index)).str(), "",
        ("the HIP devices are 0 to " + Twine(*count - 1)).str(), "");
  Expected<DeviceInfo> info = readInfo(**api, index);
  if (!info)
    return info.takeError();
  auto context =
      std::make_shared<Context>(Context{*api, static_cast<int>(index)});
  return std::make_unique<HipDevice>(std::move(*info), std::move(context));
}
