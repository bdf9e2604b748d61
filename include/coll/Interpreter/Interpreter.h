//===- Interpreter.h - The reference device's machine -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels of the coll dialect as IRGen makes them, before any lowering. It
// is the oracle of every other target: numbers are exact, collectives are done
// in rank order as the semantics define them, and what hardware does not check
// (bounds, races, divergent barriers, uninitialised reads, division by zero) is
// reported with kernel, line and thread.
//
// A program is compiled once, by `load` or `parse`, and needs no MLIR then.
// Launches do not change it; each runs on the calling thread.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_INTERPRETER_INTERPRETER_H
#define COLL_INTERPRETER_INTERPRETER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace coll::ref {

/// A place in the source; line 0 if it is not known.
struct SourcePlace {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  bool operator==(const SourcePlace &) const = default;
};

/// What a program did wrong on the reference device.
enum class FaultKind : uint8_t {
  OutOfBounds,
  Misaligned,
  UninitializedRead,
  Race,
  Divergence, ///< A collective is not reached by every thread of its group.
  DivisionByZero,
  Assertion,
  Trap,
  BadOperand, ///< A collective's operand is against its contract.
  NoEnd,      ///< The instruction limit was reached.
  NoProgress, ///< All threads that are left wait for something that never
              ///< comes.
};
/// "out-of-bounds", "race", …: a stable name for machine-readable output.
llvm::StringRef getFaultKindName(FaultKind kind);

/// More about a fault, at another place.
struct FaultNote {
  SourcePlace place;
  std::string message;
};

/// What a thread did wrong. The message names the kernel and the thread.
struct RuntimeFault {
  FaultKind kind = FaultKind::Trap;
  SourcePlace place;
  std::string message;
  std::vector<FaultNote> notes;

  /// "file:3:5: error: …" and its notes, one a line.
  std::string str() const;
};

/// One argument, in the order of the kernel ABI: parameters, extents, pitches.
struct Argument {
  /// A scalar, in the low bytes.
  uint64_t bits = 0;
  /// A view: the memory of its first element, aligned to 16 bytes for kernels
  /// that use vectors, and how many bytes may be used.
  uint8_t *data = nullptr;
  uint64_t size = 0;
  /// One byte for each of `data`'s, not 0 if it was written, or null if all of
  /// it was. Stores set it.
  uint8_t *written = nullptr;
  bool isView = false;

  static Argument scalar(uint64_t bits) {
    Argument argument;
    argument.bits = bits;
    return argument;
  }
  static Argument view(void *data, uint64_t size, uint8_t *written = nullptr) {
    Argument argument;
    argument.data = static_cast<uint8_t *>(data);
    argument.size = size;
    argument.written = written;
    argument.isView = true;
    return argument;
  }
};

/// The shape of a launch and its limits.
struct LaunchOptions {
  unsigned warpSize = 32; ///< 32 or 64.
  /// Instructions that one warp may execute before the launch is said not to
  /// end.
  uint64_t instructionLimit = 20'000'000;
  /// Blocks that run at the same time, in turns.
  unsigned residentBlocks = 4;
};

/// What a launch took.
struct LaunchStatistics {
  uint64_t blocks = 0;       ///< Blocks that ended.
  uint64_t instructions = 0; ///< Executed, each for a whole warp.
};

/// A launch stops at its first fault.
struct LaunchResult {
  std::optional<RuntimeFault> fault;
  LaunchStatistics statistics;
};

struct CompiledKernel;

/// A module that is ready to run.
class ReferenceProgram {
public:
  ReferenceProgram(ReferenceProgram &&) noexcept;
  ReferenceProgram &operator=(ReferenceProgram &&) noexcept;
  ~ReferenceProgram();

  /// Compiles all kernels of `module`, which is not needed afterwards. An
  /// operation that the reference device cannot run is an error with its place.
  static llvm::Expected<ReferenceProgram> load(mlir::ModuleOp module);
  /// The same for the text of a module, as an image holds it.
  static llvm::Expected<ReferenceProgram> parse(llvm::StringRef text);

  /// The symbols of the kernels, in the module's order.
  std::vector<std::string> getKernels() const;
  /// Bytes of shared memory that do not depend on the launch; none if there is
  /// no such kernel.
  std::optional<uint64_t> getStaticSharedBytes(llvm::StringRef kernel) const;
  /// Threads of a block, if there is such a kernel.
  std::optional<uint32_t> getBlockSize(llvm::StringRef kernel) const;
  /// About how many bytes of the host's memory a resident block takes, if there
  /// is such a kernel.
  std::optional<uint64_t> getHostBytes(llvm::StringRef kernel,
                                       unsigned warpSize,
                                       uint64_t dynamicSharedBytes) const;

  /// Runs the kernel with the symbol `kernel`. A 0 in `grid` does nothing. The
  /// error is for a launch that does not fit the kernel: no such kernel, wrong
  /// arguments, a buffer too small for the extents.
  llvm::Expected<LaunchResult>
  launch(llvm::StringRef kernel, std::array<uint64_t, 3> grid,
         llvm::ArrayRef<Argument> arguments,
         const LaunchOptions &options = LaunchOptions()) const;

private:
  ReferenceProgram();
  const CompiledKernel *find(llvm::StringRef kernel) const;
  std::vector<std::unique_ptr<CompiledKernel>> kernels;
};

/// The dialects that a module for the reference device may hold.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace coll::ref

#endif // COLL_INTERPRETER_INTERPRETER_H
