//===- Collectives.cpp - Collectives of a group ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operands of a group's threads are gathered in a table, in rank order, the
// results are computed there as the semantics say, and given back. Rows of the
// operands: the values, then those of rank 0 or to fill with, then the index.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

/// The lanes of each group that has lanes here.
static llvm::SmallVector<uint64_t, 64>
getGroups(const GroupInfo &group, uint64_t active, uint64_t existing,
          const uint64_t *members, unsigned width) {
  llvm::SmallVector<uint64_t, 64> groups;
  if (group.isMembers()) {
    for (uint64_t left = active; left; left &= ~groups.back())
      groups.push_back(members[std::countr_zero(left)]);
    return groups;
  }
  unsigned size = group.tileSize ? group.tileSize : width;
  for (unsigned first = 0; first < width; first += size) {
    uint64_t lanes = llvm::maskTrailingOnes<uint64_t>(size) << first & existing;
    if (lanes & active)
      groups.push_back(lanes);
  }
  return groups;
}

bool Machine::reportDivergence(Warp &warp, const Inst &inst, uint64_t lanes) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  unsigned lane = std::countr_zero(lanes & ~warp.active());
  fault(FaultKind::Divergence, inst, warp,
        std::countr_zero(warp.active() & lanes),
        info.name + " is not reached by every thread of the " +
            info.group.str());
  addNote(kernel.places[inst.place].place,
          describeThread(*warp.block, threadOf(warp, lane)) +
              (warp.returned >> lane & 1 ? " has left the kernel"
                                         : " took another path"));
  return false;
}

bool Machine::warpCollective(Warp &warp, const Inst &inst) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  llvm::SmallVector<Member, 64> members;
  for (uint64_t lanes : getGroups(info.group, warp.active(), warp.existing,
                                  row(warp, info.group.members), width)) {
    if (lanes & ~warp.active())
      return reportDivergence(warp, inst, lanes);
    members.clear();
    forEachLane(lanes,
                [&](unsigned lane) { members.push_back({&warp, lane}); });
    if (!exchange(members, inst))
      return false;
  }
  return true;
}

bool Machine::exchange(llvm::ArrayRef<Member> members, const Inst &inst) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  if (info.kind == CollectiveKind::Sync) {
    sync(members, info.group);
    return true;
  }
  if (info.kind == CollectiveKind::Meet)
    return true;
  if (info.kind == CollectiveKind::Arrive || info.kind == CollectiveKind::Wait)
    return splitTile(members, inst);
  std::vector<Slot> operands = info.values;
  operands.insert(operands.end(), info.extras.begin(), info.extras.end());
  if (info.index)
    operands.push_back(*info.index);
  Table in(operands.size(), members.size());
  Table out(info.results.size(), members.size());
  for (size_t i = 0; i != operands.size(); ++i)
    for (auto [rank, member] : llvm::enumerate(members))
      in[i][rank] = row(*member.warp, operands[i])[member.lane];
  if (!compute(members, inst, in, out))
    return false;
  for (size_t i = 0; i != info.results.size(); ++i)
    for (auto [rank, member] : llvm::enumerate(members))
      row(*member.warp, info.results[i])[member.lane] = out[i][rank];
  return true;
}

void Machine::sync(llvm::ArrayRef<Member> members, const GroupInfo &group) {
  if (group.isOfBlocks()) {
    for (size_t i = 0; i < members.size(); i += kernel.getBlockSize())
      members[i].warp->block->clock.syncBlock();
    return;
  }
  SyncClock &clock = members.front().warp->block->clock;
  if (group.isBlock())
    return clock.syncBlock();
  if (group.isMembers())
    return clock.syncThreads(
        llvm::map_to_vector<64>(members, [this](const Member &member) {
          return threadOf(*member.warp, member.lane);
        }));
  if (group.isWarps()) {
    uint32_t when = clock.arrive();
    unsigned first = group.first / width;
    unsigned end = llvm::divideCeil(group.first + group.tileSize, width);
    for (unsigned warp = first; warp != end; ++warp)
      for (unsigned other = first; other != end; ++other)
        clock.waitWarp(warp, other, when);
    return;
  }
  unsigned size = group.tileSize ? group.tileSize : width;
  clock.syncTile(threadOf(*members.front().warp, members.front().lane), size);
}

/// Whether two ranks have the same bits.
static bool haveSameBits(const Table &table, unsigned a, unsigned b) {
  for (size_t i = 0; i != table.getRows(); ++i)
    if (table[i][a] != table[i][b])
      return false;
  return true;
}

/// Whether `a` goes before `b`: less for a minimum, greater for a maximum. A
/// NaN goes after every number; zeros are equal.
static bool goesBefore(const CollectiveInfo &info, uint64_t a, uint64_t b) {
  unsigned bits = getBitWidth(info.argType);
  switch (info.argKind) {
  case ir::CombineKind::SMin:
    return llvm::SignExtend64(a, bits) < llvm::SignExtend64(b, bits);
  case ir::CombineKind::SMax:
    return llvm::SignExtend64(a, bits) > llvm::SignExtend64(b, bits);
  case ir::CombineKind::UMin:
    return a < b;
  case ir::CombineKind::UMax:
    return a > b;
  default:
    break;
  }
  double x = toDouble(a, info.argType), y = toDouble(b, info.argType);
  if (std::isnan(x) || std::isnan(y))
    return !std::isnan(x) && std::isnan(y);
  return info.argKind == ir::CombineKind::MinNum ? x < y : x > y;
}

