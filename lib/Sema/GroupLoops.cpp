//===- GroupLoops.cpp - Loops that keep a group together ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i in g.strided(n) { B }       for i in g.rank..n step g.size { B }
//
//   for c in g.chunks(n, K) { B }     let count = n;
//                                     let trips = ceil(count / (g.size * K));
//                                     for trip in 0..trips { B }
//
//   ... g.chunks(n, K, max = M)       assert(trips <= M, ...);
//                                     #[unroll]
//                                     for trip in 0..M { if trip < trips { B }
//                                     }
//
// The last form has a constant number of trips, so that arrays indexed by
// `c.trip` end up in registers.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Groups.h"
#include "Passes.h"

using namespace coll;
using namespace coll::sema;
using llvm::SMLoc;
using llvm::SMRange;
using llvm::StringRef;
using llvm::Twine;

namespace {

class GroupLoopChecker {
public:
  GroupLoopChecker(Checker &checker, const Group &group,
                   const ast::ForStmt &stmt, const ast::CallExpr &call)
      : checker(checker), group(group), stmt(stmt), call(call),
        range(call.getRange()), wide(checker.types.getI64()) {}

  Stmt *checkStrided();
  Stmt *checkChunks();

private:
  /// What stands for a loop that could not be checked.
  Stmt *makeNothing() { return checker.makeStmt<BlockStmt>(stmt.getLoc()); }

  /// `let name = value;`, appended to `block`.
  Variable *addLet(BlockStmt *block, StringRef name, Expr *value);
  Expr *makeTrips(Variable *count, unsigned perThread);
  void addTripCheck(BlockStmt *block, Variable *trips, Variable *count,
                    int64_t max);
  Expr *read(Variable *variable) { return checker.makeRead(variable, range); }
  Expr *makeInt(int64_t value) { return checker.makeInt(wide, value, range); }

  Checker &checker;
  const Group &group;
  const ast::ForStmt &stmt;
  const ast::CallExpr &call;
  SMRange range;
  const Type *wide;
};

} // namespace

//===----------------------------------------------------------------------===//
// g.strided(n)
//===----------------------------------------------------------------------===//

Stmt *GroupLoopChecker::checkStrided() {
  auto args =
      matchArguments(call, group.str() + ".strided", {{"n"}}, checker.diags);
  if (!args)
    return makeNothing();
  Expr *end = checker.checkIndex((*args)[0]);
  auto *loop = checker.makeStmt<ForStmt>(stmt.getLoc());
  loop->unroll = checker.checkLoopAttributes(stmt);
  ScopeGuard scope(checker.scopes());
  loop->variable = checker.declareVariable(stmt.getVariable(), wide,
                                           Variable::Storage::Value);
  loop->begin = makeRank(checker, group, range);
  loop->end = end;
  loop->step = makeSize(checker, group, range);
  loop->strided = group;
  loop->body = checker.checkLoopBody(stmt.getBody());
  checkStridedLoop(*loop, checker.diags);
  return loop;
}

//===----------------------------------------------------------------------===//
// g.chunks(n, K)
//===----------------------------------------------------------------------===//

Variable *GroupLoopChecker::addLet(BlockStmt *block, StringRef name,
                                   Expr *value) {
  Variable *variable =
      checker.makeVariable(name, stmt.getLoc(), wide, Variable::Storage::Value);
  auto *declare = checker.makeStmt<DeclareStmt>(stmt.getLoc());
  declare->variable = variable;
  declare->init = value;
  block->body.push_back(declare);
  return variable;
}

/// ceil(count / (g.size * K)); not positive where count is not.
Expr *GroupLoopChecker::makeTrips(Variable *count, unsigned perThread) {
  using Op = BinaryExpr::Op;
  Expr *size = makeChunkSize(checker, group, perThread, range);
  Expr *rest = checker.makeBinary(Op::Sub, size, makeInt(1), range);
  Expr *sum = checker.makeBinary(Op::Add, read(count), rest, range);
  return checker.makeBinary(Op::Div, sum, size, range);
}

