//===- DescribeLanes.cpp - Sets of lanes and who reads whom in words ------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;

//===----------------------------------------------------------------------===//
// Sets of lanes
//===----------------------------------------------------------------------===//

/// "0, 4, 7..9".
static std::string listRanges(uint64_t set) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (unsigned lane = 0; lane < 64; ++lane) {
    if (!(set >> lane & 1))
      continue;
    unsigned last = lane;
    while (last < 63 && (set >> (last + 1) & 1))
      ++last;
    os << (text.empty() ? "" : ", ") << lane;
    if (last != lane)
      os << ".." << last;
    lane = last;
  }
  return text;
}

static std::string nameLanes(uint64_t set) {
  return (llvm::has_single_bit(set) ? "lane " : "lanes ") + listRanges(set);
}

static bool isOneRange(uint64_t set) { return llvm::isShiftedMask_64(set); }

/// True if every `period` lanes of the first `present` are in `set` alike.
static bool isPeriodic(uint64_t set, unsigned present, unsigned period) {
  for (unsigned lane = period; lane < present; ++lane)
    if ((set >> lane & 1) != (set >> (lane % period) & 1))
      return false;
  return true;
}

std::string coll::describeLanes(uint64_t set, unsigned present) {
  set &= getLowLanes(present);
  if (set == getLowLanes(present))
    return "all lanes";
  if (set == 0)
    return "no lane";
  if (isOneRange(set))
    return nameLanes(set);
  for (unsigned period = 2; 2 * period <= present; period *= 2)
    if (isPeriodic(set, present, period))
      return nameLanes(set & getLowLanes(period)) + " of each " +
             std::to_string(period);
  return nameLanes(set);
}

//===----------------------------------------------------------------------===//
// Who reads whom
//===----------------------------------------------------------------------===//

namespace {
/// Finds the rule by which lanes read lanes.
class SourceRules {
public:
  SourceRules(llvm::ArrayRef<std::optional<unsigned>> sources)
      : sources(sources) {
    for (const auto &[i, source] : llvm::enumerate(sources))
      if (source) {
        lane = i;
        read = *source;
        break;
      }
  }

  /// "lane i <- ...", or the permutation, or a list.
  std::string str() const;

private:
  template <typename Function> bool fits(Function rule) const {
    for (const auto &[i, source] : llvm::enumerate(sources))
      if (source && *source != static_cast<unsigned>(rule(i)))
        return false;
    return true;
  }
  std::string findDistance() const;
  std::string findRankOfBlock(unsigned size) const;
  std::string findRotation(unsigned size) const;
  std::string findBits() const;
  std::string findPermutation(unsigned size, bool isOther) const;
  std::string list() const;

  llvm::ArrayRef<std::optional<unsigned>> sources;
  unsigned lane = 0, read = 0; ///< The first lane that reads, and what.
};
} // namespace

/// The same lane for all, or one at a fixed distance.
std::string SourceRules::findDistance() const {
  if (fits([&](unsigned) { return read; }))
    return std::to_string(read);
  int distance = static_cast<int>(read) - static_cast<int>(lane);
  if (fits([&](unsigned i) { return i + distance; })) {
    if (distance == 0)
      return "i";
    return (distance > 0 ? "i+" : "i") + std::to_string(distance);
  }
  if (fits([&](unsigned i) { return i ^ lane ^ read; }))
    return "i^" + std::to_string(lane ^ read);
  return "";
}

/// One lane for all of an aligned block of lanes, in it or next to it.
std::string SourceRules::findRankOfBlock(unsigned size) const {
  unsigned rank = read % size;
  std::string text = std::to_string(rank) + " of ";
  std::string block = std::to_string(size);
  if (fits([&](unsigned i) { return i / size * size + rank; }))
    return text + "its " + block;
  if (fits([&](unsigned i) { return (i / size * size ^ size) + rank; }))
    return text + "the other " + block;
  if (fits([&](unsigned i) { return (i / size - 1) * size + rank; }))
    return text + "the " + block + " before";
  return "";
}

/// A fixed distance, from a block's end on with its begin.
std::string SourceRules::findRotation(unsigned size) const {
  unsigned distance = (read - lane) % size;
  if (!fits(
          [&](unsigned i) { return i / size * size + (i + distance) % size; }))
    return "";
  bool isDown = distance > size / 2;
  return (isDown ? "i-" : "i+") +
         std::to_string(isDown ? size - distance : distance) + ", round its " +
         std::to_string(size);
}

/// Bits of the lane's number set or cleared.
std::string SourceRules::findBits() const {
  unsigned cleared = 0, set = 0;
  for (const auto &[i, source] : llvm::enumerate(sources))
    if (source) {
      cleared |= i & ~*source;
      set |= *source & ~i;
    }
  if (set == 0 && fits([&](unsigned i) { return i & ~cleared; }))
    return "i&~" + std::to_string(cleared);
  if (cleared == 0 && fits([&](unsigned i) { return i | set; }))
    return "i|" + std::to_string(set);
  return "";
}

/// "lanes 0..3 of each 4 <- lanes 2 3 0 1", where every block does the same; a
/// lane that reads nothing is a dash.
std::string SourceRules::findPermutation(unsigned size, bool isOther) const {
  if (size > sources.size())
    return "";
  llvm::SmallVector<std::optional<unsigned>, 64> first(size);
  for (const auto &[i, source] : llvm::enumerate(sources))
    if (source && !first[i % size])
      first[i % size] = *source % size;
  unsigned flip = isOther ? size : 0;
  if (!fits([&](unsigned i) {
        return (i / size * size ^ flip) + *first[i % size];
      }))
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "lanes 0.." << size - 1;
  if (size < sources.size())
    os << " of each " << size;
  os << " <- lanes";
  for (std::optional<unsigned> source : first)
    if (source)
      os << ' ' << *source;
    else
      os << " -";
  if (isOther)
    os << " of the other " << size;
  return text;
}

std::string SourceRules::list() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[i, source] : llvm::enumerate(sources))
    if (source)
      os << (text.empty() ? "lane " : ", ") << i << " <- " << *source;
  return text;
}

std::string SourceRules::str() const {
  if (llvm::none_of(sources, [](auto source) { return source.has_value(); }))
    return "";
  auto asRule = [](llvm::StringRef rule) {
    return ("lane i <- lane " + rule).str();
  };
  if (std::string rule = findDistance(); !rule.empty())
    return asRule(rule);
  for (unsigned size = 2; size <= 32; size *= 2)
    if (std::string rule = findRankOfBlock(size); !rule.empty())
      return asRule(rule);
  for (unsigned size = 4; size <= 64; size *= 2)
    if (std::string rule = findRotation(size); !rule.empty())
      return asRule(rule);
  if (std::string rule = findBits(); !rule.empty())
    return asRule(rule);
  for (unsigned size = 4; size <= 32; size *= 2)
    for (bool isOther : {false, true})
      if (std::string rule = findPermutation(size, isOther); !rule.empty())
        return rule;
  return list();
}

std::string
coll::describeSources(llvm::ArrayRef<std::optional<unsigned>> sources) {
  return SourceRules(sources).str();
}
