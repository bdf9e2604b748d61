//===- ThreadsTest.cpp - Workgroups on several threads --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramMachine.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sim;

static const char *const chips[] = {"gfx90a", "gfx942", "gfx1100", "gfx1201"};

/// The threads that each test is repeated with; also more than there are cores.
static const unsigned threadCounts[] = {1, 2, 3, 16};

/// The work-items of 64 groups count in four words, 100 times each, and each
/// group takes a ticket that it writes to its own place.
TEST(Threads, AtomicsOfAllGroupsCount) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %out) #0 {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %x = call i32 @llvm.amdgcn.workitem.id.x()
  %word = and i32 %x, 3
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %word
  %first = icmp eq i32 %x, 0
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %n, 1
  %old = atomicrmw add ptr addrspace(1) %place, i32 1 syncscope("agent") monotonic
  %done = icmp eq i32 %next, 100
  br i1 %done, label %check, label %loop
check:
  br i1 %first, label %take, label %end
take:
  %tickets = getelementptr i32, ptr addrspace(1) %out, i32 4
  %ticket = atomicrmw add ptr addrspace(1) %tickets, i32 1 syncscope("agent") monotonic
  %i = add i32 %g, 5
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %ticket, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
)";
  for (const char *chip : chips) {
    std::string object = compile(chip, ir);
    std::optional<Statistics> statistics;
    for (unsigned threads : threadCounts) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {64, 1, 1};
      options.block = {64, 1, 1};
      options.threads = threads;
      LaunchResult result = machine.launch(options);
      ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
      for (unsigned i = 0; i != 4; ++i)
        EXPECT_EQ(machine.at(i), 64u * 16 * 100) << chip << threads;
      EXPECT_EQ(machine.at(4), 64u) << chip << threads;
      std::vector<bool> taken(64);
      for (unsigned i = 0; i != 64; ++i) {
        ASSERT_LT(machine.at(5 + i), 64u);
        taken[machine.at(5 + i)] = true;
      }
      EXPECT_EQ(taken, std::vector<bool>(64, true)) << chip << threads;
      if (!statistics)
        statistics = result.statistics;
      EXPECT_EQ(result.statistics.instructions, statistics->instructions);
      EXPECT_EQ(result.statistics.laneInstructions,
                statistics->laneInstructions);
      EXPECT_EQ(result.statistics.byClass, statistics->byClass);
    }
  }
}

/// Each group waits for the number of the one before it, as look-back does.
TEST(Threads, GroupsThatPollEnd) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %g
  %first = icmp eq i32 %g, 0
  br i1 %first, label %write, label %wait
wait:
  %before = getelementptr i32, ptr addrspace(1) %p, i32 -1
  %v = load atomic i32, ptr addrspace(1) %before syncscope("agent") acquire, align 4
  %done = icmp eq i32 %v, %g
  br i1 %done, label %write, label %wait
write:
  %n = add i32 %g, 1
  store atomic i32 %n, ptr addrspace(1) %p syncscope("agent") release, align 4
  ret void
})";
  for (const char *chip : chips) {
    std::string object = compile(chip, ir);
    for (unsigned threads : threadCounts) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {200, 1, 1};
      options.threads = threads;
      options.residentGroups = 3;
      LaunchResult result = machine.launch(options);
      ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
      EXPECT_EQ(machine.at(199), 200u);
    }
  }
}

/// Adds 1 to the first word, and waits until it is the number of groups.
static const char *const meetIR = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %old = atomicrmw add ptr addrspace(1) %out, i32 1 syncscope("agent") monotonic
  br label %wait
wait:
  %v = load atomic i32, ptr addrspace(1) %out syncscope("agent") acquire, align 4
  %done = icmp uge i32 %v, 100
  br i1 %done, label %end, label %wait
end:
  ret void
}
)";

/// A cooperative launch has all groups resident, however few it asks for.
TEST(Threads, GroupsOfACooperativeLaunchMeet) {
  for (const char *chip : chips) {
    std::string object = compile(chip, meetIR);
    for (unsigned threads : threadCounts)
      for (uint64_t seed : {0, 5}) {
        Machine machine(chip, object);
        LaunchOptions options;
        options.grid = {10, 5, 2};
        options.threads = threads;
        options.scheduleSeed = seed;
        options.residentGroups = 3;
        options.isCooperative = true;
        LaunchResult result = machine.launch(options);
        ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
        EXPECT_EQ(machine.at(0), 100u);
      }
  }
}

