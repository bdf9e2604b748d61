//===- Launch.cpp - One run of a kernel with its arguments ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace llvm;

StringMap<int64_t> coll::getLaunchValues(const KernelManifest &kernel,
                                         const BoundArguments &arguments) {
  StringMap<int64_t> values;
  for (auto [name, value] : zip_equal(kernel.extents, arguments.extents))
    values[name] = value;
  for (auto [name, value] : zip_equal(kernel.pitches, arguments.pitches))
    values[name] = value;
  for (auto [param, arg] : zip_equal(kernel.params, arguments.args)) {
    if (param.isView())
      continue;
    ScalarType type = *param.element.getScalar();
    if (isFloatType(type))
      continue;
    unsigned width = 8 * getScalarTypeSize(type);
    values[param.name] = isSignedIntegerType(type)
                             ? SignExtend64(arg.scalarBits, width)
                             : static_cast<int64_t>(arg.scalarBits);
  }
  return values;
}

static Expected<uint64_t> evaluateSize(const LaunchExpr &expr,
                                       const StringMap<int64_t> &values,
                                       const KernelManifest &kernel,
                                       StringRef what) {
  Expected<int64_t> value = expr.evaluate(values);
  if (!value)
    return value.takeError();
  if (*value >= 0)
    return static_cast<uint64_t>(*value);
  std::string message = (what + " of kernel '" + kernel.name + "', '" +
                         expr.describe() + "', is " + Twine(*value))
                            .str();
  StringRef lead = " where ";
  for (const std::string &name : expr.getNames()) {
    message += (lead + name + " is " + Twine(values.lookup(name))).str();
    lead = " and ";
  }
  return createStringError(message);
}

Expected<LaunchConfig>
coll::makeLaunchConfig(const KernelManifest &kernel,
                       const BoundArguments &arguments,
                       std::optional<std::array<uint64_t, 3>> grid) {
  LaunchConfig config;
  config.block = kernel.workgroup;
  StringMap<int64_t> values = getLaunchValues(kernel, arguments);
  if (grid) {
    config.grid = *grid;
  } else if (kernel.grid.empty()) {
    return createStringError("kernel '" + kernel.name +
                             "' has no grid clause: give --grid=X,Y,Z");
  } else {
    for (auto [index, expr] : enumerate(kernel.grid)) {
      Expected<uint64_t> size = evaluateSize(expr, values, kernel, "the grid");
      if (!size)
        return size.takeError();
      config.grid[index] = *size;
    }
  }
  if (kernel.dynamicShared) {
    Expected<uint64_t> size = evaluateSize(*kernel.dynamicShared, values,
                                           kernel, "the dynamic shared memory");
    if (!size)
      return size.takeError();
    config.dynamicSharedBytes = *size;
  }
  return config;
}

Error coll::sizeMemory(LaunchConfig &config, const Kernel &loaded,
                       const KernelManifest &kernel,
                       const BoundArguments &arguments) {
  config.dynamicSharedBytes = SaturatingAdd(
      config.dynamicSharedBytes, loaded.getEntry().launchSharedBytes);
  const std::optional<LaunchExpr> &expr = loaded.getEntry().workspace;
  if (!expr)
    return Error::success();
  StringMap<int64_t> values = getLaunchValues(kernel, arguments);
  values[gridCountName] = static_cast<int64_t>(
      std::min<uint64_t>(config.getBlockCount(), maxIntN(64)));
  Expected<uint64_t> size =
      evaluateSize(*expr, values, kernel, "the workspace");
  if (!size)
    return size.takeError();
  config.workspaceBytes = *size;
  return Error::success();
}

Expected<std::array<uint64_t, 3>> coll::parseGrid(StringRef text) {
  std::array<uint64_t, 3> grid = {1, 1, 1};
  SmallVector<StringRef, 4> parts;
  text.split(parts, ',');
  bool isValid = parts.size() <= grid.size();
  for (unsigned i = 0; isValid && i != parts.size(); ++i)
    isValid = !parts[i].getAsInteger(10, grid[i]);
  if (!isValid)
    return createStringError("expected a grid such as 4 or 4,2,1, got '" +
                             text + "'");
  return grid;
}

Error coll::runKernel(Device &device, Module &module,
                      const KernelManifest &kernel, BoundArguments &arguments,
                      LaunchConfig config) {
  Expected<Kernel *> loaded = module.getKernel(kernel.name);
  if (!loaded)
    return loaded.takeError();
  if (Error error = sizeMemory(config, **loaded, kernel, arguments))
    return error;
  std::vector<std::unique_ptr<Buffer>> buffers(kernel.params.size());
  SmallVector<KernelArg> slots;
  for (auto [index, arg] : enumerate(arguments.args)) {
    if (!arg.array) {
      slots.push_back(KernelArg::scalar(arg.scalarBits));
      continue;
    }
    ArrayRef<uint8_t> bytes = std::as_const(*arg.array).getBytes();
    Expected<std::unique_ptr<Buffer>> buffer = device.allocate(bytes.size());
    if (!buffer)
      return buffer.takeError();
    buffers[index] = std::move(*buffer);
    if (Error error = device.copyIn(*buffers[index], bytes))
      return error;
    slots.push_back(KernelArg::view(*buffers[index]));
  }
  for (int64_t value :
       concat<const int64_t>(arguments.extents, arguments.pitches))
    slots.push_back(KernelArg::scalar(value));
  if (Error error = device.launch(**loaded, config, slots))
    return error;
  if (Error error = device.synchronize())
    return error;
  for (auto [index, param] : enumerate(kernel.params))
    if (param.isWritten())
      if (Error error = device.copyOut(arguments.args[index].array->getBytes(),
                                       *buffers[index]))
        return error;
  return Error::success();
}

std::optional<std::string>
coll::describeDifference(const KernelManifest &kernel,
                         const BoundArguments &lhs, StringRef lhsName,
                         const BoundArguments &rhs, StringRef rhsName) {
  for (auto [param, left, right] :
       zip_equal(kernel.params, lhs.args, rhs.args)) {
    if (!param.isWritten())
      continue;
    if (std::optional<ArrayDifference> difference =
            findDifference(*left.array, *right.array))
      return ("'" + param.name + difference->place + "' is " + difference->lhs +
              " on " + lhsName + " and " + difference->rhs + " on " + rhsName)
          .str();
  }
  return std::nullopt;
}
