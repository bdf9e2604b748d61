//===- TextModifiers.h - Named modifiers of instructions --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_TEXTMODIFIERS_H
#define COLL_LIB_SIMULATOR_TEXTMODIFIERS_H

#include "Instruction.h"

namespace coll::sim {

/// Fills the fields of `inst` that have a name in its text: clamp, omod,
/// offsets, offen, idxen, SDWA's selections.
void parseTextModifiers(DecodedInst &inst);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_TEXTMODIFIERS_H
