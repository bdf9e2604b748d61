//===- CollectiveReporter.cpp - What became of collectives ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/CollectiveReporter.h"
#include "coll/Dialect/Coll/IR/MethodName.h"
#include "coll/Transforms/Combiner.h"

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
    text += "(" + std::to_string(group.attr.getTileSize()) + ")";
  return text;
}

std::string coll::ir::describeCollective(Operation *op) {
  StringRef name = getMethodName(op);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    if (std::optional<CombineKind> kind = Combiner(reduce).getArgKind())
      name = getArgName(static_cast<OperatorKind>(*kind));
  return name.str() + " over " + describeGroup(getGroup(op));
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
  if (ArrayAttr call = findCall(loc)) {
    ArrayRef<Attribute> words = call.getValue();
    record.call = cast<StringAttr>(words.front()).str();
    for (Attribute option : words.drop_front())
      record.options.push_back(cast<StringAttr>(option).str());
  }
  return record;
}

/// "reduce over warp, sm_90", as collc explain has it; passes that run by
/// themselves may have no chip.
static std::string addTarget(StringRef text, StringRef target) {
  return target.empty() ? text.str() : (text + ", " + target).str();
}

std::string coll::ir::describePart(const CollectiveRecord &record) {
  std::string part = record.describePart();
  return part.empty() ? part : " (" + part + ")";
}

void CollectiveReporter::report(Operation *op, StringRef reason) const {
  note(op->getLoc(), describeCollective(op), reason.str(), std::nullopt);
}

void CollectiveReporter::report(Location loc, std::string text,
                                std::string cost, GroupPlan plan) const {
  note(loc, std::move(text), std::move(cost), std::move(plan));
}

void CollectiveReporter::note(Location loc, std::string text,
                              std::string reason,
                              std::optional<GroupPlan> plan) const {
  CollectiveRecord record = makeRecord(kernel, target, loc);
  record.direct = std::move(text);
  record.reason = std::move(reason);
  record.group = std::move(plan);
  if (remarks)
    emitRemark(loc) << addTarget(record.direct, target) << ": " << record.reason
                    << describePart(record);
  if (log)
    log->add(std::move(record));
}
