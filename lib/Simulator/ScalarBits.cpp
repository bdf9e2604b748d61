//===- ScalarBits.cpp - Scalar moves and bit operations -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace coll::sim;

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

template <typename T>
static void registerLogic(HandlerTable &table, llvm::StringRef suffix) {
  auto add = [&](llvm::StringRef name, Handler handler) {
    table.add((name + suffix).str(), handler);
  };
  add("s_and", logicTest<T, [](Wave &, T a, T b) { return a & b; }>);
  add("s_or", logicTest<T, [](Wave &, T a, T b) { return a | b; }>);
  add("s_xor", logicTest<T, [](Wave &, T a, T b) { return a ^ b; }>);
  add("s_nand", logicTest<T, [](Wave &, T a, T b) { return T(~(a & b)); }>);
  add("s_nor", logicTest<T, [](Wave &, T a, T b) { return T(~(a | b)); }>);
  add("s_xnor", logicTest<T, [](Wave &, T a, T b) { return T(~(a ^ b)); }>);
  constexpr Handler andNot =
      logicTest<T, [](Wave &, T a, T b) { return T(a & ~b); }>;
  constexpr Handler orNot =
      logicTest<T, [](Wave &, T a, T b) { return T(a | ~b); }>;
  add("s_andn2", andNot);
  add("s_and_not1", andNot);
  add("s_orn2", orNot);
  add("s_or_not1", orNot);
  add("s_not", unaryTest<T, T, [](Wave &, T a) { return T(~a); }>);
}

//===----------------------------------------------------------------------===//
// Shifts and fields
//===----------------------------------------------------------------------===//

/// Bits of S1: the field's first bit, and from bit 16 on its size.
template <typename T> static T extractField(Wave &, T value, u32 field) {
  constexpr unsigned width = 8 * sizeof(T);
  using U = std::make_unsigned_t<T>;
  unsigned first = field & (width - 1);
  unsigned size = std::min<unsigned>(field >> 16 & 0x7f, width);
  if (size == 0)
    return 0;
  if (first + size >= width)
    return value >> first;
  return static_cast<T>(static_cast<U>(value) << (width - first - size)) >>
         (width - size);
}

/// A field of 64 bits. LLVM extends one of the lower half whatever the upper
/// one holds, so that the result counts as initialised if that half is.
template <typename T>
static void extractWideField(Wave &wave, const DecodedInst &inst) {
  u32 field = readScalar<u32>(wave, inst.getSource(1));
  Operand low = inst.getSource(0);
  low.dwords = 1;
  bool isOfLowHalf = (field & 63) + (field >> 16 & 0x7f) <= 32;
  bool isKnown = isOfLowHalf && wave.isInitialized(low) &&
                 wave.isInitialized(inst.getSource(1));
  binaryTest<T, T, u32, extractField<T>>(wave, inst);
  const Operand &def = inst.getDef();
  if (isKnown && def.isSGPR())
    for (unsigned i = 0; i != def.dwords; ++i)
      wave.scalarInit.set(def.index + i);
}

static void registerShifts(HandlerTable &table) {
  table.add("s_lshl_b32", binaryTest<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return a << (b & 31);
            }>);
  table.add("s_lshl_b64", binaryTest<u64, u64, u32, [](Wave &, u64 a, u32 b) {
              return a << (b & 63);
            }>);
  table.add("s_lshr_b32", binaryTest<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return a >> (b & 31);
            }>);
  table.add("s_lshr_b64", binaryTest<u64, u64, u32, [](Wave &, u64 a, u32 b) {
              return a >> (b & 63);
            }>);
  table.add("s_ashr_i32", binaryTest<i32, i32, u32, [](Wave &, i32 a, u32 b) {
              return a >> (b & 31);
            }>);
  table.add("s_ashr_i64", binaryTest<i64, i64, u32, [](Wave &, i64 a, u32 b) {
              return a >> (b & 63);
            }>);
  table.add("s_bfe_u32", binaryTest<u32, u32, u32, extractField<u32>>);
  table.add("s_bfe_i32", binaryTest<i32, i32, u32, extractField<i32>>);
  table.add("s_bfe_u64", extractWideField<u64>);
  table.add("s_bfe_i64", extractWideField<i64>);
  table.add("s_bfm_b32", binary<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return ((1u << (a & 31)) - 1) << (b & 31);
            }>);
  table.add("s_bfm_b64", binary<u64, u32, u32, [](Wave &, u32 a, u32 b) {
              return ((u64(1) << (a & 63)) - 1) << (b & 63);
            }>);
}

