//===- row_sums.cpp - A kernel in a C++ program ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a kernel from its text, runs it on the best device there is, or the
// one named on the command line, and checks the result.
//
//===----------------------------------------------------------------------===//

#include <coll/coll.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

static const char source[] = R"(
kernel row_sums(x: [rows, cols]i32, sums: mut [rows]i64) workgroup(128) grid(rows) {
  let row = block.index;
  var sum: i64 = 0;
  for c in block.strided(cols) { sum += x[row, c]; }
  sum = block.reduce(add, sum);
  if block.rank == 0 { sums[row] = sum; }
}
)";

/// The value, or the end of the program with the error's message.
template <typename T> static T orExit(coll::Expected<T> value) {
  if (!value) {
    std::fprintf(stderr, "%s\n", value.error().message().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>)
    return *std::move(value);
}

int main(int argc, char **argv) {
  constexpr size_t rows = 5, cols = 1000;
  std::vector<int32_t> input(rows * cols);
  for (size_t i = 0; i != input.size(); ++i)
    input[i] = static_cast<int32_t>(i * 7919 % 1001) - 500;

  coll::Device device = orExit(coll::Device::open(argc > 1 ? argv[1] : "auto"));
  coll::Program program = orExit(coll::Program::fromSource(source));
  coll::Module module = orExit(program.load(device));
  coll::Kernel kernel = orExit(module.kernel("row_sums"));

  // The shapes give `rows` and `cols`; the kernel's own grid is a block a row.
  coll::Buffer x = orExit(device.upload(input));
  coll::Buffer sums = orExit(device.allocate<int64_t>(rows));
  orExit(kernel.launch(x.view(rows, cols), sums));
  std::vector<int64_t> output = orExit(sums.read<int64_t>());

  for (size_t row = 0; row != rows; ++row) {
    auto begin = input.begin() + static_cast<std::ptrdiff_t>(row * cols);
    auto end = begin + static_cast<std::ptrdiff_t>(cols);
    int64_t expected = std::accumulate(begin, end, int64_t(0));
    if (output[row] != expected) {
      std::fprintf(stderr, "row %zu: expected %lld, got %lld\n", row,
                   static_cast<long long>(expected),
                   static_cast<long long>(output[row]));
      return 1;
    }
  }
  std::printf("%s on %s (%s): %zu rows are right\n", kernel.signature().c_str(),
              device.info().id.c_str(), device.name().c_str(), rows);
  return 0;
}
