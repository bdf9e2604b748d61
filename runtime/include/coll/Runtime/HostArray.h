//===- HostArray.h - Arrays on the host -------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel reads and writes, as bytes in host memory: generated, read from
// files, printed, compared.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_HOSTARRAY_H
#define COLL_RUNTIME_HOSTARRAY_H

#include "coll/Bundle/Bundle.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace coll {

/// "[2, 3]".
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// A row-major array. Rows (of the last dimension) follow each other after
/// `pitch` elements; the elements between are nobody's and zero.
class HostArray {
public:
  /// All zero bytes. Fails if the size does not fit into memory's addresses, if
  /// a dimension is negative, or if the pitch is less than a row.
  static llvm::Expected<HostArray>
  create(const StorageType &element, llvm::ArrayRef<int64_t> shape,
         std::optional<int64_t> pitch = std::nullopt);

  const StorageType &getElement() const { return element; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  /// Elements, without those between rows.
  uint64_t getCount() const { return count; }
  uint64_t getPitch() const { return pitch; }

  llvm::ArrayRef<uint8_t> getBytes() const { return bytes; }
  llvm::MutableArrayRef<uint8_t> getBytes() { return bytes; }
  /// Of element `index` in row-major order.
  const uint8_t *getElementData(uint64_t index) const;
  uint8_t *getElementData(uint64_t index);

  uint64_t getLeaf(uint64_t index, const StorageLeaf &leaf) const;
  void setLeaf(uint64_t index, const StorageLeaf &leaf, uint64_t bits);

  /// The elements without gaps between rows.
  std::vector<uint8_t> getDenseBytes() const;
  /// Sets the elements from as many bytes without gaps.
  void setDenseBytes(llvm::ArrayRef<uint8_t> dense);

  /// Of the scalars of all elements, in order, without padding, as XXH3 (64
  /// bits) of their bytes; all NaNs of a type count as one. Arrays of one shape
  /// that compare equal have equal checksums.
  uint64_t getChecksum() const;

  /// "[2, 3]f32".
  std::string getTypeName() const;
  /// `1.5`, `-3`, `true`; `{mean: 1, n: 3}` for a struct, `{1, 2}` for a
  /// vector.
  std::string formatElement(uint64_t index) const;
  /// One line: `y: [2, 3]f32 = 0 1 2 3 4 5, checksum 0123456789abcdef`; after
  /// eight values comes `...`.
  void printSummary(llvm::raw_ostream &os, llvm::StringRef name) const;

private:
  HostArray() = default;

  StorageType element;
  std::vector<int64_t> shape;
  uint64_t count = 0;
  uint64_t rowLength = 0;
  uint64_t pitch = 0;
  std::vector<uint8_t> bytes;
};

/// The first scalar in which two arrays of one type and shape differ, where any
/// NaN equals any other.
struct ArrayDifference {
  uint64_t index = 0; ///< Row-major.
  std::string place;  ///< "[3, 4]", "[3].mean"
  std::string lhs;    ///< "1.5 (0x3fc00000)"
  std::string rhs;
};
std::optional<ArrayDifference> findDifference(const HostArray &lhs,
                                              const HostArray &rhs);

//===----------------------------------------------------------------------===//
// Scalars as bits
//===----------------------------------------------------------------------===//

/// The bits of a value written as text: `true`, `-3`, `0xff`, `1.5e-3`, `inf`,
/// `nan`. Floats are rounded to nearest even from the decimal text, integers
/// must be in range.
llvm::Expected<uint64_t> parseScalarBits(llvm::StringRef text, ScalarType type);

/// A text that `parseScalarBits` reads back as the same value: the shortest
/// decimal for floats.
std::string formatScalarBits(uint64_t bits, ScalarType type);

bool isNaNBits(uint64_t bits, ScalarType type);

//===----------------------------------------------------------------------===//
// Generated values
//===----------------------------------------------------------------------===//

/// Element i is i: integers wrap, floats round to nearest even, bool is i's
/// lowest bit. Every scalar of a vector or struct is the element's index.
void fillIota(HostArray &array);

/// Every scalar is the value in `text`.
llvm::Error fillConstant(HostArray &array, llvm::StringRef text);

/// The same values on every platform. The k-th scalar (element by element,
/// scalars of an element in order) comes from the k-th output z of SplitMix64
/// seeded with `seed`:
///   x = seed + (k + 1) * 0x9e3779b97f4a7c15
///   x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
///   x = (x ^ (x >> 27)) * 0x94d049bb133111eb
///   z = x ^ (x >> 31)
/// Integers of w bits are the top w bits of z, bool its top bit. Floats are
/// uniform in [-1, 1): with p bits of precision (f16 11, bf16 8, f32 24, f64
/// 53), u the top p bits of z, the value is u / 2^(p-1) - 1, exactly.
void fillRandom(HostArray &array, uint64_t seed);

} // namespace coll

#endif // COLL_RUNTIME_HOSTARRAY_H
