//===- Shared.cpp - Arrays in the memory of the block ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "coll/Bundle/LaunchExpr.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using llvm::dyn_cast;

/// One object a block, also for a function that is expanded more than once: all
/// are declared at the kernel's start.
void KernelEmitter::emitShared(const sema::Variable *variable) {
  if (variable->dynamicExtent)
    return emitDynamicShared(variable);
  if (bindings.contains(variable))
    return;
  OpBuilder::InsertionGuard guard(b);
  if (lastShared)
    b.setInsertionPointAfter(lastShared);
  else
    b.setInsertionPointToStart(entryBlock);
  MemoryLayout layout = getLayout(variable->type, getContext());
  auto type = ir::ViewType::get(getContext(), layout.dims, layout.element,
                                ir::MemorySpace::Shared);
  auto op = ir::SharedOp::create(b, type, variable->name, Value(), StringAttr(),
                                 variable->alignment);
  lastShared = op;
  bindPlace(variable, {op.getView(), {}});
}

//===----------------------------------------------------------------------===//
// Sized by the launch
//===----------------------------------------------------------------------===//

static std::optional<LaunchExpr::Op> getLaunchOp(sema::BinaryExpr::Op op) {
  using From = sema::BinaryExpr::Op;
  using To = LaunchExpr::Op;
  switch (op) {
  case From::Add:
    return To::Add;
  case From::Sub:
    return To::Sub;
  case From::Mul:
    return To::Mul;
  case From::Div:
    return To::Div;
  case From::Rem:
    return To::Rem;
  case From::Shl:
    return To::Shl;
  case From::Shr:
    return To::Shr;
  case From::And:
    return To::And;
  case From::Or:
    return To::Or;
  case From::Xor:
    return To::Xor;
  }
  llvm_unreachable("unknown binary operator");
}

/// The expression as the host computes it, all in i64; none if the host cannot.
static std::optional<LaunchExpr> toLaunchExpr(const sema::Expr *expr) {
  using Op = LaunchExpr::Op;
  auto combine = [](Op op, const sema::Expr *left,
                    const sema::Expr *right) -> std::optional<LaunchExpr> {
    std::optional<LaunchExpr> first = toLaunchExpr(left);
    std::optional<LaunchExpr> second = toLaunchExpr(right);
    if (!first || !second)
      return std::nullopt;
    return LaunchExpr::binary(op, *first, *second);
  };
  if (auto *constant = dyn_cast<sema::ConstantExpr>(expr)) {
    auto *bits = std::get_if<APInt>(&constant->scalars.front());
    if (!bits)
      return std::nullopt;
    return LaunchExpr::constant(
        isSigned(constant->getType())
            ? bits->getSExtValue()
            : static_cast<int64_t>(bits->getZExtValue()));
  }
  if (auto *read = dyn_cast<sema::VariableExpr>(expr))
    return LaunchExpr::name(read->variable->name);
  if (auto *cast = dyn_cast<sema::CastExpr>(expr))
    return cast->getType()->isScalar(sema::ScalarKind::I64)
               ? toLaunchExpr(cast->operand)
               : std::nullopt;
  if (auto *binary = dyn_cast<sema::BinaryExpr>(expr))
    return combine(*getLaunchOp(binary->op), binary->left, binary->right);
  if (auto *call = dyn_cast<sema::CallExpr>(expr))
    if (call->callee->name == "ceil_div" && call->args.size() == 2)
      return combine(Op::CeilDiv, call->args[0], call->args[1]);
  if (auto *builtin = dyn_cast<sema::BuiltinExpr>(expr)) {
    if (builtin->builtin == sema::Builtin::Min)
      return combine(Op::Min, builtin->args[0], builtin->args[1]);
    if (builtin->builtin == sema::Builtin::Max)
      return combine(Op::Max, builtin->args[0], builtin->args[1]);
  }
  return std::nullopt;
}

void KernelEmitter::emitDynamicShared(const sema::Variable *variable) {
  const sema::Type *element = variable->type->getElement();
  std::optional<LaunchExpr> extent = toLaunchExpr(variable->dynamicExtent);
  if (!extent) {
    fail(variable->dynamicExtent->getLoc(),
         "the extent of shared '" + variable->name +
             "' is not supported yet: a launch computes +, -, *, /, %, shifts, "
             "min, max and ceil_div of extents, scalars and constants");
    return bindPlace(variable, makeVar(variable->name, element));
  }
  LaunchExpr bytes = LaunchExpr::binary(
      LaunchExpr::Op::Mul, *extent,
      LaunchExpr::constant(static_cast<int64_t>(element->getSize())));
  MemoryLayout layout = getLayout(element, getContext());
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  llvm::append_range(shape, layout.dims);
  auto type = ir::ViewType::get(getContext(), shape, layout.element,
                                ir::MemorySpace::Shared);
  auto op = ir::SharedOp::create(
      b, type, variable->name, emitScalar(variable->dynamicExtent),
      b.getStringAttr(bytes.str()), variable->alignment);
  bindPlace(variable, {op.getView(), {}});
}
