//===- SelectLanes.cpp - Conditions on the lane as constants --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A condition on the lane alone, such as whether it is the first of its wave,
// is the same mask in all waves. The vector unit computes it in two
// instructions, and the branch waits for it,
//
//   v_and_b32 v1, 31, v0
//   v_cmp_eq_u32 vcc_lo, 0, v1
//   s_and_saveexec_b32 s0, vcc_lo
//
// where a constant would do (FoldLaneMasks makes it a part of the branch):
//
//   s_mov_b32 s1, 1
//   s_and_saveexec_b32 s0, s1
//
// The lane is the rank in the block modulo the wave's width.
//
//===----------------------------------------------------------------------===//

#include "coll/CodeGen/CodeGen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <array>
#include <optional>

using namespace coll;
using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
/// A sum of multiples of a thread's three indices.
struct Linear {
  std::array<uint64_t, 3> factors = {};

  /// Adds `factor` times `value`. False if it is no such sum.
  bool add(const Value *value, uint64_t factor, unsigned depth = 0) {
    const Value *left = nullptr, *right = nullptr;
    uint64_t constant = 0;
    if (depth == 8)
      return false;
    if (match(value, m_ZExt(m_Value(left))) ||
        match(value, m_SExt(m_Value(left))))
      return add(left, factor, depth + 1);
    if (match(value, m_Add(m_Value(left), m_Value(right))) ||
        match(value, m_DisjointOr(m_Value(left), m_Value(right))))
      return add(left, factor, depth + 1) && add(right, factor, depth + 1);
    if (match(value, m_Mul(m_Value(left), m_ConstantInt(constant))))
      return add(left, factor * constant, depth + 1);
    if (match(value, m_Shl(m_Value(left), m_ConstantInt(constant))))
      return add(left, factor << (constant & 31), depth + 1);
    if (match(value, m_Intrinsic<Intrinsic::amdgcn_workitem_id_x>()))
      factors[0] += factor;
    else if (match(value, m_Intrinsic<Intrinsic::amdgcn_workitem_id_y>()))
      factors[1] += factor;
    else if (match(value, m_Intrinsic<Intrinsic::amdgcn_workitem_id_z>()))
      factors[2] += factor;
    else
      return false;
    return true;
  }
};

class LaneSelector {
public:
  LaneSelector(Function &function, unsigned warpSize)
      : function(function), warpSize(warpSize) {
    const MDNode *sizes = function.getMetadata("reqd_work_group_size");
    for (unsigned i = 0; sizes && i != 3; ++i)
      extents[i] =
          mdconst::extract<ConstantInt>(sizes->getOperand(i))->getZExtValue();
  }

  void run() {
    if (extents[0] == 0)
      return;
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (std::optional<uint64_t> mask = getMask(&instruction))
        if (all_of(instruction.uses(), selects) && pays(instruction, *mask))
          replace(instruction, *mask);
  }

private:
  /// Far from where sums of a thread's indices would wrap.
  static constexpr uint64_t maxFactor = 1 << 16;

  /// The bits of `value` that say which lane it is in: those of the lane if it
  /// is the rank in the block modulo the wave's width, all if it is less; else
  /// none.
  uint64_t getLaneBits(const Value *value) const {
    Linear sum;
    if (!sum.add(value, 1))
      return 0;
    uint64_t stride = 1, last = 0;
    for (unsigned i = 0; i != 3; ++i) {
      bool isSame = (sum.factors[i] - stride) % warpSize == 0;
      if (extents[i] != 1 && (!isSame || sum.factors[i] > maxFactor))
        return 0;
      last += sum.factors[i] * (extents[i] - 1);
      stride *= extents[i];
    }
    return last < warpSize ? ~uint64_t(0) : warpSize - 1;
  }

  /// The lanes in which a condition on the lane alone holds.
  std::optional<uint64_t> getMask(const Instruction *condition) const {
    const Value *masked = nullptr, *rank = nullptr;
    const APInt *bits = nullptr, *constant = nullptr;
    CmpPredicate predicate = CmpInst::ICMP_NE;
    APInt one;
    if (condition->getType()->isIntegerTy(1) &&
        match(condition, m_Trunc(m_Value(masked)))) {
      one = APInt(masked->getType()->getIntegerBitWidth(), 1);
      rank = masked;
      bits = &one;
    } else if (!match(condition,
                      m_ICmp(predicate, m_Value(masked), m_APInt(constant)))) {
      return std::nullopt;
    } else if (!match(masked, m_And(m_Value(rank), m_APInt(bits)))) {
      rank = masked;
    }
    if (!rank->getType()->isIntegerTy() ||
        rank->getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    unsigned width = rank->getType()->getIntegerBitWidth();
    APInt used = bits ? *bits : APInt::getAllOnes(width);
    uint64_t laneBits = getLaneBits(rank);
    if (laneBits == 0 || used.getZExtValue() & ~laneBits)
      return std::nullopt;
    APInt other = constant ? *constant : APInt::getZero(width);
    uint64_t mask = 0;
    for (uint64_t lane = 0; lane != warpSize; ++lane)
      if (ICmpInst::compare(APInt(width, lane) & used, other, predicate))
        mask |= uint64_t(1) << lane;
    return mask;
  }

  /// Whether the condition decides about a branch or a value.
  static bool selects(const Use &use) {
    if (isa<BranchInst>(use.getUser()))
      return true;
    return isa<SelectInst>(use.getUser()) && use.getOperandNo() == 0;
  }

  /// Whether a mask of 64 bits fits into its instruction.
  static bool isShort(uint64_t mask) {
    return int64_t(mask) >= -16 && int64_t(mask) <= 64;
  }
  /// Whether LLVM 22 may write a mask as a literal whose sign it means to
  /// extend: s_mov_b64 fills the upper half with zeros.
  static bool isMisencoded(uint64_t mask) {
    return int64_t(mask) < -16 && isInt<32>(int64_t(mask));
  }

  /// Two words of a mask cost what the comparison of a masked rank does.
  bool pays(const Instruction &condition, uint64_t mask) const {
    if (warpSize == 32 || isShort(mask))
      return true;
    const Value *operand = condition.getOperand(0);
    return !isMisencoded(mask) && operand->hasOneUse() &&
           match(operand, m_And(m_Value(), m_Value()));
  }

  void replace(Instruction &condition, uint64_t mask) {
    IRBuilder<> b(&condition);
    Type *word = b.getIntNTy(warpSize);
    condition.replaceAllUsesWith(
        b.CreateIntrinsic(Intrinsic::amdgcn_inverse_ballot, {word},
                          {ConstantInt::get(word, mask)}));
    auto *operand = dyn_cast<Instruction>(condition.getOperand(0));
    condition.eraseFromParent();
    if (operand && operand->use_empty())
      operand->eraseFromParent();
  }

  Function &function;
  unsigned warpSize;
  std::array<uint64_t, 3> extents = {};
};
} // namespace

void coll::selectLanes(Module &module, const Target &target) {
  for (Function &function : module)
    if (!function.isDeclaration())
      LaneSelector(function, target.getWarpSize()).run();
}
