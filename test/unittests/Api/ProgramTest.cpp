//===- ProgramTest.cpp - Programs and modules of the host API -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApiTest.h"
#include <cstdio>
#include <fstream>

using namespace coll;

static const char addSource[] = R"(const STEP: i32 = 1;
kernel add_step(x: mut [n]i32) workgroup(32) grid(1) {
  for i in block.strided(n) { x[i] = x[i] + STEP; }
}
kernel fill<const V: i32>(x: mut [n]i32) workgroup(32) grid(1) {
  for i in block.strided(n) { x[i] = V; }
}
)";

/// Runs a kernel with one `mut [n]i32` parameter.
static std::vector<int32_t> run(const Device &device, const Kernel &kernel,
                                std::vector<int32_t> data) {
  Buffer buffer = get(device.upload(data));
  Expected<void> launched = kernel.launch(buffer);
  if (!launched)
    ADD_FAILURE() << launched.error().message();
  return get(buffer.read<int32_t>());
}

TEST(ApiProgram, reportsSyntaxErrorsAtOnce) {
  expectError(
      Program::fromSource("kernel k( workgroup(32) {}\n", {}, "bad.coll"),
      ErrorKind::Program,
      "bad.coll:1:20: error: expected ':' and a type after "
      "'workgroup', got '('\n"
      "kernel k( workgroup(32) {}\n"
      "                   ^\n");
}

TEST(ApiProgram, reportsAllTypeErrorsWhenLoaded) {
  Program program =
      get(Program::fromSource("kernel k() workgroup(32) grid(1) {\n"
                              "  let a: i32 = true;\n"
                              "  let b: bool = 1.5;\n"
                              "}\n",
                              {}, "bad.coll"));
  for (int attempt = 0; attempt != 2; ++attempt) {
    Expected<Module> module = program.load(get(Device::open("reference")));
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().kind(), ErrorKind::Program);
    const std::string &message = module.error().message();
    EXPECT_EQ(message.find("bad.coll:2:16: error: "), 0u) << message;
    EXPECT_NE(message.find("bad.coll:3:17: error: "), std::string::npos)
        << message;
  }
}

TEST(ApiProgram, namesFilesThatCannotBeRead) {
  expectError(Program::fromFile("/nowhere/k.coll"), ErrorKind::Usage,
              "cannot read '/nowhere/k.coll': No such file or directory");
}

TEST(ApiProgram, namesItsKernels) {
  Device device = get(Device::open("reference"));
  Module module = get(get(Program::fromSource(addSource)).load(device));
  EXPECT_EQ(module.kernels(), std::vector<std::string>{"add_step"});
  EXPECT_EQ(module.warnings(), "");
  EXPECT_EQ(get(module.kernel("add_step")).signature(),
            "add_step(x: mut [n]i32)");
  expectError(module.kernel("ad_step"), ErrorKind::Usage,
              "there is no kernel 'ad_step', only add_step");
  expectError(module.kernel("fill<3>"), ErrorKind::Usage,
              "there is no kernel 'fill<3>', only add_step; name instances of "
              "generic kernels in ProgramOptions::instances");
}

TEST(ApiProgram, takesDefinesAndInstances) {
  Device device = get(Device::open("reference"));
  ProgramOptions options;
  options.define("STEP", "10").instance("fill<3>");
  Module module =
      get(get(Program::fromSource(addSource, options)).load(device));
  EXPECT_EQ(run(device, get(module.kernel("add_step")), {1, 2, 3}),
            (std::vector<int32_t>{11, 12, 13}));
  EXPECT_EQ(run(device, get(module.kernel("fill<3>")), {0, 0}),
            (std::vector<int32_t>{3, 3}));
}

TEST(ApiProgram, loadsOnSeveralDevices) {
  Program program = get(Program::fromSource(
      "kernel width(x: mut [n]i32) workgroup(64) grid(1) {\n"
      "  if block.rank == 0 { x[0] = warp.size; }\n"
      "}\n"));
  for (auto [id, width] :
       {std::pair("reference:32", 32), std::pair("reference:64", 64),
        std::pair("reference:32", 32)}) {
    Device device = get(Device::open(id));
    Kernel kernel = get(get(program.load(device)).kernel("width"));
    EXPECT_EQ(run(device, kernel, {0}), std::vector<int32_t>{width});
  }
}

TEST(ApiProgram, bundlesHoldTheCodeOfTheirTargets) {
  Program program = get(Program::fromSource(addSource));
  std::string bytes = get(program.compile({"sm_90", "reference"}));
  Program bundle = get(Program::fromBundle(bytes));
  Device device = get(Device::open("reference"));
  Kernel kernel = get(get(bundle.load(device)).kernel("add_step"));
  EXPECT_EQ(run(device, kernel, {1, 2}), (std::vector<int32_t>{2, 3}));

  expectError(bundle.load(get(Device::open("reference:64"))), ErrorKind::Device,
              "loading 'bundle': the bundle has no image for reference "
              "(interpreter, warps of 64), only for sm_90, reference");
  expectError(bundle.compile({"sm_90"}), ErrorKind::Usage,
              "a bundle has no source to compile");
  expectError(program.compile({}), ErrorKind::Usage,
              "compiling '<source>' needs a target");
  EXPECT_FALSE(program.compile({"sm_1"}));
}

TEST(ApiProgram, readsSourcesAndBundlesFromFiles) {
  Device device = get(Device::open("reference"));
  std::string bytes =
      get(get(Program::fromSource(addSource)).compile({"reference"}));
  std::string path = testing::TempDir() + "coll_api_program_test";
  for (const std::string &content : {std::string(addSource), bytes}) {
    std::ofstream(path, std::ios::binary) << content;
    Program program = get(Program::fromFile(path));
    Kernel kernel = get(get(program.load(device)).kernel("add_step"));
    EXPECT_EQ(run(device, kernel, {4}), std::vector<int32_t>{5});
  }
  std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  Expected<Program> truncated = Program::fromFile(path);
  ASSERT_FALSE(truncated);
  EXPECT_EQ(truncated.error().kind(), ErrorKind::Usage);
  EXPECT_EQ(truncated.error().message().find(path + ": "), 0u);
  std::remove(path.c_str());
}
