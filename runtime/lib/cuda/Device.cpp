//===- Device.cpp - Kernels on NVIDIA GPUs --------------------------------===//
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
using namespace coll::cuda;
using namespace llvm;

namespace {
using ApiRef = std::shared_ptr<const Api>;

/// The device's primary context, held while the device, or a buffer or module
/// of it, is alive.
class Context {
public:
  Context(ApiRef api, CUdevice device, CUcontext context)
      : api(std::move(api)), device(device), context(context) {}
  ~Context() { api->primaryCtxRelease(device); }
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;

  const Api &getApi() const { return *api; }
  CUcontext get() const { return context; }

private:
  ApiRef api;
  CUdevice device;
  CUcontext context;
};
using ContextRef = std::shared_ptr<Context>;

/// Makes the context current on this thread, and what was there before current
/// again at the end.
class CurrentContext {
public:
  explicit CurrentContext(const Context &context)
      : api(context.getApi()), status(api.ctxPushCurrent(context.get())) {}
  ~CurrentContext() {
    CUcontext old;
    if (status == Success)
      api.ctxPopCurrent(&old);
  }
  Error check() const { return api.check(status, "cuCtxPushCurrent_v2"); }

private:
  const Api &api;
  CUresult status;
};

class CudaBuffer final : public Buffer {
public:
  CudaBuffer(ContextRef context, CUdeviceptr address, uint64_t size)
      : Buffer(size), context(std::move(context)), address(address) {}
  ~CudaBuffer() override {
    CurrentContext current(*context);
    context->getApi().memFree(address);
  }
  uint64_t getAddress() const override { return address; }

private:
  ContextRef context;
  CUdeviceptr address;
};

class CudaKernel final : public Kernel {
public:
  CudaKernel(const ImageEntry &entry, uint64_t sharedBytes, uint32_t maxThreads,
             CUfunction function)
      : Kernel(entry, sharedBytes, maxThreads), function(function) {}
  const CUfunction function;
};

class CudaModule final : public Module {
public:
  CudaModule(ContextRef context, CUmodule module, ArrayRef<ImageEntry> entries)
      : context(std::move(context)), module(module), entries(entries) {}
  ~CudaModule() override {
    CurrentContext current(*context);
    context->getApi().moduleUnload(module);
  }
  Expected<Kernel *> getKernel(StringRef kernel) override;

private:
  ContextRef context;
  CUmodule module;
  std::vector<ImageEntry> entries;
  StringMap<std::unique_ptr<CudaKernel>> kernels;
};

class CudaDevice final : public Device {
public:
  CudaDevice(DeviceInfo info, ContextRef context)
      : Device(std::move(info)), context(std::move(context)) {}

  Expected<std::unique_ptr<Buffer>> allocate(uint64_t bytes) override;
  Expected<std::unique_ptr<Module>> loadModule(const Image &image) override;
  Error synchronize() override;
  Expected<unsigned> getMaxResidentBlocks(Kernel &kernel,
                                          const LaunchConfig &config) override;
  Expected<uint64_t>
  getMaxCooperativeBlocks(Kernel &kernel, const LaunchConfig &config) override;

protected:
  Error doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) override;
  Error doCopyOut(MutableArrayRef<uint8_t> bytes, Buffer &buffer) override;
  Error doLaunch(Kernel &kernel, const LaunchConfig &config,
                 ArrayRef<KernelArg> args) override;

private:
  Error allowDynamicShared(const CudaKernel &kernel, uint64_t bytes);

  ContextRef context;
};
} // namespace

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Expected<Kernel *> CudaModule::getKernel(StringRef kernel) {
  std::unique_ptr<CudaKernel> &known = kernels[kernel];
  if (known)
    return known.get();
  auto entry = find_if(
      entries, [&](const ImageEntry &entry) { return entry.kernel == kernel; });
  if (entry == entries.end())
    return createStringError("the image has no kernel '" + kernel + "'");
  const Api &api = context->getApi();
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  CUfunction function = nullptr;
  if (Error error = api.check(
          api.moduleGetFunction(&function, module, entry->symbol.c_str()),
          "cuModuleGetFunction of '" + entry->symbol + "'"))
    return error;
  int maxThreads = 0, sharedBytes = 0;
  if (Error error =
          api.check(api.funcGetAttribute(&maxThreads,
                                         FunctionMaxThreadsPerBlock, function),
                    "cuFuncGetAttribute of '" + entry->symbol + "'"))
    return error;
  if (Error error = api.check(
          api.funcGetAttribute(&sharedBytes, FunctionSharedSizeBytes, function),
          "cuFuncGetAttribute of '" + entry->symbol + "'"))
    return error;
  known =
      std::make_unique<CudaKernel>(*entry, sharedBytes, maxThreads, function);
  return known.get();
}

