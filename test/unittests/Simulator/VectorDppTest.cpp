//===- VectorDppTest.cpp - DPP: sources, masks, bounds --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

/// v0 holds 100 + lane, v1 holds 900 + lane. Returns v1 after a move with DPP.
static std::vector<uint32_t> moveDPP(llvm::StringRef chip,
                                     const std::string &control,
                                     uint64_t exec = ~0ull) {
  VectorMachine m(chip);
  m.fill(0, [](unsigned lane) { return 100 + lane; });
  m.fill(1, [](unsigned lane) { return 900 + lane; });
  m.getWave().setExec(exec);
  m.run("v_mov_b32_dpp v1, v0 " + control);
  std::vector<uint32_t> result;
  for (unsigned lane = 0; lane < m.size(); ++lane)
    result.push_back(m.v(1, lane));
  return result;
}

static const std::string full = " row_mask:0xf bank_mask:0xf";
static const std::string zeros = full + " bound_ctrl:1";

TEST(VectorDpp, QuadPerm) {
  auto r = moveDPP("gfx90a", "quad_perm:[3,0,1,1]" + full);
  EXPECT_EQ(r[0], 103u);
  EXPECT_EQ(r[1], 100u);
  EXPECT_EQ(r[2], 101u);
  EXPECT_EQ(r[3], 101u);
  EXPECT_EQ(r[60], 163u);
}

TEST(VectorDpp, RowShiftRightKeepsWithoutSource) {
  auto r = moveDPP("gfx90a", "row_shr:3" + full);
  EXPECT_EQ(r[2], 902u); // No source: the old value stays.
  EXPECT_EQ(r[3], 100u);
  EXPECT_EQ(r[15], 112u);
  EXPECT_EQ(r[16], 916u); // Rows do not see each other.
  EXPECT_EQ(r[19], 116u);
}

TEST(VectorDpp, RowShiftRightReadsZeroWithBoundCtrl) {
  auto r = moveDPP("gfx942", "row_shr:3" + zeros);
  EXPECT_EQ(r[2], 0u);
  EXPECT_EQ(r[3], 100u);
  EXPECT_EQ(r[18], 0u);
}

TEST(VectorDpp, RowShiftLeft) {
  auto r = moveDPP("gfx1030", "row_shl:4" + full);
  EXPECT_EQ(r[0], 104u);
  EXPECT_EQ(r[11], 115u);
  EXPECT_EQ(r[12], 912u);
}

TEST(VectorDpp, RowRotateRight) {
  auto r = moveDPP("gfx1201", "row_ror:1" + full);
  EXPECT_EQ(r[0], 115u);
  EXPECT_EQ(r[1], 100u);
  EXPECT_EQ(r[16], 131u);
}

TEST(VectorDpp, WaveShifts) {
  auto right = moveDPP("gfx90a", "wave_shr:1" + full);
  EXPECT_EQ(right[0], 900u);
  EXPECT_EQ(right[16], 115u); // Across rows.
  auto left = moveDPP("gfx90a", "wave_shl:1" + zeros);
  EXPECT_EQ(left[15], 116u);
  EXPECT_EQ(left[63], 0u);
  EXPECT_EQ(moveDPP("gfx90a", "wave_ror:1" + full)[0], 163u);
  EXPECT_EQ(moveDPP("gfx90a", "wave_rol:1" + full)[63], 100u);
}

TEST(VectorDpp, Mirrors) {
  auto row = moveDPP("gfx1100", "row_mirror" + full);
  EXPECT_EQ(row[0], 115u);
  EXPECT_EQ(row[31], 116u);
  auto half = moveDPP("gfx1100", "row_half_mirror" + full);
  EXPECT_EQ(half[0], 107u);
  EXPECT_EQ(half[15], 108u);
}

TEST(VectorDpp, RowBroadcast15GivesEachRowTheEndOfTheOneBefore) {
  auto r = moveDPP("gfx942", "row_bcast:15 row_mask:0xa bank_mask:0xf");
  EXPECT_EQ(r[15], 915u); // Row 0 is masked off.
  EXPECT_EQ(r[16], 115u);
  EXPECT_EQ(r[31], 115u);
  EXPECT_EQ(r[32], 932u); // Row 2 too.
  EXPECT_EQ(r[48], 147u);
}

TEST(VectorDpp, RowBroadcast15HasNoSourceForRow0) {
  EXPECT_EQ(moveDPP("gfx90a", "row_bcast:15" + full)[3], 903u);
  EXPECT_EQ(moveDPP("gfx90a", "row_bcast:15" + zeros)[3], 0u);
  EXPECT_EQ(moveDPP("gfx90a", "row_bcast:15" + zeros)[32], 131u);
}

TEST(VectorDpp, RowBroadcast31) {
  auto r = moveDPP("gfx950", "row_bcast:31 row_mask:0xc bank_mask:0xf");
  EXPECT_EQ(r[31], 931u);
  EXPECT_EQ(r[32], 131u);
  EXPECT_EQ(r[63], 131u);
  EXPECT_EQ(moveDPP("gfx950", "row_bcast:31" + zeros)[5], 0u);
}

TEST(VectorDpp, RowShareAndXmask) {
  EXPECT_EQ(moveDPP("gfx1030", "row_share:5" + full)[20], 121u);
  EXPECT_EQ(moveDPP("gfx90a", "row_newbcast:5" + full)[20], 121u);
  auto r = moveDPP("gfx1100:64", "row_xmask:5" + full);
  EXPECT_EQ(r[0], 105u);
  EXPECT_EQ(r[50], 100u + 48 + (2 ^ 5));
}

