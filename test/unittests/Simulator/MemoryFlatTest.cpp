//===- MemoryFlatTest.cpp - flat_*, global_*, scratch_*, buffer_* ---------===//
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
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace coll::sim;

TEST(MemoryGlobal, FormsOfAddresses) {
  struct {
    const char *chip, *assembly;
  } cases[] = {{"gfx90a", "global_load_dword v4, v[0:1], off offset:-16\n"
                          "global_load_dword v5, v2, s[2:3] offset:-16\n"
                          "flat_load_dword v6, v[0:1] offset:4\n"
                          "global_store_dword v2, v3, s[2:3] offset:4092\n"},
               {"gfx1030", "global_load_dword v4, v[0:1], off offset:-16\n"
                           "global_load_dword v5, v2, s[2:3] offset:-16\n"
                           "flat_load_dword v6, v[0:1] offset:4\n"
                           "global_store_dword v2, v3, s[2:3] offset:2044\n"},
               {"gfx1100", "global_load_b32 v4, v[0:1], off offset:-16\n"
                           "global_load_b32 v5, v2, s[2:3] offset:-16\n"
                           "flat_load_b32 v6, v[0:1] offset:4\n"
                           "global_store_b32 v2, v3, s[2:3] offset:4092\n"},
               {"gfx1201", "global_load_b32 v4, v[0:1], off offset:-16\n"
                           "global_load_b32 v5, v2, s[2:3] offset:-16\n"
                           "flat_load_b32 v6, v[0:1] offset:4\n"
                           "global_store_b32 v2, v3, s[2:3] offset:8000\n"}};
  for (auto [chip, assembly] : cases) {
    MemoryMachine m(chip);
    std::vector<uint32_t> dwords(100);
    for (unsigned i = 0; i != 100; ++i)
      dwords[i] = 1000 + i;
    uint64_t address = m.allocate(9000, dwords);
    m.fillWide(0, [&](unsigned lane) { return address + 16 + 4 * lane; });
    m.fill(2, [](unsigned lane) { return 4 * lane; });
    m.fill(3, [](unsigned lane) { return 5 * lane; });
    m.setScalars(2, address + 16);
    EXPECT_EQ(m.run(assembly), "") << chip;
    EXPECT_EQ(m.v(4, 9), 1009u) << chip;
    EXPECT_EQ(m.v(5, 31), 1031u) << chip;
    EXPECT_EQ(m.v(6, 2), 1007u) << chip;
    unsigned last = chip == std::string("gfx1201")   ? 8000
                    : chip == std::string("gfx1030") ? 2044
                                                     : 4092;
    EXPECT_EQ(m.getDword(address + 16 + last + 4 * 7), 35u) << chip;
  }
}

