//===- Recipes.cpp - Lane instructions in a row ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a chip has for a collective, most of it derived from what the lanes ask
// for: the selects of a permutation are whatever brings most lanes their value.
// What brings no lane its value is left out.
//
//===----------------------------------------------------------------------===//

#include "Recipes.h"
#include "Rows.h"
#include "coll/Plan/Lanes.h"
#include "llvm/ADT/STLExtras.h"

using namespace coll;
using namespace coll::amd;

LaneMap amd::getWanted(const PlanKey &key) {
  LaneMap wanted;
  WarpConstant present = key.getPresentLanes();
  auto fill = [&](std::array<int8_t, 64> &map, unsigned count) {
    for (unsigned lane = 0; lane < count; ++lane) {
      std::optional<unsigned> source = key.getShuffleSource(lane, count);
      if (source || !key.hasInit)
        map[lane] = static_cast<int8_t>(source.value_or(lane));
    }
  };
  fill(wanted.full, present.full);
  fill(wanted.tail, present.tail);
  return wanted;
}

namespace {
class RecipeFinder {
public:
  using Moves = llvm::SmallVector<Move, 4>;

  explicit RecipeFinder(const PlanKey &key)
      : key(key), wanted(getWanted(key)) {}

  std::vector<Recipe> find();

private:
  void add(const Moves &moves);
  void addAfter(const Moves &first, const Moves &second) {
    Moves all(first);
    all.append(second.begin(), second.end());
    add(all);
  }
  std::optional<uint64_t> getSelects(unsigned block, unsigned flip) const;
  std::array<int8_t, 64> apply(const Moves &moves, unsigned present,
                               bool isTail) const;

  void addDPP();
  void addQuadThenRow();
  void addPermlanes();
  void addSwaps();
  void addSwizzles();
  void addWaveShifts();
  void addWaveShifts(const Moves &first, unsigned distance);
  void addReads();
  void addShared();
  Moves getXorInRow(unsigned bits) const;
  /// Lanes to go up, round the wave; none for xor and broadcast.
  llvm::SmallVector<unsigned, 4> getDistances() const;

  const PlanKey &key;
  LaneMap wanted;
  std::vector<Recipe> recipes;
};
} // namespace

/// Where the values of the lanes come from after all moves.
std::array<int8_t, 64> RecipeFinder::apply(const Moves &moves, unsigned present,
                                           bool isTail) const {
  WarpShape warp{key.getWarpSize(), present, isTail};
  std::array<int8_t, 64> map;
  map.fill(LaneMap::none);
  for (unsigned lane = 0; lane < present; ++lane)
    map[lane] = static_cast<int8_t>(lane);
  for (const Move &move : moves) {
    std::array<int8_t, 64> before = map;
    for (unsigned lane = 0; lane < present; ++lane) {
      LaneSource source = findSource(move, lane, warp);
      bool isLane = source.kind == LaneSource::Lane;
      map[lane] = isLane ? before[source.lane] : int8_t(LaneMap::none);
    }
  }
  return map;
}

static uint64_t getEqualLanes(const std::array<int8_t, 64> &map,
                              const std::array<int8_t, 64> &wanted) {
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (wanted[lane] != LaneMap::none && map[lane] == wanted[lane])
      lanes |= uint64_t(1) << lane;
  return lanes;
}

void RecipeFinder::add(const Moves &moves) {
  for (const Move &move : moves)
    if (findMissingFeature(move, key.target))
      return;
  WarpConstant present = key.getPresentLanes();
  Recipe recipe{moves,
                {getEqualLanes(apply(moves, present.full, false), wanted.full),
                 getEqualLanes(apply(moves, present.tail, true), wanted.tail)}};
  if (recipe.lanes != WarpConstant{})
    recipes.push_back(std::move(recipe));
}

/// The permutation of blocks of `block` lanes that brings the lanes what they
/// want of the block whose number has the bits of `flip` flipped (in lanes).
/// Where blocks want different things, the first one of a full warp decides.
std::optional<uint64_t> RecipeFinder::getSelects(unsigned block,
                                                 unsigned flip) const {
  unsigned bits = block == 4 ? 2 : block == 8 ? 3 : 4;
  std::array<int8_t, 16> selects;
  selects.fill(LaneMap::none);
  for (const auto &map : {wanted.full, wanted.tail})
    for (unsigned lane = 0; lane < 64; ++lane) {
      int8_t &select = selects[lane % block];
      bool isHere =
          map[lane] != LaneMap::none && (map[lane] ^ lane ^ flip) / block == 0;
      if (isHere && select == LaneMap::none)
        select = static_cast<int8_t>(map[lane] % block);
    }
  auto isSet = [](int8_t select) { return select != LaneMap::none; };
  if (llvm::none_of(selects, isSet))
    return std::nullopt;
  uint64_t packed = 0;
  for (unsigned lane = 0; lane < block; ++lane) {
    uint64_t select = isSet(selects[lane]) ? selects[lane] : lane;
    packed |= select << (bits * lane);
  }
  return packed;
}

