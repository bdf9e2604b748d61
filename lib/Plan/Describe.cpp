//===- Describe.cpp - Plans step by step as text --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Describe.h"
#include "coll/Plan/Strategy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using llvm::raw_ostream;

llvm::SmallVector<WarpShape, 2> coll::getWarps(const PlanKey &key) {
  llvm::SmallVector<WarpShape, 2> warps;
  for (unsigned present : key.getPresentCounts())
    warps.push_back(
        {key.getWarpSize(), present, present != key.getPresentLanes().full});
  return warps;
}

llvm::SmallVector<LaneRead, 64> coll::findReads(const Step &step,
                                                const WarpShape &warp) {
  llvm::SmallVector<LaneRead, 64> reads;
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane) {
    LaneRead read{findSource(step.move, lane, warp), true};
    if (step.guard.kind == GuardKind::Predicate)
      read.isWanted = read.source.predicate;
    if (step.guard.kind == GuardKind::LaneMask)
      read.isWanted = warp.get(step.guard.mask) >> lane & 1;
    reads.push_back(read);
  }
  return reads;
}

std::string coll::describeOperator(const OperatorInfo &op) {
  return (op.arg ? getArgName(*op.arg) : op.getName()).str();
}

namespace {
/// Says what a step does in one kind of warp.
class StepText {
public:
  StepText(raw_ostream &os, const PlanKey &key, const Plan &plan, size_t index,
           const WarpShape &warp)
      : os(os), key(key), step(plan.getSteps()[index]),
        result(plan.getStepValue(index)), warp(warp) {}

  void print();

private:
  void printMoveOrCombine();
  void printMoved(llvm::ArrayRef<LaneRead> reads);
  void printCombination();
  void printGuard(llvm::ArrayRef<LaneRead> reads);
  void printRedux();
  void printVote();
  void printEncoding(bool isEncode);

  raw_ostream &os;
  const PlanKey &key;
  const Step &step;
  PlanValue result;
  WarpShape warp;
};
} // namespace

/// The lanes of `reads` for which `isIn` is true.
template <typename Function>
static uint64_t getLanes(llvm::ArrayRef<LaneRead> reads, Function isIn) {
  uint64_t set = 0;
  for (const auto &[lane, read] : llvm::enumerate(reads))
    set |= uint64_t(isIn(read)) << lane;
  return set;
}

/// Who reads whom, what lanes without source get, and the instruction.
void StepText::printMoved(llvm::ArrayRef<LaneRead> reads) {
  llvm::SmallVector<std::optional<unsigned>, 64> sources;
  for (const LaneRead &read : reads) {
    bool isOwn = step.move.isShuffle() && !read.source.predicate;
    bool isLane = read.source.kind == LaneSource::Lane && !isOwn;
    sources.push_back(isLane ? std::optional(read.source.lane) : std::nullopt);
  }
  std::string rule = describeSources(sources);
  if (rule.empty())
    os << "no lane reads another";
  else
    os << rule << " of v" << step.source;
  auto printFilled = [&](LaneSource::Kind kind, const std::string &value) {
    uint64_t set = getLanes(reads, [&](const LaneRead &read) {
      return read.isWanted && read.source.kind == kind;
    });
    if (set != 0)
      os << ", " << describeLanes(set, warp.presentLanes) << " <- " << value;
  };
  if (step.old != noValue)
    printFilled(LaneSource::Old, "v" + std::to_string(step.old));
  printFilled(LaneSource::Zero, "0");
  os << " (" << step.move.str();
  unsigned words =
      key.target.isNVIDIA() ? key.element.getPackedWords() : key.getWords();
  if (step.tied)
    os << ", in the operator's instruction";
  else if (words > 1)
    os << ", " << words << " times";
  os << ')';
}

/// "add(it, v0)": `it` is what was moved.
void StepText::printCombination() {
  std::string moved = step.move.kind == MoveKind::None
                          ? "v" + std::to_string(step.source)
                          : "it";
  if (step.kind == StepKind::Move) {
    os << moved;
    return;
  }
  std::string own = "v" + std::to_string(step.own);
  if (step.side == Side::OwnLeft)
    std::swap(moved, own);
  os << describeOperator(key.op) << '(' << moved << ", " << own << ')';
}

void StepText::printGuard(llvm::ArrayRef<LaneRead> reads) {
  if (step.guard.kind == GuardKind::Always)
    return;
  uint64_t set =
      getLanes(reads, [](const LaneRead &read) { return read.isWanted; });
  if (set != getLowLanes(warp.presentLanes))
    os << " in " << describeLanes(set, warp.presentLanes) << ", else v"
       << step.otherwise;
}

void StepText::printMoveOrCombine() {
  llvm::SmallVector<LaneRead, 64> reads = findReads(step, warp);
  if (llvm::none_of(reads,
                    [](const LaneRead &read) { return read.isWanted; })) {
    os << 'v' << result << " = v" << step.otherwise;
    return;
  }
  if (step.move.kind != MoveKind::None) {
    printMoved(reads);
    os << "; ";
  }
  os << 'v' << result << " = ";
  printCombination();
  printGuard(reads);
}

/// AMD reduces by plans of their own.
static llvm::StringRef describeParts(ReduxForm form, bool isWholeWarp) {
  if (form == ReduxForm::HighThenLow)
    return "the high words by a reduce, then the low ones";
  return isWholeWarp
             ? "the values by a reduce, and a ballot for the lowest rank"
             : "the values by a reduce, then the ranks of the best";
}

