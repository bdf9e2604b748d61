//===- MemberGroups.cpp - Groups that are made at run time ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `warp.active()`, `g.partition(p)`, `g.partition_by(label)`. Making a group is
// an action of its threads, so that it happens once where it is written: a
// `let` holds the value, and what uses the group reads that.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Groups.h"

using namespace coll;
using namespace coll::sema;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

static Group makeGroup(Checker &checker, const Group &base, Expr *label,
                       const Twine &name, SMRange range) {
  auto *expr = checker.make<GroupExpr>(checker.types.getGroup(), range);
  expr->base = base;
  expr->label = label;
  Group group;
  group.kind = Group::Kind::Members;
  group.members = expr;
  group.name = checker.types.save(name.str());
  return group;
}

std::optional<Group> coll::sema::resolveActive(Checker &checker,
                                               const Group &base,
                                               const ast::CallExpr &call) {
  std::string name = base.str() + ".active";
  if (base.kind != Group::Kind::Warp) {
    checker.error(call.getLoc(),
                  Twine(name) + ": only the warp has an active group");
    return std::nullopt;
  }
  if (!matchArguments(call, name, {}, checker.diags))
    return std::nullopt;
  return makeGroup(checker, base, nullptr, name + "()", call.getRange());
}

/// Whether a group can be split; an error if not.
static bool canBeSplit(Checker &checker, const Group &base, StringRef name,
                       const ast::CallExpr &call) {
  switch (base.kind) {
  case Group::Kind::Warp:
  case Group::Kind::Tile:
  case Group::Kind::Members:
    return true;
  case Group::Kind::Thread:
  case Group::Kind::BlockTile:
  case Group::Kind::Warps:
  case Group::Kind::Block:
  case Group::Kind::Cluster:
  case Group::Kind::Grid:
    checker.error(call.getLoc(), Twine(name) +
                                     " splits a warp-level group, got " +
                                     base.str());
    return false;
  }
  return false;
}

std::optional<Group> coll::sema::resolvePartition(Checker &checker,
                                                  const Group &base,
                                                  const ast::CallExpr &call,
                                                  StringRef method) {
  std::string name = base.str() + "." + method.str();
  bool isByLabel = method == "partition_by";
  auto args =
      matchArguments(call, name, {{isByLabel ? "label" : "p"}}, checker.diags);
  if (!args || !canBeSplit(checker, base, name, call))
    return std::nullopt;
  Expr *label = isByLabel
                    ? checkExchanged(checker, name, (*args)[0], nullptr)
                    : checker.checkAs((*args)[0], checker.types.getBool());
  if (!label || label->getType()->isError())
    return std::nullopt;
  return makeGroup(checker, base, label, name + "(...)", call.getRange());
}

std::optional<Group> coll::sema::makeLabelGroup(Checker &checker,
                                                const Group &base,
                                                const ast::Expr *label,
                                                StringRef name,
                                                const ast::CallExpr &call) {
  if (!canBeSplit(checker, base, name, call))
    return std::nullopt;
  Expr *value = checkExchanged(checker, name, label, nullptr);
  if (!value)
    return std::nullopt;
  return makeGroup(checker, base, value, base.str() + ".partition_by(...)",
                   call.getRange());
}

Group coll::sema::nameGroup(Checker &checker, const Group &group,
                            StringRef name, StmtList &out) {
  if (!group.members || !llvm::isa<GroupExpr>(group.members))
    return group;
  SMRange range = group.members->getRange();
  auto *declare = checker.makeStmt<DeclareStmt>(range.Start);
  declare->variable = checker.makeVariable(
      name, range.Start, checker.types.getGroup(), Variable::Storage::Value);
  declare->init = group.members;
  out.push_back(declare);
  Group named = group;
  named.members = checker.makeRead(declare->variable, range);
  return named;
}
