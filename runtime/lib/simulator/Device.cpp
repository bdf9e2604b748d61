//===- Device.cpp - AMD chips without the chip ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Runtime/ReferenceDevice.h"
#include "coll/Runtime/SimulatorDevice.h"
#include "coll/Simulator/Simulator.h"
#include "coll/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace coll;
using namespace llvm;

namespace {
/// What the simulated device can allocate: enough for tests, and less than a
/// machine that runs several of them has.
constexpr uint64_t memoryLimit = uint64_t(4) << 30;

class SimulatedBuffer final : public Buffer {
public:
  SimulatedBuffer(uint64_t size, uint64_t address,
                  std::shared_ptr<sim::DeviceMemory> memory)
      : Buffer(size), address(address), memory(std::move(memory)) {}
  ~SimulatedBuffer() override { memory->free(address); }
  uint64_t getAddress() const override { return address; }
  uint8_t *getData() { return memory->find(address, getSize()); }

private:
  uint64_t address;
  std::shared_ptr<sim::DeviceMemory> memory;
};

class SimulatedKernel final : public Kernel {
public:
  SimulatedKernel(const ImageEntry &entry, const sim::KernelInfo &info,
                  sim::Program &program)
      : Kernel(entry, info.ldsBytes, info.maxWorkgroupSize), info(info),
        program(program) {}
  const sim::KernelInfo &info;
  sim::Program &program;
};

class SimulatedModule final : public Module {
public:
  SimulatedModule(std::unique_ptr<sim::Program> program, const Image &image)
      : program(std::move(program)), entries(image.entries) {}
  Expected<Kernel *> getKernel(StringRef kernel) override;

private:
  std::unique_ptr<sim::Program> program;
  std::vector<ImageEntry> entries;
  StringMap<std::unique_ptr<SimulatedKernel>> kernels;
};

class SimulatedDevice final : public Device {
public:
  SimulatedDevice(DeviceInfo info, const Target &target,
                  const SimulatorSettings &settings)
      : Device(std::move(info)), target(target), settings(settings),
        memory(std::make_shared<sim::DeviceMemory>(memoryLimit)) {}
  Expected<std::unique_ptr<Buffer>> allocate(uint64_t bytes) override;
  Expected<std::unique_ptr<Module>> loadModule(const Image &image) override;
  Error synchronize() override { return Error::success(); }
  Expected<unsigned> getMaxResidentBlocks(Kernel &kernel,
                                          const LaunchConfig &config) override;
  Expected<uint64_t>
  getMaxCooperativeBlocks(Kernel &kernel, const LaunchConfig &config) override;

protected:
  Error doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) override;
  Error doCopyOut(MutableArrayRef<uint8_t> bytes, Buffer &buffer) override;
  Error doLaunch(Kernel &kernel, const LaunchConfig &config,
                 ArrayRef<KernelArg> args) override;

private:
  sim::LaunchOptions getOptions(const Kernel &kernel,
                                const LaunchConfig &config) const;

  Target target;
  SimulatorSettings settings;
  std::shared_ptr<sim::DeviceMemory> memory;
};
} // namespace

Expected<Kernel *> SimulatedModule::getKernel(StringRef kernel) {
  std::unique_ptr<SimulatedKernel> &known = kernels[kernel];
  if (known)
    return known.get();
  auto entry = find_if(
      entries, [&](const ImageEntry &entry) { return entry.kernel == kernel; });
  if (entry == entries.end())
    return createStringError("the image has no kernel '" + kernel + "'");
  const sim::KernelInfo *info = program->findKernel(entry->symbol);
  if (!info)
    return createStringError("the image has no symbol '" + entry->symbol +
                             "' for kernel '" + kernel + "'");
  known = std::make_unique<SimulatedKernel>(*entry, *info, *program);
  return known.get();
}

Expected<std::unique_ptr<Buffer>> SimulatedDevice::allocate(uint64_t bytes) {
  std::optional<uint64_t> address = memory->allocate(bytes);
  if (!address)
    return make_error<DeviceError>(
        ("allocation of " + Twine(bytes) + " bytes").str(), "", "out of memory",
        "use smaller arrays");
  return std::make_unique<SimulatedBuffer>(bytes, *address, memory);
}

Expected<std::unique_ptr<Module>>
SimulatedDevice::loadModule(const Image &image) {
  if (image.kind != ImageKind::HSACO)
    return createStringError(
        "a simulated AMD chip cannot load an image of kind " +
        getImageKindName(image.kind));
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(image.bytes.data()),
                          image.bytes.size());
  Expected<std::unique_ptr<sim::Program>> program =
      sim::Program::load(bytes, target, *memory);
  if (!program)
    return program.takeError();
  return std::make_unique<SimulatedModule>(std::move(*program), image);
}

