//===- Strategy.h - Ways to carry out a collective --------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strategy turns a key into a plan, or into nothing where it does not apply.
// Strategies are pure functions; each vendor has one table of them, one file
// per family under lib/Plan/NVIDIA and lib/Plan/AMD. `choosePlan` asks all of
// them and takes the cheapest; it keeps the others for remarks.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_STRATEGY_H
#define COLL_PLAN_STRATEGY_H

#include "coll/Plan/Plan.h"

namespace coll {

/// A way to make plans, with the name that forces it.
struct Strategy {
  llvm::StringRef name;
  /// What it needs, completing "needs ...": the reason where it gives nothing.
  llvm::StringRef needs;
  std::optional<Plan> (*build)(const PlanKey &key);
};

/// The vendor's strategies. Names are unique per vendor.
llvm::ArrayRef<Strategy> getStrategies(Vendor vendor);

/// A strategy that was not taken.
struct Rejected {
  llvm::StringRef strategy;
  std::optional<unsigned> cost; ///< None: it does not apply.
  std::string reason; ///< "costs 151, not 60"; "needs redux.sync ...".
};

/// What was chosen for a key.
struct Choice {
  llvm::StringRef strategy;
  Plan plan;
  std::vector<Rejected> rejected;

  /// "reduce add i32 ... by redux (cost 60)", the plan's steps, the rejected.
  void print(llvm::raw_ostream &os) const;
};

/// Whether `name` is one of the vendor's.
bool isStrategy(Vendor vendor, llvm::StringRef name);

/// An error that lists the strategies of the target's vendor, if `name` is none
/// of them.
llvm::Error checkStrategyName(const Target &target, llvm::StringRef name);

/// The cheapest plan for `key` (the first of the table among equals), or the
/// one of the strategy `forced`. It is an error if the key makes no sense
/// (group size, missing identity), if `forced` is unknown or does not apply, or
/// if no strategy applies: on AMD that is shuffles by a distance across rows,
/// which are left to ds_bpermute.
llvm::Expected<Choice> choosePlan(const PlanKey &key,
                                  llvm::StringRef forced = "");

/// AMD: the reductions that a Redux step of `key` in `form` consists of, each
/// by the plan of its own key. Of ReduxForm::HighThenLow the high words, then
/// the low words of the lanes that have the best high word. Of ReduxForm::Arg
/// the values, then, but in whole warps, the ranks of those who have the best
/// value (whole warps find the lowest by a ballot). None if the form is for
/// other elements.
llvm::SmallVector<PlanKey, 2> getReduxParts(const PlanKey &key, ReduxForm form);

/// What a Numbers step of `key`, a reduce or scan of a vector by a builtin
/// operator, does with each number. Nothing for other keys, and scan_total.
std::optional<PlanKey> getNumberKey(const PlanKey &key);

} // namespace coll

#endif // COLL_PLAN_STRATEGY_H
