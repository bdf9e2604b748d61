//===- SortKeys.h - Keys as unsigned integers -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network of comparisons is the shorter, the simpler the comparison: keys of
// all types become unsigned integers of 32 or 64 bits in the same order. Where
// the order has to be stable, the place of the element goes into the low bits
// or, if there is no room, into a second integer.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_SORTKEYS_H
#define COLL_LIB_TRANSFORMS_SORTKEYS_H

#include "ListMemory.h"

namespace coll::ir {

class SortKeys {
public:
  /// Keys of `type`. With `numPlaces`, that of a list's elements, places are
  /// kept; 0: they are not.
  SortKeys(mlir::ImplicitLocOpBuilder &b, mlir::Type type, bool isSigned,
           bool isDescending, uint64_t numPlaces);

  /// Of what is compared.
  unsigned getNumLeaves() const { return hasOwnPlace ? 2 : 1; }
  llvm::SmallVector<mlir::Type> getLeaves() const;
  /// Whether its integers have 64 bits.
  bool isWide() const { return word.isInteger(64); }
  /// What is compared: one integer, or two of which the first counts more.
  Leaves encode(mlir::Value key, mlir::Value place);
  mlir::Value decodeKey(mlir::ValueRange encoded);
  /// As `i32`.
  mlir::Value decodePlace(mlir::ValueRange encoded);

  static mlir::Value isLess(mlir::ImplicitLocOpBuilder &b,
                            mlir::ValueRange left, mlir::ValueRange right);

private:
  mlir::Value constant(mlir::Type type, uint64_t value);
  mlir::Value resize(mlir::Value value, mlir::Type to);
  mlir::Value flip(mlir::Value bits, mlir::Value isNegative);
  mlir::Value order(mlir::Value key);
  mlir::Value restore(mlir::Value bits);

  mlir::ImplicitLocOpBuilder &b;
  mlir::Type type;    ///< Of the key.
  mlir::Type bits;    ///< An integer of its width.
  mlir::Type word;    ///< Of what is compared.
  unsigned width;     ///< Of the key.
  unsigned placeBits; ///< 0: no places, or in an integer of their own.
  bool isSigned, isDescending;
  bool hasOwnPlace = false;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_SORTKEYS_H
