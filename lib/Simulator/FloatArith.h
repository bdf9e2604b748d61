//===- FloatArith.h - Arithmetic of VALU instructions -----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exactly rounded operations on bits. The host's arithmetic is used where it
// gives these bits (round to nearest even); other roundings go through APFloat.
// The result of an invalid operation is the positive quiet NaN; a NaN operand
// comes out quiet, the first one wins.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_FLOATARITH_H
#define COLL_LIB_SIMULATOR_FLOATARITH_H

#include "FloatFormat.h"

namespace coll::sim {

template <class F> uint64_t addFloat(uint64_t a, uint64_t b, FloatMode mode);
template <class F> uint64_t mulFloat(uint64_t a, uint64_t b, FloatMode mode);
/// One rounding.
template <class F>
uint64_t fmaFloat(uint64_t a, uint64_t b, uint64_t c, FloatMode mode);

/// Two roundings, the product flushed like a result.
template <class F>
uint64_t madFloat(uint64_t a, uint64_t b, uint64_t c, FloatMode mode) {
  return addFloat<F>(mulFloat<F>(a, b, mode), c, mode);
}

enum class MinMax : uint8_t { Min, Max };

/// v_min_f32, v_max_f32 and kin: a NaN loses; in IEEE mode a signaling NaN
/// wins, quiet.
template <class F>
uint64_t minMaxLegacy(MinMax which, uint64_t a, uint64_t b,
                      const FloatModes &modes);
/// v_min_num_f32 and kin (gfx12): IEEE 754-2019 minimumNumber.
template <class F>
uint64_t minMaxNumber(MinMax which, uint64_t a, uint64_t b,
                      const FloatModes &modes);
/// v_minimum_f32 and kin: IEEE 754-2019 minimum; a NaN wins.
template <class F>
uint64_t minMaxPropagate(MinMax which, uint64_t a, uint64_t b,
                         const FloatModes &modes);

enum class Ordering : uint8_t { Less, Equal, Greater, Unordered };
template <class F>
Ordering compareFloat(uint64_t a, uint64_t b, FloatMode mode);

/// v_cmp_class: whether x is of a class whose bit is set in `classes`.
template <class F> bool isOfClass(uint64_t x, uint32_t classes);

enum class Integral : uint8_t { Trunc, Floor, Ceil, NearestEven };
template <class F> uint64_t roundToIntegral(uint64_t x, Integral how);
/// x - floor(x), below 1.
template <class F> uint64_t fractFloat(uint64_t x, FloatMode mode);

/// The output modifiers: omod (1: times 2, 2: times 4, 3: divided by 2), then
/// clamp to [0, 1]. omod works only without IEEE mode and subnormal results.
template <class F>
uint64_t applyOutputModifiers(uint64_t x, unsigned omod, bool clamp,
                              const FloatModes &modes);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_FLOATARITH_H