//===----------------------------------------------------------------------===//
// Inside rows
//===----------------------------------------------------------------------===//

/// xor with 1 to 15, by one or two instructions.
RecipeFinder::Moves RecipeFinder::getXorInRow(unsigned bits) const {
  auto quad = [](unsigned k) {
    return Move::dpp(dpp::quadPerm(k, 1 ^ k, 2 ^ k, 3 ^ k));
  };
  // The bits that one instruction flips, and what is left for the other.
  constexpr std::pair<unsigned, unsigned> controls[] = {{0, 0},
                                                        {7, dpp::rowHalfMirror},
                                                        {8, dpp::rowRor(8)},
                                                        {15, dpp::rowMirror}};
  if (key.target.has(Feature::DPPRowXMask))
    return {Move::dpp(dpp::rowXMask(bits))};
  for (auto [flipped, control] : controls) {
    unsigned rest = bits ^ flipped;
    if (rest >= 4)
      continue;
    Moves moves;
    if (flipped != 0)
      moves.push_back(Move::dpp(control));
    if (rest != 0)
      moves.push_back(quad(rest));
    return moves;
  }
  return {};
}

void RecipeFinder::addDPP() {
  if (std::optional<uint64_t> selects = getSelects(4, 0))
    add({Move::dpp(static_cast<unsigned>(*selects))});
  for (unsigned count = 1; count < rowSize; ++count) {
    add({Move::dpp(dpp::rowShr(count))});
    add({Move::dpp(dpp::rowShl(count))});
  }
  for (unsigned count = 1; count < rowSize; ++count)
    add({Move::dpp(dpp::rowRor(count))});
  if (key.kind == CollectiveKind::ShuffleXor && key.argument % rowSize != 0)
    add(getXorInRow(key.argument % rowSize));
  if (key.kind == CollectiveKind::Broadcast)
    add({Move::dpp(dpp::rowShare(key.argument % rowSize))});
  if (std::optional<uint64_t> selects = getSelects(8, 0))
    add({Move::dpp8(*selects)});
}

/// A broadcast inside quads, and from there on to the row's other quads.
void RecipeFinder::addQuadThenRow() {
  if (key.kind != CollectiveKind::Broadcast || key.groupSize <= 4)
    return;
  unsigned rank = key.argument % 4;
  Move quad = Move::dpp(dpp::quadPerm(rank, rank, rank, rank));
  add({quad});
  for (unsigned count : {4, 8, 12})
    add({quad, Move::dpp(dpp::rowRor(count))});
}

//===----------------------------------------------------------------------===//
// Across rows
//===----------------------------------------------------------------------===//

void RecipeFinder::addPermlanes() {
  for (unsigned flip : {0, 16, 32, 48}) {
    std::optional<uint64_t> selects = getSelects(rowSize, flip);
    if (!selects)
      continue;
    bool isInPlace = *selects == 0xfedcba9876543210;
    Move move =
        flip & 16 ? Move::permlaneX16(*selects) : Move::permlane16(*selects);
    if (flip < 32) {
      add({move});
      continue;
    }
    if (flip == 32 && isInPlace) {
      add({Move::permlane64()});
      continue;
    }
    // In short waves it matters which half has all the lanes.
    add({move, Move::permlane64()});
    add({Move::permlane64(), move});
  }
}

llvm::SmallVector<unsigned, 4> RecipeFinder::getDistances() const {
  switch (key.kind) {
  case CollectiveKind::ShuffleUp:
    return {key.argument % 64};
  case CollectiveKind::ShuffleDown:
    return {(64 - key.argument % 64) % 64};
  case CollectiveKind::Rotate:
    break;
  default:
    return {};
  }
  // Down, and up again for those that go round. A short group does so sooner.
  llvm::SmallVector<unsigned, 4> distances;
  auto addGroup = [&](unsigned ranks) {
    if (ranks == 0)
      return;
    unsigned first = *key.getShuffleSource(0, ranks);
    distances.push_back((64 - first) % 64);
    distances.push_back((ranks - first) % 64);
  };
  for (unsigned present : key.getPresentCounts()) {
    addGroup(std::min(present, key.groupSize));
    addGroup(present % key.groupSize);
  }
  return distances;
}

