//===- WidenShifts.cpp - Upper bytes of short integers --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22 for AMD makes a part of another instruction of a shift of 16 bits by
// 8 on GFX9 (SDWA, with the sign). The shift leaves zeros in the upper half of
// the register, on which what comes later relies; the part fills it with signs:
//
//     v_ashrrev_i16 v1, 8, v1           v_ffbh_u32_sdwa v1, sext(v1)
//     v_ffbh_u32 v1, v1            ->       src0_sel:BYTE_1
//
// So such a shift is one of 32 bits, apart from what the value is used for.
//
//===----------------------------------------------------------------------===//

#include "PinValue.h"
#include "coll/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

void coll::widenShifts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Value *value;
      if (!instruction.getType()->isIntegerTy(16) ||
          !match(&instruction, m_AShr(m_Value(value), m_SpecificInt(8))))
        continue;
      IRBuilder<> b(&instruction);
      Value *shifted = b.CreateAShr(b.CreateSExt(value, b.getInt32Ty()), 8);
      Value *pinned = createPinned(shifted, &instruction, /*isScalar=*/false);
      instruction.replaceAllUsesWith(b.CreateTrunc(pinned, b.getInt16Ty()));
      instruction.eraseFromParent();
    }
}
