//===- VectorInteger.cpp - 16 and 32-bit integers and bits ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorOps.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace coll::sim;

static uint32_t u32(uint64_t x) { return static_cast<uint32_t>(x); }
static int32_t i32(uint64_t x) { return static_cast<int32_t>(x); }
static uint16_t u16(uint64_t x) { return static_cast<uint16_t>(x); }
static int16_t i16(uint64_t x) { return static_cast<int16_t>(x); }
static uint32_t u24(uint64_t x) { return x & 0xffffff; }
static int32_t i24(uint64_t x) { return llvm::SignExtend32<24>(u24(x)); }

/// `x`, or with the clamp modifier the nearest number that T has.
template <class T> static uint64_t wrapOrClamp(int64_t x, bool clamp) {
  if (clamp)
    x = std::clamp<int64_t>(x, std::numeric_limits<T>::min(),
                            std::numeric_limits<T>::max());
  return static_cast<uint64_t>(x);
}

//===----------------------------------------------------------------------===//
// Functions of a lane
//===----------------------------------------------------------------------===//

template <class T> static void add(Lane &l) {
  l.result = wrapOrClamp<T>(int64_t(T(l.a)) + int64_t(T(l.b)), l.clamp);
}
template <class T> static void sub(Lane &l) {
  l.result = wrapOrClamp<T>(int64_t(T(l.a)) - int64_t(T(l.b)), l.clamp);
}
template <class T> static void subrev(Lane &l) {
  l.result = wrapOrClamp<T>(int64_t(T(l.b)) - int64_t(T(l.a)), l.clamp);
}
template <class T> static void mad(Lane &l) {
  l.result = wrapOrClamp<T>(int64_t(T(l.a)) * int64_t(T(l.b)) + int64_t(T(l.c)),
                            l.clamp);
}

/// a + b + carry, with the carry out.
static void addWithCarry(Lane &l, uint64_t carry) {
  uint64_t sum = uint64_t(u32(l.a)) + u32(l.b) + carry;
  l.flag = sum >> 32;
  l.result = l.clamp && l.flag ? ~0u : sum;
}
static void subWithBorrow(Lane &l, uint64_t a, uint64_t b, uint64_t borrow) {
  l.flag = uint64_t(u32(b)) + borrow > u32(a);
  l.result = l.clamp && l.flag ? 0 : u32(a) - u32(b) - borrow;
}

template <class T> static void min(Lane &l) {
  l.result = static_cast<uint64_t>(std::min(T(l.a), T(l.b)));
}
template <class T> static void max(Lane &l) {
  l.result = static_cast<uint64_t>(std::max(T(l.a), T(l.b)));
}
template <class T> static void min3(Lane &l) {
  l.result = static_cast<uint64_t>(std::min({T(l.a), T(l.b), T(l.c)}));
}
template <class T> static void max3(Lane &l) {
  l.result = static_cast<uint64_t>(std::max({T(l.a), T(l.b), T(l.c)}));
}
template <class T> static void med3(Lane &l) {
  T low = std::min(T(l.a), T(l.b)), high = std::max(T(l.a), T(l.b));
  l.result = static_cast<uint64_t>(std::clamp(T(l.c), low, high));
}
template <class T> static void maxmin(Lane &l) {
  l.result = static_cast<uint64_t>(std::min(std::max(T(l.a), T(l.b)), T(l.c)));
}
template <class T> static void minmax(Lane &l) {
  l.result = static_cast<uint64_t>(std::max(std::min(T(l.a), T(l.b)), T(l.c)));
}

/// Sum of absolute differences of `count` parts of `width` bits.
static uint64_t sumDifferences(uint64_t a, uint64_t b, unsigned width,
                               bool masked = false) {
  uint64_t mask = (1ull << width) - 1, sum = 0;
  for (unsigned shift = 0; shift < 32; shift += width) {
    uint64_t x = (a >> shift) & mask, y = (b >> shift) & mask;
    if (!masked || y)
      sum += x > y ? x - y : y - x;
  }
  return sum;
}

