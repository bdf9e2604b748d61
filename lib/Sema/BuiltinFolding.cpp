//===- BuiltinFolding.cpp - Builtin functions of constants ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuiltinFolding.h"
#include <cmath>

using namespace coll::sema;
using llvm::APFloat;
using llvm::APInt;

using Scalar = ConstantExpr::Scalar;

static APInt smaller(const APInt &a, const APInt &b, bool isSigned) {
  return (isSigned ? a.slt(b) : a.ult(b)) ? a : b;
}

static APInt larger(const APInt &a, const APInt &b, bool isSigned) {
  return (isSigned ? a.sgt(b) : a.ugt(b)) ? a : b;
}

/// Bytes 0 to 3 are those of x, 4 to 7 those of y; each nibble of the selector
/// chooses one by its low three bits.
static APInt permuteBytes(const APInt &x, const APInt &y,
                          const APInt &selector) {
  uint64_t bytes = y.getZExtValue() << 32 | x.getZExtValue();
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned choice = (selector.getZExtValue() >> (4 * i)) & 7;
    result |= ((bytes >> (8 * choice)) & 0xff) << (8 * i);
  }
  return APInt(32, result);
}

static std::optional<APInt>
foldInteger(Builtin builtin, llvm::ArrayRef<APInt> args, bool isSigned) {
  const APInt &x = args[0];
  unsigned width = x.getBitWidth();
  switch (builtin) {
  case Builtin::Abs:
    return isSigned ? x.abs() : x;
  case Builtin::Min:
    return smaller(x, args[1], isSigned);
  case Builtin::Max:
    return larger(x, args[1], isSigned);
  case Builtin::Clamp:
    return smaller(larger(x, args[1], isSigned), args[2], isSigned);
  case Builtin::Popcount:
    return APInt(width, x.popcount());
  case Builtin::Clz:
    return APInt(width, x.countl_zero());
  case Builtin::Ctz:
    return APInt(width, x.countr_zero());
  case Builtin::Reverse:
    return x.reverseBits();
  case Builtin::Rotl:
    return x.rotl(args[1].urem(width));
  case Builtin::Rotr:
    return x.rotr(args[1].urem(width));
  case Builtin::BytePerm:
    return permuteBytes(x, args[1], args[2]);
  default:
    return std::nullopt;
  }
}

static APFloat roundTo(APFloat value, llvm::RoundingMode mode) {
  value.roundToIntegral(mode);
  return value;
}

/// The correctly rounded root: that of the host, which has IEEE arithmetic, for
/// f32 and f64; f16 and bf16 go through f32.
static APFloat squareRoot(const APFloat &value) {
  if (&value.getSemantics() == &APFloat::IEEEdouble())
    return APFloat(std::sqrt(value.convertToDouble()));
  APFloat single = value;
  bool loses = false;
  single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
  APFloat root(std::sqrt(single.convertToFloat()));
  root.convert(value.getSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return root;
}

/// 1 / sqrt(x), two roundings, of f32 and f64.
static std::optional<APFloat> reciprocalRoot(const APFloat &value) {
  if (APFloat::semanticsSizeInBits(value.getSemantics()) < 32)
    return std::nullopt;
  APFloat result(value.getSemantics(), 1);
  result.divide(squareRoot(value), APFloat::rmNearestTiesToEven);
  return result;
}

static std::optional<APFloat> foldFloat(Builtin builtin,
                                        llvm::ArrayRef<APFloat> args) {
  const APFloat &x = args[0];
  switch (builtin) {
  case Builtin::Abs:
    return llvm::abs(x);
  case Builtin::Min:
    return llvm::minimumnum(x, args[1]);
  case Builtin::Max:
    return llvm::maximumnum(x, args[1]);
  case Builtin::Minimum:
    return llvm::minimum(x, args[1]);
  case Builtin::Maximum:
    return llvm::maximum(x, args[1]);
  case Builtin::Clamp:
    return llvm::minimumnum(llvm::maximumnum(x, args[1]), args[2]);
  case Builtin::Floor:
    return roundTo(x, APFloat::rmTowardNegative);
  case Builtin::Ceil:
    return roundTo(x, APFloat::rmTowardPositive);
  case Builtin::Round:
    return roundTo(x, APFloat::rmNearestTiesToAway);
  case Builtin::Trunc:
    return roundTo(x, APFloat::rmTowardZero);
  case Builtin::Sqrt:
    return squareRoot(x);
  case Builtin::Rsqrt:
    return reciprocalRoot(x);
  case Builtin::Fma: {
    APFloat result = x;
    result.fusedMultiplyAdd(args[1], args[2], APFloat::rmNearestTiesToEven);
    return result;
  }
  default:
    return std::nullopt;
  }
}

/// One lane.
static std::optional<Scalar>
foldScalar(Builtin builtin, llvm::ArrayRef<Scalar> args, bool isSigned) {
  if (std::holds_alternative<APInt>(args[0])) {
    llvm::SmallVector<APInt, 3> integers;
    for (const Scalar &arg : args)
      integers.push_back(std::get<APInt>(arg));
    if (auto result = foldInteger(builtin, integers, isSigned))
      return Scalar(*result);
    return std::nullopt;
  }
  llvm::SmallVector<APFloat, 3> floats;
  for (const Scalar &arg : args)
    floats.push_back(std::get<APFloat>(arg));
  if (builtin == Builtin::IsNan)
    return Scalar(APInt(1, floats[0].isNaN()));
  if (builtin == Builtin::IsInf)
    return Scalar(APInt(1, floats[0].isInfinity()));
  if (auto result = foldFloat(builtin, floats))
    return Scalar(*result);
  return std::nullopt;
}

std::optional<std::vector<Scalar>>
coll::sema::foldBuiltin(Builtin builtin, llvm::ArrayRef<Expr *> args) {
  llvm::SmallVector<const ConstantExpr *, 3> constants;
  for (const Expr *arg : args) {
    auto *constant = llvm::dyn_cast<ConstantExpr>(arg);
    if (!constant)
      return std::nullopt;
    constants.push_back(constant);
  }
  bool isSigned = isSignedInteger(args[0]->getType()->getScalarKind());
  std::vector<Scalar> results;
  for (size_t lane = 0; lane < constants[0]->scalars.size(); ++lane) {
    llvm::SmallVector<Scalar, 3> operands;
    for (const ConstantExpr *constant : constants)
      operands.push_back(constant->scalars[lane]);
    auto result = foldScalar(builtin, operands, isSigned);
    if (!result)
      return std::nullopt;
    results.push_back(*result);
  }
  return results;
}
