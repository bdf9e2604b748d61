//===- KernelsTest.cpp - Signatures, clauses, shared memory ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "gtest/gtest.h"

using namespace coll;
using namespace coll::sema;

TEST(KernelsTest, ParametersAndExtents) {
  Checked checked("kernel k(a: [m, k; pitch ld]f32, b: mut [k, n]f32, "
                  "c: inout [16]i32, s: f32) workgroup(16, 16) { }");
  ASSERT_EQ(checked.messages(), "");
  const Kernel *kernel = checked.kernel("k");
  ASSERT_EQ(kernel->params.size(), 4u);
  EXPECT_EQ(kernel->params[0].access, Kernel::Param::Access::Read);
  EXPECT_EQ(kernel->params[1].access, Kernel::Param::Access::Mut);
  EXPECT_EQ(kernel->params[2].access, Kernel::Param::Access::Inout);
  EXPECT_EQ(kernel->params[1].variable->type->str(), "mut [k, n]f32");
  std::string names;
  for (const Variable *extent : kernel->extents)
    names += extent->name.str() + " ";
  EXPECT_EQ(names, "m k n ld ");
  EXPECT_EQ(kernel->params[0].pitch, 3u);
  EXPECT_EQ(kernel->workgroup, (std::array<unsigned, 3>{16, 16, 1}));
}

/// The first launch expression of a grid clause.
static std::string grid(llvm::StringRef expr) {
  Checked checked(("const T: u32 = 64;\n"
                   "kernel k(x: [n, m]f32, i: i32, u: u32, f: f32) "
                   "workgroup(64) grid(" +
                   expr + ") { }")
                      .str());
  std::string messages = checked.messages();
  return messages.empty() ? checked.kernel("k")->grid[0] : messages;
}

TEST(KernelsTest, GridsAreLaunchExpressions) {
  EXPECT_EQ(grid("n"), "n");
  EXPECT_EQ(grid("ceil_div(n, 256)"), "(ceil_div n 256)");
  EXPECT_EQ(grid("ceil_div(n, T) * m"), "(* (ceil_div n 64) m)");
  EXPECT_EQ(grid("min(n, 4)"), "(min n 4)");
  EXPECT_EQ(grid("n < 10 ? 1 : n / 10"), "(if (< n 10) 1 (/ n 10))");
  EXPECT_EQ(grid("2 * 8"), "16");
}

TEST(KernelsTest, NarrowArithmeticOfGridsWraps) {
  EXPECT_EQ(grid("i"), "i");
  EXPECT_EQ(grid("u * 2"), "(& (* u 2) 4294967295)");
  EXPECT_EQ(grid("i + 1"), "(>> (<< (+ i 1) 32) 32)");
}

TEST(KernelsTest, GridsKnowOnlyTheLaunch) {
  EXPECT_EQ(grid("f as i64"),
            "2: error: the grid must be computed from constants, extents and "
            "integer parameters by operators, ceil_div, min and max\n");
  EXPECT_EQ(
      grid("f"),
      "2: error: the grid must be an integer, got f32; it may use constants, "
      "extents and integer parameters\n");
  EXPECT_EQ(grid("block.index"),
            "2: error: the grid must be computed from constants, extents and "
            "integer parameters by operators, ceil_div, min and max\n");
}

TEST(KernelsTest, WorkgroupsAreChecked) {
  auto workgroup = [](llvm::StringRef clause) {
    return Checked(("kernel k(i: i32) " + clause + " { }").str()).messages();
  };
  EXPECT_EQ(workgroup("workgroup(1024)"), "");
  EXPECT_EQ(workgroup(""), "1: error: kernel 'k' has no 'workgroup' clause\n");
  EXPECT_EQ(workgroup("workgroup(0)"),
            "1: error: a dimension of the workgroup must be from 1 to 1024, "
            "got 0\n");
  EXPECT_EQ(workgroup("workgroup(64, 32)"),
            "1: error: a workgroup has at most 1024 threads, got 2048\n");
  EXPECT_EQ(workgroup("workgroup(i)"),
            "1: error: a dimension of the workgroup must be a compile-time "
            "integer\n");
  EXPECT_EQ(workgroup("workgroup(32) grid(device)"),
            "1: error: 'grid(device)' is not supported yet\n");
}

