//===- CooperativeTest.cpp - Launches of blocks that wait -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which launches are refused, with which entry point they go, and that their
// workspace is kept: over drivers without a GPU.
//
//===----------------------------------------------------------------------===//

#include "coll/Runtime/Arguments.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace coll;
using namespace llvm;

namespace {

/// What the driver's launches add, see FakeCuda.cpp.
constexpr int32_t plain = 7, cooperative = plain + (1 << 10),
                  launchedEx = plain + (1 << 20);
constexpr uint64_t bufferBytes = 1 << 15;

std::string getError(Error error) {
  return error ? toString(std::move(error)) : "no error";
}

class CooperativeTest : public testing::Test {
protected:
  CooperativeTest() {
    entry.cooperative = true;
    entry.workspace = cantFail(LaunchExpr::parse("(* 8 grid.count)"));
  }
  ~CooperativeTest() override { unsetenv("COLL_CUDA_LIBRARY"); }

  /// Loads `entry` with the driver.
  void open(const char *driver) {
    setenv("COLL_CUDA_LIBRARY", driver, 1);
    device = cantFail(openCudaDevice(0));
    module = cantFail(
        device->loadModule({"sm_86", ImageKind::PTX, "ptx 7.1", {entry}, ""}));
    kernel = cantFail(module->getKernel("add"));
    buffer = cantFail(device->allocate(bufferBytes));
  }

  Error launch(uint64_t gridX, uint64_t workspaceBytes) {
    cantFail(device->copyIn(*buffer, std::vector<uint8_t>(bufferBytes)));
    LaunchConfig config{{gridX, 1, 1}, {512, 1, 1}, 0, workspaceBytes};
    return device->launch(*kernel, config,
                          {KernelArg::view(*buffer), KernelArg::scalar(plain)});
  }
  /// What a launch that must not fail adds to the first integer.
  int32_t run(uint64_t gridX, uint64_t workspaceBytes) {
    EXPECT_EQ(getError(launch(gridX, workspaceBytes)), "no error");
    std::vector<uint8_t> bytes(bufferBytes);
    cantFail(device->copyOut(bytes, *buffer));
    return *reinterpret_cast<int32_t *>(bytes.data());
  }

