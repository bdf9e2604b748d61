//===- Registers.h - How many registers a thread has ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TARGET_REGISTERS_H
#define COLL_TARGET_REGISTERS_H

#include "coll/Target/Target.h"

namespace coll {

/// The 32-bit registers that a thread can have at most. NVIDIA: 255 on all
/// chips (CUDA programming guide, "Technical Specifications per Compute
/// Capability"). AMD: 256 VGPRs; from gfx90a to gfx950 512, of which half are
/// accumulation registers (LLVM's "User Guide for AMDGPU Backend").
unsigned getMaxRegisters(const Target &target);

} // namespace coll

#endif // COLL_TARGET_REGISTERS_H
