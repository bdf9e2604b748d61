//===- Kernel.cpp - Launches of the host API ------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "coll/Runtime/Arguments.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static std::string formatType(const KernelManifest &kernel,
                              const ParamManifest &param) {
  if (!param.isView())
    return param.element.name;
  std::string dims =
      llvm::join(llvm::map_range(param.dims,
                                 [&](const ViewDim &dim) {
                                   return dim.extent
                                              ? kernel.extents[*dim.extent]
                                              : std::to_string(dim.constant);
                                 }),
                 ", ");
  if (param.pitch)
    dims += "; pitch " + kernel.pitches[*param.pitch];
  std::string access = param.access == ParamAccess::Mut     ? "mut "
                       : param.access == ParamAccess::Inout ? "inout "
                                                            : "";
  return access + "[" + dims + "]" + param.element.name;
}

const std::string &v0::Kernel::name() const { return state->manifest->name; }

std::string v0::Kernel::signature() const {
  const KernelManifest &kernel = *state->manifest;
  std::string text = kernel.name + "(";
  llvm::ListSeparator separator;
  for (const ParamManifest &param : kernel.params) {
    text += llvm::StringRef(separator);
    text += param.name + ": " + formatType(kernel, param);
  }
  return text + ")";
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether C++ elements of type `given` can be this scalar in memory.
static bool fitsScalar(v0::ElementType given, ScalarType type) {
  if (given.size != getScalarTypeSize(type))
    return false;
  switch (given.kind) {
  case v0::ElementKind::Bool:
    return type == ScalarType::Bool;
  case v0::ElementKind::Signed:
    return isSignedIntegerType(type);
  case v0::ElementKind::Float:
    return isFloatType(type);
  case v0::ElementKind::Unsigned:
    // As raw bits for what C++ has no type for.
    return type == ScalarType::F16 || type == ScalarType::BF16 ||
           (!isFloatType(type) && !isSignedIntegerType(type));
  case v0::ElementKind::Untyped:
  case v0::ElementKind::Other:
    return true;
  }
  llvm_unreachable("unknown kind of element");
}

static bool fitsElement(v0::ElementType given, const StorageType &element) {
  if (given.kind == v0::ElementKind::Untyped)
    return true;
  if (given.kind == v0::ElementKind::Other)
    return given.size == element.sizeBytes;
  return llvm::all_of(element.leaves, [&](const StorageLeaf &leaf) {
    return fitsScalar(given, leaf.type);
  });
}

/// "i32", "f64", "a class of 12 bytes".
static std::string describe(v0::ElementType type) {
  const char *prefix = type.kind == v0::ElementKind::Signed     ? "i"
                       : type.kind == v0::ElementKind::Unsigned ? "u"
                                                                : "f";
  if (type.kind == v0::ElementKind::Bool)
    return "bool";
  if (type.kind == v0::ElementKind::Other)
    return "a class of " + std::to_string(type.size) + " bytes";
  return prefix + std::to_string(8 * type.size);
}

static const llvm::fltSemantics &getSemantics(ScalarType type) {
  switch (type) {
  case ScalarType::F16:
    return llvm::APFloat::IEEEhalf();
  case ScalarType::BF16:
    return llvm::APFloat::BFloat();
  case ScalarType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

/// A value of a floating-point type: rounded to nearest even if it is a float,
/// exact if it is an integer.
static std::optional<uint64_t>
convertToFloat(llvm::APFloat value, ScalarType type, bool mustBeExact) {
  bool losesInfo = false;
  value.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  if (losesInfo && mustBeExact)
    return std::nullopt;
  return value.bitcastToAPInt().getZExtValue();
}

/// The bits of an integer as a parameter of this type, if that holds it.
static std::optional<uint64_t> convertInteger(uint64_t value, bool isSigned,
                                              ScalarType type) {
  bool isNegative = isSigned && static_cast<int64_t>(value) < 0;
  if (isFloatType(type)) {
    // Wide enough for all of them; the conversion to `type` is then the one
    // that rounds.
    llvm::APFloat wide(llvm::APFloat::IEEEquad());
    wide.convertFromAPInt(llvm::APInt(64, value), isSigned,
                          llvm::APFloat::rmNearestTiesToEven);
    return convertToFloat(std::move(wide), type, /*mustBeExact=*/true);
  }
  unsigned width = 8 * getScalarTypeSize(type);
  bool fits = isSignedIntegerType(type)
                  ? isNegative
                        ? llvm::isIntN(width, static_cast<int64_t>(value))
                        : llvm::isUIntN(width - 1, value)
                  : !isNegative && llvm::isUIntN(width, value);
  if (!fits)
    return std::nullopt;
  return value & llvm::maskTrailingOnes<uint64_t>(width);
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

namespace coll::v0 {
/// Binds the arguments of one launch to the parameters of a kernel.
class LaunchBinder {
public:
  LaunchBinder(const KernelState &state, const std::vector<Arg> &args)
      : state(state), kernel(*state.manifest), args(args),
        extents(kernel.extents.size()), pitches(kernel.pitches.size()) {
    bound.args.resize(kernel.params.size());
  }

  Expected<void> bind();
  Expected<LaunchConfig> configure(std::optional<Grid> grid) const;
  /// In the order of the kernel ABI.
  std::vector<KernelArg> getSlots() const;

private:
  using Failure = std::optional<Error>;
  /// A number that several arguments must agree on, and who said it first.
  struct Known {
    int64_t value;
    const ParamManifest *origin;
  };

  Failure bindScalar(const ParamManifest &param, const Arg &arg,
                     uint64_t &bits) const;
  Failure bindView(const ParamManifest &param, const View &view);
  Failure bindNumber(std::optional<Known> &known, llvm::StringRef what,
                     int64_t value, const ParamManifest &param) const;
  Failure bindPitch(const ParamManifest &param, const View &view,
                    int64_t rowLength);
  Failure checkBounds(const ParamManifest &param, const View &view,
                      llvm::ArrayRef<int64_t> shape, int64_t pitch) const;
  Failure checkOverlaps() const;
  Failure checkOverlap(unsigned first, unsigned second) const;
  Expected<std::vector<int64_t>> getShape(const ParamManifest &param,
                                          const View &view) const;

  Error fail(const llvm::Twine &message) const {
    return makeUsageError("launch of '" + kernel.name + "': " + message);
  }
  Error fail(const ParamManifest &param, const llvm::Twine &message) const {
    return fail("parameter '" + param.name + "': " + message);
  }

  const KernelState &state;
  const KernelManifest &kernel;
  const std::vector<Arg> &args;
  std::vector<std::optional<Known>> extents, pitches;
  std::vector<std::vector<int64_t>> shapes; ///< Of all parameters.
  BoundArguments bound;
};

std::optional<Error> LaunchBinder::bindScalar(const ParamManifest &param,
                                              const Arg &arg,
                                              uint64_t &bits) const {
  ScalarType type = *param.element.getScalar();
  std::optional<uint64_t> converted;
  std::string given;
  switch (arg.scalarKind) {
  case ElementKind::Bool:
    given = arg.integer ? "true" : "false";
    if (type == ScalarType::Bool)
      converted = arg.integer;
    break;
  case ElementKind::Float:
    given = "a floating-point number";
    if (isFloatType(type))
      converted = convertToFloat(llvm::APFloat(arg.floating), type,
                                 /*mustBeExact=*/false);
    break;
  default:
    bool isSigned = arg.scalarKind == ElementKind::Signed;
    given = isSigned ? std::to_string(static_cast<int64_t>(arg.integer))
                     : std::to_string(arg.integer);
    if (type != ScalarType::Bool)
      converted = convertInteger(arg.integer, isSigned, type);
    break;
  }
  if (!converted)
    return fail(param, "expected a value of type " + param.element.name +
                           ", got " + given);
  bits = *converted;
  return std::nullopt;
}

Expected<std::vector<int64_t>>
LaunchBinder::getShape(const ParamManifest &param, const View &view) const {
  if (view.shape)
    return *view.shape;
  if (param.dims.size() != 1)
    return fail(param, "a buffer without a shape for " +
                           llvm::Twine(param.dims.size()) +
                           " dimensions: give buffer.view(...)");
  uint64_t size = view.buffer->buffer->getSize();
  if (size % param.element.sizeBytes != 0)
    return fail(param, "the buffer has " + llvm::Twine(size) +
                           " bytes, which are no whole number of elements of " +
                           llvm::Twine(param.element.sizeBytes) + " bytes");
  return std::vector<int64_t>{
      static_cast<int64_t>(size / param.element.sizeBytes)};
}

std::optional<Error>
LaunchBinder::bindNumber(std::optional<Known> &known, llvm::StringRef what,
                         int64_t value, const ParamManifest &param) const {
  if (!known)
    known = Known{value, &param};
  if (known->value == value)
    return std::nullopt;
  return fail(param, what + " is " + llvm::Twine(value) + " here but " +
                         llvm::Twine(known->value) + " in '" +
                         known->origin->name + "'");
}

std::optional<Error> LaunchBinder::bindPitch(const ParamManifest &param,
                                             const View &view,
                                             int64_t rowLength) {
  int64_t pitch = view.rowPitch.value_or(rowLength);
  if (pitch < rowLength)
    return fail(param, "the pitch is " + llvm::Twine(pitch) +
                           ", less than a row of " + llvm::Twine(rowLength));
  if (param.pitch)
    return bindNumber(pitches[*param.pitch],
                      "pitch '" + kernel.pitches[*param.pitch] + "'", pitch,
                      param);
  if (pitch != rowLength)
    return fail(param, "a view with a pitch, but the kernel takes dense rows");
  return std::nullopt;
}

/// The last element that the shape reaches must lie in the buffer.
std::optional<Error> LaunchBinder::checkBounds(const ParamManifest &param,
                                               const View &view,
                                               llvm::ArrayRef<int64_t> shape,
                                               int64_t pitch) const {
  if (llvm::is_contained(shape, 0))
    return std::nullopt;
  uint64_t rows = 1;
  bool overflows = false, overflowed = false;
  auto multiply = [&](uint64_t lhs, uint64_t rhs) {
    uint64_t product = llvm::SaturatingMultiply(lhs, rhs, &overflowed);
    overflows |= overflowed;
    return product;
  };
  for (int64_t extent : shape.drop_back(shape.empty() ? 0 : 1))
    rows = multiply(rows, extent);
  uint64_t last = shape.empty() ? 1 : shape.back();
  uint64_t count =
      llvm::SaturatingAdd(multiply(rows - 1, pitch), last, &overflowed);
  overflows |= overflowed;
  uint64_t needed = multiply(count, param.element.sizeBytes);
  uint64_t size = view.buffer->buffer->getSize();
  if (!overflows && needed <= size)
    return std::nullopt;
  return fail(param, "the shape " + formatShape(shape) + " of " +
                         param.element.name + " needs " +
                         (overflows ? "more than 2^64" : llvm::utostr(needed)) +
                         " bytes, the buffer has " + llvm::Twine(size));
}

std::optional<Error> LaunchBinder::bindView(const ParamManifest &param,
                                            const View &view) {
  if (view.buffer->device != state.module->device)
    return fail(param, "the buffer is on " + view.buffer->device->info.id +
                           " (opened elsewhere), the kernel on " +
                           state.module->device->info.id);
  if (!fitsElement(view.type, param.element))
    return fail(param, "expected elements of type " + param.element.name +
                           ", got " + describe(view.type));
  Expected<std::vector<int64_t>> shape = getShape(param, view);
  if (!shape)
    return shape.error();
  if (shape->size() != param.dims.size())
    return fail(param,
                "expected " + llvm::Twine(param.dims.size()) +
                    (param.dims.size() == 1 ? " dimension" : " dimensions") +
                    ", got the shape " + formatShape(*shape));
  for (auto [dim, extent] : llvm::zip_equal(param.dims, *shape)) {
    if (extent < 0)
      return fail(param,
                  "a negative extent in the shape " + formatShape(*shape));
    if (!dim.extent && dim.constant != extent)
      return fail(param, "expected the extent " + llvm::Twine(dim.constant) +
                             ", got the shape " + formatShape(*shape));
    if (!dim.extent)
      continue;
    if (Failure failure = bindNumber(
            extents[*dim.extent],
            "extent '" + kernel.extents[*dim.extent] + "'", extent, param))
      return failure;
  }
  int64_t rowLength = shape->empty() ? 1 : shape->back();
  if (Failure failure = bindPitch(param, view, rowLength))
    return failure;
  if (Failure failure =
          checkBounds(param, view, *shape, view.rowPitch.value_or(rowLength)))
    return failure;
  shapes.push_back(std::move(*shape));
  return std::nullopt;
}

std::optional<Error> LaunchBinder::checkOverlap(unsigned first,
                                                unsigned second) const {
  const ParamManifest &lhs = kernel.params[first];
  const ParamManifest &rhs = kernel.params[second];
  if (args[first].view->buffer != args[second].view->buffer ||
      (!lhs.isWritten() && !rhs.isWritten()))
    return std::nullopt;
  bool mayShare =
      (lhs.access == ParamAccess::Inout || rhs.access == ParamAccess::Inout) &&
      lhs.element == rhs.element && shapes[first] == shapes[second];
  if (mayShare)
    return std::nullopt;
  return fail("parameters '" + lhs.name + "' and '" + rhs.name +
              "' are the same buffer, and the kernel writes '" +
              (rhs.isWritten() ? rhs : lhs).name + "'");
}

/// Views may overlap only if none of them is written, but an `inout` one may be
/// the very buffer of one other.
std::optional<Error> LaunchBinder::checkOverlaps() const {
  for (unsigned first = 0; first != args.size(); ++first) {
    unsigned shares = 0;
    for (unsigned second = 0; second != args.size(); ++second) {
      if (first == second || !args[first].view || !args[second].view)
        continue;
      if (Failure failure = checkOverlap(first, second))
        return failure;
      shares += args[first].view->buffer == args[second].view->buffer;
    }
    if (kernel.params[first].access == ParamAccess::Inout && shares > 1)
      return fail(kernel.params[first],
                  "an inout view may share its buffer with one other "
                  "parameter, not with " +
                      llvm::Twine(shares));
  }
  return std::nullopt;
}

Expected<void> LaunchBinder::bind() {
  if (args.size() != kernel.params.size())
    return fail("expected " + llvm::Twine(kernel.params.size()) +
                " arguments, got " + llvm::Twine(args.size()));
  for (auto [param, arg, slot] :
       llvm::zip_equal(kernel.params, args, bound.args)) {
    if (param.isView() != arg.view.has_value())
      return fail(param, "expected a " +
                             llvm::Twine(param.isView() ? "view" : "scalar") +
                             " (" + formatType(kernel, param) + "), got a " +
                             (arg.view ? "view" : "scalar"));
    if (!param.isView())
      shapes.emplace_back();
    if (Failure failure = param.isView()
                              ? bindView(param, *arg.view)
                              : bindScalar(param, arg, slot.scalarBits))
      return *failure;
  }
  if (Failure failure = checkOverlaps())
    return *failure;
  // Every extent and every pitch is named by a view.
  for (const std::optional<Known> &extent : extents)
    bound.extents.push_back(extent ? extent->value : 0);
  for (const std::optional<Known> &pitch : pitches)
    bound.pitches.push_back(pitch ? pitch->value : 0);
  return {};
}

Expected<LaunchConfig> LaunchBinder::configure(std::optional<Grid> grid) const {
  if (!grid && kernel.grid.empty())
    return fail("the kernel has no grid clause: pass a coll::Grid before the "
                "arguments");
  std::optional<std::array<uint64_t, 3>> blocks;
  if (grid)
    blocks = {grid->x, grid->y, grid->z};
  llvm::Expected<LaunchConfig> config = makeLaunchConfig(kernel, bound, blocks);
  if (!config)
    return makeError(config.takeError(), ErrorKind::Usage,
                     "launch of '" + llvm::Twine(kernel.name) + "'");
  if (llvm::Error error = sizeMemory(*config, *state.kernel, kernel, bound))
    return makeError(std::move(error), ErrorKind::Usage,
                     "launch of '" + llvm::Twine(kernel.name) + "'");
  return *config;
}

std::vector<KernelArg> LaunchBinder::getSlots() const {
  std::vector<KernelArg> slots;
  for (auto [arg, value] : llvm::zip_equal(args, bound.args))
    slots.push_back(arg.view ? KernelArg::view(*arg.view->buffer->buffer)
                             : KernelArg::scalar(value.scalarBits));
  for (int64_t value :
       llvm::concat<const int64_t>(bound.extents, bound.pitches))
    slots.push_back(KernelArg::scalar(value));
  return slots;
}
} // namespace coll::v0

v0::Expected<void> v0::Kernel::launchWith(const std::vector<Arg> &args,
                                          std::optional<Grid> grid) const {
  LaunchBinder binder(*state, args);
  Expected<void> bound = binder.bind();
  if (!bound)
    return bound;
  Expected<LaunchConfig> config = binder.configure(grid);
  if (!config)
    return config.error();
  DeviceState &device = *state->module->device;
  std::lock_guard<std::mutex> lock(device.mutex);
  if (llvm::Error error =
          device.device->launch(*state->kernel, *config, binder.getSlots()))
    return makeError(std::move(error), ErrorKind::Usage,
                     "launch of '" + llvm::Twine(name()) + "' on " +
                         device.info.id);
  return {};
}
