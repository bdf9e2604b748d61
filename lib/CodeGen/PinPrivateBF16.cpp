//===- PinPrivateBF16.cpp - bf16 that each lane has of its own ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 for AMD loads a bf16 of private memory into the upper half of a
// register, where it is an f32 (scratch_load_d16_hi_b16), and forgets that the
// lanes have different ones: on GFX12, which has scalar float instructions, all
// then get what the first lane has. Assembly text without instructions says
// that the lanes differ. Arrays that are indexed at run time are there.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static constexpr unsigned privateMemory = 5;

void coll::pinPrivateBF16(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->getType()->isBFloatTy() ||
          load->getPointerAddressSpace() != privateMemory)
        continue;
      Instruction *next = load->getNextNode();
      IRBuilder<> b(next);
      auto *bits = cast<Instruction>(b.CreateBitCast(load, b.getInt16Ty()));
      Value *pinned = b.CreateBitCast(
          createPinned(bits, next, /*isScalar=*/false), load->getType());
      load->replaceUsesWithIf(pinned,
                              [&](Use &use) { return use.getUser() != bits; });
    }
}
