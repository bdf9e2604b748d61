//===- Optimize.cpp - LLVM's own pipeline ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace coll;

static llvm::OptimizationLevel toOptimizationLevel(unsigned level) {
  switch (level) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

/// Whether a pass of LLVM's pipeline finds something to do in a kernel. A
/// module is a few kernels into which all functions have been expanded: nothing
/// is left for what works between functions, or on calls of the C library.
static bool servesKernels(llvm::StringRef pass) {
  return llvm::StringSwitch<bool>(pass)
      .Cases({"CalledValuePropagationPass", "IPSCCPPass",
              "DeadArgumentEliminationPass", "ArgumentPromotionPass",
              "InferFunctionAttrsPass", "CallSiteSplittingPass",
              "LibCallsShrinkWrapPass", "TailCallElimPass", "CGProfilePass",
              "RelLookupTableConverterPass", "InjectTLIMappings",
              "LoopVersioningLICMPass", "LoopDistributePass",
              "LoopLoadEliminationPass"},
             false)
      .Default(true);
}

namespace {
/// What LLVM's passes behind it tidy up: values that are used less, or in other
/// forms.
struct ConstantLanes : llvm::PassInfoMixin<ConstantLanes> {
  explicit ConstantLanes(const Target &target) : target(target) {}

  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    offsetKnownBits(module);
    selectLanes(module, target);
    return llvm::PreservedAnalyses::none();
  }

  Target target;
};
} // namespace

void coll::optimize(llvm::Module &module, const Target &target,
                    llvm::TargetMachine &machine,
                    const CodeGenOptions &options) {
  // A GPU's vectors are its lanes: the loop vectoriser finds nothing to do on
  // either target and takes a tenth of the time.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, llvm::Any) { return servesKernels(pass); });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loopAnalyses;
  llvm::FunctionAnalysisManager functionAnalyses;
  llvm::CGSCCAnalysisManager cgsccAnalyses;
  llvm::ModuleAnalysisManager moduleAnalyses;
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(cgsccAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, cgsccAnalyses,
                               moduleAnalyses);
  if (target.isAMD())
    builder.registerOptimizerEarlyEPCallback(
        [&](llvm::ModulePassManager &passes, llvm::OptimizationLevel level,
            llvm::ThinOrFullLTOPhase) {
          if (level != llvm::OptimizationLevel::O0)
            passes.addPass(ConstantLanes(target));
        });
  llvm::OptimizationLevel level = toOptimizationLevel(options.optLevel);
  llvm::ModulePassManager passes =
      level == llvm::OptimizationLevel::O0
          ? builder.buildO0DefaultPipeline(level)
          : builder.buildPerModuleDefaultPipeline(level);
  // Back ends take variables out of memory by themselves. What they would make
  // of the values then is to be seen before.
  if (level == llvm::OptimizationLevel::O0) {
    llvm::FunctionPassManager functionPasses;
    functionPasses.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    functionPasses.addPass(llvm::EarlyCSEPass());
    passes.addPass(
        llvm::createModuleToFunctionPassAdaptor(std::move(functionPasses)));
  }
  if (target.isAMD()) {
    markLaneAssembly(module);
    keepLatches(module);
  }
  fenceHalf(module);
  passes.run(module, moduleAnalyses);
  dropFences(module);
  if (target.isAMD()) {
    selectBitsOfZeros(module);
    dropUnrolledLatches(module);
    pinPermlane64(module);
    pinDPP8(module);
    if (target.getFamily() == AMDFamily::GFX12)
      pinWideDPP(module);
    splitKnownOrs(module);
    hideConstants(module);
    hideDividends(module);
    hideFactors(module);
    if (target.getFamily() < AMDFamily::GFX10)
      widenShifts(module);
    keepProducts(module);
    pinPrivateBF16(module);
  } else {
    dropUnusedExchanges(module);
    predicateCombinations(module);
    hideUniformShuffles(module);
    saturateByCvt(module);
    keepSpecialFloats(module, target);
    selectBitsOfZeros(module);
    splitPairs(module);
    widenMinMax(module, target, options);
    widenHalf(module);
    keepAtomicLoads(module);
  }
}
