//===- ProgramTest.cpp - Loading and launching code objects ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramMachine.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sim;

static const char *const chips[] = {"gfx900",     "gfx90a",     "gfx942",
                                    "gfx1030",    "gfx1030:64", "gfx1100",
                                    "gfx1100:64", "gfx1201"};

/// Each work-item writes its own ids and those of its group to its place.
static const char *const idsKernel = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workitem.id.z()
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workgroup.id.z()
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %z = call i32 @llvm.amdgcn.workitem.id.z()
  %gx = call i32 @llvm.amdgcn.workgroup.id.x()
  %gy = call i32 @llvm.amdgcn.workgroup.id.y()
  %gz = call i32 @llvm.amdgcn.workgroup.id.z()
  ; ((gz * 2 + gy) * 3 + gx) * 90 + (z * 3 + y) * 10 + x
  %a = mul i32 %gz, 2
  %b = add i32 %a, %gy
  %c = mul i32 %b, 3
  %d = add i32 %c, %gx
  %e = mul i32 %d, 90
  %f = mul i32 %z, 3
  %g = add i32 %f, %y
  %h = mul i32 %g, 10
  %i = add i32 %h, %x
  %j = add i32 %e, %i
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %j
  %v = add i32 %j, 1
  store i32 %v, ptr addrspace(1) %p
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="90,90" }
)";

TEST(Program, GivesWorkItemsTheirIds) {
  for (const char *chip : chips) {
    for (unsigned version : {5u, 6u}) {
      Machine machine(chip, compile(chip, idsKernel, version));
      LaunchOptions options;
      options.grid = {3, 2, 2};
      options.block = {10, 3, 3};
      LaunchResult result = machine.launch(options);
      ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
      for (unsigned i = 0; i != 12 * 90; ++i)
        ASSERT_EQ(machine.at(i), i + 1) << chip << ", version " << version;
      EXPECT_EQ(machine.at(12 * 90), 0u) << chip;
    }
  }
}

/// Private memory with an index that is not constant, and hidden arguments.
static const char *const scratchKernel = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %array = alloca [8 x i32], addrspace(5)
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %i = and i32 %x, 7
  %p = getelementptr i32, ptr addrspace(5) %array, i32 %i
  store volatile i32 %x, ptr addrspace(5) %p
  %j = xor i32 %i, 1
  %q = getelementptr i32, ptr addrspace(5) %array, i32 %j
  store volatile i32 1000, ptr addrspace(5) %q
  %v = load volatile i32, ptr addrspace(5) %p
  %hidden = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %blocks = load i32, ptr addrspace(4) %hidden
  %sizes = getelementptr i8, ptr addrspace(4) %hidden, i32 12
  %size = load i16, ptr addrspace(4) %sizes
  %wide = zext i16 %size to i32
  %s = mul i32 %blocks, 1000
  %t = mul i32 %wide, 100000
  %u = add i32 %v, %s
  %w = add i32 %u, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %w, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="100,100" }
)";

TEST(Program, HasPrivateMemoryAndHiddenArguments) {
  for (const char *chip : chips) {
    Machine machine(chip, compile(chip, scratchKernel));
    LaunchOptions options;
    options.grid = {3, 1, 1};
    options.block = {100, 1, 1};
    LaunchResult result = machine.launch(options);
    ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
    for (unsigned i = 0; i != 100; ++i)
      ASSERT_EQ(machine.at(i), 100u * 100000 + 3 * 1000 + i) << chip;
  }
}

/// Reads 8 bytes of its arguments' segment at an offset and stores their sum
/// with 1.
static std::string makeArgumentReader(unsigned offset) {
  return R"(
declare ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %segment = call ptr addrspace(4) @llvm.amdgcn.kernarg.segment.ptr()
  %p = getelementptr i8, ptr addrspace(4) %segment, i64 )" +
         std::to_string(offset) + R"(
  %v = load volatile i64, ptr addrspace(4) %p
  %w = trunc i64 %v to i32
  %s = add i32 %w, 1
  store i32 %s, ptr addrspace(1) %out
  ret void
}
attributes #0 = { "amdgpu-implicitarg-num-bytes"="0" }
)";
}

TEST(Program, HasWholeCacheLinesOfArguments) {
  for (const char *chip : chips) {
    Machine inside(chip, compile(chip, makeArgumentReader(56)));
    ASSERT_EQ(inside.program->findKernel("k")->kernargBytes, 8u) << chip;
    LaunchResult result = inside.launch(LaunchOptions());
    ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
    EXPECT_EQ(inside.at(0), 1u) << chip;
    Machine outside(chip, compile(chip, makeArgumentReader(64)));
    result = outside.launch(LaunchOptions());
    ASSERT_TRUE(result.fault) << chip;
    EXPECT_EQ(result.fault->kind, FaultKind::BadAddress) << chip;
  }
}