/// The groups that are resident wait for those that are not, which is seen long
/// before the limit of instructions.
TEST(Threads, GroupsOfAnotherLaunchMayNotMeet) {
  for (const char *chip : chips) {
    std::string object = compile(chip, meetIR);
    for (unsigned threads : threadCounts) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {100, 1, 1};
      options.residentGroups = 99;
      options.threads = threads;
      LaunchResult result = machine.launch(options);
      ASSERT_TRUE(result.fault);
      EXPECT_EQ(result.fault->kind, FaultKind::Deadlock);
      EXPECT_EQ(result.fault->message,
                "no wave can go on: this one looks at memory again and again, "
                "and no wave is left that could change it; 1 workgroup has not "
                "started");
      EXPECT_EQ(result.fault->group[0], 0u);
      EXPECT_LT(result.statistics.instructions, 10'000'000u);
    }
  }
}

/// In random order, where it is not seen.
TEST(Threads, TheLimitEndsRandomSchedules) {
  Machine machine("gfx942", compile("gfx942", meetIR));
  LaunchOptions options;
  options.grid = {100, 1, 1};
  options.residentGroups = 99;
  options.scheduleSeed = 5;
  options.instructionLimit = 1000000;
  LaunchResult result = machine.launch(options);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::InstructionLimit);
}

/// Group 0 waits for what group 1 would write after long work, which is the
/// time in which memory does not change.
TEST(Threads, LongWorkIsNoDeadlock) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %is0 = icmp eq i32 %g, 0
  br i1 %is0, label %wait, label %work
wait:
  %v = load atomic i32, ptr addrspace(1) %out syncscope("agent") acquire, align 4
  %done = icmp ne i32 %v, 0
  br i1 %done, label %end, label %wait
work:
  %i = phi i32 [ 0, %0 ], [ %next, %work ]
  %next = add i32 %i, 1
  call void asm sideeffect "", "s"(i32 %next)
  %more = icmp ult i32 %next, 200000
  br i1 %more, label %work, label %write
write:
  store atomic i32 1, ptr addrspace(1) %out syncscope("agent") release, align 4
  br label %end
end:
  ret void
}
)";
  for (const char *chip : chips) {
    std::string object = compile(chip, ir);
    for (unsigned threads : threadCounts) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {2, 1, 1};
      options.threads = threads;
      LaunchResult result = machine.launch(options);
      ASSERT_FALSE(result.fault) << chip << ": " << result.fault->str();
      EXPECT_EQ(machine.at(0), 1u);
    }
  }
}

/// Group 20 fails at once, group 10 after a while: the fault is that of 10,
/// which is before it, and not that of 30.
TEST(Threads, ReportTheFaultOfTheFirstGroup) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.trap()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %is20 = icmp eq i32 %g, 20
  %is30 = icmp eq i32 %g, 30
  %now = or i1 %is20, %is30
  br i1 %now, label %fail, label %check
check:
  %is10 = icmp eq i32 %g, 10
  br i1 %is10, label %loop, label %end
loop:
  %i = phi i32 [ 0, %check ], [ %next, %loop ]
  %next = add i32 %i, 1
  store volatile i32 %next, ptr addrspace(1) %out
  %done = icmp eq i32 %next, 2000
  br i1 %done, label %fail, label %loop
fail:
  call void @llvm.trap()
  ret void
end:
  ret void
})";
  for (const char *chip : chips) {
    std::string object = compile(chip, ir);
    for (unsigned threads : threadCounts) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {40, 1, 1};
      options.threads = threads;
      options.residentGroups = 40;
      LaunchResult result = machine.launch(options);
      ASSERT_TRUE(result.fault) << chip;
      EXPECT_EQ(result.fault->kind, FaultKind::Trap) << chip;
      EXPECT_EQ(result.fault->group[0], 10u) << chip << threads;
    }
  }
}

/// Group 1 fails, and group 0 waits for it forever: that ends too.
TEST(Threads, AFaultEndsGroupsThatWaitForIt) {
  const char *ir = R"(
declare i32 @llvm.amdgcn.workgroup.id.x()
declare void @llvm.trap()
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %first = icmp eq i32 %g, 0
  br i1 %first, label %wait, label %fail
wait:
  %v = load atomic i32, ptr addrspace(1) %out syncscope("agent") acquire, align 4
  %done = icmp eq i32 %v, 7
  br i1 %done, label %end, label %wait
fail:
  call void @llvm.trap()
  br label %end
end:
  ret void
})";
  for (const char *chip : chips) {
    std::string object = compile(chip, ir);
    for (unsigned threads : {1u, 2u}) {
      Machine machine(chip, object);
      LaunchOptions options;
      options.grid = {2, 1, 1};
      options.threads = threads;
      LaunchResult result = machine.launch(options);
      ASSERT_TRUE(result.fault) << chip;
      EXPECT_EQ(result.fault->kind, FaultKind::Trap) << chip;
      EXPECT_EQ(result.fault->group[0], 1u) << chip;
    }
  }
}
