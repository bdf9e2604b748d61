//===- Groups.cpp - What denotes a group, and its members -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some members say the same thing; the typed tree has one form of each:
//
//   thread.rank, thread.index   block.rank      thread.count   block.size
//   thread.size                 1               thread.count3  block.size3
//   grid.count                  block.count     grid.count3    block.count3
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "Arguments.h"
#include "ForeignNames.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::dyn_cast;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

using Query = GroupQueryExpr::Query;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

GroupQueryExpr *coll::sema::makeGroupQuery(Checker &checker, const Group &group,
                                           Query query, unsigned dimension,
                                           SMRange range) {
  bool inGroup =
      query == Query::Rank || query == Query::Size || query == Query::Size3;
  bool wide = group.kind == Group::Kind::Grid ||
              (!inGroup && (group.kind == Group::Kind::Block ||
                            group.kind == Group::Kind::Cluster));
  const Type *type = wide ? checker.types.getI64() : checker.types.getI32();
  auto *expr = checker.make<GroupQueryExpr>(type, range);
  expr->query = query;
  expr->group = group;
  expr->dimension = dimension;
  return expr;
}

static Expr *makeWideQuery(Checker &checker, const Group &group, Query query,
                           SMRange range) {
  Expr *value = makeGroupQuery(checker, group, query, 0, range);
  return checker.makeCast(value, checker.types.getI64(), range);
}

Expr *coll::sema::makeRank(Checker &checker, const Group &group,
                           SMRange range) {
  return makeWideQuery(checker, group, Query::Rank, range);
}

Expr *coll::sema::makeSize(Checker &checker, const Group &group,
                           SMRange range) {
  return makeWideQuery(checker, group, Query::Size, range);
}

Expr *coll::sema::makeFirstElement(Checker &checker, const Group &group,
                                   Expr *first, unsigned perThread,
                                   SMRange range) {
  Expr *count = checker.makeInt(checker.types.getI64(), perThread, range);
  Expr *offset = checker.makeBinary(
      BinaryExpr::Op::Mul, makeRank(checker, group, range), count, range);
  return checker.makeBinary(BinaryExpr::Op::Add, first, offset, range);
}

Expr *coll::sema::makeChunkSize(Checker &checker, const Group &group,
                                unsigned perThread, SMRange range) {
  Expr *count = checker.makeInt(checker.types.getI64(), perThread, range);
  return checker.makeBinary(BinaryExpr::Op::Mul,
                            makeSize(checker, group, range), count, range);
}

//===----------------------------------------------------------------------===//
// What denotes a group
//===----------------------------------------------------------------------===//

static std::optional<Group> getNamedGroup(StringRef name) {
  using Kind = Group::Kind;
  auto make = [](Kind kind) { return std::optional<Group>(Group{kind}); };
  return llvm::StringSwitch<std::optional<Group>>(name)
      .Case("thread", make(Kind::Thread))
      .Case("warp", make(Kind::Warp))
      .Case("block", make(Kind::Block))
      .Case("cluster", make(Kind::Cluster))
      .Case("grid", make(Kind::Grid))
      .Default(std::nullopt);
}

/// Of `block.tile(N)`, which is made of whole warps, or one. Whether N divides
/// the workgroup is seen where a kernel is emitted.
static std::optional<Group> makeBlockTile(Checker &checker, int64_t size,
                                          llvm::SMLoc loc) {
  unsigned warpSize = checker.options.target.warpSize;
  if (size == warpSize)
    return Group{Group::Kind::Warp};
  if (size > warpSize)
    return Group{Group::Kind::BlockTile, static_cast<unsigned>(size)};
  checker.error(loc, "block.tile(" + Twine(size) + ") is less than a warp of " +
                         checker.getDeviceName() + ", which has " +
                         Twine(warpSize) + " threads; use warp.tile");
  return std::nullopt;
}

/// `warp.tile(N)`, `block.tile(N)`; nothing after an error.
static std::optional<Group> resolveTile(Checker &checker, const Group &base,
                                        const ast::CallExpr &call) {
  bool isOfBlock = base.kind == Group::Kind::Block;
  if (base.kind != Group::Kind::Warp && !isOfBlock) {
    checker.failUnsupported(call.getRange(), base.str() + ".tile");
    return std::nullopt;
  }
  auto args =
      matchArguments(call, base.str() + ".tile", {{"N"}}, checker.diags);
  if (!args)
    return std::nullopt;
  auto size =
      checker.requireConstantInt((*args)[0], "the tile's size", 1, 1 << 16);
  if (!size)
    return std::nullopt;
  if (!llvm::isPowerOf2_64(*size)) {
    checker.error((*args)[0]->getLoc(), "the tile's size is " + Twine(*size) +
                                            ", expected a power of two");
    return std::nullopt;
  }
  if (isOfBlock)
    return makeBlockTile(checker, *size, (*args)[0]->getLoc());
  const TargetValues &target = checker.options.target;
  if (*size > target.warpSize) {
    checker.error((*args)[0]->getLoc(),
                  "warp.tile(" + Twine(*size) + ") does not fit in a warp of " +
                      checker.getDeviceName() + ", which has " +
                      Twine(target.warpSize) + " threads");
    return std::nullopt;
  }
  return Group{Group::Kind::Tile, static_cast<unsigned>(*size)};
}

