//===- Packed.cpp - VOP3P: packed, mixed and dot product math -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A packed instruction is an instruction of one value that is carried out for
// the low and the high result; op_sel says where the low one takes its operands
// from, op_sel_hi where the high one does.
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"
#include "VectorOps.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <limits>

using namespace coll::sim;

namespace {
/// The raw sources of a wave, 32 or 64 bits a lane.
struct RawSources {
  uint64_t value[3][64];
  /// Lanes that have those of 32 bits.
  uint64_t initialized = ~0ull;
  unsigned count = 0;
  /// Lanes that the instruction works on.
  uint64_t lanes = 0;
};
} // namespace

/// Whether it is a pair of registers of which each result takes one.
static bool isPair(const Operand &operand, bool wide) {
  return wide && operand.dwords == 2;
}

/// False after a fault.
static bool fetchRaw(Wave &wave, const DecodedInst &inst, bool wide,
                     RawSources &sources) {
  if ((wave.mode & RegisterIndexing) || inst.encoding == Encoding::SDWA) {
    wave.fault(FaultKind::Unsupported,
               "'" + llvm::Twine(inst.mnemonic) +
                   "' with relative registers or SDWA is not supported yet");
    return false;
  }
  for (const Operand &operand : inst.getSources().take_front(3)) {
    // A single SGPR or VGPR cannot be read as a pair.
    ValueKind kind =
        wide && (operand.dwords > 1 || operand.kind == OperandKind::Constant)
            ? ValueKind::B64
            : ValueKind::B32;
    uint64_t initialized =
        fetchSource(wave, operand, kind, sources.value[sources.count++]);
    if (!isPair(operand, wide))
      sources.initialized &= initialized;
  }
  sources.lanes = wave.getExec();
  if (inst.isDPP()) {
    DPPLanes dpp = selectLanes(inst, sources.lanes, wave.size());
    sources.initialized &= applyDPP(dpp, sources.initialized, sources.value[0]);
    sources.lanes = dpp.enabled;
  }
  return true;
}

/// The lanes that have the register that a result takes of a source of 64 bits:
/// nothing depends on the other one.
static uint64_t getInitializedPick(const Wave &wave, const Operand &operand,
                                   bool high) {
  if (!isPair(operand, /*wide=*/true))
    return ~0ull; // Counted as a source of 32 bits.
  Operand half = operand;
  half.dwords = 1;
  half.index += high;
  return wave.getInitializedLanes(half);
}

static void forEachLane(uint64_t lanes, llvm::function_ref<void(unsigned)> f) {
  for (; lanes; lanes &= lanes - 1)
    f(llvm::countr_zero(lanes));
}

//===----------------------------------------------------------------------===//
// Packed
//===----------------------------------------------------------------------===//

/// Whether a result takes the high half of a source.
static bool takesHigh(const Operand &operand, bool forHigh) {
  return operand.mods & (forHigh ? Operand::OpSelHi : Operand::OpSel);
}

/// The half of a source that a result takes, negated if it says so.
static uint64_t pickHalf(uint64_t raw, const Operand &operand, bool forHigh,
                         unsigned width) {
  bool high = takesHigh(operand, forHigh);
  bool negate = operand.mods & (forHigh ? Operand::NegHi : Operand::Neg);
  uint64_t value = (high ? raw >> width : raw) & ((1ull << width) - 1);
  return negate ? value ^ (1ull << (width - 1)) : value;
}

/// v_pk_fmac_f16 is a VOP2 and has no op_sel: halves stay halves.
static bool hasNoSelection(const DecodedInst &inst) {
  return inst.encoding != Encoding::VOP3P;
}

