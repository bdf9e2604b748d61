//===- ListLayout.cpp - Where a group's elements lie ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListLayout.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll::ir;

Type coll::ir::getStoredType(Type type) {
  if (isa<VectorType>(type))
    return type;
  return IntegerType::get(type.getContext(),
                          std::max(8u, type.getIntOrFloatBitWidth()));
}

uint64_t coll::ir::getStoredBytes(Type stored) {
  return ViewType::get(stored.getContext(), {}, stored, MemorySpace::Shared)
      .getElementSize();
}

SmallVector<uint64_t> ListLayout::placeArrays(unsigned numRanks, uint64_t slots,
                                              TypeRange leaves) {
  SmallVector<uint64_t> places;
  uint64_t end = 0;
  for (Type leaf : leaves) {
    uint64_t bytes = getStoredBytes(getStoredType(leaf));
    places.push_back(llvm::alignTo(end, bytes));
    end = places.back() + slots * numRanks * bytes;
  }
  places.push_back(end);
  return places;
}

SmallVector<uint64_t> ListLayout::add(unsigned numRanks, uint64_t slots,
                                      TypeRange leaves, unsigned numHalves) {
  for (Type leaf : leaves) {
    uint64_t bytes = getStoredBytes(getStoredType(leaf));
    widest = std::max(widest, bytes);
    widestLeaf = std::max(widestLeaf, slots * bytes);
  }
  SmallVector<uint64_t> places =
      placeArrays(numRanks, numHalves * slots, leaves);
  uint64_t &most = groupBytes[numRanks];
  most = std::max(most, places.back());
  return places;
}

uint64_t ListLayout::getBytesPerThread() const {
  uint64_t result = 0;
  for (auto [ranks, bytes] : groupBytes)
    if (ranks < blockSize)
      result = std::max(result, llvm::divideCeil(bytes, ranks));
  return llvm::alignTo(result, widest);
}

uint64_t ListLayout::countBytes() const {
  uint64_t perThread = getBytesPerThread(), bytes = 0;
  for (auto [ranks, most] : groupBytes)
    bytes = std::max(
        bytes, (llvm::alignTo(blockSize, ranks) - ranks) * perThread + most);
  return bytes;
}

std::optional<uint64_t> ListLayout::getPartBytes(uint64_t room) const {
  if (countBytes() <= room)
    return std::nullopt;
  // As if the last groups had all of their ranks.
  uint64_t threads = blockSize;
  for (auto [ranks, bytes] : groupBytes)
    threads = std::max<uint64_t>(threads, llvm::alignTo(blockSize, ranks));
  uint64_t bytes = room / threads;
  if (groupBytes.begin()->first < blockSize)
    bytes = llvm::alignDown(bytes, widest);
  if (widestLeaf > bytes)
    return std::nullopt;
  return bytes;
}
