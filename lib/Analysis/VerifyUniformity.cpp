//===- VerifyUniformity.cpp - Collectives that some threads do not reach --===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The messages name what the user wrote (Names.h).
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "coll/Analysis/Passes.h"
#include "coll/Analysis/Uniformity.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace coll {
#define GEN_PASS_DEF_VERIFYUNIFORMITY
#include "coll/Analysis/Passes.h.inc"
} // namespace coll

using namespace coll;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// What the user calls an operation whose result differs between threads.
static std::string getLeafName(Operation *op) {
  StringRef spelled = findName(op->getLoc(), /*dotted=*/true);
  if (!spelled.empty())
    return spelled.str();
  if (ir::GroupAttr group = UniformityAnalysis::getCollectiveGroup(op))
    return getCollectiveName(op, group);
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](ir::RankOp op) { return getGroupName(op.getGroup()) + ".rank"; })
      .Case([](ir::SizeOp op) { return getGroupName(op.getGroup()) + ".size"; })
      .Case(
          [](ir::IndexOp op) { return getGroupName(op.getGroup()) + ".index"; })
      .Case(
          [](ir::CountOp op) { return getGroupName(op.getGroup()) + ".count"; })
      .Case([](ir::ThreadIdOp op) {
        return "thread.index3." +
               ir::stringifyDimension(op.getDimension()).str();
      })
      .Case([](ir::BlockIdOp op) {
        return "block.index3." +
               ir::stringifyDimension(op.getDimension()).str();
      })
      .Case([](ir::LoadOp op) {
        auto view = cast<ir::ViewType>(op.getView().getType());
        return "a load from " +
               ir::stringifyMemorySpace(view.getSpace()).str() + " memory";
      })
      .Case<ir::AtomicRMWOp, ir::AtomicCASOp, ir::AtomicLoadOp>(
          [](Operation *) { return "an atomic"; })
      .Default(
          [](Operation *op) { return op->getName().getStringRef().str(); });
}