/// DecodedInst::info is the row of the instruction of one value.
static void executePacked(Wave &wave, const DecodedInst &inst) {
  const auto &op = *static_cast<const VectorOp *>(inst.info);
  bool wide = !is16Bit(op.result);
  unsigned width = wide ? 32 : 16;
  RawSources sources;
  if (!fetchRaw(wave, inst, wide, sources))
    return;
  uint64_t old[64] = {};
  if (op.flags & ReadsOld)
    sources.initialized &=
        fetchSource(wave, inst.getDef(), ValueKind::B32, old);
  VectorContext context = getVectorContext(wave);
  uint64_t value[64];
  forEachLane(sources.lanes, [&](unsigned index) {
    value[index] = 0;
    for (bool high : {false, true}) {
      Lane lane(context);
      lane.clamp = inst.clamp;
      lane.index = index;
      lane.old = (old[index] >> (high ? 16 : 0)) & 0xffff;
      uint64_t *targets[] = {&lane.a, &lane.b, &lane.c};
      for (unsigned i = 0; i < sources.count; ++i) {
        Operand operand = inst.getSource(i);
        if (hasNoSelection(inst))
          operand.mods = Operand::OpSelHi;
        *targets[i] = pickHalf(sources.value[i][index], operand, high, width);
      }
      op.function(lane);
      if (context.modes.saturatesHalf)
        lane.result = saturateHalf(lane, op);
      uint64_t result =
          modifyResult(lane.result, op.result, inst, context.modes);
      result &= (1ull << width) - 1;
      value[index] |= result << (high ? width : 0);
    }
  });
  uint64_t low = sources.initialized, high = sources.initialized;
  if (wide)
    for (const Operand &operand : inst.getSources().take_front(3)) {
      low &= getInitializedPick(wave, operand, takesHigh(operand, false));
      high &= getInitializedPick(wave, operand, takesHigh(operand, true));
    }
  unsigned reg = inst.getDef().index;
  writeDwords(wave, reg, value, sources.lanes, low);
  if (wide)
    writeDwords(wave, reg + 1, value, sources.lanes, high, 32);
}

/// The low result is a dword of source 0, the high one of source 1.
static void executePackedMove(Wave &wave, const DecodedInst &inst) {
  RawSources sources;
  if (!fetchRaw(wave, inst, /*wide=*/true, sources))
    return;
  uint64_t value[64];
  auto pick = [&](unsigned i, unsigned lane) {
    bool high = takesHigh(inst.getSource(i), /*forHigh=*/false);
    return (sources.value[i][lane] >> (high ? 32 : 0)) & 0xffffffff;
  };
  uint64_t initialized[2];
  for (unsigned i : {0, 1}) {
    const Operand &operand = inst.getSource(i);
    initialized[i] =
        sources.initialized &
        getInitializedPick(wave, operand, takesHigh(operand, false));
  }
  forEachLane(sources.lanes, [&](unsigned lane) {
    value[lane] = pick(0, lane) | pick(1, lane) << 32;
  });
  unsigned reg = inst.getDef().index;
  writeDwords(wave, reg, value, sources.lanes, initialized[0]);
  writeDwords(wave, reg + 1, value, sources.lanes, initialized[1], 32);
}

//===----------------------------------------------------------------------===//
// Mixed precision
//===----------------------------------------------------------------------===//

namespace {
enum class MixResult : uint8_t { Whole, Low, High };
struct MixOp {
  MixResult result;
  bool fused;
};
} // namespace

/// op_sel_hi makes a source f16, op_sel then takes its high half; else it is
/// f32.
static uint64_t getMixSource(uint64_t raw, const Operand &operand) {
  uint64_t value = raw & 0xffffffff;
  bool isConstant = operand.kind == OperandKind::Constant;
  if (operand.mods & Operand::OpSelHi)
    value = convertFloat<F32, F16>(
        (operand.mods & Operand::OpSel ? value >> 16 : value) & 0xffff,
        Rounding::NearestEven);
  else if (isConstant && value <= 0xffff && (value & 0x7fff) >= 0x3000)
    // Constants are decoded as those of packed math: 1.0 is an f16.
    value = convertFloat<F32, F16>(value, Rounding::NearestEven);
  if (operand.mods & Operand::Abs)
    value &= F32::magnitude;
  if (operand.mods & Operand::Neg)
    value ^= F32::sign;
  return value;
}

static void executeMix(Wave &wave, const DecodedInst &inst) {
  const auto &op = *static_cast<const MixOp *>(inst.info);
  RawSources sources;
  if (!fetchRaw(wave, inst, /*wide=*/false, sources))
    return;
  VectorContext context = getVectorContext(wave);
  FloatMode mode = context.modes.single;
  const Operand &def = inst.getDef();
  const uint32_t *target = wave.getVGPR(def.index);
  uint64_t value[64];
  forEachLane(sources.lanes, [&](unsigned lane) {
    uint64_t operands[3];
    for (unsigned i = 0; i < 3; ++i)
      operands[i] = getMixSource(sources.value[i][lane], inst.getSource(i));
    auto [a, b, c] = operands;
    uint64_t result =
        op.fused ? fmaFloat<F32>(a, b, c, mode) : madFloat<F32>(a, b, c, mode);
    if (op.result == MixResult::Whole) {
      value[lane] = modifyResult(result, ValueKind::F32, inst, context.modes);
      return;
    }
    FloatMode wide = context.modes.wide;
    bool isExact = isInfinity<F32>(a) || isInfinity<F32>(b) ||
                   isInfinity<F32>(c) || isNaN<F32>(result);
    result =
        flushResult<F16>(convertFloat<F16, F32>(result, wide.rounding), wide);
    if (context.modes.saturatesHalf && !isExact && isInfinity<F16>(result))
      result = (result & F16::sign) | F16::largest;
    result = modifyResult(result, ValueKind::F16, inst, context.modes);
    value[lane] = op.result == MixResult::Low
                      ? (target[lane] & 0xffff0000u) | result
                      : (target[lane] & 0xffffu) | result << 16;
  });
  writeDwords(wave, def.index, value, sources.lanes, sources.initialized);
}

