//===- SimulatorBenchmark.cpp - Lane-instructions a second ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels on simulated chips, on one thread and on several. A
// lane-instruction is a vector instruction in one active lane.
//
//===----------------------------------------------------------------------===//

#include "coll/Driver/Compile.h"
#include "coll/Simulator/Simulator.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>
#include <cstring>

using namespace coll;

/// Floats, a division, exp, and two collectives of a block.
static const char *const softmax = R"(
kernel k(x: [rows, cols]f32, y: mut [rows, cols]f32) workgroup(256) grid(rows) {
  let row = block.index;
  var m = -inf;
  for c in block.strided(cols) { m = max(m, x[row, c]); }
  m = block.reduce(max, m);
  var s = 0.0;
  for c in block.strided(cols) { s += exp(x[row, c] - m); }
  s = block.reduce(add, s);
  for c in block.strided(cols) { y[row, c] = exp(x[row, c] - m) / s; }
}
)";

/// Integers in registers: each thread steps a linear congruential generator.
static const char *const generator = R"(
kernel k(x: [rows, cols]u32, y: mut [rows, cols]u32) workgroup(256) grid(rows) {
  let row = block.index;
  for c in block.strided(cols) {
    var v = x[row, c];
    for i in 0..100 { v = v * 1664525 + 1013904223; v = v ^ (v >> 13); }
    y[row, c] = v;
  }
}
)";

/// A scan of each row: LDS, barriers and lane moves.
static const char *const scan = R"(
kernel k(x: [rows, cols]i32, y: mut [rows, cols]i32) workgroup(256) grid(rows) {
  let row = block.index;
  for i in 0..4 {
    let c = i * 256 + block.rank;
    y[row, c] = block.scan(add, x[row, c]);
  }
}
)";

static constexpr uint64_t rows = 200, cols = 1024;

[[noreturn]] static void exitWith(llvm::StringRef message) {
  llvm::errs() << message << '\n';
  exit(1);
}

namespace {
/// A kernel "k" of two matrices on a simulated chip.
class Machine {
public:
  Machine(const char *text, llvm::StringRef chip) {
    auto compilation = Compilation::fromText("benchmark.coll", text, {});
    CompileTarget target = cantFail(CompileTarget::parse(chip));
    auto bundle = cantFail(compilation->compile(target));
    if (!bundle)
      exitWith("the kernel does not compile");
    const std::string &bytes = bundle->images.front().bytes;
    program = cantFail(sim::Program::load(
        {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()},
        target.getChip(), memory));
    kernel = program->findKernel("k");
    packArguments();
  }

  sim::Statistics launch(unsigned threads) {
    sim::LaunchOptions options;
    options.grid = {rows, 1, 1};
    options.block = {256, 1, 1};
    options.threads = threads;
    sim::LaunchResult result =
        cantFail(program->launch(*kernel, arguments, options));
    if (result.fault)
      exitWith(result.fault->str());
    return result.statistics;
  }

private:
  /// Arrays, then the extents in the order of their names' appearance.
  void packArguments() {
    arguments.resize(kernel->getExplicitBytes());
    uint64_t extents[] = {rows, cols};
    unsigned numExtents = 0;
    for (const sim::KernelParameter &parameter : kernel->parameters) {
      if (parameter.isHidden())
        continue;
      uint64_t value = 0;
      if (parameter.kind == "global_buffer") {
        value = *memory.allocate(4 * rows * cols);
        std::memset(memory.find(value, 4 * rows * cols), 0, 4 * rows * cols);
      } else {
        value = extents[numExtents++];
      }
      std::memcpy(&arguments[parameter.offset], &value, parameter.size);
    }
  }

  sim::DeviceMemory memory{1 << 26};
  std::unique_ptr<sim::Program> program;
  const sim::KernelInfo *kernel = nullptr;
  std::vector<uint8_t> arguments;
};
} // namespace

/// The argument is the number of threads.
static void simulate(benchmark::State &state, const char *text,
                     const char *chip) {
  Machine machine(text, chip);
  sim::Statistics total;
  for (auto _ : state)
    total.add(machine.launch(static_cast<unsigned>(state.range(0))));
  using benchmark::Counter;
  state.counters["lanes"] =
      Counter(double(total.laneInstructions), Counter::kIsRate);
  state.counters["instructions"] =
      Counter(double(total.instructions), Counter::kIsRate);
}

/// One thread is measured by its processor time, several by the clock.
#define COLL_BENCHMARK_ON(workload, chip)                                      \
  BENCHMARK_CAPTURE(simulate, workload##_##chip, workload, #chip)              \
      ->Arg(1)                                                                 \
      ->Unit(benchmark::kMillisecond);                                         \
  BENCHMARK_CAPTURE(simulate, workload##_##chip, workload, #chip)              \
      ->Arg(2)                                                                 \
      ->UseRealTime()                                                          \
      ->Unit(benchmark::kMillisecond)
#define COLL_BENCHMARK(workload)                                               \
  COLL_BENCHMARK_ON(workload, gfx942);                                         \
  COLL_BENCHMARK_ON(workload, gfx1100)

COLL_BENCHMARK(softmax);
COLL_BENCHMARK(generator);
COLL_BENCHMARK(scan);

BENCHMARK_MAIN();
