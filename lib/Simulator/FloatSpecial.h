//===- FloatSpecial.h - Division steps and inexact functions ----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware's approximations are allowed an error, so a program must not
// depend on it. By default they are correctly rounded; with a seed the exact
// value is moved first, by a pseudo random amount that is a function of the
// seed, the instruction and the operand, so that the result stays within the
// bound that AMD's documents state.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_FLOATSPECIAL_H
#define COLL_LIB_SIMULATOR_FLOATSPECIAL_H

#include "FloatFormat.h"

namespace coll::sim {

enum class Inexact : uint8_t { Exp2, Log2, Rcp, Rsq, Sqrt, Sin, Cos, Tanh };

/// f32 forms flush subnormals, save sin and cos; f16 follows the mode. Sine and
/// cosine take revolutions.
template <class F>
uint64_t computeInexact(Inexact function, uint64_t x, const FloatModes &modes,
                        uint64_t ulpSeed);

/// v_div_scale: S0 (one of denominator and numerator) scaled so that the steps
/// of a division neither overflow nor become subnormal. `flag`: v_div_fmas has
/// to scale the quotient.
template <class F>
uint64_t divScale(uint64_t value, uint64_t denominator, uint64_t numerator,
                  FloatMode mode, bool &flag);
template <class F>
uint64_t divFmas(uint64_t a, uint64_t b, uint64_t c, bool scale,
                 FloatMode mode);
/// v_div_fixup: the quotient, or what the special cases ask for.
template <class F>
uint64_t divFixup(uint64_t quotient, uint64_t denominator, uint64_t numerator);

template <class F>
uint64_t ldexpFloat(uint64_t x, int exponent, FloatMode mode);
/// Of 0, infinities and NaNs: 0.
template <class F> int32_t frexpExponent(uint64_t x);
/// In [0.5, 1).
template <class F> uint64_t frexpMantissa(uint64_t x);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_FLOATSPECIAL_H
