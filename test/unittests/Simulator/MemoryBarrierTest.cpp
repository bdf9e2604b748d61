//===- MemoryBarrierTest.cpp - Stores in flight at a barrier --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two waves: one stores to LDS, the other reads after the barrier.
//
//===----------------------------------------------------------------------===//

#include "MemoryMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

namespace {
/// The words that a family has for the same thing.
struct Words {
  const char *chip, *store, *load, *wait, *barrier, *counter;
};
} // namespace

static const Words families[] = {
    {"gfx90a", "ds_write_b32 v0, v1", "ds_read_b32 v2, v0",
     "s_waitcnt lgkmcnt(0)", "s_barrier", "lgkmcnt"},
    {"gfx1100", "ds_store_b32 v0, v1", "ds_load_b32 v2, v0",
     "s_waitcnt lgkmcnt(0)", "s_barrier", "lgkmcnt"},
    {"gfx1201", "ds_store_b32 v0, v1", "ds_load_b32 v2, v0", "s_wait_dscnt 0x0",
     "s_barrier_signal -1\ns_barrier_wait -1", "dscnt"}};

/// v0 is four times the lane.
static void setUp(MemoryMachine &m) {
  for (unsigned wave : {1, 0}) {
    m.select(wave);
    m.fill(0, [](unsigned lane) { return 4 * lane; });
    m.fill(1, [](unsigned lane) { return lane; });
  }
}

static std::string join(std::initializer_list<const char *> lines) {
  std::string text;
  for (const char *line : lines)
    text += std::string(line) + "\n";
  return text;
}

TEST(MemoryBarrier, StoresThatWereNotWaitedFor) {
  for (const Words &words : families) {
    MemoryMachine m(words.chip, /*numWaves=*/2);
    setUp(m);
    // The wait comes too late, whatever wave is stepped first.
    EXPECT_EQ(m.run(join({words.store, words.barrier, words.wait})), "");
    m.select(1);
    EXPECT_EQ(m.run(words.barrier), "");
    EXPECT_EQ(m.run(words.load),
              std::string("missing-wait[0]: read of 0 of the LDS, which wave 0 "
                          "wrote without waiting for it before the last "
                          "barrier (") +
                  words.counter + ")");
  }
}

TEST(MemoryBarrier, StoresThatWereWaitedFor) {
  for (const Words &words : families) {
    MemoryMachine m(words.chip, /*numWaves=*/2);
    setUp(m);
    EXPECT_EQ(m.run(join({words.store, words.wait, words.barrier})), "");
    m.select(1);
    EXPECT_EQ(m.run(join({words.barrier, words.load, words.wait})), "");
    EXPECT_EQ(m.v(2, 7), 7u);
  }
}

TEST(MemoryBarrier, OwnStoresAreInOrder) {
  for (const Words &words : families) {
    MemoryMachine m(words.chip, /*numWaves=*/2);
    setUp(m);
    m.select(1);
    EXPECT_EQ(m.run(words.barrier), "");
    m.select(0);
    EXPECT_EQ(m.run(join({words.store, words.barrier, words.load, words.wait})),
              "");
  }
}

TEST(MemoryBarrier, ASecondBarrierAfterTheWaitIsEnough) {
  for (const Words &words : families) {
    MemoryMachine m(words.chip, /*numWaves=*/2);
    setUp(m);
    EXPECT_EQ(m.run(join({words.store, words.barrier})), "");
    m.select(1);
    EXPECT_EQ(m.run(words.barrier), "");
    m.select(0);
    EXPECT_EQ(m.run(join({words.wait, words.barrier})), "");
    m.select(1);
    EXPECT_EQ(m.run(join({words.barrier, words.load, words.wait})), "");
  }
}

TEST(MemoryBarrier, WaitsForPartOfTheStores) {
  MemoryMachine m("gfx90a", /*numWaves=*/2);
  setUp(m);
  EXPECT_EQ(m.run("ds_write_b32 v0, v1\n"
                  "ds_write_b32 v0, v1 offset:256\n"
                  "s_waitcnt lgkmcnt(1)\n"
                  "s_barrier"),
            "");
  m.select(1);
  EXPECT_EQ(m.run("s_barrier\nds_read_b32 v2, v0"), "");
  EXPECT_EQ(m.run("ds_read_b32 v3, v0 offset:256"),
            "missing-wait[0]: read of 256 of the LDS, which wave 0 wrote "
            "without waiting for it before the last barrier (lgkmcnt)");
}
