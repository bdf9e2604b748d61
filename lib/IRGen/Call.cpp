//===- Call.cpp - Functions, expanded at their calls ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using sema::Variable;

/// Arguments may call the same function: parameters are bound after all.
void KernelEmitter::bindArgs(const sema::CallExpr *call) {
  struct Argument {
    Leaves leaves;
    std::optional<Place> place;
  };
  SmallVector<Argument, 4> arguments;
  for (auto [param, arg] : llvm::zip(call->callee->params, call->args)) {
    Argument &argument = arguments.emplace_back();
    if (param->storage == Variable::Storage::Reference ||
        param->storage == Variable::Storage::View)
      argument.place = emitPlace(arg);
    else
      argument.leaves = emitExpr(arg);
  }
  for (auto [param, argument] : llvm::zip(call->callee->params, arguments)) {
    if (argument.place)
      bindPlace(param, std::move(*argument.place));
    else if (param->storage == Variable::Storage::Mutable)
      bindPlace(param, spill(param->name, param->type, argument.leaves));
    else
      bindValue(param, std::move(argument.leaves));
  }
  for (const sema::Function::BoundExtent &extent : call->callee->extents) {
    std::optional<Place> &view =
        bindings[call->callee->params[extent.param]].place;
    if (view && extent.dimension < view->getShape().size())
      bindValue(extent.variable, {getExtent(*view, extent.dimension)});
    else
      bindValue(extent.variable, {makeIndex(0)});
  }
}

void KernelEmitter::emitFunctionBody(const sema::Function *function) {
  LocationAttr outerCaller = callerLoc;
  callerLoc = b.getLoc();
  NodeScope scope(*this, function->loc);
  emitStmt(function->body);
  if (!isTerminated(*b.getInsertionBlock()))
    ir::ReturnOp::create(b, makeZeros(function->result));
  callerLoc = outerCaller;
}

Leaves KernelEmitter::emitCall(const sema::CallExpr *call) {
  bindArgs(call);
  auto op = ir::InlineOp::create(b, getLeafTypes(call->callee->result),
                                 call->callee->name);
  calls.push_back(call->getLoc());
  emitRegion(op.getBody(), [&] { emitFunctionBody(call->callee); });
  calls.pop_back();
  return Leaves(op.getResults());
}