/// v_perm_b32: byte `select` of {a, b}, b in the low half, or a constant.
static uint64_t getPermByte(uint64_t a, uint64_t b, unsigned select) {
  uint64_t bytes = uint64_t(u32(a)) << 32 | u32(b);
  if (select < 8)
    return (bytes >> (8 * select)) & 0xff;
  if (select < 12) // The sign of bytes 1, 3, 5, 7.
    return (bytes >> (16 * (select - 8) + 15)) & 1 ? 0xff : 0;
  return select == 12 ? 0 : 0xff;
}

static void perm(Lane &l) {
  l.result = 0;
  for (unsigned i = 0; i < 4; ++i)
    l.result |= getPermByte(l.a, l.b, (l.c >> (8 * i)) & 0xff) << (8 * i);
}

/// The mean of each two bytes, rounded up where the third one is odd.
static void averageBytes(Lane &l) {
  l.result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    uint64_t sum = (l.a >> shift & 0xff) + (l.b >> shift & 0xff);
    l.result |= (sum + (l.c >> shift & 1)) / 2 << shift;
  }
}

/// Two numbers shifted right and saturated to T's 8 bits, the first one low.
template <class T> static void packShifted(Lane &l) {
  auto shift = [&](uint64_t x) {
    int32_t shifted = i32(x) >> (l.c & 31);
    return std::clamp<int32_t>(shifted, std::numeric_limits<T>::min(),
                               std::numeric_limits<T>::max()) &
           0xff;
  };
  l.result = static_cast<uint64_t>(shift(l.a) | shift(l.b) << 8);
}

/// The bits of a field; an offset or width takes 5 bits.
static void extractUnsigned(Lane &l) {
  unsigned offset = l.b & 31, width = l.c & 31;
  l.result = (u32(l.a) >> offset) & ((1u << width) - 1);
}
static void extractSigned(Lane &l) {
  unsigned offset = l.b & 31, width = l.c & 31;
  if (width == 0)
    l.result = 0;
  else if (offset + width >= 32)
    l.result = u32(i32(l.a) >> offset);
  else
    l.result = u32(llvm::SignExtend64(u32(l.a) >> offset, width));
}

/// The number of leading bits that equal the sign, or -1 if all do.
static uint32_t countSignBits(uint32_t x) {
  uint32_t different = x ^ u32(i32(x) >> 31);
  return different ? llvm::countl_zero(different) : ~0u;
}

/// The number of set bits of `mask` below this lane, within half of the wave.
static void mbcnt(Lane &l, unsigned firstLane) {
  unsigned below = l.index < firstLane ? 0 : l.index - firstLane;
  uint32_t lanes = below >= 32 ? ~0u : (1u << below) - 1;
  l.result = u32(l.b) + llvm::popcount(u32(l.a) & lanes);
}

static void select(Lane &l) { l.result = l.carry ? l.b : l.a; }

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

#define LANE(EXPRESSION) [](Lane &l) { l.result = (EXPRESSION); }

using enum ValueKind;

