//===- Program.cpp - Loaded code objects and their launches ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

struct Program::Impl {
  Impl(std::unique_ptr<Decoder> decoder, CodeObject object, LineTable lines,
       DeviceMemory &memory)
      : decoder(std::move(decoder)), object(std::move(object)),
        lines(std::move(lines)), memory(memory),
        cache(*this->decoder, memory, this->object.code) {}
  ~Impl() { memory.free(object.base); }

  std::unique_ptr<Decoder> decoder;
  CodeObject object;
  LineTable lines;
  DeviceMemory &memory;
  InstructionCache cache;
};

Program::Program(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Program::~Program() = default;

uint32_t KernelInfo::getExplicitBytes() const {
  uint32_t bytes = 0;
  for (const KernelParameter &parameter : parameters)
    if (!parameter.isHidden())
      bytes = std::max(bytes, parameter.offset + parameter.size);
  return bytes;
}

Expected<std::unique_ptr<Program>> Program::load(ArrayRef<uint8_t> bytes,
                                                 const coll::Target &target,
                                                 DeviceMemory &memory) {
  if (!target.isAMD())
    return createStringError("only AMD chips are simulated, not " +
                             target.str());
  Expected<CodeObject> object = loadCodeObject(bytes, target, memory);
  if (!object)
    return object.takeError();
  Expected<std::unique_ptr<Decoder>> decoder = Decoder::create(target);
  if (!decoder) {
    memory.free(object->base);
    return decoder.takeError();
  }
  LineTable lines = LineTable::read(bytes, object->base);
  return std::unique_ptr<Program>(new Program(std::make_unique<Impl>(
      std::move(*decoder), std::move(*object), std::move(lines), memory)));
}

ArrayRef<KernelInfo> Program::getKernels() const {
  return impl->object.kernels;
}

const KernelInfo *Program::findKernel(StringRef name) const {
  auto kernel = find_if(impl->object.kernels, [&](const KernelInfo &kernel) {
    return kernel.name == name;
  });
  return kernel == impl->object.kernels.end() ? nullptr : &*kernel;
}

static Error checkLaunch(const KernelInfo &kernel, ArrayRef<uint8_t> arguments,
                         const LaunchOptions &options) {
  uint64_t threads = 1;
  for (unsigned i = 0; i != 3; ++i) {
    if (options.grid[i] == 0 || options.block[i] == 0)
      return createStringError("launch of '" + kernel.name +
                               "': an empty grid or block");
    threads = SaturatingMultiply<uint64_t>(threads, options.block[i]);
  }
  if (threads > kernel.maxWorkgroupSize)
    return createStringError("launch of '" + kernel.name + "': a block of " +
                             Twine(threads) + " threads, and the kernel " +
                             "allows " + Twine(kernel.maxWorkgroupSize));
  if (arguments.size() != kernel.getExplicitBytes())
    return createStringError(
        "launch of '" + kernel.name + "': " + Twine(arguments.size()) +
        " bytes of arguments, expected " + Twine(kernel.getExplicitBytes()));
  return Error::success();
}

/// A line without code would be waited for in vain.
static Error checkBreakpoint(const LineTable &lines,
                             const LaunchOptions &options) {
  if (!options.breakpoint || lines.hasLine(*options.breakpoint))
    return Error::success();
  if (lines.empty())
    return createStringError("the code has no source lines to stop at; compile "
                             "it with -g");
  return createStringError(std::make_error_code(std::errc::invalid_argument),
                           "there is no code for line " +
                               options.breakpoint->str());
}

static unsigned getNumWaves(const Chip &chip, const LaunchOptions &options) {
  unsigned threads = options.block[0] * options.block[1] * options.block[2];
  return static_cast<unsigned>(divideCeil(threads, chip.getWaveSize()));
}

uint64_t Program::getMaxResidentGroups(const KernelInfo &kernel,
                                       const LaunchOptions &options) const {
  constexpr uint64_t mostBytes = uint64_t(2) << 30;
  const Chip &chip = impl->decoder->getChip();
  uint64_t waveBytes =
      Wave::getHostBytes() + uint64_t(kernel.scratchBytes) * chip.getWaveSize();
  uint64_t ldsBytes = uint64_t(kernel.ldsBytes) + options.dynamicLDSBytes;
  uint64_t groupBytes = sizeof(Workgroup) +
                        getNumWaves(chip, options) * waveBytes +
                        ldsBytes * Workgroup::hostBytesOfLDSByte;
  return std::max<uint64_t>(mostBytes / groupBytes, 1);
}

static Error checkResidency(const KernelInfo &kernel,
                            const LaunchOptions &options, uint64_t most) {
  uint64_t groups = getNumGroups(options);
  if (!options.isCooperative || groups <= most)
    return Error::success();
  return createStringError("launch of '" + kernel.name + "': the grid has " +
                           Twine(groups) + " blocks, and at most " +
                           Twine(most) + " can be resident at once");
}

Expected<LaunchResult> Program::launch(const KernelInfo &kernel,
                                       ArrayRef<uint8_t> arguments,
                                       const LaunchOptions &options) {
  if (Error error = checkLaunch(kernel, arguments, options))
    return std::move(error);
  if (Error error = checkResidency(kernel, options,
                                   getMaxResidentGroups(kernel, options)))
    return std::move(error);
  if (Error error = checkBreakpoint(impl->lines, options))
    return std::move(error);
  const uint8_t *bytes = impl->memory.find(kernel.descriptorAddress, 64);
  if (!bytes)
    return createStringError("kernel '" + kernel.name +
                             "' has no descriptor in memory");
  KernelDescriptor descriptor = KernelDescriptor::read(bytes);
  Launch launch{.chip = impl->decoder->getChip(),
                .memory = impl->memory,
                .options = options,
                .kernel = kernel,
                .codeAddress = kernel.descriptorAddress +
                               static_cast<uint64_t>(descriptor.entryOffset),
                .statistics = {},
                .fault = std::nullopt,
                .lines = &impl->lines};
  Concurrency concurrency = Concurrency::choose(options);
  Expected<std::unique_ptr<Dispatch>> dispatch = Dispatch::create(
      launch, descriptor, arguments,
      getNumWaves(launch.chip, options) * concurrency.residentGroups);
  if (!dispatch)
    return dispatch.takeError();
  return runGroups(launch, impl->cache, **dispatch, concurrency);
}
