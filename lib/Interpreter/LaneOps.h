//===- LaneOps.h - Arithmetic on all lanes of a warp ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar is held as its bits in the low end of 64, the rest 0; an `i1` is 0
// or 1. A lane function computes a row of results from up to three rows of
// operands. It has no effect besides and gives some value for any operands, so
// that it may run on lanes that are not active.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_LANEOPS_H
#define COLL_LIB_INTERPRETER_LANEOPS_H

#include <cstdint>

namespace coll::ref {

enum class Scalar : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };
constexpr bool isFloat(Scalar scalar) { return scalar >= Scalar::F16; }
/// Bits of a value.
unsigned getBitWidth(Scalar scalar);
/// Bytes in memory.
unsigned getByteSize(Scalar scalar);

/// Rows that an operation does not have are null. `out` is none of the others.
using LaneFn = void (*)(uint64_t *out, const uint64_t *a, const uint64_t *b,
                        const uint64_t *c, unsigned lanes);

/// Operations on integers of one width. Comparisons give an i1.
enum class IntBinary : uint8_t {
  Add,
  Sub,
  Mul,
  SDiv, ///< Total: a divisor of 0, or of -1 under MIN, counts as 1.
  UDiv,
  SRem,
  URem,
  And,
  Or,
  Xor,
  Shl, ///< Counts are taken modulo the width.
  ShrS,
  ShrU,
  SMin,
  SMax,
  UMin,
  UMax,
  Eq,
  Ne,
  SLt,
  SLe,
  SGt,
  SGe,
  ULt,
  ULe,
  UGt,
  UGe,
};
enum class IntUnary : uint8_t { Abs, PopCount, LeadZeros, TrailZeros, Reverse };

enum class FloatBinary : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  MinNum, ///< A NaN operand loses, -0 < +0.
  MaxNum,
  Minimum, ///< A NaN operand wins, -0 < +0.
  Maximum,
  CopySign,
  False, ///< Comparisons: ordered ones are false, unordered true, for a NaN.
  OEq,
  OGt,
  OGe,
  OLt,
  OLe,
  ONe,
  Ordered,
  UEq,
  UGt,
  UGe,
  ULt,
  ULe,
  UNe,
  Unordered,
  True,
};
enum class FloatUnary : uint8_t {
  Neg,
  Abs,
  Sqrt,
  Floor,
  Ceil,
  Trunc,
  Round,     ///< Halves away from zero.
  RoundEven, ///< Halves to even.
  Exp,       ///< From here on for coll.fast: the host's functions.
  Exp2,
  Log,
  Log2,
  Sin,
  Cos,
  Tanh,
  Rsqrt,
  Rcp,
};

LaneFn getIntBinary(IntBinary operation, Scalar scalar);
LaneFn getIntUnary(IntUnary operation, Scalar scalar);
LaneFn getFloatBinary(FloatBinary operation, Scalar scalar);
LaneFn getFloatUnary(FloatUnary operation, Scalar scalar);
/// a * b + c, rounded once.
LaneFn getFma(Scalar scalar);
/// a ? b : c, of any scalars.
LaneFn getSelect();
/// Copies a row.
LaneFn getMove();

/// Integer to integer: zero or sign extension, or truncation.
LaneFn getIntResize(Scalar from, Scalar to, bool isSigned);
/// Float to float, to nearest even.
LaneFn getFloatResize(Scalar from, Scalar to);
/// Integer to float, to nearest even.
LaneFn getIntToFloat(Scalar from, Scalar to, bool isSigned);
/// Float to integer: towards zero, saturating, NaN gives 0.
LaneFn getFloatToInt(Scalar from, Scalar to, bool isSigned);

/// The value of a float, for messages and comparisons: exact.
double toDouble(uint64_t bits, Scalar scalar);

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_LANEOPS_H
