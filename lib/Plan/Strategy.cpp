//===- Strategy.cpp - The tables of strategies, and the choice ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Strategy.h"
#include "Strategies.h"
#include "coll/Plan/PlanBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using llvm::Error;
using llvm::Expected;

static constexpr llvm::StringLiteral needsSingle = "needs groups of one rank";
static constexpr llvm::StringLiteral needsNumbers =
    "needs a reduce or scan, not scan_total, of a vector by a builtin operator";

static constexpr Strategy nvidiaStrategies[] = {
    {"single", needsSingle, buildSingle},
    {"vote",
     "needs a reduce or scan by and, or or xor of one bit, or by add of flags",
     buildVote},
    {"redux",
     "needs redux.sync, a reduce and add, min, max, and, or or xor of one "
     "integer",
     nvidia::buildRedux},
    {"redux-keys",
     "needs redux.sync, a reduce and min, max, minimum or maximum of one float",
     nvidia::buildReduxKeys},
    {"redux-float",
     "needs redux.sync.f32, a reduce and min, max, minimum or maximum of one "
     "float of up to 32 bits",
     nvidia::buildReduxFloat},
    {"redux-arg", "needs redux.sync and arg_min or arg_max",
     nvidia::buildReduxArg},
    {"numbers", needsNumbers, buildNumbers},
    {"shuffle-butterfly",
     "needs a reduce and a commutative operator, over short groups an "
     "idempotent one",
     nvidia::buildShuffleButterfly},
    {"shuffle-down", "needs a reduce that shuffle-butterfly cannot carry out",
     nvidia::buildShuffleDown},
    {"shuffle-scan", "needs a scan", nvidia::buildShuffleScan},
    {"shuffle-scan-by-lane",
     "needs a scan by an operator of one instruction on one word, not an "
     "idempotent one",
     nvidia::buildShuffleScanByLane},
    {"shuffle-move", "needs a broadcast or shuffle", nvidia::buildShuffle},
};

static constexpr Strategy amdStrategies[] = {
    {"single", needsSingle, buildSingle},
    {"vote",
     "needs a reduce or scan by and, or or xor of one bit, or by add of flags",
     buildVote},
    {"dpp-words", "needs a reduce and min or max of one 64-bit integer",
     amd::buildDPPWords},
    {"dpp-arg", "needs arg_min or arg_max", amd::buildDPPArg},
    {"dpp-numbers", needsNumbers, buildNumbers},
    {"dpp-tree", "needs a reduce of full groups and a commutative operator",
     amd::buildDPPTree},
    {"dpp-tree-to-last",
     "needs a reduce with a short group and a commutative operator",
     amd::buildDPPTreeToLast},
    {"dpp-down",
     "needs a reduce and an operator that is not commutative, or a short group "
     "of which rank 0 reads the result",
     amd::buildDPPDown},
    {"dpp-up",
     "needs a reduce of full waves and an operator that is not commutative",
     amd::buildDPPUp},
    {"dpp-scan", "needs a scan", amd::buildDPPScan},
    {"lane-move", "needs a broadcast or shuffle", amd::buildShuffle},
};

llvm::ArrayRef<Strategy> coll::getStrategies(Vendor vendor) {
  if (vendor == Vendor::NVIDIA)
    return nvidiaStrategies;
  return amdStrategies;
}

std::optional<Plan> coll::buildSingle(const PlanKey &key) {
  if (key.getMaxRanks() != 1 || isShuffle(key.kind))
    return std::nullopt;
  PlanBuilder builder(key);
  if (key.kind == CollectiveKind::Reduce)
    return builder.finishReduce(builder.getInput());
  auto shift = [](PlanValue value, PlanValue fill) { return fill; };
  auto total = [](PlanValue value) { return value; };
  return builder.finishScan(builder.getInput(), shift, total);
}

