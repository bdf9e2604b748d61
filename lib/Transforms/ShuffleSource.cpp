//===- ShuffleSource.cpp - The rank that a shuffle reads from -------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/ShuffleSource.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace coll::ir;

ShuffleSource coll::ir::findShuffleSource(ImplicitLocOpBuilder &b, ShuffleOp op,
                                          Value own, Value size) {
  Value index = op.getIndex(), source;
  switch (op.getKind()) {
  case ShuffleKind::Idx:
    source = index;
    break;
  case ShuffleKind::Up:
    source = arith::SubIOp::create(b, own, index);
    break;
  case ShuffleKind::Down:
    source = arith::AddIOp::create(b, own, index);
    break;
  case ShuffleKind::Xor:
    source = arith::XOrIOp::create(b, own, index);
    break;
  case ShuffleKind::Rotate: {
    // -size < remainder < size, so the sum is positive.
    Value remainder = arith::RemSIOp::create(b, index, size);
    Value sum = arith::AddIOp::create(
        b, arith::AddIOp::create(b, own, remainder), size);
    return {arith::RemUIOp::create(b, sum, size), Value()};
  }
  }
  // Wrapping sums are never inside by mistake: ranks are far from 2^31.
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, source, size);
  return {arith::SelectOp::create(b, isInside, source, own), isInside};
}
