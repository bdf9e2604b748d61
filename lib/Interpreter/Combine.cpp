//===- Combine.cpp - The combination orders of reduce and scan ------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the definitions: docs/semantics.md, "The combination order". A
// table holds one rank's values in each column, in the order of combination.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

static constexpr unsigned segmentSize = 32, rowSize = 16;

//===----------------------------------------------------------------------===//
// The operator
//===----------------------------------------------------------------------===//

bool Machine::combine(llvm::ArrayRef<Member> members,
                      const CollectiveInfo &info,
                      llvm::ArrayRef<CombineStep> steps, const Table &left,
                      const Table &right, Table &out) {
  if (steps.empty())
    return true;
  unsigned count = steps.size();
  Table lefts(left.getRows(), count), rights(right.getRows(), count),
      results(left.getRows(), count);
  for (size_t i = 0; i != left.getRows(); ++i)
    for (unsigned k = 0; k != count; ++k) {
      lefts[i][k] = left[i][steps[k].left];
      rights[i][k] = right[i][steps[k].right];
    }
  if (!info.combine.empty()) {
    for (size_t i = 0; i != left.getRows(); ++i)
      info.combine[i](results[i], lefts[i], rights[i], nullptr, count);
  } else {
    for (unsigned first = 0; first < count; first += width)
      if (!runCombiner(members, info, first, std::min(width, count - first),
                       lefts, rights, results))
        return false;
  }
  for (size_t i = 0; i != left.getRows(); ++i)
    for (unsigned k = 0; k != count; ++k)
      out[i][steps[k].out] = results[i][k];
  return true;
}

