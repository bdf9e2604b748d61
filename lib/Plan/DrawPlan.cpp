//===- DrawPlan.cpp - Plans as SVG pictures -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of dots for each value, the lane's own element first. The values that a
// dot is made of are joined to it: lanes that it reads by dark lines, what it
// combines with them by light ones, and what it keeps by dashes. Instructions
// that read all lanes of a group have a bar over those lanes.
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "coll/Plan/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;
using namespace coll::svg;
using llvm::raw_ostream;

/// In pixels.
static constexpr unsigned laneWidth = 16;

void svg::printEscaped(raw_ostream &os, llvm::StringRef text) {
  for (char c : text)
    if (c == '<')
      os << "&lt;";
    else if (c == '>')
      os << "&gt;";
    else if (c == '&')
      os << "&amp;";
    else
      os << c;
}

void svg::printTitle(raw_ostream &os, TextExtent &extent, unsigned y,
                     llvm::StringRef title) {
  os << "<text class='title' x='" << titleLeft << "' y='" << y << "'>";
  printEscaped(os, title);
  os << "</text>\n";
  extent.addTitle(titleLeft, title);
}

void svg::printHeader(raw_ostream &os, unsigned width, unsigned height) {
  os << "<svg xmlns='http://www.w3.org/2000/svg' width='" << width
     << "' height='" << height << "'>\n"
     << styleSheet << "<rect width='100%' height='100%' fill='#fff'/>\n";
}

namespace {
/// How a dot is drawn.
enum class Dot {
  Same,    ///< A constant, the lane's own value, or what is computed from it.
  Take,    ///< What is read from a lane.
  Combine, ///< A combination.
};

/// The picture of one kind of warp.
class WarpPicture {
public:
  WarpPicture(raw_ostream &os, TextExtent &extent,
              const PlannedCollective &planned, const WarpShape &warp,
              unsigned top)
      : os(os), extent(extent), key(planned.key), plan(planned.choice.plan),
        warp(warp), top(top) {}

  void draw();

private:
  unsigned getX(unsigned lane) const { return leftMargin + lane * laneWidth; }
  unsigned getY(PlanValue value) const { return top + value * rowHeight; }
  void drawLaneNumbers();
  void drawLabel(PlanValue value, llvm::StringRef first,
                 llvm::StringRef second = "");
  void drawDots(PlanValue value, llvm::ArrayRef<Dot> dots);
  /// Lines from lanes of `from` to lanes of `to`.
  void drawLines(llvm::StringRef kind, PlanValue from, PlanValue to,
                 llvm::ArrayRef<std::optional<unsigned>> sources);
  void drawStep(size_t index);
  void drawMoveOrCombine(const Step &step, PlanValue result);
  void drawGroups(const Step &step, PlanValue result, uint64_t lanes);
  void drawLocal(const Step &step, PlanValue result);
  void drawRow(PlanValue value, Dot dot) {
    drawDots(value, llvm::SmallVector<Dot>(warp.presentLanes, dot));
  }

  raw_ostream &os;
  TextExtent &extent;
  std::string dotsText; ///< Goes over all lines.
  const PlanKey &key;
  const Plan &plan;
  WarpShape warp;
  unsigned top; ///< The y of the first row.
};
} // namespace

void WarpPicture::drawLaneNumbers() {
  for (unsigned lane = 0; lane < warp.size; ++lane)
    os << "<text class='lane' x='" << getX(lane) << "' y='" << top - 12 << "'>"
       << lane << "</text>\n";
}

void WarpPicture::drawLabel(PlanValue value, llvm::StringRef first,
                            llvm::StringRef second) {
  unsigned y = getY(value), right = getX(warp.size);
  os << "<text x='8' y='" << y + 4 << "'>v" << value << "</text>\n";
  os << "<text x='" << right << "' y='" << y << "'>";
  printEscaped(os, first);
  os << "</text>\n";
  extent.addLabel(right, first);
  if (second.empty())
    return;
  extent.addLabel(right, second);
  os << "<text x='" << right << "' y='" << y + 14 << "'>";
  printEscaped(os, second);
  os << "</text>\n";
}

void WarpPicture::drawDots(PlanValue value, llvm::ArrayRef<Dot> dots) {
  llvm::raw_string_ostream text(dotsText);
  constexpr llvm::StringRef kinds[] = {"same", "take", "combine"};
  for (unsigned lane = 0; lane < warp.size; ++lane) {
    bool isPresent = lane < warp.presentLanes;
    text << "<circle class='"
         << (isPresent ? kinds[static_cast<unsigned>(dots[lane])]
                       : llvm::StringRef("absent"))
         << "' cx='" << getX(lane) << "' cy='" << getY(value) << "' r='4'/>\n";
  }
}

void WarpPicture::drawLines(llvm::StringRef kind, PlanValue from, PlanValue to,
                            llvm::ArrayRef<std::optional<unsigned>> sources) {
  if (from == noValue ||
      llvm::none_of(sources, [](auto source) { return source.has_value(); }))
    return;
  os << "<path class='" << kind << "' d='";
  for (const auto &[lane, source] : llvm::enumerate(sources))
    if (source)
      os << 'M' << getX(*source) << ' ' << getY(from) << 'L' << getX(lane)
         << ' ' << getY(to);
  os << "'/>\n";
}

