//===- FreePairs.cpp - Registers of instructions in pairs -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chips that put two instructions into one ("VOPD" in the instruction set of
// RDNA 3) want one result in an even register and one in an odd one. LLVM
// chooses registers before it makes pairs:
//
//   v_add_f32 v0, v2, v3
//   v_add_f32 v2, v4, v5
//   v_add_f32 v0, v0, v2
//
// Where a result that is used up in its block stands in the way, it goes into a
// register that an operand of its own has just left; here v5.
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/CodeGen/LiveRegUnits.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace {
class FreePairs : public MachineFunctionPass {
public:
  static char ID;
  FreePairs() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Coll free pairs"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetSubtargetInfo &subtarget = function.getSubtarget();
    if (!subtarget.checkFeatures("+vopd"))
      return false;
    names = subtarget.getInstrInfo();
    registers = subtarget.getRegisterInfo();
    bool isChanged = false;
    for (MachineBasicBlock &block : function) {
      MachineInstr *before = nullptr;
      for (MachineInstr &instruction : block) {
        if (before && canPair(*before, instruction) &&
            free(block, instruction)) {
          isChanged = true;
          before = nullptr;
          continue;
        }
        before = canBeHalf(instruction) ? &instruction : nullptr;
      }
    }
    return isChanged;
  }

private:
  /// Whether it may be either half of a pair, for certain.
  bool canBeHalf(const MachineInstr &instruction) const {
    static const StringSet<> halves = {"V_ADD_F32_e32",    "V_SUB_F32_e32",
                                       "V_MUL_F32_e32",    "V_MIN_F32_e32",
                                       "V_MAX_F32_e32",    "V_MIN_NUM_F32_e32",
                                       "V_MAX_NUM_F32_e32"};
    return halves.contains(names->getName(instruction.getOpcode())) &&
           all_of(instruction.explicit_operands(),
                  [](const MachineOperand &operand) {
                    return operand.isReg() && operand.getReg().isPhysical();
                  });
  }

  bool isOdd(Register reg) const {
    return registers->getEncodingValue(reg.asMCReg()) & 1;
  }

  /// Whether two instructions would make a pair if the second had another
  /// register for its result.
  bool canPair(const MachineInstr &first, const MachineInstr &second) const {
    if (!canBeHalf(first) || !canBeHalf(second))
      return false;
    Register result = first.getOperand(0).getReg();
    return !second.readsRegister(result, registers) &&
           isOdd(result) == isOdd(second.getOperand(0).getReg());
  }

  /// The operands that use the result of `maker`; none if it leaves the block,
  /// or if somebody needs it in this register.
  SmallVector<MachineOperand *> findUses(MachineBasicBlock &block,
                                         MachineInstr &maker) const {
    Register result = maker.getOperand(0).getReg();
    SmallVector<MachineOperand *> uses;
    MachineBasicBlock::iterator at(maker);
    for (++at; at != block.end(); ++at) {
      for (MachineOperand &operand : at->operands()) {
        if (!operand.isReg() || !operand.isUse() || !operand.getReg() ||
            !registers->regsOverlap(operand.getReg(), result))
          continue;
        if (operand.getReg() != result || operand.isTied() ||
            operand.isImplicit() || at->isInlineAsm() || at->isBundled())
          return {};
        uses.push_back(&operand);
      }
      if (at->definesRegister(result, registers))
        return uses;
      if (at->modifiesRegister(result, registers))
        return {};
    }
    LiveRegUnits live(*registers);
    live.addLiveOuts(block);
    return live.available(result.asMCReg()) ? uses
                                            : SmallVector<MachineOperand *>();
  }

  /// Whether nobody needs what `reg` has behind `maker`, and nobody writes it
  /// up to `last`.
  bool isFree(MachineBasicBlock &block, MachineInstr &maker, MachineInstr &last,
              Register reg) const {
    LiveRegUnits live(*registers);
    live.addLiveOuts(block);
    for (MachineInstr &instruction : reverse(block)) {
      if (&instruction == &maker)
        break;
      live.stepBackward(instruction);
    }
    if (!live.available(reg.asMCReg()))
      return false;
    MachineBasicBlock::iterator at(maker);
    while (&*++at != &last)
      if (at->modifiesRegister(reg, registers))
        return false;
    return true;
  }

  bool free(MachineBasicBlock &block, MachineInstr &maker) const {
    SmallVector<MachineOperand *> uses = findUses(block, maker);
    if (uses.empty())
      return false;
    MachineInstr &last = *uses.back()->getParent();
    bool isOddNow = isOdd(maker.getOperand(0).getReg());
    for (unsigned operand : {1, 2}) {
      Register reg = maker.getOperand(operand).getReg();
      bool isVector = registers->getName(reg)[0] == 'V';
      if (!isVector || isOdd(reg) == isOddNow ||
          !isFree(block, maker, last, reg))
        continue;
      maker.getOperand(0).setReg(reg);
      for (MachineOperand *use : uses)
        use->setReg(reg);
      return true;
    }
    return false;
  }

  const TargetInstrInfo *names = nullptr;
  const TargetRegisterInfo *registers = nullptr;
};
} // namespace

char FreePairs::ID = 0;

Pass *coll::createFreePairs() { return new FreePairs(); }
