//===- VectorRelativeTest.cpp - Registers whose number is in M0 -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

/// v0 to v9 hold 100 to 109 in lane 0.
static void setUp(VectorMachine &m) {
  for (unsigned reg = 0; reg != 10; ++reg)
    m.v(reg) = 100 + reg;
}

TEST(VectorRelative, ModeOfGFX9) {
  for (const char *chip : {"gfx900", "gfx90a", "gfx942"}) {
    VectorMachine m(chip);
    setUp(m);
    m.s(2) = 2;
    m.s(3) = 0x105; // Only 8 bits count.
    m.run("s_set_gpr_idx_on s2, gpr_idx(SRC0)\n"
          "v_mov_b32_e32 v20, v0\n" // v2
          "s_set_gpr_idx_idx s3\n"
          "v_mov_b32_e32 v21, v0\n" // v5
          "s_set_gpr_idx_mode gpr_idx(SRC1,DST)\n"
          "v_add_u32_e32 v30, v0, v1\n" // v35 = v0 + v6
          "s_set_gpr_idx_off\n"
          "v_mov_b32_e32 v22, v1");
    EXPECT_EQ(m.v(20), 102u) << chip;
    EXPECT_EQ(m.v(21), 105u) << chip;
    EXPECT_EQ(m.v(35), 206u) << chip;
    EXPECT_EQ(m.v(30), 0u) << chip;
    EXPECT_EQ(m.v(22), 101u) << chip;
  }
}

TEST(VectorRelative, MovesOfGFX10AndLater) {
  for (const char *chip : {"gfx1030", "gfx1100", "gfx1100:64", "gfx1201"}) {
    VectorMachine m(chip);
    setUp(m);
    m.run("s_mov_b32 m0, 2\n"
          "v_movrels_b32_e32 v20, v1\n"  // v20 = v3
          "v_movreld_b32_e32 v21, v1\n"  // v23 = v1
          "v_movrelsd_b32_e32 v30, v4\n" // v32 = v6
          "s_mov_b32 m0, 0x30001\n"
          "v_movrelsd_2_b32_e32 v40, v4\n" // v43 = v5
          "v_swaprel_b32_e32 v4, v7");     // v7 and v8
    EXPECT_EQ(m.v(20), 103u) << chip;
    EXPECT_EQ(m.v(23), 101u) << chip;
    EXPECT_EQ(m.v(32), 106u) << chip;
    EXPECT_EQ(m.v(43), 105u) << chip;
    EXPECT_EQ(m.v(7), 108u) << chip;
    EXPECT_EQ(m.v(8), 107u) << chip;
  }
}

TEST(VectorRelative, ScalarsMoveBothWays) {
  VectorMachine m("gfx1100");
  m.s(6) = 77;
  m.run("s_mov_b32 m0, 0x20001\ns_movrelsd_2_b32 s10, s5");
  EXPECT_EQ(m.s(12), 77u);
}

TEST(VectorRelative, OnlyActiveLanesMove) {
  VectorMachine m("gfx1030");
  m.fill(3, [](unsigned lane) { return lane; });
  m.fill(20, [](unsigned) { return 500; });
  m.getWave().setExec(0x2);
  m.run("s_mov_b32 m0, 3\nv_movrels_b32_e32 v20, v0");
  EXPECT_EQ(m.v(20, 0), 500u);
  EXPECT_EQ(m.v(20, 1), 1u);
}
