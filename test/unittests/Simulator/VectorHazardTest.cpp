//===- VectorHazardTest.cpp - Missing wait states -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

static bool hasHazard(llvm::StringRef chip, const std::string &assembly) {
  VectorMachine m(chip);
  std::optional<Fault> fault = m.runChecked(assembly);
  if (fault)
    EXPECT_EQ(fault->kind, FaultKind::Hazard) << fault->str();
  return fault.has_value();
}

static const std::string shift =
    "v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf\n";

TEST(VectorHazard, DPPNeedsTwoWaitStatesAfterItsSource) {
  const std::string write = "v_mov_b32 v0, 1\n";
  EXPECT_TRUE(hasHazard("gfx90a", write + shift));
  EXPECT_TRUE(hasHazard("gfx90a", write + "s_nop 0\n" + shift));
  EXPECT_FALSE(hasHazard("gfx90a", write + "s_nop 1\n" + shift));
  EXPECT_FALSE(hasHazard("gfx90a",
                         write + "s_mov_b32 s0, 0\ns_mov_b32 s1, 0\n" + shift));
  // The old value, and source 1, may be fresh.
  EXPECT_FALSE(hasHazard("gfx90a", "v_mov_b32 v1, 1\n" + shift));
}

TEST(VectorHazard, DPPNeedsFiveWaitStatesAfterExec) {
  const std::string write = "v_cmpx_eq_u32_e64 s[0:1], v2, v2\n";
  EXPECT_TRUE(hasHazard("gfx942", write + "s_nop 3\n" + shift));
  EXPECT_FALSE(hasHazard("gfx942", write + "s_nop 4\n" + shift));
}

TEST(VectorHazard, LaneSelect) {
  const std::string write = "v_readfirstlane_b32 s4, v2\n",
                    read = "v_readlane_b32 s5, v3, s4\n";
  EXPECT_TRUE(hasHazard("gfx906", write + "s_nop 2\n" + read));
  EXPECT_FALSE(hasHazard("gfx906", write + "s_nop 3\n" + read));
  EXPECT_FALSE(hasHazard("gfx906", "s_mov_b32 s4, 3\n" + read));
}

TEST(VectorHazard, DivisionStepReadsVCC) {
  const std::string write = "v_div_scale_f32 v3, vcc, v0, v1, v0\n",
                    read = "v_div_fmas_f32 v4, v0, v1, v2\n";
  EXPECT_TRUE(hasHazard("gfx90a", write + "s_nop 2\n" + read));
  EXPECT_FALSE(hasHazard("gfx90a", write + "s_nop 3\n" + read));
}

TEST(VectorHazard, ReadlaneOfGfx942) {
  const std::string both = "v_mov_b32 v0, 1\nv_readlane_b32 s0, v0, 3\n";
  EXPECT_TRUE(hasHazard("gfx942", both));
  EXPECT_FALSE(hasHazard("gfx90a", both));
}
