//===- CudaDeviceTest.cpp - The CUDA device on a GPU, if there is one -----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Arguments.h"
#include "gtest/gtest.h"
#include <thread>

using namespace coll;
using namespace llvm;

namespace {

/// scale(x: [n]f32, y: mut [n]f32, k: f32) workgroup(64) grid(ceil_div(n, 64)),
/// through dynamic shared memory; `fault` stores to address 0.
constexpr const char *ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.extern .shared .align 16 .b8 buffer[];
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 k,
                      .param .u64 n) {
  .reg .b64 %rd<9>;
  .reg .b32 %r<6>;
  .reg .f32 %f<4>;
  .reg .pred %p;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.s32 %r3, %r1, 64, %r2;
  cvt.u64.u32 %rd1, %r3;
  ld.param.u64 %rd2, [n];
  setp.ge.u64 %p, %rd1, %rd2;
  @%p ret;
  ld.param.u64 %rd3, [x];
  ld.param.u64 %rd4, [y];
  ld.param.f32 %f1, [k];
  shl.b64 %rd5, %rd1, 2;
  add.u64 %rd6, %rd3, %rd5;
  add.u64 %rd7, %rd4, %rd5;
  ld.global.f32 %f2, [%rd6];
  mov.u32 %r4, buffer;
  shl.b32 %r5, %r2, 2;
  add.u32 %r4, %r4, %r5;
  st.shared.f32 [%r4], %f2;
  ld.shared.f32 %f2, [%r4];
  mul.rn.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
  ret;
}
.visible .entry fault() {
  .reg .b64 %rd;
  .reg .b32 %r;
  mov.u64 %rd, 0;
  mov.u32 %r, 1;
  st.global.u32 [%rd], %r;
  ret;
}
)";

/// Every block waits until all have come, and stores their number.
constexpr const char *meetPTX = R"(
.visible .entry meet(.param .u64 y, .param .u64 workspace) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  .reg .pred %p;
  ld.param.u64 %rd1, [y];
  ld.param.u64 %rd2, [workspace];
  mov.u32 %r1, %nctaid.x;
  atom.global.add.u32 %r2, [%rd2], 1;
again:
  ld.volatile.global.u32 %r2, [%rd2];
  setp.lo.u32 %p, %r2, %r1;
  @%p bra again;
  mov.u32 %r3, %ctaid.x;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd1, %rd1, %rd3;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

/// The same where blocks come in clusters of two.
std::string makeClusterPTX() {
  std::string text = meetPTX;
  text.insert(text.find('{'), ".explicitcluster .reqnctapercluster 2, 1, 1 ");
  return ".version 7.8\n.target sm_90\n.address_size 64\n" + text;
}

KernelManifest makeScale() {
  KernelManifest kernel;
  kernel.name = "scale";
  kernel.extents = {"n"};
  StorageType f32 = StorageType::scalar(ScalarType::F32);
  std::vector<ViewDim> dims = {ViewDim::makeExtent(0)};
  kernel.params = {
      {"x", ParamKind::View, f32, ParamAccess::Read, dims, std::nullopt},
      {"y", ParamKind::View, f32, ParamAccess::Mut, dims, std::nullopt},
      {"k", ParamKind::Scalar, f32, ParamAccess::Read, {}, std::nullopt}};
  kernel.workgroup = {64, 1, 1};
  kernel.grid = {cantFail(LaunchExpr::parse("(ceil_div n 64)"))};
  // More than the 48 KiB that need no asking.
  kernel.dynamicShared = LaunchExpr::constant(60000);
  return kernel;
}

class CudaDeviceTest : public testing::Test {
protected:
  void SetUp() override {
    Expected<std::unique_ptr<Device>> opened = openCudaDevice(0);
    if (!opened)
      GTEST_SKIP() << toString(opened.takeError());
    device = std::move(*opened);
  }

  void runScale() {
    KernelManifest kernel = makeScale();
    BoundArguments arguments = cantFail(
        bindArguments(kernel, {{"x", "iota"}, {"k", "0.5"}}, {{"n", "1000"}}));
    LaunchConfig config = cantFail(makeLaunchConfig(kernel, arguments));
    std::unique_ptr<Module> module = cantFail(device->loadModule(image));
    cantFail(runKernel(*device, *module, kernel, arguments, config));
    const HostArray &y = *arguments.args[1].array;
    for (uint64_t i = 0; i != 1000; ++i) {
      float expected = 0.5f * static_cast<float>(i);
      ASSERT_EQ(y.getLeaf(i, y.getElement().leaves[0]),
                llvm::bit_cast<uint32_t>(expected));
    }
  }

