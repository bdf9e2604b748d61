//===- MemoryLdsTest.cpp - ds_* that access memory ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are worked out from AMD's instruction set documents.
//
//===----------------------------------------------------------------------===//

#include "MemoryMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

/// Half a wave is active; v0 holds 16 * lane, v1 to v4 hold different values.
static void setUp(MemoryMachine &m) {
  m.fill(0, [](unsigned lane) { return 16 * (lane % 32); });
  for (unsigned reg = 1; reg != 5; ++reg)
    m.fill(reg, [=](unsigned lane) { return 0x80f00000 + (reg << 8) + lane; });
  m.getWave().setExec(0xffffffff);
}

TEST(MemoryLds, WidthsOfGFX9) {
  MemoryMachine m("gfx90a");
  setUp(m);
  EXPECT_EQ(m.run("ds_write_b128 v0, v[2:5] offset:0\n"
                  "ds_read_b32 v8, v0 offset:4\n"
                  "ds_read_b64 v[10:11], v0 offset:4\n"
                  "ds_read_b96 v[12:14], v0\n"
                  "ds_read_b128 v[16:19], v0\n"
                  "s_waitcnt lgkmcnt(0)"),
            "");
  EXPECT_EQ(m.v(8, 3), 0x80f00303u);
  EXPECT_EQ(m.v64(10, 3), 0x80f0040380f00303u);
  EXPECT_EQ(m.v(12, 31), 0x80f0021fu);
  EXPECT_EQ(m.v(14, 31), 0x80f0041fu);
  EXPECT_EQ(m.v64(16, 7), 0x80f0030780f00207u);
  EXPECT_EQ(m.v(19, 7), 0u);
}

TEST(MemoryLds, SmallValuesAreExtendedOrKeepTheOtherHalf) {
  for (const char *chip : {"gfx90a", "gfx1030"}) {
    MemoryMachine m(chip);
    setUp(m);
    m.fill(1, [](unsigned) { return 0x1234f6f5; });
    for (unsigned reg = 10; reg != 20; ++reg)
      m.fill(reg, [](unsigned) { return 0xabcdabcd; });
    EXPECT_EQ(m.run("ds_write_b8 v0, v1\n"
                    "ds_write_b16 v0, v1 offset:2\n"
                    "ds_write_b8_d16_hi v0, v1 offset:4\n"
                    "ds_write_b16_d16_hi v0, v1 offset:6\n"
                    "ds_read_u8 v10, v0\n"
                    "ds_read_i8 v11, v0\n"
                    "ds_read_u16 v12, v0 offset:2\n"
                    "ds_read_i16 v13, v0 offset:2\n"
                    "ds_read_u8 v14, v0 offset:4\n"
                    "ds_read_u16 v15, v0 offset:6\n"
                    "ds_read_u8_d16 v16, v0\n"
                    "ds_read_i8_d16_hi v17, v0\n"
                    "ds_read_u16_d16 v18, v0 offset:2\n"
                    "ds_read_u16_d16_hi v19, v0 offset:6\n"
                    "s_waitcnt lgkmcnt(0)"),
              "");
    const uint32_t expected[] = {0xf5,       0xfffffff5, 0xf6f5,     0xfffff6f5,
                                 0x34,       0x1234,     0xabcd00f5, 0xfff5abcd,
                                 0xabcdf6f5, 0x1234abcd};
    for (unsigned i = 0; i != 10; ++i)
      EXPECT_EQ(m.v(10 + i, 5), expected[i]) << chip << " v" << 10 + i;
  }
}

TEST(MemoryLds, NamesOfGFX11AndGFX12) {
  for (const char *chip : {"gfx1100", "gfx1201"}) {
    MemoryMachine m(chip);
    setUp(m);
    EXPECT_EQ(m.run("ds_store_b128 v0, v[2:5]\n"
                    "ds_load_b32 v8, v0 offset:8\n"
                    "ds_load_u16 v9, v0\n"
                    "ds_load_u8_d16_hi v10, v0 offset:3\n"
                    "ds_load_2addr_b32 v[12:13], v0 offset0:2 offset1:1\n"),
              "");
    EXPECT_EQ(m.v(8, 2), 0x80f00402u);
    EXPECT_EQ(m.v(9, 2), 0x0202u);
    EXPECT_EQ(m.v(10, 2), 0x00800000u);
    EXPECT_EQ(m.v64(12, 2), 0x80f0030280f00402u);
  }
}

