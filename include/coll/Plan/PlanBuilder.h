//===- PlanBuilder.h - Write plans step by step -----------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What strategies are written with: one call per step, and the parts that
// exclusive scans and `init` add to every strategy.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_PLANBUILDER_H
#define COLL_PLAN_PLANBUILDER_H

#include "coll/Plan/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace coll {

class PlanBuilder {
public:
  explicit PlanBuilder(const PlanKey &key) : key(key), plan(key.hasInit) {}

  PlanValue getInput() const { return Plan::getInput(); }
  PlanValue getInit() const { return plan.getInit(); }

  /// The operator's identity, or its neutral value.
  PlanValue identity();
  PlanValue neutral();

  /// guard ? moved(source) : otherwise.
  PlanValue move(Move move, PlanValue source, PlanValue old = noValue);
  PlanValue moveWhere(Guard guard, Move move, PlanValue source,
                      PlanValue otherwise, PlanValue old = noValue);
  /// In the lanes of `guard`: the operator on moved(value) and `value`, by
  /// `side`; elsewhere `value`. Where the move has no source, it has `old`.
  PlanValue combine(Move move, PlanValue value, Side side,
                    Guard guard = Guard::always(), PlanValue old = noValue);
  /// The operator on dpp(source) and `own` by one DPP instruction, in the lanes
  /// of `mask`, which are those that it writes; elsewhere `own`.
  PlanValue combineTied(Move dpp, PlanValue source, PlanValue own, Side side,
                        WarpConstant mask);
  /// The operator on two values of the own lane, `left` on the left; where the
  /// guard is false `otherwise`.
  PlanValue combineHere(PlanValue left, PlanValue right,
                        Guard guard = Guard::always(),
                        PlanValue otherwise = noValue);
  /// An element in another encoding, and back.
  PlanValue encode(Encoding encoding, PlanValue value);
  PlanValue decode(Encoding encoding, PlanValue value);
  /// redux.sync over the present lanes of the group.
  PlanValue redux(ReduxForm form, PlanValue value);
  PlanValue vote(VoteRanks ranks, PlanValue value);
  /// The key's collective, number by number.
  PlanValue numbers(PlanValue value);
  /// Any other step.
  PlanValue add(const Step &step) { return plan.addStep(step); }

  /// Lanes whose rank in the aligned blocks of `size` lanes is at least `rank`.
  static uint64_t getRanksFrom(unsigned size, unsigned rank);
  /// A lane of the warp, but never one that is absent: `lane` or the last one.
  WarpConstant getPresentLane(unsigned lane) const;
  /// The lanes of the last group that has a present lane.
  WarpConstant getLastGroup() const;

  /// Ends a reduce whose result is `value` in all ranks: adds `init`.
  Plan finishReduce(PlanValue value);

  /// Ends a broadcast or shuffle, or what has all that the key asks for.
  Plan finishShuffle(PlanValue value) { return finish({value}); }

  /// Ends a scan whose parts are known: the prefix that the key's kind asks for
  /// and, for ScanTotal, the total. Adds `init`.
  Plan finishScan(PlanValue prefix, PlanValue total);
  /// The same of a prefix that has `init` already.
  Plan finishScanWithInit(PlanValue prefix, PlanValue total);

  /// Ends a scan whose inclusive result is `inclusive`, as the key's kind asks.
  /// `shift(value, fill)` gives every rank the value of the rank before, and
  /// rank 0 `fill`. `total(value)` gives every rank that of its last rank.
  Plan finishScan(
      PlanValue inclusive,
      llvm::function_ref<PlanValue(PlanValue value, PlanValue fill)> shift,
      llvm::function_ref<PlanValue(PlanValue value)> total);

private:
  /// The result is `value` with `init` on its left.
  PlanValue withInit(PlanValue value);
  PlanValue exclusive(
      PlanValue inclusive,
      llvm::function_ref<PlanValue(PlanValue value, PlanValue fill)> shift);
  Plan finish(llvm::ArrayRef<PlanValue> results);

  const PlanKey &key;
  Plan plan;
};

} // namespace coll

#endif // COLL_PLAN_PLANBUILDER_H
