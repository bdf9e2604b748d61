//===- LiteralTest.cpp - Constants behind the instruction -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryMachine.h"
#include "gtest/gtest.h"

using namespace coll::sim;

// LLVM's branches over long distances have a literal 0.
TEST(Literal, OfAValueThatCouldBeInline) {
  for (const char *chip : {"gfx942", "gfx1100", "gfx1201"}) {
    MemoryMachine m(chip);
    m.s(1) = 41;
    EXPECT_EQ(m.run("s_add_u32 s0, s0, lit(0x0)\ns_add_u32 s1, s1, lit(0x1)"),
              "")
        << chip;
    EXPECT_EQ(m.s(1), 42u) << chip;
  }
}