static void registerPacks(HandlerTable &table) {
  table.add("s_pack_ll_b32_b16",
            binary<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return (a & 0xffff) | b << 16;
            }>);
  table.add("s_pack_lh_b32_b16",
            binary<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return (a & 0xffff) | (b & 0xffff0000);
            }>);
  table.add("s_pack_hh_b32_b16",
            binary<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return a >> 16 | (b & 0xffff0000);
            }>);
  table.add("s_pack_hl_b32_b16",
            binary<u32, u32, u32,
                   [](Wave &, u32 a, u32 b) { return a >> 16 | b << 16; }>);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// The number of equal bits from the sign on; -1 if all are equal.
template <typename T> static u32 countSignBits(Wave &, T value) {
  using U = std::make_unsigned_t<T>;
  U bits = static_cast<U>(value < 0 ? ~value : value);
  return bits == 0 ? ~0u : static_cast<u32>(llvm::countl_zero(bits));
}

template <typename T> static u32 findFirst(Wave &, T value) {
  return value == 0 ? ~0u : static_cast<u32>(llvm::countr_zero(value));
}

template <typename T> static u32 findLast(Wave &, T value) {
  return value == 0 ? ~0u : static_cast<u32>(llvm::countl_zero(value));
}

template <typename T> static u32 countOnes(Wave &, T value) {
  return static_cast<u32>(llvm::popcount(value));
}

template <typename T> static u32 countZeros(Wave &, T value) {
  return static_cast<u32>(8 * sizeof(T)) -
         static_cast<u32>(llvm::popcount(value));
}

template <typename T> static u32 findFirstZero(Wave &wave, T value) {
  return findFirst<T>(wave, ~value);
}

static void registerCounts(HandlerTable &table) {
  table.add("s_bcnt1_i32_b32", unaryTest<u32, u32, countOnes<u32>>);
  table.add("s_bcnt1_i32_b64", unaryTest<u32, u64, countOnes<u64>>);
  table.add("s_bcnt0_i32_b32", unaryTest<u32, u32, countZeros<u32>>);
  table.add("s_bcnt0_i32_b64", unaryTest<u32, u64, countZeros<u64>>);
  for (const char *name : {"s_ff1_i32_b32", "s_ctz_i32_b32"})
    table.add(name, unary<u32, u32, findFirst<u32>>);
  for (const char *name : {"s_ff1_i32_b64", "s_ctz_i32_b64"})
    table.add(name, unary<u32, u64, findFirst<u64>>);
  table.add("s_ff0_i32_b32", unary<u32, u32, findFirstZero<u32>>);
  table.add("s_ff0_i32_b64", unary<u32, u64, findFirstZero<u64>>);
  for (const char *name : {"s_flbit_i32_b32", "s_clz_i32_u32"})
    table.add(name, unary<u32, u32, findLast<u32>>);
  for (const char *name : {"s_flbit_i32_b64", "s_clz_i32_u64"})
    table.add(name, unary<u32, u64, findLast<u64>>);
  for (const char *name : {"s_flbit_i32", "s_cls_i32"})
    table.add(name, unary<u32, i32, countSignBits<i32>>);
  for (const char *name : {"s_flbit_i32_i64", "s_cls_i32_i64"})
    table.add(name, unary<u32, i64, countSignBits<i64>>);
}

//===----------------------------------------------------------------------===//
// Moves and single bits
//===----------------------------------------------------------------------===//

template <typename T> static void moveIf(Wave &wave, const DecodedInst &inst) {
  if (wave.scc)
    writeScalar<T>(wave, inst, readScalar<T>(wave, inst.getSource(0)));
}

template <typename T, bool Value>
static void setBit(Wave &wave, const DecodedInst &inst) {
  u32 bit = readScalar<u32>(wave, inst.getSource(0)) & (8 * sizeof(T) - 1);
  T value = readScalar<T>(wave, inst.getDef());
  T mask = T(1) << bit;
  writeScalar<T>(wave, inst, Value ? value | mask : value & ~mask);
}

/// Each bit twice.
static u64 replicateBits(Wave &, u32 value) {
  u64 result = 0;
  for (unsigned i = 0; i != 32; ++i)
    result |= u64(value >> i & 1) * 3 << 2 * i;
  return result;
}

/// A quad with a bit set gives all of its bits (wqm) or one bit (quadmask).
template <typename T> static T wholeQuads(Wave &, T value) {
  T result = 0;
  for (unsigned i = 0; i != 8 * sizeof(T); i += 4)
    if (value >> i & 0xf)
      result |= T(0xf) << i;
  return result;
}

template <typename T> static T quadMask(Wave &, T value) {
  T result = 0;
  for (unsigned i = 0; i != 8 * sizeof(T); i += 4)
    if (value >> i & 0xf)
      result |= T(1) << i / 4;
  return result;
}

