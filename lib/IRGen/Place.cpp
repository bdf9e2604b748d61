//===- Place.cpp - Values in memory and views -----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
using sema::Variable;

bool KernelEmitter::isPlace(const sema::Expr *expr) {
  if (auto *read = dyn_cast<sema::VariableExpr>(expr)) {
    Variable::Storage storage = read->variable->storage;
    return storage != Variable::Storage::Value &&
           storage != Variable::Storage::Extent;
  }
  if (auto *member = dyn_cast<sema::MemberExpr>(expr))
    return isPlace(member->base);
  if (auto *index = dyn_cast<sema::IndexExpr>(expr))
    return isPlace(index->base);
  return isa<sema::SliceExpr>(expr);
}

Place KernelEmitter::emitPlace(const sema::Expr *expr) {
  NodeScope scope(*this, expr->getLoc());
  const sema::Type *type = expr->getType();
  if (isGivenUp(expr->getLoc()))
    return makeVar("", type);
  if (auto *read = dyn_cast<sema::VariableExpr>(expr))
    return emitVariablePlace(read);
  if (auto *slice = dyn_cast<sema::SliceExpr>(expr))
    return emitSlice(slice);
  if (auto *member = dyn_cast<sema::MemberExpr>(expr)) {
    const sema::Type *baseType = member->base->getType();
    Place base = emitPlace(member->base);
    if (baseType->isVector()) {
      Place lanes = getLanes(base, baseType);
      lanes.indices.push_back(makeIndex(member->index));
      return lanes;
    }
    MemberInfo info = getMember(baseType, member->index);
    return getField(base, info.type, info.offset);
  }
  if (auto *index = dyn_cast<sema::IndexExpr>(expr)) {
    Place base = emitPlace(index->base);
    if (index->base->getType()->isVector())
      base = getLanes(base, index->base->getType());
    for (const sema::Expr *each : index->indices)
      base.indices.push_back(emitScalar(each));
    return base;
  }
  if (type->isView()) {
    fail(expr->getLoc(), "a view that is not a variable, a slice or a row of "
                         "another is not supported yet");
    return makeVar("", type->getElement());
  }
  return spill("", type, emitExpr(expr));
}

/// A value that is indexed at run time is spilled once, where it is bound.
Place KernelEmitter::emitVariablePlace(const sema::VariableExpr *expr) {
  Binding &binding = bindings[expr->variable];
  if (binding.place)
    return *binding.place;
  OpBuilder::InsertionGuard guard(b);
  if (binding.after)
    b.setInsertionPointAfter(binding.after);
  else if (binding.block)
    b.setInsertionPointToStart(binding.block);
  binding.place =
      spill(expr->variable->name, expr->variable->type, binding.leaves);
  return *binding.place;
}

//===----------------------------------------------------------------------===//
// Parts of places
//===----------------------------------------------------------------------===//

Place KernelEmitter::getField(const Place &base, const sema::Type *type,
                              uint64_t offset) {
  MemoryLayout layout = getLayout(type, getContext());
  SmallVector<int64_t> shape(base.getViewType().getShape());
  llvm::append_range(shape, layout.dims);
  auto view = ir::ViewType::get(getContext(), shape, layout.element,
                                base.getViewType().getSpace());
  return {ir::FieldOp::create(b, view, base.view, offset), base.indices};
}

Place KernelEmitter::getLanes(const Place &base, const sema::Type *vector) {
  SmallVector<int64_t> shape(base.getViewType().getShape());
  shape.push_back(vector->getCount());
  auto view = ir::ViewType::get(getContext(), shape,
                                getLeafType(vector->getElement(), getContext()),
                                base.getViewType().getSpace());
  return {ir::FieldOp::create(b, view, base.view, uint64_t(0)), base.indices};
}

Value KernelEmitter::getView(const Place &place) {
  if (place.indices.empty())
    return place.view;
  ir::ViewType type = place.getViewType();
  SmallVector<int32_t> forms(type.getRank(), 0);
  std::fill_n(forms.begin(), place.indices.size(), 1);
  auto result = ir::ViewType::get(getContext(), place.getShape(),
                                  type.getElementType(), type.getSpace());
  return ir::SliceOp::create(b, result, place.view, forms, place.indices);
}

Value KernelEmitter::getExtent(const Place &place, unsigned dimension) {
  int64_t extent = place.getShape()[dimension];
  if (!ShapedType::isDynamic(extent))
    return makeIndex(extent);
  return ir::ExtentOp::create(
      b, place.view, static_cast<uint64_t>(place.indices.size() + dimension));
}

/// The extent of a range of two constants, else dynamic.
static int64_t getRangeExtent(const sema::Expr *begin, const sema::Expr *end) {
  auto *first = dyn_cast<sema::ConstantExpr>(begin);
  auto *last = dyn_cast<sema::ConstantExpr>(end);
  if (!first || !last)
    return ShapedType::kDynamic;
  int64_t extent = std::get<APInt>(last->scalars.front()).getSExtValue() -
                   std::get<APInt>(first->scalars.front()).getSExtValue();
  return std::max<int64_t>(extent, 0);
}

