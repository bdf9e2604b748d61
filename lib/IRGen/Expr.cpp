//===- Expr.cpp - Expressions ---------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

/// A value has one SSA value a leaf; larger ones belong in memory.
static constexpr size_t maxLeaves = 4096;

Leaves KernelEmitter::emitExpr(const sema::Expr *expr) {
  NodeScope scope(*this, expr->getLoc());
  const sema::Type *type = expr->getType();
  if (type->getLeaves().size() > maxLeaves)
    fail(expr->getLoc(), "a value of type " + type->str() + " has " +
                             llvm::Twine(type->getLeaves().size()) +
                             " scalars, more than " + llvm::Twine(maxLeaves) +
                             "; assign its elements one by one");
  if (isGivenUp(expr->getLoc()))
    return makeZeros(type);
  Leaves leaves = emitKind(expr);
  if (hasFailed)
    return makeZeros(type);
  return leaves;
}

Value KernelEmitter::emitScalar(const sema::Expr *expr) {
  return emitExpr(expr).front();
}

Leaves KernelEmitter::emitKind(const sema::Expr *expr) {
  using Kind = sema::Expr::Kind;
  switch (expr->getKind()) {
  case Kind::Constant:
    return emitConstant(cast<sema::ConstantExpr>(expr));
  case Kind::Variable:
    return emitVariable(cast<sema::VariableExpr>(expr));
  case Kind::Member:
    return emitMember(cast<sema::MemberExpr>(expr));
  case Kind::Index:
    return emitIndex(cast<sema::IndexExpr>(expr));
  case Kind::Slice:
    return load(emitPlace(expr));
  case Kind::Unary:
    return {emitUnary(cast<sema::UnaryExpr>(expr))};
  case Kind::Binary: {
    auto *binary = cast<sema::BinaryExpr>(expr);
    Value left = emitScalar(binary->left);
    Value right = emitScalar(binary->right);
    return {num.binary(binary->op, left, right, isSigned(expr->getType()))};
  }
  case Kind::Compare: {
    auto *compare = cast<sema::CompareExpr>(expr);
    Value left = emitScalar(compare->left);
    Value right = emitScalar(compare->right);
    return {num.compare(compare->op, left, right,
                        isSigned(compare->left->getType()))};
  }
  case Kind::Logical:
    return {emitLogical(cast<sema::LogicalExpr>(expr))};
  case Kind::Conditional:
    return emitConditional(cast<sema::ConditionalExpr>(expr));
  case Kind::Cast:
    return {emitCast(cast<sema::CastExpr>(expr))};
  case Kind::Bitcast:
    return emitBitcast(cast<sema::BitcastExpr>(expr));
  case Kind::Call:
    return emitCall(cast<sema::CallExpr>(expr));
  case Kind::Builtin:
    return emitBuiltin(cast<sema::BuiltinExpr>(expr));
  case Kind::Aggregate:
    return emitAggregate(cast<sema::AggregateExpr>(expr));
  case Kind::GroupQuery:
    return {emitGroupQuery(cast<sema::GroupQueryExpr>(expr))};
  case Kind::Group:
    return {emitGroup(cast<sema::GroupExpr>(expr))};
  case Kind::Collective:
    return emitCollective(cast<sema::CollectiveExpr>(expr));
  case Kind::Atomic:
    return emitAtomic(cast<sema::AtomicExpr>(expr));
  case Kind::ViewQuery: {
    auto *query = cast<sema::ViewQueryExpr>(expr);
    return {getExtent(emitPlace(query->base), query->dimension)};
  }
  case Kind::VectorAccess:
    return emitVectorAccess(cast<sema::VectorAccessExpr>(expr));
  }
  llvm_unreachable("unknown expression");
}

//===----------------------------------------------------------------------===//
// Constants, variables, parts of values
//===----------------------------------------------------------------------===//

static Attribute getScalarAttr(Builder &builder, Type type,
                               const sema::ConstantExpr::Scalar &scalar) {
  if (auto *number = std::get_if<llvm::APFloat>(&scalar))
    return FloatAttr::get(type, *number);
  return builder.getIntegerAttr(type, std::get<llvm::APInt>(scalar));
}

