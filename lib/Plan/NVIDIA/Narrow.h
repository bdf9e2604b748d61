//===- Narrow.h - Narrow numbers as whole words -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shuffle and an operation on a register cost the same whatever the number's
// width, but to keep a narrow number's upper bits clear costs an instruction a
// step. So integers are extended once, and 16-bit floats are combined in pairs
// of which one half is not looked at.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_PLAN_NVIDIA_NARROW_H
#define COLL_LIB_PLAN_NVIDIA_NARROW_H

#include "coll/Plan/PlanBuilder.h"

namespace coll::nvidia {

/// Whether plans for `key` combine words in place of the elements.
inline bool isWidened(const PlanKey &key) {
  if (key.op.kind == OperatorKind::Custom || key.element.leaves.size() != 1)
    return false;
  const LeafType &leaf = key.element.leaves.front();
  if (leaf.lanes != 1)
    return false;
  if (!leaf.isFloat)
    return leaf.bits == 8 || leaf.bits == 16;
  if (leaf.bits != 16)
    return false;
  // Where the chip has no instruction, a pair costs twice as much.
  if (isFloatMinMax(key.op.kind))
    return key.target.has(Feature::F16MinMax);
  return !leaf.isBF16 || key.target.has(Feature::BF16Arith);
}

/// The input as it is combined.
inline PlanValue widenInput(PlanBuilder &builder, const PlanKey &key) {
  PlanValue input = builder.getInput();
  return isWidened(key) ? builder.encode(Encoding::Wide, input) : input;
}

/// The element that was combined.
inline PlanValue narrow(PlanBuilder &builder, const PlanKey &key,
                        PlanValue value) {
  return isWidened(key) ? builder.decode(Encoding::Wide, value) : value;
}

} // namespace coll::nvidia

#endif // COLL_LIB_PLAN_NVIDIA_NARROW_H