/// The value that goes first and the lowest rank that has it.
static void argReduce(const CollectiveInfo &info, const Table &in, Table &out) {
  unsigned best = 0;
  for (unsigned rank = 1; rank != in.getRanks(); ++rank)
    if (goesBefore(info, in[0][rank], in[0][best]))
      best = rank;
  std::fill_n(out[0], in.getRanks(), in[0][best]);
  std::fill_n(out[1], in.getRanks(), best);
}

/// Votes about a condition: the first row.
static void vote(CollectiveKind kind, const Table &in, Table &out) {
  const uint64_t *holds = in[0];
  unsigned ranks = in.getRanks();
  uint64_t count = 0, mask = 0;
  for (unsigned rank = 0; rank != ranks; ++rank) {
    if (kind == CollectiveKind::RankAmong)
      out[0][rank] = count;
    count += holds[rank];
    if (rank < 64)
      mask |= holds[rank] << rank;
  }
  if (kind == CollectiveKind::Any)
    std::fill_n(out[0], ranks, count != 0);
  else if (kind == CollectiveKind::All)
    std::fill_n(out[0], ranks, count == ranks);
  else if (kind == CollectiveKind::Population)
    std::fill_n(out[0], ranks, count);
  else if (kind == CollectiveKind::Ballot)
    std::fill_n(out[0], ranks, mask);
}

/// A mask of the ranks with the same bits, for each rank of up to 64.
static void match(const Table &in, Table &out) {
  for (unsigned rank = 0; rank != in.getRanks(); ++rank)
    for (unsigned other = 0; other != in.getRanks(); ++other)
      out[0][rank] |= uint64_t(haveSameBits(in, rank, other)) << other;
}

/// The lanes with the same bits, for each member.
static void partition(llvm::ArrayRef<Member> members, const Table &in,
                      Table &out) {
  for (unsigned rank = 0; rank != in.getRanks(); ++rank)
    for (unsigned other = 0; other != in.getRanks(); ++other)
      out[0][rank] |= uint64_t(haveSameBits(in, rank, other))
                      << members[other].lane;
}

static void uniform(const Table &in, Table &out) {
  bool isUniform = true;
  for (unsigned rank = 1; rank != in.getRanks(); ++rank)
    isUniform &= haveSameBits(in, 0, rank);
  std::fill_n(out[0], in.getRanks(), isUniform);
}

bool Machine::compute(llvm::ArrayRef<Member> members, const Inst &inst,
                      const Table &in, Table &out) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  switch (info.kind) {
  case CollectiveKind::Reduce:
    return reduce(members, info, in, out);
  case CollectiveKind::Scan:
  case CollectiveKind::ExclusiveScan:
  case CollectiveKind::ScanTotal:
    return scan(members, info, in, out);
  case CollectiveKind::Broadcast:
    return broadcast(members, inst, in, out);
  case CollectiveKind::Shuffle:
    shuffle(members, info, in, out);
    return true;
  case CollectiveKind::ArgReduce:
    argReduce(info, in, out);
    return true;
  case CollectiveKind::Sort:
    sort(info, in, out);
    return true;
  case CollectiveKind::TopK:
    topK(info, in, out);
    return true;
  case CollectiveKind::Exchange:
    return exchangePlaces(members, inst, in, out);
  case CollectiveKind::Match:
    match(in, out);
    return true;
  case CollectiveKind::Partition:
    partition(members, in, out);
    return true;
  case CollectiveKind::Uniform:
    uniform(in, out);
    return true;
  case CollectiveKind::Elect:
    out[0][0] = 1;
    return true;
  default:
    vote(info.kind, in, out);
    return true;
  }
}

bool Machine::broadcast(llvm::ArrayRef<Member> members, const Inst &inst,
                        const Table &in, Table &out) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  const uint64_t *from = in[in.getRows() - 1];
  std::string what = info.name + " ";
  for (unsigned rank = 0; rank != members.size(); ++rank) {
    if (from[rank] != from[0])
      return fault(FaultKind::BadOperand, inst, *members[rank].warp,
                   members[rank].lane,
                   what + "from rank " + llvm::Twine(int32_t(from[rank])) +
                       ", but rank 0 of the group says " +
                       llvm::Twine(int32_t(from[0])));
    if (from[rank] >= members.size())
      return fault(FaultKind::BadOperand, inst, *members[rank].warp,
                   members[rank].lane,
                   what + "from rank " + llvm::Twine(int32_t(from[rank])) +
                       " of a group of " + llvm::Twine(members.size()));
  }
  for (size_t i = 0; i != info.values.size(); ++i)
    std::fill_n(out[i], members.size(), in[i][from[0]]);
  return true;
}

void Machine::shuffle(llvm::ArrayRef<Member> members,
                      const CollectiveInfo &info, const Table &in, Table &out) {
  int64_t ranks = members.size();
  size_t rows = info.values.size();
  for (int64_t rank = 0; rank != ranks; ++rank) {
    int64_t index = static_cast<int32_t>(in[in.getRows() - 1][rank]);
    int64_t source = index;
    switch (info.shuffle) {
    case ir::ShuffleKind::Idx:
      break;
    case ir::ShuffleKind::Up:
      source = rank - index;
      break;
    case ir::ShuffleKind::Down:
      source = rank + index;
      break;
    case ir::ShuffleKind::Xor:
      source = rank ^ index;
      break;
    case ir::ShuffleKind::Rotate:
      source = ((rank + index) % ranks + ranks) % ranks;
      break;
    }
    bool isInside = source >= 0 && source < ranks;
    size_t firstRow = isInside || info.extras.empty() ? 0 : rows;
    for (size_t i = 0; i != rows; ++i)
      out[i][rank] = in[firstRow + i][isInside ? source : rank];
  }
}
