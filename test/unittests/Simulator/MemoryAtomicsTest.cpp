//===- MemoryAtomicsTest.cpp - Values of atomics --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Simulator/Atomics.h"
#include "gtest/gtest.h"
#include <set>

using namespace coll::sim;

static uint32_t combine(AtomicOp op, uint32_t memory, uint32_t data,
                        uint32_t second = 0, AtomicFloatMode mode = {}) {
  return evaluateAtomic({op, 4}, memory, data, second, mode);
}
static uint64_t combineWide(AtomicOp op, uint64_t memory, uint64_t data,
                            uint64_t second = 0) {
  return evaluateAtomic({op, 8}, memory, data, second, {});
}

TEST(MemoryAtomics, Integers) {
  EXPECT_EQ(combine(AtomicOp::Add, 0xffffffff, 2), 1u);
  EXPECT_EQ(combine(AtomicOp::ReverseSub, 3, 10), 7u);
  EXPECT_EQ(combine(AtomicOp::MinI, 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(combine(AtomicOp::MinU, 0xffffffff, 1), 1u);
  EXPECT_EQ(combine(AtomicOp::MaxI, 0x80000000, 1), 1u);
  EXPECT_EQ(combine(AtomicOp::MaxU, 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(combine(AtomicOp::MaskOr, 0xff, 0x0f, 0x105), 0x1f5u);
  EXPECT_EQ(combineWide(AtomicOp::MinI, ~uint64_t(0), 1), ~uint64_t(0));
  EXPECT_EQ(combineWide(AtomicOp::Add, 0xffffffff, 1), 0x100000000u);
}

TEST(MemoryAtomics, WrappingCounters) {
  EXPECT_EQ(combine(AtomicOp::Increment, 6, 7), 7u);
  EXPECT_EQ(combine(AtomicOp::Increment, 7, 7), 0u);
  EXPECT_EQ(combine(AtomicOp::Increment, 9, 7), 0u);
  EXPECT_EQ(combine(AtomicOp::Decrement, 0, 7), 7u);
  EXPECT_EQ(combine(AtomicOp::Decrement, 9, 7), 7u);
  EXPECT_EQ(combine(AtomicOp::Decrement, 7, 7), 6u);
  EXPECT_EQ(combine(AtomicOp::ConditionalSub, 5, 7), 5u);
  EXPECT_EQ(combine(AtomicOp::ConditionalSub, 7, 5), 2u);
  EXPECT_EQ(combine(AtomicOp::SaturatingSub, 5, 7), 0u);
  EXPECT_EQ(combine(AtomicOp::Wrap, 5, 7, 100), 105u);
  EXPECT_EQ(combine(AtomicOp::Wrap, 8, 7, 100), 1u);
}

TEST(MemoryAtomics, Exchanges) {
  EXPECT_EQ(combine(AtomicOp::Swap, 1, 2), 2u);
  EXPECT_EQ(combine(AtomicOp::CompareSwap, 5, 9, 5), 9u);
  EXPECT_EQ(combine(AtomicOp::CompareSwap, 5, 9, 6), 5u);
  // -0 equals +0 as floats; a NaN equals nothing.
  EXPECT_EQ(combine(AtomicOp::CompareSwapF, 0x80000000, 9, 0), 9u);
  EXPECT_EQ(combine(AtomicOp::CompareSwap, 0x80000000, 9, 0), 0x80000000u);
  EXPECT_EQ(combine(AtomicOp::CompareSwapF, 0x7fc00000, 9, 0x7fc00000),
            0x7fc00000u);
}

TEST(MemoryAtomics, Floats) {
  EXPECT_EQ(combine(AtomicOp::AddF, 0x3f800000, 0x40000000), 0x40400000u);
  EXPECT_EQ(combine(AtomicOp::AddF, 0x7f800000, 0xff800000), 0x7fc00000u);
  EXPECT_EQ(combine(AtomicOp::AddF, 0x7f800001, 0), 0x7fc00001u);
  EXPECT_EQ(combine(AtomicOp::AddF, 1, 1), 2u);
  EXPECT_EQ(combine(AtomicOp::AddF, 0x80000001, 0, 0, {true, false}), 0u);
  EXPECT_EQ(combine(AtomicOp::AddF, 0x80000001, 0x80000000, 0, {true, false}),
            0x80000000u);
  EXPECT_EQ(combine(AtomicOp::MinF, 0, 0x80000000), 0x80000000u);
  EXPECT_EQ(combine(AtomicOp::MaxF, 0x80000000, 0), 0u);
  EXPECT_EQ(combine(AtomicOp::MinF, 0x7fc00000, 0x3f800000), 0x3f800000u);
  EXPECT_EQ(combine(AtomicOp::MaxF, 0x3f800000, 0x7fc00000), 0x3f800000u);
  EXPECT_EQ(combineWide(AtomicOp::AddF, 0x3ff0000000000000, 0x3ff0000000000000),
            0x4000000000000000u);
  EXPECT_EQ(combineWide(AtomicOp::MaxF, 0xbff0000000000000, 0x3ff0000000000000),
            0x3ff0000000000000u);
}

TEST(MemoryAtomics, PackedFloats) {
  // (1, 2) + (2, 0.5)
  EXPECT_EQ(combine(AtomicOp::AddPackedF16, 0x40003c00, 0x38004000),
            0x41004200u);
  // 65504 + 32: the tie goes to infinity.
  EXPECT_EQ(combine(AtomicOp::AddPackedF16, 0x7bff, 0x4c00), 0x7c00u);
  EXPECT_EQ(combine(AtomicOp::AddPackedF16, 1, 1), 2u);
  EXPECT_EQ(combine(AtomicOp::AddPackedF16, 1, 1, 0, {false, true}), 0u);
  EXPECT_EQ(combine(AtomicOp::AddPackedBF16, 0x40003f80, 0x3f004000),
            0x40204040u);
  // 256 + 1 is half way between two bf16, and the even one is lower.
  EXPECT_EQ(combine(AtomicOp::AddPackedBF16, 0x4380, 0x3f80), 0x4380u);
  EXPECT_EQ(combine(AtomicOp::AddPackedBF16, 0x7f80, 0xff80), 0x7fc0u);
}

TEST(MemoryAtomics, NamesOfAllGenerations) {
  std::set<std::string> names;
  forEachFlatAtomic([&](const llvm::Twine &name, AtomicKind kind) {
    names.insert(name.str());
  });
  for (const char *name :
       {"add", "add_x2", "smin", "umax_x2", "cmpswap", "add_f32", "add_f64",
        "pk_add_f16", "add_u32", "min_i64", "swap_b64", "max_num_f32",
        "cond_sub_u32", "sub_clamp_u32", "fmin_x2", "csub_u32"})
    EXPECT_TRUE(names.count(name)) << name;
}
