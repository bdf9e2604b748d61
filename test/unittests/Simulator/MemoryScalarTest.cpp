//===- MemoryScalarTest.cpp - s_load_* and kin ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace coll::sim;

TEST(MemoryScalar, FormsOfOffsets) {
  struct {
    const char *chip, *assembly;
  } cases[] = {{"gfx90a", "s_load_dword s8, s[2:3], -0x8\n"
                          "s_load_dwordx2 s[10:11], s[2:3], s4\n"
                          "s_load_dwordx4 s[12:15], s[2:3], s4 offset:0x4\n"},
               {"gfx1030", "s_load_dword s8, s[2:3], -0x8\n"
                           "s_load_dwordx2 s[10:11], s[2:3], s4\n"
                           "s_load_dwordx4 s[12:15], s[2:3], s4 offset:0x4\n"},
               {"gfx1100", "s_load_b32 s8, s[2:3], -0x8\n"
                           "s_load_b64 s[10:11], s[2:3], s4\n"
                           "s_load_b128 s[12:15], s[2:3], s4 offset:0x4\n"},
               {"gfx1201", "s_load_b32 s8, s[2:3], -0x8\n"
                           "s_load_b64 s[10:11], s[2:3], s4\n"
                           "s_load_b128 s[12:15], s[2:3], s4 offset:0x4\n"}};
  for (auto [chip, assembly] : cases) {
    MemoryMachine m(chip);
    uint64_t address = m.allocate(64, {10, 11, 12, 13, 14, 15, 16, 17, 18});
    m.setScalars(2, address + 8);
    m.s(4) = 8;
    EXPECT_EQ(m.run(assembly), "") << chip;
    EXPECT_EQ(m.s(8), 10u) << chip;
    EXPECT_EQ(m.s(10), 14u) << chip;
    EXPECT_EQ(m.s(11), 15u) << chip;
    EXPECT_EQ(m.s(12), 15u) << chip;
    EXPECT_EQ(m.s(15), 18u) << chip;
  }
}

TEST(MemoryScalar, SmallAndOddWidthsOfGFX12) {
  MemoryMachine m("gfx1201");
  m.setScalars(2, m.allocate(64, {0x8899f0f1, 2, 3}));
  EXPECT_EQ(m.run("s_load_u8 s8, s[2:3], 0x1\n"
                  "s_load_i8 s9, s[2:3], 0x0\n"
                  "s_load_u16 s10, s[2:3], 0x2\n"
                  "s_load_i16 s11, s[2:3], 0x2\n"
                  "s_load_b96 s[12:14], s[2:3], 0x0\n"),
            "");
  EXPECT_EQ(m.s(8), 0xf0u);
  EXPECT_EQ(m.s(9), 0xfffffff1u);
  EXPECT_EQ(m.s(10), 0x8899u);
  EXPECT_EQ(m.s(11), 0xffff8899u);
  EXPECT_EQ(m.s(14), 3u);
}

TEST(MemoryScalar, Faults) {
  MemoryMachine m("gfx942");
  uint64_t address = m.allocate(16);
  m.setScalars(2, address);
  EXPECT_EQ(m.run("s_load_dwordx4 s[8:11], s[2:3], 0x8"),
            "bad-address: scalar read of 16 bytes at 0x" +
                llvm::utohexstr(address + 8, true) +
                ": 8 bytes into an allocation of 16 bytes");
  MemoryMachine other("gfx942");
  other.getWave().scalarInit.reset(3);
  EXPECT_NE(other.run("s_load_dword s8, s[2:3], 0x0").find("never written"),
            std::string::npos);
}

TEST(MemoryScalar, BuffersReadZeroBeyondTheirRange) {
  MemoryMachine m("gfx1100");
  m.setScalars(4, m.allocate(64, {1, 2, 3, 4}));
  m.setScalars(6, 8);
  EXPECT_EQ(m.run("s_buffer_load_b128 s[8:11], s[4:7], 0x0"), "");
  EXPECT_EQ(m.s(9), 2u);
  EXPECT_EQ(m.s(10), 0u);
}
