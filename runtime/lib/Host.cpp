//===- Host.cpp - Run kernels of a bundle from C++ ------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Extents.h"
#include "coll/Runtime/Arguments.h"
#include "coll/Runtime/ReferenceDevice.h"
#include "coll/coll.hpp"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace llvm;

using DeviceRef = std::shared_ptr<coll::Device>;

namespace {
/// A buffer and the device that it needs.
struct BufferState {
  DeviceRef device;
  std::unique_ptr<coll::Buffer> buffer;
};
} // namespace

struct host::Device::State {
  DeviceRef device;
};

struct host::Program::State {
  DeviceRef device;
  Bundle bundle;
  std::unique_ptr<coll::Module> module;
};

struct host::Kernel::State {
  std::shared_ptr<host::Program::State> program;
  const KernelManifest *manifest;
  coll::Kernel *kernel;
};

static host::Status makeStatus(Error error) {
  if (!error)
    return host::Status();
  return host::Status(toString(std::move(error)));
}

//===----------------------------------------------------------------------===//
// Devices and buffers
//===----------------------------------------------------------------------===//

/// `auto` falls back to the reference device, which is always there.
static Expected<std::unique_ptr<coll::Device>> openDevice(StringRef name) {
  Expected<DeviceSpec> spec = DeviceSpec::parse(name);
  if (!spec)
    return spec.takeError();
  if (spec->kind == DeviceKind::Reference)
    return openReferenceDevice(spec->number ? spec->number : 32);
  Expected<std::unique_ptr<coll::Device>> gpu = openGpu(*spec);
  if (gpu || spec->kind)
    return gpu;
  consumeError(gpu.takeError());
  return openReferenceDevice(32);
}

host::Result<host::Device> host::Device::open(const std::string &name) {
  Expected<std::unique_ptr<coll::Device>> device = openDevice(name);
  if (!device)
    return makeStatus(device.takeError());
  return Device(std::make_shared<State>(State{std::move(*device)}));
}

std::string host::Device::getName() const {
  return state->device->getInfo().name;
}

std::string host::Device::getTarget() const {
  Expected<std::string> target = getCompileTarget(state->device->getInfo());
  if (target)
    return *target;
  consumeError(target.takeError());
  return state->device->getInfo().chip;
}

host::Result<host::Buffer> host::Device::allocate(uint64_t bytes) {
  Expected<std::unique_ptr<coll::Buffer>> buffer =
      state->device->allocate(bytes);
  if (!buffer)
    return makeStatus(buffer.takeError());
  return Buffer(std::make_shared<BufferState>(
      BufferState{state->device, std::move(*buffer)}));
}

host::Result<host::Program> host::Device::load(const std::string &bytes) {
  Expected<Bundle> bundle = Bundle::parse(bytes);
  if (!bundle)
    return makeStatus(bundle.takeError());
  Expected<const Image *> image =
      selectImage(*bundle, state->device->getInfo());
  if (!image)
    return makeStatus(image.takeError());
  Expected<std::unique_ptr<coll::Module>> module =
      state->device->loadModule(**image);
  if (!module)
    return makeStatus(module.takeError());
  return Program(std::make_shared<Program::State>(
      Program::State{state->device, std::move(*bundle), std::move(*module)}));
}

host::Status host::Device::synchronize() {
  return makeStatus(state->device->synchronize());
}

uint64_t host::Buffer::getSize() const {
  return static_cast<BufferState *>(state.get())->buffer->getSize();
}

host::Status host::Buffer::copyIn(const void *data, uint64_t size) {
  auto &buffer = *static_cast<BufferState *>(state.get());
  return makeStatus(buffer.device->copyIn(
      *buffer.buffer, {static_cast<const uint8_t *>(data), size}));
}