TEST(MemoryGlobal, Widths) {
  for (bool isNew : {false, true}) {
    MemoryMachine m(isNew ? "gfx1100" : "gfx942");
    uint64_t address = m.allocate(64, {0x8899f0f1, 2, 3, 4});
    m.setScalars(2, address);
    m.getWave().setExec(1);
    for (unsigned reg = 20; reg != 30; ++reg)
      m.v(reg) = 0x55555555;
    m.fill(40, [](unsigned) { return 32; });
    EXPECT_EQ(
        m.run(isNew ? "global_load_b128 v[4:7], v0, s[2:3]\n"
                      "global_load_b96 v[8:10], v0, s[2:3] offset:4\n"
                      "global_load_u8 v20, v0, s[2:3]\n"
                      "global_load_i8 v21, v0, s[2:3]\n"
                      "global_load_i16 v22, v0, s[2:3]\n"
                      "global_load_d16_b16 v23, v0, s[2:3]\n"
                      "global_load_d16_hi_i8 v24, v0, s[2:3] offset:1\n"
                      "s_waitcnt vmcnt(0)\n"
                      "global_store_d16_hi_b8 v40, v20, s[2:3]\n"
                      "global_store_b8 v40, v21, s[2:3] offset:1\n"
                      "global_store_d16_hi_b16 v40, v22, s[2:3] offset:2\n"
                    : "global_load_dwordx4 v[4:7], v0, s[2:3]\n"
                      "global_load_dwordx3 v[8:10], v0, s[2:3] offset:4\n"
                      "global_load_ubyte v20, v0, s[2:3]\n"
                      "global_load_sbyte v21, v0, s[2:3]\n"
                      "global_load_sshort v22, v0, s[2:3]\n"
                      "global_load_short_d16 v23, v0, s[2:3]\n"
                      "global_load_sbyte_d16_hi v24, v0, s[2:3] offset:1\n"
                      "s_waitcnt vmcnt(0)\n"
                      "global_store_byte_d16_hi v40, v20, s[2:3]\n"
                      "global_store_byte v40, v21, s[2:3] offset:1\n"
                      "global_store_short_d16_hi v40, v22, s[2:3] offset:2\n"),
        "");
    EXPECT_EQ(m.v64(6), 0x400000003ull);
    EXPECT_EQ(m.v64(9), 0x400000003ull);
    EXPECT_EQ(m.v(20), 0xf1u);
    EXPECT_EQ(m.v(21), 0xfffffff1u);
    EXPECT_EQ(m.v(22), 0xfffff0f1u);
    EXPECT_EQ(m.v(23), 0x5555f0f1u);
    EXPECT_EQ(m.v(24), 0xfff05555u);
    EXPECT_EQ(m.getDword(address + 32), 0xfffff100u);
  }
}

TEST(MemoryGlobal, FaultsNameLaneAndPlace) {
  MemoryMachine m("gfx942");
  uint64_t address = m.allocate(100);
  m.fillWide(0, [&](unsigned lane) { return address + 4 * lane; });
  EXPECT_EQ(m.run("global_store_dword v[0:1], v2, off"),
            "bad-address[25]: write of 4 bytes at 0x" +
                llvm::utohexstr(address + 100, true) +
                ": 0 bytes behind an allocation of 100 bytes");
}

TEST(MemoryGlobal, InactiveLanesDoNothing) {
  MemoryMachine m("gfx1100");
  m.getWave().setExec(0);
  m.getWave().vgprInit[0] = 0;
  EXPECT_EQ(m.run("global_load_b32 v4, v[0:1], off"), "");
}

TEST(MemoryGlobal, ReadOnlyMemoryAndFreedMemory) {
  MemoryMachine m("gfx90a");
  uint64_t address = *m.getMemory().allocate(16, "the arguments", true);
  m.setScalars(2, address);
  EXPECT_EQ(m.run("global_load_dword v4, v0, s[2:3]\ns_waitcnt vmcnt(0)"), "");
  std::string hex = llvm::utohexstr(address, true);
  EXPECT_EQ(m.run("global_store_dword v0, v1, s[2:3]"),
            "bad-address[0]: write of 4 bytes at 0x" + hex +
                ": read-only memory, 0 bytes into the arguments of 16 bytes");
  MemoryMachine other("gfx90a");
  address = other.allocate(16);
  ASSERT_TRUE(other.getMemory().free(address));
  other.setScalars(2, address);
  EXPECT_NE(other.run("global_load_dword v4, v0, s[2:3]").find("bad-address"),
            std::string::npos);
}

