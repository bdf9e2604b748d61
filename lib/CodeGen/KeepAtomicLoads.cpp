//===- KeepAtomicLoads.cpp - Keep atomic loads from the read-only cache ---===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parameter that is only read is found to be so even where it is read by
// atomic loads:
//
//   define ptx_kernel void @k(ptr addrspace(1) noalias readonly %p) {
//     %v = load atomic i32, ptr addrspace(1) %p monotonic, align 4
//
// LLVM 22's NVPTXTagInvariantLoads then takes the load for invariant, which an
// atomic one is not, as another kernel or the host may write; and instruction
// selection, which looks for ld.global.nc of it, crashes. What is known of such
// a parameter is forgotten.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace coll;

void coll::keepAtomicLoads(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (!load || !load->isAtomic())
        continue;
      llvm::SmallVector<const llvm::Value *> objects;
      llvm::getUnderlyingObjects(load->getPointerOperand(), objects,
                                 /*LI=*/nullptr, /*MaxLookup=*/0);
      for (const llvm::Value *object : objects)
        if (auto *argument = llvm::dyn_cast<llvm::Argument>(object))
          function.removeParamAttr(argument->getArgNo(),
                                   llvm::Attribute::ReadOnly);
    }
}
