//===- HandlerTable.h - Mnemonics and what they do --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every unit of the machine registers the instructions that it carries out, by
// mnemonic; an instruction with several names over the families is listed under
// each. The unit may leave out what the chip has not: an instruction without a
// handler is a fault that names it.
//
//   Scalar.cpp and kin, registerScalar   SALU, control flow, barriers, modes
//   Vector*.cpp, registerVector          VALU: all encodings, lane instructions
//   Memory*.cpp, registerMemory          SMEM, LDS, flat, global, scratch,
//                                        buffer; s_waitcnt and s_wait_*;
//                                        DeviceMemory.cpp, WaitCounters.cpp
//
// CodeObject, Decoder, Dispatch (the ABI), Scheduler and Wave are the frame
// around them.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_HANDLERTABLE_H
#define COLL_LIB_SIMULATOR_HANDLERTABLE_H

#include "Chip.h"
#include "Instruction.h"
#include "llvm/ADT/StringMap.h"

namespace coll::sim {

class HandlerTable {
public:
  struct Entry {
    Handler handler = nullptr;
    const void *info = nullptr;
  };

  /// `info` is passed on in DecodedInst::info; it must live forever.
  void add(llvm::StringRef mnemonic, Handler handler,
           const void *info = nullptr) {
    entries[mnemonic] = {handler, info};
  }
  Entry lookup(llvm::StringRef mnemonic) const {
    return entries.lookup(mnemonic);
  }

private:
  llvm::StringMap<Entry> entries;
};

void registerScalar(HandlerTable &table, const Chip &chip);
void registerVector(HandlerTable &table, const Chip &chip);
void registerMemory(HandlerTable &table, const Chip &chip);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_HANDLERTABLE_H
