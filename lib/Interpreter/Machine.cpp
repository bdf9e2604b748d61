//===- Machine.cpp - Blocks and warps in turns ----------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::ref;

// Instructions that a warp executes before the next one has its turn, and on to
// the end of a loop's trip.
static constexpr unsigned turnLength = 512;

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

void Machine::prepare(Block &block) {
  unsigned threads = kernel.getBlockSize();
  block.warps.resize(llvm::divideCeil(threads, width));
  block.shareds.resize(kernel.shareds.size());
  auto prepareWarp = [&](Warp &warp) {
    warp.block = &block;
    warp.slots.assign(size_t(kernel.slotCount) * width, 0);
    warp.masks.assign(kernel.maskCount, 0);
    for (auto [slot, bits] : kernel.constants)
      std::fill_n(row(warp, slot), width, bits);
  };
  for (auto [index, warp] : llvm::enumerate(block.warps)) {
    warp.index = index;
    warp.firstThread = index * width;
    warp.existing = llvm::maskTrailingOnes<uint64_t>(
        std::min(width, threads - warp.firstThread));
    prepareWarp(warp);
  }
  if (kernel.hasCombiner) {
    block.scratch.isScratch = true;
    prepareWarp(block.scratch);
  }
  size_t frames = threads + (kernel.hasCombiner ? width : 0);
  block.frames.assign(frames * kernel.frameSize, 0);
  block.framesWritten.assign(frames * kernel.frameSize, 0);
}

void Machine::startWarp(Warp &warp) {
  warp.active() = warp.existing;
  warp.returned = 0;
  warp.pc = 0;
  warp.executed = 0;
  warp.state = Warp::State::Running;
  warp.laneWaits.reset();
  warp.loops = warp.notedLoops = CodeRange();
  for (auto [i, extent] : llvm::enumerate(kernel.extentSlots))
    std::fill_n(row(warp, extent), width,
                arguments[kernel.params.size() + i].bits);
  for (auto [i, param] : llvm::enumerate(kernel.params)) {
    if (!param.isView) {
      uint64_t bits = arguments[i].bits;
      if (param.type == Scalar::I1)
        bits = (bits & 0xff) != 0;
      std::fill_n(
          row(warp, param.slot), width,
          bits & llvm::maskTrailingOnes<uint64_t>(getBitWidth(param.type)));
      continue;
    }
    std::fill_n(row(warp, param.slot), width, i);
    std::fill_n(row(warp, param.slot + 1), width, 0);
    uint64_t stride = param.view.elementSize;
    for (unsigned d = param.dims.size(); d-- != 0;) {
      int64_t dim = param.dims[d];
      uint64_t extent =
          dim >= 0 ? dim : arguments[kernel.params.size() + (-1 - dim)].bits;
      std::fill_n(row(warp, param.slot + 2 + 2 * d), width, extent);
      std::fill_n(row(warp, param.slot + 3 + 2 * d), width, stride);
      bool isRow = d + 1 == param.dims.size() && param.pitch >= 0;
      stride *=
          isRow ? arguments[kernel.params.size() + param.pitch].bits : extent;
    }
  }
}

