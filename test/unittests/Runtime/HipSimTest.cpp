//===- HipSimTest.cpp - The HIP device over the simulated runtime ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipSimFixture.h"
#include "coll/Runtime/Device.h"
#include "hip/Api.h"

using namespace coll;
using namespace llvm;

namespace {

constexpr const char *source = R"(
kernel scale(x: [n]f32, y: mut [n]f32, k: f32, add: f64, odd: i8)
    workgroup(64) grid(ceil_div(n, 64)) {
  let i = block.index * 64 + block.rank;
  if i < n { y[i] = x[i] * k + (add as f32) + (odd as f32); }
}
kernel sums(x: [n]i32, y: mut [1]i32) workgroup(256) grid(1) {
  let i = block.rank;
  var v = 0;
  if i < n { v = x[i]; }
  v = block.reduce(add, v);
  if i == 0 { y[0] = v; }
}
)";

class HipSim : public HipSimFixture {
protected:
  static Bundle compile(StringRef target) {
    return HipSimFixture::compile(source, target);
  }

  static std::string getError(Error error) {
    return toString(std::move(error));
  }
};

template <typename T> ArrayRef<uint8_t> getBytes(const std::vector<T> &values) {
  return {reinterpret_cast<const uint8_t *>(values.data()),
          values.size() * sizeof(T)};
}
template <typename T>
MutableArrayRef<uint8_t> getBytes(std::vector<T> &values) {
  return {reinterpret_cast<uint8_t *>(values.data()),
          values.size() * sizeof(T)};
}

TEST_F(HipSim, TellsItsDevices) {
  EXPECT_EQ(cantFail(countHipDevices()), 4u);
  std::unique_ptr<Device> first = cantFail(openHipDevice(0));
  EXPECT_EQ(first->getInfo().name, "Simulated gfx942");
  EXPECT_EQ(first->getInfo().chip, "gfx942");
  EXPECT_EQ(first->getInfo().warpSize, 64u);
  EXPECT_EQ(first->getInfo().maxSharedBytes, 65536u);
  EXPECT_EQ(first->getInfo().memoryBytes, 1048576u);
  std::unique_ptr<Device> second = cantFail(openHipDevice(1));
  EXPECT_EQ(second->getInfo().chip, "gfx1100");
  EXPECT_EQ(second->getInfo().warpSize, 32u);
  EXPECT_EQ(getError(openHipDevice(4).takeError()),
            "opening hip:4 failed: the HIP devices are 0 to 3");
}

TEST_F(HipSim, EveryEntryPointBinds) {
  for (const EntryPoint &entry : cantFail(getHipEntryPoints()))
    EXPECT_TRUE(entry.found) << entry.symbol;
}

TEST_F(HipSim, PropertiesOfAllVersionsNameTheChip) {
  auto api = cantFail(hip::Api::load());
  for (auto *getProperties :
       {api->getDeviceProperties, api->getDevicePropertiesR0600}) {
    std::vector<char> properties(2048);
    ASSERT_EQ(getProperties(properties.data(), 1), hip::Success);
    EXPECT_EQ(hip::findChip({properties.data(), properties.size()}), "gfx1100");
    EXPECT_EQ(getProperties(properties.data(), 4), hip::ErrorInvalidDevice);
  }
}

TEST_F(HipSim, PacksArgumentsOfAllSizes) {
  for (auto [index, target] : {std::pair(0, "gfx942"), {1, "gfx1100"}}) {
    std::unique_ptr<Device> device = cantFail(openHipDevice(index));
    Bundle bundle = compile(target);
    std::unique_ptr<Module> module =
        cantFail(device->loadModule(bundle.images.front()));
    Kernel *kernel = cantFail(module->getKernel("scale"));
    std::vector<float> x(100), y(100);
    for (unsigned i = 0; i != 100; ++i)
      x[i] = static_cast<float>(i);
    auto in = cantFail(device->allocate(400));
    auto out = cantFail(device->allocate(400));
    cantFail(device->copyIn(*in, getBytes(x)));
    cantFail(device->launch(*kernel, {{2, 1, 1}, {64, 1, 1}, 0},
                            {KernelArg::view(*in), KernelArg::view(*out),
                             KernelArg::scalar(bit_cast<uint32_t>(0.5f)),
                             KernelArg::scalar(bit_cast<uint64_t>(1000.0)),
                             KernelArg::scalar(uint8_t(-3)),
                             KernelArg::scalar(100)}));
    cantFail(device->synchronize());
    cantFail(device->copyOut(getBytes(y), *out));
    for (unsigned i = 0; i != 100; ++i)
      EXPECT_EQ(y[i], 0.5f * i + 997) << target;
  }
}

TEST_F(HipSim, RunsABlockCollective) {
  std::unique_ptr<Device> device = cantFail(openHipDevice(0));
  Bundle bundle = compile("gfx942");
  auto module = cantFail(device->loadModule(bundle.images.front()));
  Kernel *kernel = cantFail(module->getKernel("sums"));
  EXPECT_GT(kernel->getStaticSharedBytes(), 0u);
  EXPECT_EQ(kernel->getMaxThreads(), 256u);
  EXPECT_GE(cantFail(device->getMaxResidentBlocks(*kernel,
                                                  {{1, 1, 1}, {256, 1, 1}, 0})),
            1u);
  std::vector<int32_t> x(200, 3), y(1);
  auto in = cantFail(device->allocate(800));
  auto out = cantFail(device->allocate(4));
  cantFail(device->copyIn(*in, getBytes(x)));
  cantFail(device->launch(
      *kernel, {{1, 1, 1}, {256, 1, 1}, 0},
      {KernelArg::view(*in), KernelArg::view(*out), KernelArg::scalar(200)}));
  cantFail(device->copyOut(getBytes(y), *out));
  EXPECT_EQ(y[0], 600);
}

