//===- Device.h - What runs kernels -----------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One interface over CUDA, HIP and the reference device. A device is opened by
// its name on the command line, `cuda:1`, and is usable from any thread; calls
// on one device are in order. Nothing here needs a driver at link time: drivers
// are opened when a device of theirs is asked for.
//
// A module and a buffer must not outlive their device, nor a kernel its module.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_DEVICE_H
#define COLL_RUNTIME_DEVICE_H

#include "coll/Bundle/Bundle.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coll {

/// A device or its driver refused something: exit code 3, not the program's
/// fault.
class DeviceError : public llvm::ErrorInfo<DeviceError> {
public:
  static char ID;

  /// `call` is what was tried ("cuMemAlloc_v2 of 64 bytes"), `code` the
  /// driver's name of the error ("CUDA_ERROR_OUT_OF_MEMORY"; may be empty),
  /// `text` its own words, `advice` what to do (may be empty).
  DeviceError(std::string call, std::string code, std::string text,
              std::string advice)
      : call(std::move(call)), code(std::move(code)), text(std::move(text)),
        advice(std::move(advice)) {}

  llvm::StringRef getCall() const { return call; }
  llvm::StringRef getCode() const { return code; }
  llvm::StringRef getText() const { return text; }
  llvm::StringRef getAdvice() const { return advice; }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string call, code, text, advice;
};

enum class DeviceKind : uint8_t { CUDA, HIP, Reference, Simulator };
llvm::StringRef getDeviceKindName(DeviceKind kind);

/// What a device is and what it can hold.
struct DeviceInfo {
  DeviceKind kind = DeviceKind::Reference;
  unsigned index = 0;
  std::string name;   ///< "NVIDIA H200"
  std::string vendor; ///< "nvidia", "amd", "reference"
  /// As a target of the compiler: "sm_90", "gfx942"; "reference".
  std::string chip;
  /// 90 for sm_90; 0 where the chip is not NVIDIA's.
  unsigned computeCapability = 0;
  std::string driver; ///< "CUDA 13.0"
  unsigned warpSize = 32;
  unsigned multiprocessors = 1;
  uint32_t maxThreadsPerBlock = 1024;
  std::array<uint32_t, 3> maxBlock = {1024, 1024, 1024};
  std::array<uint32_t, 3> maxGrid = {0x7fffffff, 0x7fffffff, 0x7fffffff};
  /// Static and dynamic together, after opting in where that is needed.
  uint64_t maxSharedBytes = 0;
  uint64_t memoryBytes = 0;
};

/// Memory of a device.
class Buffer {
public:
  explicit Buffer(uint64_t size) : size(size) {}
  virtual ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  uint64_t getSize() const { return size; }
  /// As kernels see it; aligned to 16 bytes at least.
  virtual uint64_t getAddress() const = 0;

private:
  uint64_t size;
};

/// One argument slot of a kernel, in the order of the ABI.
struct KernelArg {
  uint64_t bits = 0;        ///< A scalar, in the low bytes.
  Buffer *buffer = nullptr; ///< Else a view: its address is passed.

  static KernelArg scalar(uint64_t bits) { return {bits, nullptr}; }
  static KernelArg view(Buffer &buffer) { return {0, &buffer}; }
};

/// The shape of a launch, in blocks, threads and bytes.
struct LaunchConfig {
  std::array<uint64_t, 3> grid = {1, 1, 1};
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint64_t dynamicSharedBytes = 0;
  /// What the kernel's workspace must hold, for a kernel that has one.
  uint64_t workspaceBytes = 0;

  uint64_t getBlockCount() const {
    return llvm::SaturatingMultiply(llvm::SaturatingMultiply(grid[0], grid[1]),
                                    grid[2]);
  }
};

/// A kernel of a loaded module.
class Kernel {
public:
  Kernel(ImageEntry entry, uint64_t staticSharedBytes, uint32_t maxThreads)
      : entry(std::move(entry)), staticSharedBytes(staticSharedBytes),
        maxThreads(maxThreads) {}
  virtual ~Kernel();

  llvm::StringRef getName() const { return entry.kernel; }
  /// What the image says of it: whether launches are cooperative, its clusters
  /// and its workspace.
  const ImageEntry &getEntry() const { return entry; }
  /// Blocks of a cluster.
  uint64_t getClusterSize() const {
    return llvm::SaturatingMultiply<uint64_t>(
        uint64_t(entry.cluster[0]) * entry.cluster[1], entry.cluster[2]);
  }
  uint64_t getStaticSharedBytes() const { return staticSharedBytes; }
  /// Threads that a block of this kernel can have, for its use of registers.
  uint32_t getMaxThreads() const { return maxThreads; }

private:
  ImageEntry entry;
  uint64_t staticSharedBytes;
  uint32_t maxThreads;
};

/// An image on a device.
class Module {
public:
  virtual ~Module();
  /// `kernel` is the name of a manifest; the entry of the image gives its
  /// symbol.
  virtual llvm::Expected<Kernel *> getKernel(llvm::StringRef kernel) = 0;
};

/// A device of any kind, opened. Its launches are in one stream.
class Device {
public:
  explicit Device(DeviceInfo info) : info(std::move(info)) {}
  virtual ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const DeviceInfo &getInfo() const { return info; }
  /// "cuda:0", "reference:32", "sim:gfx90a".
  std::string str() const;

