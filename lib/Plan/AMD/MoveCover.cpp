//===- MoveCover.cpp - Broadcasts and shuffles by lane instructions -------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lane each lane asks for is known, and so is what each recipe brings it.
// A few recipes that bring all lanes theirs are laid over each other: a later
// layer is written where it is right, and the lanes that it must not touch keep
// what was there before, by DPP's row and bank masks, by lanes that have no
// source in their row, or by a select. Lanes that no recipe reaches are copied
// one by one. Of all such covers the cheapest is taken.
//
//===----------------------------------------------------------------------===//

#include "../Strategies.h"
#include "Recipes.h"
#include "Rows.h"
#include "coll/Plan/Lanes.h"
#include "coll/Plan/PlanBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace coll;
using namespace coll::amd;

static WarpConstant operator|(WarpConstant a, WarpConstant b) {
  return {a.full | b.full, a.tail | b.tail};
}
static WarpConstant operator&(WarpConstant a, WarpConstant b) {
  return {a.full & b.full, a.tail & b.tail};
}
static WarpConstant operator~(WarpConstant a) { return {~a.full, ~a.tail}; }
static bool isEmpty(WarpConstant a) { return a == WarpConstant{}; }
static bool isInside(WarpConstant a, WarpConstant b) { return isEmpty(a & ~b); }

namespace {
/// A recipe, or the fill of the lanes without source.
struct Layer {
  llvm::ArrayRef<Move> moves;
  bool isFill = false;
  WarpConstant lanes;   ///< Those in which it is right.
  WarpConstant sources; ///< Those that the last move brings a value.
  /// How it is written over what is there before; filled in by `order`.
  enum { Base, MaskedMove, MaskedCopy, Select } form = Base;
  Move masked = {}; ///< MaskedMove, MaskedCopy.
  WarpConstant written = {};
};

class MoveCover {
public:
  explicit MoveCover(const PlanKey &key);

  std::optional<Plan> find();

private:
  using Layers = llvm::SmallVector<Layer, 6>;
  static constexpr unsigned maxLayers = 5, maxVisits = 500;

  void visit(WarpConstant missing, unsigned cost);
  void evaluate(WarpConstant copied, unsigned cost);
  bool order(Layers &layers, WarpConstant copied) const;
  void place(Layer &layer, WarpConstant needed, WarpConstant allowed) const;
  WarpConstant getSources(const Move &move) const;
  unsigned getCost(llvm::ArrayRef<Layer> layers) const;
  unsigned getCost(llvm::ArrayRef<Move> moves) const;
  PlanValue build(PlanBuilder &builder) const;
  PlanValue copyLanes(PlanBuilder &builder, PlanValue value) const;

  const PlanKey &key;
  LaneMap wanted;
  std::vector<std::pair<unsigned, Recipe>> recipes; ///< By cost.
  WarpConstant present, filled;
  WarpConstant reached; ///< By any recipe.
  llvm::SmallVector<const Recipe *, maxLayers> chosen;
  unsigned visits = 0;
  Layers best;
  WarpConstant bestCopied;
  unsigned bestCost = ~0u;
};
} // namespace

/// What moves of the input cost alone.
unsigned MoveCover::getCost(llvm::ArrayRef<Move> moves) const {
  PlanBuilder builder(key);
  PlanValue value = builder.getInput();
  for (const Move &move : moves)
    value = builder.move(move, value);
  return builder.finishShuffle(value).getCost();
}

MoveCover::MoveCover(const PlanKey &key) : key(key), wanted(getWanted(key)) {
  present = key.forWarps(getLowLanes);
  auto getUnwanted = [&](const std::array<int8_t, 64> &map, uint64_t lanes) {
    for (unsigned lane = 0; lane < 64; ++lane)
      if (map[lane] != LaneMap::none)
        lanes &= ~(uint64_t(1) << lane);
    return lanes;
  };
  filled = {getUnwanted(wanted.full, present.full),
            getUnwanted(wanted.tail, present.tail)};
  // The cheapest first; of equal ones shifts come before rotations, as they
  // leave alone the lanes without source.
  std::vector<Recipe> all = getRecipes(key);
  std::vector<std::pair<unsigned, size_t>> order;
  for (const auto &[index, recipe] : llvm::enumerate(all))
    order.emplace_back(getCost(recipe.moves), index);
  llvm::sort(order);
  // Of recipes for the same lanes one is enough.
  for (auto [cost, index] : order)
    if (llvm::none_of(recipes, [&](const auto &other) {
          return other.second.lanes == all[index].lanes;
        }))
      recipes.emplace_back(cost, std::move(all[index]));
  for (auto &[cost, recipe] : recipes) {
    reached = reached | recipe.lanes;
    if (!recipe.moves.empty())
      recipe.sources = getSources(recipe.moves.back());
  }
}

