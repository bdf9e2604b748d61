//===- Scalar.cpp - Scalar integer arithmetic -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarOps.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace coll::sim;

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;
using i64 = int64_t;

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static constexpr auto addCarry = [](Wave &wave, u32 a, u32 b) {
  u64 sum = u64(a) + b;
  wave.scc = sum >> 32;
  return static_cast<u32>(sum);
};
static constexpr auto subBorrow = [](Wave &wave, u32 a, u32 b) {
  wave.scc = b > a;
  return a - b;
};
static constexpr auto addWithCarry = [](Wave &wave, u32 a, u32 b) {
  u64 sum = u64(a) + b + wave.scc;
  wave.scc = sum >> 32;
  return static_cast<u32>(sum);
};
static constexpr auto subWithBorrow = [](Wave &wave, u32 a, u32 b) {
  u64 subtrahend = u64(b) + wave.scc;
  wave.scc = subtrahend > a;
  return static_cast<u32>(a - subtrahend);
};
static constexpr auto addOverflow = [](Wave &wave, i32 a, i32 b) {
  i32 sum;
  wave.scc = __builtin_add_overflow(a, b, &sum);
  return sum;
};
static constexpr auto subOverflow = [](Wave &wave, i32 a, i32 b) {
  i32 difference;
  wave.scc = __builtin_sub_overflow(a, b, &difference);
  return difference;
};

static void registerSums(HandlerTable &table) {
  for (const char *name : {"s_add_u32", "s_add_co_u32"})
    table.add(name, binary<u32, u32, u32, addCarry>);
  for (const char *name : {"s_sub_u32", "s_sub_co_u32"})
    table.add(name, binary<u32, u32, u32, subBorrow>);
  for (const char *name : {"s_add_i32", "s_add_co_i32"})
    table.add(name, binary<i32, i32, i32, addOverflow>);
  for (const char *name : {"s_sub_i32", "s_sub_co_i32"})
    table.add(name, binary<i32, i32, i32, subOverflow>);
  for (const char *name : {"s_addc_u32", "s_add_co_ci_u32"})
    table.add(name, binary<u32, u32, u32, addWithCarry>);
  for (const char *name : {"s_subb_u32", "s_sub_co_ci_u32"})
    table.add(name, binary<u32, u32, u32, subWithBorrow>);
  for (const char *name : {"s_add_u64", "s_add_nc_u64"})
    table.add(
        name,
        binary<u64, u64, u64, [](Wave &, u64 a, u64 b) { return a + b; }>);
  for (const char *name : {"s_sub_u64", "s_sub_nc_u64"})
    table.add(
        name,
        binary<u64, u64, u64, [](Wave &, u64 a, u64 b) { return a - b; }>);
  table.add("s_absdiff_i32",
            binaryTest<u32, i32, i32, [](Wave &, i32 a, i32 b) {
              u32 difference = u32(a) - u32(b);
              return i32(difference) < 0 ? -difference : difference;
            }>);
  table.add("s_abs_i32", unaryTest<u32, i32, [](Wave &, i32 a) {
              return a < 0 ? -u32(a) : u32(a);
            }>);
}

static void registerProducts(HandlerTable &table) {
  table.add("s_mul_i32",
            binary<u32, u32, u32, [](Wave &, u32 a, u32 b) { return a * b; }>);
  table.add("s_mul_u64",
            binary<u64, u64, u64, [](Wave &, u64 a, u64 b) { return a * b; }>);
  table.add("s_mul_hi_u32", binary<u32, u32, u32, [](Wave &, u32 a, u32 b) {
              return static_cast<u32>(u64(a) * b >> 32);
            }>);
  table.add("s_mul_hi_i32", binary<u32, i32, i32, [](Wave &, i32 a, i32 b) {
              return static_cast<u32>(u64(i64(a) * b) >> 32);
            }>);
}

template <unsigned Shift> static u32 shiftAdd(Wave &wave, u32 a, u32 b) {
  u64 sum = (u64(a) << Shift) + b;
  wave.scc = sum >> 32;
  return static_cast<u32>(sum);
}

static void registerShiftAdds(HandlerTable &table) {
  table.add("s_lshl1_add_u32", binary<u32, u32, u32, shiftAdd<1>>);
  table.add("s_lshl2_add_u32", binary<u32, u32, u32, shiftAdd<2>>);
  table.add("s_lshl3_add_u32", binary<u32, u32, u32, shiftAdd<3>>);
  table.add("s_lshl4_add_u32", binary<u32, u32, u32, shiftAdd<4>>);
}

//===----------------------------------------------------------------------===//
// Minimum, selection, comparison
//===----------------------------------------------------------------------===//

template <typename T> static T minimum(Wave &wave, T a, T b) {
  wave.scc = a < b;
  return wave.scc ? a : b;
}
/// SCC of equal numbers is 1 from gfx10 on.
template <typename T> static T maximum(Wave &wave, T a, T b) {
  wave.scc = wave.chip.isGFX10Plus() ? a >= b : a > b;
  return wave.scc ? a : b;
}

