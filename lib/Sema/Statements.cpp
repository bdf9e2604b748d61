//===- Statements.cpp - Declarations, assignments, branches ---------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace coll;
using namespace coll::sema;

BlockStmt *Checker::checkBlock(const ast::BlockStmt *block) {
  auto *result = makeStmt<BlockStmt>(block->getLoc());
  ScopeGuard scope(scopes());
  if (isStackNearlyExhausted()) {
    error(block->getLoc(), "this block is nested too deeply");
    return result;
  }
  for (const ast::Stmt *stmt : block->getBody())
    checkStmt(stmt, result->body);
  return result;
}

void Checker::checkStmt(const ast::Stmt *stmt, StmtList &out) {
  bool isLoop = stmt->getKind() == ast::Stmt::Kind::For ||
                stmt->getKind() == ast::Stmt::Kind::While;
  for (const ast::Attribute &attribute : stmt->getAttributes()) {
    if (attribute.name.text == "distinct")
      failUnsupported(attribute.name.range, "'#[distinct]'");
    else if (!isLoop)
      error(attribute.name.getLoc(), "attribute '" + attribute.name.text +
                                         "' may only stand before a loop");
  }
  switch (stmt->getKind()) {
  case ast::Stmt::Kind::Block:
    out.push_back(checkBlock(llvm::cast<ast::BlockStmt>(stmt)));
    return;
  case ast::Stmt::Kind::Var:
    checkVar(*llvm::cast<ast::VarStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Assign:
    checkAssign(*llvm::cast<ast::AssignStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Expr:
    checkExprStmt(*llvm::cast<ast::ExprStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::If:
    checkIf(*llvm::cast<ast::IfStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::While:
    checkWhile(*llvm::cast<ast::WhileStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::For:
    checkFor(*llvm::cast<ast::ForStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Switch:
    checkSwitch(*llvm::cast<ast::SwitchStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Break:
  case ast::Stmt::Kind::Continue:
    checkJump(*stmt, out);
    return;
  case ast::Stmt::Kind::Return:
    checkReturn(*llvm::cast<ast::ReturnStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Assert:
    checkAssert(*llvm::cast<ast::AssertStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Trap: {
    auto *trap = makeStmt<ExpressionStmt>(stmt->getLoc());
    auto *call = make<BuiltinExpr>(types.getVoid(), stmt->getRange());
    call->builtin = Builtin::Trap;
    trap->expr = call;
    out.push_back(trap);
    return;
  }
  case ast::Stmt::Kind::Shared:
    checkShared(*llvm::cast<ast::SharedStmt>(stmt), out);
    return;
  case ast::Stmt::Kind::Print:
    failUnsupported(stmt->getRange(), "'print'");
    return;
  case ast::Stmt::Kind::Workspace:
    failUnsupported(stmt->getRange(), "'workspace'");
    declare(llvm::cast<ast::WorkspaceStmt>(stmt)->getName(),
            Symbol::poison(stmt->getLoc()));
    return;
  case ast::Stmt::Kind::Barrier:
    failUnsupported(stmt->getRange(), "'barrier'");
    for (const ast::BarrierDecl &each :
         llvm::cast<ast::BarrierStmt>(stmt)->getDecls())
      declare(each.name, Symbol::poison(each.name.getLoc()));
    return;
  case ast::Stmt::Kind::Launch:
    error(stmt->getLoc(), "'launch' may only stand in a pipeline or a test");
    return;
  case ast::Stmt::Kind::Expect:
    error(stmt->getLoc(), "'expect' may only stand in a test");
    return;
  }
}

//===----------------------------------------------------------------------===//
// let and var
//===----------------------------------------------------------------------===//

void Checker::poisonPattern(const ast::Pattern *pattern) {
  if (!pattern->isTuple()) {
    declare(pattern->getName(), Symbol::poison(pattern->getLoc()));
    return;
  }
  for (const ast::Pattern *element : pattern->getElements())
    poisonPattern(element);
}

void Checker::checkVar(const ast::VarStmt &stmt, StmtList &out) {
  const ast::Pattern *pattern = stmt.getPattern();
  const Type *type = stmt.getType() ? resolveType(stmt.getType()) : nullptr;
  if (!stmt.getInit()) {
    if (!type || pattern->isTuple()) {
      error(stmt.getLoc(), "a declaration without a value needs a name and a "
                           "type");
      poisonPattern(pattern);
      return;
    }
    declareLocal(pattern->getName(), type, /*isLet=*/false, nullptr, out);
    return;
  }
  std::optional<Group> group;
  if (!type && !pattern->isTuple() && resolveGroup(stmt.getInit(), group)) {
    if (group)
      group = nameGroup(*this, *group, pattern->getName().text, out);
    declare(pattern->getName(), group ? Symbol::of(*group, pattern->getLoc())
                                      : Symbol::poison(pattern->getLoc()));
    if (!stmt.isLet())
      error(stmt.getLoc(), "a group is named by 'let', not by 'var'");
    return;
  }
  Expr *init = checkExpr(stmt.getInit(), type);
  if (type)
    init = coerce(init, type, stmt.getInit()->getLoc());
  if (init->getType()->isVoid())
    init = fail(stmt.getInit()->getRange(),
                "expected a value, got a call that gives none");
  bindPattern(pattern, stmt.isLet(), init, out);
}

void Checker::warnOfLargeArray(const ast::Name &name, const Type *type) {
  uint64_t registerBytes = 4 * uint64_t(options.target.maxRegisters);
  if (!type->isArray() || registerBytes == 0 ||
      type->getSize() <= registerBytes)
    return;
  diags.warning(
      name.getLoc(),
      "'" + name.text + "' has " + llvm::Twine(type->getSize()) +
          " bytes in every thread, and the registers of a thread of " +
          getDeviceName() + " hold " + llvm::Twine(registerBytes) +
          ": it lies in memory, and takes long to compile where "
          "'static for' goes over it");
}

void Checker::declareLocal(const ast::Name &name, const Type *type, bool isLet,
                           Expr *init, StmtList &out) {
  if (type->isError()) {
    declare(name, Symbol::poison(name.getLoc()));
    return;
  }
  if (type->isView() && !isLet) {
    error(name.getLoc(), "a view is named by 'let', not by 'var'");
    declare(name, Symbol::poison(name.getLoc()));
    return;
  }
  auto storage = type->isView() ? Variable::Storage::View
                 : isLet        ? Variable::Storage::Value
                                : Variable::Storage::Mutable;
  warnOfLargeArray(name, type);
  auto *stmt = makeStmt<DeclareStmt>(name.getLoc());
  stmt->variable = declareVariable(name, type, storage);
  stmt->init = init;
  out.push_back(stmt);
}

void Checker::bindPattern(const ast::Pattern *pattern, bool isLet, Expr *init,
                          StmtList &out) {
  const Type *type = init->getType();
  if (type->isError()) {
    poisonPattern(pattern);
    return;
  }
  if (!pattern->isTuple()) {
    declareLocal(pattern->getName(), type, isLet, init, out);
    return;
  }
  size_t count = pattern->getElements().size();
  if (!type->isTuple() || type->getMembers().size() != count) {
    error(pattern->getLoc(), "a pattern of " + llvm::Twine(count) +
                                 (count == 1 ? " name" : " names") +
                                 " cannot take " + type->str());
    poisonPattern(pattern);
    return;
  }
  // The tuple is computed once, under a name that no program has.
  auto *whole = makeStmt<DeclareStmt>(pattern->getLoc());
  whole->variable = makeVariable("(tuple)", pattern->getLoc(), type,
                                 Variable::Storage::Value);
  whole->init = init;
  out.push_back(whole);
  for (const auto &[i, element] : llvm::enumerate(pattern->getElements())) {
    Expr *read = makeRead(whole->variable, element->getRange());
    bindPattern(element, isLet, makeMember(read, i, element->getRange()), out);
  }
}

//===----------------------------------------------------------------------===//
// Assignments and expressions
//===----------------------------------------------------------------------===//

/// Whether the written expression names a place; what it denotes is checked
/// later.
static bool isWrittenPlace(const ast::Expr *expr) {
  return llvm::isa<ast::NameExpr, ast::MemberExpr, ast::IndexExpr>(expr);
}

void Checker::checkAssign(const ast::AssignStmt &stmt, StmtList &out) {
  const ast::Expr *target = stmt.getTarget();
  if (!isWrittenPlace(target)) {
    fail(target->getRange(), "this cannot be assigned to");
    checkExpr(stmt.getValue());
    return;
  }
  Expr *place = checkExpr(target);
  const Type *type = place->getType();
  bool ok = requireMutable(place, target->getLoc(), "assign to");
  auto *assign = makeStmt<AssignStmt>(stmt.getLoc());
  assign->place = place;
  if (!ok) {
    checkExpr(stmt.getValue(), type);
    return;
  }
  if (!stmt.getOp()) {
    assign->value = checkAs(stmt.getValue(), type);
  } else {
    assign->oldValue = makeVariable("(old value)", target->getLoc(), type,
                                    Variable::Storage::Value);
    assign->value =
        checkCompound(stmt, makeRead(assign->oldValue, target->getRange()));
  }
  if (!assign->value->getType()->isError())
    out.push_back(assign);
}

Expr *Checker::checkCompound(const ast::AssignStmt &stmt, Expr *oldValue) {
  llvm::SMRange range = stmt.getRange();
  BinaryExpr::Op op = toBinaryOp(*stmt.getOp());
  const Type *type = oldValue->getType();
  if (op == BinaryExpr::Op::Shl || op == BinaryExpr::Op::Shr)
    return makeShift(op, oldValue, checkValue(stmt.getValue()), range);
  if (type->isArray() || type->isStruct() || type->isTuple())
    return fail(range, "operator '" + getSpelling(*stmt.getOp()) +
                           "=' does not work on " + type->str());
  return makeBinary(op, oldValue, checkAs(stmt.getValue(), type), range);
}

void Checker::checkExprStmt(const ast::ExprStmt &stmt, StmtList &out) {
  if (!llvm::isa<ast::CallExpr>(stmt.getExpr())) {
    Expr *value = checkExpr(stmt.getExpr());
    if (!value->getType()->isError())
      fail(stmt.getRange(), "the value of this expression is not used");
    return;
  }
  auto *result = makeStmt<ExpressionStmt>(stmt.getLoc());
  result->expr = checkExpr(stmt.getExpr());
  if (!result->expr->getType()->isError())
    out.push_back(result);
}

//===----------------------------------------------------------------------===//
// if and switch
//===----------------------------------------------------------------------===//

void Checker::checkIf(const ast::IfStmt &first, StmtList &out) {
  // A long chain of `else if` is one level of the source, so it is walked in a
  // loop.
  Stmt **link = nullptr;
  const ast::Stmt *next = &first;
  auto append = [&](Stmt *stmt) {
    if (link)
      *link = stmt;
    else
      out.push_back(stmt);
  };
  while (const auto *stmt = llvm::dyn_cast_if_present<ast::IfStmt>(next)) {
    if (stmt->isStatic()) {
      std::optional<bool> taken = requireConstantBool(
          stmt->getCondition(), "the condition of 'static if'");
      if (!taken)
        return;
      if (*taken) {
        append(checkBlock(stmt->getThen()));
        return;
      }
      next = stmt->getElse();
      continue;
    }
    auto *branch = makeStmt<IfStmt>(stmt->getLoc());
    branch->condition = checkCondition(stmt->getCondition());
    branch->thenBody = checkBlock(stmt->getThen());
    append(branch);
    link = &branch->elseBody;
    next = stmt->getElse();
  }
  if (next)
    append(checkBlock(llvm::cast<ast::BlockStmt>(next)));
}

void Checker::checkSwitch(const ast::SwitchStmt &stmt, StmtList &out) {
  Expr *value = checkValue(stmt.getValue());
  const Type *type = value->getType();
  if (!type->isError() && !type->isIntegerScalar() && !type->isEnum() &&
      !type->isBool())
    value = fail(stmt.getValue()->getRange(),
                 "'switch' needs an integer, an enum or a bool, got " +
                     type->str());
  auto *block = makeStmt<BlockStmt>(stmt.getLoc());
  auto *declare = makeStmt<DeclareStmt>(stmt.getLoc());
  declare->variable = makeVariable("(switch)", stmt.getValue()->getLoc(),
                                   value->getType(), Variable::Storage::Value);
  declare->init = value;
  block->body.push_back(declare);
  Stmt **link = nullptr;
  auto append = [&](Stmt *each) {
    if (link)
      *link = each;
    else
      block->body.push_back(each);
  };
  std::map<uint64_t, llvm::SMLoc> seen;
  for (const ast::SwitchCase &each : stmt.getCases()) {
    if (seen.size() == maxBranches && !each.values.empty()) {
      error(each.values.front()->getLoc(),
            "'switch' has at most " + llvm::Twine(maxBranches) + " cases");
      break;
    }
    auto *branch = makeStmt<IfStmt>(each.body->getLoc());
    branch->condition = checkCases(each, declare->variable, seen);
    branch->thenBody = checkBlock(each.body);
    append(branch);
    link = &branch->elseBody;
  }
  if (stmt.getElse())
    append(checkBlock(stmt.getElse()));
  out.push_back(block);
}

Expr *Checker::checkCases(const ast::SwitchCase &branch, Variable *value,
                          std::map<uint64_t, llvm::SMLoc> &seen) {
  Expr *condition = nullptr;
  for (const ast::Expr *each : branch.values) {
    Expr *expr = checkAs(each, value->type);
    const auto *constant = llvm::dyn_cast<ConstantExpr>(expr);
    if (expr->getType()->isError())
      continue;
    if (seen.size() == maxBranches) {
      error(each->getLoc(),
            "'switch' has at most " + llvm::Twine(maxBranches) + " cases");
      break;
    }
    if (!constant) {
      error(each->getLoc(), "a case must be known at compile time");
      continue;
    }
    uint64_t bits =
        std::get<llvm::APInt>(constant->scalars.front()).getZExtValue();
    auto [it, isNew] = seen.emplace(bits, each->getLoc());
    if (!isNew)
      error(each->getLoc(), "this case occurs twice")
          .note(it->second, "the first one is here");
    Expr *test =
        makeCompare(CompareExpr::Op::Eq, makeRead(value, each->getRange()),
                    expr, each->getRange());
    condition = condition ? makeLogical(/*isAnd=*/false, condition, test,
                                        each->getRange())
                          : test;
  }
  return condition ? condition : makeBool(false, branch.body->getRange());
}