/// The lanes that get a value by a move without masks.
WarpConstant MoveCover::getSources(const Move &move) const {
  auto find = [&](unsigned count, bool isTail) {
    WarpShape warp{key.getWarpSize(), count, isTail};
    uint64_t lanes = 0;
    for (unsigned lane = 0; lane < count; ++lane)
      if (findSource(move, lane, warp).kind == LaneSource::Lane)
        lanes |= uint64_t(1) << lane;
    return lanes;
  };
  WarpConstant counts = key.getPresentLanes();
  return {find(counts.full, false), find(counts.tail, true)};
}

/// The lanes of DPP's masks.
static uint64_t getMasked(unsigned rowMask, unsigned bankMask) {
  uint64_t row = 0, lanes = 0;
  for (unsigned i = 0; i < 4; ++i)
    if (bankMask >> i & 1)
      row |= uint64_t(0xf) << (4 * i);
  for (unsigned i = 0; i < 4; ++i)
    if (rowMask >> i & 1)
      lanes |= row << (rowSize * i);
  return lanes;
}

/// Gives the layer the masks that make its DPP, which brings `sources` a value,
/// write all of `needed` and nothing outside `allowed`, if there are such.
static bool mask(Layer &layer, Move move, WarpConstant sources,
                 WarpConstant needed, WarpConstant allowed) {
  unsigned rows = 0, banks = 0;
  uint64_t lanes = needed.full | needed.tail;
  for (unsigned lane = 0; lane < 64; ++lane)
    if (lanes >> lane & 1) {
      rows |= 1 << lane / rowSize;
      banks |= 1 << lane % rowSize / 4;
    }
  constexpr unsigned all = 0xf;
  for (auto [rowMask, bankMask] :
       {std::pair(all, all), std::pair(rows, all), std::pair(rows, banks)}) {
    WarpConstant written =
        sources & WarpConstant::same(getMasked(rowMask, bankMask));
    if (!isInside(needed, written) || !isInside(written, allowed))
      continue;
    move.rowMask = rowMask;
    move.bankMask = bankMask;
    layer.masked = move;
    layer.written = written;
    return true;
  }
  return false;
}

/// Decides how a layer that is not the first is written.
void MoveCover::place(Layer &layer, WarpConstant needed,
                      WarpConstant allowed) const {
  layer.form = Layer::MaskedMove;
  if (!layer.moves.empty() && layer.moves.back().kind == MoveKind::DPP &&
      mask(layer, layer.moves.back(), layer.sources, needed, allowed))
    return;
  layer.form = Layer::MaskedCopy;
  if (mask(layer, Move::dpp(dpp::quadPerm(0, 1, 2, 3)), present, needed,
           allowed))
    return;
  layer.form = Layer::Select;
  layer.written = WarpConstant::same(needed.full | needed.tail);
  if (!isInside(layer.written & present, allowed))
    layer.written = needed;
}

/// From the last layer back to the first: what each has to write, where. False
/// if they do not cover all lanes in this order, or one of them is not needed.
bool MoveCover::order(Layers &layers, WarpConstant copied) const {
  // Lanes are copied onto the first layer.
  WarpConstant overwritten = WarpConstant::same(copied.full | copied.tail);
  WarpConstant first =
      (layers.front().lanes & ~overwritten) | (overwritten & present & ~filled);
  WarpConstant missing = present;
  for (size_t i = layers.size(); i-- > 1;) {
    WarpConstant before = first;
    for (size_t k = 1; k < i; ++k)
      before = before | layers[k].lanes;
    WarpConstant needed = missing & ~before;
    if (isEmpty(needed) || !isInside(needed, layers[i].lanes))
      return false;
    place(layers[i], needed, layers[i].lanes | ~missing);
    missing = missing & ~layers[i].written;
  }
  layers.front().form = Layer::Base;
  return isInside(missing, first);
}

/// What it costs to lay the layers over each other, without what their moves
/// cost alone.
unsigned MoveCover::getCost(llvm::ArrayRef<Layer> layers) const {
  unsigned copy = getCost(Move::dpp(dpp::quadPerm(0, 1, 2, 3)));
  unsigned cost = 0;
  bool isInput = layers.front().moves.empty();
  for (const Layer &layer : layers.drop_front()) {
    // The input is needed again: it is copied before it is written.
    if (layer.form == Layer::Select)
      cost += layer.written.isSame() ? copy / 2 + 3 : copy + 8;
    else
      cost += (layer.form == Layer::MaskedCopy ? copy : 0) +
              (isInput ? key.getWords() * 4 : 0);
    isInput = false;
  }
  return cost;
}

