//===- Names.cpp - What the user calls an operation -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll;
using namespace mlir;

StringRef coll::findName(Location location, bool dotted) {
  if (auto site = dyn_cast<CallSiteLoc>(location))
    return findName(site.getCallee(), dotted);
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return {};
  StringRef name = named.getName().getValue();
  if (name.contains('.') == dotted)
    return name;
  return findName(named.getChildLoc(), dotted);
}

std::string coll::getGroupName(ir::GroupAttr group) {
  if (group.isWarps())
    return "block.warps";
  if (group.getKind() == ir::GroupKind::Tile)
    return "warp.tile(" + std::to_string(group.getTileSize()) + ")";
  return ir::stringifyGroupKind(group.getKind()).str();
}

static StringRef getShuffleName(ir::ShuffleKind kind) {
  switch (kind) {
  case ir::ShuffleKind::Idx:
    return "shuffle";
  case ir::ShuffleKind::Up:
    return "shuffle_up";
  case ir::ShuffleKind::Down:
    return "shuffle_down";
  case ir::ShuffleKind::Xor:
    return "shuffle_xor";
  case ir::ShuffleKind::Rotate:
    return "rotate";
  }
  llvm_unreachable("unknown shuffle");
}

std::string coll::getCollectiveName(Operation *op, ir::GroupAttr group) {
  StringRef spelled = findName(op->getLoc(), /*dotted=*/true);
  if (!spelled.empty())
    return spelled.str();
  StringRef method =
      llvm::TypeSwitch<Operation *, StringRef>(op)
          .Case([](ir::ShuffleOp op) { return getShuffleName(op.getKind()); })
          .Case(
              [](ir::VoteOp op) { return ir::stringifyVoteKind(op.getKind()); })
          .Case([](ir::PopulationOp) { return "count"; })
          .Case([](ir::ArgReduceOp op) {
            ir::CombineKind kind = op.getKind();
            bool isMin = kind == ir::CombineKind::SMin ||
                         kind == ir::CombineKind::UMin ||
                         kind == ir::CombineKind::MinNum;
            return isMin ? "arg_min" : "arg_max";
          })
          .Default([](Operation *op) { return op->getName().stripDialect(); });
  return getGroupName(group) + "." + method.str();
}
