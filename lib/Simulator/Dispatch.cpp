//===- Dispatch.cpp - The ABI of a launch ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source of all numbers: LLVM's "User Guide for AMDGPU Backend", sections
// "Kernel Descriptor", "Initial Kernel Execution State", "Code Object V5
// Metadata"; the AQL packet is the HSA system architecture's.
//
//===----------------------------------------------------------------------===//

#include "Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace coll::sim;
using namespace llvm;
using namespace llvm::support;

//===----------------------------------------------------------------------===//
// The descriptor
//===----------------------------------------------------------------------===//

/// Bits of `properties`.
enum KernelProperty : uint16_t {
  EnablePrivateSegmentBuffer = 1 << 0,
  EnableDispatchPtr = 1 << 1,
  EnableQueuePtr = 1 << 2,
  EnableKernargSegmentPtr = 1 << 3,
  EnableDispatchId = 1 << 4,
  EnableFlatScratchInit = 1 << 5,
  EnablePrivateSegmentSize = 1 << 6
};

/// Bits of `rsrc2`.
enum Rsrc2 : uint32_t {
  EnablePrivateSegment = 1 << 0,
  EnableGroupIdX = 1 << 7,
  EnableGroupIdY = 1 << 8,
  EnableGroupIdZ = 1 << 9,
  EnableGroupInfo = 1 << 10,
  WorkitemIdShift = 11
};