static const VectorOp ops32[] = {
    {"v_nop v_clrexcp v_pipeflush", None, {}, [](Lane &) {}},
    {"v_mov_b32 v_accvgpr_read_b32 v_accvgpr_write_b32 v_accvgpr_mov_b32",
     B32,
     {B32},
     LANE(l.a)},
    {"v_not_b32", B32, {B32}, LANE(~l.a)},
    {"v_bfrev_b32", B32, {B32}, LANE(llvm::reverseBits(u32(l.a)))},
    {"v_ffbh_u32 v_clz_i32_u32",
     B32,
     {B32},
     LANE(l.a ? llvm::countl_zero(u32(l.a)) : ~0u)},
    {"v_ffbl_b32 v_ctz_i32_b32",
     B32,
     {B32},
     LANE(l.a ? llvm::countr_zero(u32(l.a)) : ~0u)},
    {"v_ffbh_i32 v_cls_i32", B32, {B32}, LANE(countSignBits(u32(l.a)))},
    {"v_bcnt_u32_b32", B32, {B32, B32}, LANE(llvm::popcount(l.a) + l.b)},
    {"v_mbcnt_lo_u32_b32", B32, {B32, B32}, [](Lane &l) { mbcnt(l, 0); }},
    {"v_mbcnt_hi_u32_b32", B32, {B32, B32}, [](Lane &l) { mbcnt(l, 32); }},
    {"v_cndmask_b32", B32, {B32, B32, Mask}, select, Selects},

    {"v_add_u32 v_add_nc_u32", B32, {B32, B32}, add<uint32_t>},
    {"v_sub_u32 v_sub_nc_u32", B32, {B32, B32}, sub<uint32_t>},
    {"v_subrev_u32 v_subrev_nc_u32", B32, {B32, B32}, subrev<uint32_t>},
    {"v_add_i32 v_add_nc_i32", B32, {B32, B32}, add<int32_t>},
    {"v_sub_i32 v_sub_nc_i32", B32, {B32, B32}, sub<int32_t>},
    {"v_add_co_u32", B32, {B32, B32}, [](Lane &l) { addWithCarry(l, 0); }},
    {"v_addc_co_u32 v_add_co_ci_u32",
     B32,
     {B32, B32, Mask},
     [](Lane &l) { addWithCarry(l, l.carry); }},
    {"v_sub_co_u32",
     B32,
     {B32, B32},
     [](Lane &l) { subWithBorrow(l, l.a, l.b, 0); }},
    {"v_subrev_co_u32",
     B32,
     {B32, B32},
     [](Lane &l) { subWithBorrow(l, l.b, l.a, 0); }},
    {"v_subb_co_u32 v_sub_co_ci_u32",
     B32,
     {B32, B32, Mask},
     [](Lane &l) { subWithBorrow(l, l.a, l.b, l.carry); }},
    {"v_subbrev_co_u32 v_subrev_co_ci_u32",
     B32,
     {B32, B32, Mask},
     [](Lane &l) { subWithBorrow(l, l.b, l.a, l.carry); }},

    {"v_mul_lo_u32", B32, {B32, B32}, LANE(l.a * l.b)},
    {"v_mul_hi_u32", B32, {B32, B32}, LANE((l.a * l.b) >> 32)},
    {"v_mul_hi_i32",
     B32,
     {B32, B32},
     LANE(uint64_t(int64_t(i32(l.a)) * i32(l.b)) >> 32)},
    {"v_mul_u32_u24", B32, {B32, B32}, LANE(uint64_t(u24(l.a)) * u24(l.b))},
    {"v_mul_hi_u32_u24",
     B32,
     {B32, B32},
     LANE((uint64_t(u24(l.a)) * u24(l.b)) >> 32)},
    {"v_mul_i32_i24", B32, {B32, B32}, LANE(int64_t(i24(l.a)) * i24(l.b))},
    {"v_mul_hi_i32_i24",
     B32,
     {B32, B32},
     LANE(uint64_t(int64_t(i24(l.a)) * i24(l.b)) >> 32)},
    {"v_mad_u32_u24",
     B32,
     {B32, B32, B32},
     LANE(wrapOrClamp<uint32_t>(int64_t(u24(l.a)) * u24(l.b) + u32(l.c),
                                l.clamp))},
    {"v_mad_i32_i24",
     B32,
     {B32, B32, B32},
     LANE(wrapOrClamp<int32_t>(int64_t(i24(l.a)) * i24(l.b) + i32(l.c),
                               l.clamp))},
    {"v_mad_u32_u16",
     B32,
     {B16, B16, B32},
     LANE(wrapOrClamp<uint32_t>(int64_t(l.a * l.b) + u32(l.c), l.clamp))},
    {"v_mad_i32_i16",
     B32,
     {B16, B16, B32},
     LANE(wrapOrClamp<int32_t>(int64_t(i16(l.a)) * i16(l.b) + i32(l.c),
                               l.clamp))},
    {"v_mad_u64_u32 v_mad_co_u64_u32",
     B64,
     {B32, B32, B64},
     [](Lane &l) {
       l.flag = __builtin_add_overflow(l.a * l.b, l.c, &l.result);
     },
     LowFromLow},
    {"v_mad_i64_i32 v_mad_co_i64_i32",
     B64,
     {B32, B32, B64},
     [](Lane &l) {
       int64_t product = int64_t(i32(l.a)) * i32(l.b), sum;
       l.flag = __builtin_add_overflow(product, int64_t(l.c), &sum);
       l.result = uint64_t(sum);
     },
     LowFromLow},
    {"v_add3_u32", B32, {B32, B32, B32}, LANE(l.a + l.b + l.c)},
    {"v_xad_u32", B32, {B32, B32, B32}, LANE((l.a ^ l.b) + l.c)},
    {"v_lshl_add_u32", B32, {B32, B32, B32}, LANE((l.a << (l.b & 31)) + l.c)},
    {"v_add_lshl_u32", B32, {B32, B32, B32}, LANE((l.a + l.b) << (l.c & 31))},
    {"v_lshl_or_b32", B32, {B32, B32, B32}, LANE((l.a << (l.b & 31)) | l.c)},
    {"v_and_or_b32", B32, {B32, B32, B32}, LANE((l.a & l.b) | l.c)},
    {"v_or3_b32", B32, {B32, B32, B32}, LANE(l.a | l.b | l.c)},
    {"v_xor3_b32", B32, {B32, B32, B32}, LANE(l.a ^ l.b ^ l.c)},
    {"v_and_b32", B32, {B32, B32}, LANE(l.a & l.b)},
    {"v_or_b32", B32, {B32, B32}, LANE(l.a | l.b)},
    {"v_xor_b32", B32, {B32, B32}, LANE(l.a ^ l.b)},
    {"v_xnor_b32", B32, {B32, B32}, LANE(~(l.a ^ l.b))},
    {"v_lshlrev_b32", B32, {B32, B32}, LANE(l.b << (l.a & 31))},
    {"v_lshrrev_b32", B32, {B32, B32}, LANE(l.b >> (l.a & 31))},
    {"v_ashrrev_i32", B32, {B32, B32}, LANE(u32(i32(l.b) >> (l.a & 31)))},
    {"v_bfe_u32", B32, {B32, B32, B32}, extractUnsigned},
    {"v_bfe_i32", B32, {B32, B32, B32}, extractSigned},
    {"v_bfi_b32", B32, {B32, B32, B32}, LANE((l.a & l.b) | (~l.a & l.c))},
    {"v_bfm_b32",
     B32,
     {B32, B32},
     LANE(((1u << (l.a & 31)) - 1) << (l.b & 31))},
    {"v_alignbit_b32",
     B32,
     {B32, B32, B32},
     LANE((l.a << 32 | l.b) >> (l.c & 31))},
    {"v_alignbyte_b32",
     B32,
     {B32, B32, B32},
     LANE((l.a << 32 | l.b) >> (8 * (l.c & 3)))},
    {"v_perm_b32", B32, {B32, B32, B32}, perm},
    {"v_lerp_u8", B32, {B32, B32, B32}, averageBytes},

    {"v_min_u32", B32, {B32, B32}, min<uint32_t>},
    {"v_max_u32", B32, {B32, B32}, max<uint32_t>},
    {"v_min_i32", B32, {B32, B32}, min<int32_t>},
    {"v_max_i32", B32, {B32, B32}, max<int32_t>},
    {"v_min3_u32", B32, {B32, B32, B32}, min3<uint32_t>},
    {"v_max3_u32", B32, {B32, B32, B32}, max3<uint32_t>},
    {"v_med3_u32", B32, {B32, B32, B32}, med3<uint32_t>},
    {"v_min3_i32", B32, {B32, B32, B32}, min3<int32_t>},
    {"v_max3_i32", B32, {B32, B32, B32}, max3<int32_t>},
    {"v_med3_i32", B32, {B32, B32, B32}, med3<int32_t>},
    {"v_maxmin_u32", B32, {B32, B32, B32}, maxmin<uint32_t>},
    {"v_minmax_u32", B32, {B32, B32, B32}, minmax<uint32_t>},
    {"v_maxmin_i32", B32, {B32, B32, B32}, maxmin<int32_t>},
    {"v_minmax_i32", B32, {B32, B32, B32}, minmax<int32_t>},

    {"v_sad_u8", B32, {B32, B32, B32}, LANE(sumDifferences(l.a, l.b, 8) + l.c)},
    {"v_sad_hi_u8",
     B32,
     {B32, B32, B32},
     LANE((sumDifferences(l.a, l.b, 8) << 16) + l.c)},
    {"v_sad_u16",
     B32,
     {B32, B32, B32},
     LANE(sumDifferences(l.a, l.b, 16) + l.c)},
    {"v_sad_u32",
     B32,
     {B32, B32, B32},
     LANE(sumDifferences(l.a, l.b, 32) + l.c)},
    {"v_msad_u8",
     B32,
     {B32, B32, B32},
     LANE(sumDifferences(l.a, l.b, 8, /*masked=*/true) + l.c)},
};