void Machine::start(Block &block, uint64_t number) {
  ++changes;
  block.number = number;
  block.isDone = false;
  block.id = {number % grid[0], number / grid[0] % grid[1],
              number / grid[0] / grid[1]};
  block.clock.reset(kernel.getBlockSize(), width);
  block.split.reset(kernel.getBlockSize(), block.warps.size());
  for (SharedMemory &memory : block.shareds)
    memory.destroy();
  for (Warp &warp : block.warps)
    startWarp(warp);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

uint64_t Machine::getGangSize() const {
  return kernel.isCooperative ? grid[0] * grid[1] * grid[2] : kernel.cluster;
}

void Machine::startGang(Gang &gang, uint64_t first) {
  for (std::unique_ptr<Block> &block : gang.blocks)
    start(*block, first++);
}

LaunchResult Machine::run() {
  uint64_t total = grid[0] * grid[1] * grid[2], next = 0;
  uint64_t size = getGangSize();
  uint64_t most = std::max<uint64_t>(options.residentBlocks / size, 1);
  for (; next != total && resident.size() != most; next += size) {
    auto &gang = resident.emplace_back(std::make_unique<Gang>());
    for (uint64_t i = 0; i != size; ++i) {
      auto &block = gang->blocks.emplace_back(std::make_unique<Block>());
      block->gang = gang.get();
      prepare(*block);
    }
    startGang(*gang, next);
  }
  while (!resident.empty() && !result.fault) {
    for (size_t i = 0; i != resident.size() && !result.fault;) {
      Gang &gang = *resident[i];
      if (!stepGang(gang)) {
        ++i;
        continue;
      }
      if (result.fault)
        break;
      result.statistics.blocks += size;
      if (next != total) {
        startGang(gang, next);
        next += size;
      } else {
        resident.erase(resident.begin() + i);
      }
    }
    waitingBlocks = total - next;
    if (!result.fault)
      checkProgress();
  }
  return std::move(result);
}

bool Machine::stepGang(Gang &gang) {
  bool isDone = true;
  for (std::unique_ptr<Block> &block : gang.blocks) {
    if (!block->isDone)
      block->isDone = stepBlock(*block);
    if (result.fault)
      return true;
    isDone &= block->isDone;
  }
  bool hasGroups = kernel.isCooperative || kernel.cluster > 1;
  return isDone || (hasGroups && !meetBlocks(gang));
}

bool Machine::checkLimit(Warp &warp) {
  if (warp.executed < options.instructionLimit)
    return true;
  const Inst &inst = kernel.code[warp.pc];
  unsigned lane = warp.active() ? std::countr_zero(warp.active()) : 0;
  bool othersWait = warp.existing & ~warp.returned & ~warp.active();
  return fault(FaultKind::NoEnd, inst, warp, lane,
               "did not end within " + llvm::Twine(options.instructionLimit) +
                   " instructions of its warp" +
                   (othersWait ? "; threads of its warp that went another way "
                                 "go on only after it"
                               : ""));
}

bool Machine::stepBlock(Block &block) {
  bool isDone = true;
  for (Warp &warp : block.warps) {
    if (warp.state == Warp::State::Running) {
      uint64_t before = warp.executed;
      if (!execute(warp, turnLength))
        return true;
      result.statistics.instructions += warp.executed - before;
      if (warp.state == Warp::State::Running && !checkLimit(warp))
        return true;
    }
    isDone &= warp.state == Warp::State::Done;
  }
  if (isDone)
    return true;
  return !meet(block);
}

/// Carries out the collectives of which all warps are there. False: a fault.
bool Machine::meet(Block &block) {
  for (Warp &warp : block.warps)
    if (warp.state == Warp::State::Waiting && !getGroup(warp).isOfBlocks() &&
        !meetGroup(warp))
      return false;
  return checkWarps(block);
}

/// A fault where warps of the block wait for each other in a ring: false. A
/// ring with one that waits for other blocks too has two that wait for each
/// other, which meetGroup finds.
bool Machine::checkWarps(Block &block) {
  llvm::SmallVector<const Warp *, 32> stuck;
  for (const Warp &warp : block.warps)
    if (warp.state == Warp::State::Waiting && !getGroup(warp).isOfBlocks())
      stuck.push_back(&warp);
  auto findAwaited = [&](const Warp *warp) {
    return llvm::find_if(
        stuck, [&](const Warp *other) { return isWaitingFor(*warp, *other); });
  };
  // Who waits for none of them may go on, and then who waits for it may.
  for (size_t before = stuck.size() + 1; stuck.size() != before;) {
    before = stuck.size();
    llvm::SmallVector<const Warp *, 32> left;
    llvm::copy_if(stuck, std::back_inserter(left), [&](const Warp *warp) {
      return findAwaited(warp) != stuck.end();
    });
    stuck = std::move(left);
  }
  if (stuck.empty())
    return true;
  reportMissing(*stuck.front(), **findAwaited(stuck.front()));
  return false;
}

/// The same for collectives of several blocks: one look a group is enough.
bool Machine::meetBlocks(Gang &gang) {
  std::optional<uint64_t> seen; // The cluster, or any for the grid.
  for (std::unique_ptr<Block> &block : gang.blocks)
    for (Warp &warp : block->warps) {
      if (warp.state != Warp::State::Waiting || !getGroup(warp).isOfBlocks())
        continue;
      bool isGrid = getGroup(warp).isGrid();
      uint64_t group = isGrid ? 0 : block->number / kernel.cluster;
      if (seen == group)
        continue;
      seen = group;
      if (!meetGroup(warp))
        return false;
    }
  return true;
}

std::pair<unsigned, unsigned> Machine::getWarpRange(const Warp &waiting) const {
  const GroupInfo &group = getGroup(waiting);
  if (group.isBlock())
    return {0, waiting.block->warps.size()};
  unsigned count = llvm::divideCeil(group.tileSize, width);
  return {group.isWarps() ? group.first / width : waiting.index / count * count,
          count};
}

std::vector<Warp *> Machine::getWarps(const Warp &waiting) const {
  std::vector<Warp *> warps;
  auto add = [&](llvm::MutableArrayRef<Warp> some) {
    for (Warp &warp : some)
      warps.push_back(&warp);
  };
  if (getGroup(waiting).isOfBlocks()) {
    for (std::unique_ptr<Block> &block : waiting.block->gang->blocks)
      if (isInGroup(waiting, block->warps.front()))
        add(block->warps);
    return warps;
  }
  auto [first, count] = getWarpRange(waiting);
  add(llvm::MutableArrayRef(waiting.block->warps).slice(first, count));
  return warps;
}

bool Machine::isInGroup(const Warp &waiting, const Warp &other) const {
  const GroupInfo &group = getGroup(waiting);
  const Block &own = *waiting.block, &block = *other.block;
  if (group.isOfBlocks())
    return own.number - getIndex(own, group) ==
           block.number - getIndex(block, group);
  auto [first, count] = getWarpRange(waiting);
  return &own == &block && other.index >= first && other.index - first < count;
}

bool Machine::isWaitingFor(const Warp &warp, const Warp &other) const {
  if (warp.state != Warp::State::Waiting || !isInGroup(warp, other))
    return false;
  if (getCollective(warp).kind == CollectiveKind::Wait)
    return !hasArrived(warp, other);
  return other.state != Warp::State::Waiting || other.pc != warp.pc;
}

bool Machine::meetGroup(Warp &waiting) {
  std::vector<Warp *> warps = getWarps(waiting);
  const Inst &inst = kernel.code[waiting.pc];
  bool isWait = getCollective(waiting).kind == CollectiveKind::Wait;
  bool isComplete = true;
  for (Warp *other : warps) {
    bool isAwaited = isWaitingFor(waiting, *other);
    bool isMissing = isAwaited ? other->state == Warp::State::Done ||
                                     isWaitingFor(*other, waiting)
                               : !isWait && other->active() != other->existing;
    if (isMissing) {
      reportMissing(waiting, *other);
      return false;
    }
    isComplete &= !isAwaited;
  }
  if (!isComplete)
    return true;
  auto goOn = [&](Warp &warp) {
    warp.pc = inst.to;
    warp.state = Warp::State::Running;
  };
  if (isWait) {
    endWait(waiting, warps);
    goOn(waiting);
    return true;
  }
  llvm::SmallVector<Member, 0> members;
  for (Warp *warp : warps)
    forEachLane(warp->existing,
                [&](unsigned lane) { members.push_back({warp, lane}); });
  if (!exchange(members, inst))
    return false;
  for (Warp *warp : warps)
    goOn(*warp);
  return true;
}

/// `other` has a thread that cannot be where `waiting` waits.
void Machine::reportMissing(const Warp &waiting, const Warp &other) {
  const Block &block = *other.block;
  const Inst &inst = kernel.code[waiting.pc];
  const CollectiveInfo &info = kernel.collectives[inst.info];
  if (info.kind == CollectiveKind::Wait)
    return reportNoArrival(waiting, other);
  uint64_t here = waiting.masks[activeMask];
  fault(FaultKind::Divergence, inst, waiting, std::countr_zero(here),
        info.name + " is not reached by every thread of the " +
            (info.group.isWarps() ? "group" : info.group.str()));
  uint64_t active = other.masks[activeMask];
  bool waitsElsewhere =
      other.state == Warp::State::Waiting && other.pc != waiting.pc;
  if (waitsElsewhere) {
    const Inst &there = kernel.code[other.pc];
    addNote(kernel.places[there.place].place,
            describeThread(block, threadOf(other, std::countr_zero(active))) +
                " waits at this " + kernel.collectives[there.info].name);
    return;
  }
  uint64_t left =
      other.state == Warp::State::Done ? other.existing : other.returned;
  uint64_t missing = other.existing & ~(left ? ~left : active);
  addNote(kernel.places[inst.place].place,
          describeThread(block, threadOf(other, std::countr_zero(missing))) +
              (left ? " has left the kernel" : " took another path"));
}
