//===- Specification.cpp - What docs/semantics.md asks for ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Specification.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace coll;
using ID = Expressions::ID;

ID Specification::reduce() const {
  return reduceBlock(0, llvm::PowerOf2Ceil(size()));
}

ID Specification::reduceBlock(size_t begin, size_t blockSize) const {
  if (blockSize == 1)
    return elements[begin];
  size_t half = blockSize / 2;
  ID left = reduceBlock(begin, half);
  if (begin + half >= size())
    return left;
  return pool.combine(left, reduceBlock(begin + half, half));
}

std::vector<ID> Specification::scanRow(llvm::ArrayRef<ID> row) const {
  Values values = row.vec();
  for (size_t distance = 1; distance < rowSize; distance *= 2) {
    Values before = values;
    for (size_t rank = distance; rank < values.size(); ++rank)
      values[rank] = pool.combine(before[rank - distance], before[rank]);
  }
  return values;
}

std::vector<ID> Specification::scanSegment(llvm::ArrayRef<ID> segment) const {
  Values first = scanRow(segment.take_front(rowSize));
  if (segment.size() <= rowSize)
    return first;
  ID last = first.back();
  for (ID value : scanRow(segment.drop_front(rowSize)))
    first.push_back(pool.combine(last, value));
  return first;
}

std::vector<ID> Specification::scan(llvm::ArrayRef<ID> values,
                                    bool isExclusive) const {
  std::vector<Values> segments;
  Values totals;
  for (; !values.empty();
       values = values.drop_front(std::min(values.size(), segmentSize))) {
    segments.push_back(scanSegment(values.take_front(segmentSize)));
    totals.push_back(segments.back().back());
  }
  Values prefixes = segments.size() == 1 ? totals : scan(totals, false);
  Values results;
  for (size_t j = 0; j < segments.size(); ++j) {
    for (size_t rank = 0; rank < segments[j].size(); ++rank) {
      if (!isExclusive) {
        ID own = segments[j][rank];
        results.push_back(j == 0 ? own : pool.combine(prefixes[j - 1], own));
      } else if (rank == 0) {
        results.push_back(j == 0 ? pool.getIdentity() : prefixes[j - 1]);
      } else {
        ID before = segments[j][rank - 1];
        results.push_back(j == 0 ? before
                                 : pool.combine(prefixes[j - 1], before));
      }
    }
  }
  return results;
}
