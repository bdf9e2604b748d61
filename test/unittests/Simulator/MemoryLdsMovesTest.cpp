//===- MemoryLdsMovesTest.cpp - ds_bpermute, ds_permute, ds_swizzle -------===//
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

/// v0 has byte addresses of lanes, v1 100 + lane; returns v2 after `assembly`.
static std::vector<uint32_t> move(llvm::StringRef chip,
                                  llvm::StringRef assembly,
                                  llvm::function_ref<uint32_t(unsigned)> lane,
                                  uint64_t exec = ~0ull) {
  MemoryMachine m(chip);
  m.fill(0, [&](unsigned i) { return 4 * lane(i); });
  m.fill(1, [](unsigned i) { return 100 + i; });
  m.fill(2, [](unsigned i) { return 900 + i; });
  m.getWave().setExec(exec);
  EXPECT_EQ(m.run(assembly), "");
  std::vector<uint32_t> result;
  for (unsigned i = 0; i != m.getWave().size(); ++i)
    result.push_back(m.v(2, i));
  return result;
}

static uint32_t reverse(unsigned lane) { return 63 - lane; }

TEST(MemoryLdsMoves, BpermutePullsFromAnyLane) {
  for (const char *chip : {"gfx90a", "gfx1201:64"}) {
    auto r = move(chip, "ds_bpermute_b32 v2, v0, v1", reverse);
    EXPECT_EQ(r[0], 163u) << chip;
    EXPECT_EQ(r[63], 100u) << chip;
  }
}

TEST(MemoryLdsMoves, BpermuteStaysInHalvesOnGFX10AndGFX11) {
  for (const char *chip : {"gfx1030:64", "gfx1100:64"}) {
    auto r = move(chip, "ds_bpermute_b32 v2, v0, v1", reverse);
    EXPECT_EQ(r[0], 131u) << chip;
    EXPECT_EQ(r[40], 132u + 23) << chip;
  }
}

TEST(MemoryLdsMoves, BpermuteWrapsAndAddsTheOffset) {
  auto r = move("gfx1100", "ds_bpermute_b32 v2, v0, v1 offset:8",
                [](unsigned lane) { return lane; });
  EXPECT_EQ(r[0], 102u);
  EXPECT_EQ(r[31], 101u);
}

TEST(MemoryLdsMoves, BpermuteReadsZeroFromInactiveLanes) {
  auto r = move(
      "gfx90a", "ds_bpermute_b32 v2, v0, v1",
      [](unsigned lane) { return lane + 1; }, 0b1011);
  EXPECT_EQ(r[0], 101u);
  EXPECT_EQ(r[1], 0u);
  EXPECT_EQ(r[2], 902u);
  EXPECT_EQ(r[3], 0u);
  auto fetched = move(
      "gfx1201", "ds_bpermute_fi_b32 v2, v0, v1",
      [](unsigned lane) { return lane + 1; }, 0b1011);
  EXPECT_EQ(fetched[1], 102u);
}

TEST(MemoryLdsMoves, PermutePushesAndTheHighestLaneWins) {
  auto r = move("gfx90a", "ds_permute_b32 v2, v0, v1",
                [](unsigned lane) { return lane < 4 ? 7u : lane + 1; });
  EXPECT_EQ(r[7], 106u);
  EXPECT_EQ(r[0], 163u);
  EXPECT_EQ(r[5], 104u);
  EXPECT_EQ(r[1], 0u);
}

TEST(MemoryLdsMoves, SwizzleModes) {
  auto swizzle = [](const char *mode, uint64_t exec = ~0ull) {
    return move(
        "gfx90a", std::string("ds_swizzle_b32 v2, v1 offset:") + mode,
        [](unsigned lane) { return lane; }, exec);
  };
  auto swap = swizzle("swizzle(SWAP,16)");
  EXPECT_EQ(swap[3], 119u);
  EXPECT_EQ(swap[50], 134u); // Groups of 32 do not see each other.
  auto broadcast = swizzle("swizzle(BROADCAST,8,3)");
  EXPECT_EQ(broadcast[13], 111u);
  EXPECT_EQ(broadcast[63], 159u);
  auto reverse = swizzle("swizzle(REVERSE,4)");
  EXPECT_EQ(reverse[0], 103u);
  EXPECT_EQ(reverse[6], 105u);
  auto quad = swizzle("swizzle(QUAD_PERM,1,1,3,0)");
  EXPECT_EQ(quad[4], 105u);
  EXPECT_EQ(quad[6], 107u);
  EXPECT_EQ(quad[7], 104u);
  auto inactive = swizzle("swizzle(SWAP,1)", 0b1101);
  EXPECT_EQ(inactive[0], 0u);
  EXPECT_EQ(inactive[1], 901u);
  EXPECT_EQ(inactive[3], 102u);
}

TEST(MemoryLdsMoves, SwizzleRotates) {
  // Bit 10: to the right; distance 3; no lane bits are kept.
  auto left = move("gfx90a", "ds_swizzle_b32 v2, v1 offset:0xc060",
                   [](unsigned lane) { return lane; });
  EXPECT_EQ(left[0], 103u);
  EXPECT_EQ(left[31], 102u);
  EXPECT_EQ(left[32], 135u);
  auto right = move("gfx90a", "ds_swizzle_b32 v2, v1 offset:0xc460",
                    [](unsigned lane) { return lane; });
  EXPECT_EQ(right[0], 129u);
  // FFT: the bits of the lane in reverse order.
  auto fft = move("gfx90a", "ds_swizzle_b32 v2, v1 offset:0xe000",
                  [](unsigned lane) { return lane; });
  EXPECT_EQ(fft[1], 116u);
  EXPECT_EQ(fft[0x13], 100u + 0x19);
}

TEST(MemoryLdsMoves, UninitialisedValuesTravel) {
  MemoryMachine m("gfx90a");
  m.fill(0, [](unsigned lane) { return 4 * (lane ^ 1); });
  m.getWave().vgprInit[1] = ~uint64_t(0) << 1;
  EXPECT_EQ(m.run("ds_bpermute_b32 v2, v0, v1"), "");
  EXPECT_EQ(m.getWave().vgprInit[2], ~uint64_t(2));
}