  /// Runs `meet` with as many blocks as there is room for, then with
  /// `clusterSize` more, which must be refused.
  void meet(StringRef ptx, uint32_t clusterSize) {
    ImageEntry entry{"meet",
                     "meet",
                     0,
                     /*cooperative=*/true,
                     LaunchExpr::constant(4),
                     {clusterSize, 1, 1}};
    auto module = cantFail(
        device->loadModule({"", ImageKind::PTX, "", {entry}, ptx.str()}));
    Kernel *kernel = cantFail(module->getKernel("meet"));
    LaunchConfig config{{clusterSize, 1, 1}, {1, 1, 1}, 0, 4};
    config.grid[0] = cantFail(device->getMaxCooperativeBlocks(*kernel, config));
    ASSERT_GE(config.grid[0], clusterSize);
    std::vector<uint32_t> counts(config.grid[0]);
    MutableArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(counts.data()),
                                   4 * counts.size());
    auto y = cantFail(device->allocate(bytes.size()));
    cantFail(device->launch(*kernel, config, {KernelArg::view(*y)}));
    cantFail(device->synchronize());
    cantFail(device->copyOut(bytes, *y));
    EXPECT_EQ(counts,
              std::vector<uint32_t>(counts.size(), uint32_t(counts.size())));
    config.grid[0] += clusterSize;
    EXPECT_NE(toString(device->launch(*kernel, config, {KernelArg::view(*y)}))
                  .find("of this kernel at once"),
              std::string::npos);
  }

  std::unique_ptr<Device> device;
  Image image{"sm_70",
              ImageKind::PTX,
              "ptx 6.0",
              {{"scale", "scale", 0}, {"fault", "fault", 0}},
              ptx};
};

TEST_F(CudaDeviceTest, RunsAKernel) {
  runScale();
  std::thread([&] { runScale(); }).join();
}

TEST_F(CudaDeviceTest, TellsResidentBlocks) {
  std::unique_ptr<Module> module = cantFail(device->loadModule(image));
  Kernel *kernel = cantFail(module->getKernel("scale"));
  LaunchConfig config{{1, 1, 1}, {64, 1, 1}, 60000};
  unsigned blocks = cantFail(device->getMaxResidentBlocks(*kernel, config));
  EXPECT_GE(blocks, 1u);
  config.dynamicSharedBytes = device->getInfo().maxSharedBytes;
  EXPECT_EQ(cantFail(device->getMaxResidentBlocks(*kernel, config)), 1u);
}

TEST_F(CudaDeviceTest, RefusesTooMuchSharedMemory) {
  std::unique_ptr<Module> module = cantFail(device->loadModule(image));
  Kernel *kernel = cantFail(module->getKernel("scale"));
  LaunchConfig config{{1, 1, 1}, {64, 1, 1}, device->getInfo().maxSharedBytes};
  config.dynamicSharedBytes += 1;
  EXPECT_NE(toString(device->launch(*kernel, config, {})).find("allows"),
            std::string::npos);
}

TEST_F(CudaDeviceTest, BlocksThatWaitForEachOtherAreAllResident) {
  meet(std::string(".version 6.0\n.target sm_70\n.address_size 64\n") + meetPTX,
       1);
}

TEST_F(CudaDeviceTest, SoAreClusters) {
  if (device->getInfo().computeCapability < 90)
    GTEST_SKIP() << "the device has no clusters";
  meet(makeClusterPTX(), 2);
}

TEST_F(CudaDeviceTest, LoadFailureShowsTheLog) {
  image.bytes = ".version 6.0\n.target sm_70\n.address_size 64\nnonsense\n";
  std::string text = toString(device->loadModule(image).takeError());
  EXPECT_NE(text.find("CUDA_ERROR_INVALID_PTX"), std::string::npos) << text;
  EXPECT_NE(text.find("the driver's log:\nptxas application ptx input, line 4"),
            std::string::npos)
      << text;
}

// Last: the context cannot be used after a fault.
TEST_F(CudaDeviceTest, ZFaultIsReported) {
  std::unique_ptr<Module> module = cantFail(device->loadModule(image));
  Kernel *kernel = cantFail(module->getKernel("fault"));
  cantFail(device->launch(*kernel, {{1, 1, 1}, {1, 1, 1}, 0}, {}));
  std::string text = toString(device->synchronize());
  EXPECT_NE(text.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << text;
  EXPECT_NE(text.find("run with --device=reference"), std::string::npos);
}

} // namespace
