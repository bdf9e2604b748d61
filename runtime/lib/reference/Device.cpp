//===- Device.cpp - The device that needs no GPU --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Interpreter/Interpreter.h"
#include "coll/Runtime/ReferenceDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <limits>
#include <new>

using namespace coll;
using namespace llvm;

char KernelFault::ID;

void KernelFault::log(raw_ostream &os) const { os << text; }

std::error_code KernelFault::convertToErrorCode() const {
  return inconvertibleErrorCode();
}

namespace {
/// Host memory that knows which of its bytes were written: twice the size, the
/// second half for the marks.
class ReferenceBuffer final : public Buffer {
public:
  static std::unique_ptr<ReferenceBuffer> create(uint64_t size) {
    auto *memory = static_cast<uint8_t *>(::operator new(
        std::max<uint64_t>(2 * size, 1), alignment, std::nothrow));
    if (!memory)
      return nullptr;
    std::memset(memory, 0, 2 * size);
    return std::unique_ptr<ReferenceBuffer>(new ReferenceBuffer(size, memory));
  }
  ~ReferenceBuffer() override { ::operator delete(memory, alignment); }

  uint64_t getAddress() const override {
    return reinterpret_cast<uintptr_t>(memory);
  }
  uint8_t *getData() { return memory; }
  uint8_t *getMarks() { return memory + getSize(); }
  ref::Argument getArgument() {
    return ref::Argument::view(getData(), getSize(), getMarks());
  }

private:
  static constexpr std::align_val_t alignment{16};

  ReferenceBuffer(uint64_t size, uint8_t *memory)
      : Buffer(size), memory(memory) {}
  uint8_t *memory;
};

class ReferenceKernel final : public Kernel {
public:
  ReferenceKernel(const ImageEntry &entry, uint64_t sharedBytes,
                  uint32_t blockSize, const ref::ReferenceProgram &program)
      : Kernel(entry, sharedBytes, blockSize), program(program) {}
  const ref::ReferenceProgram &program;
};

class ReferenceModule final : public Module {
public:
  ReferenceModule(ref::ReferenceProgram program, const Image &image)
      : program(std::move(program)), entries(image.entries) {}
  Expected<Kernel *> getKernel(StringRef kernel) override;

private:
  ref::ReferenceProgram program;
  std::vector<ImageEntry> entries;
  StringMap<std::unique_ptr<ReferenceKernel>> kernels;
};

class ReferenceDevice final : public Device {
public:
  ReferenceDevice(DeviceInfo info, uint64_t maxInstructions)
      : Device(std::move(info)), maxInstructions(maxInstructions) {}

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
  uint64_t maxInstructions; ///< Of one warp; 0: what is usual.
};
} // namespace

Expected<Kernel *> ReferenceModule::getKernel(StringRef kernel) {
  std::unique_ptr<ReferenceKernel> &known = kernels[kernel];
  if (known)
    return known.get();
  auto entry = find_if(
      entries, [&](const ImageEntry &entry) { return entry.kernel == kernel; });
  if (entry == entries.end())
    return createStringError("the image has no kernel '" + kernel + "'");
  std::optional<uint64_t> shared = program.getStaticSharedBytes(entry->symbol);
  std::optional<uint32_t> blockSize = program.getBlockSize(entry->symbol);
  if (!shared || !blockSize)
    return createStringError("the image has no symbol '" + entry->symbol +
                             "' for kernel '" + kernel + "'");
  known =
      std::make_unique<ReferenceKernel>(*entry, *shared, *blockSize, program);
  return known.get();
}

Expected<std::unique_ptr<Module>>
ReferenceDevice::loadModule(const Image &image) {
  if (image.kind != ImageKind::CollIR)
    return createStringError(
        "the reference device cannot load an image of kind " +
        getImageKindName(image.kind));
  Expected<ref::ReferenceProgram> program =
      ref::ReferenceProgram::parse(image.bytes);
  if (!program)
    return program.takeError();
  return std::make_unique<ReferenceModule>(std::move(*program), image);
}