/// What makes a key impossible to answer.
static Error checkKey(const PlanKey &key) {
  if (key.groupSize == 0 || key.groupSize > key.getWarpSize() ||
      !llvm::isPowerOf2_32(key.groupSize))
    return llvm::createStringError(
        "a group of " + llvm::Twine(key.groupSize) +
        " lanes is no power of two up to the warp size " +
        llvm::Twine(key.getWarpSize()));
  bool hasNoLanes = !key.presence.hasFullWarp && key.presence.tail == 0;
  if (hasNoLanes || key.presence.tail >= key.getWarpSize())
    return llvm::createStringError("the last warp cannot have " +
                                   llvm::Twine(key.presence.tail) + " of " +
                                   llvm::Twine(key.getWarpSize()) + " lanes");
  if (key.demand != Demand::All && key.kind != CollectiveKind::Reduce)
    return llvm::createStringError("all ranks need the result of a " +
                                   llvm::Twine(getCollectiveName(key.kind)));
  bool needsIdentity = key.kind == CollectiveKind::ExclusiveScan ||
                       key.kind == CollectiveKind::ScanTotal;
  if (needsIdentity && !key.hasInit && !key.op.hasIdentity)
    return llvm::createStringError(
        llvm::Twine(getCollectiveName(key.kind)) +
        " of an operator without identity needs 'init'");
  return Error::success();
}

bool coll::isStrategy(Vendor vendor, llvm::StringRef name) {
  return llvm::any_of(getStrategies(vendor), [&](const Strategy &strategy) {
    return strategy.name == name;
  });
}

Error coll::checkStrategyName(const Target &target, llvm::StringRef name) {
  llvm::ArrayRef<Strategy> strategies = getStrategies(target.getVendor());
  if (isStrategy(target.getVendor(), name))
    return Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "unknown strategy '" << name << "' for " << target.str()
     << "; there are ";
  llvm::interleaveComma(strategies, os, [&](const Strategy &strategy) {
    os << '\'' << strategy.name << '\'';
  });
  return llvm::createStringError(text);
}

/// Why no plan of this cost was taken, but `best`.
static std::string compareCosts(unsigned cost, const Choice &best,
                                llvm::StringRef forced) {
  std::string text = "costs " + std::to_string(cost);
  std::string bestCost = std::to_string(best.plan.getCost());
  if (forced.empty() || cost > best.plan.getCost())
    return text + ", not " + bestCost;
  return text + ", but " + forced.str() + " was asked for, which costs " +
         bestCost;
}

/// Why `name` was not taken.
static Error reportStrategy(const PlanKey &key, llvm::StringRef name) {
  if (Error error = checkStrategyName(key.target, name))
    return error;
  const Strategy *strategy =
      llvm::find_if(getStrategies(key.target.getVendor()),
                    [&](const Strategy &other) { return other.name == name; });
  return llvm::createStringError("strategy '" + name + "' does not apply to " +
                                 key.str() + ": it " + strategy->needs);
}

Expected<Choice> coll::choosePlan(const PlanKey &key, llvm::StringRef forced) {
  if (Error error = checkKey(key))
    return error;
  std::optional<Choice> best;
  std::vector<std::pair<const Strategy *, std::optional<unsigned>>> tried;
  for (const Strategy &strategy : getStrategies(key.target.getVendor())) {
    std::optional<Plan> plan = strategy.build(key);
    tried.emplace_back(&strategy, std::nullopt);
    if (!plan)
      continue;
    tried.back().second = plan->getCost();
    bool isForced = strategy.name == forced;
    bool isCheaper = !best || plan->getCost() < best->plan.getCost();
    if (forced.empty() ? isCheaper : isForced)
      best = Choice{strategy.name, std::move(*plan), {}};
  }
  if (!best && forced.empty())
    return llvm::createStringError("no strategy applies to " + key.str());
  if (!best)
    return reportStrategy(key, forced);
  for (auto [strategy, cost] : tried) {
    if (strategy->name == best->strategy)
      continue;
    Rejected rejected{strategy->name, cost, strategy->needs.str()};
    if (cost)
      rejected.reason = compareCosts(*cost, *best, forced);
    best->rejected.push_back(std::move(rejected));
  }
  return std::move(*best);
}

void Choice::print(llvm::raw_ostream &os) const {
  os << "strategy " << strategy << '\n';
  plan.print(os);
  for (const Rejected &other : rejected)
    os << "not " << other.strategy << ": " << other.reason << '\n';
}