/// The variable that holds the value, in quotes; empty if it has no name.
static std::string getVariableName(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  StringRef name;
  if (auto load = dyn_cast<ir::LoadOp>(op))
    if (ir::VarOp variable = getVariable(load.getView()))
      name = variable.getName();
  if (name.empty())
    name = findName(op->getLoc(), /*dotted=*/false);
  return name.empty() ? std::string() : ("'" + name + "'").str();
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

namespace {
/// Adds the notes that lead from a branch to where what it depends on differs.
class Reasons {
public:
  Reasons(const UniformityAnalysis &analysis, InFlightDiagnostic &diagnostic)
      : analysis(analysis), diagnostic(diagnostic) {}

  void explainControl(const Uniformity &control) {
    if (control.via)
      diagnostic.attachNote(control.via->getLoc())
          << "some threads leave by this "
          << control.via->getName().stripDialect();
    explainBranch(control);
  }

private:
  void explainBranch(const Uniformity &control) {
    if (!control.from || steps > maxSteps)
      return;
    Walk walk = follow(control.from);
    diagnostic.attachNote(control.at->getLoc())
        << (isa<ir::LoopOp>(control.at) ? "this loop depends on "
                                        : "this branch depends on ")
        << walk.describe();
    explainEnd(walk);
  }

  /// From a value to where it differs, or to a branch that decides it.
  struct Walk {
    std::string name; ///< The first variable on the way.
    Uniformity end;
    std::string describe() const {
      if (!name.empty())
        return name;
      if (end.via)
        return isa<ir::StoreOp>(end.via) ? "a variable" : "a function's result";
      return end.at ? getLeafName(end.at) : "a condition";
    }
  };

  Walk follow(Value value) {
    Walk walk;
    while (++steps <= maxSteps) {
      if (walk.name.empty())
        walk.name = getVariableName(value);
      walk.end = analysis.getValue(value);
      if (walk.end.via || !walk.end.from ||
          isa_and_present<ir::IfOp>(walk.end.at))
        break;
      value = walk.end.from;
    }
    return walk;
  }

  void explainEnd(const Walk &walk) {
    const Uniformity &end = walk.end;
    if (!end.at || steps > maxSteps)
      return;
    if (end.via && isa<ir::StoreOp>(end.via)) {
      diagnostic.attachNote(end.via->getLoc())
          << walk.describe() << " is assigned here by some threads only";
      return explainBranch(end);
    }
    if (end.via) {
      diagnostic.attachNote(end.via->getLoc())
          << "some threads return " << walk.describe() << " here";
      return explainBranch(end);
    }
    if (end.from)
      return explainBranch(end);
    Diagnostic &note = diagnostic.attachNote(end.at->getLoc());
    if (walk.name.empty())
      note << getLeafName(end.at) << " is here";
    else
      note << walk.name << " comes from " << getLeafName(end.at) << " here";
    if (auto load = dyn_cast<ir::LoadOp>(end.at); load && isOnePlace(load))
      note << "; block.broadcast of it is the same in all threads of a block";
  }

  /// Whether all threads of a block load the same place.
  bool isOnePlace(ir::LoadOp load) const {
    return llvm::all_of(load->getOperands(), [&](Value operand) {
      return analysis.getValue(operand).level >= Uniformity::block;
    });
  }

  /// Reasons are shown as far as one can read them.
  static constexpr unsigned maxSteps = 1000;
  const UniformityAnalysis &analysis;
  InFlightDiagnostic &diagnostic;
  unsigned steps = 0;
};

struct VerifyUniformity : coll::impl::VerifyUniformityBase<VerifyUniformity> {
  using VerifyUniformityBase::VerifyUniformityBase;
  void runOnOperation() override {
    if (failed(verifyUniformity(getOperation(), warpSize)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace

namespace {
/// Collectives of some warps of the block must be reached by all of their
/// threads, and by no other.
class WarpsVerifier {
public:
  WarpsVerifier(ir::KernelOp kernel, unsigned warpSize)
      : kernel(kernel), warpSize(warpSize), ranks(kernel, warpSize) {}

  /// Whether `op` is reached by the whole block, under conditions on ranks that
  /// all of its threads fulfil, as those of a `block.warps` that has all warps.
  bool isReachedByAll(Operation *op) {
    auto all = ir::GroupAttr::get(kernel.getContext(), ir::GroupKind::Warps,
                                  kernel.getBlockSize(), /*first=*/0);
    return getAnalysis(all).getControl(op).level >= Uniformity::block;
  }

  LogicalResult verify(Operation *op, ir::GroupAttr group) {
    const UniformityAnalysis &analysis = getAnalysis(group);
    Uniformity control = analysis.getControl(op);
    if (control.level < Uniformity::block) {
      InFlightDiagnostic diagnostic = emitError(op->getLoc())
                                      << getCollectiveName(op, group)
                                      << " is not reached by every thread of "
                                         "the group";
      Reasons(analysis, diagnostic).explainControl(control);
      return failure();
    }
    llvm::BitVector others = ranks.getReach(op);
    others.reset(getRanks(kernel, group));
    if (others.none())
      return success();
    InFlightDiagnostic diagnostic =
        emitError(op->getLoc())
        << getCollectiveName(op, group)
        << " may be reached by other threads of the block: thread "
        << others.find_first() << " is not in the group";
    diagnostic.attachNote(op->getLoc())
        << "it needs a condition that these warps alone fulfil, such as 'if "
        << getCondition(group) << "'";
    return failure();
  }

private:
  const UniformityAnalysis &getAnalysis(ir::GroupAttr group) {
    std::unique_ptr<UniformityAnalysis> &analysis = analyses[group];
    if (!analysis)
      analysis =
          std::make_unique<UniformityAnalysis>(kernel, warpSize, group, &ranks);
    return *analysis;
  }
  /// What only the threads of the group fulfil.
  std::string getCondition(ir::GroupAttr group) {
    unsigned first = group.getFirst() / warpSize;
    unsigned end =
        llvm::divideCeil(group.getFirst() + group.getTileSize(), warpSize);
    std::string from = "warp.index >= " + std::to_string(first);
    std::string to = "warp.index < " + std::to_string(end);
    if (end - first == 1)
      return "warp.index == " + std::to_string(first);
    if (first == 0)
      return to;
    bool isLast = end == llvm::divideCeil(kernel.getBlockSize(), warpSize);
    return isLast ? from : from + " && " + to;
  }

  ir::KernelOp kernel;
  unsigned warpSize;
  RankSets ranks;
  llvm::DenseMap<Attribute, std::unique_ptr<UniformityAnalysis>> analyses;
};
} // namespace

static LogicalResult verifyKernel(ir::KernelOp kernel, unsigned warpSize) {
  UniformityAnalysis analysis(kernel, warpSize);
  WarpsVerifier warpsVerifier(kernel, warpSize);
  LogicalResult result = success();
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    ir::GroupAttr group = UniformityAnalysis::getCollectiveGroup(op);
    if (!group)
      return;
    if (group.isWarps()) {
      if (failed(warpsVerifier.verify(op, group)))
        result = failure();
      return;
    }
    const UniformityAnalysis &scope = analysis.getScope(ir::getMembers(op));
    Uniformity control = scope.getControl(op);
    if (control.level >= analysis.getLevel(group) ||
        (group.isBlock() && warpsVerifier.isReachedByAll(op)))
      return;
    StringRef kind =
        group.isMembers() ? "group" : ir::stringifyGroupKind(group.getKind());
    InFlightDiagnostic diagnostic = emitError(op->getLoc())
                                    << getCollectiveName(op, group)
                                    << " is not reached by every thread of the "
                                    << kind;
    Reasons(scope, diagnostic).explainControl(control);
    if (Value members = ir::getMembers(op))
      diagnostic.attachNote(members.getLoc()) << "the group is made here";
    result = failure();
  });
  return result;
}

LogicalResult coll::verifyUniformity(ModuleOp module, unsigned warpSize) {
  LogicalResult result = success();
  for (auto kernel : module.getOps<ir::KernelOp>())
    if (failed(verifyKernel(kernel, warpSize)))
      result = failure();
  return result;
}
