//===- HostArray.cpp - Arrays on the host ---------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "coll/Runtime/HostArray.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <unistd.h>

using namespace coll;
using namespace llvm;

/// An array cannot be larger than the machine's memory.
static uint64_t getMaxArrayBytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

std::string coll::formatShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  ListSeparator comma;
  for (int64_t extent : shape)
    text += (StringRef(comma) + Twine(extent)).str();
  return text + "]";
}

Expected<HostArray> HostArray::create(const StorageType &element,
                                      ArrayRef<int64_t> shape,
                                      std::optional<int64_t> pitch) {
  HostArray array;
  array.element = element;
  array.shape = shape.vec();
  for (int64_t extent : shape)
    if (extent < 0)
      return createStringError("the shape " + formatShape(shape) +
                               " has a negative extent");
  array.rowLength = shape.empty() ? 1 : shape.back();
  array.pitch = pitch.value_or(array.rowLength);
  if (pitch && (*pitch < 0 || array.pitch < array.rowLength))
    return createStringError("the pitch " + Twine(*pitch) +
                             " is less than a row of " +
                             Twine(array.rowLength));
  uint64_t rows = 1;
  bool isHuge = false;
  for (int64_t extent : shape.drop_back(shape.empty() ? 0 : 1)) {
    bool overflows = false;
    rows = SaturatingMultiply<uint64_t>(rows, extent, &overflows);
    isHuge |= overflows;
  }
  array.count = SaturatingMultiply(rows, array.rowLength);
  uint64_t stored =
      array.count == 0 ? 0 : SaturatingMultiply(rows, array.pitch);
  uint64_t size = SaturatingMultiply(stored, element.sizeBytes);
  if ((isHuge && array.count != 0) || size > getMaxArrayBytes())
    return createStringError("an array of type " + formatShape(shape) +
                             element.name +
                             " does not fit into this machine's memory");
  array.bytes.resize(size);
  return array;
}

const uint8_t *HostArray::getElementData(uint64_t index) const {
  uint64_t place = pitch == rowLength
                       ? index
                       : index / rowLength * pitch + index % rowLength;
  return bytes.data() + place * element.sizeBytes;
}

uint8_t *HostArray::getElementData(uint64_t index) {
  return const_cast<uint8_t *>(std::as_const(*this).getElementData(index));
}

static uint64_t readBits(const uint8_t *data, unsigned size) {
  uint8_t wide[8] = {};
  std::memcpy(wide, data, size);
  return support::endian::read64le(wide);
}

uint64_t HostArray::getLeaf(uint64_t index, const StorageLeaf &leaf) const {
  return readBits(getElementData(index) + leaf.offset,
                  getScalarTypeSize(leaf.type));
}

void HostArray::setLeaf(uint64_t index, const StorageLeaf &leaf,
                        uint64_t bits) {
  uint8_t wide[8];
  support::endian::write64le(wide, bits);
  std::memcpy(getElementData(index) + leaf.offset, wide,
              getScalarTypeSize(leaf.type));
}

std::vector<uint8_t> HostArray::getDenseBytes() const {
  if (pitch == rowLength)
    return bytes;
  std::vector<uint8_t> dense;
  dense.reserve(count * element.sizeBytes);
  for (uint64_t row = 0; row < count; row += rowLength) {
    const uint8_t *begin = getElementData(row);
    dense.insert(dense.end(), begin, begin + rowLength * element.sizeBytes);
  }
  return dense;
}

void HostArray::setDenseBytes(ArrayRef<uint8_t> dense) {
  assert(dense.size() == count * element.sizeBytes && "not this array's bytes");
  if (dense.empty())
    return;
  uint64_t rowBytes = rowLength * element.sizeBytes;
  for (uint64_t row = 0; row < count; row += rowLength)
    std::memcpy(getElementData(row), dense.data() + row * element.sizeBytes,
                rowBytes);
}

/// Writes one NaN in place of every one.
static void unifyNaNs(MutableArrayRef<uint8_t> dense,
                      const StorageType &element) {
  for (const StorageLeaf &leaf : element.leaves) {
    if (!isFloatType(leaf.type))
      continue;
    unsigned size = getScalarTypeSize(leaf.type);
    for (uint64_t at = leaf.offset; at < dense.size(); at += element.sizeBytes)
      if (isNaNBits(readBits(&dense[at], size), leaf.type))
        std::memset(&dense[at], 0xff, size);
  }
}

/// Drops the bytes that belong to no leaf.
static std::vector<uint8_t> dropPadding(ArrayRef<uint8_t> dense,
                                        const StorageType &element) {
  std::vector<uint8_t> packed;
  for (uint64_t at = 0; at < dense.size(); at += element.sizeBytes)
    for (const StorageLeaf &leaf : element.leaves) {
      const uint8_t *begin = &dense[at + leaf.offset];
      packed.insert(packed.end(), begin, begin + getScalarTypeSize(leaf.type));
    }
  return packed;
}