Expected<unsigned>
ReferenceDevice::getMaxResidentBlocks(Kernel &kernel,
                                      const LaunchConfig &config) {
  if (Error error = checkLaunch(getInfo(), kernel, config))
    return error;
  return ref::LaunchOptions().residentBlocks;
}

/// Only the host's memory bounds them, of which they get 2 GiB.
Expected<uint64_t>
ReferenceDevice::getMaxCooperativeBlocks(Kernel &kernel,
                                         const LaunchConfig &config) {
  constexpr uint64_t mostBytes = uint64_t(2) << 30;
  auto &loaded = static_cast<ReferenceKernel &>(kernel);
  std::optional<uint64_t> bytes = loaded.program.getHostBytes(
      loaded.getEntry().symbol, getInfo().warpSize, config.dynamicSharedBytes);
  return std::max<uint64_t>(mostBytes / *bytes, 1);
}

Expected<std::unique_ptr<Buffer>> ReferenceDevice::allocate(uint64_t bytes) {
  std::unique_ptr<ReferenceBuffer> buffer;
  // Twice the bytes, rounded up to the alignment, must not wrap around.
  if (bytes <= std::numeric_limits<uint64_t>::max() / 4)
    buffer = ReferenceBuffer::create(bytes);
  if (!buffer)
    return make_error<DeviceError>(
        ("allocation of " + Twine(bytes) + " bytes").str(), "", "out of memory",
        "use smaller arrays");
  return buffer;
}

Error ReferenceDevice::doCopyIn(Buffer &buffer, ArrayRef<uint8_t> bytes) {
  auto &memory = static_cast<ReferenceBuffer &>(buffer);
  std::memcpy(memory.getData(), bytes.data(), bytes.size());
  std::memset(memory.getMarks(), 1, bytes.size());
  return Error::success();
}

Error ReferenceDevice::doCopyOut(MutableArrayRef<uint8_t> bytes,
                                 Buffer &buffer) {
  std::memcpy(bytes.data(), static_cast<ReferenceBuffer &>(buffer).getData(),
              bytes.size());
  return Error::success();
}

Error ReferenceDevice::doLaunch(Kernel &kernel, const LaunchConfig &config,
                                ArrayRef<KernelArg> args) {
  auto &loaded = static_cast<ReferenceKernel &>(kernel);
  SmallVector<ref::Argument> arguments;
  for (const KernelArg &arg : args)
    arguments.push_back(
        arg.buffer ? static_cast<ReferenceBuffer *>(arg.buffer)->getArgument()
                   : ref::Argument::scalar(arg.bits));
  ref::LaunchOptions options;
  options.warpSize = getInfo().warpSize;
  if (maxInstructions)
    options.instructionLimit = maxInstructions;
  if (kernel.getEntry().cooperative)
    options.residentBlocks = static_cast<unsigned>(config.getBlockCount());
  Expected<ref::LaunchResult> result = loaded.program.launch(
      loaded.getEntry().symbol, config.grid, arguments, options);
  if (!result)
    return result.takeError();
  if (result->fault)
    return make_error<KernelFault>(
        ref::getFaultKindName(result->fault->kind).str(),
        StringRef(result->fault->str()).rtrim('\n').str());
  return Error::success();
}

std::unique_ptr<Device> coll::openReferenceDevice(unsigned warpSize,
                                                  uint64_t maxInstructions) {
  assert((warpSize == 32 || warpSize == 64) && "no such reference device");
  DeviceInfo info;
  info.kind = DeviceKind::Reference;
  info.name = ("interpreter, warps of " + Twine(warpSize)).str();
  info.vendor = "reference";
  info.chip = "reference";
  info.driver = "interpreter";
  info.warpSize = warpSize;
  // The most that a block has on any chip (sm_90, sm_100).
  info.maxSharedBytes = 227 << 10;
  return std::make_unique<ReferenceDevice>(std::move(info), maxInstructions);
}