//===----------------------------------------------------------------------===//
// Dot products
//===----------------------------------------------------------------------===//

namespace {
/// How the elements of sources 0 and 1 are read.
enum class DotSign : uint8_t { Unsigned, Signed, AsNegSays };
struct DotOp {
  unsigned width;
  DotSign sign;
  bool accumulates; ///< The destination is the addend.
};
} // namespace

static int64_t getElement(uint64_t raw, unsigned shift, unsigned width,
                          bool isSigned) {
  uint64_t value = (raw >> shift) & ((1ull << width) - 1);
  if (isSigned && (value >> (width - 1)))
    return static_cast<int64_t>(value) - (1ll << width);
  return static_cast<int64_t>(value);
}

static uint64_t addClamped(int64_t sum, bool isSigned, bool clamp) {
  if (clamp && isSigned)
    sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                              std::numeric_limits<int32_t>::max());
  else if (clamp)
    sum = std::clamp<int64_t>(sum, 0, std::numeric_limits<uint32_t>::max());
  return static_cast<uint64_t>(sum);
}

static void executeDot(Wave &wave, const DecodedInst &inst) {
  const auto &op = *static_cast<const DotOp *>(inst.info);
  RawSources sources;
  if (!fetchRaw(wave, inst, /*wide=*/false, sources))
    return;
  if (op.accumulates)
    sources.initialized &=
        fetchSource(wave, inst.getDef(), ValueKind::B32, sources.value[2]);
  auto isSigned = [&](unsigned i) {
    return op.sign == DotSign::Signed ||
           (op.sign == DotSign::AsNegSays &&
            (inst.getSource(i).mods & Operand::Neg));
  };
  bool signedA = isSigned(0), signedB = isSigned(1);
  bool signedSum = op.sign != DotSign::Unsigned;
  uint64_t value[64];
  forEachLane(sources.lanes, [&](unsigned lane) {
    int64_t sum = getElement(sources.value[2][lane], 0, 32, signedSum);
    for (unsigned shift = 0; shift < 32; shift += op.width)
      sum += getElement(sources.value[0][lane], shift, op.width, signedA) *
             getElement(sources.value[1][lane], shift, op.width, signedB);
    value[lane] = addClamped(sum, signedSum, inst.clamp);
  });
  writeDwords(wave, inst.getDef().index, value, sources.lanes,
              sources.initialized);
}

