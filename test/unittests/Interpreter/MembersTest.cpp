//===- MembersTest.cpp - Groups that are made at run time -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FaultUtils.h"

using namespace coll::ref;
using testing::HasSubstr;

namespace {

TEST(MembersTest, SomeOfTheGroupInABranch) {
  RuntimeFault fault = findFault(40, R"(
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %low = arith.cmpi ult, %t, %c8 : i32
    coll.if %low {
      %g = coll.active
      %lower = arith.cmpi ult, %t, %c4 : i32
      coll.if %lower {
        %r = coll.reduce members(%g) add(%t) : i32
        coll.yield
      }
      coll.yield
    })");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.message,
              HasSubstr("group.reduce is not reached by every thread of the "
                        "group"));
  EXPECT_EQ(fault.notes[0].message,
            "block (0, 0, 0), thread (4, 0, 0) took another path");
}

TEST(MembersTest, SomeOfTheGroupHaveLeft) {
  RuntimeFault fault = findFault(32, R"(
    %g = coll.active
    coll.if %first { coll.return }
    coll.sync members(%g))");
  EXPECT_EQ(fault.kind, FaultKind::Divergence);
  EXPECT_THAT(fault.notes[0].message, HasSubstr("has left the kernel"));
}

/// Each thread stores, syncs with its part, and reads what `t ^ distance`
/// stored. Parts are the threads with equal parity.
std::string makeExchange(unsigned distance) {
  return shared + storeOwn + R"(
    %parity = arith.andi %t, %one : i32
    %p = coll.partition warp %parity : i32
    coll.sync members(%p)
    %distance = arith.constant )" +
         std::to_string(distance) + R"( : i32
    %x = arith.xori %t, %distance : i32
    %j = arith.extui %x : i32 to i64
    %y = coll.load %s[%j] : !coll.view<64xi32, shared> -> i32)";
}

TEST(MembersTest, ASyncOrdersThePart) {
  std::vector<uint32_t> y(32);
  Launch().view(y).run(makeKernel(
      32, {"i32"},
      constants + makeExchange(6) +
          "\ncoll.store (%y) to %x0[%i] : (i32), !coll.view<?xi32, global>"));
  for (unsigned t = 0; t != y.size(); ++t)
    EXPECT_EQ(y[t], t ^ 6);
}

TEST(MembersTest, ASyncOrdersNothingOfOtherParts) {
  RuntimeFault fault = findFault(32, makeExchange(1));
  EXPECT_EQ(fault.kind, FaultKind::Race);
}

} // namespace
