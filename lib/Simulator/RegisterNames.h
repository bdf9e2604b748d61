//===- RegisterNames.h - LLVM's registers as operands -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_REGISTERNAMES_H
#define COLL_LIB_SIMULATOR_REGISTERNAMES_H

#include "Instruction.h"
#include <optional>

namespace coll::sim {

/// The operand that LLVM's name of a register stands for: "VGPR4_VGPR5",
/// "VGPR3_HI16", "SGPR0", "VCC_LO", "TTMP9_gfx9plus", "M0_gfx11plus",
/// "SRC_SHARED_BASE". Nothing for registers that no instruction here has.
std::optional<Operand> parseRegisterName(llvm::StringRef name);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_REGISTERNAMES_H
