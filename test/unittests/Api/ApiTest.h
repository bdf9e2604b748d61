//===- ApiTest.h - What the tests of the host API share ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_API_APITEST_H
#define COLL_TEST_UNITTESTS_API_APITEST_H

#include "coll/coll.hpp"
#include "gtest/gtest.h"

/// The value, or a failed test and the end of the program.
template <typename T> T get(coll::Expected<T> value) {
  if (!value)
    ADD_FAILURE() << value.error().message();
  return *std::move(value);
}

/// Expects an error of this kind with exactly this message.
template <typename T>
void expectError(const coll::Expected<T> &result, coll::ErrorKind kind,
                 const std::string &message) {
  ASSERT_FALSE(result) << "expected the error: " << message;
  EXPECT_EQ(result.error().message(), message);
  EXPECT_EQ(result.error().kind(), kind);
}

inline coll::Kernel loadKernel(const coll::Device &device,
                               const std::string &source,
                               const std::string &name,
                               coll::ProgramOptions options = {}) {
  coll::Program program =
      get(coll::Program::fromSource(source, std::move(options)));
  return get(get(program.load(device)).kernel(name));
}

#endif // COLL_TEST_UNITTESTS_API_APITEST_H
