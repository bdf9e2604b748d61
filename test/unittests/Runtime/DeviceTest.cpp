//===- DeviceTest.cpp - Devices, their limits and missing drivers ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Device.h"
#include "coll/Runtime/Arguments.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <thread>

using namespace coll;
using namespace llvm;

namespace {

/// Sets an environment variable for one test.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const char *value) : name(name) {
    setenv(name, value, 1);
  }
  ~ScopedVariable() { unsetenv(name); }

private:
  const char *name;
};

template <typename T> std::string getError(Expected<T> value) {
  return value ? "no error" : toString(value.takeError());
}

std::string getError(Error error) {
  return error ? toString(std::move(error)) : "no error";
}

//===----------------------------------------------------------------------===//
// Names and limits
//===----------------------------------------------------------------------===//

TEST(DeviceSpec, Parses) {
  EXPECT_EQ(cantFail(DeviceSpec::parse("auto")).kind, std::nullopt);
  EXPECT_EQ(cantFail(DeviceSpec::parse("reference")).number, 0u);
  EXPECT_EQ(cantFail(DeviceSpec::parse("reference:64")).number, 64u);
  EXPECT_EQ(cantFail(DeviceSpec::parse("cuda")).kind, DeviceKind::CUDA);
  EXPECT_EQ(cantFail(DeviceSpec::parse("cuda:3")).number, 3u);
  EXPECT_EQ(cantFail(DeviceSpec::parse("hip:1")).kind, DeviceKind::HIP);
  EXPECT_EQ(getError(DeviceSpec::parse("gpu")),
            "unknown device 'gpu', expected auto, reference[:32|:64], "
            "cuda[:N], hip[:N] or sim:CHIP");
  EXPECT_EQ(getError(DeviceSpec::parse("cuda:")),
            "device 'cuda:' needs a number after ':', got ''");
  EXPECT_EQ(getError(DeviceSpec::parse("auto:1")),
            "unknown device 'auto:1', expected auto, reference[:32|:64], "
            "cuda[:N], hip[:N] or sim:CHIP");
  EXPECT_EQ(getError(DeviceSpec::parse("reference:16")),
            "the reference device has warps of 32 or 64 threads, not 16");
}

