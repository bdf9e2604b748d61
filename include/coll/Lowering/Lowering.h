//===- Lowering.h - From the coll dialect to LLVM's -------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LOWERING_LOWERING_H
#define COLL_LOWERING_LOWERING_H

#include "coll/Target/Target.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace coll {
class CollectiveLog;

/// What decides about the lowering besides the program.
struct LoweringOptions {
  explicit LoweringOptions(const Target &target) : target(target) {}

  Target target;
  /// A strategy to take for every collective that it can carry out.
  std::string strategy;
  /// Say for each plan what was taken and why.
  bool remarks = false;
  /// Gets all warp-level collectives and their plans; may be null.
  CollectiveLog *log = nullptr;
  /// Trap where an index is out of its view's extent.
  bool trapOutOfBounds = false;
  /// Keep source lines as debug information.
  bool debugLines = false;
};

/// The attribute of an `llvm.func` that takes a workspace: the launch
/// expression of its bytes.
inline constexpr llvm::StringLiteral workspaceAttrName = "coll.workspace";
/// The attribute of an `llvm.func` whose shared memory is sized by the launch,
/// as a block has more than may be static: its bytes (`i64`), without those of
/// an array that depends on the launch's arguments, which comes behind.
inline constexpr llvm::StringLiteral launchSharedAttrName =
    "coll.launch_shared";

/// From a module of `coll.kernel`s, as IRGen makes it, to one of `llvm.func`s
/// with operations of llvm, nvvm and rocdl only.
void buildLoweringPipeline(mlir::OpPassManager &pm,
                           const LoweringOptions &options);

} // namespace coll

#endif // COLL_LOWERING_LOWERING_H
