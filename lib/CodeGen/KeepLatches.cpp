//===- KeepLatches.cpp - Keep the ends of loops' bodies -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a body ends in a branch that lanes take differently, LLVM's SimplifyCFG
// merges the empty block in which they meet with the head of the loop:
//
// loop:
//   %b = call i32 @llvm.amdgcn.ballot.i32(i1 %p)
//   br i1 %mine, label %store, label %loop
// store:
//   br label %loop
//
// Such a loop has two ways back, and becomes two nested loops: lanes that take
// one go around without those that take the other, and the ballot sees a part
// of its lanes. What means no instruction but must not be moved or repeated
// keeps the block. Threads of NVIDIA's chips wait for each other at a
// collective instead.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace coll;

/// Marks the calls that are here for this reason alone.
static constexpr llvm::StringLiteral markName = "coll.latch";

static bool isConvergentCall(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && call->isConvergent();
}

/// Whether lanes may part inside the body and meet at its end, with something
/// in it that sees which lanes are there.
static bool needsLatch(const llvm::Loop &loop) {
  bool parts = llvm::any_of(loop.blocks(), [&](llvm::BasicBlock *block) {
    return llvm::count_if(llvm::successors(block), [&](llvm::BasicBlock *next) {
             return loop.contains(next);
           }) > 1;
  });
  return parts && llvm::any_of(loop.blocks(), [](llvm::BasicBlock *block) {
           return llvm::any_of(*block, isConvergentCall);
         });
}

void coll::keepLatches(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      llvm::BasicBlock *latch = loop->getLoopLatch();
      if (!latch || !needsLatch(*loop))
        continue;
      llvm::IRBuilder<> builder(latch->getTerminator());
      llvm::CallInst *call =
          builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_wave_barrier, {});
      call->setMetadata(markName, llvm::MDNode::get(module.getContext(), {}));
    }
  }
}

void coll::dropUnrolledLatches(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!instruction.hasMetadata(markName))
        continue;
      llvm::Loop *loop = loops.getLoopFor(instruction.getParent());
      if (!loop || !loop->isLoopLatch(instruction.getParent()))
        instruction.eraseFromParent();
    }
  }
}
