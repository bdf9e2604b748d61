//===- VectorLanesTest.cpp - Values that move between lanes ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

static void fillNumbers(VectorMachine &m) {
  m.fill(0, [](unsigned lane) { return 100 + lane; });
  m.fill(1, [](unsigned lane) { return 900 + lane; });
}

TEST(VectorLanes, ReadlaneIgnoresExec) {
  VectorMachine m("gfx90a");
  fillNumbers(m);
  m.getWave().setExec(1);
  m.s(2) = 64 + 7; // Only 6 bits count.
  m.run("v_readlane_b32 s0, v0, 63\n v_readlane_b32 s1, v0, s2");
  EXPECT_EQ(m.s(0), 163u);
  EXPECT_EQ(m.s(1), 107u);
}

TEST(VectorLanes, ReadlaneOfWave32TakesFiveBits) {
  VectorMachine m("gfx1030");
  fillNumbers(m);
  m.s(2) = 32 + 7;
  m.run("v_readlane_b32 s1, v0, s2");
  EXPECT_EQ(m.s(1), 107u);
}

TEST(VectorLanes, Readfirstlane) {
  VectorMachine m("gfx942");
  fillNumbers(m);
  m.getWave().setExec(0xf0ull << 32);
  m.run("v_readfirstlane_b32 s0, v0");
  EXPECT_EQ(m.s(0), 136u);
  m.getWave().setExec(0);
  m.run("v_readfirstlane_b32 s0, v0");
  EXPECT_EQ(m.s(0), 100u);
}

TEST(VectorLanes, Writelane) {
  VectorMachine m("gfx1201");
  fillNumbers(m);
  m.getWave().setExec(1);
  m.s(3) = 42;
  m.run("v_writelane_b32 v0, s3, 9");
  EXPECT_EQ(m.v(0, 9), 42u);
  EXPECT_EQ(m.v(0, 8), 108u);
}

TEST(VectorLanes, Permlane16PicksByNibble) {
  VectorMachine m("gfx1030");
  fillNumbers(m);
  m.s(2) = 0x76543210;
  m.s(3) = 0x01234567; // Lane 8 reads 7, lane 15 reads 0.
  m.run("v_permlane16_b32 v1, v0, s2, s3");
  EXPECT_EQ(m.v(1, 0), 100u);
  EXPECT_EQ(m.v(1, 8), 107u);
  EXPECT_EQ(m.v(1, 15), 100u);
  EXPECT_EQ(m.v(1, 24), 123u);
}

TEST(VectorLanes, Permlanex16ReadsTheOtherRow) {
  VectorMachine m("gfx1100:64");
  fillNumbers(m);
  m.run("v_permlanex16_b32 v1, v0, -1, -1");
  EXPECT_EQ(m.v(1, 0), 131u);
  EXPECT_EQ(m.v(1, 16), 115u);
  EXPECT_EQ(m.v(1, 32), 163u);
  EXPECT_EQ(m.v(1, 63), 147u);
}

TEST(VectorLanes, PermlaneOfInactiveLanes) {
  for (auto [modifiers, expected] :
       {std::pair("", 900u), {" op_sel:[1,0]", 131u}, {" op_sel:[0,1]", 0u}}) {
    VectorMachine m("gfx1100");
    fillNumbers(m);
    m.getWave().setExec(0x7fffffff); // Lane 31 is inactive.
    m.run(std::string("v_permlanex16_b32 v1, v0, -1, -1") + modifiers);
    EXPECT_EQ(m.v(1, 0), expected) << modifiers;
    EXPECT_EQ(m.v(1, 31), 931u) << modifiers;
  }
}

TEST(VectorLanes, Permlane16VarPicksByLane) {
  VectorMachine m("gfx1201");
  fillNumbers(m);
  m.fill(2, [](unsigned lane) { return 15 - (lane & 15) + 0xf0; });
  m.run("v_permlane16_var_b32 v1, v0, v2");
  EXPECT_EQ(m.v(1, 0), 115u);
  EXPECT_EQ(m.v(1, 20), 127u);
  m.run("v_permlanex16_var_b32 v1, v0, v2");
  EXPECT_EQ(m.v(1, 0), 131u);
}

TEST(VectorLanes, Permlane64SwapsHalves) {
  VectorMachine m("gfx1201:64");
  fillNumbers(m);
  m.run("v_permlane64_b32 v1, v0");
  EXPECT_EQ(m.v(1, 0), 132u);
  EXPECT_EQ(m.v(1, 63), 131u);
}

