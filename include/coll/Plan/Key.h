//===- Key.h - The question that a plan answers -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `PlanKey` says which collective is asked for: kind, operator, element,
// size of the group, which lanes exist, and the chip. Two equal keys have the
// same plan.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_KEY_H
#define COLL_PLAN_KEY_H

#include "coll/Target/Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>

namespace coll {

/// The collectives that plans carry out.
enum class CollectiveKind {
  Reduce,        ///< One result: every rank gets the combination of all.
  InclusiveScan, ///< One result: ranks 0..own.
  ExclusiveScan, ///< One result: ranks 0..own-1; rank 0: init, else identity.
  ScanTotal, ///< Two results: the exclusive scan, and the total without init.

  // Moves by a constant (PlanKey::argument). A rank whose source is outside the
  // group keeps its own value, or gets `init` (the `fill` of the source).
  Broadcast,   ///< From rank `argument`.
  ShuffleUp,   ///< From the rank `argument` below.
  ShuffleDown, ///< From the rank `argument` above.
  ShuffleXor,  ///< From the rank with the bits of `argument` flipped.
  Rotate,      ///< From (rank + `argument`, a signed number) mod ranks.
};

inline bool isScan(CollectiveKind kind) {
  return kind == CollectiveKind::InclusiveScan ||
         kind == CollectiveKind::ExclusiveScan ||
         kind == CollectiveKind::ScanTotal;
}
inline bool isShuffle(CollectiveKind kind) {
  return kind >= CollectiveKind::Broadcast;
}

llvm::StringRef getCollectiveName(CollectiveKind kind);

/// What combines two elements. The float kinds of min and max are IEEE 754-2019
/// minimumNumber/maximumNumber (MinNum, MaxNum) and minimum/maximum. Add and
/// Mul are of integers or floats, as the element says.
enum class OperatorKind {
  Add,
  Mul,
  SMin,
  SMax,
  UMin,
  UMax,
  MinNum,
  MaxNum,
  Minimum,
  Maximum,
  And,
  Or,
  Xor,
  Custom, ///< An `op` item or a lambda: anything at all.
};

/// What the language calls it: "max" for all three kinds that min and max have.
llvm::StringRef getOperatorName(OperatorKind kind);
/// "arg_min" or "arg_max", which compare by `kind`.
llvm::StringRef getArgName(OperatorKind kind);

/// And, Or and Xor, which treat every bit alike.
inline bool isBitwise(OperatorKind kind) {
  return kind == OperatorKind::And || kind == OperatorKind::Or ||
         kind == OperatorKind::Xor;
}
/// The four kinds of min and max on floats.
inline bool isFloatMinMax(OperatorKind kind) {
  return kind >= OperatorKind::MinNum && kind <= OperatorKind::Maximum;
}
/// Min and max of integers.
inline bool isIntegerMinMax(OperatorKind kind) {
  return kind >= OperatorKind::SMin && kind <= OperatorKind::UMax;
}

/// One scalar or vector leaf of an element. `bits` is 1, 8, 16, 32 or 64.
struct LeafType {
  bool isFloat = false;
  unsigned bits = 32;
  unsigned lanes = 1;
  bool isBF16 = false; ///< bf16 and not f16.

  /// 32-bit words that a move carries.
  unsigned getWords() const { return (bits * lanes + 31) / 32; }
  bool operator==(const LeafType &) const = default;
};

/// The leaves of an element, depth first. Builtin operators have one leaf.
struct ElementInfo {
  llvm::SmallVector<LeafType, 4> leaves;

  static ElementInfo integer(unsigned bits, unsigned lanes = 1) {
    return {{LeafType{false, bits, lanes}}};
  }
  static ElementInfo floating(unsigned bits, unsigned lanes = 1) {
    return {{LeafType{true, bits, lanes}}};
  }

  unsigned getWords() const {
    unsigned words = 0;
    for (const LeafType &leaf : leaves)
      words += leaf.getWords();
    return words;
  }
  /// Words where leaves of less than 32 bits share them, as far as they fit.
  unsigned getPackedWords() const;
  bool isSingle(bool isFloat) const {
    return leaves.size() == 1 && leaves.front().isFloat == isFloat;
  }
  /// One leaf that is no vector.
  bool isScalar(bool isFloat) const {
    return isSingle(isFloat) && leaves.front().lanes == 1;
  }
  /// The type in the language, "f32x2" or "(i32, bool)". Leaves do not know
  /// whether they are unsigned.
  std::string str(bool isUnsigned = false) const;
};

/// What plans may assume of the operator. Use `builtin` and `custom`.
struct OperatorInfo {
  OperatorKind kind = OperatorKind::Custom;
  /// op(a, b) and op(b, a) have the same bits (which NaN apart).
  bool isCommutative = false;
  /// Every association gives the same bits: plans may use any tree.
  bool isExact = false;
  /// op(x, x) is x.
  bool isIdempotent = false;
  /// op has an inverse that the hardware has too: integer add and xor.
  bool isInvertible = false;
  /// There is a value for rank 0 of an exclusive scan (StepKind::Identity).
  bool hasIdentity = false;
  /// There is a value that may fill a gap bit for bit (StepKind::Neutral):
  /// -0.0 for float add, a quiet NaN for MinNum and MaxNum, else the identity.
  /// Of a user's operator, one of which that was proved from its text.
  bool hasNeutral = false;
  /// Words of a neutral value that are zero bits, where not all are.
  unsigned zeroNeutralWords = 0;
  /// The neutral value and the identity are the same bits.
  bool isIdentityNeutral = false;
  /// The neutral value is all zero bits.
  bool isZeroNeutral = false;
  /// The identity is all zero bits.
  bool isZeroIdentity = false;
  /// Elements are pairs (value, rank) whose ranks ascend with the lanes; the
  /// pair of the best value wins, by this SMin, SMax, UMin, UMax, MinNum or
  /// MaxNum (where -0 equals +0), and among equals the lower rank.
  std::optional<OperatorKind> arg;
  /// A user's operator may be applied to zero bits, and to any two elements,
  /// where nobody wants the result: it has no loop that they could make
  /// endless, no trap, and no access to memory at a place that they choose.
  bool isTotal = false;
  /// Estimated instructions of one application.
  unsigned instructions = 1;
  /// What the source calls it, for people: "merge", "lambda". Empty if it does
  /// not say, or if the kind does.
  std::string name;

