//===- Walk.cpp - Visiting the parts of typed nodes -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"

using namespace coll::sema;
using llvm::cast;
using llvm::dyn_cast;

namespace {

void visitPart(Expr *&part, ExprVisitor visit) {
  if (part)
    visit(part);
}

template <typename Range> void visitParts(Range &parts, ExprVisitor visit) {
  for (Expr *&part : parts)
    visitPart(part, visit);
}

void visitCollective(CollectiveExpr *collective, ExprVisitor visit) {
  visitPart(collective->group.members, visit);
  visitParts(collective->operands, visit);
  if (!collective->op)
    return;
  visitPart(collective->op->result, visit);
  visitPart(collective->op->identity, visit);
}

void visitSlice(SliceExpr *slice, ExprVisitor visit) {
  visitPart(slice->base, visit);
  for (auto &[begin, end] : slice->ranges) {
    visitPart(begin, visit);
    visitPart(end, visit);
  }
}

/// Nodes with two or three fixed parts, or any number.
void visitSeveral(Expr *expr, ExprVisitor visit) {
  if (auto *index = dyn_cast<IndexExpr>(expr)) {
    visitPart(index->base, visit);
    visitParts(index->indices, visit);
  } else if (auto *binary = dyn_cast<BinaryExpr>(expr)) {
    visitPart(binary->left, visit);
    visitPart(binary->right, visit);
  } else if (auto *compare = dyn_cast<CompareExpr>(expr)) {
    visitPart(compare->left, visit);
    visitPart(compare->right, visit);
  } else if (auto *logical = dyn_cast<LogicalExpr>(expr)) {
    visitPart(logical->left, visit);
    visitPart(logical->right, visit);
  } else if (auto *conditional = dyn_cast<ConditionalExpr>(expr)) {
    visitPart(conditional->condition, visit);
    visitPart(conditional->ifTrue, visit);
    visitPart(conditional->ifFalse, visit);
  } else if (auto *call = dyn_cast<CallExpr>(expr)) {
    visitParts(call->args, visit);
  } else if (auto *builtin = dyn_cast<BuiltinExpr>(expr)) {
    visitParts(builtin->args, visit);
  } else if (auto *aggregate = dyn_cast<AggregateExpr>(expr)) {
    visitParts(aggregate->members, visit);
  }
}

} // namespace

void coll::sema::forEachOperand(Expr *expr, ExprVisitor visit) {
  switch (expr->getKind()) {
  case Expr::Kind::Constant:
  case Expr::Kind::Variable:
    return;
  case Expr::Kind::GroupQuery:
    return visitPart(cast<GroupQueryExpr>(expr)->group.members, visit);
  case Expr::Kind::Group: {
    auto *group = cast<GroupExpr>(expr);
    visitPart(group->base.members, visit);
    return visitPart(group->label, visit);
  }
  case Expr::Kind::Member:
    return visitPart(cast<MemberExpr>(expr)->base, visit);
  case Expr::Kind::Unary:
    return visitPart(cast<UnaryExpr>(expr)->operand, visit);
  case Expr::Kind::Cast:
    return visitPart(cast<CastExpr>(expr)->operand, visit);
  case Expr::Kind::Bitcast:
    return visitPart(cast<BitcastExpr>(expr)->operand, visit);
  case Expr::Kind::ViewQuery:
    return visitPart(cast<ViewQueryExpr>(expr)->base, visit);
  case Expr::Kind::Slice:
    return visitSlice(cast<SliceExpr>(expr), visit);
  case Expr::Kind::Collective:
    return visitCollective(cast<CollectiveExpr>(expr), visit);
  case Expr::Kind::Atomic: {
    auto *atomic = cast<AtomicExpr>(expr);
    visitPart(atomic->place, visit);
    visitPart(atomic->expected, visit);
    return visitPart(atomic->value, visit);
  }
  case Expr::Kind::VectorAccess: {
    auto *access = cast<VectorAccessExpr>(expr);
    visitPart(access->base, visit);
    visitPart(access->first, visit);
    visitPart(access->limit, visit);
    visitPart(access->fill, visit);
    return visitPart(access->value, visit);
  }
  case Expr::Kind::Index:
  case Expr::Kind::Binary:
  case Expr::Kind::Compare:
  case Expr::Kind::Logical:
  case Expr::Kind::Conditional:
  case Expr::Kind::Call:
  case Expr::Kind::Builtin:
  case Expr::Kind::Aggregate:
    return visitSeveral(expr, visit);
  }
}

void coll::sema::forEachExpr(Stmt *stmt, ExprVisitor visit) {
  switch (stmt->getKind()) {
  case Stmt::Kind::Block:
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
    return;
  case Stmt::Kind::Declare: {
    auto *declare = cast<DeclareStmt>(stmt);
    visitPart(declare->variable->dynamicExtent, visit);
    return visitPart(declare->init, visit);
  }
  case Stmt::Kind::Assign: {
    auto *assign = cast<AssignStmt>(stmt);
    visitPart(assign->place, visit);
    return visitPart(assign->value, visit);
  }
  case Stmt::Kind::Expression:
    return visitPart(cast<ExpressionStmt>(stmt)->expr, visit);
  case Stmt::Kind::If:
    return visitPart(cast<IfStmt>(stmt)->condition, visit);
  case Stmt::Kind::While:
    return visitPart(cast<WhileStmt>(stmt)->condition, visit);
  case Stmt::Kind::For: {
    auto *loop = cast<ForStmt>(stmt);
    visitPart(loop->begin, visit);
    visitPart(loop->end, visit);
    return visitPart(loop->step, visit);
  }
  case Stmt::Kind::Return:
    return visitPart(cast<ReturnStmt>(stmt)->value, visit);
  case Stmt::Kind::Assert: {
    auto *check = cast<AssertStmt>(stmt);
    visitPart(check->condition, visit);
    return visitParts(check->args, visit);
  }
  }
}

void coll::sema::forEachSubStmt(Stmt *stmt, StmtVisitor visit) {
  auto visitBody = [&](Stmt *body) {
    if (body)
      visit(body);
  };
  if (auto *block = dyn_cast<BlockStmt>(stmt)) {
    for (Stmt *inner : block->body)
      visitBody(inner);
  } else if (auto *branch = dyn_cast<IfStmt>(stmt)) {
    visitBody(branch->thenBody);
    visitBody(branch->elseBody);
  } else if (auto *loop = dyn_cast<WhileStmt>(stmt)) {
    visitBody(loop->body);
  } else if (auto *loop = dyn_cast<ForStmt>(stmt)) {
    visitBody(loop->body);
  }
}

Variable *coll::sema::getRootVariable(Expr *place) {
  while (place) {
    if (auto *variable = dyn_cast<VariableExpr>(place))
      return variable->variable;
    if (auto *member = dyn_cast<MemberExpr>(place))
      place = member->base;
    else if (auto *index = dyn_cast<IndexExpr>(place))
      place = index->base;
    else if (auto *slice = dyn_cast<SliceExpr>(place))
      place = slice->base;
    else
      return nullptr;
  }
  return nullptr;
}
