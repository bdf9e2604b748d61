//===- Recipes.h - Lane instructions in a row -------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recipe is a chain of lane instructions on one value, and what it brings to
// each lane. Broadcasts and shuffles are put together from recipes: each lane
// takes what one of them has right for it.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_AMD_RECIPES_H
#define COLL_PLAN_AMD_RECIPES_H

#include "coll/Plan/Plan.h"
#include <array>

namespace coll::amd {

/// By lane, the lane whose value it has or wants.
struct LaneMap {
  static constexpr int none = -1;
  std::array<int8_t, 64> full; ///< In a full warp.
  std::array<int8_t, 64> tail; ///< In the short last one.

  LaneMap() {
    full.fill(none);
    tail.fill(none);
  }
};

struct Recipe {
  llvm::SmallVector<Move, 4> moves; ///< The first is applied to the input.
  WarpConstant lanes;               ///< Those in which the result is right.
  WarpConstant sources = {}; ///< Those that the last move brings a value.
};

/// What each lane asks for: its own value where it has no source, unless the
/// key has a fill.
LaneMap getWanted(const PlanKey &key);

/// Everything that may help to carry out a broadcast or shuffle.
std::vector<Recipe> getRecipes(const PlanKey &key);

} // namespace coll::amd

#endif // COLL_PLAN_AMD_RECIPES_H