  static OperatorInfo builtin(OperatorKind kind, const ElementInfo &element);
  static OperatorInfo custom(bool isCommutative, bool hasIdentity,
                             unsigned instructions, bool isTotal = false);
  /// The same operator, of which a neutral value is known.
  OperatorInfo withNeutral(unsigned zeroWords) const;
  /// arg_min or arg_max by `kind`.
  static OperatorInfo argument(OperatorKind kind, unsigned instructions);

  /// "add", "merge", "lambda", "op" if nothing says more.
  llvm::StringRef getName() const {
    return name.empty() ? getOperatorName(kind) : llvm::StringRef(name);
  }
};

/// Which lanes of a warp exist. The block size is a compile-time constant and
/// ranks are linear, so all warps of a block are full but perhaps the last,
/// which has its first `tail` lanes.
struct Presence {
  bool hasFullWarp = true; ///< Some warp has all its lanes.
  unsigned tail = 0;       ///< Lanes of the short last warp; 0: there is none.

  static Presence full() { return {}; }
  static Presence ofBlock(unsigned blockSize, unsigned warpSize) {
    return {blockSize >= warpSize, blockSize % warpSize};
  }
  bool isFull() const { return tail == 0; }
  bool operator==(const Presence &) const = default;
};

/// A constant of the warp: the value in a full warp and in the short last one.
/// Where they differ, the emitter selects by "is this the block's last warp".
struct WarpConstant {
  uint64_t full = 0;
  uint64_t tail = 0;

  static WarpConstant same(uint64_t value) { return {value, value}; }
  bool isSame() const { return full == tail; }
  bool operator==(const WarpConstant &) const = default;
};

/// Which ranks of each group need the result.
enum class Demand {
  All,
  First, ///< Rank 0.
  Last,  ///< The last rank that is present.
};

/// All that the choice of a plan depends on.
struct PlanKey {
  CollectiveKind kind;
  OperatorInfo op;
  ElementInfo element;
  /// Size of the group: a power of two up to the warp size. Groups are aligned:
  /// group g of a warp has lanes g * groupSize and up. The last group of a
  /// short warp may be short itself.
  unsigned groupSize;
  Presence presence;
  Target target;
  /// Exclusive scans: rank 0 gets `init`, which is combined on the left of
  /// every other rank's result. Inclusive scans and reduce: combined on the
  /// left of every result. The total of ScanTotal leaves it out.
  bool hasInit = false;
  /// Broadcast and shuffles: the rank or the distance. They have no operator.
  unsigned argument = 0;
  /// Every rank's element is the integer 0 or 1: a flag that is counted.
  bool isFlag = false;
  /// It is one number of a vector, whose others do the same.
  bool isNumber = false;
  /// It stands in a loop: what depends on the lane alone is computed once,
  /// before it.
  bool isRepeated = false;
  /// A word of shared memory for each thread, and some more, may be used.
  bool hasScratch = false;
  /// Of a reduce: what the other ranks get is undefined.
  Demand demand = Demand::All;

  unsigned getWarpSize() const { return target.getWarpSize(); }
  unsigned getWords() const { return element.getWords(); }
  bool isWholeWarp() const { return groupSize == getWarpSize(); }

  /// Most ranks that a group has, in any warp.
  unsigned getMaxRanks() const;
  /// True if some group's rank count is no power of two.
  bool hasOddGroup() const;
  /// True if some group has fewer than `groupSize` ranks.
  bool hasShortGroup() const;
  /// Lanes present in a warp: what full and short warps have. A block without a
  /// full warp (or without a short one) has the same number in both fields.
  WarpConstant getPresentLanes() const;
  /// Evaluates `f(present lanes)` for both kinds of warp.
  template <typename Function> WarpConstant forWarps(Function f) const {
    WarpConstant present = getPresentLanes();
    return {f(present.full), f(present.tail)};
  }
  WarpConstant getLastLane() const {
    return forWarps([](uint64_t present) { return present - 1; });
  }
  /// Shuffles: the lane whose value `lane` asks for, in a warp of which the
  /// first `present` lanes exist; none if it is outside the group.
  std::optional<unsigned> getShuffleSource(unsigned lane,
                                           unsigned present) const;
  /// Whether `lane` needs its result, in a warp of which the first `present`
  /// lanes exist.
  bool isDemanded(unsigned lane, unsigned present) const;
  /// The counts of present lanes that a plan must be right for: one or two.
  llvm::SmallVector<unsigned, 2> getPresentCounts() const;
  /// What is asked for, as in the language: "reduce" or "arg_max".
  llvm::StringRef getName() const;
  /// The type of the elements, "u32"; of arg_min and arg_max that of the
  /// values.
  std::string getTypeName() const;
  std::string str() const;
};

/// Bits 0..count-1.
inline uint64_t getLowLanes(uint64_t count) {
  return count >= 64 ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
}

} // namespace coll

#endif // COLL_PLAN_KEY_H