void GroupLoopChecker::addTripCheck(BlockStmt *block, Variable *trips,
                                    Variable *count, int64_t max) {
  auto *check = checker.makeStmt<AssertStmt>(stmt.getLoc());
  check->condition = checker.makeCompare(CompareExpr::Op::Le, read(trips),
                                         makeInt(max), range);
  check->message = checker.types.save(
      group.str() + ".chunks over {} elements makes {} trips, max is " +
      std::to_string(max));
  check->args = {read(count), read(trips)};
  block->body.push_back(check);
}

Stmt *GroupLoopChecker::checkChunks() {
  std::string name = group.str() + ".chunks";
  auto args = matchArguments(call, name,
                             {{"n"}, {"K"}, {"max", ParamSpec::Form::Named}},
                             checker.diags);
  if (!args)
    return makeNothing();
  Expr *elements = checker.checkIndex((*args)[0]);
  auto perThread = checker.requireConstantInt(
      (*args)[1], "the number of elements a thread", 1, maxElementsPerThread);
  std::optional<int64_t> max;
  if (const ast::Expr *arg = (*args)[2]) {
    max = checker.requireConstantInt(arg, "the greatest number of trips", 1,
                                     1024);
    if (!max)
      return makeNothing();
  }
  if (!perThread)
    return makeNothing();

  auto *block = checker.makeStmt<BlockStmt>(stmt.getLoc());
  auto *chunk = checker.program.make<ChunkInfo>();
  chunk->group = group;
  chunk->perThread = *perThread;
  chunk->count = addLet(block, "count", elements);
  Variable *trips = addLet(block, "trips", makeTrips(chunk->count, *perThread));
  if (max)
    addTripCheck(block, trips, chunk->count, *max);

  auto *loop = checker.makeStmt<ForStmt>(stmt.getLoc());
  loop->unroll = checker.checkLoopAttributes(stmt);
  chunk->trip = checker.makeVariable("trip", stmt.getVariable().getLoc(), wide,
                                     Variable::Storage::Value);
  loop->variable = chunk->trip;
  loop->begin = makeInt(0);
  loop->end = max ? makeInt(*max) : read(trips);
  loop->chunked = group;
  ScopeGuard scope(checker.scopes());
  checker.declare(stmt.getVariable(),
                  Symbol::of(chunk, stmt.getVariable().getLoc()));
  loop->body = checker.checkLoopBody(stmt.getBody());
  if (max) {
    auto *guard = checker.makeStmt<IfStmt>(stmt.getLoc());
    guard->condition = checker.makeCompare(
        CompareExpr::Op::Lt, read(chunk->trip), read(trips), range);
    guard->thenBody = loop->body;
    loop->body = guard;
    loop->unroll = ~0u;
  }
  block->body.push_back(loop);
  return block;
}

Stmt *Checker::checkForOverGroup(const ast::ForStmt &stmt,
                                 const ast::CallExpr &call,
                                 const ast::MemberExpr &callee) {
  StringRef method = callee.getMember().text;
  if (method != "strided" && method != "chunks")
    return nullptr;
  std::optional<Group> group;
  if (!resolveGroup(callee.getBase(), group))
    return nullptr;
  Stmt *nothing = makeStmt<BlockStmt>(stmt.getLoc());
  if (!group)
    return nothing;
  std::string name = group->str() + "." + method.str();
  if (group->kind == Group::Kind::Thread) {
    error(call.getLoc(),
          Twine(name) + " has nothing to share out; loop over 0..n");
    return nothing;
  }
  auto *block = makeStmt<BlockStmt>(stmt.getLoc());
  Group named = nameGroup(*this, *group, "group", block->body);
  GroupLoopChecker loop(*this, named, stmt, call);
  Stmt *checked =
      method == "strided" ? loop.checkStrided() : loop.checkChunks();
  if (block->body.empty())
    return checked;
  block->body.push_back(checked);
  return block;
}