TEST(MemoryGlobal, Atomics) {
  struct {
    const char *chip, *add, *swap;
  } cases[] = {{"gfx90a", "global_atomic_add v4, v0, v1, s[2:3] glc",
                "global_atomic_cmpswap_x2 v[6:7], v0, v[8:11], s[2:3] "
                "offset:8 glc"},
               {"gfx942", "global_atomic_add v4, v0, v1, s[2:3] sc0",
                "global_atomic_cmpswap_x2 v[6:7], v0, v[8:11], s[2:3] "
                "offset:8 sc0"},
               {"gfx1201",
                "global_atomic_add_u32 v4, v0, v1, s[2:3] "
                "th:TH_ATOMIC_RETURN",
                "global_atomic_cmpswap_b64 v[6:7], v0, v[8:11], s[2:3] "
                "offset:8 th:TH_ATOMIC_RETURN"}};
  for (auto [chip, add, swap] : cases) {
    MemoryMachine m(chip);
    uint64_t address = m.allocate(16, {5, 0, 3, 4});
    m.setScalars(2, address);
    m.getWave().setExec(0b101);
    m.fill(1, [](unsigned lane) { return 10 + lane; });
    m.fillWide(8, [](unsigned lane) { return 0x600000005 + lane; });
    m.fillWide(10, [](unsigned) { return 0x400000003; });
    EXPECT_EQ(m.run(add), "") << chip;
    EXPECT_EQ(m.run(swap), "") << chip;
    EXPECT_EQ(m.v(4, 0), 5u);
    EXPECT_EQ(m.v(4, 2), 15u);
    EXPECT_EQ(m.getDword(address), 27u);
    EXPECT_EQ(m.v64(6, 0), 0x400000003u);
    EXPECT_EQ(m.v64(6, 2), 0x600000005u); // Lane 0 was first.
    EXPECT_EQ(m.getDword(address + 8), 5u);
  }
}

TEST(MemoryGlobal, FloatAddFlushesOnGFX90AOnly) {
  for (const char *chip : {"gfx90a", "gfx942"}) {
    MemoryMachine m(chip);
    uint64_t address = m.allocate(16, {3});
    m.setScalars(2, address);
    m.getWave().setExec(1);
    m.fill(1, [](unsigned) { return 4; });
    EXPECT_EQ(m.run("global_atomic_add_f32 v0, v1, s[2:3]"), "");
    EXPECT_EQ(m.getDword(address), chip == std::string("gfx942") ? 7u : 0u);
  }
}

TEST(MemoryFlat, AperturesLeadToLDSAndScratch) {
  MemoryMachine m("gfx1100");
  uint64_t address = m.allocate(16, {11});
  m.setLds(64, 22);
  m.fillWide(0, [&](unsigned lane) {
    return lane == 0   ? address
           : lane == 1 ? sharedAperture + 64
                       : privateAperture + 8;
  });
  m.fill(2, [](unsigned lane) { return lane * 100; });
  m.getWave().setExec(0b1111);
  EXPECT_EQ(m.run("scratch_store_b32 off, v2, off offset:8\n"
                  "flat_load_b32 v4, v[0:1]"),
            "");
  EXPECT_EQ(m.v(4, 0), 11u);
  EXPECT_EQ(m.v(4, 1), 22u);
  EXPECT_EQ(m.v(4, 2), 200u);
  EXPECT_EQ(m.v(4, 3), 300u);
}

TEST(MemoryScratch, FormsOfAddressesAndInterleaving) {
  for (bool isNew : {false, true}) {
    MemoryMachine m(isNew ? "gfx1100:64" : "gfx942");
    m.fill(0, [](unsigned lane) { return 4 * (lane % 3); });
    m.fill(2, [](unsigned lane) { return lane; });
    m.fill(3, [](unsigned lane) { return 1000 + lane; });
    m.s(4) = 16;
    EXPECT_EQ(m.run(isNew ? "scratch_store_b64 off, v[2:3], off offset:8\n"
                            "scratch_store_b64 v0, v[2:3], s4 offset:4\n"
                            "scratch_load_b32 v5, off, s4 offset:-4\n"
                            "scratch_load_b64 v[6:7], v0, off offset:20\n"
                          : "scratch_store_dwordx2 off, v[2:3], off offset:8\n"
                            "scratch_store_dwordx2 v0, v[2:3], s4 offset:4\n"
                            "scratch_load_dword v5, off, s4 offset:-4\n"
                            "scratch_load_dwordx2 v[6:7], v0, off offset:20\n"),
              "");
    EXPECT_EQ(m.v(5, 41), 1041u);
    EXPECT_EQ(m.v(6, 41), 41u);
    EXPECT_EQ(m.v(7, 41), 1041u);
    uint64_t base = m.getWave().scratchBase;
    // Dword 2 of all lanes, then dword 3 of all lanes.
    EXPECT_EQ(m.getDword(base + (2 * 64 + 41) * 4), 41u);
    EXPECT_EQ(m.getDword(base + (3 * 64 + 40) * 4), 1040u);
  }
}

