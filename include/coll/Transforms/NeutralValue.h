//===- NeutralValue.h - What an operator does not notice --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plan may fill a gap with a value that changes no bit of the other operand.
// Which one that is for a user's operator the compiler finds out by itself: it
// tries a few constants, and takes one if the operator's text with it folds to
// the other operand, on both sides.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TRANSFORMS_NEUTRALVALUE_H
#define COLL_TRANSFORMS_NEUTRALVALUE_H

#include "coll/Transforms/Combiner.h"

namespace coll::ir {

/// One constant a leaf of `types`: combined by `combiner`, a region, with any x
/// on either side they give x bit for bit, and nobody sees that they are. Empty
/// if none is found, or if the operator may trap.
llvm::SmallVector<mlir::TypedAttr> findNeutral(const Combiner &combiner,
                                               mlir::TypeRange types);

} // namespace coll::ir

#endif // COLL_TRANSFORMS_NEUTRALVALUE_H
