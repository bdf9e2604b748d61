//===- Machine.h - One launch of a kernel -----------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resident blocks run in turns, and so do the warps of a block; a warp executes
// a few hundred instructions at a time. A warp that reaches a collective of
// several warps, or the second half of their barrier, waits for the others of
// its group, which may have groups of their own to meet before. That is a fault
// only when a warp can never come: it has ended, or cannot go on before the one
// that waits for it. Blocks that wait for each other, those of a cluster or of
// the grid, begin and end together. The first fault ends the launch.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_MACHINE_H
#define COLL_LIB_INTERPRETER_MACHINE_H

#include "LaneWaits.h"
#include "Program.h"
#include "SharedMemory.h"
#include "SplitBarrier.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <memory>

namespace coll::ref {

struct Block;
struct Gang;

/// A look at global or shared memory, of the threads of a warp together.
struct Look {
  const Inst *inst = nullptr; ///< Null: none.
  uint64_t lanes = 0;
  uint64_t offset = 0; ///< Where the first lane looks, in its allocation.
};

/// Instructions in a row; none at first.
struct CodeRange {
  uint32_t first = ~0u, last = 0;

  bool isEmpty() const { return first > last; }
  void add(uint32_t from, uint32_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
  }
  bool contains(const CodeRange &other) const {
    return other.isEmpty() || (first <= other.first && other.last <= last);
  }
};

struct Warp {
  Block *block = nullptr;
  unsigned index = 0;
  unsigned firstThread = 0;
  /// Lanes that have a thread, and those of them that left the kernel.
  uint64_t existing = 0, returned = 0;
  std::vector<uint64_t> slots, masks;
  uint32_t pc = 0;
  uint64_t executed = 0;
  /// Since the launch's state was noted: the last look, an atomic one if there
  /// is any, the lanes that began another trip of a loop, and what the warp had
  /// executed before.
  Look look;
  uint64_t turned = 0, noted = 0;
  /// The loops that have gone round since, and those that had before.
  CodeRange loops, notedLoops;
  LaneWaits laneWaits;
  enum class State : uint8_t { Running, Waiting, Done } state = State::Running;
  /// Evaluates combiners: its lanes are no threads.
  bool isScratch = false;

  uint64_t &active() { return masks[activeMask]; }
};

struct Block {
  uint64_t number = 0; ///< In the grid, x fastest.
  std::array<uint64_t, 3> id = {0, 0, 0};
  bool isDone = false;
  std::vector<Warp> warps;
  Warp scratch;
  std::vector<SharedMemory> shareds;
  /// A frame for each thread, then one for each lane of `scratch`.
  std::vector<uint8_t> frames, framesWritten;
  SyncClock clock;
  SplitBarrier split;
  Gang *gang = nullptr;
};

/// Blocks that are resident together: one, those of a cluster, or all.
struct Gang {
  std::vector<std::unique_ptr<Block>> blocks;
};

/// Notices that a launch is where it was before and can never end: its turns
/// are deterministic, so that two equal states are followed by equal ones. A
/// round is a turn for each resident block.
struct Watch {
  uint64_t changes = 0; ///< Of memory, when the rounds began.
  uint64_t rounds = 0;  ///< Without a change since.
  uint64_t until = 0;   ///< Up to this round, states are compared with `state`.
  std::array<uint64_t, 2> state = {0, 0};
};

/// "'tile'", or what to say of memory without a name.
std::string quote(const std::string &name);
/// The element that lies `offset` bytes from the first: " (tile[3])".
std::string describeElement(const Access &access, uint64_t offset);

/// The operands or results of a group's threads: a row of ranks for each
/// scalar, 0 at first.
class Table {
public:
  Table(size_t rows, unsigned ranks)
      : values(rows * ranks), rows(rows), ranks(ranks) {}
  uint64_t *operator[](size_t row) { return values.data() + row * ranks; }
  const uint64_t *operator[](size_t row) const {
    return values.data() + row * ranks;
  }
  size_t getRows() const { return rows; }
  unsigned getRanks() const { return ranks; }

private:
  std::vector<uint64_t> values;
  size_t rows;
  unsigned ranks;
};

/// A thread of a group: its warp and lane.
struct Member {
  Warp *warp;
  unsigned lane;
};

/// Rank `out` becomes the combination of ranks `left` and `right`.
struct CombineStep {
  unsigned left, right, out;
};

class Machine {
public:
  Machine(const CompiledKernel &kernel, std::array<uint64_t, 3> grid,
          llvm::ArrayRef<Argument> arguments, const LaunchOptions &options)
      : kernel(kernel), grid(grid), arguments(arguments), options(options),
        width(options.warpSize) {}
  LaunchResult run();

private:
  // Scheduling: Machine.cpp.
  void prepare(Block &block);
  void start(Block &block, uint64_t number);
  void startGang(Gang &gang, uint64_t first);
  uint64_t getGangSize() const;
  /// A turn for each block. True: all have ended, or a fault.
  bool stepGang(Gang &gang);
  void startWarp(Warp &warp);
  /// A turn for each warp. True: the block has ended, or a fault.
  bool stepBlock(Block &block);
  bool meet(Block &block);
  bool checkWarps(Block &block);
  bool meetBlocks(Gang &gang);
  /// The same for the group of the collective that `waiting` is at.
  bool meetGroup(Warp &waiting);
  const CollectiveInfo &getCollective(const Warp &waiting) const {
    return kernel.collectives[kernel.code[waiting.pc].info];
  }
  const GroupInfo &getGroup(const Warp &waiting) const {
    return getCollective(waiting).group;
  }
  /// Of that group, if it is in a block: the first warp and their number.
  std::pair<unsigned, unsigned> getWarpRange(const Warp &waiting) const;
  std::vector<Warp *> getWarps(const Warp &waiting) const;
  bool isInGroup(const Warp &waiting, const Warp &other) const;
  /// Whether `warp` waits, and cannot go on before `other` does.
  bool isWaitingFor(const Warp &warp, const Warp &other) const;
  void reportMissing(const Warp &waiting, const Warp &other);
  /// Of a group of blocks: a block's index in it, and the number of blocks.
  uint64_t getIndex(const Block &block, const GroupInfo &group) const {
    return group.isGrid() ? block.number : block.number % kernel.cluster;
  }
  uint64_t getBlockCount(const GroupInfo &group) const {
    return group.isGrid() ? grid[0] * grid[1] * grid[2] : kernel.cluster;
  }
  bool checkLimit(Warp &warp);

