//===- BundleFile.cpp - The bundle as the bytes of a file -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Bundle/Bundle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace coll;
using namespace llvm;
using namespace llvm::support;

static constexpr StringLiteral magic = "COLLBNDL";
static constexpr uint32_t formatVersion = 1;
static constexpr uint64_t headerSize = 24;
static constexpr uint64_t imageAlign = 16;
/// No manifest nests deeper than about ten; the JSON parser is recursive.
static constexpr unsigned maxNesting = 64;

static constexpr StringLiteral paramKindNames[] = {"scalar", "view"};
static constexpr StringLiteral accessNames[] = {"read", "mut", "inout"};

static constexpr ImageKind imageKinds[] = {ImageKind::PTX, ImageKind::Cubin,
                                           ImageKind::HSACO, ImageKind::CollIR};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeElement(json::OStream &out, const StorageType &element) {
  out.attributeObject("element", [&] {
    out.attribute("name", element.name);
    out.attribute("size", element.sizeBytes);
    out.attribute("align", element.align);
    out.attributeArray("leaves", [&] {
      for (const StorageLeaf &leaf : element.leaves)
        out.object([&] {
          out.attribute("path", leaf.path);
          out.attribute("type", getScalarTypeName(leaf.type));
          out.attribute("offset", leaf.offset);
        });
    });
  });
}

static void writeParam(json::OStream &out, const ParamManifest &param) {
  out.object([&] {
    out.attribute("name", param.name);
    out.attribute("kind", paramKindNames[static_cast<unsigned>(param.kind)]);
    out.attribute("access", accessNames[static_cast<unsigned>(param.access)]);
    writeElement(out, param.element);
    out.attributeArray("dims", [&] {
      for (const ViewDim &dim : param.dims)
        out.object([&] {
          if (dim.extent)
            out.attribute("extent", *dim.extent);
          else
            out.attribute("constant", dim.constant);
        });
    });
    if (param.pitch)
      out.attribute("pitch", *param.pitch);
  });
}

static void writeNames(json::OStream &out, StringRef key,
                       ArrayRef<std::string> names) {
  out.attributeArray(key, [&] {
    for (const std::string &name : names)
      out.value(name);
  });
}

static void writeKernel(json::OStream &out, const KernelManifest &kernel) {
  out.object([&] {
    out.attribute("name", kernel.name);
    out.attributeArray("params", [&] {
      for (const ParamManifest &param : kernel.params)
        writeParam(out, param);
    });
    writeNames(out, "extents", kernel.extents);
    writeNames(out, "pitches", kernel.pitches);
    out.attributeArray("workgroup", [&] {
      for (uint32_t size : kernel.workgroup)
        out.value(size);
    });
    out.attributeArray("grid", [&] {
      for (const LaunchExpr &expr : kernel.grid)
        out.value(expr.str());
    });
    if (kernel.dynamicShared)
      out.attribute("dynamic_shared", kernel.dynamicShared->str());
  });
}

static void writeImage(json::OStream &out, const Image &image,
                       uint64_t offset) {
  out.object([&] {
    out.attribute("target", image.targetName);
    out.attribute("kind", getImageKindName(image.kind));
    out.attribute("isa", image.isa);
    out.attribute("offset", offset);
    out.attribute("size", static_cast<uint64_t>(image.bytes.size()));
    out.attributeArray("entries", [&] {
      for (const ImageEntry &entry : image.entries)
        out.object([&] {
          out.attribute("kernel", entry.kernel);
          out.attribute("symbol", entry.symbol);
          out.attribute("static_shared", entry.staticSharedBytes);
          if (entry.launchSharedBytes)
            out.attribute("launch_shared", entry.launchSharedBytes);
          if (entry.cooperative)
            out.attribute("cooperative", true);
          if (entry.workspace)
            out.attribute("workspace", entry.workspace->str());
          if (entry.cluster != ImageEntry().cluster)
            out.attributeArray("cluster", [&] {
              for (uint32_t size : entry.cluster)
                out.value(size);
            });
        });
    });
  });
}

