//===- Lanes.h - Where a move's value comes from ----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of the lane instructions, one function per vendor, as the PTX and
// the AMD ISA documents state them.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_LANES_H
#define COLL_PLAN_LANES_H

#include "coll/Plan/Plan.h"

namespace coll {

/// The warp in which a move happens.
struct WarpShape {
  unsigned size;         ///< 32 or 64.
  unsigned presentLanes; ///< Lanes 0..presentLanes-1 exist.
  bool isTail;           ///< Take WarpConstant::tail.

  uint64_t get(WarpConstant constant) const {
    return isTail ? constant.tail : constant.full;
  }
};

/// What one lane gets.
struct LaneSource {
  enum Kind {
    Lane,     ///< The value of `lane`.
    Old,      ///< That of the `old` operand.
    Zero,     ///< Zero bits.
    Undefined ///< Anything.
  };
  Kind kind = Undefined;
  unsigned lane = 0;
  bool predicate = false; ///< The shuffle's predicate output.
};

/// What `lane` gets by `move`. A source that is absent is Undefined, or what
/// the instruction promises for inactive lanes.
LaneSource findSource(const Move &move, unsigned lane, const WarpShape &warp);

/// How many instructions of the chip, each with a DPP operand, are a step by
/// the key's operator, so that it can be `tied`; 0 if it cannot. One for
/// integers of 32 bits, and narrower ones as words, but not their product; f32
/// and f16; minimum and maximum of floats on GFX12. Sums and bitwise operators
/// of 64-bit integers are two, their min and max four (two that subtract with
/// borrow, two that choose); on GFX10, which has no DPP in what has a carry out
/// alone, one more clears the carry before. Sums and products of bf16 are those
/// of f32 and what rounds them.
unsigned countDPPInstructions(const PlanKey &key);
inline bool hasDPPInstruction(const PlanKey &key) {
  return countDPPInstructions(key) != 0;
}

/// In which encoding tied steps combine.
Encoding getDPPEncoding(const PlanKey &key);

/// Why the target does not have the move's instruction, or nothing.
std::optional<std::string> findMissingFeature(const Move &move,
                                              const Target &target);

} // namespace coll

#endif // COLL_PLAN_LANES_H
