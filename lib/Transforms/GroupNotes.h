//===- GroupNotes.h - What a collective of a block takes --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever writes a collective of several warps as simpler operations notes here
// what it writes: steps, barriers and shared memory, for remarks and
// `collc explain`.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_GROUPNOTES_H
#define COLL_LIB_TRANSFORMS_GROUPNOTES_H

#include "coll/Plan/GroupPlan.h"
#include "coll/Transforms/CollectiveReporter.h"
#include "coll/Transforms/Combiner.h"

namespace coll::ir {

class GroupNotes {
public:
  /// Begins the notes on a collective whose group has so many units.
  void begin(mlir::Operation *op, llvm::StringRef unit, unsigned numUnits);
  /// Of a scan the units are others.
  void setUnits(llvm::StringRef unit, unsigned numUnits);
  unsigned getNumUnits() const { return plan.numUnits; }

  /// The collective as it was written: "reduce over block".
  llvm::StringRef getText() const { return text; }
  /// "reduce"
  llvm::StringRef getName() const;
  /// "block", "tile(128)"
  llvm::StringRef getGroup() const;

  // Steps; see GroupPlan. Without a condition all units take part, and a read
  // is of all by all.
  void inside(const llvm::Twine &step) { plan.addInside(step.str()); }
  void store(const llvm::Twine &step);
  void store(const llvm::Twine &step,
             llvm::function_ref<bool(unsigned unit)> isStored);
  void barrier(const llvm::Twine &step);
  void read(const llvm::Twine &step);
  void read(const llvm::Twine &step,
            llvm::function_ref<bool(unsigned reader, unsigned source)> isRead);

  /// Notes shared memory that the collective uses.
  void useMemory(mlir::ValueRange arrays);
  void useMemory(uint64_t bytes) { numBytes += bytes; }
  /// Notes words that count who has come, which all of its barriers use.
  void useCounters(uint64_t bytes) { counterBytes = bytes; }

  /// Ends the notes, and tells of a collective that was at `loc`.
  void report(const CollectiveReporter &reporter, mlir::Location loc);

private:
  std::string getCost() const;

  std::string text;
  GroupPlan plan;
  unsigned numBarriers = 0;
  uint64_t numBytes = 0, counterBytes = 0;
};

/// "add", "arg_min", "merge", "lambda", "the operator" if it has no name.
std::string describeOperator(const Combiner &combiner);

/// Steps of a collective of the grid or a cluster, `op`, besides those that its
/// parts in a block have.
GroupPlan describeBlocks(mlir::Operation *op);

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_GROUPNOTES_H
