//===- FlagExits.cpp - Exits that everybody hears of ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where lanes leave from nested branches, those who went another way do not
// know of them, and cannot ask: NVIDIA's ballot must name the lanes that take
// part before it says who they are, and on AMD, where EXEC has them, it may
// have lanes of other trips, too (see ActiveMasks.cpp). So they stay: an exit
// sets a flag, what follows is skipped where the flag is set, and at the end of
// the trip, or of the function, all lanes are together again.
//
// Position: after all other passes over coll. Only bodies with a
// `coll.active` are rewritten, and only if some of their exits need it (see
// SplitExits.h).
//
//===----------------------------------------------------------------------===//

#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/Passes.h"
#include "coll/Transforms/SplitExits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace coll::ir {
#define GEN_PASS_DEF_FLAGEXITS
#include "coll/Transforms/Passes.h.inc"
} // namespace coll::ir

using namespace mlir;
using namespace coll::ir;

namespace {
/// A local variable of one leaf.
class Variable {
public:
  Variable(ImplicitLocOpBuilder &b, StringRef name, Type type)
      : type(type),
        view(VarOp::create(
            b, ViewType::get(b.getContext(), {}, type, MemorySpace::Private),
            name)) {}
  void store(ImplicitLocOpBuilder &b, Value value) const {
    StoreOp::create(b, ValueRange(value), view, ValueRange());
  }
  Value load(ImplicitLocOpBuilder &b) const {
    return LoadOp::create(b, TypeRange(type), view, ValueRange()).getResult(0);
  }

private:
  Type type;
  Value view;
};

/// Rewrites the exits of one body: a loop's, a function's or the kernel's.
class BodyRewriter {
public:
  BodyRewriter(Operation *target, Block &body)
      : target(target), body(body),
        b(ImplicitLocOpBuilder::atBlockBegin(target->getLoc(), &body)),
        hasLeft(b, "has_left", b.getI1Type()) {
    hasLeft.store(b, createBool(b, false));
    if (isa<LoopOp>(target)) {
      breaks.emplace(b, "breaks", b.getI1Type());
      breaks->store(b, createBool(b, false));
    }
    if (isa<InlineOp>(target))
      for (Type type : target->getResultTypes())
        results.emplace_back(b, "result", type);
  }

  void run() {
    rewriteBlock(body);
    finish();
  }

private:
  bool isExit(Operation *op) const {
    return isa<BreakOp, ContinueOp, ReturnOp>(op) &&
           getExitTarget(op) == target;
  }
  bool rewriteBlock(Block &block);
  bool rewriteOp(Operation *op);
  void rewriteExit(Operation *exit);
  void skipRest(Operation *op);
  void leaveLoop(Operation *op);
  void finish();
  /// Whether the operation is in a loop inside the body.
  bool isInLoop(Operation *op) const {
    auto loop = op->getParentOfType<LoopOp>();
    return loop && target->isProperAncestor(loop);
  }
  Leaves createZeros(TypeRange types);

  Operation *target;
  Block &body;
  ImplicitLocOpBuilder b;
  Variable hasLeft;
  std::optional<Variable> breaks; ///< Of a loop: who left ends it.
  SmallVector<Variable> results;  ///< Of a function.
};
} // namespace

Leaves BodyRewriter::createZeros(TypeRange types) {
  Leaves zeros;
  for (Type type : types)
    zeros.push_back(arith::ConstantOp::create(b, b.getZeroAttr(type)));
  return zeros;
}

/// Notes the exit and goes to the end of the arm or, in a loop inside, of the
/// loop.
void BodyRewriter::rewriteExit(Operation *exit) {
  b.setLoc(exit->getLoc());
  b.setInsertionPoint(exit);
  hasLeft.store(b, createBool(b, true));
  if (isa<BreakOp>(exit))
    breaks->store(b, createBool(b, true));
  for (auto [variable, value] : llvm::zip(results, exit->getOperands()))
    variable.store(b, value);
  Operation *parent = exit->getParentOp();
  if (isInLoop(exit))
    BreakOp::create(b);
  else if (isa<IfOp>(parent))
    YieldOp::create(b, createZeros(parent->getResultTypes()));
  else
    YieldOp::create(b);
  exit->erase();
}

