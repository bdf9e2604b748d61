//===- VectorRelative.cpp - VGPRs whose number is in M0 -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM indexes arrays in registers so. gfx9 has a mode in which the operands of
// VALU instructions are relative to M0, later chips have instructions for it.
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "VectorOps.h"

using namespace coll::sim;

//===----------------------------------------------------------------------===//
// The mode of gfx9
//===----------------------------------------------------------------------===//

/// M0 in the mode: the index, and the operands that it is added to.
static constexpr uint32_t indexMask = 0xff;
static constexpr unsigned operandsShift = 12;
static constexpr uint32_t operandsMask = 0xfu << operandsShift;
static constexpr uint32_t relativeResult = 8;

static void setM0(Wave &wave, uint32_t mask, uint32_t value) {
  wave.scalars[M0Index] = (wave.getM0() & ~mask) | (value & mask);
  wave.scalarInit.set(M0Index);
}

static void setIndex(Wave &wave, const DecodedInst &inst) {
  const Operand &index = inst.operands.front();
  if (!wave.isInitialized(index))
    return wave.fault(FaultKind::Uninitialized,
                      "the index of registers was never written");
  setM0(wave, indexMask, wave.readScalar32(index));
}

static void setIndexedOperands(Wave &wave, const DecodedInst &inst) {
  setM0(wave, operandsMask,
        static_cast<uint32_t>(inst.imms.front()) << operandsShift);
}

static void beginIndexing(Wave &wave, const DecodedInst &inst) {
  setIndex(wave, inst);
  setIndexedOperands(wave, inst);
  wave.mode |= RegisterIndexing;
}

static void endIndexing(Wave &wave, const DecodedInst &) {
  wave.mode &= ~RegisterIndexing;
}

/// Adds to the number of a VGPR; false, and a fault, if there is no such one.
static bool move(Wave &wave, Operand &operand, uint32_t by) {
  if (!operand.isVGPR())
    return true;
  unsigned bank = operand.index / 256 * 256;
  uint64_t index = uint64_t(operand.index) + by;
  if (index + operand.dwords > bank + 256) {
    wave.fault(FaultKind::BadAddress,
               "m0 numbers a vector register that there is not");
    return false;
  }
  operand.index = static_cast<uint16_t>(index);
  return true;
}

bool coll::sim::moveIndexedOperands(Wave &wave, DecodedInst &inst) {
  uint32_t index = wave.getM0() & indexMask;
  uint32_t which = wave.getM0() >> operandsShift;
  for (unsigned i = 0; i != inst.operands.size(); ++i) {
    bool isResult = i < inst.numDefs;
    uint32_t bit = isResult ? relativeResult : 1u << (i - inst.numDefs);
    if ((isResult || bit < relativeResult) && (which & bit))
      if (!move(wave, inst.operands[i], index))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The instructions of gfx10 and later
//===----------------------------------------------------------------------===//

/// Where M0 has the numbers to add: one for both operands, or the source's in
/// bits 0 to 9 and the result's in bits 16 to 25.
enum class IndexForm : uint8_t { Common, Separate };

/// Result and source of a move, moved by what M0 says.
template <bool movesResult, bool movesSource, IndexForm form>
static bool getOperands(Wave &wave, const DecodedInst &inst, Operand &result,
                        Operand &source) {
  result = inst.operands[0];
  source = inst.operands[1];
  if (!wave.scalarInit.test(M0Index)) {
    wave.fault(FaultKind::Uninitialized,
               "m0, which numbers a register, was never written");
    return false;
  }
  uint32_t m0 = wave.getM0();
  bool isSeparate = form == IndexForm::Separate;
  uint32_t sourceIndex = isSeparate ? m0 & 0x3ff : m0;
  uint32_t resultIndex = isSeparate ? m0 >> 16 & 0x3ff : m0;
  return (!movesResult || move(wave, result, resultIndex)) &&
         (!movesSource || move(wave, source, sourceIndex));
}

template <bool movesResult, bool movesSource,
          IndexForm form = IndexForm::Common>
static void executeMove(Wave &wave, const DecodedInst &inst) {
  Operand result, source;
  if (!getOperands<movesResult, movesSource, form>(wave, inst, result, source))
    return;
  uint64_t values[64];
  uint64_t initialized = fetchSource(wave, source, ValueKind::B32, values);
  writeDwords(wave, result.index, values, wave.getExec(), initialized);
}

static void executeSwap(Wave &wave, const DecodedInst &inst) {
  Operand first, second;
  if (!getOperands<true, true, IndexForm::Separate>(wave, inst, first, second))
    return;
  uint64_t firstValues[64], secondValues[64];
  uint64_t firstInit = fetchSource(wave, first, ValueKind::B32, firstValues);
  uint64_t secondInit = fetchSource(wave, second, ValueKind::B32, secondValues);
  writeDwords(wave, first.index, secondValues, wave.getExec(), secondInit);
  writeDwords(wave, second.index, firstValues, wave.getExec(), firstInit);
}

void coll::sim::registerVectorRelative(HandlerTable &table) {
  table.add("s_set_gpr_idx_on", beginIndexing);
  table.add("s_set_gpr_idx_off", endIndexing);
  table.add("s_set_gpr_idx_mode", setIndexedOperands);
  table.add("s_set_gpr_idx_idx", setIndex);
  table.add("v_movrels_b32", executeMove<false, true>);
  table.add("v_movreld_b32", executeMove<true, false>);
  table.add("v_movrelsd_b32", executeMove<true, true>);
  table.add("v_movrelsd_2_b32", executeMove<true, true, IndexForm::Separate>);
  table.add("v_swaprel_b32", executeSwap);
}
