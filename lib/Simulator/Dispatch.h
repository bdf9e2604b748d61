//===- Dispatch.h - The ABI of a launch -------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the packet processor and the hardware do before a wave's first
// instruction: the segments of the launch, and registers as the kernel's
// descriptor asks for them.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_DISPATCH_H
#define COLL_LIB_SIMULATOR_DISPATCH_H

#include "Wave.h"

namespace coll::sim {

/// The fields of a kernel descriptor that the ABI uses.
struct KernelDescriptor {
  uint32_t ldsBytes = 0, scratchBytes = 0, kernargBytes = 0;
  int64_t entryOffset = 0; ///< From the descriptor.
  uint32_t rsrc1 = 0, rsrc2 = 0;
  uint16_t properties = 0;
  uint16_t preload = 0;

  static KernelDescriptor read(const uint8_t *bytes);
  unsigned getNumUserSGPRs() const { return rsrc2 >> 1 & 31; }
  unsigned getPreloadLength() const { return preload & 0x7f; }
  unsigned getPreloadOffset() const { return preload >> 7; }
};

/// The memory of one launch; given back at its end.
class Dispatch {
public:
  static llvm::Expected<std::unique_ptr<Dispatch>>
  create(Launch &launch, const KernelDescriptor &descriptor,
         llvm::ArrayRef<uint8_t> arguments, unsigned numWaveSlots);
  ~Dispatch();

  /// Sets up a wave that has just been made; `slot` is its number among the
  /// resident waves.
  void initialize(Wave &wave, unsigned slot) const;

private:
  Dispatch(Launch &launch, const KernelDescriptor &descriptor)
      : launch(launch), descriptor(descriptor) {}
  llvm::Error allocate(uint64_t &address, uint64_t bytes, const char *what,
                       bool isReadOnly);
  void writeArguments(llvm::ArrayRef<uint8_t> arguments);
  void writePacket();
  uint64_t getHiddenArgument(llvm::StringRef kind) const;
  void setUserSGPRs(Wave &wave) const;
  void setSystemSGPRs(Wave &wave, unsigned slot) const;
  void setWorkitemIds(Wave &wave) const;
  uint64_t getScratchBytesPerWave() const;

  Launch &launch;
  KernelDescriptor descriptor;
  uint64_t kernarg = 0, packet = 0, scratch = 0, scratchBytes = 0;
  std::vector<uint64_t> allocations;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_DISPATCH_H
