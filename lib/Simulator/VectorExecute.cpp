//===- VectorExecute.cpp - Fetch, modify, compute, write ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatArith.h"
#include "VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace coll::sim;

VectorContext coll::sim::getVectorContext(const Wave &wave) {
  return {wave.chip, FloatModes::decode(wave.mode, wave.chip.hasIEEEMode()),
          wave.launch.options.ulpSeed, wave.getExec()};
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

uint64_t coll::sim::fetchSource(const Wave &wave, const Operand &operand,
                                ValueKind kind, uint64_t *values) {
  if (!operand.isVGPR()) {
    uint64_t value =
        is64Bit(kind) ? wave.readScalar64(operand) : wave.readScalar32(operand);
    for (unsigned lane = 0; lane < 64; ++lane)
      values[lane] = value;
    return wave.isInitialized(operand) ? ~0ull : 0;
  }
  const uint32_t *low = wave.getVGPR(operand.index);
  if (is64Bit(kind)) {
    const uint32_t *high = low + 64;
    for (unsigned lane = 0; lane < 64; ++lane)
      values[lane] = low[lane] | static_cast<uint64_t>(high[lane]) << 32;
  } else {
    for (unsigned lane = 0; lane < 64; ++lane)
      values[lane] = low[lane];
  }
  return wave.getInitializedLanes(operand);
}

uint64_t coll::sim::applyDPP(const DPPLanes &dpp, uint64_t initialized,
                             uint64_t *values) {
  uint64_t before[64];
  std::copy(values, values + 64, before);
  uint64_t result = 0;
  for (uint64_t rest = dpp.enabled; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    bool zero = (dpp.zero >> lane) & 1;
    unsigned source = dpp.source[lane];
    values[lane] = zero ? 0 : before[source];
    result |= static_cast<uint64_t>(zero || ((initialized >> source) & 1))
              << lane;
  }
  return result;
}

/// The part of a register that SDWA names: shift and width in bits.
static std::pair<unsigned, unsigned> getPart(SDWASel sel) {
  switch (sel) {
  case SDWASel::Byte0:
  case SDWASel::Byte1:
  case SDWASel::Byte2:
  case SDWASel::Byte3:
    return {8 * static_cast<unsigned>(sel), 8};
  case SDWASel::Word0:
    return {0, 16};
  case SDWASel::Word1:
    return {16, 16};
  case SDWASel::DWord:
    break;
  }
  return {0, 32};
}

static uint64_t signExtend(uint64_t value, unsigned width) {
  return static_cast<uint64_t>(static_cast<int64_t>(value << (64 - width)) >>
                               (64 - width));
}

/// Picks the part that the operand means and applies its modifiers.
static void modifySource(const Operand &operand, ValueKind kind, bool isSDWA,
                         SDWASel sel, uint64_t *values) {
  unsigned width = is64Bit(kind) ? 64 : is16Bit(kind) ? 16 : 32;
  uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
  unsigned shift = 0, bits = width;
  bool extend = false;
  if (isSDWA) {
    std::tie(shift, bits) = getPart(sel);
    extend = operand.mods & Operand::Sext;
  } else if (operand.kind != OperandKind::Constant) {
    if (is16Bit(kind) || operand.half != Half::None) {
      shift = operand.takesHighHalf() ? 16 : 0;
      bits = 16;
    }
  }
  uint64_t part = bits == 64 ? ~0ull : (1ull << bits) - 1;
  uint64_t sign = 1ull << (width - 1);
  uint64_t clear = operand.mods & Operand::Abs ? sign : 0;
  uint64_t flip = operand.mods & Operand::Neg ? sign : 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint64_t value = (values[lane] >> shift) & part;
    if (extend)
      value = signExtend(value, bits);
    values[lane] = ((value & mask) & ~clear) ^ flip;
  }
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

namespace {
/// The sources of an instruction in all lanes.
struct Sources {
  uint64_t value[3][64];
  uint64_t old[64];
  uint64_t carry = 0;
  uint64_t initialized[3] = {~0ull, ~0ull, ~0ull};
  uint64_t othersInitialized = ~0ull;
  unsigned count = 0;
};
} // namespace

DPPLanes coll::sim::selectLanes(const DecodedInst &inst, uint64_t exec,
                                unsigned size) {
  return inst.encoding == Encoding::DPP16 ? selectDPP16(inst.dpp, exec, size)
                                          : selectDPP8(inst.dpp, exec, size);
}

static void fetchSources(const Wave &wave, const DecodedInst &inst,
                         const VectorOp &op, const DPPLanes *dpp,
                         Sources &sources) {
  bool isSDWA = inst.encoding == Encoding::SDWA;
  unsigned position = 0;
  for (const Operand &operand : inst.getSources()) {
    ValueKind kind =
        position < op.sources.size() ? op.sources[position] : ValueKind::None;
    if (kind == ValueKind::None)
      break;
    if (kind == ValueKind::Mask) {
      sources.carry = wave.readLaneMask(operand);
      if (!wave.isInitialized(operand))
        sources.othersInitialized = 0;
    } else if (sources.count < 3) {
      uint64_t *values = sources.value[sources.count];
      uint64_t initialized = fetchSource(wave, operand, kind, values);
      if (dpp && position == 0)
        initialized = applyDPP(*dpp, initialized, values);
      bool first = position == 0;
      modifySource(operand, kind, isSDWA && position < 2,
                   first ? inst.sdwa.src0 : inst.sdwa.src1, values);
      sources.initialized[sources.count++] = initialized;
    }
    ++position;
  }
  if (op.flags & ReadsOld) {
    const Operand &def = inst.getDef();
    sources.othersInitialized &= fetchSource(wave, def, op.result, sources.old);
    Operand plain = def;
    plain.mods = inst.writesHighHalf() ? Operand::OpSel : 0;
    modifySource(plain, op.result, false, SDWASel::DWord, sources.old);
  }
  if (op.flags & ReadsVCC)
    sources.carry = wave.getVCC();
}

/// Lanes whose result depends on initialised values alone.
static uint64_t getInitializedResults(const VectorOp &op,
                                      const Sources &sources) {
  const uint64_t *from = sources.initialized;
  uint64_t result = sources.othersInitialized;
  if (op.flags & Selects)
    return result & ((sources.carry & from[1]) | (~sources.carry & from[0]));
  return result & from[0] & from[1] & from[2];
}

/// The lanes that have one half of each 64-bit source, and all of the others.
/// The other halves are often left undefined where they are of no use.
static uint64_t getInitializedHalves(const Wave &wave, const DecodedInst &inst,
                                     const VectorOp &op, bool isHigh) {
  uint64_t lanes = ~0ull;
  for (auto [operand, kind] : llvm::zip(inst.getSources(), op.sources)) {
    Operand half = operand;
    if (is64Bit(kind) && operand.dwords == 2) {
      half.dwords = 1;
      half.index += isHigh;
    }
    lanes &= wave.getInitializedLanes(half);
  }
  return lanes;
}

/// The same for the low half of a 64-bit result.
static uint64_t getInitializedLow(const Wave &wave, const DecodedInst &inst,
                                  const VectorOp &op, uint64_t whole) {
  return op.flags & LowFromLow
             ? getInitializedHalves(wave, inst, op, /*isHigh=*/false)
             : whole;
}

/// Which lanes have the halves of a shifted source.
struct ShiftedHalves {
  uint64_t low = 0, high = 0;
};

/// Adds the lane to those with initialised results if what the shift leaves of
/// the source is. A half that both halves are parts of counts if one of them
/// is there: LLVM leaves the other one undefined where later shifts drop it.
static void addShifted(const VectorOp &op, const ShiftedHalves &halves,
                       unsigned count, unsigned lane, VectorResult &out) {
  uint64_t bit = 1ull << lane;
  bool isFar = count >= 32;
  if (op.flags & ShiftsLeft)
    out.initialized |= bit & (isFar ? halves.low : halves.low | halves.high);
  if (op.flags & ShiftsRight) {
    out.initialized |= bit & halves.high;
    out.initializedLow |=
        bit & (isFar ? halves.high : halves.low | halves.high);
  }
}

uint64_t coll::sim::modifyResult(uint64_t value, ValueKind kind,
                                 const DecodedInst &inst,
                                 const FloatModes &modes) {
  switch (kind) {
  case ValueKind::F16:
    return applyOutputModifiers<F16>(value & 0xffff, inst.omod, inst.clamp,
                                     modes);
  case ValueKind::F32:
    return applyOutputModifiers<F32>(value & 0xffffffff, inst.omod, inst.clamp,
                                     modes);
  case ValueKind::F64:
    return applyOutputModifiers<F64>(value, inst.omod, inst.clamp, modes);
  default:
    return value;
  }
}

/// False if an infinite source, or a division by zero, makes the result of a
/// lane infinite rather than an overflow.
static bool canOverflow(const Lane &lane, const VectorOp &op) {
  if ((op.flags & ReadsOld) && isInfinity<F16>(lane.old))
    return false;
  const uint64_t values[] = {lane.a, lane.b, lane.c};
  for (auto [kind, value] : llvm::zip(op.sources, values))
    if ((kind == ValueKind::F16 && isInfinity<F16>(value)) ||
        (kind == ValueKind::F32 && isInfinity<F32>(value)) ||
        (kind == ValueKind::F64 && isInfinity<F64>(value)))
      return false;
  bool isUnary = op.sources[1] == ValueKind::None;
  return !isUnary || !isZero<F16>(lane.a);
}

uint64_t coll::sim::saturateHalf(const Lane &lane, const VectorOp &op) {
  if (op.result != ValueKind::F16 || !isInfinity<F16>(lane.result) ||
      !canOverflow(lane, op))
    return lane.result;
  return (lane.result & F16::sign) | F16::largest;
}

static void computeVector(const Wave &wave, const DecodedInst &inst,
                          const VectorOp &op, uint64_t lanes,
                          VectorResult &out) {
  VectorContext context = getVectorContext(wave);
  std::optional<DPPLanes> dpp;
  if (inst.isDPP()) {
    dpp = selectLanes(inst, lanes, wave.size());
    lanes = dpp->enabled;
  }
  Sources sources;
  fetchSources(wave, inst, op, dpp ? &*dpp : nullptr, sources);
  out.lanes = lanes;
  out.initialized = getInitializedResults(op, sources);
  out.initializedLow = getInitializedLow(wave, inst, op, out.initialized);
  bool isShift = op.flags & (ShiftsLeft | ShiftsRight);
  ShiftedHalves halves;
  if (isShift)
    halves = {getInitializedHalves(wave, inst, op, /*isHigh=*/false),
              getInitializedHalves(wave, inst, op, /*isHigh=*/true)};
  bool modifies = inst.omod || inst.clamp;
  bool readsOld = op.flags & ReadsOld;
  Lane lane(context);
  lane.clamp = inst.clamp;
  lane.immediate = inst.imms.empty() ? 0 : inst.imms.front();
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned index = llvm::countr_zero(rest);
    lane.index = index;
    lane.a = sources.count > 0 ? sources.value[0][index] : 0;
    lane.b = sources.count > 1 ? sources.value[1][index] : 0;
    lane.c = sources.count > 2 ? sources.value[2][index] : 0;
    lane.old = readsOld ? sources.old[index] : 0;
    lane.carry = (sources.carry >> index) & 1;
    lane.flag = false;
    op.function(lane);
    if (context.modes.saturatesHalf)
      lane.result = saturateHalf(lane, op);
    if (isShift)
      addShifted(op, halves, lane.a & 63, index, out);
    out.flags |= static_cast<uint64_t>(lane.flag) << index;
    out.value[index] =
        modifies ? modifyResult(lane.result, op.result, inst, context.modes)
                 : lane.result;
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void coll::sim::writeDwords(Wave &wave, unsigned reg, const uint64_t *values,
                            uint64_t lanes, uint64_t initialized,
                            unsigned shift) {
  uint32_t *target = wave.getVGPR(reg);
  for (uint64_t rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    target[lane] = static_cast<uint32_t>(values[lane] >> shift);
  }
  wave.markVGPR(reg, lanes, initialized);
}

static void writeSDWA(const DecodedInst &inst, const uint32_t *target,
                      VectorResult &out, unsigned resultBits) {
  auto [shift, width] = getPart(inst.sdwa.dst);
  uint32_t part = width == 32 ? ~0u : ((1u << width) - 1) << shift;
  uint32_t resultMask = resultBits == 32 ? ~0u : (1u << resultBits) - 1;
  for (uint64_t rest = out.lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    auto value = static_cast<uint32_t>(out.value[lane]) & resultMask;
    uint32_t placed = (value << shift) & part;
    switch (inst.sdwa.unused) {
    case SDWAUnused::Pad:
      break;
    case SDWAUnused::SignExtend:
      if (width < 32)
        placed |= static_cast<uint32_t>(signExtend(value, width) << shift) &
                  ~part & ~((1u << shift) - 1);
      break;
    case SDWAUnused::Preserve:
      placed |= target[lane] & ~part;
      break;
    }
    out.value[lane] = placed;
  }
}

/// Puts 16-bit results beside the half that stays.
static void mergeHalves(const Wave &wave, const DecodedInst &inst,
                        const VectorOp &op, const uint32_t *target,
                        VectorResult &out) {
  bool high = inst.writesHighHalf();
  bool clears =
      !high && wave.chip.clearsHighHalf() && !(op.flags & KeepsHighHalf);
  for (uint64_t rest = out.lanes; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    uint64_t value = out.value[lane] & 0xffff;
    uint32_t old = target[lane];
    out.value[lane] = high ? (value << 16) | (old & 0xffff)
                           : value | (clears ? 0 : old & 0xffff0000);
  }
}

static void writeVector(Wave &wave, const DecodedInst &inst, const VectorOp &op,
                        VectorResult &out) {
  const Operand &def = inst.getDef();
  if (op.result == ValueKind::Mask) {
    wave.writeLaneMask(def, out.flags);
    if (op.flags & WritesExec)
      wave.setExec(out.flags);
    return;
  }
  if (inst.numDefs > 1)
    wave.writeLaneMask(inst.getDef(1), out.flags);
  if (!def.isVGPR())
    return;
  const uint32_t *target = wave.getVGPR(def.index);
  if (inst.encoding == Encoding::SDWA)
    writeSDWA(inst, target, out, is16Bit(op.result) ? 16 : 32);
  else if (is16Bit(op.result))
    mergeHalves(wave, inst, op, target, out);
  writeDwords(wave, def.index, out.value, out.lanes, out.initializedLow);
  if (is64Bit(op.result))
    writeDwords(wave, def.index + 1, out.value, out.lanes, out.initialized, 32);
}

static const VectorOp &getOp(const DecodedInst &inst) {
  return *static_cast<const VectorOp *>(inst.info);
}

static void executeIndexed(Wave &wave, const DecodedInst &inst) {
  DecodedInst moved = inst;
  if (!moveIndexedOperands(wave, moved))
    return;
  wave.mode &= ~RegisterIndexing;
  executeVector(wave, moved);
  wave.mode |= RegisterIndexing;
}

void coll::sim::executeVector(Wave &wave, const DecodedInst &inst) {
  if (wave.mode & RegisterIndexing)
    return executeIndexed(wave, inst);
  const VectorOp &op = getOp(inst);
  VectorResult out;
  if (op.flags & ScalarResult) {
    computeVector(wave, inst, op, /*lanes=*/1, out);
    wave.writeScalar32(inst.getDef(), static_cast<uint32_t>(out.value[0]));
    return;
  }
  computeVector(wave, inst, op, wave.getExec(), out);
  writeVector(wave, inst, op, out);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void coll::sim::addVectorOps(HandlerTable &table,
                             llvm::ArrayRef<VectorOp> ops) {
  for (const VectorOp &op : ops)
    for (llvm::StringRef name : llvm::split(op.names, ' '))
      table.add(name, executeVector, &op);
}

void coll::sim::registerVector(HandlerTable &table, const Chip &chip) {
  registerVectorInteger(table);
  registerVectorWide(table);
  registerVectorFloat(table);
  registerVectorTrans(table);
  registerVectorConvert(table);
  registerVectorCompare(table);
  registerVectorRelative(table);
  registerPacked(table);
  registerLanes(table);
}
