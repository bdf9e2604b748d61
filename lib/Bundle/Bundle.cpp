//===- Bundle.cpp - Images of kernels and what a launch must know ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Bundle/Bundle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace llvm;

namespace {
struct ScalarInfo {
  StringLiteral name;
  unsigned size;
};
} // namespace

/// In the order of ScalarType.
static constexpr ScalarInfo scalarTable[numScalarTypes] = {
    {"bool", 1}, {"i8", 1},  {"i16", 2}, {"i32", 4}, {"i64", 8},
    {"u8", 1},   {"u16", 2}, {"u32", 4}, {"u64", 8}, {"f16", 2},
    {"bf16", 2}, {"f32", 4}, {"f64", 8},
};

StringRef coll::getScalarTypeName(ScalarType type) {
  return scalarTable[static_cast<unsigned>(type)].name;
}

std::optional<ScalarType> coll::parseScalarType(StringRef name) {
  for (unsigned i = 0; i != numScalarTypes; ++i)
    if (scalarTable[i].name == name)
      return static_cast<ScalarType>(i);
  return std::nullopt;
}

unsigned coll::getScalarTypeSize(ScalarType type) {
  return scalarTable[static_cast<unsigned>(type)].size;
}

bool coll::isFloatType(ScalarType type) { return type >= ScalarType::F16; }

bool coll::isSignedIntegerType(ScalarType type) {
  return type >= ScalarType::I8 && type <= ScalarType::I64;
}

StorageType StorageType::scalar(ScalarType type) {
  unsigned size = getScalarTypeSize(type);
  return {getScalarTypeName(type).str(), size, size, {{"", type, 0}}};
}

std::optional<ScalarType> StorageType::getScalar() const {
  if (leaves.size() != 1 || leaves[0].offset != 0 ||
      sizeBytes != getScalarTypeSize(leaves[0].type))
    return std::nullopt;
  return leaves[0].type;
}

StringRef coll::getImageKindName(ImageKind kind) {
  switch (kind) {
  case ImageKind::PTX:
    return "ptx";
  case ImageKind::Cubin:
    return "cubin";
  case ImageKind::HSACO:
    return "hsaco";
  case ImageKind::CollIR:
    return "collir";
  }
  llvm_unreachable("unknown image kind");
}

const ImageEntry *Image::findEntry(StringRef kernel) const {
  auto it = find_if(
      entries, [&](const ImageEntry &entry) { return entry.kernel == kernel; });
  return it == entries.end() ? nullptr : &*it;
}

const KernelManifest *Bundle::findKernel(StringRef name) const {
  auto it = find_if(kernels, [&](const KernelManifest &kernel) {
    return kernel.name == name;
  });
  return it == kernels.end() ? nullptr : &*it;
}

