//===- Key.cpp - The question that a plan answers -------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Key.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace coll;

llvm::StringRef coll::getCollectiveName(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::Reduce:
    return "reduce";
  case CollectiveKind::InclusiveScan:
    return "scan";
  case CollectiveKind::ExclusiveScan:
    return "exclusive_scan";
  case CollectiveKind::ScanTotal:
    return "scan_total";
  case CollectiveKind::Broadcast:
    return "broadcast";
  case CollectiveKind::ShuffleUp:
    return "shuffle_up";
  case CollectiveKind::ShuffleDown:
    return "shuffle_down";
  case CollectiveKind::ShuffleXor:
    return "shuffle_xor";
  case CollectiveKind::Rotate:
    return "rotate";
  }
  return "";
}

llvm::StringRef coll::getOperatorName(OperatorKind kind) {
  constexpr llvm::StringLiteral names[] = {
      "add", "mul",     "min",     "max", "min", "max", "min",
      "max", "minimum", "maximum", "and", "or",  "xor", "op"};
  return names[static_cast<unsigned>(kind)];
}

llvm::StringRef coll::getArgName(OperatorKind kind) {
  bool isMin = kind == OperatorKind::SMin || kind == OperatorKind::UMin ||
               kind == OperatorKind::MinNum || kind == OperatorKind::Minimum;
  return isMin ? "arg_min" : "arg_max";
}

static void printLeaf(llvm::raw_ostream &os, const LeafType &leaf,
                      bool isUnsigned) {
  if (leaf.bits == 1)
    os << "bool";
  else if (leaf.isFloat)
    os << (leaf.isBF16 ? "bf" : "f") << leaf.bits;
  else
    os << (isUnsigned ? 'u' : 'i') << leaf.bits;
  if (leaf.lanes != 1)
    os << 'x' << leaf.lanes;
}

std::string ElementInfo::str(bool isUnsigned) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (leaves.size() == 1) {
    printLeaf(os, leaves.front(), isUnsigned);
    return text;
  }
  llvm::ListSeparator comma;
  os << '(';
  for (const LeafType &leaf : leaves) {
    os << comma;
    printLeaf(os, leaf, isUnsigned);
  }
  os << ')';
  return text;
}

unsigned ElementInfo::getPackedWords() const {
  unsigned words = 0, used = 32;
  for (const LeafType &leaf : leaves) {
    unsigned bits = llvm::alignTo(leaf.bits * leaf.lanes, 8);
    if (bits >= 32) {
      words += leaf.getWords();
      continue;
    }
    bool isNew = used + bits > 32;
    words += isNew;
    used = isNew ? bits : used + bits;
  }
  return words;
}

/// Instructions of a builtin operator on one leaf: one per 32-bit word, some
/// more for what the chips lack (64-bit integer min and mul).
static unsigned countInstructions(OperatorKind kind, const LeafType &leaf) {
  bool isPacked = leaf.bits < 32 && leaf.lanes > 1;
  unsigned count = isPacked ? leaf.getWords() : leaf.lanes;
  if (leaf.bits < 64)
    return count;
  if (leaf.isFloat)
    return count;
  bool isBitwise = kind == OperatorKind::And || kind == OperatorKind::Or ||
                   kind == OperatorKind::Xor;
  if (isBitwise || kind == OperatorKind::Add)
    return count * 2;
  return count * 4;
}

OperatorInfo OperatorInfo::builtin(OperatorKind kind,
                                   const ElementInfo &element) {
  OperatorInfo info;
  info.kind = kind;
  bool isFloat = !element.leaves.empty() && element.leaves.front().isFloat;
  bool isInexact =
      isFloat && (kind == OperatorKind::Add || kind == OperatorKind::Mul);
  info.isCommutative = info.hasIdentity = info.hasNeutral = true;
  info.isExact = !isInexact;
  info.isIdempotent = kind != OperatorKind::Add && kind != OperatorKind::Mul &&
                      kind != OperatorKind::Xor;
  info.isInvertible =
      !isFloat && (kind == OperatorKind::Add || kind == OperatorKind::Xor);
  // Float add: the identity is +0.0, and only -0.0 is neutral. MinNum, MaxNum:
  // an infinity would beat a NaN, a quiet NaN never does.
  info.isIdentityNeutral = !(isFloat && kind == OperatorKind::Add) &&
                           kind != OperatorKind::MinNum &&
                           kind != OperatorKind::MaxNum;
  info.isZeroNeutral =
      !isFloat && (kind == OperatorKind::Add || kind == OperatorKind::Or ||
                   kind == OperatorKind::Xor || kind == OperatorKind::UMax);
  info.isZeroIdentity =
      info.isZeroNeutral || (isFloat && kind == OperatorKind::Add);
  // The low word of f64's.
  if (element.isScalar(/*isFloat=*/true) && element.leaves.front().bits == 64)
    info.zeroNeutralWords = 1;
  info.instructions = 0;
  for (const LeafType &leaf : element.leaves)
    info.instructions += countInstructions(kind, leaf);
  return info;
}

