//===- Arithmetic.h - Numbers as the language defines them ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each numeric operation of the language, on scalars or lane
// by lane on vectors. They hold the rules that upstream's operations leave
// open: shift counts are masked, bf16 is computed in f32 and rounded once more
// (f16 for division and square root too), integers convert to bf16 with one
// rounding. No flag of any operation is ever set.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_IRGEN_ARITHMETIC_H
#define COLL_LIB_IRGEN_ARITHMETIC_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Sema/TypedAST.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace coll::irgen {

class Arithmetic {
public:
  explicit Arithmetic(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  /// A constant of any leaf type, the same in all lanes.
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value constant(mlir::Type type, const llvm::APFloat &value);

  mlir::Value binary(sema::BinaryExpr::Op op, mlir::Value left,
                     mlir::Value right, bool isSigned);
  mlir::Value compare(sema::CompareExpr::Op op, mlir::Value left,
                      mlir::Value right, bool isSigned);
  mlir::Value negate(mlir::Value value);
  mlir::Value bitNot(mlir::Value value);
  mlir::Value abs(mlir::Value value, bool isSigned);
  mlir::Value sqrt(mlir::Value value);

  /// What reductions and scans combine with, and `min` and `max`.
  mlir::Value combine(sema::BuiltinOperator op, mlir::Value left,
                      mlir::Value right, bool isSigned);
  /// What a reduction of nothing gives.
  mlir::Value identity(sema::BuiltinOperator op, mlir::Type type,
                       bool isSigned);
  /// The dialect's name of the operator on values of that type.
  static ir::CombineKind getCombineKind(sema::BuiltinOperator op,
                                        mlir::Type type, bool isSigned);

  /// `v as T` between leaves of one number of lanes.
  mlir::Value convert(mlir::Value value, bool fromSigned, mlir::Type to,
                      bool toSigned);
  /// An integer of another width.
  mlir::Value resize(mlir::Value value, bool isSigned, mlir::Type to);

  mlir::Value rotate(mlir::Value value, mlir::Value count, bool left);
  mlir::Value reverseBits(mlir::Value value);
  mlir::Value bytePerm(mlir::Value low, mlir::Value high, mlir::Value selector);

private:
  mlir::Value floatBinary(sema::BinaryExpr::Op op, mlir::Value left,
                          mlir::Value right);
  mlir::Value intToFloat(mlir::Value value, bool isSigned, mlir::Type to);
  mlir::Value intToBFloat(mlir::Value value, bool isSigned, mlir::Type to);
  mlir::Value floatToFloat(mlir::Value value, mlir::Type to);
  /// Moves the bits that do not fit a float of fewer digits into the lowest one
  /// that does, so that what follows rounds as if it saw all of them.
  mlir::Value keepStickyBit(mlir::Value value, unsigned dropped, unsigned exact,
                            bool isSigned);

  mlir::ImplicitLocOpBuilder &b;
};

} // namespace coll::irgen

#endif // COLL_LIB_IRGEN_ARITHMETIC_H