const Image *Bundle::findImage(StringRef targetName) const {
  auto it = find_if(images, [&](const Image &image) {
    return image.targetName == targetName;
  });
  return it == images.end() ? nullptr : &*it;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Names must be non-empty text, each once in its list.
static Error checkNewName(StringRef name, const Twine &what,
                          StringSet<> &seen) {
  if (name.empty())
    return createStringError(what + " has an empty name");
  if (!json::isUTF8(name))
    return createStringError(what + " has a name that is not UTF-8");
  if (!seen.insert(name).second)
    return createStringError(what + " '" + name + "' is there twice");
  return Error::success();
}

static Error checkElement(const StorageType &element, const Twine &where) {
  if (!json::isUTF8(element.name))
    return createStringError(where + " has a type name that is not UTF-8");
  if (element.sizeBytes == 0 || !isPowerOf2_64(element.align) ||
      element.sizeBytes % element.align != 0)
    return createStringError(where + ": size " + Twine(element.sizeBytes) +
                             " and alignment " + Twine(element.align) +
                             " do not fit together");
  if (element.leaves.empty())
    return createStringError(where + ": element has no leaves");
  uint64_t end = 0;
  for (const StorageLeaf &leaf : element.leaves) {
    uint64_t size = getScalarTypeSize(leaf.type);
    if (!json::isUTF8(leaf.path) || leaf.offset < end ||
        leaf.offset > element.sizeBytes ||
        element.sizeBytes - leaf.offset < size)
      return createStringError(where + ": leaf '" + leaf.path + "' at offset " +
                               Twine(leaf.offset) +
                               " is outside the element or overlaps another");
    end = leaf.offset + size;
  }
  return Error::success();
}

static Error checkParam(const ParamManifest &param,
                        const KernelManifest &kernel) {
  std::string where =
      "parameter '" + param.name + "' of kernel '" + kernel.name + "'";
  if (Error error = checkElement(param.element, where))
    return error;
  if (!param.isView()) {
    if (!param.element.getScalar())
      return createStringError(where + " is no view and not one scalar");
    if (!param.dims.empty() || param.pitch || param.isWritten())
      return createStringError(where + " is a scalar with a view's properties");
    return Error::success();
  }
  for (const ViewDim &dim : param.dims) {
    if (dim.extent && *dim.extent >= kernel.extents.size())
      return createStringError(where + ": extent " + Twine(*dim.extent) +
                               " of " + Twine(kernel.extents.size()));
    if (!dim.extent && dim.constant < 0)
      return createStringError(where + " has the negative dimension " +
                               Twine(dim.constant));
  }
  if (param.dims.empty())
    return createStringError(where + " is a view without dimensions");
  if (param.pitch && *param.pitch >= kernel.pitches.size())
    return createStringError(where + ": pitch " + Twine(*param.pitch) + " of " +
                             Twine(kernel.pitches.size()));
  return Error::success();
}

/// A launch expression may use what the host knows: extents, pitches and
/// scalars that are integers or bool, and where it is given one `other` name.
static Error checkExpr(const LaunchExpr &expr, const KernelManifest &kernel,
                       StringRef other = {}) {
  for (const std::string &name : expr.getNames()) {
    if (is_contained(kernel.extents, name) ||
        is_contained(kernel.pitches, name) || name == other)
      continue;
    bool isScalar = any_of(kernel.params, [&](const ParamManifest &param) {
      return param.name == name && !param.isView() &&
             !isFloatType(*param.element.getScalar());
    });
    if (!isScalar)
      return createStringError(
          "launch expression '" + expr.str() + "' of kernel '" + kernel.name +
          "' uses '" + name +
          "', which is no extent, pitch or integer parameter");
  }
  return Error::success();
}

static Error checkKernel(const KernelManifest &kernel) {
  std::string owner = " of kernel '" + kernel.name + "'";
  StringSet<> paramNames, extentNames, pitchNames;
  for (const std::string &extent : kernel.extents)
    if (Error error = checkNewName(extent, "an extent" + owner, extentNames))
      return error;
  for (const std::string &pitch : kernel.pitches)
    if (Error error = checkNewName(pitch, "a pitch" + owner, pitchNames))
      return error;
  for (const ParamManifest &param : kernel.params) {
    if (Error error =
            checkNewName(param.name, "a parameter" + owner, paramNames))
      return error;
    if (Error error = checkParam(param, kernel))
      return error;
  }
  if (is_contained(kernel.workgroup, 0u))
    return createStringError("the workgroup" + owner + " has a 0 in it");
  if (kernel.grid.size() > 3)
    return createStringError("the grid" + owner + " has " +
                             Twine(kernel.grid.size()) +
                             " dimensions, expected at most 3");
  for (const LaunchExpr &expr : kernel.grid)
    if (Error error = checkExpr(expr, kernel))
      return error;
  if (kernel.dynamicShared)
    return checkExpr(*kernel.dynamicShared, kernel);
  return Error::success();
}

static Error checkImage(const Image &image, const Bundle &bundle) {
  if (!json::isUTF8(image.isa))
    return createStringError("the isa of image '" + image.targetName +
                             "' is not UTF-8");
  std::string owner = " of image '" + image.targetName + "'";
  StringSet<> kernels, symbols;
  for (const ImageEntry &entry : image.entries) {
    if (Error error = checkNewName(entry.kernel, "an entry" + owner, kernels))
      return error;
    if (Error error = checkNewName(entry.symbol, "a symbol" + owner, symbols))
      return error;
    const KernelManifest *kernel = bundle.findKernel(entry.kernel);
    if (!kernel)
      return createStringError("entry '" + entry.kernel + "'" + owner +
                               " has no manifest");
    if (is_contained(entry.cluster, 0u))
      return createStringError("the cluster of entry '" + entry.kernel + "'" +
                               owner + " has a 0 in it");
    if (entry.workspace)
      if (Error error = checkExpr(*entry.workspace, *kernel, gridCountName))
        return error;
  }
  return Error::success();
}

Error Bundle::verify() const {
  StringSet<> kernelNames, targetNames;
  for (const KernelManifest &kernel : kernels) {
    if (Error error = checkNewName(kernel.name, "a kernel", kernelNames))
      return error;
    if (Error error = checkKernel(kernel))
      return error;
  }
  for (const Image &image : images) {
    if (Error error = checkNewName(image.targetName + ":" +
                                       getImageKindName(image.kind).str(),
                                   "an image", targetNames))
      return error;
    if (image.targetName.empty() || !json::isUTF8(image.targetName))
      return createStringError("an image has no valid target name");
    if (Error error = checkImage(image, *this))
      return error;
  }
  return Error::success();
}
