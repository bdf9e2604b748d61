//===- VectorWide.cpp - 64-bit integers, truth tables, swaps --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorOps.h"
#include "llvm/ADT/bit.h"

using namespace coll::sim;
using enum ValueKind;

#define LANE(EXPRESSION) [](Lane &l) { l.result = (EXPRESSION); }

static uint64_t shiftRightArithmetic(uint64_t x, unsigned count) {
  return static_cast<uint64_t>(static_cast<int64_t>(x) >> count);
}

static const VectorOp wideOps[] = {
    {"v_mov_b64", B64, {B64}, LANE(l.a), LowFromLow},
    {"v_lshlrev_b64",
     B64,
     {B32, B64},
     LANE(l.b << (l.a & 63)),
     LowFromLow | ShiftsLeft},
    {"v_lshrrev_b64", B64, {B32, B64}, LANE(l.b >> (l.a & 63)), ShiftsRight},
    {"v_ashrrev_i64",
     B64,
     {B32, B64},
     LANE(shiftRightArithmetic(l.b, l.a & 63)),
     ShiftsRight},
    {"v_lshl_add_u64",
     B64,
     {B64, B32, B64},
     LANE((l.a << (l.b & 7)) + l.c),
     LowFromLow},
};

#undef LANE

/// Each bit of the result is the bit of the table that the operands' bits name:
/// bit 2 is the first operand's, bit 0 the third's.
static uint32_t lookUpBits(uint32_t table, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (unsigned row = 0; row < 8; ++row)
    if ((table >> row) & 1)
      result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
  return result;
}

/// The instruction's table is its immediate.
static void bitop3(Lane &l) {
  l.result = lookUpBits(static_cast<uint32_t>(l.immediate), l.a, l.b, l.c);
}

static const VectorOp truthTableOps[] = {
    {"v_bitop3_b32", B32, {B32, B32, B32}, bitop3},
    {"v_bitop3_b16", B16, {B16, B16, B16}, bitop3, KeepsHighHalf},
};

/// v_swap_b32, v_swap_b16: both operands are read and written.
static void executeSwap(Wave &wave, const DecodedInst &inst) {
  const Operand &first = inst.operands[0], &second = inst.operands[1];
  uint32_t *a = wave.getVGPR(first.index), *b = wave.getVGPR(second.index);
  uint64_t exec = wave.getExec();
  uint64_t firstInit = wave.getInitializedLanes(first);
  uint64_t secondInit = wave.getInitializedLanes(second);
  auto getMask = [](const Operand &operand) {
    return operand.half == Half::None   ? 0xffffffffu
           : operand.half == Half::High ? 0xffff0000u
                                        : 0xffffu;
  };
  uint32_t maskA = getMask(first), maskB = getMask(second);
  unsigned shiftA = llvm::countr_zero(maskA), shiftB = llvm::countr_zero(maskB);
  for (uint64_t rest = exec; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint32_t x = (a[lane] & maskA) >> shiftA, y = (b[lane] & maskB) >> shiftB;
    a[lane] = (a[lane] & ~maskA) | (y << shiftA);
    b[lane] = (b[lane] & ~maskB) | (x << shiftB);
  }
  wave.markVGPR(first.index, exec, secondInit);
  wave.markVGPR(second.index, exec, firstInit);
}

void coll::sim::registerVectorWide(HandlerTable &table) {
  addVectorOps(table, wideOps);
  addVectorOps(table, truthTableOps);
  table.add("v_swap_b32", executeSwap);
  table.add("v_swap_b16", executeSwap);
}
