//===- BlockNotes.cpp - What BlockExpander tells people -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockExpander.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

Readers BlockExpander::getReaders(Operation *site) {
  if (auto reduce = dyn_cast<ReduceOp>(site))
    return reduce.getReaders();
  if (auto scan = dyn_cast<ScanTotalOp>(site))
    return scan.getReaders();
  return Readers::All;
}

StringRef BlockExpander::describeReaders(Operation *site) {
  switch (getReaders(site)) {
  case Readers::First:
    return "rank 0";
  case Readers::FirstWarp:
    return "the first warp";
  case Readers::All:
  case Readers::Last:
    return "every thread";
  }
  llvm_unreachable("all readers are handled");
}

/// What combineWarps does with the warps' results.
void BlockExpander::noteCombination(Operation *site, const Combiner &combiner,
                                    bool inLanes) {
  bool isForFirst = getReaders(site) == Readers::First ||
                    getReaders(site) == Readers::FirstWarp;
  std::string text;
  if (inLanes)
    text =
        (Twine(isForFirst ? "the first warp" : "each warp") + " loads the " +
         Twine(numWarps) + " results, one a lane, and combines them in lanes: ")
            .str();
  else
    text = (describeReaders(site) + " loads the " + Twine(numWarps) +
            " results and combines them, by a tree in the order of the warps: ")
               .str();
  notes.read(text + describeOperator(combiner), [&](unsigned reader, unsigned) {
    return reader == 0 || !isForFirst;
  });
}

/// What reduceRows does before the barrier.
void BlockExpander::noteRows() {
  notes.setUnits("row of 16", groupSize / rowSize);
  notes.inside("each row of 16 ranks: " + notes.getName() + " over tile(16)");
  notes.store("the first rank of each row stores its result");
}

/// What it does then, where each lane loads `perLane` results.
void BlockExpander::noteRowCombination(Operation *site,
                                       const Combiner &combiner,
                                       unsigned perLane) {
  bool isForFirst = getReaders(site) == Readers::First ||
                    getReaders(site) == Readers::FirstWarp;
  std::string many = perLane == 1 ? "one" : std::to_string(perLane);
  notes.read(
      (isForFirst ? "the first warp" : "each row") +
          Twine(" loads all results, ") + many +
          " a lane, and combines them in lanes: " + describeOperator(combiner),
      [&](unsigned reader, unsigned) {
        return !isForFirst || reader * 16 < warpSize;
      });
}

std::string BlockExpander::describeSegment() const {
  return describeGroup(segmentGroup);
}

void BlockExpander::noteSegments(StringRef what) {
  notes.setUnits(warpSize == 32 ? "warp" : "segment of 32", numSegments);
  notes.inside("each segment of 32 ranks: " + what + " over " +
               describeSegment());
}

void BlockExpander::noteTotals() {
  notes.store("the last rank of each segment stores its result");
}

/// A vote that NVIDIA's barrier of the block carries out.
void BlockExpander::noteVote(Operation *site) {
  notes.barrier("barrier of the block, which reduces the predicates of all "
                "threads: " +
                notes.getName());
}
