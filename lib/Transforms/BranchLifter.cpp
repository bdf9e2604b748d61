//===- BranchLifter.cpp - Operations out of their branches ----------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BranchLifter.h"
#include "coll/Transforms/SplitExits.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace coll::ir;

/// Operations of an address that is computed anew.
static constexpr size_t mostAddressOps = 64;

//===----------------------------------------------------------------------===//
// Whether it can be done
//===----------------------------------------------------------------------===//

/// The operations before `place` in its block.
static auto getBefore(Operation *place) {
  return llvm::make_range(place->getBlock()->begin(), place->getIterator());
}

/// Whether some lanes leave the block around `op` in it.
static bool mayLeave(Operation &op) {
  return op
      .walk([&](Operation *exit) {
        bool leaves = isa<BreakOp, ContinueOp, ReturnOp>(exit) &&
                      !op.isAncestor(getExitTarget(exit));
        return leaves ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isComputation(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0;
}

/// Whether a branch can give values of these types.
static bool areLeaves(TypeRange types) {
  return llvm::all_of(types, llvm::IsaPred<IntegerType, FloatType, VectorType>);
}

/// Whether what comes before and after a split can both have its results: they
/// are handed on, it is executed twice, or before both. The active lanes are
/// the same in both.
static bool canShare(Operation &op) {
  return areLeaves(op.getResultTypes()) || isa<VarOp, ActiveOp>(op) ||
         isComputation(&op);
}

static bool isUsedFrom(Operation *place, Operation &op) {
  Block *block = place->getBlock();
  return llvm::any_of(op.getUsers(), [&](Operation *user) {
    return !block->findAncestorOpInBlock(*user)->isBeforeInBlock(place);
  });
}

/// What the operands but the value are computed by inside of `outermost`, if
/// that can be done anywhere.
std::optional<llvm::SetVector<Operation *>> BranchLifter::findAddress() const {
  llvm::SetVector<Operation *> found;
  auto addOperands = [&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      if (&operand != &value && source && outermost->isAncestor(source))
        found.insert(source);
    }
  };
  addOperands(op);
  for (size_t i = 0; i != found.size(); ++i) {
    if (!isComputation(found[i]) || found.size() > mostAddressOps)
      return std::nullopt;
    addOperands(found[i]);
  }
  return found;
}

bool BranchLifter::canSplit() const {
  for (Operation *place = op; place != outermost;
       place = place->getParentOp()) {
    if (!isa<IfOp, InlineOp>(place->getParentOp()))
      return false;
    for (Operation &before : getBefore(place))
      if (mayLeave(before) || (isUsedFrom(place, before) && !canShare(before)))
        return false;
  }
  return true;
}

bool BranchLifter::prepare() {
  std::optional<llvm::SetVector<Operation *>> address = findAddress();
  if (!address || !canSplit())
    return false;
  b.setInsertionPoint(outermost);
  IRMapping copies;
  for (Operation *source : topologicalSort(*address))
    b.clone(*source, copies);
  for (OpOperand &operand : op->getOpOperands())
    if (&operand != &value)
      operand.set(copies.lookupOrDefault(operand.get()));
  return true;
}

//===----------------------------------------------------------------------===//
// One branch or call
//===----------------------------------------------------------------------===//

/// Makes the results of `head`, which precedes `parent`, known inside of that.
/// Those that `head` has to give are returned.
Leaves BranchLifter::share(Block &head, Operation *parent) {
  auto isInside = [&](OpOperand &use) {
    return parent->isProperAncestor(use.getOwner());
  };
  Leaves shared;
  for (Operation &before : llvm::make_early_inc_range(llvm::reverse(head))) {
    SmallVector<Value> used;
    for (Value result : before.getResults())
      if (llvm::any_of(result.getUses(), isInside))
        used.push_back(result);
    if (used.empty())
      continue;
    if (isa<VarOp>(before)) {
      before.moveBefore(op);
    } else if (areLeaves(before.getResultTypes()) &&
               !before.hasTrait<OpTrait::ConstantLike>()) {
      shared.append(used);
    } else {
      Operation *again = b.clone(before);
      b.setInsertionPoint(again);
      for (auto [result, copy] :
           llvm::zip(before.getResults(), again->getResults()))
        result.replaceUsesWithIf(copy, isInside);
    }
  }
  return shared;
}

/// A branch with `head` as the one arm, which gives the values; the other gives
/// the neutral value, false, and zeros, which nobody reads.
Leaves BranchLifter::splitBranch(IfOp branch, Region &head, bool isThen,
                                 const Leaves &carried) {
  Value condition = branch.getCondition();
  auto first = IfOp::create(b, TypeRange(ValueRange(carried)), condition);
  Region &arm = isThen ? first.getThenRegion() : first.getElseRegion();
  Region &other = isThen ? first.getElseRegion() : first.getThenRegion();
  arm.takeBody(head);
  b.setInsertionPointToEnd(&arm.front());
  YieldOp::create(b, carried);
  b.createBlock(&other);
  Leaves fillers = {arith::ConstantOp::create(b, neutral)};
  for (Value zero : llvm::drop_begin(carried))
    fillers.push_back(arith::ConstantOp::create(
        b, cast<TypedAttr>(b.getZeroAttr(zero.getType()))));
  YieldOp::create(b, fillers);
  b.setInsertionPoint(op);
  return Leaves(first.getResults());
}

/// Another call with `head` as its body, which gives what it computes.
Leaves BranchLifter::splitCall(InlineOp call, Region &head,
                               const Leaves &carried) {
  if (head.front().empty())
    return carried;
  auto isInside = [&](Value value) {
    return value.getParentBlock() == &head.front();
  };
  Leaves given = llvm::filter_to_vector(carried, isInside);
  auto first =
      InlineOp::create(b, TypeRange(ValueRange(given)), call.getCalleeAttr());
  Leaves results(carried);
  unsigned next = 0;
  for (Value &result : results)
    if (isInside(result))
      result = first.getResult(next++);
  first.getBody().takeBody(head);
  b.setInsertionPointToEnd(&first.getBody().front());
  ReturnOp::create(b, given);
  b.setInsertionPoint(op);
  return results;
}

static bool doesNothing(Operation *parent) {
  return parent->getNumResults() == 0 &&
         llvm::all_of(parent->getRegions(), [&](Region &region) {
           return region.empty() || isa<YieldOp>(region.front().front()) ||
                  (isa<InlineOp>(parent) &&
                   isa<ReturnOp>(region.front().front()));
         });
}

/// Puts `op`, and what is before it in its block, before `parent`, of which
/// nothing may be left.
void BranchLifter::leave(Operation *parent) {
  Region head;
  Block *block = op->getBlock();
  Block *rest = block->splitBlock(op);
  bool isThen = rest->getParent() == &parent->getRegion(0);
  block->moveBefore(&head, head.end());
  op->moveBefore(parent);

  b.setLoc(parent->getLoc());
  b.setInsertionPointToStart(rest);
  Leaves shared = share(*block, parent);
  b.setInsertionPoint(op);
  Leaves carried = {value.get()};
  if (isHere)
    carried.push_back(isHere);
  llvm::append_range(carried, shared);
  auto branch = dyn_cast<IfOp>(parent);
  Leaves results = branch ? splitBranch(branch, head, isThen, carried)
                          : splitCall(cast<InlineOp>(parent), head, carried);

  value.set(results.front());
  if (isHere)
    isHere = results[1];
  for (auto [own, result] :
       llvm::zip(shared, llvm::drop_begin(results, isHere ? 2 : 1)))
    own.replaceUsesWithIf(result, [&](OpOperand &use) {
      return parent->isProperAncestor(use.getOwner());
    });
  if (branch && !isHere) {
    isHere = branch.getCondition();
    if (!isThen)
      isHere = arith::XOrIOp::create(b, isHere, createBool(b, true));
  }
  if (doesNothing(parent))
    parent->erase();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

Value BranchLifter::lift(TypedAttr neutralValue) {
  neutral = neutralValue;
  bool isLast;
  do {
    Operation *parent = op->getParentOp();
    isLast = parent == outermost;
    leave(parent);
  } while (!isLast);
  return isHere;
}
