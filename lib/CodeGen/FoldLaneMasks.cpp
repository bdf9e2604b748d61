//===- FoldLaneMasks.cpp - Branches by constant masks ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM keeps the constant mask of a branch in scalar registers,
//
//   s_mov_b32 s1, 1
//   s_and_saveexec_b32 s0, s1
//
// though the instruction that saves the lanes may have it as an operand. They
// are put together where nobody else uses the registers, once these are known.
//
//===----------------------------------------------------------------------===//

#include "AMDPassManager.h"
#include "llvm/CodeGen/LiveRegUnits.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;

namespace {
class FoldLaneMasks : public MachineFunctionPass {
public:
  static char ID;
  FoldLaneMasks() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override { return "Coll fold lane masks"; }

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetSubtargetInfo &subtarget = function.getSubtarget();
    names = subtarget.getInstrInfo();
    registers = subtarget.getRegisterInfo();
    bool isChanged = false;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block)
        if (getName(instruction).starts_with("S_AND_SAVEEXEC_B"))
          isChanged |= fold(block, instruction);
    return isChanged;
  }

private:
  StringRef getName(const MachineInstr &instruction) const {
    return names->getName(instruction.getOpcode());
  }

  /// The constant that an instruction writes, if others may have it as an
  /// operand.
  std::optional<int64_t> getConstant(const MachineInstr &move) const {
    StringRef name = getName(move);
    if (move.getNumExplicitOperands() != 2 || !move.getOperand(1).isImm())
      return std::nullopt;
    int64_t value = move.getOperand(1).getImm();
    if (name == "S_MOV_B32" || name == "S_MOVK_I32")
      return value;
    if (name == "S_BREV_B32")
      return int32_t(reverseBits(uint32_t(value)));
    // Of 64 bits, what fits into the instruction's own word.
    if (name == "S_MOV_B64" && value >= -16 && value <= 64)
      return value;
    return std::nullopt;
  }

  /// Whether nobody reads `source` behind `save`.
  bool isDeadBehind(MachineBasicBlock &block, MachineInstr &save,
                    MCRegister source) const {
    if (save.getOperand(0).getReg() == source)
      return true;
    LiveRegUnits live(*registers);
    live.addLiveOuts(block);
    for (MachineInstr &instruction : llvm::reverse(block)) {
      if (&instruction == &save)
        break;
      live.stepBackward(instruction);
    }
    return live.available(source);
  }

  bool fold(MachineBasicBlock &block, MachineInstr &save) {
    MachineOperand &mask = save.getOperand(1);
    if (!mask.isReg())
      return false;
    MCRegister source = mask.getReg().asMCReg();
    MachineBasicBlock::reverse_iterator at(save);
    ++at;
    while (at != block.rend() && !at->readsRegister(source, registers) &&
           !at->modifiesRegister(source, registers))
      ++at;
    if (at == block.rend() || !isDeadBehind(block, save, source))
      return false;
    std::optional<int64_t> constant = getConstant(*at);
    if (!constant || at->getOperand(0).getReg() != source)
      return false;
    at->eraseFromParent();
    mask.ChangeToImmediate(*constant);
    return true;
  }

  const TargetInstrInfo *names = nullptr;
  const TargetRegisterInfo *registers = nullptr;
};
} // namespace

char FoldLaneMasks::ID = 0;

Pass *coll::createFoldLaneMasks() { return new FoldLaneMasks(); }