TEST(MemoryLds, PairsCountElementsOr64Elements) {
  MemoryMachine m("gfx900");
  m.fill(0, [](unsigned) { return 8; });
  m.fill(1, [](unsigned) { return 0xa; });
  m.fill(2, [](unsigned) { return 0xb; });
  m.getWave().setExec(1);
  EXPECT_EQ(m.run("ds_write2_b32 v0, v1, v2 offset0:1 offset1:4\n"
                  "ds_write2st64_b32 v0, v1, v2 offset0:1 offset1:2\n"
                  "ds_write2_b64 v0, v[1:2], v[2:3] offset0:10 offset1:20\n"
                  "ds_read2_b32 v[4:5], v0 offset0:4 offset1:1\n"
                  "ds_read2st64_b32 v[6:7], v0 offset0:2 offset1:1\n"
                  "ds_read2_b64 v[8:11], v0 offset0:20 offset1:10\n"),
            "");
  EXPECT_EQ(m.getLds(8 + 4), 0xau);
  EXPECT_EQ(m.getLds(8 + 16), 0xbu);
  EXPECT_EQ(m.getLds(8 + 256), 0xau);
  EXPECT_EQ(m.getLds(8 + 512), 0xbu);
  EXPECT_EQ(m.getLds(8 + 80 + 4), 0xbu);
  EXPECT_EQ(m.getLds(8 + 160), 0xbu);
  EXPECT_EQ(m.v64(4), 0xa0000000bull);
  EXPECT_EQ(m.v64(6), 0xa0000000bull);
  EXPECT_EQ(m.v64(8), 0xbull);
  EXPECT_EQ(m.v64(10), 0xb0000000aull);
}

TEST(MemoryLds, BoundsNameTheLane) {
  MemoryMachine m("gfx90a");
  m.fill(0, [](unsigned lane) { return 100 * lane; });
  EXPECT_EQ(m.run("ds_write_b64 v0, v[2:3] offset:20"),
            "bad-lds-address[10]: access to 8 bytes at 1020 of the LDS, of "
            "which the group has 1024 bytes");
}

TEST(MemoryLds, NegativeBasesWrap) {
  MemoryMachine m("gfx90a");
  m.fill(0, [](unsigned) { return -8; });
  m.fill(1, [](unsigned) { return 77; });
  m.getWave().setExec(1);
  EXPECT_EQ(m.run("ds_write_b32 v0, v1 offset:12"), "");
  EXPECT_EQ(m.getLds(4), 77u);
}

TEST(MemoryLds, UninitialisedBytesTravel) {
  MemoryMachine m("gfx1100");
  m.fill(0, [](unsigned lane) { return 4 * lane; });
  m.setLds(8, 5);
  EXPECT_EQ(m.run("ds_load_b32 v1, v0\ns_waitcnt lgkmcnt(0)\n"
                  "v_mov_b32 v2, 0x100\n"
                  "ds_store_b32 v2, v1"),
            "");
  EXPECT_EQ(m.getWave().vgprInit[1] & 0xffffffff, 4u);
  // The last lane's value stays, and that is none.
  EXPECT_EQ(m.getGroup().ldsInitialized[0x100], 0);
  EXPECT_EQ(m.run("v_mov_b32 v5, 0\nglobal_load_b32 v4, v1, s[0:1]"),
            "uninitialized[0]: the address comes from a register that was "
            "never written");
}

TEST(MemoryLds, DwordsOfAnElementAreInitialisedOnTheirOwn) {
  MemoryMachine m("gfx942");
  m.getWave().setExec(1);
  m.setLds(4, 5);
  m.getGroup().ldsInitialized[13] = 1;
  EXPECT_EQ(m.run("ds_read_b128 v[4:7], v0\ns_waitcnt lgkmcnt(0)\n"
                  "ds_write_b64 v0, v[4:5] offset:32"),
            "");
  EXPECT_EQ(m.getWave().vgprInit[4] & 1, 0u);
  EXPECT_EQ(m.getWave().vgprInit[5] & 1, 1u);
  EXPECT_EQ(m.getWave().vgprInit[6] & 1, 0u);
  EXPECT_EQ(m.getWave().vgprInit[7] & 1, 1u);
  EXPECT_EQ(m.getGroup().ldsInitialized[35], 0);
  EXPECT_EQ(m.getGroup().ldsInitialized[36], 1);
}

