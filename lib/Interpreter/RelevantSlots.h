//===- RelevantSlots.h - What decides what a loop does ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_RELEVANTSLOTS_H
#define COLL_LIB_INTERPRETER_RELEVANTSLOTS_H

#include "Program.h"

namespace coll::ref {

/// The slots that decide what a warp does which is at the instruction `pc` and
/// executes the instructions `first` to `last` alone: control flow, accesses
/// and collectives depend on them. A variable that counts the trips of a loop,
/// and is read behind it, is none of them.
std::vector<Slot> findRelevantSlots(const CompiledKernel &kernel,
                                    uint32_t first, uint32_t last, uint32_t pc);

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_RELEVANTSLOTS_H
