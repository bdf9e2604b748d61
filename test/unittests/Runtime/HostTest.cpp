//===- HostTest.cpp - The C++ interface -----------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Bundle/Bundle.h"
#include "coll/coll.hpp"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace coll;

namespace {

/// A bundle for the driver without a GPU: kernel add(x: mut [n]i32, k: i32)
/// workgroup(4) grid(ceil_div(n, 4)).
std::string makeBundle() {
  KernelManifest kernel;
  kernel.name = "add<i32>";
  kernel.extents = {"n"};
  StorageType i32 = StorageType::scalar(ScalarType::I32);
  kernel.params = {
      {"x",
       ParamKind::View,
       i32,
       ParamAccess::Mut,
       {ViewDim::makeExtent(0)},
       std::nullopt},
      {"k", ParamKind::Scalar, i32, ParamAccess::Read, {}, std::nullopt}};
  kernel.workgroup = {4, 1, 1};
  kernel.grid = {llvm::cantFail(LaunchExpr::parse("(ceil_div n 4)"))};
  Bundle bundle;
  bundle.kernels = {kernel};
  bundle.images = {{"sm_80",
                    ImageKind::PTX,
                    "ptx 7.0",
                    {{"add<i32>", "add_i32", 0}},
                    "// text"}};
  return llvm::cantFail(bundle.serialize());
}

class HostTest : public testing::Test {
protected:
  HostTest() { setenv("COLL_CUDA_LIBRARY", COLL_FAKE_CUDA, 1); }
  ~HostTest() override { unsetenv("COLL_CUDA_LIBRARY"); }
};

TEST_F(HostTest, LoadsAndLaunches) {
  auto device = host::Device::open("auto");
  ASSERT_TRUE(device) << device.getMessage();
  EXPECT_EQ(device->getName(), "Fake GPU");
  EXPECT_EQ(device->getTarget(), "sm_86");
  auto program = device->load(makeBundle());
  ASSERT_TRUE(program) << program.getMessage();
  EXPECT_EQ(program->getKernelNames(), std::vector<std::string>{"add<i32>"});
  auto kernel = program->getKernel("add<i32>");
  auto buffer = device->allocate(32);
  ASSERT_TRUE(kernel && buffer);
  int32_t data[] = {0, 1, 2, 3, 4, 5, 6, 7};
  ASSERT_TRUE(buffer->copyIn(data, 32));
  EXPECT_EQ(kernel->launch({buffer->view({8}), host::arg(-5)}).getMessage(),
            "");
  ASSERT_TRUE(device->synchronize());
  ASSERT_TRUE(buffer->copyOut(data, 32));
  EXPECT_EQ(data[0], -5);
  EXPECT_EQ(data[7], 2);
}

TEST_F(HostTest, RefusesWrongArguments) {
  auto device = host::Device::open("cuda");
  auto program = device->load(makeBundle());
  auto kernel = program->getKernel("add<i32>");
  auto buffer = device->allocate(32);
  ASSERT_TRUE(kernel && buffer);
  host::View view = buffer->view({8});
  EXPECT_EQ(kernel->launch({view}).getMessage(),
            "kernel 'add<i32>' has 2 parameters, got 1 arguments");
  EXPECT_EQ(kernel->launch({buffer->view({9}), host::arg(1)}).getMessage(),
            "parameter 'x': [9]i32 takes 36 bytes, the buffer has 32");
  EXPECT_EQ(kernel->launch({buffer->view({2, 4}), host::arg(1)}).getMessage(),
            "parameter 'x': expected 1 dimensions, got the shape [2, 4]");
  EXPECT_EQ(kernel->launch({view, view}).getMessage(),
            "parameter 'k': expected a scalar");
  EXPECT_EQ(kernel->launch({view, host::arg(1.0)}).getMessage(),
            "parameter 'k': expected a value of type i32");
  EXPECT_EQ(kernel->launch({view, host::arg(int64_t(1) << 31)}).getMessage(),
            "parameter 'k': the value 2147483648 is out of range for i32");
}

TEST_F(HostTest, MessagesSayWhatFailed) {
  EXPECT_EQ(host::Device::open("gpu").getMessage(),
            "unknown device 'gpu', expected auto, reference[:32|:64], "
            "cuda[:N] or hip[:N]");
  auto device = host::Device::open("cuda");
  ASSERT_TRUE(device);
  EXPECT_EQ(device->load("text").getMessage(),
            "not a valid bundle: it does not start with 'COLLBNDL'");
  auto program = device->load(makeBundle());
  ASSERT_TRUE(program);
  EXPECT_EQ(program->getKernel("sub").getMessage(),
            "the bundle has no kernel 'sub'");
}

TEST_F(HostTest, HandlesKeepWhatTheyNeed) {
  std::optional<host::Buffer> buffer;
  {
    auto device = host::Device::open("cuda");
    buffer = *device->allocate(4);
  }
  int32_t value = 3;
  EXPECT_TRUE(buffer->copyIn(&value, 4));
}

} // namespace
