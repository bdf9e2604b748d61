//===- ResidentTest.cpp - Blocks that wait, on devices without a GPU ------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HipSimFixture.h"
#include "coll/Runtime/ReferenceDevice.h"
#include "coll/Runtime/SimulatorDevice.h"
#include "hip/Api.h"

using namespace coll;
using namespace llvm;

namespace {

constexpr const char *source = R"(
kernel meet(come: mut [1]u32, y: mut [n]u32) workgroup(64) {
  if thread.rank == 0 {
    atomic.add(come[0], 1);
    while (atomic.load(come[0]) as i64) < block.count { pause(); }
    y[block.index] = atomic.load(come[0]);
  }
}
)";

/// Runs a kernel whose blocks wait until all of them have come.
class Resident : public HipSimFixture {
protected:
  /// What a launch of `blocks` blocks says; "" where each has seen all.
  static std::string run(Device &device, uint64_t blocks) {
    std::string target = cantFail(getCompileTarget(device.getInfo()));
    Image image = compile(source, target).images.front();
    image.entries.front().cooperative = true;
    auto module = cantFail(device.loadModule(image));
    Kernel *kernel = cantFail(module->getKernel("meet"));
    std::vector<uint32_t> y(blocks);
    MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(y.data()),
                                   4 * blocks);
    auto come = cantFail(device.allocate(4));
    auto out = cantFail(device.allocate(bytes.size()));
    cantFail(device.copyIn(*come, std::vector<uint8_t>(4)));
    if (Error error =
            device.launch(*kernel, {{blocks, 1, 1}, {64, 1, 1}},
                          {KernelArg::view(*come), KernelArg::view(*out),
                           KernelArg::scalar(blocks)}))
      return toString(std::move(error));
    cantFail(device.synchronize());
    cantFail(device.copyOut(bytes, *out));
    EXPECT_EQ(y, std::vector<uint32_t>(blocks, uint32_t(blocks)));
    return "";
  }
};

TEST_F(Resident, Reference) {
  for (unsigned warpSize : {32, 64})
    EXPECT_EQ(run(*openReferenceDevice(warpSize), 100), "");
  std::string text = run(*openReferenceDevice(32), 2000000);
  StringRef rest = text;
  EXPECT_TRUE(rest.consume_front(
      "launch of 'meet' failed: the grid has 2000000 blocks, and "
      "the reference device holds at most "))
      << text;
  uint64_t most = 0;
  EXPECT_FALSE(rest.consumeInteger(10, most)) << text;
  EXPECT_TRUE(rest.starts_with(" of this kernel at once")) << text;
  // A block takes some KiB of 2 GiB.
  EXPECT_GT(most, 10000u);
  EXPECT_LT(most, 1000000u);
}

TEST_F(Resident, SimulatedOnOneThreadAndSeveral) {
  for (const char *chip : {"gfx90a", "gfx1100"})
    for (unsigned threads : {1, 4}) {
      SimulatorSettings settings;
      settings.threads = threads;
      EXPECT_EQ(run(*cantFail(openSimulatedDevice(chip, settings)), 100), "");
    }
}

TEST_F(Resident, SimulatedInRandomOrder) {
  for (uint64_t seed : {1, 2, 3}) {
    SimulatorSettings settings;
    settings.scheduleSeed = seed;
    EXPECT_EQ(run(*cantFail(openSimulatedDevice("gfx942", settings)), 30), "");
  }
}

TEST_F(Resident, SimulatedRefusesMoreThanItsMemoryHolds) {
  auto device = cantFail(openSimulatedDevice("gfx942", SimulatorSettings()));
  std::string text = run(*device, 20000);
  StringRef rest = text;
  EXPECT_TRUE(rest.consume_front("launch of 'meet' failed: the grid has 20000 "
                                 "blocks, and the simulator of "
                                 "gfx942 holds at most "))
      << text;
  uint64_t most = 0;
  EXPECT_FALSE(rest.consumeInteger(10, most)) << text;
  // The registers of a wave alone take 128 KiB of 2 GiB.
  EXPECT_GT(most, 10000u);
  EXPECT_LT(most, 16384u);
}

TEST_F(Resident, SimulatedRefusesMoreThanItWasToldToHold) {
  SimulatorSettings settings;
  settings.residentGroups = 12;
  auto device = cantFail(openSimulatedDevice("gfx1201", settings));
  EXPECT_EQ(run(*device, 12), "");
  EXPECT_EQ(
      run(*device, 13),
      "launch of 'meet' failed: the grid has 13 blocks, and the simulator "
      "of gfx1201 holds at most 12 of this kernel at once; blocks that "
      "wait for each other must all be there: use a smaller grid");
}

TEST_F(Resident, HIP) {
  // Four processors with 16 blocks each.
  auto device = cantFail(openHipDevice(0));
  EXPECT_EQ(run(*device, 64), "");
  EXPECT_EQ(run(*device, 65),
            "launch of 'meet' failed: the grid has 65 blocks, and Simulated "
            "gfx942 holds at most 64 of this kernel at once; blocks that wait "
            "for each other must all be there: use a smaller grid");
}

/// The runtime's own check, behind that of the device.
TEST_F(Resident, HIPRefusesACooperativeLaunchThatDoesNotFit) {
  auto api = cantFail(hip::Api::load());
  ASSERT_EQ(api->setDevice(0), hip::Success);
  Image image = compile(source, "gfx942").images.front();
  hip::hipModule_t module = nullptr;
  ASSERT_EQ(api->moduleLoadData(&module, image.bytes.data()), hip::Success);
  hip::hipFunction_t function = nullptr;
  ASSERT_EQ(api->moduleGetFunction(&function, module, "meet"), hip::Success);
  constexpr auto tooLarge = hip::hipError_t(720);
  EXPECT_EQ(api->moduleLaunchCooperativeKernel(function, 65, 1, 1, 64, 1, 1, 0,
                                               nullptr, nullptr),
            tooLarge);
  EXPECT_EQ(StringRef(api->getErrorName(tooLarge)),
            "hipErrorCooperativeLaunchTooLarge");
  EXPECT_EQ(api->moduleUnload(module), hip::Success);
}

} // namespace