/// The manifest; image offsets count from the end of the manifest, so that its
/// own length does not matter.
static std::string writeManifest(const Bundle &bundle) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/1);
  out.object([&] {
    out.attributeArray("kernels", [&] {
      for (const KernelManifest &kernel : bundle.kernels)
        writeKernel(out, kernel);
    });
    out.attributeArray("images", [&] {
      uint64_t offset = 0;
      for (const Image &image : bundle.images) {
        writeImage(out, image, offset);
        offset = alignTo(offset + image.bytes.size(), imageAlign);
      }
    });
  });
  text.resize(alignTo(headerSize + text.size(), imageAlign) - headerSize, '\n');
  return text;
}

Expected<std::string> Bundle::serialize() const {
  if (Error error = verify())
    return error;
  std::string manifest = writeManifest(*this);
  std::string file(headerSize, '\0');
  file += manifest;
  for (const Image &image : images) {
    file.resize(alignTo(file.size(), imageAlign), '\0');
    file += image.bytes;
  }
  copy(magic, file.begin());
  endian::write32le(&file[8], formatVersion);
  endian::write32le(&file[12], manifest.size());
  endian::write64le(&file[16], xxh3_64bits(StringRef(file).substr(headerSize)));
  return file;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Where the bytes of an image lie, from the end of the manifest.
struct ImageSpan {
  uint64_t offset = 0;
  uint64_t size = 0;
};

struct PlacedImage {
  Image image;
  ImageSpan span;
};

struct Manifest {
  std::vector<KernelManifest> kernels;
  std::vector<PlacedImage> images;
};
} // namespace

/// Reads a word that has to be one of a list.
template <typename T>
static bool fromName(const json::Value &value, T &out,
                     ArrayRef<StringLiteral> names, json::Path path) {
  std::optional<StringRef> text = value.getAsString();
  const StringLiteral *it = text ? find(names, *text) : names.end();
  if (it == names.end()) {
    path.report("unknown word");
    return false;
  }
  out = static_cast<T>(it - names.begin());
  return true;
}

static bool setSizes(ArrayRef<unsigned> sizes, std::array<uint32_t, 3> &out,
                     json::Path path) {
  if (sizes.size() != out.size()) {
    path.report("expected three sizes");
    return false;
  }
  copy(sizes, out.begin());
  return true;
}

// json's ObjectMapper finds these through argument-dependent lookup.
namespace coll {

static bool fromJSON(const json::Value &value, ScalarType &out,
                     json::Path path) {
  std::optional<StringRef> text = value.getAsString();
  std::optional<ScalarType> type = text ? parseScalarType(*text) : std::nullopt;
  if (!type)
    path.report("expected the name of a scalar type");
  else
    out = *type;
  return type.has_value();
}

static bool fromJSON(const json::Value &value, ParamKind &out,
                     json::Path path) {
  return fromName(value, out, paramKindNames, path);
}

static bool fromJSON(const json::Value &value, ParamAccess &out,
                     json::Path path) {
  return fromName(value, out, accessNames, path);
}

static bool fromJSON(const json::Value &value, ImageKind &out,
                     json::Path path) {
  std::optional<StringRef> text = value.getAsString();
  for (ImageKind kind : imageKinds)
    if (text == getImageKindName(kind)) {
      out = kind;
      return true;
    }
  path.report("unknown kind of image");
  return false;
}

static bool fromJSON(const json::Value &value, LaunchExpr &out,
                     json::Path path) {
  std::optional<StringRef> text = value.getAsString();
  if (!text) {
    path.report("expected a launch expression");
    return false;
  }
  Expected<LaunchExpr> expr = LaunchExpr::parse(*text);
  if (!expr) {
    consumeError(expr.takeError());
    path.report("malformed launch expression");
    return false;
  }
  out = std::move(*expr);
  return true;
}

static bool fromJSON(const json::Value &value, StorageLeaf &out,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("path", out.path) && map.map("type", out.type) &&
         map.map("offset", out.offset);
}

static bool fromJSON(const json::Value &value, StorageType &out,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", out.name) && map.map("size", out.sizeBytes) &&
         map.map("align", out.align) && map.map("leaves", out.leaves);
}

static bool fromJSON(const json::Value &value, ViewDim &out, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.mapOptional("extent", out.extent))
    return false;
  return out.extent || map.map("constant", out.constant);
}

static bool fromJSON(const json::Value &value, ParamManifest &out,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", out.name) && map.map("kind", out.kind) &&
         map.map("access", out.access) && map.map("element", out.element) &&
         map.map("dims", out.dims) && map.mapOptional("pitch", out.pitch);
}

