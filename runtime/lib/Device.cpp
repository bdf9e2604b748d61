//===- Device.cpp - What all devices share --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Runtime/Device.h"
#include "coll/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using namespace llvm;

char DeviceError::ID;

void DeviceError::log(raw_ostream &os) const {
  os << call << " failed: ";
  if (!code.empty())
    os << code << (text.empty() ? "" : " (" + text + ")");
  else
    os << text;
  if (!advice.empty())
    os << "; " << advice;
}

std::error_code DeviceError::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

StringRef coll::getDeviceKindName(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::CUDA:
    return "cuda";
  case DeviceKind::HIP:
    return "hip";
  case DeviceKind::Reference:
    return "reference";
  case DeviceKind::Simulator:
    return "sim";
  }
  llvm_unreachable("unknown kind of device");
}

Buffer::~Buffer() = default;
Kernel::~Kernel() = default;
Module::~Module() = default;
Device::~Device() = default;

std::string Device::str() const {
  if (info.kind == DeviceKind::Simulator)
    return ("sim:" + Twine(info.chip)).str();
  unsigned number =
      info.kind == DeviceKind::Reference ? info.warpSize : info.index;
  return (getDeviceKindName(info.kind) + ":" + Twine(number)).str();
}

static Error checkCopy(const char *direction, uint64_t host, uint64_t device) {
  if (host == device)
    return Error::success();
  return make_error<DeviceError>(
      std::string("a copy ") + direction + " the device", "",
      ("the host has " + Twine(host) + " bytes and the buffer " + Twine(device))
          .str(),
      "");
}

Error Device::copyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) {
  if (Error error = checkCopy("to", bytes.size(), buffer.getSize()))
    return error;
  return bytes.empty() ? Error::success() : doCopyIn(buffer, bytes);
}

