//===- Names.cpp - What the user calls an operation -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "coll/Dialect/Coll/IR/MethodName.h"
#include "mlir/IR/Location.h"

using namespace coll;
using namespace mlir;

StringRef coll::findName(Location location, bool dotted) {
  if (auto site = dyn_cast<CallSiteLoc>(location))
    return findName(site.getCallee(), dotted);
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return {};
  StringRef name = named.getName().getValue();
  // "(switch)" is no name of the user's.
  if (name.contains('.') == dotted && !name.starts_with("("))
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

std::string coll::getCollectiveName(Operation *op, ir::GroupAttr group) {
  StringRef spelled = findName(op->getLoc(), /*dotted=*/true);
  if (!spelled.empty())
    return spelled.str();
  return ir::getCallName(op, getGroupName(group));
}
