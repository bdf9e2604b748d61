//===- MemoryWaitsTest.cpp - Registers with a load in flight --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counters of each generation: which accesses they count, and what a wait
// for a number above 0 guarantees.
//
//===----------------------------------------------------------------------===//

#include "MemoryMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

/// Runs with v0 and s[2:3] leading to 64 bytes of memory.
static std::string runOn(llvm::StringRef chip, llvm::StringRef assembly) {
  MemoryMachine m(chip);
  m.setScalars(2, m.allocate(64, std::vector<uint32_t>(16)));
  m.fill(0, [](unsigned) { return 0; });
  return m.run(assembly);
}

static const std::string missing = "missing-wait: ";

TEST(MemoryWaits, UseOfALoadInFlight) {
  EXPECT_EQ(runOn("gfx942", "global_load_dword v4, v0, s[2:3]\n"
                            "v_add_u32 v5, v4, v4"),
            missing + "v4 is used before the load to v4 was waited for "
                      "(vmcnt)");
  EXPECT_EQ(runOn("gfx1201", "global_load_b64 v[4:5], v0, s[2:3]\n"
                             "v_mov_b32 v5, 0"),
            missing + "v5 is used before the load to v[4:5] was waited for "
                      "(loadcnt)");
  EXPECT_EQ(runOn("gfx1100", "ds_load_b32 v4, v0\n"
                             "s_waitcnt vmcnt(0)\nv_mov_b32 v5, v4"),
            missing + "v4 is used before the load to v4 was waited for "
                      "(lgkmcnt)");
  EXPECT_EQ(runOn("gfx1201", "s_load_b64 s[4:5], s[2:3], 0x0\n"
                             "s_wait_dscnt 0x0\ns_mov_b32 s6, s5"),
            missing + "s5 is used before the load to s[4:5] was waited for "
                      "(kmcnt)");
}

TEST(MemoryWaits, SufficientWaits) {
  EXPECT_EQ(runOn("gfx90a", "global_load_dword v4, v0, s[2:3]\n"
                            "global_load_dword v5, v0, s[2:3]\n"
                            "s_waitcnt vmcnt(1)\nv_mov_b32 v6, v4\n"
                            "s_waitcnt vmcnt(0)\nv_mov_b32 v6, v5"),
            "");
  EXPECT_EQ(runOn("gfx90a", "global_load_dword v4, v0, s[2:3]\n"
                            "global_load_dword v5, v0, s[2:3]\n"
                            "s_waitcnt vmcnt(1)\nv_mov_b32 v6, v5"),
            missing + "v5 is used before the load to v5 was waited for "
                      "(vmcnt)");
  EXPECT_EQ(runOn("gfx1100", "ds_load_b32 v4, v0\nds_load_b32 v5, v0\n"
                             "s_waitcnt lgkmcnt(1)\nv_mov_b32 v6, v4"),
            "");
  EXPECT_EQ(runOn("gfx1201", "ds_load_b32 v4, v0\n"
                             "global_load_b32 v5, v0, s[2:3]\n"
                             "s_wait_loadcnt_dscnt 0x0\nv_mov_b32 v6, v4\n"
                             "v_mov_b32 v7, v5"),
            "");
  EXPECT_EQ(runOn("gfx1030", "s_load_dword s4, s[2:3], 0x0\n"
                             "s_waitcnt lgkmcnt(0)\ns_mov_b32 s5, s4"),
            "");
}

TEST(MemoryWaits, StoresCountWithLoadsOnGFX9Only) {
  const char *assembly = "global_load_dword v4, v0, s[2:3]\n"
                         "global_store_dword v0, v5, s[2:3]\n"
                         "s_waitcnt vmcnt(1)\nv_mov_b32 v6, v4";
  EXPECT_EQ(runOn("gfx942", assembly), "");
  EXPECT_NE(runOn("gfx1030", assembly), "");
}

TEST(MemoryWaits, ScalarLoadsFinishInAnyOrder) {
  const char *assembly = "s_load_dword s4, s[2:3], 0x0\n"
                         "s_load_dword s5, s[2:3], 0x4\n"
                         "s_waitcnt lgkmcnt(1)\ns_mov_b32 s6, s4";
  EXPECT_NE(runOn("gfx90a", assembly), "");
}

TEST(MemoryWaits, LDSAndScalarLoadsShareACounter) {
  // The LDS access may be the one that is left.
  EXPECT_NE(runOn("gfx90a", "ds_read_b32 v4, v0\n"
                            "s_load_dword s5, s[2:3], 0x4\n"
                            "ds_read_b32 v5, v0\n"
                            "s_waitcnt lgkmcnt(2)\nv_mov_b32 v6, v4"),
            "");
  EXPECT_EQ(runOn("gfx90a", "ds_read_b32 v4, v0\n"
                            "s_load_dword s5, s[2:3], 0x4\n"
                            "ds_read_b32 v5, v0\n"
                            "s_waitcnt lgkmcnt(1)\nv_mov_b32 v6, v4"),
            "");
}

TEST(MemoryWaits, FlatLoadsNeedBothCounters) {
  const char *load = "v_mov_b32 v0, s2\nv_mov_b32 v1, s3\n"
                     "flat_load_dword v4, v[0:1]\n";
  EXPECT_NE(runOn("gfx90a", load + std::string("s_waitcnt vmcnt(0)\n"
                                               "v_mov_b32 v6, v4")),
            "");
  EXPECT_EQ(runOn("gfx90a", load + std::string("s_waitcnt vmcnt(0) "
                                               "lgkmcnt(0)\n"
                                               "v_mov_b32 v6, v4")),
            "");
}

TEST(MemoryWaits, VectorLoadsMayOverwriteEachOther) {
  EXPECT_EQ(runOn("gfx1100", "global_load_b32 v4, v0, s[2:3]\n"
                             "global_load_b32 v4, v0, s[2:3] offset:4"),
            "");
  EXPECT_NE(runOn("gfx1100", "global_load_b32 v4, v0, s[2:3]\n"
                             "ds_load_b32 v4, v0"),
            "");
  EXPECT_NE(runOn("gfx1100", "ds_load_b32 v4, v0\nds_load_b32 v4, v0"), "");
}

TEST(MemoryWaits, AnAddressIsAUseToo) {
  EXPECT_NE(runOn("gfx942", "global_load_dword v4, v0, s[2:3]\n"
                            "global_load_dword v5, v4, s[2:3]"),
            "");
  EXPECT_NE(runOn("gfx942", "s_load_dwordx2 s[2:3], s[2:3], 0x0\n"
                            "global_load_dword v5, v0, s[2:3]"),
            "");
}

TEST(MemoryWaits, VccIsARegister) {
  EXPECT_EQ(runOn("gfx90a", "s_load_dwordx2 vcc, s[2:3], 0x0\n"
                            "v_cndmask_b32 v1, v2, v3, vcc"),
            missing + "vcc is used before the load to vcc was waited for "
                      "(lgkmcnt)");
}