static bool fromJSON(const json::Value &value, KernelManifest &out,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::vector<unsigned> workgroup;
  if (!map || !map.map("name", out.name) || !map.map("params", out.params) ||
      !map.map("extents", out.extents) || !map.map("pitches", out.pitches) ||
      !map.map("workgroup", workgroup) || !map.map("grid", out.grid) ||
      !map.mapOptional("dynamic_shared", out.dynamicShared))
    return false;
  return setSizes(workgroup, out.workgroup, path.field("workgroup"));
}

static bool fromJSON(const json::Value &value, ImageEntry &out,
                     json::Path path) {
  json::ObjectMapper map(value, path);
  std::optional<bool> cooperative;
  std::optional<uint64_t> launchShared;
  std::optional<std::vector<unsigned>> cluster;
  if (!map || !map.map("kernel", out.kernel) ||
      !map.map("symbol", out.symbol) ||
      !map.map("static_shared", out.staticSharedBytes) ||
      !map.mapOptional("launch_shared", launchShared) ||
      !map.mapOptional("cooperative", cooperative) ||
      !map.mapOptional("workspace", out.workspace) ||
      !map.mapOptional("cluster", cluster))
    return false;
  out.cooperative = cooperative.value_or(false);
  out.launchSharedBytes = launchShared.value_or(0);
  return !cluster || setSizes(*cluster, out.cluster, path.field("cluster"));
}

} // namespace coll

namespace {
bool fromJSON(const json::Value &value, PlacedImage &out, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("target", out.image.targetName) &&
         map.map("kind", out.image.kind) && map.map("isa", out.image.isa) &&
         map.map("offset", out.span.offset) && map.map("size", out.span.size) &&
         map.map("entries", out.image.entries);
}

bool fromJSON(const json::Value &value, Manifest &out, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kernels", out.kernels) &&
         map.map("images", out.images);
}
} // namespace

static Error invalid(const Twine &message) {
  return createStringError("not a valid bundle: " + message);
}

/// The greatest depth of brackets outside of strings.
static unsigned getNesting(StringRef text) {
  unsigned depth = 0, deepest = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return deepest;
}

static Expected<Manifest> readManifest(StringRef text) {
  if (getNesting(text) > maxNesting)
    return invalid("the manifest nests too deeply");
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return invalid("the manifest is not JSON: " + toString(value.takeError()));
  Manifest manifest;
  json::Path::Root root("manifest");
  if (!fromJSON(*value, manifest, root))
    return invalid(toString(root.getError()));
  return manifest;
}

bool Bundle::isBundle(StringRef bytes) { return bytes.starts_with(magic); }

Expected<Bundle> Bundle::parse(StringRef bytes) {
  if (!isBundle(bytes))
    return invalid("it does not start with '" + magic + "'");
  if (bytes.size() < headerSize)
    return invalid("the header is cut off after " + Twine(bytes.size()) +
                   " of " + Twine(headerSize) + " bytes");
  uint32_t version = endian::read32le(bytes.data() + 8);
  if (version != formatVersion)
    return invalid("format version " + Twine(version) + ", expected " +
                   Twine(formatVersion));
  uint64_t manifestSize = endian::read32le(bytes.data() + 12);
  uint64_t checksum = endian::read64le(bytes.data() + 16);
  StringRef body = bytes.substr(headerSize);
  if (manifestSize > body.size())
    return invalid("the manifest has " + Twine(manifestSize) +
                   " bytes, and the file ends after " + Twine(body.size()));
  if (xxh3_64bits(body) != checksum)
    return invalid("the checksum does not match; the file is damaged");
  Expected<Manifest> manifest = readManifest(body.take_front(manifestSize));
  if (!manifest)
    return manifest.takeError();

  StringRef code = body.substr(manifestSize);
  Bundle bundle;
  bundle.kernels = std::move(manifest->kernels);
  for (PlacedImage &placed : manifest->images) {
    auto [offset, size] = placed.span;
    if (offset > code.size() || size > code.size() - offset)
      return invalid("image '" + placed.image.targetName + "' of " +
                     Twine(size) + " bytes at " + Twine(offset) +
                     " is outside the file's " + Twine(code.size()));
    placed.image.bytes = code.substr(offset, size).str();
    bundle.images.push_back(std::move(placed.image));
  }
  if (Error error = bundle.verify())
    return invalid(toString(std::move(error)));
  return bundle;
}
