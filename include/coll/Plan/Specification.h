//===- Specification.h - What docs/semantics.md asks for --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The combination orders of reduce and scan as docs/semantics.md words them,
// for one group of any size. Plans are compared with this.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_SPECIFICATION_H
#define COLL_PLAN_SPECIFICATION_H

#include "coll/Plan/Expressions.h"
#include "llvm/ADT/ArrayRef.h"

namespace coll {

/// The specified results of one group; `elements` are those of its ranks, at
/// least one.
class Specification {
public:
  using ID = Expressions::ID;

  Specification(Expressions &pool, std::vector<ID> elements)
      : pool(pool), elements(std::move(elements)) {}

  /// The aligned tree, left operand from the lower ranks.
  ID reduce() const;
  /// By rank.
  std::vector<ID> inclusiveScan() const { return scan(elements, false); }
  /// By rank; rank 0 has the identity.
  std::vector<ID> exclusiveScan() const { return scan(elements, true); }
  /// The total of scan_total.
  ID total() const { return inclusiveScan().back(); }

private:
  static constexpr size_t rowSize = 16, segmentSize = 32;
  using Values = std::vector<ID>;

  size_t size() const { return elements.size(); }
  ID reduceBlock(size_t begin, size_t blockSize) const;
  Values scanRow(llvm::ArrayRef<ID> row) const;
  Values scanSegment(llvm::ArrayRef<ID> segment) const;
  Values scan(llvm::ArrayRef<ID> values, bool isExclusive) const;

  Expressions &pool;
  Values elements;
};

} // namespace coll

#endif // COLL_PLAN_SPECIFICATION_H
