//===- Combiner.cpp - The operator of a reduction or scan -----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/Combiner.h"
#include "coll/Dialect/Coll/IR/MethodName.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace coll::ir {

StringRef Combiner::getName() const {
  if (!region || region->empty())
    return {};
  auto name = region->front().getTerminator()->getAttrOfType<StringAttr>(
      operatorNameAttr);
  return name ? name.getValue() : StringRef();
}

void Combiner::yieldAs(ImplicitLocOpBuilder &b, ValueRange values) const {
  auto yield = YieldOp::create(b, values);
  if (StringRef name = getName(); !name.empty())
    yield->setAttr(operatorNameAttr, b.getStringAttr(name));
}

unsigned Combiner::getNumOperations() const {
  if (kind)
    return 1;
  unsigned count = 0;
  region->walk([&](Operation *) { ++count; });
  return count;
}

/// Whether the operator `region` reaches an element that is there, whatever it
/// is called on: indices are constants within extents that are.
static bool isAlwaysThere(TypedValue<ViewType> view, ValueRange indices,
                          Region &region) {
  for (auto [index, extent] :
       llvm::zip_equal(indices, view.getType().getShape())) {
    APInt value;
    if (ShapedType::isDynamic(extent) ||
        !matchPattern(index, m_ConstantInt(&value)) || value.uge(extent))
      return false;
  }
  // Part of a view may begin where an operand says.
  for (Operation *op = view.getDefiningOp();
       op && region.isAncestor(op->getParentRegion());) {
    if (isa<VarOp>(op))
      return true;
    if (!isa<FieldOp, FlatOp, RecastOp>(op))
      return false;
    op = op->getOperand(0).getDefiningOp();
  }
  return true;
}