void WarpPicture::drawMoveOrCombine(const Step &step, PlanValue result) {
  using Sources = llvm::SmallVector<std::optional<unsigned>, 64>;
  llvm::SmallVector<LaneRead, 64> reads = findReads(step, warp);
  bool isCombine = step.kind == StepKind::Combine;
  Sources read(reads.size()), own(reads.size()), kept(reads.size()),
      filled(reads.size());
  llvm::SmallVector<Dot, 64> dots(reads.size(), Dot::Same);
  for (const auto &[lane, from] : llvm::enumerate(reads)) {
    if (!from.isWanted) {
      kept[lane] = lane;
      continue;
    }
    if (from.readsLane())
      read[lane] = from.source.lane;
    else if (from.source.kind == LaneSource::Old)
      filled[lane] = lane;
    if (isCombine)
      own[lane] = lane;
    if (isCombine)
      dots[lane] = Dot::Combine;
    else if (from.readsLane())
      dots[lane] = Dot::Take;
  }
  drawLines("own", step.own, result, own);
  drawLines("keep", step.otherwise, result, kept);
  drawLines("keep", step.old, result, filled);
  drawLines("read", step.source, result, read);
  drawDots(result, dots);
}

/// Every lane reads all of `lanes` in its group.
void WarpPicture::drawGroups(const Step &step, PlanValue result,
                             uint64_t lanes) {
  llvm::SmallVector<std::optional<unsigned>, 64> read(warp.presentLanes);
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane)
    read[lane] = lane;
  drawLines("read", step.source, result, read);
  unsigned y = (getY(step.source) + getY(result)) / 2;
  for (unsigned first = 0; first < warp.presentLanes; first += key.groupSize) {
    uint64_t group = getLowLanes(key.groupSize) << first & lanes;
    if (group == 0)
      continue;
    unsigned last = 63 - llvm::countl_zero(group);
    os << "<rect class='bar' x='" << getX(first) - 6 << "' y='" << y - 5
       << "' width='" << (last - first) * laneWidth + 12
       << "' height='10' rx='5'/>\n";
  }
  drawRow(result, Dot::Combine);
}

/// Something that a lane does for itself.
void WarpPicture::drawLocal(const Step &step, PlanValue result) {
  llvm::SmallVector<std::optional<unsigned>, 64> own(warp.presentLanes);
  for (unsigned lane = 0; lane < warp.presentLanes; ++lane)
    own[lane] = lane;
  drawLines("own", step.source, result, own);
  drawLines("own", step.own, result, own);
  drawRow(result, Dot::Same);
}

/// The instruction, and what is combined.
static std::string getCaption(const PlanKey &key, const Step &step) {
  switch (step.kind) {
  case StepKind::Identity:
    return "identity";
  case StepKind::Neutral:
    return "neutral value";
  case StepKind::Move:
    return step.move.str();
  case StepKind::Combine:
    return step.move.str() + ", " + describeOperator(key.op);
  case StepKind::Redux:
    return (key.target.isAMD() ? "reduces of words, " : "redux.sync, ") +
           describeOperator(key.op);
  case StepKind::Vote:
    return (step.ranks == VoteRanks::All ? "vote, "
            : step.ranks == VoteRanks::UpToOwn
                ? "vote of the lanes up to i, "
                : "vote of the lanes below i, ") +
           describeOperator(key.op);
  case StepKind::Remove:
    return "taken away again";
  case StepKind::Encode:
    return "encoded";
  case StepKind::Decode:
    return "decoded";
  case StepKind::Numbers:
    return "each number by itself, " + describeOperator(key.op);
  }
  return "";
}

void WarpPicture::drawStep(size_t index) {
  const Step &step = plan.getSteps()[index];
  PlanValue result = plan.getStepValue(index);
  switch (step.kind) {
  case StepKind::Identity:
  case StepKind::Neutral:
  case StepKind::Remove:
  case StepKind::Encode:
  case StepKind::Decode:
    drawLocal(step, result);
    break;
  case StepKind::Move:
  case StepKind::Combine:
    drawMoveOrCombine(step, result);
    break;
  case StepKind::Redux:
  case StepKind::Vote:
  case StepKind::Numbers:
    drawGroups(step, result, getLowLanes(warp.presentLanes));
    break;
  }
  drawLabel(result, getCaption(key, step), "cost " + std::to_string(step.cost));
}

void WarpPicture::draw() {
  drawLaneNumbers();
  drawRow(Plan::getInput(), Dot::Same);
  drawLabel(Plan::getInput(), "own value");
  if (plan.getInit() != noValue) {
    drawRow(plan.getInit(), Dot::Same);
    drawLabel(plan.getInit(), "init");
  }
  for (size_t index = 0; index < plan.getSteps().size(); ++index)
    drawStep(index);
  os << dotsText;
}

void coll::drawPlan(raw_ostream &os, const PlannedCollective &planned) {
  const Plan &plan = planned.choice.plan;
  llvm::SmallVector<WarpShape, 2> warps = getWarps(planned.key);
  unsigned height = topMargin + plan.getNumValues() * rowHeight;
  TextExtent extent;
  std::string body;
  llvm::raw_string_ostream bodyStream(body);
  for (const auto &[index, warp] : llvm::enumerate(warps)) {
    unsigned top = height * index;
    std::string title = planned.key.str() + ": " +
                        planned.choice.strategy.str() + ", cost " +
                        std::to_string(plan.getCost());
    if (index != 0)
      title += " (the last warp)";
    printTitle(bodyStream, extent, top + titleHeight, title);
    WarpPicture(bodyStream, extent, planned, warp, top + topMargin).draw();
  }
  printHeader(os, extent.getRight() + rightMargin, height * warps.size());
  os << body << "</svg>\n";
}