static void registerSelection(HandlerTable &table) {
  table.add("s_min_i32", binary<i32, i32, i32, minimum<i32>>);
  table.add("s_min_u32", binary<u32, u32, u32, minimum<u32>>);
  table.add("s_max_i32", binary<i32, i32, i32, maximum<i32>>);
  table.add("s_max_u32", binary<u32, u32, u32, maximum<u32>>);
  table.add("s_cselect_b32",
            binary<u32, u32, u32,
                   [](Wave &wave, u32 a, u32 b) { return wave.scc ? a : b; }>);
  table.add("s_cselect_b64",
            binary<u64, u64, u64,
                   [](Wave &wave, u64 a, u64 b) { return wave.scc ? a : b; }>);
}

template <typename T>
static void registerCompares(HandlerTable &table, llvm::StringRef type) {
  auto add = [&](llvm::StringRef prefix, Handler handler) {
    table.add((prefix + type).str(), handler);
  };
  add("s_cmp_eq_", compare<T, [](T a, T b) { return a == b; }>);
  add("s_cmp_lg_", compare<T, [](T a, T b) { return a != b; }>);
  add("s_cmp_gt_", compare<T, [](T a, T b) { return a > b; }>);
  add("s_cmp_ge_", compare<T, [](T a, T b) { return a >= b; }>);
  add("s_cmp_lt_", compare<T, [](T a, T b) { return a < b; }>);
  add("s_cmp_le_", compare<T, [](T a, T b) { return a <= b; }>);
}

/// SCC = Op(S0, constant); the constant is extended as T says.
template <typename T, auto Op>
static void compareConstant(Wave &wave, const DecodedInst &inst) {
  T constant = std::is_signed_v<T> ? static_cast<T>(getSImm16(inst))
                                   : static_cast<T>(getSImm16(inst) & 0xffff);
  wave.scc = Op(readScalar<T>(wave, inst.operands.front()), constant);
}

template <typename T>
static void registerConstantCompares(HandlerTable &table,
                                     llvm::StringRef type) {
  auto add = [&](llvm::StringRef prefix, Handler handler) {
    table.add((prefix + type).str(), handler);
  };
  add("s_cmpk_eq_", compareConstant<T, [](T a, T b) { return a == b; }>);
  add("s_cmpk_lg_", compareConstant<T, [](T a, T b) { return a != b; }>);
  add("s_cmpk_gt_", compareConstant<T, [](T a, T b) { return a > b; }>);
  add("s_cmpk_ge_", compareConstant<T, [](T a, T b) { return a >= b; }>);
  add("s_cmpk_lt_", compareConstant<T, [](T a, T b) { return a < b; }>);
  add("s_cmpk_le_", compareConstant<T, [](T a, T b) { return a <= b; }>);
}

static void registerBitCompares(HandlerTable &table) {
  table.add("s_bitcmp0_b32",
            compare<u32, [](u32 a, u32 b) { return !(a >> (b & 31) & 1); }>);
  table.add(
      "s_bitcmp1_b32",
      compare<u32, [](u32 a, u32 b) { return (a >> (b & 31) & 1) != 0; }>);
  table.add("s_bitcmp0_b64",
            compare<u64, [](u64 a, u64 b) { return !(a >> (b & 63) & 1); }>);
  table.add(
      "s_bitcmp1_b64",
      compare<u64, [](u64 a, u64 b) { return (a >> (b & 63) & 1) != 0; }>);
}

//===----------------------------------------------------------------------===//
// Constants of 16 bits
//===----------------------------------------------------------------------===//

static void moveConstant(Wave &wave, const DecodedInst &inst) {
  wave.writeScalar32(inst.getDef(), static_cast<u32>(getSImm16(inst)));
}

static void moveConstantIf(Wave &wave, const DecodedInst &inst) {
  if (wave.scc)
    moveConstant(wave, inst);
}

static void addConstant(Wave &wave, const DecodedInst &inst) {
  i32 a = readScalar<i32>(wave, inst.getDef());
  wave.writeScalar32(inst.getDef(),
                     static_cast<u32>(addOverflow(wave, a, getSImm16(inst))));
}

static void multiplyConstant(Wave &wave, const DecodedInst &inst) {
  u32 a = readScalar<u32>(wave, inst.getDef());
  wave.writeScalar32(inst.getDef(), a * static_cast<u32>(getSImm16(inst)));
}

static void registerConstants(HandlerTable &table) {
  table.add("s_movk_i32", moveConstant);
  table.add("s_cmovk_i32", moveConstantIf);
  table.add("s_addk_i32", addConstant);
  table.add("s_addk_co_i32", addConstant);
  table.add("s_mulk_i32", multiplyConstant);
}

void coll::sim::registerScalar(HandlerTable &table, const Chip &) {
  registerSums(table);
  registerProducts(table);
  registerShiftAdds(table);
  registerSelection(table);
  registerCompares<i32>(table, "i32");
  registerCompares<u32>(table, "u32");
  registerCompares<u64>(table, "u64");
  registerConstantCompares<i32>(table, "i32");
  registerConstantCompares<u32>(table, "u32");
  registerBitCompares(table);
  registerConstants(table);
  registerScalarBits(table);
  registerScalarMasks(table);
  registerScalarFloat(table);
  registerScalarControl(table);
  registerScalarModes(table);
}
