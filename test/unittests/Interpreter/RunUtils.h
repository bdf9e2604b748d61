//===- RunUtils.h - Kernels as text, run in tests ---------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_UNITTESTS_INTERPRETER_RUNUTILS_H
#define COLL_UNITTESTS_INTERPRETER_RUNUTILS_H

#include "coll/Interpreter/Interpreter.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace coll::ref {

/// A kernel `k` of one block of `threads` threads. Its views are named x0, x1,
/// … with the elements of `types` and each its own extent n0, n1, …; `body` may
/// use %t, the thread's rank as i32, and %i, the same as i64.
inline std::string makeKernel(unsigned threads, std::vector<std::string> types,
                              const std::string &body) {
  std::string extents, params, views, sizes;
  for (size_t i = 0; i != types.size(); ++i) {
    std::string n = std::to_string(i), comma = i ? ", " : "";
    extents += comma + "\"n" + n + "\"";
    params += comma + "#coll.param<name = \"x" + n +
              "\", access = mut, isView = true, type = \"t\", leaves = \"t\", "
              "dims = -" +
              std::to_string(i + 1) + ">";
    views += comma + "%x" + n + ": !coll.view<?x" + types[i] + ", global>";
    sizes += ", %n" + n + ": i64";
  }
  return "coll.kernel @k workgroup [" + std::to_string(threads) +
         ", 1, 1] grid [] extents [" + extents + "] params [" + params +
         "] {\n^bb0(" + views + sizes +
         "):\n%t = coll.rank block\n%i = arith.extui %t : i32 to i64\n" + body +
         "\ncoll.return\n}\n";
}

/// Stores each thread's `value` in the view with this number.
inline std::string storeTo(unsigned view, const std::string &value,
                           const std::string &type = "f32") {
  std::string name = "%x" + std::to_string(view);
  return "coll.store (" + value + ") to " + name + "[%i] : (" + type +
         "), !coll.view<?x" + type + ", global>\n";
}

/// Buffers for a launch of such a kernel.
class Launch {
public:
  LaunchOptions options;
  std::array<uint64_t, 3> grid = {1, 1, 1};

  template <typename T> Launch &view(std::vector<T> &values) {
    views.push_back(Argument::view(values.data(), values.size() * sizeof(T)));
    extents.push_back(Argument::scalar(values.size()));
    return *this;
  }
  /// A view whose elements count as unwritten.
  template <typename T> Launch &fresh(std::vector<T> &values) {
    written.assign(values.size() * sizeof(T), 0);
    view(values);
    views.back().written = written.data();
    return *this;
  }
  /// An argument at the place where it is given, without an extent.
  Launch &argument(Argument argument) {
    views.push_back(argument);
    return *this;
  }
  Launch &extent(uint64_t value) {
    extents.push_back(Argument::scalar(value));
    return *this;
  }
  Launch &warp(unsigned size) {
    options.warpSize = size;
    return *this;
  }

  /// The error of loading or launching, else the fault, else nothing.
  std::string tryRun(const std::string &text) {
    llvm::Expected<ReferenceProgram> program = ReferenceProgram::parse(text);
    if (!program)
      return llvm::toString(program.takeError());
    std::vector<Argument> arguments = views;
    arguments.insert(arguments.end(), extents.begin(), extents.end());
    llvm::Expected<LaunchResult> result =
        program->launch("k", grid, arguments, options);
    if (!result)
      return llvm::toString(result.takeError());
    statistics = result->statistics;
    fault = result->fault;
    return fault ? fault->str() : "";
  }
  void run(const std::string &text) { EXPECT_EQ(tryRun(text), "") << text; }

  LaunchStatistics statistics;
  std::optional<RuntimeFault> fault;

private:
  std::vector<Argument> views, extents;
  std::vector<uint8_t> written;
};

/// y[i] = op(x0[i], …), one thread an element; all views have their type.
template <typename To, typename... From>
std::vector<To> map(const std::string &toType,
                    std::vector<std::string> fromTypes, const std::string &op,
                    std::vector<From>... from) {
  std::vector<To> y(std::get<0>(std::tie(from...)).size());
  std::vector<std::string> types = fromTypes;
  types.push_back(toType);
  std::string body;
  for (size_t i = 0; i != fromTypes.size(); ++i) {
    std::string n = std::to_string(i);
    body += "%a" + n + " = coll.load %x" + n + "[%i] : !coll.view<?x" +
            fromTypes[i] + ", global> -> " + fromTypes[i] + "\n";
  }
  body += "%y = " + op + "\ncoll.store (%y) to %x" +
          std::to_string(fromTypes.size()) + "[%i] : (" + toType +
          "), !coll.view<?x" + toType + ", global>";
  Launch launch;
  (launch.view(from), ...);
  launch.view(y).run(makeKernel(y.size(), types, body));
  return y;
}

} // namespace coll::ref

#endif // COLL_UNITTESTS_INTERPRETER_RUNUTILS_H
