//===- Pipeline.cpp - The order of the expansions -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"

void coll::ir::buildExpansionPipeline(mlir::OpPassManager &pm,
                                      llvm::StringRef target, bool remarks,
                                      CollectiveLog *log) {
  mlir::OpPassManager &kernels = pm.nest<KernelOp>();
  kernels.addPass(createExpandArgReduce());
  kernels.addPass(createExpandGrid({target.str(), remarks}, log));
  kernels.addPass(createExpandReverse());
  kernels.addPass(createExpandOrder({target.str(), remarks}, log));
  kernels.addPass(createFindReaders({target.str()}));
  kernels.addPass(createExpandBlock({target.str(), remarks}, log));
  kernels.addPass(createExpandThread());
}