Error Device::copyOut(MutableArrayRef<uint8_t> bytes, Buffer &buffer) {
  if (Error error = checkCopy("from", bytes.size(), buffer.getSize()))
    return error;
  return bytes.empty() ? Error::success() : doCopyOut(bytes, buffer);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static constexpr const char *axes[] = {"x", "y", "z"};

/// The device in a sentence.
static std::string describe(const DeviceInfo &info) {
  if (info.kind == DeviceKind::Reference)
    return "the reference device";
  return info.kind == DeviceKind::Simulator ? "the " + info.name : info.name;
}

static Error limitError(const Kernel &kernel, const Twine &what, uint64_t value,
                        uint64_t limit, const Twine &owner) {
  return make_error<DeviceError>(("launch of '" + kernel.getName() + "'").str(),
                                 "",
                                 (what + " is " + Twine(value) + ", and " +
                                  owner + " allows " + Twine(limit))
                                     .str(),
                                 "");
}

static Error checkClusters(const Kernel &kernel, const LaunchConfig &config) {
  const std::array<uint32_t, 3> &cluster = kernel.getEntry().cluster;
  for (unsigned i = 0; i != 3; ++i)
    if (config.grid[i] % cluster[i] != 0)
      return make_error<DeviceError>(
          ("launch of '" + kernel.getName() + "'").str(), "",
          (Twine("the grid's ") + axes[i] + " is " + Twine(config.grid[i]) +
           ", which is no multiple of the cluster's " + Twine(cluster[i]))
              .str(),
          "");
  return Error::success();
}

Error coll::checkLaunch(const DeviceInfo &info, const Kernel &kernel,
                        const LaunchConfig &config) {
  uint64_t threads = 1;
  for (unsigned i = 0; i != 3; ++i) {
    if (config.block[i] == 0)
      return limitError(kernel, Twine("the block's ") + axes[i], 0,
                        info.maxBlock[i], "the device, from 1 up,");
    if (config.block[i] > info.maxBlock[i])
      return limitError(kernel, Twine("the block's ") + axes[i],
                        config.block[i], info.maxBlock[i], describe(info));
    if (config.grid[i] > info.maxGrid[i])
      return limitError(kernel, Twine("the grid's ") + axes[i], config.grid[i],
                        info.maxGrid[i], describe(info));
    threads *= config.block[i];
  }
  if (threads > info.maxThreadsPerBlock)
    return limitError(kernel, "the number of threads in a block", threads,
                      info.maxThreadsPerBlock, describe(info));
  if (threads > kernel.getMaxThreads())
    return limitError(kernel, "the number of threads in a block", threads,
                      kernel.getMaxThreads(), "its use of registers");
  uint64_t fixed = kernel.getStaticSharedBytes();
  if (config.dynamicSharedBytes > info.maxSharedBytes ||
      fixed > info.maxSharedBytes - config.dynamicSharedBytes)
    return limitError(kernel,
                      "the shared memory of a block (" + Twine(fixed) +
                          " static bytes and " +
                          Twine(config.dynamicSharedBytes) + " dynamic)",
                      SaturatingAdd(fixed, config.dynamicSharedBytes),
                      info.maxSharedBytes, describe(info));
  return checkClusters(kernel, config);
}

Expected<uint64_t> Device::getMaxCooperativeBlocks(Kernel &kernel,
                                                   const LaunchConfig &config) {
  Expected<unsigned> blocks = getMaxResidentBlocks(kernel, config);
  if (!blocks)
    return blocks.takeError();
  return uint64_t(*blocks) * info.multiprocessors;
}

Error Device::checkResidency(Kernel &kernel, const LaunchConfig &config) {
  Expected<uint64_t> most = getMaxCooperativeBlocks(kernel, config);
  if (!most)
    return most.takeError();
  uint64_t blocks = config.getBlockCount();
  if (blocks <= *most)
    return Error::success();
  return make_error<DeviceError>(
      ("launch of '" + kernel.getName() + "'").str(), "",
      ("the grid has " + Twine(blocks) + " blocks, and " + describe(info) +
       " holds at most " + Twine(*most) + " of this kernel at once")
          .str(),
      "blocks that wait for each other must all be there: use a smaller grid");
}

Expected<Buffer *> Device::getWorkspace(uint64_t bytes) {
  if (workspace && workspace->getSize() >= bytes)
    return workspace.get();
  // Room for some more blocks, so that it grows a few times at most.
  constexpr uint64_t leastBytes = 4096;
  uint64_t size = std::max(
      leastBytes, bytes <= (uint64_t(1) << 62) ? llvm::bit_ceil(bytes) : bytes);
  // The old one is given back first: launches that use it end before.
  workspace.reset();
  Expected<std::unique_ptr<Buffer>> buffer = allocate(size);
  if (!buffer)
    return buffer.takeError();
  if (Error error = copyIn(**buffer, std::vector<uint8_t>(size)))
    return error;
  workspace = std::move(*buffer);
  return workspace.get();
}

Error Device::launch(Kernel &kernel, const LaunchConfig &config,
                     ArrayRef<KernelArg> args) {
  if (is_contained(config.grid, 0u))
    return Error::success();
  if (Error error = checkLaunch(info, kernel, config))
    return error;
  if (kernel.getEntry().cooperative)
    if (Error error = checkResidency(kernel, config))
      return error;
  if (!kernel.getEntry().workspace)
    return doLaunch(kernel, config, args);
  Expected<Buffer *> memory = getWorkspace(config.workspaceBytes);
  if (!memory)
    return memory.takeError();
  SmallVector<KernelArg> all(args);
  all.push_back(KernelArg::view(**memory));
  Error error = doLaunch(kernel, config, all);
  // A kernel that stopped on its way left its workspace as it was then.
  if (error)
    workspace.reset();
  return error;
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// sm_90a and kin: their code runs on that chip alone.
static bool isChipSpecific(const ChipInfo &chip) {
  return chip.vendor == Vendor::NVIDIA && !isDigit(chip.name.back());
}

Expected<std::string> coll::getCompileTarget(const DeviceInfo &info) {
  if (info.kind == DeviceKind::Reference)
    return info.warpSize == 32 ? "reference" : "reference:64";
  Expected<Target> exact = Target::parse(info.chip);
  if (exact)
    return exact->str();
  const ChipInfo *best = nullptr;
  for (const ChipInfo &chip : getChips())
    if (chip.vendor == Vendor::NVIDIA && !isChipSpecific(chip) &&
        chip.smVersion <= info.computeCapability &&
        (!best || chip.smVersion > best->smVersion))
      best = &chip;
  if (!best)
    return exact.takeError();
  consumeError(exact.takeError());
  return best->name.str();
}

/// How well an image fits a device; 0 if it does not run there.
static unsigned rateImage(const Image &image, const DeviceInfo &info) {
  if (info.kind == DeviceKind::Reference)
    return image.kind == ImageKind::CollIR &&
           image.targetName == cantFail(getCompileTarget(info));
  Expected<Target> target = Target::parse(image.targetName);
  if (!target) {
    consumeError(target.takeError());
    return 0;
  }
  const ChipInfo &chip = target->getChip();
  if (info.kind == DeviceKind::Simulator)
    return image.kind == ImageKind::HSACO && target->str() == info.chip;
  if (info.kind == DeviceKind::HIP) {
    if (image.kind != ImageKind::HSACO || chip.name != info.chip)
      return 0;
    return target->getWarpSize() == chip.defaultWarpSize ? 2 : 1;
  }
  bool isText = image.kind == ImageKind::PTX;
  if (!target->isNVIDIA() || (!isText && image.kind != ImageKind::Cubin))
    return 0;
  unsigned sm = target->getSM(), capability = info.computeCapability;
  // Machine code runs on later chips of its major version; code for one chip's
  // own features runs there only; other text runs on all later chips.
  bool runs = isChipSpecific(chip) ? sm == capability
              : isText ? sm <= capability
                       : sm / 10 == capability / 10 && sm <= capability;
  return runs ? 4 * sm + 2 * isChipSpecific(chip) + !isText : 0;
}

Expected<const Image *> coll::selectImage(const Bundle &bundle,
                                          const DeviceInfo &info) {
  const Image *best = nullptr;
  unsigned bestRate = 0;
  for (const Image &image : bundle.images) {
    unsigned rate = rateImage(image, info);
    if (rate > bestRate) {
      best = &image;
      bestRate = rate;
    }
  }
  if (best)
    return best;
  std::string targets;
  for (const Image &image : bundle.images)
    targets += (targets.empty() ? "" : ", ") + image.targetName;
  return createStringError("the bundle has no image for " + info.chip + " (" +
                           info.name + "), only for " +
                           (targets.empty() ? "nothing" : targets));
}

/// `sim:gfx90a`, `sim:gfx1100:64`.
static Expected<DeviceSpec> parseSimulated(StringRef text) {
  DeviceSpec spec;
  spec.kind = DeviceKind::Simulator;
  spec.chip = text.split(':').second.str();
  Expected<Target> target = Target::parse(spec.chip);
  if (!target)
    return target.takeError();
  if (!target->isAMD())
    return createStringError("device '" + text +
                             "' needs an AMD chip after ':', got '" +
                             spec.chip + "'");
  return spec;
}

Expected<DeviceSpec> DeviceSpec::parse(StringRef text) {
  if (text.starts_with("sim:"))
    return parseSimulated(text);
  auto [name, suffix] = text.split(':');
  bool hasSuffix = text.contains(':');
  DeviceSpec spec;
  if (name == "reference") {
    spec.kind = DeviceKind::Reference;
  } else if (name == "cuda") {
    spec.kind = DeviceKind::CUDA;
  } else if (name == "hip") {
    spec.kind = DeviceKind::HIP;
  } else if (text != "auto") {
    return createStringError("unknown device '" + text +
                             "', expected auto, reference[:32|:64], "
                             "cuda[:N], hip[:N] or sim:CHIP");
  }
  if (hasSuffix && suffix.getAsInteger(10, spec.number))
    return createStringError(
        "device '" + text + "' needs a number after ':', got '" + suffix + "'");
  if (spec.kind == DeviceKind::Reference && hasSuffix && spec.number != 32 &&
      spec.number != 64)
    return createStringError(
        "the reference device has warps of 32 or 64 threads, not " +
        Twine(spec.number));
  return spec;
}

Expected<std::unique_ptr<Device>> coll::openGpu(const DeviceSpec &spec) {
  if (spec.kind == DeviceKind::CUDA)
    return openCudaDevice(spec.number);
  if (spec.kind == DeviceKind::HIP)
    return openHipDevice(spec.number);
  assert(!spec.kind && "this device is opened by its own function");
  Expected<std::unique_ptr<Device>> cuda = openCudaDevice(0);
  if (cuda)
    return cuda;
  Expected<std::unique_ptr<Device>> hip = openHipDevice(0);
  if (hip) {
    consumeError(cuda.takeError());
    return hip;
  }
  return joinErrors(cuda.takeError(), hip.takeError());
}
