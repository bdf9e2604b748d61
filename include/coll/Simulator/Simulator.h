//===- Simulator.h - Runs AMDGPU code objects -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A functional simulator of AMDGPU compute code objects (version 5 and 6): it
// loads the very object that a driver would load, sets up registers as the ABI
// says, and interprets wave by wave.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SIMULATOR_SIMULATOR_H
#define COLL_SIMULATOR_SIMULATOR_H

#include "coll/Simulator/DeviceMemory.h"
#include "coll/Simulator/LineSpec.h"
#include "coll/Target/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace coll::sim {

/// What a program did wrong on a simulated chip.
enum class FaultKind : uint8_t {
  UnknownInstruction,
  BadAddress, ///< Global, flat, scratch or scalar memory.
  BadLDSAddress,
  Misaligned,
  Uninitialized,
  /// A register is used while a load to it is outstanding, or LDS is read after
  /// a barrier that its writer passed with the store outstanding.
  MissingWait,
  Hazard,  ///< Wait states are missing.
  Barrier, ///< Waves of a group do not meet at a barrier.
  Deadlock,
  InstructionLimit,
  Trap,
  BadProgramCounter,
  Unsupported
};
/// A stable name: "bad-address".
llvm::StringRef getFaultKindName(FaultKind kind);

/// What a wave did wrong, and where.
struct Fault {
  FaultKind kind = FaultKind::UnknownInstruction;
  std::string kernel;
  std::array<uint32_t, 3> group = {0, 0, 0};
  unsigned wave = 0;
  std::optional<unsigned> lane;
  uint64_t offset = 0;     ///< Of the instruction in the kernel's code.
  std::string instruction; ///< In assembly.
  std::string location;    ///< "file.coll:3:5" with debug information.
  /// That of an earlier instruction of the wave, if this one has none of its
  /// own.
  std::string locationBefore;
  std::string message;

  std::string str() const;
};

/// What statistics count.
enum class InstClass : uint8_t {
  SALU,
  Branch,
  Barrier,
  Wait, ///< Also s_nop and s_delay_alu.
  SMEM,
  VALU,
  Trans,
  LDS,
  Global, ///< Also flat.
  Scratch,
  Buffer,
  Other
};
constexpr unsigned numInstClasses = static_cast<unsigned>(InstClass::Other) + 1;
/// A stable name: "salu".
llvm::StringRef getInstClassName(InstClass instClass);

/// Instructions that waves executed.
struct Statistics {
  uint64_t instructions = 0;
  uint64_t laneInstructions = 0; ///< Active lanes of vector instructions.
  uint64_t dpp = 0;              ///< VALU instructions with DPP.
  std::array<uint64_t, numInstClasses> byClass = {};
  void add(const Statistics &other);
  /// One line.
  void print(llvm::raw_ostream &os, llvm::StringRef kernel) const;
};

/// A parameter of a kernel as the metadata describes it.
struct KernelParameter {
  std::string kind; ///< "global_buffer", "by_value", "hidden_block_count_x"
  uint32_t offset = 0, size = 0;
  bool isHidden() const { return llvm::StringRef(kind).starts_with("hidden_"); }
};

/// What a code object says of a kernel.
struct KernelInfo {
  std::string name, symbol;       ///< "softmax", "softmax.kd"
  uint64_t descriptorAddress = 0; ///< Of its descriptor, on the device.
  uint32_t ldsBytes = 0, scratchBytes = 0, kernargBytes = 0;
  uint32_t maxWorkgroupSize = 1024;
  unsigned waveSize = 64;
  std::vector<KernelParameter> parameters;
  /// Bytes of the explicit arguments.
  uint32_t getExplicitBytes() const;
};

/// Workgroups that are resident unless a launch says how many.
constexpr unsigned leastResidentGroups = 8;

/// The shape of a launch, and how it is simulated.
struct LaunchOptions {
  std::array<uint32_t, 3> grid = {1, 1, 1}; ///< In workgroups.
  std::array<uint32_t, 3> block = {1, 1, 1};
  uint32_t dynamicLDSBytes = 0;
  /// Threads of the host that step workgroups, each its own; 0: one for each of
  /// its cores. With `scheduleSeed`, `trace` or `breakpoint` there is one.
  unsigned threads = 0;
  /// Workgroups that are stepped in turn, on all threads together; 0: that many
  /// as `leastResidentGroups` says, and at least one on each thread.
  unsigned residentGroups = 0;
  /// All workgroups are resident, since they wait for each other. A launch of
  /// more than `getMaxResidentGroups` is refused.
  bool isCooperative = false;
  /// Not 0: the interleaving of waves is random, from this seed.
  uint64_t scheduleSeed = 0;
  /// Not 0: inexact instructions are off by what they may be, from this seed.
  uint64_t ulpSeed = 0;
  /// Instructions that all waves together may execute.
  uint64_t instructionLimit = 2'000'000'000;
  /// Prints each instruction with the registers that it changed.
  llvm::raw_ostream *trace = nullptr;
  /// A line: each wave's state is printed, to `stops`, when it first reaches
  /// each place of it that has code.
  std::optional<LineSpec> breakpoint;
  llvm::raw_ostream *stops = nullptr;
};

/// What a launch gave besides what it wrote.
struct LaunchResult {
  /// That of the first workgroup, by number, that had one.
  std::optional<Fault> fault;
  Statistics statistics;
};

/// A loaded code object.
class Program {
public:
  /// Any bytes may be given: what is wrong with them is said in the error.
  static llvm::Expected<std::unique_ptr<Program>>
  load(llvm::ArrayRef<uint8_t> bytes, const Target &target,
       DeviceMemory &memory);
  ~Program();

  llvm::ArrayRef<KernelInfo> getKernels() const;
  /// By name, without ".kd"; null if there is none.
  const KernelInfo *findKernel(llvm::StringRef name) const;
  /// Workgroups of a cooperative launch, at most: only the host's memory for
  /// their registers, LDS and private memory bounds them, 2 GiB for all.
  uint64_t getMaxResidentGroups(const KernelInfo &kernel,
                                const LaunchOptions &options) const;
  /// `arguments` are the explicit ones, laid out as the metadata says. An error
  /// is a launch that the device refuses; a fault is the kernel's.
  llvm::Expected<LaunchResult> launch(const KernelInfo &kernel,
                                      llvm::ArrayRef<uint8_t> arguments,
                                      const LaunchOptions &options);

private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace coll::sim

#endif // COLL_SIMULATOR_SIMULATOR_H