/// Adds the driver's log and what the code and the driver are to `error`.
static Error explainLoad(Error error, const Image &image,
                         const DeviceInfo &info, StringRef log) {
  return handleErrors(std::move(error), [&](const DeviceError &device) {
    std::string text = device.getText().str() + "; the image is " +
                       image.targetName + " (" + image.isa +
                       "), the driver is for " + info.driver +
                       ", the device is " + info.name + " (" + info.chip + ")";
    if (!log.trim().empty())
      text += "; the driver's log:\n" + log.trim().str() + "\n";
    return make_error<DeviceError>(device.getCall().str(),
                                   device.getCode().str(), text,
                                   device.getAdvice().str());
  });
}

Expected<std::unique_ptr<Module>> CudaDevice::loadModule(const Image &image) {
  if (image.kind != ImageKind::PTX && image.kind != ImageKind::Cubin)
    return createStringError("a CUDA device cannot load an image of kind " +
                             getImageKindName(image.kind));
  const Api &api = context->getApi();
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  std::vector<char> infoLog(16384), errorLog(16384);
  CUjitOption options[] = {JitInfoLogBuffer, JitInfoLogBufferSizeBytes,
                           JitErrorLogBuffer, JitErrorLogBufferSizeBytes};
  // Sizes are passed by value in the pointer.
  void *values[] = {infoLog.data(), reinterpret_cast<void *>(infoLog.size()),
                    errorLog.data(), reinterpret_cast<void *>(errorLog.size())};
  CUmodule module = nullptr;
  // std::string ends with a zero, which PTX text needs.
  CUresult status = api.moduleLoadDataEx(&module, image.bytes.c_str(),
                                         std::size(options), options, values);
  errorLog.back() = '\0';
  if (Error error = api.check(status, "cuModuleLoadDataEx"))
    return explainLoad(std::move(error), image, getInfo(), errorLog.data());
  return std::make_unique<CudaModule>(context, module, image.entries);
}

//===----------------------------------------------------------------------===//
// Memory and launches
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<Buffer>> CudaDevice::allocate(uint64_t bytes) {
  const Api &api = context->getApi();
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  CUdeviceptr address = 0;
  // The driver refuses 0 bytes; a view of extent 0 still has an address.
  if (Error error =
          api.check(api.memAlloc(&address, std::max<uint64_t>(bytes, 1)),
                    "cuMemAlloc_v2 of " + Twine(bytes) + " bytes"))
    return error;
  return std::make_unique<CudaBuffer>(context, address, bytes);
}

Error CudaDevice::doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) {
  const Api &api = context->getApi();
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  return api.check(
      api.memcpyHtoD(buffer.getAddress(), bytes.data(), bytes.size()),
      "cuMemcpyHtoD_v2 of " + Twine(bytes.size()) + " bytes");
}

Error CudaDevice::doCopyOut(MutableArrayRef<uint8_t> bytes, Buffer &buffer) {
  const Api &api = context->getApi();
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  return api.check(
      api.memcpyDtoH(bytes.data(), buffer.getAddress(), bytes.size()),
      "cuMemcpyDtoH_v2 of " + Twine(bytes.size()) + " bytes");
}

/// A block may have more than 48 KiB only after asking for it.
Error CudaDevice::allowDynamicShared(const CudaKernel &kernel, uint64_t bytes) {
  if (bytes == 0)
    return Error::success();
  const Api &api = context->getApi();
  return api.check(
      api.funcSetAttribute(kernel.function, FunctionMaxDynamicSharedSizeBytes,
                           static_cast<int>(bytes)),
      "cuFuncSetAttribute of " + Twine(bytes) +
          " bytes of dynamic shared memory for '" + kernel.getName() + "'");
}

