//===- ListLayout.h - Where a group's elements lie --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How much memory the lists of a kernel's groups take, and where in it the
// arrays of their leaves lie (see ListMemory.h): of those that a kernel has, or
// would have.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_LISTLAYOUT_H
#define COLL_LIB_TRANSFORMS_LISTLAYOUT_H

#include "mlir/IR/TypeRange.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>

namespace coll::ir {

/// Values are kept as integers, so that types of one width share arrays.
mlir::Type getStoredType(mlir::Type type);
/// The bytes of a value of such a type in an array.
uint64_t getStoredBytes(mlir::Type stored);

/// The lists of the groups of one kernel, whose sites all use the same memory.
class ListLayout {
public:
  explicit ListLayout(unsigned blockSize) : blockSize(blockSize) {}

  /// The arrays of a group of `numRanks` that keeps `slots` elements a thread:
  /// the offset of each leaf's in the group's part, and the end, in bytes.
  static llvm::SmallVector<uint64_t>
  placeArrays(unsigned numRanks, uint64_t slots, mlir::TypeRange leaves);

  /// Adds such lists, and gives their places. `numHalves`: places for as many
  /// lists, for which one would do if there is no room.
  llvm::SmallVector<uint64_t> add(unsigned numRanks, uint64_t slots,
                                  mlir::TypeRange leaves,
                                  unsigned numHalves = 1);

  /// What each thread of a group narrower than the block has of the memory:
  /// such that no two groups of a size meet.
  uint64_t getBytesPerThread() const;
  /// Of the block, for all lists.
  uint64_t countBytes() const;

  /// Where the memory takes more than `room` bytes, but would not if all lists
  /// kept no more than so many bytes a thread at a time, whole leaves each: so
  /// many.
  std::optional<uint64_t> getPartBytes(uint64_t room) const;

private:
  unsigned blockSize;
  /// The most bytes of a group of so many ranks.
  std::map<unsigned, uint64_t> groupBytes;
  /// Bytes of the widest element, and the most that one leaf takes of a thread.
  uint64_t widest = 1, widestLeaf = 0;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_LISTLAYOUT_H
