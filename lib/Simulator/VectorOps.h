//===- VectorOps.h - VALU instructions as functions of one lane -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction whose lanes do not see each other is a row of a table: its
// names, the kinds of its operands and a function of one lane. One handler
// (VectorExecute.cpp) does the rest for all encodings: fetching, DPP, SDWA,
// halves, input and output modifiers, writing under EXEC.
//
// To add an instruction, add a row to the table of its kind (VectorInteger.cpp,
// VectorFloat.cpp, VectorConvert.cpp, ...).
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_VECTOROPS_H
#define COLL_LIB_SIMULATOR_VECTOROPS_H

#include "Dpp.h"
#include "FloatFormat.h"
#include "HandlerTable.h"
#include "Wave.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>

namespace coll::sim {

/// What an operand holds. Integers and bits are not told apart. A mask is one
/// bit a lane in scalar registers.
enum class ValueKind : uint8_t { None, B16, F16, B32, F32, B64, F64, Mask };

constexpr bool is16Bit(ValueKind kind) {
  return kind == ValueKind::B16 || kind == ValueKind::F16;
}
constexpr bool is64Bit(ValueKind kind) {
  return kind == ValueKind::B64 || kind == ValueKind::F64;
}

/// What an instruction may ask for besides its operands.
struct VectorContext {
  const Chip &chip;
  FloatModes modes;
  uint64_t ulpSeed = 0;
  uint64_t exec = 0;
};

/// One lane of an instruction: operands after modifiers, in the width of their
/// kind, the rest of the bits 0.
struct Lane {
  explicit Lane(const VectorContext &context) : context(context) {}

  const VectorContext &context;
  uint64_t a = 0, b = 0, c = 0;
  /// What the destination held (ReadsOld).
  uint64_t old = 0;
  /// The lane's bit of a mask source, or of VCC (ReadsVCC).
  bool carry = false;
  bool clamp = false;
  unsigned index = 0;
  /// The first immediate that is no modifier.
  int64_t immediate = 0;

  /// Bits above the width of the result's kind are ignored.
  uint64_t result = 0;
  /// The lane's bit of a mask result: carry out, comparison.
  bool flag = false;

  const FloatModes &modes() const { return context.modes; }
  template <class F> FloatMode mode() const {
    return getMode<F>(context.modes);
  }
};

using LaneFunction = void (*)(Lane &);

/// Properties of instructions.
enum VectorFlags : unsigned {
  ReadsOld = 1,      ///< The destination is a source as well.
  ReadsVCC = 2,      ///< Without naming it.
  KeepsHighHalf = 4, ///< A 16-bit result leaves the other half, also on gfx9.
  WritesExec = 8,    ///< v_cmpx
  Selects = 16,      ///< b if the mask's bit is set, else a.
  LowFromLow = 64,   ///< 64 bits: the low half depends on low halves only.
  ScalarResult = 32, ///< v_s_rcp_f32 and kin: one value, in an SGPR.
  ShiftsLeft = 128,  ///< 64 bits; the count is the first source.
  ShiftsRight = 256
};

struct VectorOp {
  /// All names over the families, separated by a blank.
  const char *names;
  ValueKind result;
  /// In the order of assembly.
  std::array<ValueKind, 4> sources;
  LaneFunction function;
  unsigned flags = 0;
};

/// Of a wave's worth of lanes, before anything is written.
struct VectorResult {
  uint64_t value[64];
  uint64_t lanes = 0; ///< That were computed.
  uint64_t flags = 0;
  uint64_t initialized = 0;
  uint64_t initializedLow = 0; ///< Of the low half of a 64-bit result.
};

/// The handler of every row; DecodedInst::info is the row.
void executeVector(Wave &wave, const DecodedInst &inst);

/// Fetches one source for all lanes, without modifiers: 32 bits a lane, or 64
/// of a 64-bit kind. Returns the lanes in which it is initialised.
uint64_t fetchSource(const Wave &wave, const Operand &operand, ValueKind kind,
                     uint64_t *values);
/// Lanes that DPP enables among `exec`, and where they read.
DPPLanes selectLanes(const DecodedInst &inst, uint64_t exec, unsigned size);
/// Moves source 0 between lanes. Returns the lanes that are initialised then.
uint64_t applyDPP(const DPPLanes &dpp, uint64_t initialized, uint64_t *values);
/// Writes 32 bits a lane.
void writeDwords(Wave &wave, unsigned reg, const uint64_t *values,
                 uint64_t lanes, uint64_t initialized, unsigned shift = 0);
VectorContext getVectorContext(const Wave &wave);
/// In gfx9's mode of relative registers: adds what M0 says to the numbers of
/// the operands that it says. False after a fault.
bool moveIndexedOperands(Wave &wave, DecodedInst &inst);
/// Applies omod and clamp to a result of a float kind.
uint64_t modifyResult(uint64_t value, ValueKind kind, const DecodedInst &inst,
                      const FloatModes &modes);

/// The result of a lane when f16 saturates (FP16_OVFL).
uint64_t saturateHalf(const Lane &lane, const VectorOp &op);

/// Rows live forever.
void addVectorOps(HandlerTable &table, llvm::ArrayRef<VectorOp> ops);

void registerVectorInteger(HandlerTable &table);
void registerVectorWide(HandlerTable &table);
void registerVectorFloat(HandlerTable &table);
void registerVectorTrans(HandlerTable &table);
void registerVectorConvert(HandlerTable &table);
void registerVectorCompare(HandlerTable &table);
void registerVectorRelative(HandlerTable &table);
void registerPacked(HandlerTable &table);
void registerLanes(HandlerTable &table);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_VECTOROPS_H