/// gfx950: one row of each pair for both, one half for both, or one row for
/// all, after the permutation inside rows.
void RecipeFinder::addSwaps() {
  if (!key.target.has(Feature::PermlaneSwap))
    return;
  Moves first;
  llvm::SmallVector<unsigned, 4> distances = getDistances();
  if (!distances.empty() && distances.front() % rowSize != 0)
    first = {Move::dpp(dpp::rowRor(distances.front() % rowSize))};
  else if (key.kind == CollectiveKind::ShuffleXor && key.argument % 16 != 0)
    first = getXorInRow(key.argument % rowSize);
  for (bool isOdd : {false, true}) {
    addAfter(first, {Move::swap16(isOdd)});
    addAfter(first, {Move::swap32(isOdd)});
    for (bool isUpper : {false, true})
      addAfter(first, {Move::swap16(isOdd), Move::swap32(isUpper)});
  }
}

/// The crossbar of LDS, where there is no permlane16.
void RecipeFinder::addSwizzles() {
  if (!key.target.isGFX9())
    return;
  unsigned size = std::min(key.groupSize, 32u);
  if (key.kind == CollectiveKind::ShuffleXor && key.argument % 32 != 0)
    add({Move::swizzle(31, 0, key.argument % 32)});
  else if (key.kind == CollectiveKind::Broadcast && key.groupSize <= 32)
    add({Move::swizzle(31 & ~(size - 1), key.argument, 0)});
  llvm::SmallVector<unsigned, 4> distances = getDistances();
  if (!distances.empty())
    add({Move::swizzleRotate(64 - distances.front(), size)});
}

/// By one lane after the other, whichever way is shorter; in short waves what
/// goes round is lost, so both ways.
void RecipeFinder::addWaveShifts(const Moves &first, unsigned distance) {
  bool isShort = !key.presence.isFull();
  if (isShort || distance <= 32)
    addAfter(first, {distance, Move::dpp(dpp::waveRor1)});
  if (isShort || distance > 32)
    addAfter(first, {64 - distance, Move::dpp(dpp::waveRol1)});
}

/// gfx9 crosses rows by wave shifts of one lane.
void RecipeFinder::addWaveShifts() {
  if (!key.target.has(Feature::DPPWaveShift))
    return;
  if (key.kind == CollectiveKind::ShuffleXor && key.argument >= 32) {
    if (key.argument % 32 < rowSize)
      addWaveShifts(getXorInRow(key.argument % rowSize), 32);
    else
      addWaveShifts({Move::swizzle(31, 0, key.argument % 32)}, 32);
    return;
  }
  // They leave alone the lane without source.
  add({Move::dpp(dpp::waveShr1)});
  add({Move::dpp(dpp::waveShl1)});
  for (unsigned distance : getDistances())
    if (distance != 0)
      addWaveShifts({}, distance);
}

void RecipeFinder::addReads() {
  if (key.kind != CollectiveKind::Broadcast)
    return;
  for (unsigned first = 0; first < key.getWarpSize(); first += key.groupSize)
    add({Move::readLane(key.forWarps([&](uint64_t present) {
      // Where the warp is too short to have the rank, nobody takes the value.
      return std::min<uint64_t>(first + key.argument, present - 1);
    }))});
}

/// Across the halves of waves that have nothing for it. What a short wave's
/// rotation brings from elsewhere than a full one's comes by another recipe.
void RecipeFinder::addShared() {
  if (!key.hasScratch || key.getWarpSize() != 64 ||
      key.target.has(Feature::Permlane64))
    return;
  int argument = static_cast<int>(key.argument);
  switch (key.kind) {
  case CollectiveKind::ShuffleXor:
    add({Move::shared(SharedForm::Xor, argument)});
    return;
  case CollectiveKind::ShuffleUp:
    add({Move::shared(SharedForm::Shift, -argument)});
    return;
  case CollectiveKind::ShuffleDown:
    add({Move::shared(SharedForm::Shift, argument)});
    return;
  case CollectiveKind::Rotate:
    if (key.isWholeWarp())
      add({Move::shared(SharedForm::Rotate, argument % 64)});
    return;
  default:
    return;
  }
}

std::vector<Recipe> RecipeFinder::find() {
  add({});
  if (key.kind == CollectiveKind::Broadcast && key.isWholeWarp()) {
    addReads(); // A scalar then.
    return std::move(recipes);
  }
  addDPP();
  if (key.target.isGFX9())
    addQuadThenRow();
  addPermlanes();
  addSwaps();
  addSwizzles();
  addWaveShifts();
  addShared();
  if (key.groupSize >= rowSize)
    addReads();
  return std::move(recipes);
}

std::vector<Recipe> amd::getRecipes(const PlanKey &key) {
  return RecipeFinder(key).find();
}
