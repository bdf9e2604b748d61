//===- Stmt.cpp - Statements ----------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using llvm::cast;
using sema::Variable;

bool KernelEmitter::emitStmt(const sema::Stmt *stmt) {
  using Kind = sema::Stmt::Kind;
  NodeScope scope(*this, stmt->getLoc());
  if (isGivenUp(stmt->getLoc()))
    return true;
  switch (stmt->getKind()) {
  case Kind::Block:
    return emitBlock(cast<sema::BlockStmt>(stmt));
  case Kind::Declare:
    emitDeclare(cast<sema::DeclareStmt>(stmt));
    return true;
  case Kind::Assign:
    emitAssign(cast<sema::AssignStmt>(stmt));
    return true;
  case Kind::Expression:
    emitExpr(cast<sema::ExpressionStmt>(stmt)->expr);
    return true;
  case Kind::If:
    return emitIfStmt(cast<sema::IfStmt>(stmt));
  case Kind::While:
    emitWhile(cast<sema::WhileStmt>(stmt));
    return true;
  case Kind::For:
    emitFor(cast<sema::ForStmt>(stmt));
    return true;
  case Kind::Break:
    ir::BreakOp::create(b);
    return false;
  case Kind::Continue:
    ir::ContinueOp::create(b);
    return false;
  case Kind::Return:
    emitReturn(cast<sema::ReturnStmt>(stmt));
    return false;
  case Kind::Assert:
    emitAssert(cast<sema::AssertStmt>(stmt));
    return true;
  }
  llvm_unreachable("unknown statement");
}

/// What follows a statement that always leaves is never reached.
bool KernelEmitter::emitBlock(const sema::BlockStmt *block) {
  for (const sema::Stmt *stmt : block->body)
    if (!emitStmt(stmt))
      return false;
  return true;
}

void KernelEmitter::emitDeclare(const sema::DeclareStmt *declare) {
  const Variable *variable = declare->variable;
  switch (variable->storage) {
  case Variable::Storage::Shared:
    return emitShared(variable);
  case Variable::Storage::View:
  case Variable::Storage::Reference:
    return bindPlace(variable, emitPlace(declare->init));
  case Variable::Storage::Value:
  case Variable::Storage::Extent: {
    Leaves leaves = declare->init ? emitExpr(declare->init) : Leaves();
    for (Value leaf : leaves)
      if (Operation *op = leaf.getDefiningOp())
        op->setLoc(getNamedLoc(variable->name, op->getLoc()));
    return bindValue(variable, std::move(leaves));
  }
  case Variable::Storage::Mutable:
    break;
  }
  Leaves initial;
  if (declare->init)
    initial = emitExpr(declare->init);
  Place place = makeVar(variable->name, variable->type);
  if (declare->init)
    store(place, initial);
  bindPlace(variable, place);
}

void KernelEmitter::emitAssign(const sema::AssignStmt *assign) {
  Place place = emitPlace(assign->place);
  if (assign->oldValue)
    bindValue(assign->oldValue, load(place));
  store(place, emitExpr(assign->value));
}

bool KernelEmitter::emitArm(Region &region, const sema::Stmt *body) {
  bool reachesEnd = true;
  emitRegion(region, [&] {
    reachesEnd = emitStmt(body);
    if (!isTerminated(*b.getInsertionBlock()))
      ir::YieldOp::create(b);
  });
  return reachesEnd;
}

bool KernelEmitter::emitIfStmt(const sema::IfStmt *stmt) {
  Value condition = emitScalar(stmt->condition);
  auto op = ir::IfOp::create(b, TypeRange(), condition);
  bool reachesEnd = emitArm(op.getThenRegion(), stmt->thenBody);
  if (!stmt->elseBody)
    return true;
  bool elseReachesEnd = emitArm(op.getElseRegion(), stmt->elseBody);
  return reachesEnd || elseReachesEnd;
}

void KernelEmitter::emitReturn(const sema::ReturnStmt *stmt) {
  Leaves values;
  if (stmt->value)
    values = emitExpr(stmt->value);
  ir::ReturnOp::create(b, values);
}

void KernelEmitter::emitAssert(const sema::AssertStmt *stmt) {
  Value condition = emitScalar(stmt->condition);
  Leaves args;
  SmallVector<bool> signs;
  for (const sema::Expr *arg : stmt->args) {
    llvm::append_range(args, emitExpr(arg));
    for (const sema::Leaf &leaf : arg->getType()->getLeaves())
      signs.push_back(isSigned(leaf.type));
  }
  ir::AssertOp::create(b, condition, stmt->message, args, signs);
}