  // Launches that wait for nothing: Progress.cpp.
  /// Called after each round. A fault if no thread can ever go on: false.
  bool checkProgress();
  std::array<uint64_t, 2> hashState();
  void addState(Warp &warp, std::vector<uint64_t> &words);
  void forEachWarp(llvm::function_ref<void(Warp &)> function);
  void noteLook(Warp &warp, const Inst &inst, const Access &access,
                const uint64_t *offsets);
  void reportNoProgress();
  bool reportLaneWait(const Warp &warp, unsigned lane, const Access &access,
                      uint64_t offset, const LaneWaits::Wait &wait);
  /// Of a warp that can never go on: what it does, and where.
  std::string describeStuck(const Warp &warp) const;
  const Inst &findStuck(const Warp &warp) const;

  // Instructions: Execute.cpp.
  /// Executes until the warp waits or is done, or for a turn. False: a fault.
  bool execute(Warp &warp, unsigned turn);
  bool executeSlow(Warp &warp, const Inst &inst);
  void executeQuery(Warp &warp, const Inst &inst);
  void executeRepack(Warp &warp, const RepackInfo &repack);
  bool executeDivide(Warp &warp, const Inst &inst);
  bool executeAssert(Warp &warp, const Inst &inst);

  // Memory: Memory.cpp.
  struct Region {
    uint8_t *data = nullptr;
    uint64_t size = 0;
    uint8_t *written = nullptr;
    SharedMemory *shared = nullptr;
  };
  Region getRegion(Block &block, ir::MemorySpace space, uint64_t allocation);
  void makeObjectView(Warp &warp, Slot out, const ViewInfo &view,
                      llvm::function_ref<uint64_t(unsigned lane)> allocation,
                      uint64_t offset, const uint64_t *extent);
  void newPrivate(Warp &warp, const Inst &inst);
  bool newShared(Warp &warp, const Inst &inst);
  bool slice(Warp &warp, const Inst &inst);
  bool flatten(Warp &warp, const Inst &inst);
  bool recast(Warp &warp, const Inst &inst);
  void field(Warp &warp, const Inst &inst);
  /// The byte offset of the element for each active lane, in its allocation.
  bool locate(Warp &warp, const Inst &inst, const Access &access,
              uint64_t *offsets);
  void writeScalar(uint8_t *data, uint64_t bits, Scalar type);
  bool load(Warp &warp, const Inst &inst);
  bool store(Warp &warp, const Inst &inst);
  bool atomic(Warp &warp, const Inst &inst);
  /// Carries out an atomic of one lane; whether it found the place taken, as a
  /// lock is.
  bool atomicLane(Warp &warp, const Inst &inst, unsigned lane, uint8_t *data);
  bool checkRegion(Warp &warp, const Inst &inst, unsigned lane,
                   const Region &region, uint64_t offset, const Access &access);
  /// Checks and notes an access of one lane to one scalar.
  bool touch(Warp &warp, const Inst &inst, unsigned lane, const Access &access,
             const Region &region, uint64_t offset, unsigned size,
             AccessKind kind);
  bool reportRace(Warp &warp, const Inst &inst, unsigned lane,
                  const Access &access, AccessKind kind, const Touch &past);

