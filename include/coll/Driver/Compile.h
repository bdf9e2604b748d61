//===- Compile.h - The compiler as one library call -------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DRIVER_COMPILE_H
#define COLL_DRIVER_COMPILE_H

#include "coll/Bundle/Bundle.h"
#include "coll/Support/Diagnostics.h"
#include "coll/Support/Stage.h"
#include "coll/Target/Target.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coll {
struct CollectiveRecord;

/// What code is made for: a chip, or the reference device with a warp width.
class CompileTarget {
public:
  CompileTarget(const Target &chip)
      : chip(chip), warpSize(chip.getWarpSize()) {}
  static CompileTarget reference(unsigned warpSize) {
    return CompileTarget(warpSize);
  }
  /// "sm_90", "gfx1100:64", "reference", "reference:64".
  static llvm::Expected<CompileTarget> parse(llvm::StringRef text);

  bool isReference() const { return !chip; }
  const Target &getChip() const { return *chip; }
  unsigned getWarpSize() const { return warpSize; }
  std::string str() const;

private:
  explicit CompileTarget(unsigned warpSize) : warpSize(warpSize) {}
  std::optional<Target> chip;
  unsigned warpSize;
};

/// What a compilation is asked for, as the flags of `collc` say it.
struct CompileOptions {
  /// -D NAME=VALUE, in order.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Instances of generic kernels, "pass<8>", besides the kernels that are not
  /// generic.
  std::vector<std::string> kernelInstances;
  /// All kernels are checked, but code is made for these alone; empty: for all.
  std::vector<std::string> onlyKernels;
  /// Contract multiply-adds in one expression to fma (`--fp-contract=on`).
  bool contract = true;
  /// LLVM's optimisation level, 0 to 3. Plans of collectives are the same at
  /// all.
  unsigned optLevel = 3;
  /// AMD code object version: 5 or 6.
  unsigned codeObjectVersion = 5;
  /// A PTX ISA version times ten, or 0 for the lowest that the code needs.
  unsigned ptxVersion = 0;
  /// Forces a strategy by name for all collectives that it can carry out.
  std::string strategy;
  /// Keep source lines in the code: `.loc` in PTX, line tables in AMDGPU code
  /// objects. The instructions stay the same.
  bool debugLines = false;
  /// Report for each collective which plan was taken and why.
  bool remarks = false;
  /// Keep the warp-level collectives and their plans for `getCollectives`.
  bool logCollectives = false;
  /// Path of ptxas for cubins; empty: found as findPtxas() does.
  std::string ptxas;
};

/// How long a step took.
struct StepTime {
  std::string step; ///< "parse", "sema", "irgen", "lower", "llvm", "emit".
  double milliseconds;
};

/// One source, compiled for any number of targets. Everything that is wrong
/// with the program is in the diagnostics; an `Error` is anything else.
class Compilation {
public:
  ~Compilation();
  /// Reads `path`, or standard input for "-".
  static llvm::Expected<std::unique_ptr<Compilation>>
  fromFile(llvm::StringRef path, CompileOptions options);
  static std::unique_ptr<Compilation>
  fromText(llvm::StringRef name, llvm::StringRef text, CompileOptions options);

  DiagnosticEngine &getDiagnostics();
  /// Parses the source, once. False: errors were reported.
  bool parse();

  /// The text or bytes of one stage for one target. The reference device has
  /// the stages up to `coll`. Empty optional: errors were reported.
  llvm::Expected<std::optional<std::string>> emit(const CompileTarget &target,
                                                  Stage stage);

  /// The manifest and an image for each target (PTX, or a code object, or the
  /// coll dialect). Empty optional: errors were reported.
  llvm::Expected<std::optional<Bundle>>
  compile(llvm::ArrayRef<CompileTarget> targets);

  /// Whether what was compiled last has a kernel: a generic one is none until
  /// an instance is asked for.
  bool hasKernels() const;

  /// With CompileOptions::logCollectives: the collectives of what was compiled
  /// so far, with their plans.
  llvm::ArrayRef<CollectiveRecord> getCollectives() const;

  /// The steps taken so far, summed by name, in order of first occurrence.
  llvm::ArrayRef<StepTime> getTimes() const;

private:
  struct Impl;
  explicit Compilation(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace coll

#endif // COLL_DRIVER_COMPILE_H