/// `block.warps(a..b)`; nothing after an error. Whether the block has so many
/// is seen where a kernel is emitted.
static std::optional<Group> resolveWarps(Checker &checker, const Group &base,
                                         const ast::CallExpr &call) {
  std::string name = base.str() + ".warps";
  if (base.kind != Group::Kind::Block) {
    checker.failUnsupported(call.getRange(), name);
    return std::nullopt;
  }
  auto args = matchArguments(call, name, {{"range"}}, checker.diags);
  if (!args)
    return std::nullopt;
  auto *range = dyn_cast<ast::RangeExpr>((*args)[0]);
  if (!range) {
    checker.error((*args)[0]->getLoc(),
                  Twine(name) + " expects a range of warps, a..b");
    return std::nullopt;
  }
  constexpr int64_t most = 1024 / 32;
  auto first = checker.requireConstantInt(range->getBegin(),
                                          "the range's begin", 0, most);
  auto last =
      checker.requireConstantInt(range->getEnd(), "the range's end", 0, most);
  if (!first || !last)
    return std::nullopt;
  int64_t end = *last + range->isInclusive();
  if (*first >= end) {
    checker.error(range->getLoc(), Twine(name) + "(" + Twine(*first) + ".." +
                                       Twine(end) + ") has no warps");
    return std::nullopt;
  }
  Group group = {Group::Kind::Warps};
  group.firstWarp = static_cast<unsigned>(*first);
  group.numWarps = static_cast<unsigned>(end - *first);
  group.tileSize = group.numWarps * checker.options.target.warpSize;
  return group;
}

bool Checker::resolveGroup(const ast::Expr *expr, std::optional<Group> &group) {
  group = std::nullopt;
  if (auto *name = dyn_cast<ast::NameExpr>(expr)) {
    if (const Symbol *symbol = lookupLocal(name->getName())) {
      group = symbol->group;
      return symbol->kind == Symbol::Kind::Group;
    }
    if (!isBuiltinMeaning(name->getName()))
      return false;
    group = getNamedGroup(name->getName());
    return group.has_value();
  }
  auto *call = dyn_cast<ast::CallExpr>(expr);
  auto *callee = call ? dyn_cast<ast::MemberExpr>(call->getCallee()) : nullptr;
  if (!callee)
    return false;
  StringRef method = callee->getMember().text;
  bool makesGroup = llvm::StringSwitch<bool>(method)
                        .Cases({"tile", "active", "warps"}, true)
                        .Cases({"partition", "partition_by"}, true)
                        .Default(false);
  std::optional<Group> base;
  if (!makesGroup || !resolveGroup(callee->getBase(), base))
    return false;
  if (base && method == "tile")
    group = resolveTile(*this, *base, *call);
  else if (base && method == "active")
    group = resolveActive(*this, *base, *call);
  else if (base && method == "warps")
    group = resolveWarps(*this, *base, *call);
  else if (base)
    group = resolvePartition(*this, *base, *call, method);
  return true;
}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

static std::optional<Query> getQuery(StringRef name) {
  return llvm::StringSwitch<std::optional<Query>>(name)
      .Case("rank", Query::Rank)
      .Case("size", Query::Size)
      .Case("index", Query::Index)
      .Case("count", Query::Count)
      .Case("index3", Query::Index3)
      .Case("size3", Query::Size3)
      .Case("count3", Query::Count3)
      .Default(std::nullopt);
}

static bool hasDimension(Query query) { return query >= Query::Index3; }

/// Whether the group has this member at all.
static bool hasMember(const Group &group, Query query) {
  switch (group.kind) {
  case Group::Kind::Thread:
    return query != Query::Size3;
  case Group::Kind::Warp:
  case Group::Kind::Tile:
  case Group::Kind::BlockTile:
  case Group::Kind::Cluster:
    return !hasDimension(query);
  case Group::Kind::Block:
    return true;
  case Group::Kind::Grid:
    return query == Query::Rank || query == Query::Size ||
           query == Query::Count || query == Query::Count3;
  case Group::Kind::Members:
  case Group::Kind::Warps:
    return query == Query::Rank || query == Query::Size;
  }
  return false;
}

