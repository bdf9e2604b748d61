//===- Pipeline.cpp - The lowering as one pipeline ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Lowering/Lowering.h"
#include "coll/Lowering/Passes.h"
#include "coll/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace coll;
using namespace coll::ir;

/// Functions get a scope, without which LLVM IR has no lines. ptxas optimises
/// only code that has `.loc` directives and no sections of debug information.
static void addDebugScopes(mlir::OpPassManager &pm, const Target &target) {
  mlir::LLVM::DIScopeForLLVMFuncOpPassOptions scopes;
  scopes.emissionKind = target.isNVIDIA()
                            ? mlir::LLVM::DIEmissionKind::DebugDirectivesOnly
                            : mlir::LLVM::DIEmissionKind::LineTablesOnly;
  pm.addPass(mlir::LLVM::createDIScopeForLLVMFuncOpPass(scopes));
}

void coll::buildLoweringPipeline(mlir::OpPassManager &pm,
                                 const LoweringOptions &options) {
  std::string target = options.target.str();
  unsigned warpSize = options.target.getWarpSize();
  pm.nest<KernelOp>().addPass(
      createAggregateAtomics({warpSize, options.target.has(Feature::Redux)}));
  pm.nest<KernelOp>().addPass(createResolveActive({warpSize}));
  auto addUniformOperands = [&] {
    pm.nest<KernelOp>().addPass(
        createUniformOperands({target, options.remarks}, options.log));
  };
  addUniformOperands();
  pm.nest<KernelOp>().addPass(
      createDropUnused({target, options.remarks}, options.log));
  buildExpansionPipeline(pm, target, options.remarks, options.log);
  addUniformOperands();
  pm.nest<KernelOp>().addPass(createFlagExits({warpSize}));
  pm.nest<KernelOp>().addPass(createEndClusters());
  pm.nest<KernelOp>().addPass(createLowerCollectives(
      {target, options.strategy, options.remarks}, options.log));
  pm.addPass(createLowerKernels({target, options.trapOutOfBounds}));
  pm.addPass(createConvertToLLVM({target}));
  pm.addPass(mlir::createCSEPass());
  if (options.debugLines)
    addDebugScopes(pm, options.target);
}

namespace {
struct PipelineOptions : public mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("the chip, as in sm_90")};
  Option<std::string> strategy{*this, "strategy",
                               llvm::cl::desc("a strategy to take")};
  Option<bool> remarks{*this, "remarks",
                       llvm::cl::desc("report the plans taken")};
  Option<bool> bounds{*this, "bounds",
                      llvm::cl::desc("trap where an index is out of range")};
  Option<bool> debugLines{*this, "debug-lines",
                          llvm::cl::desc("keep source lines")};
};
} // namespace

void coll::registerLoweringPasses() {
  registerCollLoweringPasses();
  mlir::PassPipelineRegistration<PipelineOptions>(
      "coll-lower", "From the coll dialect to the LLVM dialect",
      [](mlir::OpPassManager &pm, const PipelineOptions &options) {
        llvm::Expected<Target> target = Target::parse(options.target);
        if (!target) {
          // The pass reports what is wrong with it.
          llvm::consumeError(target.takeError());
          pm.addPass(createConvertToLLVM({options.target}));
          return;
        }
        LoweringOptions lowering(*target);
        lowering.strategy = options.strategy;
        lowering.remarks = options.remarks;
        lowering.trapOutOfBounds = options.bounds;
        lowering.debugLines = options.debugLines;
        buildLoweringPipeline(pm, lowering);
      });
}