bool Machine::runCombiner(llvm::ArrayRef<Member> members,
                          const CollectiveInfo &info, unsigned first,
                          unsigned count, const Table &left, const Table &right,
                          Table &out) {
  Warp &owner = *members.front().warp;
  unsigned lane = members.front().lane;
  Warp &scratch = owner.block->scratch;
  scratch.firstThread = owner.firstThread + lane;
  scratch.index = owner.index;
  scratch.existing = scratch.active() = llvm::maskTrailingOnes<uint64_t>(count);
  scratch.returned = 0;
  for (const Capture &capture : info.captures) {
    for (unsigned i = 0; i != capture.count; ++i)
      std::fill_n(row(scratch, capture.slot + i), width,
                  row(owner, capture.slot + i)[lane]);
    if (capture.assigned)
      scratch.masks[*capture.assigned] =
          owner.masks[*capture.assigned] >> lane & 1 ? ~uint64_t(0) : 0;
  }
  for (size_t i = 0; i != info.left.size(); ++i) {
    std::copy_n(left[i] + first, count, row(scratch, info.left[i]));
    std::copy_n(right[i] + first, count, row(scratch, info.right[i]));
  }
  scratch.pc = info.combiner;
  scratch.executed = 0;
  scratch.state = Warp::State::Running;
  while (scratch.state == Warp::State::Running)
    if (!execute(scratch, 1024) || !checkLimit(scratch))
      return false;
  result.statistics.instructions += scratch.executed;
  for (size_t i = 0; i != info.combined.size(); ++i)
    std::copy_n(row(scratch, info.combined[i]), count, out[i] + first);
  return true;
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

/// Ranks of a part of the group: a block's, where it has several.
static unsigned getPartSize(const CollectiveInfo &info, unsigned ranks,
                            unsigned blockSize) {
  return info.group.isOfBlocks() ? blockSize : ranks;
}

/// Columns of a table.
static Table getColumns(const Table &table, unsigned first, unsigned count) {
  Table part(table.getRows(), count);
  for (size_t i = 0; i != table.getRows(); ++i)
    std::copy_n(table[i] + first, count, part[i]);
  return part;
}

static void setColumns(Table &table, unsigned first, const Table &part) {
  for (size_t i = 0; i != part.getRows(); ++i)
    std::copy_n(part[i], part.getRanks(), table[i] + first);
}

bool Machine::reduce(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                     const Table &in, Table &out) {
  unsigned size = getPartSize(info, in.getRanks(), kernel.getBlockSize());
  Table results(in.getRows(), in.getRanks() / size);
  for (unsigned block = 0; block != results.getRanks(); ++block) {
    Table values = getColumns(in, block * size, size);
    if (!reduceTree(members, info, values))
      return false;
    setColumns(results, block, getColumns(values, 0, 1));
  }
  if (!reduceTree(members, info, results))
    return false;
  for (size_t i = 0; i != in.getRows(); ++i)
    std::fill_n(out[i], in.getRanks(), results[i][0]);
  return true;
}

/// Level k combines the aligned block of 2^k ranks below with the one above it.
bool Machine::reduceTree(llvm::ArrayRef<Member> members,
                         const CollectiveInfo &info, Table &values) {
  unsigned ranks = values.getRanks();
  for (unsigned distance = 1; distance < ranks; distance *= 2) {
    std::vector<CombineStep> steps;
    for (unsigned rank = 0; rank + distance < ranks; rank += 2 * distance)
      steps.push_back({rank, rank + distance, rank});
    if (!combine(members, info, steps, values, values, values))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

bool Machine::scanSegments(llvm::ArrayRef<Member> members,
                           const CollectiveInfo &info, Table &values) {
  unsigned ranks = values.getRanks();
  for (unsigned distance = 1; distance < rowSize; distance *= 2) {
    std::vector<CombineStep> steps;
    for (unsigned rank = 0; rank != ranks; ++rank)
      if (rank % rowSize >= distance)
        steps.push_back({rank - distance, rank, rank});
    if (!combine(members, info, steps, values, values, values))
      return false;
  }
  // The second row of each segment has the last value of the first on its left.
  std::vector<CombineStep> steps;
  for (unsigned rank = 0; rank != ranks; ++rank)
    if (rank % segmentSize >= rowSize)
      steps.push_back(
          {rank / segmentSize * segmentSize + rowSize - 1, rank, rank});
  return combine(members, info, steps, values, values, values);
}

std::optional<Table> Machine::scanTotals(llvm::ArrayRef<Member> members,
                                         const CollectiveInfo &info,
                                         const Table &values) {
  unsigned ranks = values.getRanks();
  unsigned segments = llvm::divideCeil(ranks, segmentSize);
  Table totals(values.getRows(), segments);
  for (size_t i = 0; i != values.getRows(); ++i)
    for (unsigned j = 0; j != segments; ++j)
      totals[i][j] = values[i][std::min((j + 1) * segmentSize, ranks) - 1];
  // A block has at most 32 segments: their last values are one segment.
  if (!scanSegments(members, info, totals))
    return std::nullopt;
  return totals;
}

bool Machine::addTotals(llvm::ArrayRef<Member> members,
                        const CollectiveInfo &info, const Table &totals,
                        Table &values, bool isExclusive) {
  Table own = values;
  std::vector<CombineStep> steps;
  for (unsigned rank = 0; rank != values.getRanks(); ++rank) {
    unsigned segment = rank / segmentSize;
    bool isFirst = rank % segmentSize == 0;
    if (isExclusive && rank != 0)
      for (size_t i = 0; i != values.getRows(); ++i)
        values[i][rank] = isFirst ? totals[i][segment - 1] : own[i][rank - 1];
    if (segment != 0 && !(isExclusive && isFirst))
      steps.push_back({segment - 1, rank, rank});
  }
  return combine(members, info, steps, totals, values, values);
}

/// The scan of one block alone; `total` gets P of its last segment.
bool Machine::scanBlock(llvm::ArrayRef<Member> members,
                        const CollectiveInfo &info, Table &values,
                        Table &total) {
  if (!scanSegments(members, info, values))
    return false;
  std::optional<Table> totals = scanTotals(members, info, values);
  bool isExclusive = info.kind != CollectiveKind::Scan;
  if (!totals || !addTotals(members, info, *totals, values, isExclusive))
    return false;
  total = getColumns(*totals, totals->getRanks() - 1, 1);
  return true;
}

/// Combines the totals of the blocks before, left to right, and puts them on
/// the left of a later block's results. `running` is what they are so far.
bool Machine::addBlock(llvm::ArrayRef<Member> members,
                       const CollectiveInfo &info, Table &running,
                       Table &values, const Table &total) {
  bool isExclusive = info.kind != CollectiveKind::Scan;
  std::vector<CombineStep> steps;
  for (unsigned rank = isExclusive; rank < values.getRanks(); ++rank)
    steps.push_back({0, rank, rank});
  if (!combine(members, info, steps, running, values, values))
    return false;
  if (isExclusive)
    setColumns(values, 0, running);
  return combine(members, info, {{0, 0, 0}}, running, total, running);
}

bool Machine::scan(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                   const Table &in, Table &out) {
  size_t rows = info.values.size();
  unsigned ranks = in.getRanks();
  // A reverse scan is the scan of the ranks in reverse.
  auto at = [&](unsigned rank) {
    return info.isReverse ? ranks - 1 - rank : rank;
  };
  Table values(rows, ranks);
  for (size_t i = 0; i != rows; ++i)
    for (unsigned rank = 0; rank != ranks; ++rank)
      values[i][rank] = in[i][at(rank)];
  unsigned size = getPartSize(info, ranks, kernel.getBlockSize());
  Table running(rows, 1);
  for (unsigned first = 0; first != ranks; first += size) {
    Table part = getColumns(values, first, size), total(rows, 1);
    if (!scanBlock(members, info, part, total))
      return false;
    if (first == 0)
      running = total;
    else if (!addBlock(members, info, running, part, total))
      return false;
    setColumns(values, first, part);
  }
  bool isExclusive = info.kind != CollectiveKind::Scan;
  if (isExclusive)
    for (size_t i = 0; i != rows; ++i)
      values[i][0] = in[info.extras.empty() ? i : rows + i][at(0)];
  for (size_t i = 0; i != rows; ++i)
    for (unsigned rank = 0; rank != ranks; ++rank)
      out[i][at(rank)] = values[i][rank];
  if (info.kind == CollectiveKind::ScanTotal)
    for (size_t i = 0; i != rows; ++i)
      std::fill_n(out[rows + i], ranks, running[i][0]);
  return true;
}