  // Collectives: Collectives.cpp.
  bool warpCollective(Warp &warp, const Inst &inst);
  /// A fault: of a group's `lanes` some are not here. False.
  bool reportDivergence(Warp &warp, const Inst &inst, uint64_t lanes);
  bool exchange(llvm::ArrayRef<Member> members, const Inst &inst);
  bool compute(llvm::ArrayRef<Member> members, const Inst &inst,
               const Table &in, Table &out);
  bool broadcast(llvm::ArrayRef<Member> members, const Inst &inst,
                 const Table &in, Table &out);
  void shuffle(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
               const Table &in, Table &out);
  void sync(llvm::ArrayRef<Member> members, const GroupInfo &group);

  // Collectives that order and rearrange: Order.cpp.
  void sort(const CollectiveInfo &info, const Table &in, Table &out);
  void topK(const CollectiveInfo &info, const Table &in, Table &out);
  bool exchangePlaces(llvm::ArrayRef<Member> members, const Inst &inst,
                      const Table &in, Table &out);

  // Halves of barriers: SplitBarrier.cpp.
  bool splitTile(llvm::ArrayRef<Member> members, const Inst &inst);
  /// Arrives, or begins to wait. False: a fault.
  bool splitWide(Warp &warp, const Inst &inst);
  /// A fault if the warp ends between halves of a barrier: false.
  bool checkWaits(const Warp &warp);
  /// Whether `other` has arrived at what `waiting` waits for.
  bool hasArrived(const Warp &waiting, const Warp &other) const;
  /// Ends the wait for the warps of the group, which have all arrived.
  void endWait(Warp &waiting, llvm::ArrayRef<Warp *> warps);
  void reportNoArrival(const Warp &waiting, const Warp &other);
  bool faultSplit(const Warp &warp, const Inst &inst, const llvm::Twine &what);

  // Combination orders: Combine.cpp.
  bool reduce(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
              const Table &in, Table &out);
  bool reduceTree(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                  Table &values);
  bool scan(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
            const Table &in, Table &out);
  bool scanBlock(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                 Table &values, Table &total);
  bool addBlock(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                Table &running, Table &values, const Table &total);
  /// Scans each segment of `values` alone, in place.
  bool scanSegments(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                    Table &values);
  /// P: the scan of the last values of the segments of `values`, which
  /// scanSegments has scanned. A rank for each segment.
  std::optional<Table> scanTotals(llvm::ArrayRef<Member> members,
                                  const CollectiveInfo &info,
                                  const Table &values);
  /// Puts P of the segment before each rank's on the left of it. The rank's own
  /// part is that of the rank before for an exclusive scan.
  bool addTotals(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                 const Table &totals, Table &values, bool isExclusive);
  /// All steps read `left` and `right` before any writes `out`, which may be
  /// one of them.
  bool combine(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
               llvm::ArrayRef<CombineStep> steps, const Table &left,
               const Table &right, Table &out);
  /// Runs the operator's region on up to a warp of pairs.
  bool runCombiner(llvm::ArrayRef<Member> members, const CollectiveInfo &info,
                   unsigned first, unsigned count, const Table &left,
                   const Table &right, Table &out);

  // Faults: Faults.cpp.
  /// Notes the fault and gives false.
  bool fault(FaultKind kind, const Inst &inst, const Warp &warp, unsigned lane,
             const llvm::Twine &message);
  void addNote(const SourcePlace &place, const llvm::Twine &message);
  void addCallers(const Inst &inst);
  std::string describeThread(const Block &block, unsigned thread) const;
  unsigned threadOf(const Warp &warp, unsigned lane) const {
    return warp.firstThread + (warp.isScratch ? 0 : lane);
  }

  uint64_t *row(Warp &warp, Slot slot) const {
    return warp.slots.data() + size_t(slot) * width;
  }

  const CompiledKernel &kernel;
  std::array<uint64_t, 3> grid;
  llvm::ArrayRef<Argument> arguments;
  const LaunchOptions &options;
  unsigned width;
  std::vector<std::unique_ptr<Gang>> resident;
  uint64_t waitingBlocks = 0; ///< Those that have not started.
  /// How often memory, or what else is shared by warps, has become different.
  uint64_t changes = 0;
  Watch watch;
  /// Of loops that warps have gone round, where they were then.
  std::map<std::array<uint32_t, 3>, std::vector<Slot>> relevantSlots;
  LaunchResult result;
};

/// Calls `function(lane)` for each lane in `mask`.
template <typename Function>
inline void forEachLane(uint64_t mask, Function function) {
  for (; mask; mask &= mask - 1)
    function(unsigned(std::countr_zero(mask)));
}

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_MACHINE_H
