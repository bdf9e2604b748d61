//===- Extents.cpp - Extents that shapes give and must agree on -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Extents.h"
#include "coll/Runtime/HostArray.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace llvm;

Error coll::makeParamError(const ParamManifest &param, const Twine &message) {
  return createStringError("parameter '" + param.name + "': " + message);
}

Error ExtentBinder::bind(unsigned extent, int64_t value, StringRef origin) {
  std::optional<KnownExtent> &slot = known[extent];
  if (!slot) {
    slot = KnownExtent{value, origin.str()};
    return Error::success();
  }
  if (slot->value == value)
    return Error::success();
  return createStringError("extent '" + kernel.extents[extent] + "' is " +
                           Twine(slot->value) + " from " + slot->origin +
                           " but " + Twine(value) + " from " + origin);
}

Error ExtentBinder::bindShape(const ParamManifest &param,
                              ArrayRef<int64_t> shape) {
  if (shape.size() != param.dims.size())
    return makeParamError(
        param, "expected " + Twine(param.dims.size()) +
                   (param.dims.size() == 1 ? " dimension" : " dimensions") +
                   ", got the shape " + formatShape(shape));
  for (auto [dim, extent] : zip_equal(param.dims, shape)) {
    if (dim.extent) {
      if (Error error = bind(*dim.extent, extent, "'" + param.name + "'"))
        return error;
    } else if (dim.constant != extent) {
      return makeParamError(param, "expected the extent " +
                                       Twine(dim.constant) +
                                       ", got the shape " + formatShape(shape));
    }
  }
  return Error::success();
}

std::optional<int64_t> ExtentBinder::get(const ViewDim &dim) const {
  if (!dim.extent)
    return dim.constant;
  if (!known[*dim.extent])
    return std::nullopt;
  return known[*dim.extent]->value;
}

SmallVector<StringRef> ExtentBinder::getMissing() const {
  SmallVector<StringRef> names;
  for (auto [name, extent] : zip_equal(kernel.extents, known))
    if (!extent)
      names.push_back(name);
  return names;
}

std::vector<int64_t> ExtentBinder::getValues() const {
  std::vector<int64_t> values;
  for (const std::optional<KnownExtent> &extent : known)
    values.push_back(extent->value);
  return values;
}

std::vector<int64_t> ExtentBinder::getShape(const ParamManifest &param) const {
  std::vector<int64_t> shape;
  for (const ViewDim &dim : param.dims)
    shape.push_back(*get(dim));
  return shape;
}

std::vector<int64_t>
ExtentBinder::getPitches(ArrayRef<std::optional<int64_t>> given) const {
  std::vector<int64_t> pitches;
  for (auto [index, pitch] : enumerate(given)) {
    int64_t widest = 0;
    for (const ParamManifest &param : kernel.params)
      if (param.pitch == index)
        widest = std::max(widest, *get(param.dims.back()));
    pitches.push_back(pitch.value_or(widest));
  }
  return pitches;
}