/// One work-item polls what the first group's wave writes last.
TEST(Program, StepsResidentGroupsInTurn) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = icmp eq i32 %g, 0
  br i1 %first, label %wait, label %signal
wait:
  %v = load atomic i32, ptr addrspace(1) %out syncscope("agent") acquire, align 4
  %done = icmp eq i32 %v, 7
  br i1 %done, label %end, label %wait
signal:
  store atomic i32 7, ptr addrspace(1) %out syncscope("agent") release, align 4
  br label %end
end:
  ret void
})";
  for (const char *chip : chips) {
    std::string object = compile(chip, ir);
    for (uint64_t seed : {0, 1, 2}) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {2, 1, 1};
      options.threads = 1;
      options.scheduleSeed = seed;
      options.instructionLimit = 100000;
      LaunchResult result = machine.launch(options);
      ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
    }
    // Alone, the first group polls without end.
    Machine machine(chip, object);
    LaunchOptions options;
    options.grid = {2, 1, 1};
    options.residentGroups = 1;
    LaunchResult result = machine.launch(options);
    ASSERT_TRUE(result.fault) << chip;
    EXPECT_EQ(result.fault->kind, FaultKind::Deadlock);
    EXPECT_LT(result.statistics.instructions, 10000u);
    // Where that is not looked for, until the limit.
    options.scheduleSeed = 1;
    options.instructionLimit = 10000;
    result = machine.launch(options);
    ASSERT_TRUE(result.fault) << chip;
    EXPECT_EQ(result.fault->kind, FaultKind::InstructionLimit);
    EXPECT_EQ(result.fault->message,
              "the launch executed more than 10000 instructions");
  }
}

TEST(Program, FindsBarriersThatNotAllWavesReach) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %low = icmp ult i32 %x, 64
  br i1 %low, label %meet, label %end
meet:
  call void @llvm.amdgcn.s.barrier()
  br label %end
end:
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="128,128" }
)";
  for (const char *chip : chips) {
    Machine machine(chip, compile(chip, ir));
    LaunchOptions options;
    options.block = {128, 1, 1};
    LaunchResult result = machine.launch(options);
    ASSERT_TRUE(result.fault) << chip;
    EXPECT_EQ(result.fault->kind, FaultKind::Barrier) << chip;
  }
}

TEST(Program, ReportsTrapsAndBadAddresses) {
  for (const char *chip : chips) {
    Machine trapping(chip, compile(chip, R"(
declare void @llvm.trap()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  call void @llvm.trap()
  ret void
})"));
    LaunchResult result = trapping.launch(LaunchOptions());
    ASSERT_TRUE(result.fault) << chip;
    EXPECT_EQ(result.fault->kind, FaultKind::Trap) << chip;
    Machine wild(chip, compile(chip, R"(
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %p = getelementptr i8, ptr addrspace(1) %out, i64 65536
  store i32 1, ptr addrspace(1) %p
  ret void
})"));
    result = wild.launch(LaunchOptions());
    ASSERT_TRUE(result.fault) << chip;
    EXPECT_EQ(result.fault->kind, FaultKind::BadAddress) << chip;
    EXPECT_EQ(result.fault->kernel, "k");
  }
}

TEST(Program, RefusesLaunchesThatDoNotFit) {
  Machine machine("gfx90a", compile("gfx90a", idsKernel));
  const KernelInfo &kernel = *machine.program->findKernel("k");
  LaunchOptions options;
  std::vector<uint8_t> arguments(8);
  options.block = {91, 1, 1};
  auto result = machine.program->launch(kernel, arguments, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(toString(result.takeError()),
            "launch of 'k': a block of 91 threads, and the kernel allows 90");
  options.block = {90, 1, 1};
  arguments.resize(4);
  result = machine.program->launch(kernel, arguments, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(toString(result.takeError()),
            "launch of 'k': 4 bytes of arguments, expected 8");
}

TEST(Program, RefusesObjectsOfOtherChips) {
  std::string object = compile("gfx90a", idsKernel);
  DeviceMemory memory(1 << 20);
  llvm::ArrayRef<uint8_t> bytes(
      reinterpret_cast<const uint8_t *>(object.data()), object.size());
  auto program =
      Program::load(bytes, cantFail(Target::parse("gfx942")), memory);
  ASSERT_FALSE(program);
  EXPECT_EQ(toString(program.takeError()),
            "the code object is for gfx90a, not for gfx942");
}