static CUlaunchConfig
makeConfig(const LaunchConfig &config,
           MutableArrayRef<CUlaunchAttribute> attributes) {
  return {static_cast<unsigned>(config.grid[0]),
          static_cast<unsigned>(config.grid[1]),
          static_cast<unsigned>(config.grid[2]),
          config.block[0],
          config.block[1],
          config.block[2],
          static_cast<unsigned>(config.dynamicSharedBytes),
          /*stream=*/nullptr,
          attributes.data(),
          static_cast<unsigned>(attributes.size())};
}

/// The code itself says how large its clusters are, so that a plain launch has
/// them.
static Error start(const Api &api, const CudaKernel &kernel,
                   const LaunchConfig &config, void **parameters) {
  bool isCooperative = kernel.getEntry().cooperative;
  bool hasClusters = kernel.getClusterSize() != 1;
  if (isCooperative && hasClusters && api.launchKernelEx) {
    CUlaunchAttribute attribute{LaunchCooperative, 0, {1}};
    CUlaunchConfig launch = makeConfig(config, attribute);
    return api.check(
        api.launchKernelEx(&launch, kernel.function, parameters, nullptr),
        "cuLaunchKernelEx of '" + kernel.getName() + "'");
  }
  if (isCooperative && !hasClusters && api.launchCooperativeKernel)
    return api.check(api.launchCooperativeKernel(
                         kernel.function, config.grid[0], config.grid[1],
                         config.grid[2], config.block[0], config.block[1],
                         config.block[2], config.dynamicSharedBytes,
                         /*stream=*/nullptr, parameters),
                     "cuLaunchCooperativeKernel of '" + kernel.getName() + "'");
  return api.check(api.launchKernel(kernel.function, config.grid[0],
                                    config.grid[1], config.grid[2],
                                    config.block[0], config.block[1],
                                    config.block[2], config.dynamicSharedBytes,
                                    /*stream=*/nullptr, parameters, nullptr),
                   "cuLaunchKernel of '" + kernel.getName() + "'");
}

Error CudaDevice::doLaunch(Kernel &kernel, const LaunchConfig &config,
                           ArrayRef<KernelArg> args) {
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  auto &cudaKernel = static_cast<CudaKernel &>(kernel);
  if (Error error = allowDynamicShared(cudaKernel, config.dynamicSharedBytes))
    return error;
  SmallVector<uint64_t> slots;
  for (const KernelArg &arg : args)
    slots.push_back(arg.buffer ? arg.buffer->getAddress() : arg.bits);
  SmallVector<void *> parameters;
  for (uint64_t &slot : slots)
    parameters.push_back(&slot);
  return start(context->getApi(), cudaKernel, config, parameters.data());
}

Error CudaDevice::synchronize() {
  const Api &api = context->getApi();
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  return api.check(api.ctxSynchronize(), "cuCtxSynchronize");
}

static Error missingEntryPoint(const char *name) {
  return make_error<DeviceError>(name, "", "the driver lacks this entry point",
                                 "update the driver");
}