  /// Memory of `bytes` bytes with undefined content. 0 bytes are allowed.
  virtual llvm::Expected<std::unique_ptr<Buffer>> allocate(uint64_t bytes) = 0;
  /// Both copies wait for the launches before them. The sizes of host memory
  /// and buffer must agree.
  llvm::Error copyIn(Buffer &buffer, llvm::ArrayRef<uint8_t> bytes);
  llvm::Error copyOut(llvm::MutableArrayRef<uint8_t> bytes, Buffer &buffer);

  virtual llvm::Expected<std::unique_ptr<Module>>
  loadModule(const Image &image) = 0;

  /// Starts a kernel. A 0 in the grid starts nothing and is no error; limits of
  /// the device are checked first and named in the error, and so is how many
  /// blocks it can hold at once if the kernel is cooperative. `args` are
  /// without the workspace, which the device adds: it is zero at first, kept
  /// from launch to launch, and larger where one needs more. All launches of a
  /// device are in one stream, so that no two that run at the same time share
  /// it.
  llvm::Error launch(Kernel &kernel, const LaunchConfig &config,
                     llvm::ArrayRef<KernelArg> args);
  /// Waits for all launches and reports what went wrong in them.
  virtual llvm::Error synchronize() = 0;

  /// Blocks of this shape that run at once on one multiprocessor.
  virtual llvm::Expected<unsigned>
  getMaxResidentBlocks(Kernel &kernel, const LaunchConfig &config) = 0;
  /// Blocks of this shape that the device holds at once, on all multiprocessors
  /// together: the largest grid of a cooperative launch.
  virtual llvm::Expected<uint64_t>
  getMaxCooperativeBlocks(Kernel &kernel, const LaunchConfig &config);

protected:
  virtual llvm::Error doCopyIn(Buffer &buffer,
                               llvm::ArrayRef<uint8_t> bytes) = 0;
  virtual llvm::Error doCopyOut(llvm::MutableArrayRef<uint8_t> bytes,
                                Buffer &buffer) = 0;
  virtual llvm::Error doLaunch(Kernel &kernel, const LaunchConfig &config,
                               llvm::ArrayRef<KernelArg> args) = 0;

private:
  llvm::Error checkResidency(Kernel &kernel, const LaunchConfig &config);
  /// Of `bytes` bytes at least, all zero if it is new.
  llvm::Expected<Buffer *> getWorkspace(uint64_t bytes);

  DeviceInfo info;
  /// Of the launches, which are in one stream.
  std::unique_ptr<Buffer> workspace;
};

/// Fails if `config` is beyond a limit of the device or the kernel, with the
/// value and the limit, or if the grid has no whole clusters.
llvm::Error checkLaunch(const DeviceInfo &info, const Kernel &kernel,
                        const LaunchConfig &config);

/// The name of the target to compile for: the device's own chip ("reference:64"
/// for the reference device with warps of 64), or, on a
/// NVIDIA chip that the compiler does not know, the newest older one, whose PTX
/// the driver compiles for the new chip. The error names the chip.
llvm::Expected<std::string> getCompileTarget(const DeviceInfo &info);

/// The image of `bundle` that fits the device best: of its own chip before PTX
/// of an older one, machine code before text, an AMD chip's default wave size
/// before the other. The error names the targets that the bundle has.
llvm::Expected<const Image *> selectImage(const Bundle &bundle,
                                          const DeviceInfo &info);

/// What `--device=` says: `auto`, `reference[:32|:64]`, `cuda[:N]`, `hip[:N]`,
/// `sim:CHIP`.
struct DeviceSpec {
  std::optional<DeviceKind> kind; ///< None for `auto`.
  /// The index of a GPU. Of the reference device, the warp width, or 0 where
  /// the text does not say.
  unsigned number = 0;
  /// Of a simulated device: "gfx90a", "gfx1100:64".
  std::string chip;

  static llvm::Expected<DeviceSpec> parse(llvm::StringRef text);
};

/// CUDA or HIP devices there are. No driver and no device is an error that says
/// what is missing.
llvm::Expected<unsigned> countCudaDevices();
llvm::Expected<unsigned> countHipDevices();

llvm::Expected<std::unique_ptr<Device>> openCudaDevice(unsigned index);
llvm::Expected<std::unique_ptr<Device>> openHipDevice(unsigned index);

/// Opens a GPU: `auto` takes the first CUDA, else the first HIP device, and
/// fails with the reasons of both. Reference and simulated devices are not
/// opened here, because they need the compiler: see
/// coll/Runtime/ReferenceDevice.h and SimulatorDevice.h.
llvm::Expected<std::unique_ptr<Device>> openGpu(const DeviceSpec &spec);

/// An entry point of the HIP library, for `collc devices` and tests.
struct EntryPoint {
  std::string symbol;
  bool required = true;
  bool found = false;
  std::string use; ///< What is refused without it, if it is optional.
};
/// The entry points of the driver library and whether each one binds. Fails if
/// the library cannot be opened.
llvm::Expected<std::vector<EntryPoint>> getCudaEntryPoints();
llvm::Expected<std::vector<EntryPoint>> getHipEntryPoints();

} // namespace coll

#endif // COLL_RUNTIME_DEVICE_H
