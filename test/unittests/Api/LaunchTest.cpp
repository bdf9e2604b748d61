//===- LaunchTest.cpp - Launches of the host API --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ApiTest.h"
#include <atomic>
#include <cmath>
#include <thread>

using namespace coll;

static const char scaleSource[] = R"(
kernel scale(x: [rows, cols]f32, factor: f32, y: mut [rows, cols]f32)
    workgroup(32) grid(rows) {
  let row = block.index;
  for c in block.strided(cols) { y[row, c] = factor * x[row, c]; }
}
)";

namespace {
class ApiLaunch : public testing::Test {
protected:
  Buffer upload(std::vector<float> data) { return get(device.upload(data)); }

  Device device = get(Device::open("reference"));
  Kernel scale = loadKernel(device, scaleSource, "scale");
};
} // namespace

TEST_F(ApiLaunch, bindsExtentsByShape) {
  Buffer x = upload({1, 2, 3, 4, 5, 6}), y = upload({0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(scale.launch(x.view(2, 3), 0.5, y.view(2, 3)));
  EXPECT_TRUE(device.synchronize());
  EXPECT_EQ(get(y.read<float>()), (std::vector<float>{0.5, 1, 1.5, 2, 2.5, 3}));
}

TEST_F(ApiLaunch, aGridReplacesTheKernelsOwn) {
  Buffer x = upload({1, 2, 3, 4}), y = upload({0, 0, 0, 0});
  EXPECT_TRUE(scale.launch(Grid(1), x.view(2, 2), 10, y.view(2, 2)));
  EXPECT_EQ(get(y.read<float>()), (std::vector<float>{10, 20, 0, 0}));
}

TEST_F(ApiLaunch, takesAListOfArguments) {
  Buffer x = upload({1, 2}), y = upload({0, 0});
  std::vector<int64_t> shape = {1, 2};
  std::vector<Arg> args = {x.view(shape), 3, y.view(shape)};
  EXPECT_TRUE(scale.launchWith(args));
  EXPECT_EQ(get(y.read<float>()), (std::vector<float>{3, 6}));
}

TEST_F(ApiLaunch, emptyExtentsRunNothing) {
  Buffer x = upload({});
  Buffer y = upload({7});
  EXPECT_TRUE(scale.launch(x.view(0, 5), 1, y.view(0, 5)));
  EXPECT_EQ(get(y.read<float>()), std::vector<float>{7});
}

TEST_F(ApiLaunch, refusesWrongArguments) {
  Buffer x = upload({1, 2, 3, 4}), y = upload({0, 0, 0, 0});
  auto expectUsage = [](const Expected<void> &result, const char *message) {
    expectError(result, ErrorKind::Usage,
                std::string("launch of 'scale': ") + message);
  };
  expectUsage(scale.launch(x.view(2, 2), 1), "expected 3 arguments, got 2");
  expectUsage(scale.launch(1, 1, y.view(2, 2)),
              "parameter 'x': expected a view ([rows, cols]f32), got a scalar");
  expectUsage(scale.launch(x.view(2, 2), x, y.view(2, 2)),
              "parameter 'factor': expected a scalar (f32), got a view");
  expectUsage(scale.launch(x.view(4), 1, y.view(2, 2)),
              "parameter 'x': expected 2 dimensions, got the shape [4]");
  expectUsage(scale.launch(x, 1, y.view(2, 2)),
              "parameter 'x': a buffer without a shape for 2 dimensions: give "
              "buffer.view(...)");
  expectUsage(scale.launch(x.view(2, 2), 1, y.view(2, 1)),
              "parameter 'y': extent 'cols' is 1 here but 2 in 'x'");
  expectUsage(scale.launch(x.view(2, -2), 1, y.view(2, 2)),
              "parameter 'x': a negative extent in the shape [2, -2]");
  expectUsage(scale.launch(x.view(2, 3), 1, y.view(2, 3)),
              "parameter 'x': the shape [2, 3] of f32 needs 24 bytes, the "
              "buffer has 16");
  expectUsage(scale.launch(x.view(INT64_MAX, INT64_MAX), 1, y.view(2, 2)),
              "parameter 'x': the shape [9223372036854775807, "
              "9223372036854775807] of f32 needs more than 2^64 bytes, the "
              "buffer has 16");
  expectUsage(scale.launch(x.view(2, 2).pitch(4), 1, y.view(2, 2)),
              "parameter 'x': a view with a pitch, but the kernel takes dense "
              "rows");
  expectUsage(scale.launch(x.view(2, 2), 1, x.view(2, 2)),
              "parameters 'x' and 'y' are the same buffer, and the kernel "
              "writes 'y'");
  Buffer doubles = get(device.upload(std::vector<double>(4)));
  expectUsage(scale.launch(doubles.view(2, 2), 1, y.view(2, 2)),
              "parameter 'x': expected elements of type f32, got f64");
  Device other = get(Device::open("reference"));
  Buffer foreign = get(other.upload(std::vector<float>(4)));
  expectUsage(scale.launch(foreign.view(2, 2), 1, y.view(2, 2)),
              "parameter 'x': the buffer is on reference:32 (opened "
              "elsewhere), the kernel on reference:32");
}

TEST_F(ApiLaunch, asksForAGridThatTheKernelLacks) {
  Kernel kernel = loadKernel(device,
                             "kernel mark(x: mut [n]i32) workgroup(1) {\n"
                             "  x[block.index] = 1;\n"
                             "}\n",
                             "mark");
  Buffer x = get(device.upload(std::vector<int32_t>(3)));
  expectError(kernel.launch(x), ErrorKind::Usage,
              "launch of 'mark': the kernel has no grid clause: pass a "
              "coll::Grid before the arguments");
  EXPECT_TRUE(kernel.launch(Grid(2), x));
  EXPECT_EQ(get(x.read<int32_t>()), (std::vector<int32_t>{1, 1, 0}));
}

TEST_F(ApiLaunch, convertsScalarsExactly) {
  Kernel kernel = loadKernel(
      device,
      "kernel pass(b: bool, i: i8, u: u16, l: i64, f: f32, h: f16, d: f64,\n"
      "            x: mut [n]f64) workgroup(1) grid(1) {\n"
      "  x[0] = b ? 1.0 : 0.0;\n"
      "  x[1] = i as f64;\n"
      "  x[2] = u as f64;\n"
      "  x[3] = l as f64;\n"
      "  x[4] = f as f64;\n"
      "  x[5] = h as f64;\n"
      "  x[6] = d;\n"
      "}\n",
      "pass");
  Buffer x = get(device.allocate<double>(7));
  EXPECT_TRUE(kernel.launch(true, -128, 65535u, -3, 0.1, 3, 1 / 3.0, x));
  EXPECT_EQ(
      get(x.read<double>()),
      (std::vector<double>{1, -128, 65535, -3, double(0.1f), 3, 1 / 3.0}));

  auto expectUsage = [](const Expected<void> &result, const char *message) {
    expectError(result, ErrorKind::Usage,
                std::string("launch of 'pass': parameter ") + message);
  };
  expectUsage(kernel.launch(1, 0, 0, 0, 0, 0, 0, x),
              "'b': expected a value of type bool, got 1");
  expectUsage(kernel.launch(true, 128, 0, 0, 0, 0, 0, x),
              "'i': expected a value of type i8, got 128");
  expectUsage(kernel.launch(true, 0, -1, 0, 0, 0, 0, x),
              "'u': expected a value of type u16, got -1");
  expectUsage(kernel.launch(true, 0, 0, 1.0, 0, 0, 0, x),
              "'l': expected a value of type i64, got a floating-point number");
  expectUsage(kernel.launch(true, 0, 0, UINT64_MAX, 0, 0, 0, x),
              "'l': expected a value of type i64, got 18446744073709551615");
  expectUsage(kernel.launch(true, 0, 0, 0, (1 << 24) + 1, 0, 0, x),
              "'f': expected a value of type f32, got 16777217");
  expectUsage(kernel.launch(true, 0, 0, 0, true, 0, 0, x),
              "'f': expected a value of type f32, got true");
  expectUsage(kernel.launch(true, 0, 0, 0, 0, 0, (1ll << 53) + 1, x),
              "'d': expected a value of type f64, got 9007199254740993");
}

TEST_F(ApiLaunch, takesPitchesThatTheKernelNames) {
  Kernel kernel =
      loadKernel(device,
                 "kernel sums(x: [rows, cols; pitch ld]i32, y: mut [rows]i32)\n"
                 "    workgroup(1) grid(rows) {\n"
                 "  var s: i32 = 0;\n"
                 "  for c in block.strided(cols) { s += x[block.index, c]; }\n"
                 "  y[block.index] = s;\n"
                 "}\n",
                 "sums");
  EXPECT_EQ(kernel.signature(),
            "sums(x: [rows, cols; pitch ld]i32, y: mut [rows]i32)");
  // Two rows of two, the second one after three elements.
  Buffer x = get(device.upload(std::vector<int32_t>{1, 2, 100, 3, 4}));
  Buffer y = get(device.allocate<int32_t>(2));
  EXPECT_TRUE(kernel.launch(x.view(2, 2).pitch(3), y));
  EXPECT_EQ(get(y.read<int32_t>()), (std::vector<int32_t>{3, 7}));
  EXPECT_TRUE(kernel.launch(x.view(2, 2), y));
  EXPECT_EQ(get(y.read<int32_t>()), (std::vector<int32_t>{3, 103}));
  expectError(kernel.launch(x.view(2, 2).pitch(1), y), ErrorKind::Usage,
              "launch of 'sums': parameter 'x': the pitch is 1, less than a "
              "row of 2");
  expectError(kernel.launch(x.view(2, 2).pitch(4), y), ErrorKind::Usage,
              "launch of 'sums': parameter 'x': the shape [2, 2] of i32 needs "
              "24 bytes, the buffer has 20");
}

TEST_F(ApiLaunch, takesStructsAsClassesOfTheirSize) {
  struct Pair {
    float a;
    int32_t b;
  };
  Kernel kernel =
      loadKernel(device,
                 "struct Pair { a: f32, b: i32 }\n"
                 "kernel swap_sign(x: mut [n]Pair) workgroup(32) grid(1) {\n"
                 "  for i in block.strided(n) {\n"
                 "    x[i] = Pair { a: -x[i].a, b: -x[i].b };\n"
                 "  }\n"
                 "}\n",
                 "swap_sign");
  Buffer x = get(device.upload(std::vector<Pair>{{1.5, 2}, {-3, 4}}));
  EXPECT_TRUE(kernel.launch(x));
  std::vector<Pair> result = get(x.read<Pair>());
  EXPECT_EQ(result[0].a, -1.5f);
  EXPECT_EQ(result[1].b, -4);
  Buffer floats = upload({1, 2});
  expectError(kernel.launch(floats), ErrorKind::Usage,
              "launch of 'swap_sign': parameter 'x': expected elements of type "
              "Pair, got f32");
}

TEST_F(ApiLaunch, reportsFaultsOfKernels) {
  Kernel kernel =
      loadKernel(device,
                 "kernel beyond(x: mut [n]i32) workgroup(1) grid(1) "
                 "{\n  x[n] = 1;\n}\n",
                 "beyond");
  Buffer x = get(device.allocate<int32_t>(3));
  Expected<void> result = kernel.launch(x);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), ErrorKind::Fault);
  EXPECT_EQ(result.error().code(), "out-of-bounds");
  EXPECT_EQ(result.error().message().find(
                "launch of 'beyond' on reference:32: <source>:2:"),
            0u)
      << result.error().message();
  EXPECT_NE(result.error().message().back(), '\n');
}

