//===- UnusedTargets.cpp - The back ends that LLD asks for in vain --------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLD's ELF driver initialises every back end of LLVM, for link-time
// optimisation, which AMDGPU code objects have none of. Empty initialisers for
// the others keep 20 back ends out of the static binary.
//
// COLL_UNUSED_LLVM_TARGETS is `X(AArch64) X(ARM) ...`, from LLVM's CMake
// configuration; see CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

extern "C" {
#define X(TARGET)                                                              \
  void LLVMInitialize##TARGET##TargetInfo() {}                                 \
  void LLVMInitialize##TARGET##Target() {}                                     \
  void LLVMInitialize##TARGET##TargetMC() {}                                   \
  void LLVMInitialize##TARGET##AsmPrinter() {}                                 \
  void LLVMInitialize##TARGET##AsmParser() {}
COLL_UNUSED_LLVM_TARGETS
#undef X
}
