//===- Convert.h - Conversions between numbers ------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_CONVERT_H
#define COLL_LIB_SIMULATOR_CONVERT_H

#include "FloatFormat.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace coll::sim {

/// A double as an integer: truncated, saturated, 0 for a NaN.
template <class T> T saturate(double x) {
  if (std::isnan(x))
    return 0;
  double low = std::numeric_limits<T>::min();
  double high = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(std::trunc(x), low, high));
}

/// [-1, 1] or [0, 1] as a 16-bit integer, to the nearest.
template <class T> T normalize(double x) {
  double low = std::numeric_limits<T>::min() ? -1.0 : 0.0;
  if (std::isnan(x))
    return 0;
  return saturate<T>(
      std::nearbyint(std::clamp(x, low, 1.0) * std::numeric_limits<T>::max()));
}

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_CONVERT_H