/// Puts what follows `op` in its block under a condition, which the exit of the
/// block then is too.
void BodyRewriter::skipRest(Operation *op) {
  Block *block = op->getBlock();
  Operation *end = block->getTerminator();
  if (op->getNextNode() == end && !isExit(end))
    return;
  SmallVector<Type> types;
  if (auto branch = dyn_cast<IfOp>(block->getParentOp()))
    llvm::append_range(types, branch.getResultTypes());
  b.setLoc(op->getLoc());
  b.setInsertionPointAfter(op);
  Value stays = arith::XOrIOp::create(b, hasLeft.load(b), createBool(b, true));
  auto rest = IfOp::create(b, types, stays);
  Block *inside = b.createBlock(&rest.getThenRegion());
  inside->getOperations().splice(inside->end(), block->getOperations(),
                                 std::next(Block::iterator(rest)),
                                 block->end());
  if (!types.empty()) {
    b.createBlock(&rest.getElseRegion());
    YieldOp::create(b, createZeros(types));
  }
  b.setInsertionPointToEnd(block);
  YieldOp::create(b, rest.getResults());
  rewriteBlock(*inside);
}

void BodyRewriter::leaveLoop(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPointAfter(op);
  auto exit = IfOp::create(b, TypeRange(), hasLeft.load(b));
  b.createBlock(&exit.getThenRegion());
  BreakOp::create(b);
}

/// True if lanes may have left in `op`.
bool BodyRewriter::rewriteOp(Operation *op) {
  if (isa<InlineOp>(op))
    return false;
  bool mayLeave = false;
  for (Region &region : op->getRegions())
    if (!region.empty() && isa<IfOp, LoopOp>(op))
      mayLeave |= rewriteBlock(region.front());
  return mayLeave;
}

bool BodyRewriter::rewriteBlock(Block &block) {
  bool mayLeave = false;
  for (Operation &op : block) {
    if (isExit(&op)) {
      rewriteExit(&op);
      return true;
    }
    if (!rewriteOp(&op))
      continue;
    mayLeave = true;
    if (!isInLoop(&op)) {
      skipRest(&op);
      return true;
    }
    if (isa<LoopOp>(op)) // Other exits have left the loop around them.
      leaveLoop(&op);
  }
  return mayLeave;
}

/// All lanes are at the end of the body now.
void BodyRewriter::finish() {
  Operation *end = body.getTerminator();
  b.setLoc(target->getLoc());
  b.setInsertionPoint(end);
  if (!isa<LoopOp>(target)) {
    Leaves values;
    for (const Variable &result : results)
      values.push_back(result.load(b));
    ReturnOp::create(b, values);
    end->erase();
    return;
  }
  auto exit = IfOp::create(b, TypeRange(), breaks->load(b));
  b.createBlock(&exit.getThenRegion());
  BreakOp::create(b);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The block in which the exits of `target` are.
static Block &getBody(Operation *target) {
  auto loop = dyn_cast<LoopOp>(target);
  return loop ? loop.getBody().front() : target->getRegion(0).front();
}

static bool hasActive(Operation *target) {
  return getBody(target)
      .getParent()
      ->walk([](ActiveOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// All exits of a body are rewritten or none. What returns from inside a loop
/// leaves both bodies, so that both are rewritten or none.
static llvm::SetVector<Operation *> findBodies(KernelOp kernel,
                                               unsigned warpSize) {
  coll::UniformityAnalysis uniformity(kernel, warpSize);
  SplitExits exits(kernel, uniformity);
  SmallVector<Operation *> candidates;
  llvm::SetVector<Operation *> needed;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<LoopOp, InlineOp, KernelOp>(op) || !hasActive(op))
      return;
    candidates.push_back(op);
    if (!exits.isTight(op))
      needed.insert(op);
  });
  SmallVector<std::pair<Operation *, Operation *>> coupled;
  for (Operation *op : candidates)
    if (isa<LoopOp>(op))
      op->walk([&](ReturnOp exit) {
        if (!op->isAncestor(getExitTarget(exit)))
          coupled.push_back({op, getExitTarget(exit)});
      });
  size_t known;
  do {
    known = needed.size();
    for (auto [loop, function] : coupled)
      if (needed.contains(loop) || needed.contains(function)) {
        needed.insert(loop);
        needed.insert(function);
      }
  } while (needed.size() != known);
  llvm::SetVector<Operation *> ordered;
  for (Operation *op : candidates) // From the outside in.
    if (needed.contains(op))
      ordered.insert(op);
  return ordered;
}

namespace {
struct FlagExits : public coll::ir::impl::FlagExitsBase<FlagExits> {
  using FlagExitsBase::FlagExitsBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (!hasActive(kernel))
      return;
    for (Operation *target : findBodies(kernel, warpSize))
      BodyRewriter(target, getBody(target)).run();
  }
};
} // namespace
