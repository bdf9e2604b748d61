//===- Arguments.h - Arguments from the command line ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--arg NAME=VALUE` and `--extent NAME=N` become the arguments of a kernel:
// values are parsed, files read, extents bound from the arrays that have a
// shape and checked against each other, and the rest generated. VALUE is
//
//   a scalar       `3`, `-1.5`, `true`, `inf`
//   @FILE.npy      a NumPy file
//   @FILE:TYPE     raw little-endian data of a scalar type: `@text:u8`
//   iota  zeros  full(V)  random(SEED)
//
// A `mut` view without a value starts with zeros.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_ARGUMENTS_H
#define COLL_RUNTIME_ARGUMENTS_H

#include "coll/Runtime/Device.h"
#include "coll/Runtime/HostArray.h"
#include "llvm/ADT/StringMap.h"

namespace coll {

/// The two sides of `NAME=VALUE`.
struct NamedValue {
  std::string name;
  std::string value;

  /// Cuts at the first `=`; `option` stands for it in the error.
  static llvm::Expected<NamedValue> parse(llvm::StringRef text,
                                          llvm::StringRef option);
};

/// The argument of one parameter.
struct BoundArgument {
  uint64_t scalarBits = 0;        ///< Of a scalar.
  std::optional<HostArray> array; ///< Of a view.
};

/// All arguments of a launch. A copy runs again on the same input.
struct BoundArguments {
  std::vector<BoundArgument> args; ///< In the order of the parameters.
  std::vector<int64_t> extents;    ///< In the order of the manifest.
  std::vector<int64_t> pitches;    ///< In the order of the manifest.
};

/// Errors name the parameter or extent: an unknown name, a name twice, a wrong
/// type or rank, extents that contradict each other, a missing value.
llvm::Expected<BoundArguments>
bindArguments(const KernelManifest &kernel, llvm::ArrayRef<NamedValue> values,
              llvm::ArrayRef<NamedValue> extents);

/// What launch expressions may name: extents, pitches, integer scalars.
llvm::StringMap<int64_t> getLaunchValues(const KernelManifest &kernel,
                                         const BoundArguments &arguments);

/// Evaluates the kernel's grid (unless `grid` is given) and dynamic shared
/// memory. Negative values, and a kernel with no grid at all, are errors.
llvm::Expected<LaunchConfig>
makeLaunchConfig(const KernelManifest &kernel, const BoundArguments &arguments,
                 std::optional<std::array<uint64_t, 3>> grid = std::nullopt);

/// Completes `config` by what the code of a loaded kernel asks for: the bytes
/// of its workspace, and the shared memory that its chip has sized by launches.
llvm::Error sizeMemory(LaunchConfig &config, const Kernel &loaded,
                       const KernelManifest &kernel,
                       const BoundArguments &arguments);

/// Parses `X`, `X,Y` or `X,Y,Z`.
llvm::Expected<std::array<uint64_t, 3>> parseGrid(llvm::StringRef text);

/// Copies the arguments to the device, runs the kernel, and copies what it may
/// have written back into `arguments`.
llvm::Error runKernel(Device &device, Module &module,
                      const KernelManifest &kernel, BoundArguments &arguments,
                      LaunchConfig config);

/// The first difference between the outputs of two runs of a kernel, as
/// `'y[3, 4]' is 1.5 (0x3fc00000) on cuda:0 and 1.25 (0x3fa00000) on
/// reference:32`.
std::optional<std::string> describeDifference(const KernelManifest &kernel,
                                              const BoundArguments &lhs,
                                              llvm::StringRef lhsName,
                                              const BoundArguments &rhs,
                                              llvm::StringRef rhsName);

} // namespace coll

#endif // COLL_RUNTIME_ARGUMENTS_H