TEST(VectorLanes, Permlane64OfWave32DoesNothing) {
  VectorMachine m("gfx1100");
  fillNumbers(m);
  m.run("v_permlane64_b32 v1, v0");
  EXPECT_EQ(m.v(1, 3), 903u);
}

TEST(VectorLanes, Permlane16Swap) {
  VectorMachine m("gfx950");
  fillNumbers(m);
  // The odd rows of v0 change places with the even rows of v1.
  m.run("v_permlane16_swap_b32 v0, v1");
  EXPECT_EQ(m.v(0, 5), 105u);
  EXPECT_EQ(m.v(0, 16 + 5), 905u);
  EXPECT_EQ(m.v(0, 48 + 5), 932u + 5);
  EXPECT_EQ(m.v(1, 5), 116u + 5);
  EXPECT_EQ(m.v(1, 16 + 5), 916u + 5);
  EXPECT_EQ(m.v(1, 32 + 5), 148u + 5);
}

TEST(VectorLanes, Permlane32Swap) {
  VectorMachine m("gfx950");
  fillNumbers(m);
  m.run("v_permlane32_swap_b32 v0, v1");
  EXPECT_EQ(m.v(0, 31), 131u);
  EXPECT_EQ(m.v(0, 32), 900u);
  EXPECT_EQ(m.v(1, 0), 132u);
  EXPECT_EQ(m.v(1, 63), 963u);
}

TEST(VectorLanes, PermlaneSwapUnderExec) {
  VectorMachine m("gfx950");
  fillNumbers(m);
  m.getWave().setExec(~0ull & ~(1ull << 32));
  m.run("v_permlane32_swap_b32_e64 v0, v1 bound_ctrl:1");
  EXPECT_EQ(m.v(0, 32), 132u); // Inactive.
  EXPECT_EQ(m.v(1, 0), 0u);    // Its source is inactive.
  m.run("v_permlane32_swap_b32_e64 v0, v1 fi:1");
  EXPECT_EQ(m.v(1, 0), 132u);
}

TEST(VectorLanes, Mbcnt) {
  VectorMachine m("gfx90a");
  m.run("v_mbcnt_lo_u32_b32 v0, -1, 0\n v_mbcnt_hi_u32_b32 v0, -1, v0");
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(m.v(0, lane), lane);
  m.s(0) = 0x0000f00f;
  m.run("v_mbcnt_lo_u32_b32 v1, s0, 0");
  EXPECT_EQ(m.v(1, 2), 2u);
  EXPECT_EQ(m.v(1, 13), 5u);
  EXPECT_EQ(m.v(1, 40), 8u);
}

TEST(VectorLanes, BallotWidths) {
  VectorMachine wide("gfx942"), narrow("gfx1201");
  for (VectorMachine *m : {&wide, &narrow}) {
    m->fill(0, [](unsigned lane) { return lane; });
    m->s(5) = 77;
  }
  wide.run("v_cmp_lt_u32_e64 s[4:5], 30, v0");
  EXPECT_EQ(wide.s(4), 0x80000000u);
  EXPECT_EQ(wide.s(5), 0xffffffffu);
  narrow.run("v_cmp_lt_u32_e64 s4, 30, v0");
  EXPECT_EQ(narrow.s(4), 0x80000000u);
  EXPECT_EQ(narrow.s(5), 77u); // One register only.
}

TEST(VectorLanes, ComparisonOfInactiveLanesIsFalse) {
  VectorMachine m("gfx90a");
  m.getWave().setExec(0xff00);
  m.run("v_cmp_eq_u32_e32 vcc, v0, v0");
  EXPECT_EQ(m.getWave().getVCC(), 0xff00u);
}

TEST(VectorLanes, CmpxWritesExec) {
  VectorMachine old("gfx90a"), now("gfx1100");
  for (VectorMachine *m : {&old, &now})
    m->fill(0, [](unsigned lane) { return lane; });
  old.run("v_cmpx_gt_u32_e64 s[4:5], 4, v0");
  EXPECT_EQ(old.getWave().getExec(), 15u);
  EXPECT_EQ(old.s(4), 15u);
  now.run("v_cmpx_gt_u32_e64 4, v0");
  EXPECT_EQ(now.getWave().getExec(), 15u);
}