Leaves KernelEmitter::emitConstant(const sema::ConstantExpr *expr) {
  Leaves leaves;
  auto scalar = expr->scalars.begin();
  for (Type type : getLeafTypes(expr->getType())) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) {
      Attribute value = getScalarAttr(b, type, *scalar++);
      leaves.push_back(arith::ConstantOp::create(b, cast<TypedAttr>(value)));
      continue;
    }
    SmallVector<Attribute> lanes;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      lanes.push_back(getScalarAttr(b, vector.getElementType(), *scalar++));
    leaves.push_back(arith::ConstantOp::create(
        b, cast<TypedAttr>(DenseElementsAttr::get(vector, lanes))));
  }
  return leaves;
}

Leaves KernelEmitter::emitVariable(const sema::VariableExpr *expr) {
  if (isPlace(expr))
    return load(emitPlace(expr));
  return bindings[expr->variable].leaves;
}

Leaves KernelEmitter::emitMember(const sema::MemberExpr *expr) {
  if (isPlace(expr))
    return load(emitPlace(expr));
  const sema::Type *base = expr->base->getType();
  Leaves leaves = emitExpr(expr->base);
  if (base->isVector())
    return {vector::ExtractOp::create(b, leaves.front(),
                                      static_cast<int64_t>(expr->index))};
  MemberInfo info = getMember(base, expr->index);
  return Leaves(llvm::ArrayRef(leaves).slice(info.firstLeaf,
                                             info.type->getLeaves().size()));
}

Leaves KernelEmitter::emitIndex(const sema::IndexExpr *expr) {
  auto *constant = dyn_cast<sema::ConstantExpr>(expr->indices.front());
  if (isPlace(expr) || !constant)
    return load(emitPlace(expr));
  const sema::Type *base = expr->base->getType();
  Leaves leaves = emitExpr(expr->base);
  uint64_t index = std::get<APInt>(constant->scalars.front()).getZExtValue();
  if (base->isVector())
    return {vector::ExtractOp::create(b, leaves.front(),
                                      static_cast<int64_t>(index))};
  size_t count = expr->getType()->getLeaves().size();
  return Leaves(llvm::ArrayRef(leaves).slice(index * count, count));
}