TEST(KernelsTest, ClustersAreChecked) {
  auto cluster = [](llvm::StringRef size, std::vector<std::string> features) {
    SemaOptions options;
    options.target.chip = "sm_80";
    options.target.features = std::move(features);
    return Checked(("kernel k(i: i32) workgroup(32) cluster(" + size + ") { }")
                       .str(),
                   options)
        .messages();
  };
  EXPECT_EQ(cluster("8", {"redux", "cluster"}), "");
  EXPECT_EQ(cluster("1", {}), "");
  EXPECT_EQ(cluster("target.has(\"cluster\") ? 4 : 1", {}), "");
  EXPECT_EQ(cluster("4", {"redux"}),
            "1: error: sm_80 has no clusters; write "
            "cluster(target.has(\"cluster\") ? 4 : 1), and 'static if "
            "target.has(\"cluster\")' where the kernel differs\n");
  EXPECT_EQ(cluster("9", {"cluster"}),
            "1: error: the size of a cluster must be from 1 to 8, got 9\n");
  EXPECT_EQ(cluster("i", {"cluster"}),
            "1: error: the size of a cluster must be a compile-time "
            "integer\n");
}

TEST(KernelsTest, SharedMemoryIsCountedThroughCalls) {
  SemaOptions options;
  options.target.chip = "sm_90";
  options.target.maxSharedBytes = 1024;
  const char *format = "fn f() { shared t: [f32; 128]; t[0] = 0.0; }\n"
                       "kernel k() workgroup(32) { shared s: [f32; 128]; "
                       "s[0] = 0.0; f(); f(); }";
  EXPECT_EQ(Checked(format, options).messages(), "");
  options.target.maxSharedBytes = 1000;
  EXPECT_EQ(Checked(format, options).messages(),
            "2: error: kernel 'k' declares 1024 bytes of shared memory, a "
            "block of sm_90 has 1000\n");
}

TEST(KernelsTest, OneSharedArrayMayBeSizedAtLaunch) {
  EXPECT_EQ(messagesOf("shared t: [n]f32; t[0] = 0.0;"), "");
  EXPECT_EQ(messagesOf("shared t: [n]f32;\nshared s: [n]f32;"),
            "2: error: a kernel has at most one shared array whose size is "
            "known at launch\n1: note: the first one is 't'\n");
  EXPECT_EQ(messagesOf("let v = n + 1; shared t: [v]f32;"),
            "1: error: the length of a shared array must be computed from "
            "constants, extents and integer parameters by operators, "
            "ceil_div, min and max\n");
  EXPECT_EQ(Checked("fn f(x: [n]f32) { shared t: [n]f32; }").messages(),
            "1: error: only a kernel may declare a shared array whose size is "
            "known at launch\n");
}

TEST(KernelsTest, ParametersMustHaveAHostForm) {
  EXPECT_EQ(Checked("kernel k(t: (i32, i32)) workgroup(1) { }").messages(),
            "1: error: a kernel's parameter must be a view, a scalar or an "
            "enum, got (i32, i32)\n");
  EXPECT_EQ(Checked("kernel k(v: f32x4) workgroup(1) { }").messages(),
            "1: error: a kernel's parameter must be a view, a scalar or an "
            "enum, got f32x4\n");
  EXPECT_EQ(Checked("kernel k(v: mut f32) workgroup(1) { }").messages(),
            "1: error: a kernel's parameter of type f32 cannot be 'mut'; pass "
            "a view\n");
  EXPECT_EQ(Checked("kernel k(t: shared [f32; 4]) workgroup(1) { }").messages(),
            "1: error: a kernel's parameter cannot be 'shared'\n");
}
