//===- CollectiveLog.h - What a program's collectives became ----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lowering writes it; remarks as JSON and `collc explain` print it.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_COLLECTIVELOG_H
#define COLL_PLAN_COLLECTIVELOG_H

#include "coll/Plan/GroupPlan.h"
#include "coll/Plan/Strategy.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace llvm::json {
class OStream;
} // namespace llvm::json

namespace coll {

/// A collective with its plan.
struct PlannedCollective {
  PlanKey key;
  Choice choice;
};

/// A collective of a program, and what carries it out.
struct CollectiveRecord {
  std::string target; ///< `gfx1100:64`.
  std::string kernel; ///< As in the source, `pass<8>`.
  std::string file;
  unsigned line = 0, column = 0; ///< 0: the place is not known.
  /// The call in the source, "warp.exclusive_scan", and what it asks for
  /// besides: "init", "reverse", "op = merge" (an operator of the program's
  /// own, if it has a name). Empty if what needs it is no such call.
  std::string call;
  std::vector<std::string> options;
  std::optional<PlannedCollective> planned;
  /// Of a collective that has no plan, because it is lowered directly: what it
  /// is, as in "any over warp".
  std::string direct;
  /// Why it needs no exchange ("uniform operand"), or what one takes ("1
  /// barrier of the block, 32 bytes of shared memory"), or empty.
  std::string reason;
  /// Of a collective of several warps or blocks, what they do together. The
  /// collectives of warps that it consists of have records of their own.
  std::optional<GroupPlan> group;
  /// How often it occurs: inlined and unrolled code repeats what is at one
  /// place in the source.
  unsigned times = 1;

  /// "reduce", "any": what this is, which may be a part of another call.
  llvm::StringRef getName() const;
  /// "part of warp.exclusive_scan, init, reverse" where that says more than
  /// the name does, else "op = merge", where no key names it, or empty.
  std::string describePart() const;
};

/// The collectives of a program's kernels. Not for several threads at once.
class CollectiveLog {
public:
  /// Counts a record that is equal to an earlier one there.
  void add(CollectiveRecord record);

  /// In the order in which they were first added.
  llvm::ArrayRef<CollectiveRecord> getRecords() const { return records; }
  /// How many times `add` was called.
  size_t getNumAdded() const { return numAdded; }

private:
  std::vector<CollectiveRecord> records;
  llvm::StringMap<size_t> indices; ///< Into `records`, by all that is compared.
  size_t numAdded = 0;
};

/// One JSON object: where the collective is, what it is, the strategy and the
/// cost, the strategies that were not taken and why, and the steps. What
/// docs/collc.md lists.
void writeJSON(llvm::json::OStream &json, const CollectiveRecord &record);

} // namespace coll

#endif // COLL_PLAN_COLLECTIVELOG_H