Expected<unsigned>
SimulatedDevice::getMaxResidentBlocks(Kernel &kernel,
                                      const LaunchConfig &config) {
  if (Error error = checkLaunch(getInfo(), kernel, config))
    return error;
  return settings.residentGroups ? settings.residentGroups
                                 : sim::leastResidentGroups;
}

Expected<uint64_t>
SimulatedDevice::getMaxCooperativeBlocks(Kernel &kernel,
                                         const LaunchConfig &config) {
  if (settings.residentGroups)
    return settings.residentGroups;
  auto &loaded = static_cast<SimulatedKernel &>(kernel);
  return loaded.program.getMaxResidentGroups(loaded.info,
                                             getOptions(kernel, config));
}

Error SimulatedDevice::doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) {
  std::memcpy(static_cast<SimulatedBuffer &>(buffer).getData(), bytes.data(),
              bytes.size());
  return Error::success();
}

Error SimulatedDevice::doCopyOut(MutableArrayRef<uint8_t> bytes,
                                 Buffer &buffer) {
  std::memcpy(bytes.data(), static_cast<SimulatedBuffer &>(buffer).getData(),
              bytes.size());
  return Error::success();
}

/// The explicit arguments as the metadata lays them out.
static Expected<std::vector<uint8_t>> packArguments(const sim::KernelInfo &info,
                                                    ArrayRef<KernelArg> args) {
  std::vector<uint8_t> bytes(info.getExplicitBytes());
  auto next = args.begin();
  for (const sim::KernelParameter &parameter : info.parameters) {
    if (parameter.isHidden())
      continue;
    if (next == args.end() || parameter.size > sizeof(uint64_t))
      return createStringError("the arguments do not fit the parameters of '" +
                               info.name + "'");
    uint64_t value = next->buffer ? next->buffer->getAddress() : next->bits;
    std::memcpy(&bytes[parameter.offset], &value, parameter.size);
    ++next;
  }
  if (next != args.end())
    return createStringError("kernel '" + info.name + "' got " +
                             Twine(args.size()) +
                             " arguments, more than it has parameters");
  return bytes;
}

sim::LaunchOptions
SimulatedDevice::getOptions(const Kernel &kernel,
                            const LaunchConfig &config) const {
  sim::LaunchOptions options;
  for (unsigned i = 0; i != 3; ++i) {
    options.grid[i] = static_cast<uint32_t>(config.grid[i]);
    options.block[i] = config.block[i];
  }
  options.dynamicLDSBytes = static_cast<uint32_t>(config.dynamicSharedBytes);
  options.threads = settings.threads;
  options.residentGroups = settings.residentGroups;
  if (settings.maxInstructions)
    options.instructionLimit = settings.maxInstructions;
  options.isCooperative = kernel.getEntry().cooperative;
  options.scheduleSeed = settings.scheduleSeed;
  options.ulpSeed = settings.ulpSeed;
  if (settings.trace)
    options.trace = &errs();
  if (settings.breakLine)
    options.breakpoint = sim::LineSpec{settings.breakFile, settings.breakLine};
  options.stops = &errs();
  return options;
}

Error SimulatedDevice::doLaunch(Kernel &kernel, const LaunchConfig &config,
                                ArrayRef<KernelArg> args) {
  auto &loaded = static_cast<SimulatedKernel &>(kernel);
  Expected<std::vector<uint8_t>> bytes = packArguments(loaded.info, args);
  if (!bytes)
    return bytes.takeError();
  Expected<sim::LaunchResult> result =
      loaded.program.launch(loaded.info, *bytes, getOptions(kernel, config));
  if (!result)
    return result.takeError();
  if (settings.printStatistics)
    result->statistics.print(errs(), loaded.getName());
  if (result->fault)
    return make_error<KernelFault>(
        sim::getFaultKindName(result->fault->kind).str(), result->fault->str());
  return Error::success();
}

Expected<std::unique_ptr<Device>>
coll::openSimulatedDevice(StringRef chip, const SimulatorSettings &settings) {
  Expected<Target> target = Target::parse(chip);
  if (!target)
    return target.takeError();
  if (!target->isAMD())
    return createStringError("only AMD chips are simulated, not " +
                             target->str());
  DeviceInfo info;
  info.kind = DeviceKind::Simulator;
  info.name = "simulator of " + target->str();
  info.vendor = "amd";
  info.chip = target->str();
  info.driver = "simulator";
  info.warpSize = target->getWarpSize();
  info.maxSharedBytes = target->getChip().maxSharedBytes;
  info.memoryBytes = memoryLimit;
  return std::make_unique<SimulatedDevice>(std::move(info), *target, settings);
}
