//===- CompileBenchmark.cpp - How long source to code takes ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the softmax example in this process, for several targets and up to
// several stages. Each iteration starts from the text: nothing is cached but
// what LLVM sets up once.
//
//===----------------------------------------------------------------------===//

#include "coll/Driver/Compile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>

using namespace coll;

static std::string readExample(llvm::StringRef name) {
  auto buffer =
      llvm::MemoryBuffer::getFile(COLL_EXAMPLES "/" + name.str() + ".coll");
  if (!buffer) {
    llvm::errs() << "cannot read the example " << name << '\n';
    exit(1);
  }
  return (*buffer)->getBuffer().str();
}

static void compile(benchmark::State &state, llvm::StringRef example,
                    llvm::StringRef targetName, Stage stage) {
  std::string text = readExample(example);
  CompileTarget target = llvm::cantFail(CompileTarget::parse(targetName));
  std::vector<StepTime> totals;
  for (auto _ : state) {
    auto compilation = Compilation::fromText(example, text, {});
    auto result = compilation->emit(target, stage);
    if (!result || !*result) {
      state.SkipWithError("the example does not compile");
      return;
    }
    benchmark::DoNotOptimize(**result);
    totals.resize(compilation->getTimes().size());
    for (auto [total, time] : llvm::zip(totals, compilation->getTimes())) {
      total.step = time.step;
      total.milliseconds += time.milliseconds;
    }
  }
  for (const StepTime &total : totals)
    state.counters[total.step + "_ms"] =
        total.milliseconds / double(state.iterations());
}

BENCHMARK_CAPTURE(compile, softmax_coll, "softmax", "sm_90", Stage::Coll)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, softmax_sm_90, "softmax", "sm_90", Stage::Asm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, softmax_gfx942, "softmax", "gfx942", Stage::Asm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, softmax_gfx1100, "softmax", "gfx1100", Stage::Asm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile, softmax_gfx942_object, "softmax", "gfx942",
                  Stage::Obj)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
