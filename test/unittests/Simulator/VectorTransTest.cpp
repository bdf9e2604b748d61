//===- VectorTransTest.cpp - Exponentials, roots, sines -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorMachine.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace coll::sim;

static float run1(const std::string &mnemonic, float x,
                  llvm::StringRef chip = "gfx90a", uint64_t seed = 0) {
  VectorMachine m(chip, seed);
  m.setFloat(0, x);
  m.run(mnemonic + " v1, v0");
  return m.f(1);
}

TEST(VectorTrans, ExactValues) {
  EXPECT_EQ(run1("v_exp_f32", 10), 1024.0f);
  EXPECT_EQ(run1("v_log_f32", 0.125f), -3.0f);
  EXPECT_EQ(run1("v_rcp_f32", 4), 0.25f);
  EXPECT_EQ(run1("v_rsq_f32", 4), 0.5f);
  EXPECT_EQ(run1("v_sqrt_f32", 81), 9.0f);
  EXPECT_EQ(run1("v_rcp_f32", 0), HUGE_VALF);
  EXPECT_EQ(run1("v_log_f32", 0), -HUGE_VALF);
  EXPECT_TRUE(std::isnan(run1("v_sqrt_f32", -1)));
  EXPECT_TRUE(std::isnan(run1("v_log_f32", -1)));
}

TEST(VectorTrans, SinesTakeRevolutions) {
  EXPECT_EQ(run1("v_sin_f32", 0.25f), 1.0f);
  EXPECT_EQ(run1("v_sin_f32", -0.25f), -1.0f);
  EXPECT_EQ(run1("v_sin_f32", 7.5f), 0.0f);
  EXPECT_EQ(run1("v_cos_f32", 0.5f), -1.0f);
  EXPECT_EQ(run1("v_cos_f32", 100.25f), 0.0f);
  EXPECT_NEAR(run1("v_sin_f32", 1.0f / 12), 0.5f, 1e-7f);
}

TEST(VectorTrans, SubnormalsAreFlushed) {
  EXPECT_EQ(run1("v_log_f32", 0x1p-140f), -HUGE_VALF);
  EXPECT_EQ(run1("v_exp_f32", -140), 0.0f);
  EXPECT_EQ(run1("v_rcp_f32", 0x1p127f), 0.0f);
}

TEST(VectorTrans, CorrectlyRounded) {
  // log2(3), exp2(0.5), 1/3, 1/sqrt(3): to the nearest f32.
  EXPECT_EQ(run1("v_log_f32", 3), 1.5849625007211562f);
  EXPECT_EQ(run1("v_exp_f32", 0.5f), 1.4142135623730951f);
  EXPECT_EQ(run1("v_rcp_f32", 3), 0.33333333333333333f);
  EXPECT_EQ(run1("v_rsq_f32", 3), 0.57735026918962576f);
}

TEST(VectorTrans, SeedsStayWithinOneUlp) {
  unsigned moved = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    float x = 3.0f + seed;
    uint32_t exact = llvm::bit_cast<uint32_t>(run1("v_rcp_f32", x));
    uint32_t off =
        llvm::bit_cast<uint32_t>(run1("v_rcp_f32", x, "gfx90a", seed));
    EXPECT_LE(std::abs(static_cast<int>(exact - off)), 1);
    moved += exact != off;
    EXPECT_EQ(run1("v_rcp_f32", x, "gfx90a", seed),
              llvm::bit_cast<float>(off)); // A function of the operand.
  }
  EXPECT_GT(moved, 0u);
  EXPECT_LT(moved, 20u);
}

TEST(VectorTrans, ScalarFormOfGfx12) {
  VectorMachine m("gfx1201");
  m.s(3) = llvm::bit_cast<uint32_t>(16.0f);
  m.getWave().setExec(0);
  m.run("v_s_sqrt_f32 s4, s3\n v_s_rcp_f32 s5, s3");
  EXPECT_EQ(llvm::bit_cast<float>(m.s(4)), 4.0f);
  EXPECT_EQ(llvm::bit_cast<float>(m.s(5)), 0.0625f);
}
