//===- KeepArms.cpp - Keep the values of arms in them ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where lanes take the arms of a branch differently, LLVM's StructurizeCFG
// makes a chain of conditional blocks of them, and values that cost no
// instruction are moved out of an arm to a place before all arms, so that they
// need no register of their own. Then it lets the joined value of the other
// arms stand for them, which holds where one branch alone leads to the arm:
//
//   switch i32 %n, label %else [ i32 0, label %zero  i32 1, label %one ]
// else:                                  ; %n < 0 and %n > 1
//   %t = trunc i64 %v to i32
//   br label %end
// end:
//   %r = phi i32 [ %t, %else ], [ 5, %zero ], [ 6, %one ]
//
// Lanes with %n > 1 get 6. So right before, the head of such an arm is made a
// block of its own: LLVM looks into the blocks that branches lead to alone, and
// the values stay.
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Pass.h"

using namespace llvm;

/// Whether a branch that has another way leads to the block.
static bool isArm(const BasicBlock &block) {
  return any_of(predecessors(&block), [](const BasicBlock *before) {
    return before->getTerminator()->getNumSuccessors() > 1;
  });
}

/// Whether nothing of the block it stands in has to come before it.
static bool isMovable(const Instruction &value) {
  if (isa<PHINode>(value) || value.mayHaveSideEffects() ||
      value.mayReadFromMemory())
    return false;
  return none_of(value.operands(), [&](const Use &operand) {
    auto *source = dyn_cast<Instruction>(operand);
    return source && source->getParent() == value.getParent();
  });
}

/// Whether values that could be computed before the block leave it at its end.
static bool givesMovableValues(const BasicBlock &block) {
  for (const BasicBlock *next : successors(&block))
    for (const PHINode &phi : next->phis()) {
      auto *value = dyn_cast<Instruction>(phi.getIncomingValueForBlock(&block));
      if (value && value->getParent() == &block && isMovable(*value))
        return true;
    }
  return false;
}

namespace {
class KeepArms : public FunctionPass {
public:
  static char ID;
  KeepArms() : FunctionPass(ID) {}

  StringRef getPassName() const override { return "Coll keep arms"; }

  bool runOnFunction(Function &function) override {
    bool isChanged = false;
    for (BasicBlock &block : make_early_inc_range(function)) {
      if (!isArm(block) || !givesMovableValues(block))
        continue;
      block.splitBasicBlock(block.getFirstNonPHIIt(), "arm");
      isChanged = true;
    }
    return isChanged;
  }
};
} // namespace

char KeepArms::ID = 0;

Pass *coll::createKeepArms() { return new KeepArms(); }