host::Status host::Buffer::copyOut(void *data, uint64_t size) {
  auto &buffer = *static_cast<BufferState *>(state.get());
  return makeStatus(buffer.device->copyOut({static_cast<uint8_t *>(data), size},
                                           *buffer.buffer));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::vector<std::string> host::Program::getKernelNames() const {
  std::vector<std::string> names;
  for (const KernelManifest &kernel : state->bundle.kernels)
    names.push_back(kernel.name);
  return names;
}

host::Result<host::Kernel>
host::Program::getKernel(const std::string &name) const {
  const KernelManifest *manifest = state->bundle.findKernel(name);
  if (!manifest)
    return Status("the bundle has no kernel '" + name + "'");
  Expected<coll::Kernel *> kernel = state->module->getKernel(name);
  if (!kernel)
    return makeStatus(kernel.takeError());
  return Kernel(
      std::make_shared<Kernel::State>(Kernel::State{state, manifest, *kernel}));
}

/// The bits of a float of type `type`, rounded to nearest even.
static uint64_t getFloatBits(double value, ScalarType type) {
  const fltSemantics &semantics = type == ScalarType::F16 ? APFloat::IEEEhalf()
                                  : type == ScalarType::BF16 ? APFloat::BFloat()
                                  : type == ScalarType::F32
                                      ? APFloat::IEEEsingle()
                                      : APFloat::IEEEdouble();
  APFloat result(value);
  bool losesInfo = false;
  result.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return result.bitcastToAPInt().getZExtValue();
}

/// The bits of an integer, by way of its text so that the range is checked.
static Expected<uint64_t> getScalarBits(const host::Argument &argument,
                                        ScalarType type) {
  if (auto *bits = std::get_if<host::Bits>(&argument))
    return bits->value;
  if (auto *number = std::get_if<double>(&argument)) {
    if (isFloatType(type))
      return getFloatBits(*number, type);
  } else if (auto *number = std::get_if<int64_t>(&argument)) {
    return parseScalarBits(std::to_string(*number), type);
  } else if (auto *number = std::get_if<uint64_t>(&argument)) {
    return parseScalarBits(std::to_string(*number), type);
  } else if (auto *truth = std::get_if<bool>(&argument)) {
    if (type == ScalarType::Bool)
      return *truth;
  }
  return createStringError("expected a value of type " +
                           getScalarTypeName(type));
}

/// Checks that the view's elements lie inside its buffer.
static Error checkSize(const ParamManifest &param, const host::View &view,
                       uint64_t size) {
  uint64_t needed = param.element.sizeBytes;
  for (int64_t extent : view.shape) {
    if (extent < 0)
      return makeParamError(param, "the shape " + formatShape(view.shape) +
                                       " has a negative extent");
    needed = SaturatingMultiply<uint64_t>(needed, extent);
  }
  if (needed <= size)
    return Error::success();
  return makeParamError(param, formatShape(view.shape) + param.element.name +
                                   " takes " + Twine(needed) +
                                   " bytes, the buffer has " + Twine(size));
}

namespace {
/// What a launch passes, in the two forms that are needed.
struct LaunchArguments {
  BoundArguments bound; ///< For launch expressions; its arrays are empty.
  SmallVector<KernelArg> slots;
};
} // namespace

static Expected<LaunchArguments>
bindHost(const KernelManifest &kernel,
         const std::vector<host::Argument> &arguments) {
  if (arguments.size() != kernel.params.size())
    return createStringError("kernel '" + kernel.name + "' has " +
                             Twine(kernel.params.size()) + " parameters, got " +
                             Twine(arguments.size()) + " arguments");
  LaunchArguments result;
  ExtentBinder extents(kernel);
  for (auto [param, argument] : zip_equal(kernel.params, arguments)) {
    auto *view = std::get_if<host::View>(&argument);
    BoundArgument &bound = result.bound.args.emplace_back();
    if (param.isView() != (view != nullptr))
      return makeParamError(param, param.isView() ? "expected a view"
                                                  : "expected a scalar");
    if (!view) {
      Expected<uint64_t> bits =
          getScalarBits(argument, *param.element.getScalar());
      if (!bits)
        return makeParamError(param, toString(bits.takeError()));
      bound.scalarBits = *bits;
      result.slots.push_back(KernelArg::scalar(*bits));
      continue;
    }
    auto &buffer = *static_cast<BufferState *>(view->buffer.get());
    if (Error error = extents.bindShape(param, view->shape))
      return error;
    if (Error error = checkSize(param, *view, buffer.buffer->getSize()))
      return error;
    result.slots.push_back(KernelArg::view(*buffer.buffer));
  }
  if (std::optional<unsigned> missing = extents.findMissing())
    return createStringError("no view gives the extent '" +
                             kernel.extents[*missing] + "' of kernel '" +
                             kernel.name + "'");
  result.bound.extents = extents.getValues();
  result.bound.pitches = extents.getPitches(
      std::vector<std::optional<int64_t>>(kernel.pitches.size()));
  for (int64_t value :
       concat<int64_t>(result.bound.extents, result.bound.pitches))
    result.slots.push_back(KernelArg::scalar(value));
  return result;
}

host::Status
host::Kernel::launch(const std::vector<Argument> &arguments,
                     std::optional<std::array<uint64_t, 3>> grid) const {
  Expected<LaunchArguments> bound = bindHost(*state->manifest, arguments);
  if (!bound)
    return makeStatus(bound.takeError());
  Expected<LaunchConfig> config =
      makeLaunchConfig(*state->manifest, bound->bound, grid);
  if (!config)
    return makeStatus(config.takeError());
  return makeStatus(
      state->program->device->launch(*state->kernel, *config, bound->slots));
}
