//===- CollVerifyOrder.cpp - What ordering collectives must satisfy -------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/Coll.h"

using namespace mlir;
using namespace coll::ir;

/// At least one key, all of one type.
static LogicalResult verifyKeys(Operation *op, TypeRange keys) {
  if (keys.empty())
    return op->emitOpError("expects at least one key");
  for (Type key : keys)
    if (key != keys.front())
      return op->emitOpError("expects keys of one type, got ")
             << keys.front() << " and " << key;
  return success();
}

/// `values` are `count` elements of the same leaves each.
static LogicalResult verifyElements(Operation *op, TypeRange values,
                                    size_t count) {
  if (values.size() % count != 0)
    return op->emitOpError("expects ")
           << count << " elements of as many values each, got " << values.size()
           << " values";
  size_t width = values.size() / count;
  for (size_t i = width; i < values.size(); ++i)
    if (values[i] != values[i - width])
      return op->emitOpError("expects elements of the same types, got ")
             << values[i - width] << " and " << values[i];
  return success();
}

LogicalResult SortOp::verify() {
  TypeRange keys = getKeys().getTypes(), values = getValues().getTypes();
  if (failed(verifyKeys(*this, keys)) ||
      failed(verifyElements(*this, values, keys.size())))
    return failure();
  SmallVector<Type> expected(keys);
  llvm::append_range(expected, values);
  if (getResultTypes() != TypeRange(expected))
    return emitOpError("expects results ")
           << expected << ", got " << getResultTypes();
  return success();
}

LogicalResult TopKOp::verify() {
  if (failed(verifyKeys(*this, getKeys().getTypes())))
    return failure();
  size_t count = getNumResults() / 2;
  Type key = getKeys().front().getType();
  SmallVector<Type> expected(count, key);
  expected.append(count, IntegerType::get(getContext(), 32));
  if (count == 0 || getResultTypes() != TypeRange(expected))
    return emitOpError("expects as many results of type ")
           << key << " as of i32, got " << getResultTypes();
  return success();
}

LogicalResult ExchangeOp::verify() {
  if (getValues().empty() || getPlaces().empty())
    return emitOpError("expects at least one value and one place");
  return verifyElements(*this, getValues().getTypes(), getPlaces().size());
}

LogicalResult HistogramOp::verify() {
  auto counts = cast<ViewType>(getCounts().getType());
  bool isCount = counts.getElementType().isInteger(32) ||
                 counts.getElementType().isInteger(64);
  if (counts.getSpace() != MemorySpace::Shared || counts.getRank() != 1 ||
      !isCount)
    return emitOpError("expects a shared view of one dimension with integers "
                       "of 32 or 64 bits, got ")
           << counts;
  if (getBins().empty())
    return emitOpError("expects at least one bin");
  return success();
}
