//===- CollectiveReporter.h - What became of collectives --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_COLLECTIVEREPORTER_H
#define COLL_TRANSFORMS_COLLECTIVEREPORTER_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Plan/CollectiveLog.h"

namespace coll::ir {

/// "warp", "tile(8)", "threads 0..63", "the active threads", "a part".
std::string describeGroup(const GroupRef &group);

/// "any over warp", "arg_min over tile(8)", "shuffle_up over the active
/// threads".
std::string describeCollective(mlir::Operation *op);

/// A record with the place of `loc`, which is that in the innermost function,
/// as in diagnostics, and with the call that IRGen names there.
CollectiveRecord makeRecord(KernelOp kernel, llvm::StringRef target,
                            mlir::Location loc);

/// What a remark on the collective ends with: " (part of warp.sort_by)", or
/// nothing.
std::string describePart(const CollectiveRecord &record);

/// Tells of collectives that passes over coll carry out without a plan.
class CollectiveReporter {
public:
  /// As remarks if `remarks` is set, and to `log` unless it is null. `target`
  /// is the name of the chip.
  CollectiveReporter(KernelOp kernel, llvm::StringRef target, bool remarks,
                     CollectiveLog *log)
      : kernel(kernel), target(target), remarks(remarks), log(log) {}

  /// "reduce over warp, sm_90: uniform operand".
  void report(mlir::Operation *op, llvm::StringRef reason) const;
  /// The same of a collective that was `text`, with what a group does.
  void report(mlir::Location loc, std::string text, std::string cost,
              GroupPlan plan) const;

private:
  void note(mlir::Location loc, std::string text, std::string reason,
            std::optional<GroupPlan> plan) const;

  KernelOp kernel;
  std::string target;
  bool remarks;
  CollectiveLog *log;
};

} // namespace coll::ir

#endif // COLL_TRANSFORMS_COLLECTIVEREPORTER_H
