//===- DrawGroupPlan.cpp - Warps or blocks together as a picture ----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of dots for each step but barriers, a dot for each unit; a bar between
// two rows is a barrier. Lines join a dot to those that its value comes from:
// the unit's own, light ones, and what was stored last, dark ones.
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "coll/Plan/Describe.h"
#include "llvm/Support/ErrorHandling.h"

using namespace coll;
using namespace coll::svg;
using llvm::raw_ostream;

/// In pixels.
static constexpr unsigned unitWidth = 24;

namespace {
class GroupPicture {
public:
  GroupPicture(raw_ostream &os, TextExtent &extent, const GroupPlan &plan)
      : os(os), extent(extent), plan(plan) {}

  void draw();

private:
  unsigned getX(unsigned unit) const { return leftMargin + unit * unitWidth; }
  void drawLabel(llvm::StringRef text);
  void drawUnitNumbers();
  void drawDots(const GroupStep &step);
  void drawLines(const GroupStep &step);
  void drawBarrier(const GroupStep &step);
  void drawStep(const GroupStep &step);

  raw_ostream &os;
  TextExtent &extent;
  std::string dotsText; ///< Goes over all lines.
  const GroupPlan &plan;
  unsigned y = topMargin;        ///< Of the row that is drawn.
  unsigned previous = topMargin; ///< Of the row before.
  unsigned stored = topMargin;   ///< Of what was stored last.
};
} // namespace

void GroupPicture::drawLabel(llvm::StringRef text) {
  os << "<text x='" << getX(plan.numUnits) << "' y='" << y + 4 << "'>";
  printEscaped(os, text);
  os << "</text>\n";
  extent.addLabel(getX(plan.numUnits), text);
}

void GroupPicture::drawUnitNumbers() {
  for (unsigned unit = 0; unit != plan.numUnits; ++unit)
    os << "<text class='lane' x='" << getX(unit) << "' y='" << y - 12 << "'>"
       << unit << "</text>\n";
}

static llvm::StringRef getDot(const GroupStep &step, unsigned unit) {
  switch (step.kind) {
  case GroupStep::Kind::Inside:
    return "combine";
  case GroupStep::Kind::Store:
    return step.sources[unit].empty() ? "absent" : "take";
  case GroupStep::Kind::Read:
    return step.sources[unit].empty() ? "same" : "combine";
  case GroupStep::Kind::Barrier:
    break;
  }
  llvm_unreachable("a barrier has no dots");
}

void GroupPicture::drawDots(const GroupStep &step) {
  llvm::raw_string_ostream text(dotsText);
  for (unsigned unit = 0; unit != plan.numUnits; ++unit)
    text << "<circle class='" << getDot(step, unit) << "' cx='" << getX(unit)
         << "' cy='" << y << "' r='4'/>\n";
}

void GroupPicture::drawLines(const GroupStep &step) {
  bool isRead = step.kind == GroupStep::Kind::Read;
  os << "<path class='own' d='";
  for (unsigned unit = 0; unit != plan.numUnits; ++unit)
    os << 'M' << getX(unit) << ' ' << previous << 'V' << y;
  os << "'/>\n";
  if (!isRead)
    return;
  os << "<path class='read' d='";
  for (unsigned unit = 0; unit != plan.numUnits; ++unit)
    for (unsigned source : step.sources[unit])
      os << 'M' << getX(source) << ' ' << stored << 'L' << getX(unit) << ' '
         << y;
  os << "'/>\n";
}

void GroupPicture::drawBarrier(const GroupStep &step) {
  os << "<rect class='bar' x='" << leftMargin - 6 << "' y='" << y - 5
     << "' width='" << (plan.numUnits - 1) * unitWidth + 12
     << "' height='10' rx='5'/>\n";
  drawLabel(step.text);
}

void GroupPicture::drawStep(const GroupStep &step) {
  y += rowHeight;
  if (step.kind == GroupStep::Kind::Barrier)
    return drawBarrier(step);
  drawLines(step);
  drawDots(step);
  drawLabel(step.text);
  previous = y;
  if (step.kind == GroupStep::Kind::Store)
    stored = y;
}

void GroupPicture::draw() {
  drawUnitNumbers();
  llvm::raw_string_ostream text(dotsText);
  for (unsigned unit = 0; unit != plan.numUnits; ++unit)
    text << "<circle class='same' cx='" << getX(unit) << "' cy='" << y
         << "' r='4'/>\n";
  drawLabel("the values of each " + plan.unit);
  for (const GroupStep &step : plan.steps)
    drawStep(step);
  os << dotsText;
}

void coll::drawGroupPlan(raw_ostream &os, const CollectiveRecord &record) {
  const GroupPlan &plan = *record.group;
  unsigned height = topMargin + (plan.steps.size() + 1) * rowHeight;
  std::string title =
      record.direct + ", " + record.target + ": " + record.reason;
  if (plan.isExample)
    title +=
        " (drawn for " + std::to_string(plan.numUnits) + " " + plan.unit + "s)";
  TextExtent extent;
  std::string body;
  llvm::raw_string_ostream bodyStream(body);
  printTitle(bodyStream, extent, titleHeight, title);
  GroupPicture(bodyStream, extent, plan).draw();
  printHeader(os, extent.getRight() + rightMargin, height);
  os << body << "</svg>\n";
}
