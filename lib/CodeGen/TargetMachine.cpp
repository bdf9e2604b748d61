//===- TargetMachine.cpp - LLVM's back ends, chip by chip -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Target/TargetMachine.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

using namespace coll;

/// LLVM's registries are global and filled once.
static void initializeNVPTX() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// LLVM's atomic optimiser sums the lanes' values before it updates memory. A
/// float sum then equals that of no order of the updates. The back end can be
/// told by its option only.
static void disableAtomicOptimizer() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto option = options.find("amdgpu-atomic-optimizer-strategy");
  if (option != options.end())
    option->second->addOccurrence(0, option->first, "None");
}

static void initializeAMDGPU() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser(); // inline assembly
    disableAtomicOptimizer();
  });
}

/// What LLVM is to do without: in the middle of a sum of products of bytes that
/// v_dot4 computes, it takes any operation on a product for an addition.
static constexpr const char *wrongFeatures =
    "-dot1-insts,-dot2-insts,-dot3-insts,-dot4-insts,-dot6-insts,-dot7-insts,"
    "-dot8-insts";

/// What LLVM adds for PTX at the last level, a second global value numbering,
/// ptxas does again: the machine code is the same. At level 0 AMD's back end
/// keeps masks of lanes in the lanes of vector registers, and loses what a loop
/// carries in the second of these; NVIDIA's ends with an error where one of two
/// selects in a row gives a constant of more than 32 bits.
static llvm::CodeGenOptLevel toCodeGenOptLevel(unsigned level, bool isNVIDIA) {
  switch (std::clamp(level, 1u, isNVIDIA ? 2u : 3u)) {
  case 1:
    return llvm::CodeGenOptLevel::Less;
  case 2:
    return llvm::CodeGenOptLevel::Default;
  default:
    return llvm::CodeGenOptLevel::Aggressive;
  }
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
coll::createTargetMachine(const Target &target, const CodeGenOptions &options,
                          unsigned ptxVersion) {
  llvm::Triple triple(target.isNVIDIA() ? "nvptx64-nvidia-cuda"
                                        : "amdgcn-amd-amdhsa");
  std::string features;
  if (target.isNVIDIA()) {
    initializeNVPTX();
    features = "+ptx" + std::to_string(ptxVersion);
  } else {
    initializeAMDGPU();
    if (target.getChip().hasWave64Mode)
      features = target.getWarpSize() == 64 ? "+wavefrontsize64,"
                                            : "+wavefrontsize32,";
    features += wrongFeatures;
    // 16-bit instructions on halves of registers take no lane permutation.
    if (target.getFamily() == AMDFamily::GFX11)
      features += ",-real-true16";
  }
  std::string message;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!backend)
    return llvm::createStringError("this LLVM has no back end for " +
                                   triple.str() + ": " + message);
  llvm::TargetOptions targetOptions;
  // Contraction happened in the front end, on the source's own terms.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(backend->createTargetMachine(
      triple, target.getChip().name, features, targetOptions, llvm::Reloc::PIC_,
      std::nullopt, toCodeGenOptLevel(options.optLevel, target.isNVIDIA())));
  if (!machine)
    return llvm::createStringError("LLVM has no target machine for " +
                                   target.str());
  return machine;
}
