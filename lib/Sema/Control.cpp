//===- Control.cpp - Loops, jumps, assertions -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace coll;
using namespace coll::sema;
using llvm::APSInt;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

BlockStmt *Checker::checkLoopBody(const ast::BlockStmt *block) {
  unsigned depth = std::exchange(current->loopDepth, current->loopDepth + 1);
  bool inStatic = std::exchange(current->inStaticFor, false);
  BlockStmt *result = checkBlock(block);
  current->loopDepth = depth;
  current->inStaticFor = inStatic;
  return result;
}

unsigned Checker::checkLoopAttributes(const ast::Stmt &stmt) {
  unsigned unroll = 0;
  for (const ast::Attribute &attribute : stmt.getAttributes()) {
    llvm::StringRef name = attribute.name.text;
    if (name == "distinct")
      continue; // Reported with the statement.
    if (name != "unroll") {
      error(attribute.name.getLoc(), "unknown attribute '" + name + "'");
      continue;
    }
    if (attribute.args.empty()) {
      unroll = ~0u;
      continue;
    }
    if (attribute.args.size() > 1) {
      error(attribute.name.getLoc(), "'#[unroll]' takes one number");
      continue;
    }
    unroll = requireConstantInt(attribute.args.front(),
                                "the factor of '#[unroll]'", 1, 1024)
                 .value_or(0);
  }
  return unroll;
}

void Checker::checkWhile(const ast::WhileStmt &stmt, StmtList &out) {
  auto *loop = makeStmt<WhileStmt>(stmt.getLoc());
  loop->unroll = checkLoopAttributes(stmt);
  loop->condition = checkCondition(stmt.getCondition());
  loop->body = checkLoopBody(stmt.getBody());
  out.push_back(loop);
}

/// The range, its step and its direction.
struct Checker::RangeHead {
  Expr *begin = nullptr;
  Expr *end = nullptr;
  Expr *step = nullptr;
  bool inclusive = false;
  bool reverse = false;
};

bool Checker::checkRangeCall(const ast::CallExpr &call,
                             const ast::MemberExpr &callee, RangeHead &head) {
  llvm::StringRef method = callee.getMember().text;
  if (!checkRangeHead(callee.getBase(), head))
    return false;
  if (method == "rev" && call.getArgs().empty()) {
    head.reverse = !head.reverse;
    return true;
  }
  bool isStep = method == "step" && call.getArgs().size() == 1 &&
                !call.getArgs().front().name;
  if (!isStep) {
    error(callee.getMember().getLoc(),
          "a range has '.step(s)' and '.rev()', got '." + method + "'");
    return false;
  }
  if (head.reverse || head.step) {
    error(callee.getMember().getLoc(),
          head.step ? "a range has one '.step(s)'"
                    : "write '.step(s)' before '.rev()'");
    return false;
  }
  const ast::Expr *written = call.getArgs().front().value;
  head.step = checkAs(written, head.begin->getType());
  std::optional<APSInt> value = getInteger(head.step);
  if (value && *value <= 0) {
    error(written->getLoc(), "the step of a range must be positive, got " +
                                 llvm::toString(*value, 10));
    return false;
  }
  return !head.step->getType()->isError();
}

bool Checker::checkRangeHead(const ast::Expr *expr, RangeHead &head) {
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(expr))
    if (const auto *callee = llvm::dyn_cast<ast::MemberExpr>(call->getCallee()))
      return checkRangeCall(*call, *callee, head);
  const auto *range = llvm::dyn_cast<ast::RangeExpr>(expr);
  if (!range) {
    error(expr->getLoc(), "'for' steps through a range 'a..b', "
                          "'g.strided(n)' or 'g.chunks(n, K)'");
    return false;
  }
  if (!range->getBegin() || !range->getEnd()) {
    error(expr->getLoc(), "the range of a 'for' needs both ends");
    return false;
  }
  head.inclusive = range->isInclusive();
  if (!checkOperands(range->getBegin(), range->getEnd(), nullptr, head.begin,
                     head.end, range->getBegin()->getLoc(),
                     "the ends of the range"))
    return false;
  const Type *type = head.begin->getType();
  if (type->isIntegerScalar())
    return true;
  error(range->getLoc(), "a range needs integers, got " + type->str());
  return false;
}

void Checker::checkFor(const ast::ForStmt &stmt, StmtList &out) {
  if (stmt.isStatic()) {
    checkStaticFor(stmt, out);
    return;
  }
  if (const auto *call = llvm::dyn_cast<ast::CallExpr>(stmt.getIterated()))
    if (const auto *callee = llvm::dyn_cast<ast::MemberExpr>(call->getCallee()))
      if (Stmt *loop = checkForOverGroup(stmt, *call, *callee)) {
        out.push_back(loop);
        return;
      }
  RangeHead head;
  ScopeGuard scope(scopes());
  auto *loop = makeStmt<ForStmt>(stmt.getLoc());
  loop->unroll = checkLoopAttributes(stmt);
  bool ok = checkRangeHead(stmt.getIterated(), head);
  loop->variable = declareVariable(
      stmt.getVariable(), ok ? head.begin->getType() : types.getError(),
      Variable::Storage::Value);
  loop->begin = head.begin;
  loop->end = head.end;
  loop->step = head.step;
  loop->inclusive = head.inclusive;
  loop->reverse = head.reverse;
  loop->body = checkLoopBody(stmt.getBody());
  if (ok)
    out.push_back(loop);
}