/// The sum of two products of f16 or bf16 and an f32, low elements first.
template <class F>
static void executeFloatDot(Wave &wave, const DecodedInst &inst) {
  RawSources sources;
  if (!fetchRaw(wave, inst, /*wide=*/false, sources))
    return;
  if (inst.getSources().size() < 3)
    sources.initialized &=
        fetchSource(wave, inst.getDef(), ValueKind::B32, sources.value[2]);
  VectorContext context = getVectorContext(wave);
  uint64_t value[64];
  forEachLane(sources.lanes, [&](unsigned lane) {
    uint64_t sum = sources.value[2][lane];
    if (inst.getSources().size() > 2 && (inst.getSource(2).mods & Operand::Neg))
      sum ^= F32::sign;
    for (bool high : {false, true}) {
      uint64_t factors[2];
      for (unsigned i = 0; i < 2; ++i) {
        Operand operand = inst.getSource(i);
        if (hasNoSelection(inst))
          operand.mods = Operand::OpSelHi;
        factors[i] = convertFloat<F32, F>(
            pickHalf(sources.value[i][lane], operand, high, 16),
            Rounding::NearestEven);
      }
      sum = fmaFloat<F32>(factors[0], factors[1], sum, context.modes.single);
    }
    value[lane] = modifyResult(sum, ValueKind::F32, inst, context.modes);
  });
  writeDwords(wave, inst.getDef().index, value, sources.lanes,
              sources.initialized);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// The packed instruction and what it does with each value.
static constexpr const char *packedNames[][2] = {
    {"v_pk_add_f16", "v_add_f16"},
    {"v_pk_mul_f16", "v_mul_f16"},
    {"v_pk_fma_f16", "v_fma_f16"},
    {"v_pk_fmac_f16", "v_fmac_f16"},
    {"v_pk_min_f16", "v_min_f16"},
    {"v_pk_max_f16", "v_max_f16"},
    {"v_pk_min_num_f16", "v_min_num_f16"},
    {"v_pk_max_num_f16", "v_max_num_f16"},
    {"v_pk_minimum_f16", "v_minimum_f16"},
    {"v_pk_maximum_f16", "v_maximum_f16"},
    {"v_pk_minimum3_f16", "v_minimum3_f16"},
    {"v_pk_maximum3_f16", "v_maximum3_f16"},
    {"v_pk_add_i16", "v_add_i16"},
    {"v_pk_sub_i16", "v_sub_i16"},
    {"v_pk_add_u16", "v_add_u16"},
    {"v_pk_sub_u16", "v_sub_u16"},
    {"v_pk_mul_lo_u16", "v_mul_lo_u16"},
    {"v_pk_mad_i16", "v_mad_i16"},
    {"v_pk_mad_u16", "v_mad_u16"},
    {"v_pk_min_i16", "v_min_i16"},
    {"v_pk_max_i16", "v_max_i16"},
    {"v_pk_min_u16", "v_min_u16"},
    {"v_pk_max_u16", "v_max_u16"},
    {"v_pk_lshlrev_b16", "v_lshlrev_b16"},
    {"v_pk_lshrrev_b16", "v_lshrrev_b16"},
    {"v_pk_ashrrev_i16", "v_ashrrev_i16"},
    {"v_pk_add_f32", "v_add_f32"},
    {"v_pk_mul_f32", "v_mul_f32"},
    {"v_pk_fma_f32", "v_fma_f32"},
};

static void registerMix(HandlerTable &table) {
  static const MixOp fused[] = {{MixResult::Whole, true},
                                {MixResult::Low, true},
                                {MixResult::High, true}};
  static const MixOp unfused[] = {{MixResult::Whole, false},
                                  {MixResult::Low, false},
                                  {MixResult::High, false}};
  table.add("v_fma_mix_f32", executeMix, &fused[0]);
  table.add("v_fma_mixlo_f16", executeMix, &fused[1]);
  table.add("v_fma_mixhi_f16", executeMix, &fused[2]);
  table.add("v_mad_mix_f32", executeMix, &unfused[0]);
  table.add("v_mad_mixlo_f16", executeMix, &unfused[1]);
  table.add("v_mad_mixhi_f16", executeMix, &unfused[2]);
}

static void registerDots(HandlerTable &table) {
  static const struct {
    const char *name;
    DotOp op;
  } dots[] = {
      {"v_dot2_i32_i16", {16, DotSign::Signed, false}},
      {"v_dot2_u32_u16", {16, DotSign::Unsigned, false}},
      {"v_dot4_i32_i8", {8, DotSign::Signed, false}},
      {"v_dot4_u32_u8", {8, DotSign::Unsigned, false}},
      {"v_dot8_i32_i4", {4, DotSign::Signed, false}},
      {"v_dot8_u32_u4", {4, DotSign::Unsigned, false}},
      {"v_dot4_i32_iu8", {8, DotSign::AsNegSays, false}},
      {"v_dot8_i32_iu4", {4, DotSign::AsNegSays, false}},
      {"v_dot2c_i32_i16", {16, DotSign::Signed, true}},
      {"v_dot4c_i32_i8", {8, DotSign::Signed, true}},
      {"v_dot8c_i32_i4", {4, DotSign::Signed, true}},
  };
  for (const auto &dot : dots)
    table.add(dot.name, executeDot, &dot.op);
  for (const char *name :
       {"v_dot2_f32_f16", "v_dot2c_f32_f16", "v_dot2acc_f32_f16"})
    table.add(name, executeFloatDot<F16>);
  for (const char *name :
       {"v_dot2_f32_bf16", "v_dot2c_f32_bf16", "v_dot2acc_f32_bf16"})
    table.add(name, executeFloatDot<BF16>);
}

void coll::sim::registerPacked(HandlerTable &table) {
  for (auto [packed, single] : packedNames)
    table.add(packed, executePacked, table.lookup(single).info);
  table.add("v_pk_mov_b32", executePackedMove);
  registerMix(table);
  registerDots(table);
}
