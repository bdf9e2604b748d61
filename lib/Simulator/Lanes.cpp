//===- Lanes.cpp - Instructions that move values between lanes ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dpp.h"
#include "VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace coll::sim;

/// Moves a lane of a VGPR to a scalar register. What was never written stays
/// so.
static void moveToScalar(Wave &wave, const DecodedInst &inst, unsigned lane) {
  const Operand &source = inst.getSource(0), &def = inst.getDef();
  bool initialized = (wave.getInitializedLanes(source) >> lane) & 1;
  wave.writeScalar32(def, wave.readLane(source, lane));
  if (!initialized && def.isSGPR())
    wave.scalarInit.reset(def.index);
}

/// The lane that a scalar operand names: its low bits count.
static unsigned getLaneSelect(Wave &wave, const Operand &operand) {
  if (!wave.isInitialized(operand))
    wave.fault(FaultKind::Uninitialized,
               "the lane is picked by a register that was never written");
  return wave.readScalar32(operand) & (wave.size() - 1);
}

/// EXEC does not matter.
static void executeReadlane(Wave &wave, const DecodedInst &inst) {
  moveToScalar(wave, inst, getLaneSelect(wave, inst.getSource(1)));
}

/// The lowest active lane; lane 0 if there is none.
static void executeReadfirstlane(Wave &wave, const DecodedInst &inst) {
  uint64_t exec = wave.getExec();
  moveToScalar(wave, inst, exec ? llvm::countr_zero(exec) : 0);
}

/// EXEC does not matter.
static void executeWritelane(Wave &wave, const DecodedInst &inst) {
  const Operand &source = inst.getSource(0);
  unsigned lane = getLaneSelect(wave, inst.getSource(1));
  unsigned reg = inst.getDef().index;
  wave.getVGPR(reg)[lane] = wave.readScalar32(source);
  wave.markVGPR(reg, 1ull << lane, wave.isInitialized(source) ? ~0ull : 0);
}

/// Writes to `reg` what the lanes of `before` say.
static void writeSelected(Wave &wave, unsigned reg, const DPPLanes &lanes,
                          const uint64_t *before, uint64_t initialized) {
  uint64_t value[64], known = 0;
  for (uint64_t rest = lanes.enabled; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    unsigned source = lanes.source[lane];
    bool zero = (lanes.zero >> lane) & 1;
    value[lane] = zero ? 0 : before[source];
    known |= static_cast<uint64_t>(zero || ((initialized >> source) & 1))
             << lane;
  }
  writeDwords(wave, reg, value, lanes.enabled, known);
}

/// op_sel of the first source: fetch inactive lanes; of the second: an inactive
/// source reads as 0.
static bool hasOpSel(const DecodedInst &inst, unsigned source) {
  return inst.getSource(source).mods & Operand::OpSel;
}

template <bool exchange>
static void executePermlane16(Wave &wave, const DecodedInst &inst) {
  uint64_t selects = wave.readScalar32(inst.getSource(1)) |
                     static_cast<uint64_t>(wave.readScalar32(inst.getSource(2)))
                         << 32;
  DPPLanes lanes =
      selectPermlane16(selects, exchange, hasOpSel(inst, 0), hasOpSel(inst, 1),
                       wave.getExec(), wave.size());
  uint64_t before[64];
  uint64_t initialized =
      fetchSource(wave, inst.getSource(0), ValueKind::B32, before);
  if (!wave.isInitialized(inst.getSource(1)) ||
      !wave.isInitialized(inst.getSource(2)))
    initialized = 0;
  writeSelected(wave, inst.getDef().index, lanes, before, initialized);
}

/// Each lane brings its own select.
template <bool exchange>
static void executePermlane16Var(Wave &wave, const DecodedInst &inst) {
  uint64_t before[64], selects[64];
  uint64_t initialized =
      fetchSource(wave, inst.getSource(0), ValueKind::B32, before);
  uint64_t selectsKnown =
      fetchSource(wave, inst.getSource(1), ValueKind::B32, selects);
  DPPLanes lanes;
  for (uint64_t rest = wave.getExec(); rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    // Only this lane's nibble is asked for.
    uint64_t nibbles = (selects[lane] & 15) << (4 * (lane & 15));
    DPPLanes all =
        selectPermlane16(nibbles, exchange, hasOpSel(inst, 0),
                         hasOpSel(inst, 1), wave.getExec(), wave.size());
    lanes.enabled |= all.enabled & (1ull << lane);
    lanes.zero |= all.zero & (1ull << lane);
    lanes.source[lane] = all.source[lane];
    if (!((selectsKnown >> lane) & 1))
      initialized &= ~(1ull << all.source[lane]);
  }
  writeSelected(wave, inst.getDef().index, lanes, before, initialized);
}

/// The halves of a wave of 64 change places; sources may be inactive. In a wave
/// of 32 it does nothing.
static void executePermlane64(Wave &wave, const DecodedInst &inst) {
  if (wave.size() != 64)
    return;
  uint64_t before[64];
  uint64_t initialized =
      fetchSource(wave, inst.getSource(0), ValueKind::B32, before);
  DPPLanes lanes;
  lanes.enabled = wave.getExec();
  for (unsigned lane = 0; lane < 64; ++lane)
    lanes.source[lane] = lane ^ 32;
  writeSelected(wave, inst.getDef().index, lanes, before, initialized);
}

/// Blocks of `distance` lanes change places: the odd ones of the first register
/// with the even ones of the second.
template <unsigned distance>
static void executePermlaneSwap(Wave &wave, const DecodedInst &inst) {
  const Operand &first = inst.operands[0], &second = inst.operands[1];
  // The long form has fetch-inactive and bound_ctrl.
  bool fetchInactive = inst.imms.size() > 1 && inst.imms[0];
  bool boundCtrl = inst.imms.size() > 1 && inst.imms[1];
  uint64_t exec = wave.getExec();
  uint64_t beforeFirst[64], beforeSecond[64];
  uint64_t knownFirst = fetchSource(wave, first, ValueKind::B32, beforeFirst);
  uint64_t knownSecond =
      fetchSource(wave, second, ValueKind::B32, beforeSecond);
  DPPLanes odd, even;
  for (unsigned lane = 0; lane < wave.size(); ++lane) {
    unsigned source = lane ^ distance;
    bool valid = fetchInactive || ((exec >> source) & 1);
    if (!((exec >> lane) & 1) || !(valid || boundCtrl))
      continue;
    DPPLanes &lanes = lane & distance ? odd : even;
    lanes.enabled |= 1ull << lane;
    lanes.zero |= static_cast<uint64_t>(!valid) << lane;
    lanes.source[lane] = static_cast<uint8_t>(source);
  }
  writeSelected(wave, first.index, odd, beforeSecond, knownSecond);
  writeSelected(wave, second.index, even, beforeFirst, knownFirst);
}

void coll::sim::registerLanes(HandlerTable &table) {
  table.add("v_readlane_b32", executeReadlane);
  table.add("v_readfirstlane_b32", executeReadfirstlane);
  table.add("v_writelane_b32", executeWritelane);
  table.add("v_permlane16_b32", executePermlane16<false>);
  table.add("v_permlanex16_b32", executePermlane16<true>);
  table.add("v_permlane16_var_b32", executePermlane16Var<false>);
  table.add("v_permlanex16_var_b32", executePermlane16Var<true>);
  table.add("v_permlane64_b32", executePermlane64);
  table.add("v_permlane16_swap_b32", executePermlaneSwap<16>);
  table.add("v_permlane32_swap_b32", executePermlaneSwap<32>);
}
