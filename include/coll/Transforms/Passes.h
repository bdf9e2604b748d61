//===- Passes.h - Passes from the coll dialect to itself --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_PASSES_H
#define COLL_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace coll {
class CollectiveLog;
} // namespace coll

namespace coll::ir {
class KernelOp;

#define GEN_PASS_DECL
#include "coll/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "coll/Transforms/Passes.h.inc"

/// The same passes, which tell `log` (if not null) of every collective that
/// they carry out.
std::unique_ptr<mlir::Pass> createDropUnused(const DropUnusedOptions &options,
                                             CollectiveLog *log);
std::unique_ptr<mlir::Pass>
createUniformOperands(const UniformOperandsOptions &options,
                      CollectiveLog *log);
std::unique_ptr<mlir::Pass> createExpandGrid(const ExpandGridOptions &options,
                                             CollectiveLog *log);
std::unique_ptr<mlir::Pass> createExpandOrder(const ExpandOrderOptions &options,
                                              CollectiveLog *log);
std::unique_ptr<mlir::Pass> createExpandBlock(const ExpandBlockOptions &options,
                                              CollectiveLog *log);

/// All passes of this library in the order in which the lowering needs them:
/// afterwards collectives are of warps and tiles, but for `coll.sync block`,
/// `coll.sync cluster` and votes over the block on NVIDIA. They tell of the
/// collectives of several warps or blocks.
void buildExpansionPipeline(mlir::OpPassManager &pm, llvm::StringRef target,
                            bool remarks = false, CollectiveLog *log = nullptr);

} // namespace coll::ir

namespace coll {
/// Makes the passes of this library known to tools by name.
inline void registerTransformsPasses() { ir::registerCollTransformsPasses(); }
} // namespace coll

#endif // COLL_TRANSFORMS_PASSES_H
