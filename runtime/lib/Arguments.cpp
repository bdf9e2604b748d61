//===- Arguments.cpp - The arguments of a launch from the command line ----===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/Arguments.h"
#include "Extents.h"
#include "coll/Runtime/Npy.h"
#include "coll/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace llvm;

Expected<NamedValue> NamedValue::parse(StringRef text, StringRef option) {
  auto [name, value] = text.split('=');
  if (name.empty() || !text.contains('='))
    return createStringError(option + " expects NAME=VALUE, got '" + text +
                             "'");
  return NamedValue{name.str(), value.str()};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// What a view starts with.
struct ArraySource {
  enum Kind { NpyFile, RawFile, Iota, Zeros, Full, Random };
  Kind kind = Zeros;
  std::string text; ///< The path, or the value of `full`.
  uint64_t seed = 0;
};
} // namespace

/// `name(operand)` with this name: the operand.
static std::optional<StringRef> matchCall(StringRef text, StringRef name) {
  if (!text.consume_front(name) || !text.consume_front("(") ||
      !text.consume_back(")"))
    return std::nullopt;
  return text.trim();
}

/// `@FILE.npy` or `@FILE:TYPE`, without the `@`.
static Expected<ArraySource> parseFile(StringRef text,
                                       const StorageType &element) {
  auto [path, typeName] = text.rsplit(':');
  std::optional<ScalarType> type =
      text.contains(':') ? parseScalarType(typeName) : std::nullopt;
  if (!type) {
    if (text.ends_with(".npy"))
      return ArraySource{ArraySource::NpyFile, text.str(), 0};
    return createStringError("'@" + text +
                             "' names no type: expected @FILE.npy, or "
                             "@FILE:TYPE for raw data such as @FILE:u8");
  }
  if (any_of(element.leaves,
             [&](const StorageLeaf &leaf) { return leaf.type != *type; }))
    return createStringError("raw data of type " + typeName +
                             " for elements of type " + element.name);
  return ArraySource{ArraySource::RawFile, path.str(), 0};
}

static Expected<ArraySource> parseSource(StringRef text,
                                         const StorageType &element) {
  ArraySource source;
  if (text.consume_front("@"))
    return parseFile(text, element);
  if (text == "iota") {
    source.kind = ArraySource::Iota;
  } else if (text == "zeros") {
    source.kind = ArraySource::Zeros;
  } else if (std::optional<StringRef> value = matchCall(text, "full")) {
    source.kind = ArraySource::Full;
    source.text = value->str();
  } else if (std::optional<StringRef> seed = matchCall(text, "random")) {
    source.kind = ArraySource::Random;
    if (seed->getAsInteger(0, source.seed))
      return createStringError("expected an unsigned 64-bit seed, got '" +
                               *seed + "'");
  } else {
    return createStringError("expected @FILE.npy, @FILE:TYPE, iota, zeros, "
                             "full(VALUE) or random(SEED), got '" +
                             text + "'");
  }
  return source;
}