TEST(MemoryLds, AtomicsOfAllLanesAddUp) {
  MemoryMachine m("gfx90a");
  m.setLds(0, 1000);
  m.setLds(64, 0x3f800000);
  m.fill(0, [](unsigned) { return 0; });
  m.fill(1, [](unsigned lane) { return lane; });
  m.fill(2, [](unsigned) { return 0x3f000000; });
  EXPECT_EQ(m.run("ds_add_rtn_u32 v3, v0, v1\n"
                  "ds_add_f32 v0, v2 offset:64"),
            "");
  EXPECT_EQ(m.getLds(0), 1000u + 2016);
  EXPECT_EQ(m.v(3, 0), 1000u);
  EXPECT_EQ(m.v(3, 5), 1000u + 10);
  EXPECT_EQ(m.getLds(64), 0x42040000u); // 33
}

TEST(MemoryLds, CompareStoreTakesOperandsInTheOrderOfItsGeneration) {
  for (bool isOld : {true, false}) {
    MemoryMachine m(isOld ? "gfx90a" : "gfx1100");
    m.setLds(0, 7);
    m.getWave().setExec(1);
    m.fill(0, [](unsigned) { return 0; });
    m.fill(1, [](unsigned) { return 7; });
    m.fill(2, [](unsigned) { return 9; });
    EXPECT_EQ(m.run(isOld ? "ds_cmpst_rtn_b32 v3, v0, v1, v2"
                          : "ds_cmpstore_rtn_b32 v3, v0, v2, v1"),
              "");
    EXPECT_EQ(m.v(3), 7u);
    EXPECT_EQ(m.getLds(0), 9u);
  }
}

TEST(MemoryLds, FloatAtomicsFollowTheDenormalMode) {
  for (bool flushes : {false, true}) {
    MemoryMachine m("gfx1030");
    if (flushes)
      m.getWave().mode &= ~(3u << Denorm32Shift);
    m.setLds(0, 3);
    m.getWave().setExec(1);
    m.fill(1, [](unsigned) { return 4; });
    EXPECT_EQ(m.run("ds_add_f32 v0, v1"), "");
    EXPECT_EQ(m.getLds(0), flushes ? 0u : 7u);
  }
}

TEST(MemoryLds, MisalignedAtomics) {
  MemoryMachine m("gfx1201");
  m.fill(0, [](unsigned) { return 2; });
  EXPECT_EQ(m.run("ds_add_u32 v0, v1"),
            "misaligned[0]: the address 0x2 of an atomic is no multiple of 4");
}

TEST(MemoryLds, AppendAndConsumeCountLanes) {
  MemoryMachine m("gfx90a");
  m.setLds(0x48, 100);
  m.getWave().setExec(0xf0f);
  m.getWave().scalars[M0Index] = 0x40u << 16;
  EXPECT_EQ(m.run("ds_append v1 offset:8\nds_append v2 offset:8\n"
                  "ds_consume v3 offset:8"),
            "");
  EXPECT_EQ(m.v(1, 0), 100u);
  EXPECT_EQ(m.v(2, 11), 108u);
  EXPECT_EQ(m.v(3, 8), 116u);
  EXPECT_EQ(m.v(3, 4), 0u); // Not active.
  EXPECT_EQ(m.getLds(0x48), 108u);
}

TEST(MemoryLds, AddTidNeedsNoAddress) {
  MemoryMachine m("gfx942");
  m.getWave().scalars[M0Index] = 0x80;
  m.fill(1, [](unsigned lane) { return 3 * lane; });
  EXPECT_EQ(m.run("ds_write_addtid_b32 v1 offset:16\n"
                  "ds_read_addtid_b32 v2 offset:20"),
            "");
  EXPECT_EQ(m.getLds(0x80 + 16 + 4 * 9), 27u);
  EXPECT_EQ(m.v(2, 8), 27u);
}

TEST(MemoryLds, ExchangesOfPairs) {
  for (auto [chip, name] :
       {std::pair("gfx90a", "ds_wrxchg2_rtn_b32"),
        std::pair("gfx1100", "ds_storexchg_2addr_rtn_b32")}) {
    MemoryMachine m(chip);
    m.fill(0, [](unsigned lane) { return 8 * lane; });
    m.fill(1, [](unsigned lane) { return 1000 + lane; });
    m.fill(2, [](unsigned lane) { return 2000 + lane; });
    m.getWave().setExec(3);
    for (unsigned i = 0; i != 4; ++i)
      m.setLds(4 * i, i);
    EXPECT_EQ(m.run((llvm::Twine(name) + " v[10:11], v0, v1, v2 offset0:1 "
                                         "offset1:0\ns_waitcnt lgkmcnt(0)")
                        .str()),
              "");
    EXPECT_EQ(m.v64(10, 1), 0x0000000200000003u) << chip;
    EXPECT_EQ(m.getLds(0), 2000u) << chip;
    EXPECT_EQ(m.getLds(12), 1001u) << chip;
  }
}
