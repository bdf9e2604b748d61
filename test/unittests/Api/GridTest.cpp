//===- GridTest.cpp - Kernels whose blocks wait for each other ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One workspace serves kernels and grids of all sizes, and what the user passes
// has nothing of it.
//
//===----------------------------------------------------------------------===//

#include "ApiTest.h"
#include <cstdlib>
#include <numeric>
#include <thread>

using namespace coll;

static const char source[] = R"(
kernel total(x: [n]i32, y: mut [1]i32) workgroup(64) grid(ceil_div(n, 64)) {
  let i = grid.rank;
  let sum = grid.reduce(add, i < n ? x[i] : 0);
  if i == 0 { y[0] = sum; }
}
kernel prefix(x: [n]i32, y: mut [n]i32) workgroup(128) grid(ceil_div(n, 128)) {
  let i = grid.rank;
  let sums = grid.scan(add, (i < n ? x[i] : 0, i as f64));
  if i < n { y[i] = sums.0; }
}
)";

namespace {
class ApiGrid : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    setenv("COLL_HIP_LIBRARY", COLL_HIP_SIM, 1);
    Expected<Device> opened = Device::open(GetParam());
    if (!opened)
      GTEST_SKIP() << opened.error().message();
    device = *opened;
    module = get(get(Program::fromSource(source)).load(*device));
  }
  void TearDown() override { unsetenv("COLL_HIP_LIBRARY"); }

  /// Of 1, 2, ..., `count`.
  void checkTotal(int count) {
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    Buffer x = get(device->upload(numbers)), y = get(device->allocate<int>(1));
    ASSERT_TRUE(get(module->kernel("total")).launch(x, y));
    EXPECT_EQ(get(y.read<int>()).front(), count * (count + 1) / 2) << count;
  }
  void checkPrefix(int count) {
    std::vector<int> ones(count, 1), expected(count);
    std::iota(expected.begin(), expected.end(), 1);
    Buffer x = get(device->upload(ones)), y = get(device->allocate<int>(count));
    ASSERT_TRUE(get(module->kernel("prefix")).launch(x, y));
    EXPECT_EQ(get(y.read<int>()), expected) << count;
  }

  std::optional<Device> device;
  std::optional<Module> module;
};
} // namespace

TEST_P(ApiGrid, launchesOfAllSizesFollowEachOther) {
  for (int count : {1, 300, 2000, 65, 4000, 64, 3}) {
    checkTotal(count);
    checkPrefix(count);
    checkTotal(count);
  }
}

TEST_P(ApiGrid, launchesFromSeveralThreadsTakeTurns) {
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([this, i] {
      for (int round = 0; round != 3; ++round)
        i % 2 ? checkTotal(500 * i + round) : checkPrefix(700 * i + 1);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_P(ApiGrid, kernelsHaveTheArgumentsThatTheSourceSays) {
  Kernel total = get(module->kernel("total"));
  EXPECT_EQ(total.signature(), "total(x: [n]i32, y: mut [1]i32)");
  Buffer x = get(device->allocate<int>(4)), y = get(device->allocate<int>(1));
  expectError(total.launch(x, y, x), ErrorKind::Usage,
              "launch of 'total': expected 2 arguments, got 3");
}

INSTANTIATE_TEST_SUITE_P(Devices, ApiGrid,
                         testing::Values("reference", "reference:64", "hip",
                                         "cuda"),
                         [](const auto &info) {
                           std::string name = info.param;
                           return name == "reference:64" ? "reference64" : name;
                         });

TEST(ApiGridLimit, aGridThatTheDeviceCannotHoldIsRefused) {
  setenv("COLL_HIP_LIBRARY", COLL_HIP_SIM, 1);
  Device device = get(Device::open("hip"));
  Kernel total =
      get(get(get(Program::fromSource(source)).load(device)).kernel("total"));
  Buffer x = get(device.allocate<int>(65 * 64));
  Buffer y = get(device.allocate<int>(1));
  expectError(total.launch(x, y), ErrorKind::Device,
              "launch of 'total' on hip:0: launch of 'total' failed: the grid "
              "has 65 blocks, and Simulated gfx942 holds at most 64 of this "
              "kernel at once; blocks that wait for each other must all be "
              "there: use a smaller grid");
  // A smaller one still runs.
  EXPECT_TRUE(total.launch(Grid(64), x, y));
  EXPECT_TRUE(device.synchronize());
  unsetenv("COLL_HIP_LIBRARY");
}
