//===- DeviceTest.cpp - Devices and buffers of the host API ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApiTest.h"

using namespace coll;

TEST(ApiDevice, opensTheReferenceDeviceWithBothWarpWidths) {
  Device narrow = get(Device::open("reference"));
  EXPECT_TRUE(narrow.isReference());
  EXPECT_EQ(narrow.info().id, "reference:32");
  EXPECT_EQ(narrow.info().warpSize, 32u);
  EXPECT_EQ(narrow.name(), "interpreter, warps of 32");
  Device wide = get(Device::open("reference:64"));
  EXPECT_EQ(wide.info().id, "reference:64");
  EXPECT_EQ(wide.info().warpSize, 64u);
}

TEST(ApiDevice, openAlwaysFindsADevice) { EXPECT_TRUE(Device::open()); }

TEST(ApiDevice, refusesUnknownDevices) {
  expectError(Device::open("vulkan"), ErrorKind::Usage,
              "unknown device 'vulkan', expected auto, reference[:32|:64], "
              "cuda[:N], hip[:N] or sim:CHIP");
  expectError(Device::open("reference:16"), ErrorKind::Usage,
              "the reference device has warps of 32 or 64 threads, not 16");
}

TEST(ApiDevice, saysWhyAGpuCannotBeOpened) {
  Expected<Device> device = Device::open("cuda:99");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind(), ErrorKind::Device);
  EXPECT_EQ(device.error().message().find("opening device 'cuda:99': "), 0u)
      << device.error().message();
}

TEST(ApiDevice, listsTheReferenceDevicesLast) {
  std::vector<DeviceInfo> devices = Device::list();
  ASSERT_GE(devices.size(), 2u);
  EXPECT_EQ(devices[devices.size() - 2].id, "reference:32");
  EXPECT_EQ(devices.back().id, "reference:64");
}

TEST(ApiBuffer, readsWhatWasWritten) {
  Device device = get(Device::open("reference"));
  std::vector<double> data = {1.5, -2, 1e300};
  Buffer buffer = get(device.upload(data));
  EXPECT_EQ(buffer.bytes(), 24u);
  EXPECT_EQ(get(buffer.read<double>()), data);
  data[1] = 7;
  EXPECT_TRUE(buffer.write(data));
  EXPECT_EQ(get(buffer.read<double>()), data);
  EXPECT_TRUE(device.synchronize());
}

TEST(ApiBuffer, mayBeEmpty) {
  Device device = get(Device::open("reference"));
  Buffer buffer = get(device.upload(std::vector<int>()));
  EXPECT_EQ(buffer.bytes(), 0u);
  EXPECT_TRUE(get(buffer.read<int>()).empty());
}

TEST(ApiBuffer, refusesCopiesOfAnotherSize) {
  Device device = get(Device::open("reference"));
  Buffer buffer = get(device.allocate(10));
  char data[12] = {};
  expectError(buffer.write(data, 12), ErrorKind::Usage,
              "writing a buffer of 10 bytes, got 12 bytes");
  expectError(buffer.read(data, 9), ErrorKind::Usage,
              "reading a buffer of 10 bytes, got 9 bytes");
  expectError(buffer.read<int32_t>(), ErrorKind::Usage,
              "reading a buffer of 10 bytes, which are no whole number of "
              "elements of 4 bytes");
}

TEST(ApiBuffer, refusesMoreThanThereIs) {
  Device device = get(Device::open("reference"));
  expectError(device.allocate<double>(SIZE_MAX / 2), ErrorKind::Usage,
              "a buffer of 9223372036854775807 elements of 8 bytes is larger "
              "than any memory");
  expectError(device.allocate(SIZE_MAX), ErrorKind::Device,
              "allocating on reference:32: allocation of 18446744073709551615 "
              "bytes failed: out of memory; use smaller arrays");
  // Twice that is just below 2^64.
  expectError(device.allocate(SIZE_MAX / 2), ErrorKind::Device,
              "allocating on reference:32: allocation of 9223372036854775807 "
              "bytes failed: out of memory; use smaller arrays");
}

TEST(ApiExpectedDeathTest, showsTheErrorThatWasNotHandled) {
  EXPECT_DEATH((void)*Device::open("vulkan"),
               "coll: an error was not handled: unknown device 'vulkan'");
  EXPECT_DEATH((void)Device::open("reference").error(),
               "coll: the error of a success was asked for");
}

TEST(ApiVersion, isThatOfTheProject) { EXPECT_STREQ(version(), COLL_VERSION); }