static llvm::StringRef describe(ReduxForm form) {
  switch (form) {
  case ReduxForm::Words:
    return "redux.sync";
  case ReduxForm::HighThenLow:
    return "redux.sync of the high words, then of the low ones";
  case ReduxForm::Fields:
    return "redux.sync of 16, 16 and 32 bits";
  case ReduxForm::Float:
    return "redux.sync of floats";
  case ReduxForm::Arg:
    return "redux.sync of the values, and a ballot for the lowest rank";
  }
  return "";
}

void StepText::printRedux() {
  os << "lane i <- all lanes of its " << key.groupSize << " of v" << step.source
     << " ("
     << (key.target.isAMD() ? describeParts(step.form, key.isWholeWarp())
                            : describe(step.form))
     << "); v" << result << " = " << describeOperator(key.op) << " of them";
}

static llvm::StringRef describe(VoteRanks ranks) {
  switch (ranks) {
  case VoteRanks::All:
    return "all lanes";
  case VoteRanks::UpToOwn:
    return "lanes up to i";
  case VoteRanks::BelowOwn:
    return "lanes below i";
  }
  return "";
}

void StepText::printVote() {
  os << "lane i <- " << describe(step.ranks) << " of its " << key.groupSize
     << " of v" << step.source << " ("
     << (key.target.isNVIDIA() ? "vote.sync" : "ballot") << "); v" << result
     << " = " << describeOperator(key.op) << " of them";
}

void StepText::printEncoding(bool isEncode) {
  os << 'v' << result << " = ";
  switch (step.encoding) {
  case Encoding::Element:
    os << 'v' << step.source;
    return;
  case Encoding::Wide:
    os << 'v' << step.source
       << (isEncode ? " in 32 bits" : " in its own width");
    return;
  case Encoding::Unsigned:
    os << 'v' << step.source
       << (isEncode ? " without a sign" : " with its sign again");
    return;
  case Encoding::Keys:
    os << 'v' << step.source
       << (isEncode ? " as an integer of the same order" : " as a float again");
    return;
  }
}

void StepText::print() {
  switch (step.kind) {
  case StepKind::Identity:
    os << 'v' << result << " = the operator's identity";
    return;
  case StepKind::Neutral:
    os << 'v' << result << " = the operator's neutral value";
    return;
  case StepKind::Move:
  case StepKind::Combine:
    return printMoveOrCombine();
  case StepKind::Redux:
    return printRedux();
  case StepKind::Vote:
    return printVote();
  case StepKind::Remove:
    os << 'v' << result << " = v" << step.source << " without v" << step.own;
    return;
  case StepKind::Numbers:
    os << 'v' << result << " = this of each number of v" << step.source
       << " by itself, as " << getNumberKey(key)->str();
    return;
  case StepKind::Encode:
    return printEncoding(/*isEncode=*/true);
  case StepKind::Decode:
    return printEncoding(/*isEncode=*/false);
  }
}

std::string coll::describeStep(const PlanKey &key, const Plan &plan,
                               size_t step, const WarpShape &warp) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StepText(os, key, plan, step, warp).print();
  return text;
}

static void explainStep(raw_ostream &os, const PlannedCollective &planned,
                        size_t index) {
  const Plan &plan = planned.choice.plan;
  std::string first;
  for (const WarpShape &warp : getWarps(planned.key)) {
    std::string text = describeStep(planned.key, plan, index, warp);
    if (first.empty()) {
      first = text;
      os << "  " << text << "  ; cost " << plan.getSteps()[index].cost << '\n';
    } else if (text != first) {
      os << "    in the last warp, " << warp.presentLanes << " lanes: " << text
         << '\n';
    }
  }
}

static void explainPlan(raw_ostream &os, const PlannedCollective &planned) {
  const Plan &plan = planned.choice.plan;
  for (const Rejected &other : planned.choice.rejected)
    os << "  not " << other.strategy << ": " << other.reason << '\n';
  os << "  v0 = the lane's own value\n";
  if (plan.getInit() != noValue)
    os << "  v" << plan.getInit() << " = init\n";
  for (size_t index = 0; index < plan.getSteps().size(); ++index)
    explainStep(os, planned, index);
  os << "  result";
  for (PlanValue value : plan.getResults())
    os << " v" << value;
  os << '\n';
}

void coll::explain(raw_ostream &os, const CollectiveRecord &record) {
  if (record.line != 0)
    os << record.file << ':' << record.line << ':' << record.column << ": ";
  if (record.planned) {
    const Choice &choice = record.planned->choice;
    os << record.planned->key.str() << ": " << choice.strategy << ", cost "
       << choice.plan.getCost() << '\n';
  } else {
    os << record.direct << ", " << record.target << ": "
       << (record.reason.empty() ? "no plan, lowered directly" : record.reason)
       << '\n';
  }
  os << "  kernel " << record.kernel;
  if (std::string part = record.describePart(); !part.empty())
    os << ", " << part;
  if (record.times != 1)
    os << ", " << record.times << " times";
  os << '\n';
  if (record.planned)
    explainPlan(os, *record.planned);
  if (record.group)
    for (const GroupStep &step : record.group->steps)
      os << "  " << step.text << '\n';
}
