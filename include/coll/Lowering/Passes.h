//===- Passes.h - Passes from the coll dialect to LLVM's --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LOWERING_PASSES_H
#define COLL_LOWERING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace coll {
class CollectiveLog;
} // namespace coll

namespace coll::ir {
class KernelOp;

#define GEN_PASS_DECL
#include "coll/Lowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "coll/Lowering/Passes.h.inc"

/// The same pass, which tells `log` (if not null) of every collective.
std::unique_ptr<mlir::Pass>
createLowerCollectives(const LowerCollectivesOptions &options,
                       CollectiveLog *log);

} // namespace coll::ir

namespace coll {
/// Makes the passes of this library known to tools by name, and the whole
/// lowering as `coll-lower{target=sm_90 ...}`.
void registerLoweringPasses();
} // namespace coll

#endif // COLL_LOWERING_PASSES_H
