//===- CollectiveReporter.cpp - What became of collectives ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/CollectiveReporter.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

std::string coll::ir::describeGroup(const GroupRef &group) {
  if (group.members)
    return group.members.getDefiningOp<ActiveOp>() ? "the active threads"
                                                   : "a part";
  if (group.attr.isWarps()) {
    unsigned first = group.attr.getFirst();
    return "threads " + std::to_string(first) + ".." +
           std::to_string(first + group.attr.getTileSize() - 1);
  }
  std::string text = stringifyGroupKind(group.attr.getKind()).str();
  if (group.attr.getKind() == GroupKind::Tile)
    text += "<" + std::to_string(group.attr.getTileSize()) + ">";
  return text;
}

std::string coll::ir::describeCollective(Operation *op) {
  std::string text = op->getName().stripDialect().str();
  if (auto vote = dyn_cast<VoteOp>(op))
    text += " " + stringifyVoteKind(vote.getKind()).str();
  if (auto shuffle = dyn_cast<ShuffleOp>(op))
    text += " " + stringifyShuffleKind(shuffle.getKind()).str();
  return text + " over " + describeGroup(getGroup(op));
}

CollectiveRecord coll::ir::makeRecord(KernelOp kernel, StringRef target,
                                      Location loc) {
  CollectiveRecord record;
  record.target = target.str();
  record.kernel = kernel.getKernelName().str();
  while (auto site = dyn_cast<CallSiteLoc>(loc))
    loc = site.getCallee();
  if (auto place = loc->findInstanceOf<FileLineColLoc>()) {
    record.file = place.getFilename().str();
    record.line = place.getLine();
    record.column = place.getColumn();
  }
  return record;
}

/// "reduce over warp, sm_90", as collc explain has it; passes that run by
/// themselves may have no chip.
static std::string addTarget(StringRef text, StringRef target) {
  return target.empty() ? text.str() : (text + ", " + target).str();
}

void CollectiveReporter::report(Operation *op, StringRef reason) const {
  std::string text = describeCollective(op);
  if (remarks)
    op->emitRemark() << addTarget(text, target) << ": " << reason;
  note(op->getLoc(), std::move(text), reason.str(), std::nullopt);
}

void CollectiveReporter::report(Location loc, std::string text,
                                std::string cost, GroupPlan plan) const {
  if (remarks)
    emitRemark(loc) << addTarget(text, target) << ": " << cost;
  note(loc, std::move(text), std::move(cost), std::move(plan));
}

void CollectiveReporter::note(Location loc, std::string text,
                              std::string reason,
                              std::optional<GroupPlan> plan) const {
  if (!log)
    return;
  CollectiveRecord record = makeRecord(kernel, target, loc);
  record.direct = std::move(text);
  record.reason = std::move(reason);
  record.group = std::move(plan);
  log->add(std::move(record));
}