static int64_t getFlatExtent(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    if (ShapedType::isDynamic(extent) ||
        llvm::MulOverflow(product, extent, product))
      return ShapedType::kDynamic;
  return product;
}

Place KernelEmitter::emitSlice(const sema::SliceExpr *expr) {
  Place base = emitPlace(expr->base);
  ir::ViewType type = base.getViewType();
  if (expr->form == sema::SliceExpr::Form::Flat) {
    if (base.getShape().size() == 1)
      return base;
    if (expr->getType()->getElement()->isArray())
      fail(expr->getLoc(),
           "flat() of a view whose elements are arrays is not supported yet");
    auto flat =
        ir::ViewType::get(getContext(), {getFlatExtent(base.getShape())},
                          type.getElementType(), type.getSpace());
    return {ir::FlatOp::create(b, flat, getView(base)), {}};
  }
  if (expr->form == sema::SliceExpr::Form::Vectors) {
    const sema::Type *vector = expr->getType()->getElement();
    SmallVector<int64_t> shape(base.getShape());
    if (!ShapedType::isDynamic(shape.back()))
      shape.back() /= vector->getCount();
    auto recast =
        ir::ViewType::get(getContext(), shape,
                          getLeafType(vector, getContext()), type.getSpace());
    return {ir::RecastOp::create(b, recast, getView(base)), {}};
  }
  // The dimensions indexed so far, the ranges, and those of array elements.
  SmallVector<int32_t> forms(base.indices.size(), 1);
  SmallVector<Value> bounds(base.indices);
  SmallVector<int64_t> shape;
  for (auto [extent, range] : llvm::zip(base.getShape(), expr->ranges)) {
    auto [begin, end] = range;
    forms.push_back(!begin ? 0 : !end ? 1 : 2);
    if (begin)
      bounds.push_back(emitScalar(begin));
    if (end)
      bounds.push_back(emitScalar(end));
    if (!begin)
      shape.push_back(extent);
    else if (end)
      shape.push_back(getRangeExtent(begin, end));
  }
  for (int64_t extent : base.getShape().drop_front(expr->ranges.size())) {
    forms.push_back(0);
    shape.push_back(extent);
  }
  auto result = ir::ViewType::get(getContext(), shape, type.getElementType(),
                                  type.getSpace());
  return {ir::SliceOp::create(b, result, base.view, forms, bounds), {}};
}

//===----------------------------------------------------------------------===//
// Loads, stores, local variables
//===----------------------------------------------------------------------===//

Place KernelEmitter::makeVar(StringRef name, const sema::Type *type) {
  MemoryLayout layout = getLayout(type, getContext());
  auto view = ir::ViewType::get(getContext(), layout.dims, layout.element,
                                ir::MemorySpace::Private);
  return {ir::VarOp::create(b, view, name), {}};
}

Place KernelEmitter::spill(StringRef name, const sema::Type *type,
                           ValueRange leaves) {
  Place place = makeVar(name, type);
  store(place, leaves);
  return place;
}

void KernelEmitter::forEachElement(const Place &place,
                                   llvm::function_ref<void(ValueRange)> visit) {
  ArrayRef<int64_t> shape = place.getShape();
  if (llvm::is_contained(shape, 0) ||
      llvm::any_of(shape, ShapedType::isDynamic))
    return;
  llvm::SmallDenseMap<int64_t, Value> constants;
  SmallVector<int64_t> position(shape.size(), 0);
  while (true) {
    SmallVector<Value> indices(place.indices);
    for (int64_t each : position) {
      Value &constant = constants[each];
      if (!constant)
        constant = makeIndex(each);
      indices.push_back(constant);
    }
    visit(indices);
    int dimension = shape.size() - 1;
    while (dimension >= 0 && ++position[dimension] == shape[dimension])
      position[dimension--] = 0;
    if (dimension < 0)
      return;
  }
}

Leaves KernelEmitter::load(const Place &place) {
  Leaves leaves;
  SmallVector<Type> types = place.getViewType().getLeafTypes();
  if (hasFailed) {
    for (Type type : types)
      leaves.push_back(num.constant(type, 0));
    return leaves;
  }
  if (types.empty())
    return leaves;
  forEachElement(place, [&](ValueRange indices) {
    auto op = ir::LoadOp::create(b, types, place.view, indices);
    llvm::append_range(leaves, op.getResults());
  });
  return leaves;
}

void KernelEmitter::store(const Place &place, ValueRange leaves) {
  size_t count = place.getViewType().getLeafTypes().size();
  if (count == 0 || hasFailed)
    return;
  forEachElement(place, [&](ValueRange indices) {
    ir::StoreOp::create(b, leaves.take_front(count), place.view, indices);
    leaves = leaves.drop_front(count);
  });
}