bool Combiner::isSpeculatable() const {
  if (kind)
    return true;
  return !region
              ->walk([&](Operation *op) {
                bool isSafe =
                    llvm::TypeSwitch<Operation *, bool>(op)
                        .Case<LoadOp, StoreOp, AtomicLoadOp>([&](auto access) {
                          return isAlwaysThere(access.getView(),
                                               access.getIndices(), *region);
                        })
                        .Case<LoopOp, TrapOp, AssertOp>(
                            [](Operation *) { return false; })
                        .Default(true);
                return isSafe ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

Leaves Combiner::combine(ImplicitLocOpBuilder &b, ValueRange left,
                         ValueRange right) const {
  if (kind)
    return {combineBuiltin(b, *kind, left.front(), right.front())};
  IRMapping mapping;
  Block &block = region->front();
  unsigned half = left.size();
  for (unsigned i = 0; i != half; ++i) {
    mapping.map(block.getArgument(i), left[i]);
    mapping.map(block.getArgument(half + i), right[i]);
  }
  for (Operation &op : block.without_terminator())
    b.clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

Leaves Combiner::combineTree(ImplicitLocOpBuilder &b,
                             SmallVector<Leaves> elements) const {
  while (elements.size() > 1) {
    SmallVector<Leaves> next;
    for (size_t i = 0; i + 1 < elements.size(); i += 2)
      next.push_back(combine(b, elements[i], elements[i + 1]));
    if (elements.size() % 2)
      next.push_back(elements.back());
    elements = std::move(next);
  }
  return elements.front();
}

Leaves Combiner::combineWhere(ImplicitLocOpBuilder &b, Value condition,
                              ValueRange left, ValueRange right,
                              ValueRange otherwise) const {
  if (isSpeculatable())
    return createSelect(b, condition, combine(b, left, right), otherwise);
  return createIf(
      b, otherwise.getTypes(), condition,
      [&] { return combine(b, left, right); },
      [&] { return Leaves(otherwise); });
}

CombineKindAttr Combiner::getKindAttr(ImplicitLocOpBuilder &b) const {
  return kind ? CombineKindAttr::get(b.getContext(), *kind) : CombineKindAttr();
}

void Combiner::cloneRegionInto(Region &other) const {
  if (kind)
    return;
  IRMapping mapping;
  region->cloneInto(&other, mapping);
}

Leaves Combiner::createReduce(ImplicitLocOpBuilder &b, const GroupRef &group,
                              ValueRange values, Readers readers) const {
  auto op = ReduceOp::create(b, values.getTypes(), group, getKindAttr(b),
                             values, commutative);
  op.setReaders(readers);
  cloneRegionInto(op.getCombiner());
  if (argKind)
    op->setAttr(argAttrName, CombineKindAttr::get(b.getContext(), *argKind));
  return Leaves(op.getResults());
}

Leaves Combiner::createScan(ImplicitLocOpBuilder &b, const GroupRef &group,
                            ValueRange values) const {
  auto op = ScanOp::create(b, values.getTypes(), group, getKindAttr(b), values,
                           commutative, /*reverse=*/false);
  cloneRegionInto(op.getCombiner());
  return Leaves(op.getResults());
}

Leaves Combiner::createExclusiveScan(ImplicitLocOpBuilder &b,
                                     const GroupRef &group, ValueRange values,
                                     ValueRange first) const {
  auto op = ExclusiveScanOp::create(b, values.getTypes(), group, getKindAttr(b),
                                    values, first, commutative,
                                    /*reverse=*/false);
  cloneRegionInto(op.getCombiner());
  return Leaves(op.getResults());
}

/// A sum or product; of bf16 in f32.
template <typename FloatOp, typename IntOp>
static Value createArithmetic(ImplicitLocOpBuilder &b, Value left,
                              Value right) {
  Type type = left.getType();
  Type element = getElementTypeOrSelf(type);
  if (isa<IntegerType>(element))
    return IntOp::create(b, left, right);
  if (!element.isBF16())
    return FloatOp::create(b, left, right);
  Type wide = b.getF32Type();
  if (auto vector = dyn_cast<VectorType>(type))
    wide = vector.clone(wide);
  Value result = FloatOp::create(b, arith::ExtFOp::create(b, wide, left),
                                 arith::ExtFOp::create(b, wide, right));
  return arith::TruncFOp::create(b, type, result);
}

Value combineBuiltin(ImplicitLocOpBuilder &b, CombineKind kind, Value left,
                     Value right) {
  switch (kind) {
  case CombineKind::Add:
    return createArithmetic<arith::AddFOp, arith::AddIOp>(b, left, right);
  case CombineKind::Mul:
    return createArithmetic<arith::MulFOp, arith::MulIOp>(b, left, right);
  case CombineKind::SMin:
    return arith::MinSIOp::create(b, left, right);
  case CombineKind::SMax:
    return arith::MaxSIOp::create(b, left, right);
  case CombineKind::UMin:
    return arith::MinUIOp::create(b, left, right);
  case CombineKind::UMax:
    return arith::MaxUIOp::create(b, left, right);
  case CombineKind::MinNum:
    return MinNumOp::create(b, left.getType(), left, right);
  case CombineKind::MaxNum:
    return MaxNumOp::create(b, left.getType(), left, right);
  case CombineKind::Minimum:
    return arith::MinimumFOp::create(b, left, right);
  case CombineKind::Maximum:
    return arith::MaximumFOp::create(b, left, right);
  case CombineKind::And:
    return arith::AndIOp::create(b, left, right);
  case CombineKind::Or:
    return arith::OrIOp::create(b, left, right);
  case CombineKind::Xor:
    return arith::XOrIOp::create(b, left, right);
  }
  llvm_unreachable("all kinds are handled");
}

static TypedAttr getSplat(Type type, TypedAttr element) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? TypedAttr(DenseElementsAttr::get(vector, element)) : element;
}

static APInt getIntegerIdentity(CombineKind kind, unsigned bits) {
  switch (kind) {
  case CombineKind::Mul:
    return APInt(bits, 1);
  case CombineKind::SMin:
    return APInt::getSignedMaxValue(bits);
  case CombineKind::SMax:
    return APInt::getSignedMinValue(bits);
  case CombineKind::UMin:
  case CombineKind::And:
    return APInt::getAllOnes(bits);
  default:
    return APInt::getZero(bits);
  }
}

static APFloat getFloatIdentity(CombineKind kind,
                                const llvm::fltSemantics &semantics) {
  switch (kind) {
  case CombineKind::Mul:
    return APFloat::getOne(semantics);
  case CombineKind::MinNum:
  case CombineKind::Minimum:
    return APFloat::getInf(semantics);
  case CombineKind::MaxNum:
  case CombineKind::Maximum:
    return APFloat::getInf(semantics, /*Negative=*/true);
  default:
    return APFloat::getZero(semantics);
  }
}

TypedAttr getIdentity(CombineKind kind, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto integer = dyn_cast<IntegerType>(element))
    return getSplat(
        type, IntegerAttr::get(integer,
                               getIntegerIdentity(kind, integer.getWidth())));
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  return getSplat(type,
                  FloatAttr::get(element, getFloatIdentity(kind, semantics)));
}

TypedAttr getNeutral(CombineKind kind, Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!element)
    return getIdentity(kind, type);
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  if (kind == CombineKind::Add)
    return getSplat(
        type, FloatAttr::get(element, APFloat::getZero(semantics,
                                                       /*Negative=*/true)));
  if (kind == CombineKind::MinNum || kind == CombineKind::MaxNum)
    return getSplat(type, FloatAttr::get(element, APFloat::getQNaN(semantics)));
  return getIdentity(kind, type);
}

Leaves createSelect(ImplicitLocOpBuilder &b, Value condition,
                    ValueRange whenTrue, ValueRange otherwise) {
  Leaves result;
  for (auto [left, right] : llvm::zip_equal(whenTrue, otherwise))
    result.push_back(arith::SelectOp::create(b, condition, left, right));
  return result;
}

Leaves createIf(ImplicitLocOpBuilder &b, TypeRange types, Value condition,
                llvm::function_ref<Leaves()> fillThen,
                llvm::function_ref<Leaves()> fillElse) {
  auto op = IfOp::create(b, types, condition);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&op.getThenRegion());
  Leaves yielded = fillThen();
  YieldOp::create(b, yielded);
  if (fillElse) {
    b.createBlock(&op.getElseRegion());
    yielded = fillElse();
    YieldOp::create(b, yielded);
  }
  return Leaves(op.getResults());
}