TEST(VectorDpp, BankMask) {
  auto r = moveDPP("gfx90a", "row_shr:1 row_mask:0x2 bank_mask:0x5");
  EXPECT_EQ(r[1], 901u);  // Row 0 is masked off.
  EXPECT_EQ(r[17], 116u); // Row 1, bank 0.
  EXPECT_EQ(r[20], 920u); // Bank 1 is masked off.
  EXPECT_EQ(r[24], 123u); // Bank 2.
  EXPECT_EQ(r[28], 928u);
}

TEST(VectorDpp, InactiveSourceLane) {
  uint64_t exec = ~0ull & ~(1ull << 4);
  // Lane 5 reads lane 4, which is inactive: no write, or 0.
  EXPECT_EQ(moveDPP("gfx90a", "row_shr:1" + full, exec)[5], 905u);
  EXPECT_EQ(moveDPP("gfx90a", "row_shr:1" + zeros, exec)[5], 0u);
  EXPECT_EQ(moveDPP("gfx1030", "row_shr:1" + full, exec)[5], 905u);
  // Fetching inactive lanes reads it.
  EXPECT_EQ(moveDPP("gfx1030", "row_shr:1" + full + " fi:1", exec)[5], 104u);
  EXPECT_EQ(moveDPP("gfx1030", "row_shr:1" + zeros + " fi:1", exec)[5], 104u);
  // It does not give a source where the pattern has none.
  EXPECT_EQ(moveDPP("gfx1030", "row_shr:1" + full + " fi:1", exec)[0], 900u);
  // The inactive lane itself is not written.
  EXPECT_EQ(moveDPP("gfx90a", "row_shr:1" + zeros, exec)[4], 904u);
}

TEST(VectorDpp, EightLanes) {
  auto r = moveDPP("gfx1100", "dpp8:[7,6,5,4,3,2,1,0]");
  EXPECT_EQ(r[0], 107u);
  EXPECT_EQ(r[9], 114u);
  uint64_t exec = ~0ull & ~(1ull << 7);
  EXPECT_EQ(moveDPP("gfx1100", "dpp8:[7,6,5,4,3,2,1,0]", exec)[0], 0u);
  EXPECT_EQ(moveDPP("gfx1100", "dpp8:[7,6,5,4,3,2,1,0] fi:1", exec)[0], 107u);
}

TEST(VectorDpp, OnlySourceZeroMoves) {
  VectorMachine m("gfx90a");
  m.fill(0, [](unsigned lane) { return lane; });
  m.fill(2, [](unsigned lane) { return 1000 * lane; });
  m.run("v_add_u32_dpp v3, v0, v2 row_ror:1 row_mask:0xf bank_mask:0xf");
  EXPECT_EQ(m.v(3, 0), 15u);
  EXPECT_EQ(m.v(3, 5), 5004u);
}

TEST(VectorDpp, TiedScanStepLeavesLanesWithoutSourceAlone) {
  // One step of an inclusive scan: -0.0 must stay -0.0 in lane 0.
  VectorMachine m("gfx942");
  m.fill(0, [](unsigned lane) { return lane ? 0x3f800000u : 0x80000000u; });
  m.run("v_add_f32_dpp v0, v0, v0 row_shr:1 row_mask:0xf bank_mask:0xf");
  EXPECT_EQ(m.v(0, 0), 0x80000000u);
  EXPECT_EQ(m.f(0, 1), 1.0f);
  EXPECT_EQ(m.f(0, 2), 2.0f);
  EXPECT_EQ(m.f(0, 16), 1.0f);
}

TEST(VectorDpp, ComparisonOfMaskedLanesIsFalse) {
  VectorMachine m("gfx1100");
  m.fill(0, [](unsigned lane) { return lane; });
  m.run("v_cmp_eq_u32_e64_dpp s4, v0, v0 quad_perm:[0,1,2,3] row_mask:0x1 "
        "bank_mask:0xf");
  EXPECT_EQ(m.s(4), 0xffffu);
}

TEST(VectorDpp, CarryOutUnderDPP) {
  VectorMachine m("gfx1100");
  m.fill(0, [](unsigned lane) { return lane == 3 ? 0xffffffffu : 0; });
  m.fill(1, [](unsigned) { return 1; });
  m.run("v_add_co_u32_e64_dpp v2, s4, v0, v1 row_shr:1 row_mask:0xf "
        "bank_mask:0xf bound_ctrl:1");
  EXPECT_EQ(m.s(4), 1u << 4);
  EXPECT_EQ(m.v(2, 4), 0u);
  EXPECT_EQ(m.v(2, 16), 1u);
}

TEST(VectorDpp, AddendOfTheLongEncodingIsTheResult) {
  const std::string shift = " row_shr:1 row_mask:0xf bank_mask:0xf";
  for (const char *chip : {"gfx1100", "gfx1201"}) {
    VectorMachine m(chip);
    m.fill(0, [](unsigned lane) { return lane == 3 ? 0x4200u : 0x3c00u; });
    m.fill(1, [](unsigned) { return 0x4000; });
    m.fill(2, [](unsigned) { return 0x4500; });
    m.run("v_fmac_f16_e64_dpp v2, v0, v1" + shift);
    EXPECT_EQ(m.v(2, 4) & 0xffff, 0x4980u) << chip;  // 3 * 2 + 5
    EXPECT_EQ(m.v(2, 5) & 0xffff, 0x4700u) << chip;  // 1 * 2 + 5
    EXPECT_EQ(m.v(2, 16) & 0xffff, 0x4500u) << chip; // No source.
    m.fill(3, [](unsigned lane) { return lane == 3 ? 0x40400000u : 0u; });
    m.run("v_fmac_f32_e64_dpp v3, v3, v3" + shift);
    EXPECT_EQ(m.f(3, 3), 3.0f) << chip;
    EXPECT_EQ(m.f(3, 4), 0.0f) << chip;
  }
}