TEST(Launch, ChecksLimits) {
  DeviceInfo info;
  info.kind = DeviceKind::CUDA;
  info.name = "Fake GPU";
  info.maxBlock = {1024, 1024, 64};
  info.maxGrid = {0x7fffffff, 65535, 65535};
  info.maxSharedBytes = 1000;
  Kernel kernel({"k", "k", 600}, 600, 512);
  auto check = [&](LaunchConfig config) {
    return getError(checkLaunch(info, kernel, config));
  };
  EXPECT_EQ(check({{1, 1, 1}, {512, 1, 1}, 400}), "no error");
  EXPECT_EQ(check({{1, 1, 1}, {1, 1, 1}, 401}),
            "launch of 'k' failed: the shared memory of a block (600 static "
            "bytes and 401 dynamic) is 1001, and Fake GPU allows 1000");
  EXPECT_EQ(check({{1, 1, 1}, {1, 1, 1}, ~0ull}),
            "launch of 'k' failed: the shared memory of a block (600 static "
            "bytes and 18446744073709551615 dynamic) is 18446744073709551615, "
            "and Fake GPU allows 1000");
  EXPECT_EQ(check({{1, 1, 1}, {1, 1, 65}, 0}),
            "launch of 'k' failed: the block's z is 65, and Fake GPU allows "
            "64");
  EXPECT_EQ(check({{1, 65536, 1}, {1, 1, 1}, 0}),
            "launch of 'k' failed: the grid's y is 65536, and Fake GPU allows "
            "65535");
  EXPECT_EQ(check({{1, 1, 1}, {1024, 2, 1}, 0}),
            "launch of 'k' failed: the number of threads in a block is 2048, "
            "and Fake GPU allows 1024");
  EXPECT_EQ(check({{1, 1, 1}, {513, 1, 1}, 0}),
            "launch of 'k' failed: the number of threads in a block is 513, "
            "and its use of registers allows 512");
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

std::string selectName(std::vector<std::pair<const char *, ImageKind>> images,
                       const DeviceInfo &info) {
  Bundle bundle;
  for (auto [target, kind] : images)
    bundle.images.push_back({target, kind, "", {}, ""});
  Expected<const Image *> image = selectImage(bundle, info);
  if (!image)
    return toString(image.takeError());
  return (*image)->targetName + " " + getImageKindName((*image)->kind).str();
}

TEST(SelectImage, TakesTheBestForTheChip) {
  DeviceInfo hopper;
  hopper.kind = DeviceKind::CUDA;
  hopper.name = "H200";
  hopper.chip = "sm_90";
  hopper.computeCapability = 90;
  constexpr ImageKind ptx = ImageKind::PTX, cubin = ImageKind::Cubin,
                      hsaco = ImageKind::HSACO;
  EXPECT_EQ(
      selectName({{"sm_80", ptx}, {"sm_90", ptx}, {"sm_100", ptx}}, hopper),
      "sm_90 ptx");
  EXPECT_EQ(selectName({{"sm_90", ptx}, {"sm_90", cubin}}, hopper),
            "sm_90 cubin");
  EXPECT_EQ(selectName({{"sm_90", cubin}, {"sm_90a", ptx}}, hopper),
            "sm_90a ptx");
  EXPECT_EQ(selectName({{"sm_80", cubin}, {"sm_75", ptx}}, hopper),
            "sm_75 ptx");
  EXPECT_EQ(selectName({{"sm_80", cubin}, {"gfx942", hsaco}}, hopper),
            "the bundle has no image for sm_90 (H200), only for sm_80, gfx942");

  DeviceInfo navi;
  navi.kind = DeviceKind::HIP;
  navi.chip = "gfx1100";
  EXPECT_EQ(selectName({{"gfx1100:64", hsaco}, {"gfx1100", hsaco}}, navi),
            "gfx1100 hsaco");
  EXPECT_EQ(selectName({{"gfx942", hsaco}, {"gfx1100:64", hsaco}}, navi),
            "gfx1100:64 hsaco");
}

TEST(SelectImage, ReferenceImagesAreOfOneWarpWidth) {
  DeviceInfo info;
  info.chip = "reference";
  info.warpSize = 64;
  EXPECT_EQ(cantFail(getCompileTarget(info)), "reference:64");
  constexpr ImageKind collir = ImageKind::CollIR;
  EXPECT_EQ(selectName({{"reference", collir}, {"reference:64", collir}}, info),
            "reference:64 collir");
  info.warpSize = 32;
  EXPECT_EQ(selectName({{"reference:64", collir}, {"reference", collir}}, info),
            "reference collir");
}

TEST(CompileTarget, UnknownNvidiaChipsTakeTheNextOlder) {
  DeviceInfo info;
  info.kind = DeviceKind::CUDA;
  info.chip = "sm_90";
  info.computeCapability = 90;
  EXPECT_EQ(cantFail(getCompileTarget(info)), "sm_90");
  info.chip = "sm_88";
  info.computeCapability = 88;
  EXPECT_EQ(cantFail(getCompileTarget(info)), "sm_87");
  info.kind = DeviceKind::HIP;
  info.chip = "gfx700";
  info.computeCapability = 0;
  EXPECT_NE(getError(getCompileTarget(info)).find("gfx700"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Drivers
//===----------------------------------------------------------------------===//

TEST(MissingDriver, SaysWhatToDo) {
  ScopedVariable cuda("COLL_CUDA_LIBRARY", "/nowhere/libcuda.so.1");
  ScopedVariable hip("COLL_HIP_LIBRARY", "/nowhere/libamdhip64.so");
  std::string text = getError(openCudaDevice(0));
  EXPECT_EQ(text.find("opening /nowhere/libcuda.so.1 failed: "), 0u) << text;
  EXPECT_NE(text.find("; install the NVIDIA driver, or use "
                      "--device=reference"),
            std::string::npos)
      << text;
  text = getError(countHipDevices());
  EXPECT_NE(text.find("install the HIP runtime"), std::string::npos) << text;
  // `auto` gives both reasons.
  text = getError(openGpu(DeviceSpec()));
  EXPECT_NE(text.find("libcuda"), std::string::npos) << text;
  EXPECT_NE(text.find("libamdhip64"), std::string::npos) << text;
}

TEST(MissingDriver, LibraryWithoutTheEntryPoints) {
  ScopedVariable cuda("COLL_CUDA_LIBRARY", "libm.so.6");
  std::string text = getError(openCudaDevice(0));
  EXPECT_EQ(text.find("binding libm.so.6 failed: the library lacks cuInit, "),
            0u)
      << text;
}

TEST(HipRuntime, EveryRequiredEntryPointBinds) {
  Expected<std::vector<EntryPoint>> entries = getHipEntryPoints();
  if (!entries)
    GTEST_SKIP() << "no HIP runtime is installed: "
                 << toString(entries.takeError());
  unsigned required = 0;
  for (const EntryPoint &entry : *entries) {
    required += entry.required;
    EXPECT_TRUE(entry.found || !entry.required) << entry.symbol;
    EXPECT_EQ(entry.use.empty(), entry.required) << entry.symbol;
  }
  EXPECT_EQ(required, 19u);
}

TEST(HipRuntime, NoDeviceIsAClearError) {
  if (Expected<std::vector<EntryPoint>> entries = getHipEntryPoints(); !entries)
    GTEST_SKIP() << "no HIP runtime is installed: "
                 << toString(entries.takeError());
  Expected<unsigned> count = countHipDevices();
  if (count)
    GTEST_SKIP() << "there is an AMD GPU";
  std::string text = toString(count.takeError());
  // The runtime's own word: NoDevice, or InvalidDevice from 5.2's hipInit.
  EXPECT_NE(text.find(" failed: hipError"), std::string::npos) << text;
  EXPECT_NE(text.find("there is no AMD GPU: check /dev/kfd and "
                      "HIP_VISIBLE_DEVICES, or use --device=reference"),
            std::string::npos)
      << text;
}

//===----------------------------------------------------------------------===//
// The CUDA device over a driver without a GPU
//===----------------------------------------------------------------------===//

class FakeCudaTest : public testing::Test {
protected:
  ScopedVariable library{"COLL_CUDA_LIBRARY", COLL_FAKE_CUDA};
  Image image{"sm_86",
              ImageKind::PTX,
              "ptx 7.1",
              {{"add<i32>", "add_i32", 0}, {"gone", "gone", 0}},
              "// text"};
};

TEST_F(FakeCudaTest, ReadsTheDevice) {
  std::unique_ptr<Device> device = cantFail(openGpu(DeviceSpec()));
  const DeviceInfo &info = device->getInfo();
  EXPECT_EQ(device->str(), "cuda:0");
  EXPECT_EQ(info.name, "Fake GPU");
  EXPECT_EQ(info.chip, "sm_86");
  EXPECT_EQ(info.driver, "CUDA 12.4");
  EXPECT_EQ(info.multiprocessors, 7u);
  EXPECT_EQ(info.maxSharedBytes, 99u << 10);
  EXPECT_EQ(info.maxBlock[2], 64u);
  EXPECT_EQ(getError(openCudaDevice(1)),
            "opening cuda:1 failed: the CUDA devices are 0 to 0");
}

TEST_F(FakeCudaTest, NoDevice) {
  ScopedVariable none("COLL_FAKE_CUDA_DEVICES", "0");
  EXPECT_EQ(getError(openCudaDevice(0)),
            "cuDeviceGetCount failed: CUDA_ERROR_NO_DEVICE 100 (some error); "
            "no NVIDIA GPU is visible: check nvidia-smi and "
            "CUDA_VISIBLE_DEVICES, or use --device=reference");
}

/// Adds 5 to 8 integers with a grid of `blocks` blocks of 4 threads.
std::vector<int32_t> addFive(Device &device, const Image &image,
                             uint64_t blocks) {
  std::unique_ptr<Module> module = cantFail(device.loadModule(image));
  Kernel *kernel = cantFail(module->getKernel("add<i32>"));
  EXPECT_EQ(kernel, cantFail(module->getKernel("add<i32>")));
  std::vector<int32_t> data = {0, 1, 2, 3, 4, 5, 6, 7};
  MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(data.data()), 32);
  std::unique_ptr<Buffer> buffer = cantFail(device.allocate(32));
  cantFail(device.copyIn(*buffer, bytes));
  LaunchConfig config{{blocks, 1, 1}, {4, 1, 1}, 64 << 10};
  cantFail(device.launch(*kernel, config,
                         {KernelArg::view(*buffer), KernelArg::scalar(5)}));
  cantFail(device.synchronize());
  cantFail(device.copyOut(bytes, *buffer));
  return data;
}

TEST_F(FakeCudaTest, RunsFromAnyThread) {
  std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
  std::vector<int32_t> expected = {5, 6, 7, 8, 9, 10, 11, 12};
  EXPECT_EQ(addFive(*device, image, 2), expected);
  std::vector<int32_t> other;
  std::thread([&] { other = addFive(*device, image, 2); }).join();
  EXPECT_EQ(other, expected);
}

/// Code that has all its shared memory sized by the launch says how much.
TEST_F(FakeCudaTest, LaunchesAskForSharedMemory) {
  image.entries[0].launchSharedBytes = 70000;
  std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
  std::unique_ptr<Module> module = cantFail(device->loadModule(image));
  Kernel *kernel = cantFail(module->getKernel("add<i32>"));
  KernelManifest manifest;
  LaunchConfig config{{1, 1, 1}, {4, 1, 1}, 0};
  EXPECT_EQ(getError(sizeMemory(config, *kernel, manifest, {})), "no error");
  EXPECT_EQ(config.dynamicSharedBytes, 70000u);
  std::unique_ptr<Buffer> buffer = cantFail(device->allocate(16));
  cantFail(device->copyIn(*buffer, std::vector<uint8_t>(16)));
  EXPECT_EQ(
      getError(device->launch(
          *kernel, config, {KernelArg::view(*buffer), KernelArg::scalar(5)})),
      "no error");

  // An array that the launch sizes comes on top.
  config.dynamicSharedBytes = 40000;
  EXPECT_EQ(getError(sizeMemory(config, *kernel, manifest, {})), "no error");
  EXPECT_EQ(config.dynamicSharedBytes, 110000u);
  EXPECT_EQ(
      getError(device->launch(
          *kernel, config, {KernelArg::view(*buffer), KernelArg::scalar(5)})),
      "launch of 'add<i32>' failed: the shared memory of a block (1024 "
      "static bytes and 110000 dynamic) is 111024, and Fake GPU allows "
      "101376");
}

TEST_F(FakeCudaTest, EmptyGridRunsNothing) {
  std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
  EXPECT_EQ(addFive(*device, image, 0),
            (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(FakeCudaTest, EmptyBuffersAreAllowed) {
  std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
  std::unique_ptr<Buffer> buffer = cantFail(device->allocate(0));
  EXPECT_EQ(buffer->getSize(), 0u);
  EXPECT_NE(buffer->getAddress(), 0u);
  EXPECT_EQ(getError(device->copyIn(*buffer, {})), "no error");
}

TEST_F(FakeCudaTest, ErrorsHaveTheDriversWords) {
  std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
  EXPECT_EQ(getError(device->allocate(uint64_t(1) << 40)),
            "cuMemAlloc_v2 of 1099511627776 bytes failed: "
            "CUDA_ERROR_OUT_OF_MEMORY 2 (out of memory); use smaller arrays, "
            "or free memory on the device");
  std::unique_ptr<Buffer> buffer = cantFail(device->allocate(4));
  EXPECT_EQ(getError(device->copyIn(*buffer, {1, 2})),
            "a copy to the device failed: the host has 2 bytes and the buffer "
            "4");
  std::unique_ptr<Module> module = cantFail(device->loadModule(image));
  EXPECT_EQ(getError(module->getKernel("gone")),
            "cuModuleGetFunction of 'gone' failed: CUDA_ERROR_NOT_FOUND 500 "
            "(named symbol not found)");
  EXPECT_EQ(getError(module->getKernel("other")),
            "the image has no kernel 'other'");
  Kernel *kernel = cantFail(module->getKernel("add<i32>"));
  EXPECT_EQ(getError(device->getMaxResidentBlocks(*kernel, {})),
            "cuOccupancyMaxActiveBlocksPerMultiprocessor failed: the driver "
            "lacks this entry point; update the driver");
}

TEST_F(FakeCudaTest, LoadFailureShowsTheLog) {
  std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
  image.bytes = "bad";
  EXPECT_EQ(getError(device->loadModule(image)),
            "cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX 218 (a PTX JIT "
            "compilation failed; the image is sm_86 (ptx 7.1), the driver is "
            "for CUDA 12.4, the device is Fake GPU (sm_86); the driver's log:\n"
            "line 1: bad instruction\n); the driver's log says where");
  image.kind = ImageKind::HSACO;
  EXPECT_EQ(getError(device->loadModule(image)),
            "a CUDA device cannot load an image of kind hsaco");
}

TEST_F(FakeCudaTest, DeviceMayGoBeforeItsBuffers) {
  std::unique_ptr<Buffer> buffer;
  std::unique_ptr<Module> module;
  {
    std::unique_ptr<Device> device = cantFail(openCudaDevice(0));
    buffer = cantFail(device->allocate(4));
    module = cantFail(device->loadModule(image));
  }
  module.reset();
  buffer.reset();
}

} // namespace