Expected<unsigned>
CudaDevice::getMaxResidentBlocks(Kernel &kernel, const LaunchConfig &config) {
  const Api &api = context->getApi();
  if (!api.occupancyMaxActiveBlocks)
    return missingEntryPoint("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (Error error = checkLaunch(getInfo(), kernel, config))
    return error;
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  auto &cudaKernel = static_cast<CudaKernel &>(kernel);
  if (Error error = allowDynamicShared(cudaKernel, config.dynamicSharedBytes))
    return error;
  int blocks = 0;
  int threads = config.block[0] * config.block[1] * config.block[2];
  if (Error error = api.check(
          api.occupancyMaxActiveBlocks(&blocks, cudaKernel.function, threads,
                                       config.dynamicSharedBytes),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor of '" +
              kernel.getName() + "'"))
    return error;
  return blocks;
}

/// Clusters lie on the multiprocessors of one part of the chip, so that fewer
/// of them fit than their blocks alone would.
Expected<uint64_t>
CudaDevice::getMaxCooperativeBlocks(Kernel &kernel,
                                    const LaunchConfig &config) {
  if (kernel.getClusterSize() == 1)
    return Device::getMaxCooperativeBlocks(kernel, config);
  const Api &api = context->getApi();
  if (!api.occupancyMaxActiveClusters)
    return missingEntryPoint("cuOccupancyMaxActiveClusters");
  CurrentContext current(*context);
  if (Error error = current.check())
    return error;
  auto &cudaKernel = static_cast<CudaKernel &>(kernel);
  if (Error error = allowDynamicShared(cudaKernel, config.dynamicSharedBytes))
    return error;
  const std::array<uint32_t, 3> &cluster = kernel.getEntry().cluster;
  CUlaunchAttribute attribute{
      LaunchClusterDimension, 0, {cluster[0], cluster[1], cluster[2]}};
  CUlaunchConfig launch = makeConfig(config, attribute);
  int clusters = 0;
  if (Error error = api.check(
          api.occupancyMaxActiveClusters(&clusters, cudaKernel.function,
                                         &launch),
          "cuOccupancyMaxActiveClusters of '" + kernel.getName() + "'"))
    return error;
  return clusters * kernel.getClusterSize();
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static Expected<unsigned> countDevices(const Api &api) {
  int count = 0;
  if (Error error = api.check(api.deviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  if (count == 0)
    return api.check(ErrorNoDevice, "cuDeviceGetCount");
  return count;
}

Expected<unsigned> coll::countCudaDevices() {
  Expected<ApiRef> api = Api::load();
  if (!api)
    return api.takeError();
  return countDevices(**api);
}

static Expected<DeviceInfo> readInfo(const Api &api, CUdevice device,
                                     unsigned index) {
  int major = 0, minor = 0, warpSize = 0, processors = 0, threads = 0,
      shared = 0, block[3] = {}, grid[3] = {};
  const std::pair<CUdeviceAttribute, int *> attributes[] = {
      {ComputeCapabilityMajor, &major},
      {ComputeCapabilityMinor, &minor},
      {WarpSize, &warpSize},
      {MultiprocessorCount, &processors},
      {MaxThreadsPerBlock, &threads},
      {MaxSharedMemoryPerBlockOptin, &shared},
      {MaxBlockDimX, &block[0]},
      {MaxBlockDimY, &block[1]},
      {MaxBlockDimZ, &block[2]},
      {MaxGridDimX, &grid[0]},
      {MaxGridDimY, &grid[1]},
      {MaxGridDimZ, &grid[2]}};
  for (auto [attribute, value] : attributes)
    if (Error error =
            api.check(api.deviceGetAttribute(value, attribute, device),
                      "cuDeviceGetAttribute " + Twine(int(attribute))))
      return error;
  char name[256] = {};
  size_t memory = 0;
  if (Error error = api.check(api.deviceGetName(name, sizeof(name) - 1, device),
                              "cuDeviceGetName"))
    return error;
  if (Error error =
          api.check(api.deviceTotalMem(&memory, device), "cuDeviceTotalMem_v2"))
    return error;
  DeviceInfo info;
  info.kind = DeviceKind::CUDA;
  info.index = index;
  info.name = name;
  info.vendor = "nvidia";
  info.computeCapability = 10 * major + minor;
  info.chip = ("sm_" + Twine(info.computeCapability)).str();
  info.driver = api.getDriverVersion();
  info.warpSize = warpSize;
  info.multiprocessors = processors;
  info.maxThreadsPerBlock = threads;
  std::copy_n(block, 3, info.maxBlock.begin());
  std::copy_n(grid, 3, info.maxGrid.begin());
  info.maxSharedBytes = shared;
  info.memoryBytes = memory;
  return info;
}

Expected<std::unique_ptr<Device>> coll::openCudaDevice(unsigned index) {
  Expected<ApiRef> api = Api::load();
  if (!api)
    return api.takeError();
  Expected<unsigned> count = countDevices(**api);
  if (!count)
    return count.takeError();
  if (index >= *count)
    return make_error<DeviceError>(
        ("opening cuda:" + Twine(index)).str(), "",
        ("the CUDA devices are 0 to " + Twine(*count - 1)).str(), "");
  CUdevice device = 0;
  if (Error error =
          (*api)->check((*api)->deviceGet(&device, index), "cuDeviceGet"))
    return error;
  Expected<DeviceInfo> info = readInfo(**api, device, index);
  if (!info)
    return info.takeError();
  CUcontext context = nullptr;
  if (Error error = (*api)->check((*api)->primaryCtxRetain(&context, device),
                                  "cuDevicePrimaryCtxRetain"))
    return error;
  return std::make_unique<CudaDevice>(
      std::move(*info), std::make_shared<Context>(*api, device, context));
}
