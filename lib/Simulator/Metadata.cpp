//===- Metadata.cpp - The metadata note of a code object ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CodeObject.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"

using namespace coll;
using namespace coll::sim;
using namespace llvm;

/// The value of a key, an empty node if there is none.
static msgpack::DocNode findKey(msgpack::DocNode &node, StringRef key) {
  if (!node.isMap())
    return node.getDocument()->getEmptyNode();
  auto &map = node.getMap();
  auto entry = map.find(key);
  return entry == map.end() ? node.getDocument()->getEmptyNode()
                            : entry->second;
}

static uint64_t getUInt(msgpack::DocNode &node, StringRef key) {
  msgpack::DocNode value = findKey(node, key);
  if (value.getKind() == msgpack::Type::UInt)
    return value.getUInt();
  if (value.getKind() == msgpack::Type::Int && value.getInt() >= 0)
    return static_cast<uint64_t>(value.getInt());
  return 0;
}

static std::string getString(msgpack::DocNode &node, StringRef key) {
  msgpack::DocNode value = findKey(node, key);
  return value.isString() ? value.getString().str() : "";
}

static Expected<KernelParameter> readParameter(msgpack::DocNode &node,
                                               const KernelInfo &kernel) {
  KernelParameter parameter;
  parameter.kind = getString(node, ".value_kind");
  uint64_t offset = getUInt(node, ".offset"), size = getUInt(node, ".size");
  if (offset > kernel.kernargBytes || size > kernel.kernargBytes - offset)
    return createStringError("kernel '" + kernel.name +
                             "' has a parameter behind its kernarg segment");
  parameter.offset = static_cast<uint32_t>(offset);
  parameter.size = static_cast<uint32_t>(size);
  return parameter;
}

static Expected<KernelInfo> readKernel(msgpack::DocNode &node,
                                       const Target &target) {
  KernelInfo kernel;
  kernel.name = getString(node, ".name");
  kernel.symbol = getString(node, ".symbol");
  if (kernel.name.empty() || kernel.symbol.empty())
    return createStringError("a kernel of the metadata has no name or symbol");
  uint64_t kernarg = getUInt(node, ".kernarg_segment_size");
  uint64_t lds = getUInt(node, ".group_segment_fixed_size");
  uint64_t scratch = getUInt(node, ".private_segment_fixed_size");
  constexpr uint64_t limit = 1 << 20;
  if (kernarg > limit || lds > limit || scratch > limit)
    return createStringError("kernel '" + kernel.name +
                             "' has a segment of more than " + Twine(limit) +
                             " bytes");
  kernel.kernargBytes = static_cast<uint32_t>(kernarg);
  kernel.ldsBytes = static_cast<uint32_t>(lds);
  kernel.scratchBytes = static_cast<uint32_t>(scratch);
  if (uint64_t size = getUInt(node, ".max_flat_workgroup_size"))
    kernel.maxWorkgroupSize = static_cast<uint32_t>(
        std::min<uint64_t>(size, Target::maxThreadsPerBlock));
  kernel.waveSize = static_cast<unsigned>(getUInt(node, ".wavefront_size"));
  if (kernel.waveSize != target.getWarpSize())
    return createStringError("kernel '" + kernel.name + "' is for waves of " +
                             Twine(kernel.waveSize) + " lanes, and " +
                             target.str() + " has " +
                             Twine(target.getWarpSize()));
  msgpack::DocNode args = findKey(node, ".args");
  if (!args.isArray())
    return kernel;
  for (msgpack::DocNode &arg : args.getArray()) {
    Expected<KernelParameter> parameter = readParameter(arg, kernel);
    if (!parameter)
      return parameter.takeError();
    kernel.parameters.push_back(std::move(*parameter));
  }
  return kernel;
}

/// LLVM's reader of documents trusts them: keys must be strings, and arrays and
/// maps end. Checks that first.
static bool isWellFormed(StringRef blob) {
  struct Container {
    bool isMap;
    uint64_t left; ///< Values, and the keys of a map.
  };
  SmallVector<Container, 8> open;
  msgpack::Reader reader(blob);
  constexpr size_t maxDepth = 16;
  do {
    msgpack::Object object;
    Expected<bool> read = reader.read(object);
    if (!read) {
      consumeError(read.takeError());
      return false;
    }
    if (!*read)
      return false;
    bool isKey = false;
    if (!open.empty()) {
      isKey = open.back().isMap && open.back().left % 2 == 0;
      --open.back().left;
    }
    if (isKey && object.Kind != msgpack::Type::String)
      return false;
    bool isMap = object.Kind == msgpack::Type::Map;
    if (isMap || object.Kind == msgpack::Type::Array) {
      if (object.Length > blob.size() || open.size() == maxDepth)
        return false;
      open.push_back({isMap, (isMap ? 2 : 1) * uint64_t(object.Length)});
    } else if (object.Kind == msgpack::Type::Extension) {
      return false;
    }
    while (!open.empty() && open.back().left == 0)
      open.pop_back();
  } while (!open.empty());
  return true;
}

/// "amdgcn-amd-amdhsa--gfx90a:sramecc+" is for gfx90a.
static StringRef getChipOfTriple(StringRef text) {
  return text.rsplit("--").second.split(':').first;
}

Expected<std::vector<KernelInfo>>
coll::sim::readMetadata(StringRef blob, const coll::Target &target) {
  msgpack::Document document;
  if (!isWellFormed(blob) || !document.readFromBlob(blob, /*Multi=*/false))
    return createStringError("the metadata note is damaged");
  msgpack::DocNode &root = document.getRoot();
  std::string triple = getString(root, "amdhsa.target");
  StringRef chip = getChipOfTriple(triple);
  if (chip != target.getChip().name)
    return createStringError("the code object is for " +
                             (chip.empty() ? "an unknown chip" : chip) +
                             ", not for " + target.getChip().name);
  msgpack::DocNode list = findKey(root, "amdhsa.kernels");
  std::vector<KernelInfo> kernels;
  if (!list.isArray())
    return kernels;
  for (msgpack::DocNode &node : list.getArray()) {
    Expected<KernelInfo> kernel = readKernel(node, target);
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}
