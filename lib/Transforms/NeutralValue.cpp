//===- NeutralValue.cpp - What an operator does not notice ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/NeutralValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace coll::ir;

/// Elements and operators for which the search is short.
static constexpr size_t mostLeaves = 4;
static constexpr unsigned mostOperations = 64;

/// What may be neutral for a leaf: 0, 1 and all ones; of floats -0.0 and 1.0.
static SmallVector<TypedAttr> getCandidates(Type type) {
  Type element = getElementTypeOrSelf(type);
  SmallVector<TypedAttr> candidates;
  if (auto floatType = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    candidates = {
        FloatAttr::get(element, APFloat::getZero(semantics, /*Negative=*/true)),
        FloatAttr::get(element, APFloat::getOne(semantics))};
  } else {
    candidates = {IntegerAttr::get(element, 0), IntegerAttr::get(element, 1)};
    if (element.getIntOrFloatBitWidth() > 1)
      candidates.push_back(IntegerAttr::get(element, -1));
  }
  if (auto vector = dyn_cast<VectorType>(type))
    for (TypedAttr &candidate : candidates)
      candidate = DenseElementsAttr::get(vector, Attribute(candidate));
  return candidates;
}

/// Puts what functions compute in the place of their calls; false if there are
/// other regions, or they return from inside of one.
static bool flatten(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (op.getNumRegions() == 0)
      continue;
    auto call = dyn_cast<InlineOp>(op);
    if (!call || !flatten(call.getBody().front()))
      return false;
    Block &body = call.getBody().front();
    auto end = dyn_cast<ReturnOp>(body.back());
    if (!end)
      return false;
    call.replaceAllUsesWith(end.getValues());
    end.erase();
    block.getOperations().splice(op.getIterator(), body.getOperations());
    call.erase();
  }
  return true;
}

/// Folds the operations of `block` as far as they do.
static void fold(Block &block, MLIRContext *context) {
  OpBuilder b(context);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    b.setInsertionPoint(&op);
    SmallVector<Value> results;
    // What commutes is first turned so that the constant is on the right.
    for (unsigned tries = 0; results.empty() && tries != 3; ++tries)
      if (failed(b.tryFold(&op, results)))
        break;
    if (!results.empty())
      op.replaceAllUsesWith(results);
  }
}

/// Whether the operator with `constants` on one side gives the other operand.
static bool givesOther(const Combiner &combiner, TypeRange types,
                       ArrayRef<TypedAttr> constants, bool isLeft,
                       Location loc) {
  Block block;
  SmallVector<Location> locations(types.size(), loc);
  block.addArguments(types, locations);
  ImplicitLocOpBuilder b(loc, loc.getContext());
  b.setInsertionPointToStart(&block);
  Leaves known;
  for (TypedAttr constant : constants)
    known.push_back(arith::ConstantOp::create(b, constant));
  ValueRange other = block.getArguments(), own = known;
  Leaves combined =
      combiner.combine(b, isLeft ? own : other, isLeft ? other : own);
  YieldOp yield = YieldOp::create(b, combined);
  if (!flatten(block))
    return false;
  fold(block, loc.getContext());
  return llvm::equal(yield.getValues(), block.getArguments());
}

SmallVector<TypedAttr> coll::ir::findNeutral(const Combiner &combiner,
                                             TypeRange types) {
  if (combiner.getKind() || combiner.getArgKind() || types.empty() ||
      !combiner.isSpeculatable() || types.size() > mostLeaves ||
      combiner.getNumOperations() > mostOperations)
    return {};
  Location loc = UnknownLoc::get(types.front().getContext());
  SmallVector<SmallVector<TypedAttr>> candidates;
  size_t count = 1;
  for (Type type : types) {
    candidates.push_back(getCandidates(type));
    count *= candidates.back().size();
  }
  for (size_t number = 0; number != count; ++number) {
    SmallVector<TypedAttr> constants;
    size_t rest = number;
    for (ArrayRef<TypedAttr> choices : candidates) {
      constants.push_back(choices[rest % choices.size()]);
      rest /= choices.size();
    }
    if (givesOther(combiner, types, constants, /*isLeft=*/true, loc) &&
        givesOther(combiner, types, constants, /*isLeft=*/false, loc))
      return constants;
  }
  return {};
}