uint64_t HostArray::getChecksum() const {
  std::vector<uint8_t> dense = getDenseBytes();
  unifyNaNs(dense, element);
  uint64_t used = 0;
  for (const StorageLeaf &leaf : element.leaves)
    used += getScalarTypeSize(leaf.type);
  return xxh3_64bits(used == element.sizeBytes ? dense
                                               : dropPadding(dense, element));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

std::string HostArray::getTypeName() const {
  return formatShape(shape) + element.name;
}

/// Cuts "pair.0[3]" into "pair", "0" and "[3]".
static SmallVector<StringRef, 4> splitPath(StringRef path) {
  SmallVector<StringRef, 4> parts;
  while (!path.empty()) {
    size_t end = path.find_first_of(".[", /*From=*/1);
    parts.push_back(path.take_front(end));
    path = path.drop_front(parts.back().size());
    path.consume_front(".");
  }
  return parts;
}

namespace {
/// A scalar of an element: where it is, and its text.
struct ScalarText {
  SmallVector<StringRef, 4> path;
  std::string text;
  StringRef getPart(size_t depth) const {
    return depth < path.size() ? path[depth] : StringRef();
  }
};
} // namespace

/// Structs as `{a: 1, b: 2}`, arrays and vectors as `[1, 2]`, tuples, and a
/// vector that is no part of a struct, as `(1, 2)`.
static std::string joinScalars(ArrayRef<ScalarText> scalars, size_t depth) {
  StringRef first = scalars.front().getPart(depth);
  if (scalars.size() == 1 && first.empty())
    return scalars.front().text;
  bool isArray = first.starts_with("[");
  bool isTuple = all_of(first, isDigit);
  std::string text = isArray ? "[" : isTuple ? "(" : "{";
  ListSeparator comma;
  while (!scalars.empty()) {
    StringRef part = scalars.front().getPart(depth);
    auto isInPart = [&](const ScalarText &scalar) {
      return !part.empty() && scalar.getPart(depth) == part;
    };
    size_t count =
        std::max<size_t>(1, find_if_not(scalars, isInPart) - scalars.begin());
    text += StringRef(comma);
    if (!isArray && !isTuple)
      text += (part + ": ").str();
    text += joinScalars(scalars.take_front(count), depth + 1);
    scalars = scalars.drop_front(count);
  }
  return text + (isArray ? "]" : isTuple ? ")" : "}");
}

std::string HostArray::formatElement(uint64_t index) const {
  SmallVector<ScalarText> scalars;
  for (const StorageLeaf &leaf : element.leaves)
    scalars.push_back({splitPath(leaf.path),
                       formatScalarBits(getLeaf(index, leaf), leaf.type)});
  return joinScalars(scalars, /*depth=*/0);
}

void HostArray::printSummary(raw_ostream &os, StringRef name) const {
  constexpr uint64_t shown = 8;
  os << name << ": " << getTypeName() << " =";
  for (uint64_t index = 0; index != std::min(count, shown); ++index)
    os << ' ' << formatElement(index);
  if (count > shown)
    os << " ...";
  if (count == 0)
    os << " (empty)";
  os << ", checksum " << format_hex_no_prefix(getChecksum(), 16) << '\n';
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// "[3, 4]" for a row-major index.
static std::string formatIndex(uint64_t index, ArrayRef<int64_t> shape) {
  std::vector<int64_t> indices(shape.size());
  for (size_t i = shape.size(); i-- != 0;) {
    indices[i] = index % shape[i];
    index /= shape[i];
  }
  return formatShape(indices);
}

static std::string formatWithBits(uint64_t bits, ScalarType type) {
  std::string text = formatScalarBits(bits, type);
  raw_string_ostream(text) << " ("
                           << format_hex(bits, 2 + 2 * getScalarTypeSize(type))
                           << ")";
  return text;
}

std::optional<ArrayDifference> coll::findDifference(const HostArray &lhs,
                                                    const HostArray &rhs) {
  assert(lhs.getElement() == rhs.getElement() &&
         lhs.getShape() == rhs.getShape() && "arrays of different types");
  if (lhs.getPitch() == rhs.getPitch() && lhs.getBytes() == rhs.getBytes())
    return std::nullopt;
  for (uint64_t index = 0; index != lhs.getCount(); ++index)
    for (const StorageLeaf &leaf : lhs.getElement().leaves) {
      uint64_t a = lhs.getLeaf(index, leaf), b = rhs.getLeaf(index, leaf);
      if (a == b || (isNaNBits(a, leaf.type) && isNaNBits(b, leaf.type)))
        continue;
      std::string place = formatIndex(index, lhs.getShape());
      if (!leaf.path.empty())
        place += "." + leaf.path;
      return ArrayDifference{index, place, formatWithBits(a, leaf.type),
                             formatWithBits(b, leaf.type)};
    }
  return std::nullopt;
}
