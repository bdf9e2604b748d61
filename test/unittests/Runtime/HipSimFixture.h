//===- HipSimFixture.h - The simulated HIP runtime in tests -----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library reads its environment once: four devices with 1 MiB of memory. As
// what a kernel does wrong stays with its device until the process ends, the
// last two are for one test each that does.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_UNITTESTS_RUNTIME_HIPSIMFIXTURE_H
#define COLL_UNITTESTS_RUNTIME_HIPSIMFIXTURE_H

#include "coll/Driver/Compile.h"
#include "gtest/gtest.h"

namespace coll {

class HipSimFixture : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("COLL_HIP_LIBRARY", COLL_HIP_SIM, 1);
    setenv("COLL_SIM_CHIP", "gfx942,gfx1100,gfx1201,gfx1030", 1);
    setenv("COLL_SIM_MEMORY", "1048576", 1);
  }

  static Bundle compile(llvm::StringRef source, llvm::StringRef target) {
    std::unique_ptr<Compilation> compilation =
        Compilation::fromText("test.coll", source, {});
    return std::move(*cantFail(
        compilation->compile(cantFail(CompileTarget::parse(target)))));
  }
};

} // namespace coll

#endif // COLL_UNITTESTS_RUNTIME_HIPSIMFIXTURE_H