static Error generate(HostArray &array, const ArraySource &source) {
  switch (source.kind) {
  case ArraySource::Iota:
    fillIota(array);
    return Error::success();
  case ArraySource::Full:
    return fillConstant(array, source.text);
  case ArraySource::Random:
    fillRandom(array, source.seed);
    return Error::success();
  case ArraySource::Zeros:
    return Error::success();
  case ArraySource::NpyFile:
  case ArraySource::RawFile:
    break;
  }
  llvm_unreachable("files are read, not generated");
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

namespace {
/// Binds the arguments of one launch, step by step, as one knows more.
class Binder {
public:
  explicit Binder(const KernelManifest &kernel)
      : kernel(kernel), extents(kernel), knownPitches(kernel.pitches.size()),
        sources(kernel.params.size()), files(kernel.params.size()) {
    result.args.resize(kernel.params.size());
  }

  Expected<BoundArguments> bind(ArrayRef<NamedValue> values,
                                ArrayRef<NamedValue> extentValues);

private:
  Error takeExtents(ArrayRef<NamedValue> values);
  Error takeValues(ArrayRef<NamedValue> values);
  Error takeValue(unsigned index, StringRef text);
  Error readNpyFiles();
  Error readRawFiles();
  Error fitRawFile(unsigned index);
  Error finishExtents();
  Error makeArray(unsigned index);

  Error unknownName(StringRef what, StringRef name,
                    ArrayRef<StringRef> candidates) const;

  const KernelManifest &kernel;
  ExtentBinder extents;
  std::vector<std::optional<int64_t>> knownPitches;
  std::vector<std::optional<ArraySource>> sources;
  std::vector<std::optional<HostArray>> files; ///< Read, before their place.
  BoundArguments result;
};
} // namespace

Error Binder::unknownName(StringRef what, StringRef name,
                          ArrayRef<StringRef> candidates) const {
  StringRef near = nearestName(name, candidates);
  std::string offer =
      near.empty() ? "" : "; did you mean '" + near.str() + "'?";
  return createStringError("kernel '" + kernel.name + "' has no " + what +
                           " '" + name + "'" + offer);
}

Error Binder::takeExtents(ArrayRef<NamedValue> values) {
  for (const NamedValue &extent : values) {
    int64_t value;
    if (StringRef(extent.value).getAsInteger(10, value) || value < 0)
      return createStringError("--extent " + extent.name +
                               " expects a number from 0 up, got '" +
                               extent.value + "'");
    auto name = find(kernel.extents, extent.name);
    auto pitch = find(kernel.pitches, extent.name);
    if (name == kernel.extents.end() && pitch == kernel.pitches.end()) {
      SmallVector<StringRef> names(kernel.extents.begin(),
                                   kernel.extents.end());
      append_range(names, kernel.pitches);
      return unknownName("extent", extent.name, names);
    }
    if (name != kernel.extents.end())
      if (Error error =
              extents.bind(name - kernel.extents.begin(), value, "--extent"))
        return error;
    if (pitch != kernel.pitches.end())
      knownPitches[pitch - kernel.pitches.begin()] = value;
  }
  return Error::success();
}

Error Binder::takeValue(unsigned index, StringRef text) {
  const ParamManifest &param = kernel.params[index];
  if (!param.isView()) {
    Expected<uint64_t> bits = parseScalarBits(text, *param.element.getScalar());
    if (!bits)
      return makeParamError(param, toString(bits.takeError()));
    result.args[index].scalarBits = *bits;
    return Error::success();
  }
  Expected<ArraySource> source = parseSource(text, param.element);
  if (!source)
    return makeParamError(param, toString(source.takeError()));
  sources[index] = std::move(*source);
  return Error::success();
}

Error Binder::takeValues(ArrayRef<NamedValue> values) {
  std::vector<bool> isGiven(kernel.params.size());
  for (const NamedValue &value : values) {
    auto param = find_if(kernel.params, [&](const ParamManifest &param) {
      return param.name == value.name;
    });
    if (param == kernel.params.end()) {
      SmallVector<StringRef> names;
      for (const ParamManifest &param : kernel.params)
        names.push_back(param.name);
      return unknownName("parameter", value.name, names);
    }
    unsigned index = param - kernel.params.begin();
    if (isGiven[index])
      return makeParamError(*param, "it is given twice");
    isGiven[index] = true;
    if (Error error = takeValue(index, value.value))
      return error;
  }
  SmallVector<const ParamManifest *> missing;
  for (auto [index, param] : enumerate(kernel.params)) {
    if (isGiven[index])
      continue;
    if (param.access != ParamAccess::Mut)
      missing.push_back(&param);
    sources[index] = ArraySource();
  }
  if (missing.empty())
    return Error::success();
  if (missing.size() == 1)
    return makeParamError(*missing.front(), "it needs a value: --arg " +
                                                missing.front()->name + "=...");
  std::string message =
      "parameters of kernel '" + kernel.name + "' need values:";
  for (const ParamManifest *param : missing)
    message += " --arg " + param->name + "=...";
  return createStringError(message);
}

Error Binder::readNpyFiles() {
  for (auto [index, param] : enumerate(kernel.params)) {
    if (!sources[index] || sources[index]->kind != ArraySource::NpyFile)
      continue;
    Expected<HostArray> array =
        readNpyFile(sources[index]->text, param.element);
    if (!array)
      return makeParamError(param, toString(array.takeError()));
    if (Error error = extents.bindShape(param, array->getShape()))
      return error;
    files[index] = std::move(*array);
  }
  return Error::success();
}

/// The number of elements of a raw file gives the one extent that is not known
/// yet.
Error Binder::fitRawFile(unsigned index) {
  const ParamManifest &param = kernel.params[index];
  uint64_t rest = files[index]->getCount();
  uint64_t product = 1;
  std::optional<unsigned> open;
  for (const ViewDim &dim : param.dims) {
    if (std::optional<int64_t> value = extents.get(dim)) {
      product = SaturatingMultiply<uint64_t>(product, *value);
    } else if (open) {
      return makeParamError(param, "raw data has no shape: give --extent " +
                                       kernel.extents[*open] +
                                       "=... or --extent " +
                                       kernel.extents[*dim.extent] + "=...");
    } else {
      open = dim.extent;
    }
  }
  if (!open && product != rest)
    return makeParamError(param, "its extents ask for " + Twine(product) +
                                     " elements, the file '" +
                                     sources[index]->text + "' has " +
                                     Twine(rest));
  if (!open)
    return Error::success();
  if (product == 0 || rest % product != 0)
    return makeParamError(
        param, "the file '" + sources[index]->text + "' has " + Twine(rest) +
                   " elements, which are no whole number of " + Twine(product));
  return extents.bind(*open, rest / product, "'" + param.name + "'");
}

Error Binder::readRawFiles() {
  for (auto [index, param] : enumerate(kernel.params)) {
    if (!sources[index] || sources[index]->kind != ArraySource::RawFile)
      continue;
    Expected<HostArray> array =
        readRawFile(sources[index]->text, param.element);
    if (!array)
      return makeParamError(param, toString(array.takeError()));
    files[index] = std::move(*array);
    if (Error error = fitRawFile(index))
      return error;
  }
  return Error::success();
}

Error Binder::finishExtents() {
  SmallVector<StringRef> missing = extents.getMissing();
  if (!missing.empty()) {
    bool isOne = missing.size() == 1;
    std::string flags;
    for (StringRef name : missing)
      flags += (" --extent " + name + "=...").str();
    return createStringError(
        Twine(isOne ? "extent '" : "extents '") + join(missing, "', '") +
        "' of kernel '" + kernel.name + "' " +
        (isOne ? "has no value: give" : "have no values: give") + flags +
        (isOne ? ", or a file whose shape has it"
               : ", or files whose shapes have them"));
  }
  result.extents = extents.getValues();
  result.pitches = extents.getPitches(knownPitches);
  return Error::success();
}

Error Binder::makeArray(unsigned index) {
  const ParamManifest &param = kernel.params[index];
  std::optional<int64_t> pitch;
  if (param.pitch)
    pitch = result.pitches[*param.pitch];
  Expected<HostArray> array =
      HostArray::create(param.element, extents.getShape(param), pitch);
  if (!array)
    return makeParamError(param, toString(array.takeError()));
  if (files[index])
    array->setDenseBytes(files[index]->getBytes());
  else if (Error error = generate(*array, *sources[index]))
    return makeParamError(param, toString(std::move(error)));
  files[index].reset();
  result.args[index].array = std::move(*array);
  return Error::success();
}

Expected<BoundArguments> Binder::bind(ArrayRef<NamedValue> values,
                                      ArrayRef<NamedValue> extentValues) {
  if (Error error = takeExtents(extentValues))
    return error;
  if (Error error = takeValues(values))
    return error;
  if (Error error = readNpyFiles())
    return error;
  if (Error error = readRawFiles())
    return error;
  if (Error error = finishExtents())
    return error;
  for (unsigned index = 0; index != kernel.params.size(); ++index)
    if (kernel.params[index].isView())
      if (Error error = makeArray(index))
        return error;
  return std::move(result);
}

Expected<BoundArguments> coll::bindArguments(const KernelManifest &kernel,
                                             ArrayRef<NamedValue> values,
                                             ArrayRef<NamedValue> extents) {
  return Binder(kernel).bind(values, extents);
}