TEST(MemoryScratch, Bounds) {
  MemoryMachine m("gfx1201");
  EXPECT_EQ(m.run("scratch_load_b64 v[0:1], off, off offset:60"),
            "bad-address[0]: access to 8 bytes at 60 of private memory, of "
            "which a lane has 64 bytes");
}

/// The resource that a driver makes for private memory.
static void setScratchResource(MemoryMachine &m, unsigned indexStride) {
  m.setScalars(8, m.getWave().scratchBase | uint64_t(1) << 63);
  m.setScalars(10, 4096 | uint64_t(indexStride << 21 | 1 << 23) << 32);
}

TEST(MemoryBuffer, ScratchIsSwizzled) {
  for (bool isWave32 : {false, true}) {
    MemoryMachine m(isWave32 ? "gfx1030" : "gfx90a");
    unsigned waveSize = m.getWave().size();
    setScratchResource(m, isWave32 ? 2 : 3);
    m.fill(0, [](unsigned lane) { return 4 * (lane % 2); });
    m.fill(1, [](unsigned lane) { return lane; });
    m.s(4) = 8 * waveSize; // 8 bytes of each lane.
    EXPECT_EQ(m.run("buffer_store_dword v1, v0, s[8:11], 0 offen offset:16\n"
                    "buffer_store_dword v1, off, s[8:11], s4 offset:24\n"
                    "buffer_load_dword v2, off, s[8:11], 0 offset:20\n"
                    "buffer_load_ushort v3, off, s[8:11], s4 offset:24\n"),
              "");
    EXPECT_EQ(m.v(2, 21), 21u);
    EXPECT_EQ(m.v(3, 30), 30u);
    uint64_t base = m.getWave().scratchBase;
    EXPECT_EQ(m.getDword(base + (5 * waveSize + 21) * 4), 21u);
    EXPECT_EQ(m.getDword(base + (8 * waveSize + 30) * 4), 30u);
  }
}

TEST(MemoryBuffer, RawBuffersCheckTheirRange) {
  MemoryMachine m("gfx90a");
  uint64_t address = m.allocate(64, {1, 2, 3, 4, 5});
  m.setScalars(8, address);
  m.setScalars(10, 12 | uint64_t(0x27000) << 32);
  m.fill(0, [](unsigned lane) { return 4 * lane; });
  m.fill(1, [](unsigned) { return 9; });
  m.fill(2, [](unsigned) { return 77; });
  EXPECT_EQ(m.run("buffer_load_dword v2, v0, s[8:11], 0 offen\n"
                  "buffer_store_dword v1, v0, s[8:11], 0 offen offset:4\n"),
            "");
  EXPECT_EQ(m.v(2, 2), 3u);
  EXPECT_EQ(m.v(2, 3), 0u);
  EXPECT_EQ(m.getDword(address + 4), 9u);
  EXPECT_EQ(m.getDword(address + 12), 4u);
}

TEST(MemoryBuffer, AtomicsReturnInTheirData) {
  MemoryMachine m("gfx90a");
  uint64_t address = m.allocate(64, {40});
  m.setScalars(8, address);
  m.setScalars(10, 64);
  m.getWave().setExec(1);
  m.fill(1, [](unsigned) { return 2; });
  EXPECT_EQ(m.run("buffer_atomic_add v1, off, s[8:11], 0 glc"), "");
  EXPECT_EQ(m.v(1), 40u);
  EXPECT_EQ(m.getDword(address), 42u);
}