//===----------------------------------------------------------------------===//
// static for
//===----------------------------------------------------------------------===//

/// The trips of all `static for` of one function together.
static constexpr unsigned maxStaticTrips = 65536;

void Checker::checkStaticFor(const ast::ForStmt &stmt, StmtList &out) {
  if (!stmt.getAttributes().empty())
    checkLoopAttributes(stmt);
  RangeHead head;
  if (!checkRangeHead(stmt.getIterated(), head))
    return;
  const Type *type = head.begin->getType();
  std::optional<APSInt> begin = getInteger(head.begin);
  std::optional<APSInt> end = getInteger(head.end);
  std::optional<APSInt> step =
      head.step ? getInteger(head.step) : APSInt::get(1);
  if (!begin || !end || !step) {
    error(stmt.getIterated()->getLoc(),
          "the range of 'static for' is not known at compile time");
    return;
  }
  llvm::SmallVector<APSInt, 16> values;
  // Wide enough that the counter cannot wrap.
  APSInt last = end->extend(128), by = step->extend(128);
  by.setIsSigned(last.isSigned());
  for (APSInt i = begin->extend(128); head.inclusive ? i <= last : i < last;
       i += by) {
    if (++current->staticTrips > maxStaticTrips) {
      error(stmt.getLoc(),
            "the 'static for' loops of a function make at most " +
                llvm::Twine(maxStaticTrips) + " trips");
      return;
    }
    values.push_back(i);
  }
  if (head.reverse)
    std::reverse(values.begin(), values.end());
  auto *block = makeStmt<BlockStmt>(stmt.getLoc());
  bool inStatic = std::exchange(current->inStaticFor, true);
  unsigned errors = diags.getErrorCount();
  for (const APSInt &value : values) {
    ScopeGuard scope(scopes());
    const ast::Name &name = stmt.getVariable();
    declare(name,
            Symbol::of(
                makeConstant(type,
                             {value.trunc(getBitWidth(type->getScalarKind()))},
                             name.range),
                name.getLoc()));
    block->body.push_back(checkBlock(stmt.getBody()));
    if (diags.getErrorCount() != errors)
      break; // Other trips would report the same again.
  }
  current->inStaticFor = inStatic;
  out.push_back(block);
}

//===----------------------------------------------------------------------===//
// Jumps
//===----------------------------------------------------------------------===//

void Checker::checkJump(const ast::Stmt &stmt, StmtList &out) {
  bool isBreak = stmt.getKind() == ast::Stmt::Kind::Break;
  llvm::StringRef name = isBreak ? "break" : "continue";
  if (current->inStaticFor) {
    error(stmt.getLoc(), "'" + name + "' cannot leave a 'static for'");
    return;
  }
  if (current->loopDepth == 0) {
    error(stmt.getLoc(), "'" + name + "' is not inside a loop");
    return;
  }
  if (isBreak)
    out.push_back(makeStmt<BreakStmt>(stmt.getLoc()));
  else
    out.push_back(makeStmt<ContinueStmt>(stmt.getLoc()));
}

void Checker::checkReturn(const ast::ReturnStmt &stmt, StmtList &out) {
  auto *result = makeStmt<ReturnStmt>(stmt.getLoc());
  const Type *type = current->result;
  if (stmt.getValue() && type->isVoid()) {
    auto report =
        error(stmt.getValue()->getLoc(),
              current->kernel ? "a kernel returns no value"
                              : "'" + current->name + "' returns no value");
    if (!current->kernel)
      report.note(current->decl->item->getName().getLoc(),
                  "'" + current->name + "' is declared without '-> TYPE'");
    return;
  }
  if (!stmt.getValue() && !type->isVoid() && !type->isError()) {
    error(stmt.getLoc(), "'return' without a value, expected " + type->str());
    return;
  }
  if (stmt.getValue())
    result->value = checkAs(stmt.getValue(), type);
  if (!result->value || !result->value->getType()->isError())
    out.push_back(result);
}

//===----------------------------------------------------------------------===//
// assert
//===----------------------------------------------------------------------===//

void Checker::checkAssert(const ast::AssertStmt &stmt, StmtList &out) {
  auto *result = makeStmt<AssertStmt>(stmt.getLoc());
  result->condition = checkCondition(stmt.getCondition());
  bool ok = !result->condition->getType()->isError();
  for (const ast::Expr *each : stmt.getArgs()) {
    Expr *arg = checkValue(each);
    const Type *type = arg->getType();
    ok &= !type->isError();
    if (!type->isError() && !type->isScalar() && !type->isEnum()) {
      error(each->getLoc(), "the text of 'assert' can show scalars and enums, "
                            "got " +
                                type->str());
      ok = false;
    }
    result->args.push_back(arg);
  }
  size_t holes = 0;
  if (stmt.getFormat()) {
    result->message = types.save(stmt.getFormat()->getValue());
    holes = result->message.count("{}");
  }
  if (holes != stmt.getArgs().size()) {
    error(
        stmt.getLoc(),
        "the text of 'assert' has " + llvm::Twine(holes) + " '{}', but " +
            llvm::Twine(stmt.getArgs().size()) +
            (stmt.getArgs().size() == 1 ? " value follows" : " values follow"));
    ok = false;
  }
  if (ok)
    out.push_back(result);
}
