//===- Words.h - Values as the words that lanes exchange --------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_WORDS_H
#define COLL_LIB_LOWERING_WORDS_H

#include "coll/Transforms/Combiner.h"

namespace coll {

/// The bits of a leaf as `i32` words, the lowest first; a rest is zero.
ir::Leaves splitWords(mlir::ImplicitLocOpBuilder &b, mlir::Value leaf);

/// Whether `word` is a leaf of less than 32 bits from `splitWords`: what is
/// above it means nothing. A leaf of 32 bits that a program extended is none.
bool isPadded(mlir::Value word);

/// The leaf of `type` whose bits are `words`.
mlir::Value joinWords(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange words,
                      mlir::Type type);

/// The same, but two words are joined as a vector: LLVM makes several sums of
/// the sum of what is shifted together, where it would be one with a carry.
mlir::Value joinPair(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange words,
                     mlir::Type type);

/// The bits of several leaves as words. Leaves of less than 32 bits share them;
/// each begins at a byte.
ir::Leaves packLeaves(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange leaves);

/// The leaves of `types` whose packed bits are `words`.
ir::Leaves unpackLeaves(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange words,
                        mlir::TypeRange types);

/// The number of words of a leaf.
unsigned getNumWords(mlir::Type type);

} // namespace coll

#endif // COLL_LIB_LOWERING_WORDS_H