KernelDescriptor KernelDescriptor::read(const uint8_t *bytes) {
  KernelDescriptor descriptor;
  descriptor.ldsBytes = endian::read32le(bytes);
  descriptor.scratchBytes = endian::read32le(bytes + 4);
  descriptor.kernargBytes = endian::read32le(bytes + 8);
  descriptor.entryOffset = static_cast<int64_t>(endian::read64le(bytes + 16));
  descriptor.rsrc1 = endian::read32le(bytes + 48);
  descriptor.rsrc2 = endian::read32le(bytes + 52);
  descriptor.properties = endian::read16le(bytes + 56);
  descriptor.preload = endian::read16le(bytes + 58);
  return descriptor;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Error Dispatch::allocate(uint64_t &address, uint64_t bytes, const char *what,
                         bool isReadOnly) {
  std::optional<uint64_t> place =
      launch.memory.allocate(bytes, what, isReadOnly);
  if (!place)
    return createStringError("out of memory for " + Twine(what) + " (" +
                             Twine(bytes) + " bytes)");
  address = *place;
  allocations.push_back(address);
  return Error::success();
}

uint64_t Dispatch::getScratchBytesPerWave() const {
  // Whole dwords, in units that the wave offset can express.
  uint64_t perLane = alignTo(launch.kernel.scratchBytes, 16);
  return perLane * launch.chip.getWaveSize();
}

/// Drivers allocate cache lines, on which LLVM relies: it makes one aligned
/// load of several arguments that are next to each other, which may read behind
/// the last one.
static uint64_t getKernargAllocation(uint64_t bytes) {
  return alignTo(bytes, 64);
}

Expected<std::unique_ptr<Dispatch>>
Dispatch::create(Launch &launch, const KernelDescriptor &descriptor,
                 ArrayRef<uint8_t> arguments, unsigned numWaveSlots) {
  std::unique_ptr<Dispatch> dispatch(new Dispatch(launch, descriptor));
  dispatch->scratchBytes = dispatch->getScratchBytesPerWave() * numWaveSlots;
  if (Error error = dispatch->allocate(
          dispatch->kernarg, getKernargAllocation(launch.kernel.kernargBytes),
          "the kernel's arguments", /*isReadOnly=*/true))
    return std::move(error);
  if (Error error =
          dispatch->allocate(dispatch->packet, 64, "the dispatch packet", true))
    return std::move(error);
  if (dispatch->scratchBytes)
    if (Error error = dispatch->allocate(
            dispatch->scratch, dispatch->scratchBytes, "private memory", false))
      return std::move(error);
  dispatch->writeArguments(arguments);
  dispatch->writePacket();
  return dispatch;
}

Dispatch::~Dispatch() {
  for (uint64_t address : allocations)
    launch.memory.free(address);
}

/// What is not listed is a null pointer or 0: no host calls, no device heap.
uint64_t Dispatch::getHiddenArgument(StringRef kind) const {
  const LaunchOptions &options = launch.options;
  unsigned dims = options.block[2] != 1 || options.grid[2] != 1   ? 3
                  : options.block[1] != 1 || options.grid[1] != 1 ? 2
                                                                  : 1;
  return StringSwitch<uint64_t>(kind)
      .Case("hidden_block_count_x", options.grid[0])
      .Case("hidden_block_count_y", options.grid[1])
      .Case("hidden_block_count_z", options.grid[2])
      .Case("hidden_group_size_x", options.block[0])
      .Case("hidden_group_size_y", options.block[1])
      .Case("hidden_group_size_z", options.block[2])
      .Case("hidden_grid_dims", dims)
      .Case("hidden_dynamic_lds_size", options.dynamicLDSBytes)
      .Case("hidden_shared_base", sharedAperture >> 32)
      .Case("hidden_private_base", privateAperture >> 32)
      .Default(0);
}

void Dispatch::writeArguments(ArrayRef<uint8_t> arguments) {
  if (launch.kernel.kernargBytes == 0)
    return;
  uint64_t size = getKernargAllocation(launch.kernel.kernargBytes);
  uint8_t *bytes = launch.memory.find(kernarg, size);
  std::memset(bytes, 0, size);
  llvm::copy(arguments.take_front(launch.kernel.kernargBytes), bytes);
  for (const KernelParameter &parameter : launch.kernel.parameters) {
    if (!parameter.isHidden())
      continue;
    uint64_t value = getHiddenArgument(parameter.kind);
    std::memcpy(bytes + parameter.offset, &value,
                std::min<size_t>(parameter.size, sizeof value));
  }
}

void Dispatch::writePacket() {
  uint8_t *bytes = launch.memory.find(packet, 64);
  std::memset(bytes, 0, 64);
  const LaunchOptions &options = launch.options;
  endian::write16le(bytes, 2); // A kernel dispatch.
  endian::write16le(
      bytes + 2, static_cast<uint16_t>(getHiddenArgument("hidden_grid_dims")));
  for (unsigned i = 0; i != 3; ++i) {
    endian::write16le(bytes + 4 + 2 * i,
                      static_cast<uint16_t>(options.block[i]));
    endian::write32le(bytes + 12 + 4 * i, options.grid[i] * options.block[i]);
  }
  endian::write32le(bytes + 24, launch.kernel.scratchBytes);
  endian::write32le(bytes + 28,
                    launch.kernel.ldsBytes + options.dynamicLDSBytes);
  endian::write64le(bytes + 32, launch.kernel.descriptorAddress);
  endian::write64le(bytes + 40, kernarg);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void Dispatch::setUserSGPRs(Wave &wave) const {
  unsigned next = 0;
  auto addPair = [&](KernelProperty property, uint64_t value) {
    if (descriptor.properties & property) {
      wave.setPair(next, value);
      next += 2;
    }
  };
  if (descriptor.properties & EnablePrivateSegmentBuffer) {
    // A buffer resource of the whole scratch memory: swizzled by dwords, with
    // the lane's number added. Word 3 as the driver sets it: element size 4,
    // index stride of a wave, add_tid.
    uint64_t stride = launch.chip.getWaveSize() == 64 ? 3 : 2;
    wave.setPair(next, scratch | 1ull << 63);
    wave.setPair(next + 2, (scratchBytes & 0xffffffffu) |
                               (1ull << 19 | stride << 21 | 1ull << 23) << 32);
    next += 4;
  }
  addPair(EnableDispatchPtr, packet);
  addPair(EnableQueuePtr, packet);
  addPair(EnableKernargSegmentPtr, kernarg);
  addPair(EnableDispatchId, 1);
  addPair(EnableFlatScratchInit, scratch);
  if (descriptor.properties & EnablePrivateSegmentSize) {
    wave.scalars[next] = launch.kernel.scratchBytes;
    wave.scalarInit.set(next++);
  }
  unsigned length = descriptor.getPreloadLength();
  const uint8_t *preload = launch.memory.find(
      kernarg + 4 * descriptor.getPreloadOffset(), 4 * length);
  for (unsigned i = 0; preload && i < length && next < VCCLo; ++i, ++next) {
    wave.scalars[next] = endian::read32le(preload + 4 * i);
    wave.scalarInit.set(next);
  }
}

void Dispatch::setSystemSGPRs(Wave &wave, unsigned slot) const {
  unsigned next = descriptor.getNumUserSGPRs();
  auto add = [&](uint32_t value) {
    wave.scalars[next] = value;
    wave.scalarInit.set(next++);
  };
  const std::array<uint32_t, 3> &id = wave.group.id;
  if (launch.chip.hasArchitectedGroupIds()) {
    wave.scalars[Ttmp0 + 7] = (id[1] & 0xffff) | id[2] << 16;
    wave.scalars[Ttmp0 + 8] = wave.index << 25;
    wave.scalars[Ttmp0 + 9] = id[0];
    wave.scalarInit.set(Ttmp0 + 7).set(Ttmp0 + 8).set(Ttmp0 + 9);
  } else {
    for (unsigned i = 0; i != 3; ++i)
      if (descriptor.rsrc2 & EnableGroupIdX << i)
        add(id[i]);
  }
  if (descriptor.rsrc2 & EnableGroupInfo)
    add(wave.group.numWaves);
  if (descriptor.rsrc2 & EnablePrivateSegment &&
      !launch.chip.hasArchitectedFlatScratch())
    add(static_cast<uint32_t>(slot * getScratchBytesPerWave()));
}

void Dispatch::setWorkitemIds(Wave &wave) const {
  const std::array<uint32_t, 3> &block = launch.options.block;
  unsigned numIds = 1 + (descriptor.rsrc2 >> WorkitemIdShift & 3);
  bool isPacked = launch.chip.hasPackedWorkitemIds();
  uint32_t numThreads = block[0] * block[1] * block[2];
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane != wave.size(); ++lane) {
    uint32_t thread = wave.index * wave.size() + lane;
    if (thread >= numThreads)
      break;
    lanes |= 1ull << lane;
    uint32_t ids[3] = {thread % block[0], thread / block[0] % block[1],
                       thread / block[0] / block[1]};
    uint32_t packed = 0;
    for (unsigned i = 0; i != std::min(numIds, 3u); ++i) {
      packed |= ids[i] << 10 * i;
      if (!isPacked)
        wave.getVGPR(i)[lane] = ids[i];
    }
    if (isPacked)
      wave.getVGPR(0)[lane] = packed;
  }
  for (unsigned i = 0; i != (isPacked ? 1 : std::min(numIds, 3u)); ++i)
    wave.vgprInit[i] = lanes;
  wave.setExec(lanes);
}

/// Gives the VGPRs that the kernel has a value, so that a run depends on
/// nothing else. There are at most 8 for each granule of the descriptor.
static void fillVGPRs(Wave &wave, uint32_t rsrc1) {
  constexpr uint32_t filling = 0xa5a5a5a5;
  constexpr unsigned numVGPRs = 256, lanes = 64;
  unsigned used = std::min(numVGPRs, 8 * ((rsrc1 & 63) + 1));
  std::fill_n(wave.getVGPR(0), lanes * used, filling);
  if (wave.chip.isGFX9()) // Accumulation registers, of which there are as many.
    std::fill_n(wave.getVGPR(numVGPRs), lanes * used, filling);
}

void Dispatch::initialize(Wave &wave, unsigned slot) const {
  wave.pc = launch.codeAddress;
  if (descriptor.getPreloadLength() != 0)
    wave.pc += 256; // The code before loads what the hardware preloads.
  uint32_t rsrc1 = descriptor.rsrc1;
  wave.mode = rsrc1 >> 12 & 0xff;
  if (launch.chip.hasIEEEMode())
    wave.mode |=
        (rsrc1 >> 21 & 1 ? DX10Clamp : 0u) | (rsrc1 >> 23 & 1 ? IEEEMode : 0u);
  if (rsrc1 >> 26 & 1)
    wave.mode |= FP16Overflow;
  fillVGPRs(wave, rsrc1);
  wave.scratchBytes = launch.kernel.scratchBytes;
  wave.scratchBase = scratch + slot * getScratchBytesPerWave();
  setUserSGPRs(wave);
  setSystemSGPRs(wave, slot);
  setWorkitemIds(wave);
}