TEST_F(HipSim, OutOfMemory) {
  std::unique_ptr<Device> device = cantFail(openHipDevice(0));
  EXPECT_EQ(getError(device->allocate(1048577).takeError()),
            "hipMalloc of 1048577 bytes failed: hipErrorOutOfMemory 2 (out of "
            "memory); use smaller arrays, or free memory on the device");
  // What is freed can be used again.
  for (unsigned i = 0; i != 3; ++i)
    EXPECT_TRUE(bool(device->allocate(1000000))) << i;
}

TEST_F(HipSim, RefusesWrongImages) {
  std::unique_ptr<Device> device = cantFail(openHipDevice(0));
  Bundle other = compile("gfx1100");
  EXPECT_NE(getError(device->loadModule(other.images.front()).takeError())
                .find("hipErrorNoBinaryForGpu 209"),
            std::string::npos);
  Image damaged = compile("gfx942").images.front();
  EXPECT_NE(getError(cantFail(device->loadModule(damaged))
                         ->getKernel("nothing")
                         .takeError()),
            "");
  damaged.bytes.replace(0, 4,
                        "\x7f"
                        "EXE");
  EXPECT_NE(getError(device->loadModule(damaged).takeError())
                .find("hipErrorInvalidImage 200"),
            std::string::npos);
}

/// The library's own checks, behind those of the device.
TEST_F(HipSim, RefusesBadArguments) {
  auto api = cantFail(hip::Api::load());
  const hip::hipError_t invalidValue = hip::hipError_t(1);
  const hip::hipError_t invalidConfiguration = hip::hipError_t(9);
  const hip::hipError_t invalidHandle = hip::hipError_t(400);
  EXPECT_EQ(api->init(1), invalidValue);
  EXPECT_EQ(api->setDevice(7), hip::ErrorInvalidDevice);
  EXPECT_EQ(api->setDevice(0), hip::Success);
  EXPECT_EQ(api->memAlloc(nullptr, 4), invalidValue);
  char byte = 0;
  EXPECT_EQ(api->memFree(&byte), invalidValue);
  EXPECT_EQ(api->memFree(nullptr), hip::Success);
  EXPECT_EQ(api->memCopy(&byte, &byte, 1, hip::DeviceToHost), invalidValue);
  EXPECT_EQ(api->moduleUnload(nullptr), invalidHandle);

  Bundle bundle = compile("gfx942");
  const Image &image = bundle.images.front();
  hip::hipModule_t module = nullptr;
  ASSERT_EQ(api->moduleLoadData(&module, image.bytes.data()), hip::Success);
  hip::hipFunction_t function = nullptr;
  EXPECT_EQ(api->moduleGetFunction(&function, module, "none"),
            hip::ErrorNotFound);
  ASSERT_EQ(api->moduleGetFunction(&function, module, "scale"), hip::Success);
  auto launch = [&](hip::hipFunction_t function, unsigned grid, unsigned block,
                    unsigned shared) {
    return api->moduleLaunchKernel(function, grid, 1, 1, block, 1, 1, shared,
                                   nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(launch(nullptr, 1, 64, 0), invalidHandle);
  EXPECT_EQ(launch(function, 0, 64, 0), invalidConfiguration);
  EXPECT_EQ(launch(function, 1, 2000, 0), invalidConfiguration);
  EXPECT_EQ(launch(function, 1, 64, 65537), hip::ErrorLaunchOutOfResources);
  EXPECT_EQ(launch(function, 1, 64, 0), invalidValue); // No arguments.
  EXPECT_EQ(api->moduleUnload(module), hip::Success);
  EXPECT_EQ(launch(function, 1, 64, 0), invalidHandle);
}

TEST_F(HipSim, FaultsAreReportedByTheNextCall) {
  std::unique_ptr<Device> device = cantFail(openHipDevice(2));
  Bundle bundle = compile("gfx1201");
  auto module = cantFail(device->loadModule(bundle.images.front()));
  Kernel *kernel = cantFail(module->getKernel("sums"));
  auto in = cantFail(device->allocate(40));
  auto out = cantFail(device->allocate(4));
  // The extent is more than there is.
  cantFail(device->launch(
      *kernel, {{1, 1, 1}, {256, 1, 1}, 0},
      {KernelArg::view(*in), KernelArg::view(*out), KernelArg::scalar(200)}));
  std::string text = getError(device->synchronize());
  EXPECT_NE(text.find("hipErrorIllegalAddress 700"), std::string::npos) << text;
  EXPECT_NE(text.find("behind an allocation of 40 bytes"), std::string::npos)
      << text;
  EXPECT_NE(text.find("in kernel 'sums'"), std::string::npos) << text;
  std::vector<int32_t> y(1);
  EXPECT_NE(getError(device->copyOut(getBytes(y), *out)), "");
}

} // namespace