/// The one form that the typed tree has of each (see the head of the file).
static Expr *makeMemberQuery(Checker &checker, const Group &group, Query query,
                             unsigned dimension, SMRange range) {
  const Group block = {Group::Kind::Block, 0};
  if (group.kind == Group::Kind::Thread) {
    switch (query) {
    case Query::Rank:
    case Query::Index: {
      GroupQueryExpr *rank =
          makeGroupQuery(checker, block, Query::Rank, 0, range);
      rank->written = query == Query::Rank ? "thread.rank" : "thread.index";
      return rank;
    }
    case Query::Size:
      return checker.makeInt(checker.types.getI32(), 1, range);
    case Query::Count:
      return makeGroupQuery(checker, block, Query::Size, 0, range);
    case Query::Count3:
      return makeGroupQuery(checker, block, Query::Size3, dimension, range);
    case Query::Index3:
    case Query::Size3:
      break;
    }
  }
  if (group.kind == Group::Kind::Grid &&
      (query == Query::Count || query == Query::Count3))
    return makeGroupQuery(checker, block, query, dimension, range);
  return makeGroupQuery(checker, group, query, dimension, range);
}

static Expr *failNoGroupMember(Checker &checker, const Group &group,
                               const ast::MemberExpr &member) {
  StringRef name = member.getMember().text;
  llvm::SmallVector<StringRef, 40> methods = {"strided", "chunks", "load",
                                              "store", "tile"};
  listCollectives(methods);
  if (llvm::is_contained(methods, name))
    return checker.fail(member.getRange(), Twine(group.str()) + "." + name +
                                               " is a method, it is called");
  llvm::SmallVector<StringRef, 8> names;
  for (StringRef candidate :
       {"rank", "size", "index", "count", "index3", "size3", "count3"})
    if (hasMember(group, *getQuery(candidate)))
      names.push_back(candidate);
  StringRef near = translateForeignName(NameUse::GroupMember, name);
  std::optional<Query> meant = getQuery(near.split('.').first);
  if (!meant || !hasMember(group, *meant))
    near = nearestName(name, names);
  std::string hint =
      near.empty() ? "" : ("; did you mean '" + near + "'?").str();
  return checker.fail(member.getRange(), Twine(group.str()) +
                                             " has no member '" + name + "'" +
                                             hint);
}

/// `g.index3.y`: null if `member` is not of that form.
static Expr *checkDimension(Checker &checker, const ast::MemberExpr &member) {
  auto *form = dyn_cast<ast::MemberExpr>(member.getBase());
  if (!form)
    return nullptr;
  std::optional<Query> query = getQuery(form->getMember().text);
  std::optional<Group> group;
  if (!query || !hasDimension(*query) ||
      !checker.resolveGroup(form->getBase(), group))
    return nullptr;
  if (!group)
    return checker.makeError(member.getRange());
  if (!hasMember(*group, *query))
    return failNoGroupMember(checker, *group, *form);
  StringRef name = member.getMember().text;
  size_t dimension = StringRef("xyz").find(name);
  if (name.size() != 1 || dimension == StringRef::npos)
    return checker.fail(member.getMember().range,
                        Twine(group->str()) + "." + form->getMember().text +
                            " has no member '" + name +
                            "', expected x, y or z");
  return makeMemberQuery(checker, *group, *query, dimension, member.getRange());
}

/// `c.trip`: null if the base is no chunk.
static Expr *checkChunkMember(Checker &checker, const ast::MemberExpr &member) {
  auto *name = dyn_cast<ast::NameExpr>(member.getBase());
  const Symbol *symbol = name ? checker.lookupLocal(name->getName()) : nullptr;
  if (!symbol || symbol->kind != Symbol::Kind::Chunk)
    return nullptr;
  StringRef wanted = member.getMember().text;
  if (wanted == "trip")
    return checker.makeCast(
        checker.makeRead(symbol->chunk->trip, member.getRange()),
        checker.types.getI32(), member.getRange());
  if (llvm::is_contained({"load", "store", "valid", "index"}, wanted))
    return checker.fail(member.getRange(), Twine(name->getName()) + "." +
                                               wanted +
                                               " is a method, it is called");
  return checker.fail(member.getRange(), "a chunk has no member '" +
                                             Twine(wanted) +
                                             "', expected trip");
}

Expr *Checker::checkGroupMember(const ast::MemberExpr &member) {
  if (Expr *trip = checkChunkMember(*this, member))
    return trip;
  if (Expr *dimension = checkDimension(*this, member))
    return dimension;
  std::optional<Group> group;
  if (!resolveGroup(member.getBase(), group))
    return nullptr;
  if (!group)
    return makeError(member.getRange());
  std::optional<Query> query = getQuery(member.getMember().text);
  if (!query || !hasMember(*group, *query))
    return failNoGroupMember(*this, *group, member);
  if (hasDimension(*query))
    return fail(member.getRange(), Twine(group->str()) + "." +
                                       member.getMember().text +
                                       " is not a value, use its x, y or z");
  return makeMemberQuery(*this, *group, *query, 0, member.getRange());
}