PlanValue MoveCover::build(PlanBuilder &builder) const {
  llvm::SmallVector<std::tuple<PlanValue, Move, PlanValue>, 8> made;
  // Recipes may begin alike.
  auto move = [&](Move step, PlanValue value) {
    step.boundCtrl = step.kind == MoveKind::DPP;
    for (auto &[source, other, result] : made)
      if (source == value && other == step)
        return result;
    PlanValue result = builder.move(step, value);
    made.emplace_back(value, step, result);
    return result;
  };
  PlanValue result = noValue;
  for (const Layer &layer : best) {
    llvm::ArrayRef<Move> moves = layer.moves;
    if (layer.form == Layer::MaskedMove)
      moves = moves.drop_back();
    PlanValue value = layer.isFill ? builder.getInit() : builder.getInput();
    for (const Move &step : moves)
      value = move(step, value);
    if (layer.form == Layer::Base)
      result = copyLanes(builder, value);
    else if (layer.form == Layer::Select)
      result = builder.moveWhere(Guard::lanes(layer.written), Move::none(),
                                 value, result);
    else
      result = builder.move(layer.masked, value, result);
  }
  return result;
}

PlanValue MoveCover::copyLanes(PlanBuilder &builder, PlanValue value) const {
  for (unsigned lane = 0; lane < key.getWarpSize(); ++lane) {
    if (!((bestCopied.full | bestCopied.tail) >> lane & 1))
      continue;
    // Whoever is absent, or gets the fill afterwards, gets anything.
    auto pick = [&](int8_t source) -> uint64_t {
      return source == LaneMap::none ? 0 : source;
    };
    WarpConstant from{pick(wanted.full[lane]), pick(wanted.tail[lane])};
    value = builder.move(Move::copyLane(from, lane), builder.getInput(), value);
  }
  return value;
}

/// Takes the cheapest order of the chosen recipes, which cost `cost` alone,
/// with `copied` lanes.
void MoveCover::evaluate(WarpConstant copied, unsigned cost) {
  constexpr unsigned copyCost = 16; // As in Cost.cpp.
  cost += copyCost * key.getWords() * llvm::popcount(copied.full | copied.tail);
  if (cost >= bestCost)
    return;
  Layers layers;
  for (const Recipe *recipe : chosen)
    layers.push_back({recipe->moves, false, recipe->lanes, recipe->sources});
  if (!isEmpty(filled))
    layers.push_back({{}, true, filled, present});
  // Lanes are not copied onto the fill if it is to overwrite them.
  WarpConstant overwritten = WarpConstant::same(copied.full | copied.tail);
  if (layers.empty() || !isEmpty(overwritten & filled))
    layers.push_back({{}, false, {}, present});
  llvm::SmallVector<unsigned, 6> permutation;
  for (unsigned i = 0; i < layers.size(); ++i)
    permutation.push_back(i);
  do {
    Layers ordered;
    for (unsigned i : permutation)
      ordered.push_back(layers[i]);
    if (!order(ordered, copied))
      continue;
    unsigned sum = cost + getCost(ordered);
    if (sum >= bestCost)
      continue;
    bestCost = sum;
    best = std::move(ordered);
    bestCopied = copied;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

/// Adds recipes until no lane is missing; whichever brings the first missing
/// lane its value is tried. The chosen ones cost `cost` alone.
void MoveCover::visit(WarpConstant missing, unsigned cost) {
  if (cost >= bestCost || ++visits > maxVisits)
    return;
  if (isEmpty(missing))
    return evaluate({}, cost);
  evaluate(missing, cost);
  if (chosen.size() == maxLayers)
    return;
  WarpConstant reachable = missing & reached;
  bool isFull = reachable.full != 0;
  uint64_t lane = isFull ? reachable.full : reachable.tail;
  lane &= -lane;
  for (const auto &[added, recipe] : recipes) {
    if (((isFull ? recipe.lanes.full : recipe.lanes.tail) & lane) == 0)
      continue;
    chosen.push_back(&recipe);
    visit(missing & ~recipe.lanes, cost + added);
    chosen.pop_back();
  }
}

std::optional<Plan> MoveCover::find() {
  visit(present & ~filled, 0);
  if (best.empty())
    return std::nullopt;
  PlanBuilder builder(key);
  return builder.finishShuffle(build(builder));
}

std::optional<Plan> amd::buildShuffle(const PlanKey &key) {
  if (!isShuffle(key.kind))
    return std::nullopt;
  return MoveCover(key).find();
}