OperatorInfo OperatorInfo::custom(bool isCommutative, bool hasIdentity,
                                  unsigned instructions, bool isTotal) {
  OperatorInfo info;
  info.isCommutative = isCommutative;
  info.isTotal = isTotal;
  info.hasIdentity = hasIdentity;
  info.instructions = instructions;
  return info;
}

OperatorInfo OperatorInfo::withNeutral(unsigned zeroWords) const {
  OperatorInfo info = *this;
  info.hasNeutral = true;
  info.zeroNeutralWords = zeroWords;
  return info;
}

/// The best of several is the best in any order.
OperatorInfo OperatorInfo::argument(OperatorKind kind, unsigned instructions) {
  OperatorInfo info =
      custom(/*isCommutative=*/true, /*hasIdentity=*/false, instructions);
  info.isExact = info.isIdempotent = true;
  info.arg = kind;
  return info;
}

WarpConstant PlanKey::getPresentLanes() const {
  uint64_t full = presence.hasFullWarp ? getWarpSize() : presence.tail;
  return {full, presence.tail != 0 ? presence.tail : full};
}

llvm::SmallVector<unsigned, 2> PlanKey::getPresentCounts() const {
  WarpConstant present = getPresentLanes();
  llvm::SmallVector<unsigned, 2> counts{static_cast<unsigned>(present.full)};
  if (!present.isSame())
    counts.push_back(static_cast<unsigned>(present.tail));
  return counts;
}

unsigned PlanKey::getMaxRanks() const {
  unsigned ranks = 0;
  for (unsigned present : getPresentCounts())
    ranks = std::max(ranks, std::min(present, groupSize));
  return ranks;
}

bool PlanKey::hasOddGroup() const {
  for (unsigned present : getPresentCounts())
    if (present % groupSize != 0 && !llvm::isPowerOf2_32(present % groupSize))
      return true;
  return false;
}

bool PlanKey::hasShortGroup() const {
  for (unsigned present : getPresentCounts())
    if (present % groupSize != 0)
      return true;
  return false;
}

/// (rank + distance) mod ranks, never negative.
static uint64_t rotate(unsigned rank, int64_t distance, int64_t ranks) {
  return ((rank + distance) % ranks + ranks) % ranks;
}

std::optional<unsigned> PlanKey::getShuffleSource(unsigned lane,
                                                  unsigned present) const {
  unsigned first = lane / groupSize * groupSize;
  unsigned rank = lane - first;
  unsigned ranks = std::min(present - first, groupSize);
  uint64_t source = argument;
  if (kind == CollectiveKind::ShuffleUp && argument > rank)
    return std::nullopt;
  if (kind == CollectiveKind::ShuffleUp)
    source = rank - argument;
  else if (kind == CollectiveKind::ShuffleDown)
    source = uint64_t(rank) + argument;
  else if (kind == CollectiveKind::ShuffleXor)
    source = rank ^ argument;
  else if (kind == CollectiveKind::Rotate)
    source = rotate(rank, static_cast<int32_t>(argument), ranks);
  if (source >= ranks)
    return std::nullopt;
  return first + static_cast<unsigned>(source);
}

bool PlanKey::isDemanded(unsigned lane, unsigned present) const {
  unsigned first = lane / groupSize * groupSize;
  switch (demand) {
  case Demand::All:
    return true;
  case Demand::First:
    return lane == first;
  case Demand::Last:
    return lane == std::min(first + groupSize, present) - 1;
  }
  return true;
}

llvm::StringRef PlanKey::getName() const {
  return op.arg ? getArgName(*op.arg) : getCollectiveName(kind);
}

std::string PlanKey::getTypeName() const {
  OperatorKind operation = op.arg.value_or(op.kind);
  bool isUnsigned =
      operation == OperatorKind::UMin || operation == OperatorKind::UMax;
  if (op.arg && !element.leaves.empty())
    return ElementInfo{{element.leaves.front()}}.str(isUnsigned);
  return element.str(isUnsigned);
}

std::string PlanKey::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << getName() << ' ';
  if (kind == CollectiveKind::Rotate)
    os << static_cast<int32_t>(argument) << ' ';
  else if (isShuffle(kind))
    os << argument << ' ';
  else if (!op.arg)
    os << op.getName() << ' ';
  os << getTypeName() << " over " << groupSize << " of " << getWarpSize();
  if (!presence.isFull()) {
    os << ", last warp has " << presence.tail;
    if (!presence.hasFullWarp)
      os << " and is alone";
  }
  if (isFlag)
    os << ", flags";
  if (hasInit)
    os << (isShuffle(kind) ? ", fill" : ", init");
  if (demand != Demand::All)
    os << (demand == Demand::First ? ", for rank 0" : ", for the last rank");
  os << ", " << target.str();
  return text;
}
