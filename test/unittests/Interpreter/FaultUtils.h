//===- FaultUtils.h - Kernels that do something wrong -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_UNITTESTS_INTERPRETER_FAULTUTILS_H
#define COLL_UNITTESTS_INTERPRETER_FAULTUTILS_H

#include "RunUtils.h"

namespace coll::ref {

inline const std::string shared =
    "%s = coll.shared \"tile\" : !coll.view<64xi32, "
    "shared>\n";
inline const std::string storeOwn =
    "coll.store (%t) to %s[%i] : (i32), !coll.view<64xi32, shared>\n";
inline const std::string constants = R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i0 = arith.constant 0 : i64
    %i1 = arith.constant 1 : i64
    %first = arith.cmpi eq, %t, %zero : i32
)";

/// The fault of a block of `threads`, with a view x0 of 64 i32.
inline RuntimeFault findFault(unsigned threads, const std::string &body,
                              LaunchOptions options = {}) {
  std::vector<uint32_t> y(64);
  Launch launch;
  launch.options = options;
  std::string text =
      launch.view(y).tryRun(makeKernel(threads, {"i32"}, constants + body));
  EXPECT_TRUE(launch.fault.has_value()) << text;
  return launch.fault.value_or(RuntimeFault());
}

} // namespace coll::ref

#endif // COLL_UNITTESTS_INTERPRETER_FAULTUTILS_H