Value createBool(ImplicitLocOpBuilder &b, bool value) {
  return arith::ConstantOp::create(b, b.getBoolAttr(value));
}

Value createI32(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(b.getI32Type(), APInt(32, value, true, true)));
}

Value createI64(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

Value createHalfVariable(ImplicitLocOpBuilder &b, KernelOp kernel) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto type =
      ViewType::get(b.getContext(), {}, b.getI64Type(), MemorySpace::Private);
  Value variable = VarOp::create(b, type, "half");
  StoreOp::create(b, ValueRange(createI64(b, 0)), variable, ValueRange());
  return variable;
}

Value createSameBits(ImplicitLocOpBuilder &b, Value left, Value right) {
  Type type = left.getType();
  Type element = getElementTypeOrSelf(type);
  auto vector = dyn_cast<VectorType>(type);
  if (isa<FloatType>(element)) {
    Type integer = b.getIntegerType(element.getIntOrFloatBitWidth());
    Type cast = vector ? Type(vector.clone(integer)) : integer;
    left = arith::BitcastOp::create(b, cast, left);
    right = arith::BitcastOp::create(b, cast, right);
  }
  Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, left, right);
  if (vector)
    same = vector::ReductionOp::create(b, vector::CombiningKind::AND, same);
  return same;
}

} // namespace coll::ir
