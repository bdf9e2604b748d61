//===- HipChipTest.cpp - Finding the chip in device properties ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "hip/Api.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace {

/// Properties with `name` at the start and `text` at `offset`, zeros elsewhere.
std::string find(StringRef name, size_t offset, StringRef text) {
  std::string properties(2048, '\0');
  properties.replace(0, name.size(), name.str());
  properties.replace(offset, text.size(), text.str());
  return coll::hip::findChip(properties).str();
}

// gcnArchName is at 396 in ROCm 5 (hip_runtime_api.h 5.2) and elsewhere later.
TEST(HipChip, IsFoundAtAnyOffset) {
  EXPECT_EQ(find("AMD Instinct", 396, "gfx90a:sramecc+:xnack-"), "gfx90a");
  EXPECT_EQ(find("AMD Instinct", 1160, "gfx942"), "gfx942");
  EXPECT_EQ(find("gfx1035", 1160, "gfx1100"), "gfx1100");
}

TEST(HipChip, OtherTextIsNoChip) {
  EXPECT_EQ(find("gfx1035", 300, ""), "");
  EXPECT_EQ(find("", 300, "gfx"), "");
  EXPECT_EQ(find("", 300, "gfx9-generic"), "");
  EXPECT_EQ(find("", 300, "agfx900"), "");
  EXPECT_EQ(find("", 2042, "gfx900"), "");
}

} // namespace