Leaves KernelEmitter::emitAggregate(const sema::AggregateExpr *expr) {
  const sema::Type *type = expr->getType();
  Leaves leaves;
  for (const sema::Expr *member : expr->members)
    llvm::append_range(leaves, emitExpr(member));
  if (type->isVector()) {
    auto vector = cast<VectorType>(getLeafType(type, getContext()));
    if (expr->splat)
      return {vector::BroadcastOp::create(b, vector, leaves.front())};
    return {vector::FromElementsOp::create(b, vector, leaves)};
  }
  if (!expr->splat)
    return leaves;
  Leaves repeated;
  for (uint64_t i = 0; i < type->getCount(); ++i)
    llvm::append_range(repeated, leaves);
  return repeated;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value KernelEmitter::emitUnary(const sema::UnaryExpr *expr) {
  Value operand = emitScalar(expr->operand);
  if (expr->op == sema::UnaryExpr::Op::Negate)
    return num.negate(operand);
  return num.bitNot(operand);
}

/// Whether evaluating the expression does nothing, so that it may be done where
/// it is not needed.
static bool isPlainValue(const sema::Expr *expr) {
  if (auto *read = dyn_cast<sema::VariableExpr>(expr))
    return read->variable->storage == sema::Variable::Storage::Value ||
           read->variable->storage == sema::Variable::Storage::Extent;
  return isa<sema::ConstantExpr>(expr);
}

Value KernelEmitter::emitLogical(const sema::LogicalExpr *expr) {
  Value left = emitScalar(expr->left);
  if (isPlainValue(expr->right)) {
    Value right = emitScalar(expr->right);
    return expr->isAnd ? Value(arith::AndIOp::create(b, left, right))
                       : Value(arith::OrIOp::create(b, left, right));
  }
  auto evaluate = [&]() -> Leaves { return {emitScalar(expr->right)}; };
  auto decided = [&]() -> Leaves {
    return {num.constant(b.getI1Type(), expr->isAnd ? 0 : 1)};
  };
  if (expr->isAnd)
    return emitIf(left, b.getI1Type(), evaluate, decided).front();
  return emitIf(left, b.getI1Type(), decided, evaluate).front();
}

Leaves KernelEmitter::emitConditional(const sema::ConditionalExpr *expr) {
  Value condition = emitScalar(expr->condition);
  if (!isPlainValue(expr->ifTrue) || !isPlainValue(expr->ifFalse))
    return emitIf(
        condition, getLeafTypes(expr->getType()),
        [&] { return emitExpr(expr->ifTrue); },
        [&] { return emitExpr(expr->ifFalse); });
  Leaves ifTrue = emitExpr(expr->ifTrue);
  Leaves ifFalse = emitExpr(expr->ifFalse);
  Leaves leaves;
  for (auto [first, second] : llvm::zip(ifTrue, ifFalse))
    leaves.push_back(arith::SelectOp::create(b, condition, first, second));
  return leaves;
}

Value KernelEmitter::emitCast(const sema::CastExpr *expr) {
  return num.convert(
      emitScalar(expr->operand), isSigned(expr->operand->getType()),
      getLeafType(expr->getType(), getContext()), isSigned(expr->getType()));
}

/// Between two numbers the bits are moved in registers, else through memory.
Leaves KernelEmitter::emitBitcast(const sema::BitcastExpr *expr) {
  const sema::Type *from = expr->operand->getType();
  const sema::Type *to = expr->getType();
  Leaves leaves = emitExpr(expr->operand);
  auto isNumber = [](const sema::Type *type) {
    return type->getLeaves().size() == 1 &&
           type->getScalarKind() != sema::ScalarKind::Bool &&
           !type->isArray() && !type->isTuple() && !type->isStruct();
  };
  if (isNumber(from) && isNumber(to))
    return {bitcast(leaves.front(), getLeafType(to, getContext()))};
  // One element with all leaves, arrays included, so that both views have
  // rank 0.
  auto getElement = [&](const sema::Type *type) -> Type {
    SmallVector<uint64_t> offsets;
    for (const sema::Leaf &leaf : type->getLeaves())
      offsets.push_back(leaf.offset);
    return ir::StructType::get(getContext(), type->str(), type->getSize(),
                               type->getAlignment(), getLeafTypes(type),
                               offsets);
  };
  auto getView = [&](const sema::Type *type) {
    return ir::ViewType::get(getContext(), {}, getElement(type),
                             ir::MemorySpace::Private);
  };
  Place source = {ir::VarOp::create(b, getView(from), "bitcast"), {}};
  store(source, leaves);
  return load({ir::RecastOp::create(b, getView(to), source.view), {}});
}

//===----------------------------------------------------------------------===//
// Several elements at once
//===----------------------------------------------------------------------===//

Leaves KernelEmitter::emitVectorAccess(const sema::VectorAccessExpr *expr) {
  Place base = emitPlace(expr->base);
  Value first = emitScalar(expr->first);
  Leaves values, fill;
  if (expr->value)
    values = emitExpr(expr->value);
  Value limit = expr->limit ? emitScalar(expr->limit) : Value();
  if (limit && !expr->value)
    fill = emitExpr(expr->fill);
  const sema::Type *element = expr->base->getType()->getElement();
  SmallVector<Type> types = getLeafTypes(element);
  Leaves loaded;
  for (unsigned k = 0; k < expr->count && !hasFailed; ++k) {
    Place place = base;
    place.indices.push_back(
        k == 0 ? first : Value(arith::AddIOp::create(b, first, makeIndex(k))));
    Value isInside;
    if (limit)
      isInside = num.compare(sema::CompareExpr::Op::Lt, place.indices.back(),
                             limit, /*isSigned=*/true);
    if (!expr->value) {
      auto read = [&] { return load(place); };
      llvm::append_range(
          loaded,
          limit ? emitIf(isInside, types, read, [&] { return fill; }) : read());
      continue;
    }
    ValueRange part = ValueRange(values).slice(k * types.size(), types.size());
    if (!limit) {
      store(place, part);
      continue;
    }
    auto op = ir::IfOp::create(b, TypeRange(), isInside);
    emitRegion(op.getThenRegion(), [&] {
      store(place, part);
      ir::YieldOp::create(b);
    });
  }
  return loaded;
}