/// s_mov_b64 moves two registers, of which LLVM may need one alone: each half
/// stays as initialised as it was.
static void moveHalves(Wave &wave, const DecodedInst &inst) {
  const Operand &source = inst.getSource(0), &def = inst.getDef();
  wave.writeScalar64(def, wave.readScalar64(source));
  if (!source.isSGPR() || !def.isSGPR())
    return;
  for (unsigned i = 0; i != 2; ++i)
    if (!wave.scalarInit.test(source.index + i))
      wave.scalarInit.reset(def.index + i);
}

static void registerMoves(HandlerTable &table) {
  table.add("s_mov_b32", unary<u32, u32, [](Wave &, u32 a) { return a; }>);
  table.add("s_mov_b64", moveHalves);
  table.add("s_cmov_b32", moveIf<u32>);
  table.add("s_cmov_b64", moveIf<u64>);
  table.add(
      "s_brev_b32",
      unary<u32, u32, [](Wave &, u32 a) { return llvm::reverseBits(a); }>);
  table.add(
      "s_brev_b64",
      unary<u64, u64, [](Wave &, u64 a) { return llvm::reverseBits(a); }>);
  table.add("s_sext_i32_i8", unary<i32, u32, [](Wave &, u32 a) {
              return i32(static_cast<int8_t>(a));
            }>);
  table.add("s_sext_i32_i16", unary<i32, u32, [](Wave &, u32 a) {
              return i32(static_cast<int16_t>(a));
            }>);
  table.add("s_bitset0_b32", setBit<u32, false>);
  table.add("s_bitset1_b32", setBit<u32, true>);
  table.add("s_bitset0_b64", setBit<u64, false>);
  table.add("s_bitset1_b64", setBit<u64, true>);
  table.add("s_bitreplicate_b64_b32", unary<u64, u32, replicateBits>);
  table.add("s_wqm_b32", unaryTest<u32, u32, wholeQuads<u32>>);
  table.add("s_wqm_b64", unaryTest<u64, u64, wholeQuads<u64>>);
  table.add("s_quadmask_b32", unaryTest<u32, u32, quadMask<u32>>);
  table.add("s_quadmask_b64", unaryTest<u64, u64, quadMask<u64>>);
}

/// s_movrels and s_movreld: a register's number is M0 more than written.
template <typename T, bool IsSource>
static void moveRelative(Wave &wave, const DecodedInst &inst) {
  Operand source = inst.getSource(0), def = inst.getDef();
  Operand &relative = IsSource ? source : def;
  if (!wave.scalarInit.test(M0Index))
    return wave.fault(FaultKind::Uninitialized,
                      "m0, which numbers a register, is not initialized");
  u64 index = u64(relative.index) + wave.getM0();
  if (!relative.isSGPR() || index + sizeof(T) / 4 > VCCLo)
    return wave.fault(FaultKind::BadAddress,
                      "m0 numbers a register that there is not");
  relative.index = static_cast<uint16_t>(index);
  if constexpr (sizeof(T) == 8)
    wave.writeScalar64(def, wave.readScalar64(source));
  else
    wave.writeScalar32(def, wave.readScalar32(source));
}

/// s_movrelsd_2_b32: the source's number is bits 0 to 9 of M0 more, the
/// result's bits 16 to 25.
static void moveBothRelative(Wave &wave, const DecodedInst &inst) {
  Operand source = inst.getSource(0), def = inst.getDef();
  if (!wave.scalarInit.test(M0Index))
    return wave.fault(FaultKind::Uninitialized,
                      "m0, which numbers a register, is not initialized");
  u32 from = source.index + (wave.getM0() & 0x3ff);
  u32 to = def.index + (wave.getM0() >> 16 & 0x3ff);
  if (!source.isSGPR() || !def.isSGPR() || from >= VCCLo || to >= VCCLo)
    return wave.fault(FaultKind::BadAddress,
                      "m0 numbers a register that there is not");
  source.index = static_cast<uint16_t>(from);
  def.index = static_cast<uint16_t>(to);
  wave.writeScalar32(def, wave.readScalar32(source));
}

void coll::sim::registerScalarBits(HandlerTable &table) {
  registerLogic<u32>(table, "_b32");
  registerLogic<u64>(table, "_b64");
  registerShifts(table);
  registerPacks(table);
  registerCounts(table);
  registerMoves(table);
  table.add("s_movrels_b32", moveRelative<u32, true>);
  table.add("s_movrels_b64", moveRelative<u64, true>);
  table.add("s_movreld_b32", moveRelative<u32, false>);
  table.add("s_movreld_b64", moveRelative<u64, false>);
  table.add("s_movrelsd_2_b32", moveBothRelative);
}