static const VectorOp ops16[] = {
    {"v_mov_b16", B16, {B16}, LANE(l.a), KeepsHighHalf},
    {"v_not_b16", B16, {B16}, LANE(~l.a)},
    {"v_cndmask_b16", B16, {B16, B16, Mask}, select, Selects},
    {"v_add_u16 v_add_nc_u16", B16, {B16, B16}, add<uint16_t>},
    {"v_sub_u16 v_sub_nc_u16", B16, {B16, B16}, sub<uint16_t>},
    {"v_subrev_u16", B16, {B16, B16}, subrev<uint16_t>},
    {"v_add_i16 v_add_nc_i16", B16, {B16, B16}, add<int16_t>, KeepsHighHalf},
    {"v_sub_i16 v_sub_nc_i16", B16, {B16, B16}, sub<int16_t>, KeepsHighHalf},
    {"v_mul_lo_u16", B16, {B16, B16}, LANE(l.a * l.b)},
    {"v_mad_u16", B16, {B16, B16, B16}, mad<uint16_t>, KeepsHighHalf},
    {"v_mad_i16", B16, {B16, B16, B16}, mad<int16_t>, KeepsHighHalf},
    {"v_mad_legacy_u16", B16, {B16, B16, B16}, mad<uint16_t>},
    {"v_mad_legacy_i16", B16, {B16, B16, B16}, mad<int16_t>},
    {"v_min_u16", B16, {B16, B16}, min<uint16_t>},
    {"v_max_u16", B16, {B16, B16}, max<uint16_t>},
    {"v_min_i16", B16, {B16, B16}, min<int16_t>},
    {"v_max_i16", B16, {B16, B16}, max<int16_t>},
    {"v_min3_u16", B16, {B16, B16, B16}, min3<uint16_t>, KeepsHighHalf},
    {"v_max3_u16", B16, {B16, B16, B16}, max3<uint16_t>, KeepsHighHalf},
    {"v_med3_u16", B16, {B16, B16, B16}, med3<uint16_t>, KeepsHighHalf},
    {"v_min3_i16", B16, {B16, B16, B16}, min3<int16_t>, KeepsHighHalf},
    {"v_max3_i16", B16, {B16, B16, B16}, max3<int16_t>, KeepsHighHalf},
    {"v_med3_i16", B16, {B16, B16, B16}, med3<int16_t>, KeepsHighHalf},
    {"v_and_b16", B16, {B16, B16}, LANE(l.a & l.b)},
    {"v_or_b16", B16, {B16, B16}, LANE(l.a | l.b)},
    {"v_xor_b16", B16, {B16, B16}, LANE(l.a ^ l.b)},
    {"v_lshlrev_b16", B16, {B16, B16}, LANE(l.b << (l.a & 15))},
    {"v_lshrrev_b16", B16, {B16, B16}, LANE(u16(l.b) >> (l.a & 15))},
    {"v_ashrrev_i16", B16, {B16, B16}, LANE(u32(i16(l.b) >> (l.a & 15)))},
    {"v_sat_pk_u8_i16",
     B16,
     {B32},
     LANE(std::clamp<int>(i16(l.a), 0, 255) |
          std::clamp<int>(i16(l.a >> 16), 0, 255) << 8)},
    {"v_ashr_pk_i8_i32",
     B16,
     {B32, B32, B32},
     packShifted<int8_t>,
     KeepsHighHalf},
    {"v_ashr_pk_u8_i32",
     B16,
     {B32, B32, B32},
     packShifted<uint8_t>,
     KeepsHighHalf},
    {"v_cvt_i32_i16", B32, {B16}, LANE(u32(i16(l.a)))},
    {"v_cvt_u32_u16", B32, {B16}, LANE(l.a)},
};

#undef LANE

void coll::sim::registerVectorInteger(HandlerTable &table) {
  addVectorOps(table, ops32);
  addVectorOps(table, ops16);
}