  ImageEntry entry{"add", "add_i32", 0};
  std::unique_ptr<Device> device;
  std::unique_ptr<Module> module;
  std::unique_ptr<Buffer> buffer;
  Kernel *kernel = nullptr;
};

TEST_F(CooperativeTest, TheGridMustBeResident) {
  open(COLL_FAKE_COOPERATIVE);
  // Four blocks of 512 threads on each of seven multiprocessors.
  LaunchConfig config{{2, 1, 1}, {512, 1, 1}, 0, 16};
  EXPECT_EQ(cantFail(device->getMaxCooperativeBlocks(*kernel, config)), 28u);
  EXPECT_EQ(getError(launch(29, 16)),
            "launch of 'add' failed: the grid has 29 blocks, and Fake GPU "
            "holds at most 28 of this kernel at once; blocks that wait for "
            "each other must all be there: use a smaller grid");
  EXPECT_EQ(run(2, 16), cooperative + 1);
}

TEST_F(CooperativeTest, EmptyGridsNeedNoResidency) {
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(run(0, 0), 0);
}

TEST_F(CooperativeTest, OthersAreLaunchedAsBefore) {
  entry.cooperative = false;
  entry.workspace.reset();
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(run(2, 0), plain);
}

TEST_F(CooperativeTest, TheWorkspaceIsKeptUntilMoreIsNeeded) {
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(run(2, 16), cooperative + 1);
  EXPECT_EQ(run(1, 8), cooperative + 2);
  EXPECT_EQ(run(2, 4096), cooperative + 3);
  // Another one, which is zero again.
  EXPECT_EQ(run(2, 5000), cooperative + 1);
  EXPECT_EQ(run(2, 16), cooperative + 2);
}

TEST_F(CooperativeTest, DevicesDoNotShareAWorkspace) {
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(run(2, 16), cooperative + 1);
  std::unique_ptr<Device> other = cantFail(openCudaDevice(0));
  std::swap(device, other);
  EXPECT_EQ(run(2, 16), cooperative + 1);
}

TEST_F(CooperativeTest, TheWorkspaceIsNotKeptAfterAFailedLaunch) {
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(run(2, 16), cooperative + 1);
  LaunchConfig config{{1, 1, 1}, {512, 1, 1}, 0, 16};
  KernelArg nothing;
  // The driver refuses a null pointer.
  EXPECT_NE(getError(device->launch(*kernel, config,
                                    {nothing, KernelArg::scalar(plain)})),
            "no error");
  EXPECT_EQ(run(2, 16), cooperative + 1);
}

TEST_F(CooperativeTest, NoMemoryForTheWorkspace) {
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(getError(launch(2, (uint64_t(1) << 62) + 1)),
            "cuMemAlloc_v2 of 4611686018427387905 bytes failed: "
            "CUDA_ERROR_OUT_OF_MEMORY 2 (out of memory); use smaller arrays, "
            "or free memory on the device");
  EXPECT_EQ(run(2, 16), cooperative + 1);
}

TEST_F(CooperativeTest, ADriverWithoutOccupancyRefuses) {
  open(COLL_FAKE_CUDA);
  EXPECT_EQ(getError(launch(1, 16)),
            "cuOccupancyMaxActiveBlocksPerMultiprocessor failed: the driver "
            "lacks this entry point; update the driver");
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

TEST_F(CooperativeTest, AGridIsWholeClusters) {
  entry.cluster = {4, 1, 1};
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(getError(launch(6, 16)),
            "launch of 'add' failed: the grid's x is 6, which is no multiple "
            "of the cluster's 4");
}

TEST_F(CooperativeTest, ClustersThatWaitGoBySpecialLaunch) {
  entry.cluster = {4, 1, 1};
  open(COLL_FAKE_COOPERATIVE);
  EXPECT_EQ(run(4, 16), launchedEx + 1);
  EXPECT_EQ(getError(launch(12, 16)),
            "launch of 'add' failed: the grid has 12 blocks, and Fake GPU "
            "holds at most 8 of this kernel at once; blocks that wait for "
            "each other must all be there: use a smaller grid");
}

TEST_F(CooperativeTest, ClustersThatDoNotWaitGoByPlainLaunch) {
  entry.cluster = {4, 1, 1};
  entry.cooperative = false;
  entry.workspace.reset();
  open(COLL_FAKE_CUDA);
  EXPECT_EQ(run(4, 0), plain);
}

TEST_F(CooperativeTest, ADriverWithoutClusterOccupancyRefuses) {
  entry.cluster = {4, 1, 1};
  open(COLL_FAKE_CUDA);
  EXPECT_EQ(getError(launch(4, 16)),
            "cuOccupancyMaxActiveClusters failed: the driver lacks this entry "
            "point; update the driver");
}

//===----------------------------------------------------------------------===//
// The size of the workspace
//===----------------------------------------------------------------------===//

TEST(Workspace, DependsOnTheGridAndTheArguments) {
  KernelManifest manifest;
  manifest.name = "k";
  manifest.extents = {"n"};
  StorageType i32 = StorageType::scalar(ScalarType::I32);
  manifest.params = {
      {"m", ParamKind::Scalar, i32, ParamAccess::Read, {}, std::nullopt}};
  BoundArguments arguments;
  arguments.args.resize(1);
  arguments.args[0].scalarBits = 3;
  arguments.extents = {100};
  ImageEntry entry{"k", "k", 0};
  LaunchConfig config{{4, 5, 2}};

  EXPECT_EQ(
      getError(sizeMemory(config, Kernel(entry, 0, 1024), manifest, arguments)),
      "no error");
  EXPECT_EQ(config.workspaceBytes, 0u);
  entry.workspace = cantFail(LaunchExpr::parse("(+ (* 8 grid.count) (* n m))"));
  EXPECT_EQ(
      getError(sizeMemory(config, Kernel(entry, 0, 1024), manifest, arguments)),
      "no error");
  EXPECT_EQ(config.workspaceBytes, 8u * 40 + 300);
  entry.workspace = cantFail(LaunchExpr::parse("(- n grid.count)"));
  config.grid = {101, 1, 1};
  EXPECT_EQ(
      getError(sizeMemory(config, Kernel(entry, 0, 1024), manifest, arguments)),
      "the workspace of kernel 'k', 'n - grid.count', is -1 where n is 100 and "
      "grid.count is 101");
}

} // namespace