TEST_F(ApiLaunch, signaturesReadLikeTheSource) {
  Kernel kernel = loadKernel(
      device,
      "kernel k(a: [n]f32, b: inout [n, 4]f32, c: i64) workgroup(1) grid(1) "
      "{ }\n",
      "k");
  EXPECT_EQ(kernel.signature(), "k(a: [n]f32, b: inout [n, 4]f32, c: i64)");
}

TEST_F(ApiLaunch, kernelsKeepAliveWhatTheyNeed) {
  std::optional<Kernel> kernel;
  std::optional<Buffer> x, y;
  {
    Device local = get(Device::open("reference"));
    kernel = loadKernel(local, scaleSource, "scale");
    x = get(local.upload(std::vector<float>{1, 2}));
    y = get(local.allocate<float>(2));
  }
  EXPECT_TRUE(kernel->launch(x->view(1, 2), -1, y->view(1, 2)));
  EXPECT_EQ(get(y->read<float>()), (std::vector<float>{-1, -2}));
}

TEST_F(ApiLaunch, worksFromManyThreads) {
  Program program = get(Program::fromSource(scaleSource));
  std::atomic<int> right = 0;
  auto work = [&](int factor) {
    // Half of the threads share a device, the others open their own.
    Device own = factor % 2 ? device : get(Device::open("reference:64"));
    Kernel kernel = get(get(program.load(own)).kernel("scale"));
    Buffer x = get(own.upload(std::vector<float>{1, 2}));
    Buffer y = get(own.allocate<float>(2));
    bool launched(kernel.launch(x.view(2, 1), factor, y.view(2, 1)));
    std::vector<float> expected = {float(factor), float(2 * factor)};
    if (launched && get(y.read<float>()) == expected)
      ++right;
  };
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, 8);
}
