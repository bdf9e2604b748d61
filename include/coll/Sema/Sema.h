//===- Sema.h - Names, types, generics, constants ---------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SEMA_SEMA_H
#define COLL_SEMA_SEMA_H

#include "coll/Sema/TypedAST.h"
#include "coll/Support/Diagnostics.h"
#include <memory>
#include <string>
#include <utility>

namespace coll {
namespace ast {
class SourceFile;
} // namespace ast

namespace sema {

/// The compile-time values of `target.*`. The reference device is a target of
/// its own kind: vendor and chip "reference", clusters and no other feature.
struct TargetValues {
  std::string vendor = "reference"; ///< "nvidia", "amd", "reference"
  std::string chip = "reference";
  unsigned warpSize = 32;
  std::vector<std::string> features = {"cluster"};
  uint64_t maxSharedBytes = 64 * 1024;
  /// 32-bit registers of a thread; 0 where arrays cannot be too large for them.
  unsigned maxRegisters = 0;
};

/// What checking depends on besides the source.
struct SemaOptions {
  TargetValues target;
  /// -D NAME=VALUE, in order.
  std::vector<std::pair<std::string, std::string>> defines;
  /// Contract multiply-adds (`--fp-contract=on`).
  bool contract = true;
  /// Instances of generic kernels to make besides all non-generic kernels:
  /// "pass<8>".
  std::vector<std::string> kernelInstances;
};

/// Checks `file` and makes typed kernels of it. `std` are the parsed modules of
/// the standard library (std.math), whose functions `exp`, `log` resolve to.
/// Reports into `diags`; the result is complete only if that has no errors.
std::unique_ptr<Program> analyze(const ast::SourceFile &file,
                                 llvm::ArrayRef<const ast::SourceFile *> std,
                                 const SemaOptions &options,
                                 DiagnosticEngine &diags);

} // namespace sema
} // namespace coll

#endif // COLL_SEMA_SEMA_H
