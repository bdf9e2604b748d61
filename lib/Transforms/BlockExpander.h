//===- BlockExpander.h - One kernel's block collectives ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_BLOCKEXPANDER_H
#define COLL_LIB_TRANSFORMS_BLOCKEXPANDER_H

#include "CounterBarriers.h"
#include "GroupNotes.h"
#include "coll/Target/Target.h"
#include "coll/Transforms/ShuffleSource.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <tuple>

namespace coll::ir {

/// What the threads of a group wait at.
struct GroupBarrier {
  /// The first of the chip's barriers for tiles of this size, by their index,
  /// or that of some warps. Without one, `counters` has the group, or the
  /// block's barrier serves.
  std::optional<unsigned> number;
  const CounterBarriers *counters = nullptr;
};

/// Expands the collectives of a group of several warps: the block, some of its
/// warps, or a tile of it that has a part of each shared array. Scans work on
/// segments of 32 ranks, which are warps, or halves of warps of 64.
class BlockExpander {
public:
  BlockExpander(KernelOp kernel, const Target &target, GroupAttr group,
                GroupBarrier barrier, const CollectiveReporter &reporter);

  /// Replaces `op`, if it is a block collective that has an expansion.
  void expand(mlir::Operation *op);
  /// After the last of them: puts scratch that is not in use at once in one
  /// place. `number` counts such places of the kernel.
  void shareScratch(unsigned &number);
  void shareExchanges(unsigned &number);

private:
  /// Shared memory of one site: an array for each leaf. In a loop it has two
  /// halves, of which `half` is this trip's.
  struct Scratch {
    Leaves views;
    mlir::Value half;
    mlir::Value first; ///< The index of the first element, if it is not 0.
  };
  llvm::SmallVector<mlir::Value> getIndices(const Scratch &scratch,
                                            mlir::Value index);
  /// `isKept`: something in it was stored where the kernel starts, so that no
  /// other site may use it.
  Scratch createScratch(mlir::Operation *site, mlir::TypeRange types,
                        int64_t count, bool isKept = false);
  void store(const Scratch &scratch, mlir::ValueRange values,
             mlir::Value index);
  Leaves load(const Scratch &scratch, mlir::TypeRange types, mlir::Value index);
  SharedOp createShared(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                        mlir::Type element);
  /// The half that a variable names, made at first use, which switches to the
  /// other.
  mlir::Value takeHalf(mlir::Value &variable);
  void sync();

  /// Lanes of a DPP row of AMD's, and ranks of a segment of a scan.
  static constexpr unsigned rowSize = 16, segmentSize = 32;

  /// Whether the group is a part of the block.
  bool isTile() const { return !group.isBlock(); }
  mlir::Value groupRank();
  /// The rank in the block, as `i64`, of a rank of the group.
  mlir::Value inBlock(mlir::Value rank);
  /// The warp's index in its block, as `i64`.
  mlir::Value warpIndex();
  mlir::Value isEqual(mlir::Value left, int64_t right);

  // BlockReduce
  Leaves reduce(mlir::Operation *site, const Combiner &combiner,
                mlir::ValueRange values);
  /// Whether AMD's lanes combine in about one instruction a step.
  static bool hasLaneInstruction(const Combiner &combiner, mlir::Type type);
  unsigned countSerial(const Combiner &combiner, mlir::Type type,
                       Readers readers) const;
  /// Combines values of which every warp has one, in its rank 0 or its last
  /// rank at least.
  Leaves combineWarps(mlir::Operation *site, const Combiner &combiner,
                      mlir::ValueRange partials,
                      Readers holder = Readers::First);
  /// Whether this thread is that rank of its warp.
  mlir::Value isHolder(Readers holder);
  /// Who needs the result of `site`.
  static Readers getReaders(mlir::Operation *site);
  /// What `fill` gives, in the threads that `site` says need it.
  Leaves createForReaders(mlir::Operation *site, mlir::ValueRange otherwise,
                          bool needsWholeWarp,
                          llvm::function_ref<Leaves()> fill);
  /// All partials, loaded and combined by every thread.
  Leaves combineSerially(const Scratch &scratch, const Combiner &combiner,
                         mlir::TypeRange types);
  bool combinesInLanes(mlir::Operation *site, const Combiner &combiner,
                       mlir::Type type) const;
  mlir::Value vote(VoteOp op);
  mlir::Value isUniform(UniformOp op);

  // BlockRows
  bool isByRows(mlir::Operation *site, const Combiner &combiner,
                mlir::Type type) const;
  Leaves reduceRows(mlir::Operation *site, const Combiner &combiner,
                    mlir::ValueRange values);

  // BlockScan
  struct Prefix {
    /// Is this rank in a segment after the first? Null where `before` is
    /// neutral in the first one.
    mlir::Value isLater;
    Leaves before; ///< P of the segment before, if there is one.
    Leaves total;  ///< P of the last segment, if it was asked for.
  };
  /// The combination of the segments before, from what each segment's last rank
  /// has in `inclusive`.
  Prefix scanSegments(mlir::Operation *site, const Combiner &combiner,
                      mlir::ValueRange inclusive);
  mlir::Value isLastOfSegment();
  Leaves combinePrefix(const Combiner &combiner, const Prefix &prefix,
                       mlir::ValueRange values);
  /// Most totals that every thread combines for itself: more loads of shared
  /// memory would take longer than the steps of a scan in lanes.
  static constexpr unsigned maxWindow = 7;
  /// Only the total of a `coll.scan_total` is used; lanes do not exchange the
  /// others for nothing.
  static bool needsTotal(mlir::Operation *site) {
    return mlir::isa<ScanTotalOp>(site);
  }
  Leaves scanTotalsInLanes(const Combiner &combiner, const Scratch &scratch,
                           mlir::TypeRange types, mlir::Value rankInSegment);
  /// Whether values that change no bit fill the gaps. On NVIDIA predicates
  /// leave gaps out.
  bool usesNeutral(const Combiner &combiner) const {
    return target.isAMD() && combiner.getKind().has_value();
  }
  Leaves createNeutral(const Combiner &combiner, mlir::TypeRange types);
  static bool isLong(const Combiner &combiner, mlir::Type type);
  bool scansInLanes(const Combiner &combiner, mlir::Type type) const;
  bool takesWindow(mlir::Operation *site, const Combiner &combiner,
                   mlir::Type type) const;
  Prefix prefixInLanes(mlir::Operation *site, const Combiner &combiner,
                       const Scratch &totals, mlir::TypeRange types);
  Prefix spreadByMemory(mlir::Operation *site, const Combiner &combiner,
                        const Scratch &totals, mlir::TypeRange types);
  Leaves broadcastInSegment(mlir::ValueRange values, mlir::Value from);
  Leaves scan(ScanOp op);
  Leaves shiftUp(mlir::ValueRange values, mlir::ValueRange fill);
  Leaves shiftNeutral(const Combiner &combiner, mlir::ValueRange inclusive,
                      mlir::ValueRange values);
  /// The exclusive results, and the total.
  std::pair<Leaves, Leaves> exclusiveScan(mlir::Operation *site,
                                          const Combiner &combiner,
                                          mlir::ValueRange values,
                                          mlir::ValueRange first);
  mlir::Value rankAmong(RankAmongOp op);
  mlir::Value segment();
  mlir::Value rankInSegment();

  // BlockWindow
  void padWindow(const Scratch &totals, const Combiner &combiner,
                 unsigned pads);
  Leaves combineElements(const Scratch &scratch, const Combiner &combiner,
                         mlir::TypeRange types, mlir::Value first,
                         unsigned count);
  /// The prefix where every thread combines the few totals for itself.
  Prefix combineWindow(mlir::Operation *site, const Combiner &combiner,
                       mlir::ValueRange inclusive);

  // BlockExchange
  Leaves broadcast(mlir::Operation *site, mlir::ValueRange values,
                   mlir::Value from);
  Leaves shuffle(ShuffleOp op);
  /// The rank that a shuffle reads from, and whether there is one.
  ShuffleSource findSource(ShuffleOp op);

  std::optional<Leaves> dispatch(mlir::Operation *op);

  // Notes for people.
  /// "every thread", or those that `site` says need its result.
  static llvm::StringRef describeReaders(mlir::Operation *site);
  void noteCombination(mlir::Operation *site, const Combiner &combiner,
                       bool inLanes);
  void noteRows();
  void noteRowCombination(mlir::Operation *site, const Combiner &combiner,
                          unsigned perLane);
  /// What a segment is: "warp", or "tile<32>".
  std::string describeSegment() const;
  /// That each segment has carried out `what`; that it stores its total.
  void noteSegments(llvm::StringRef what);
  void noteTotals();
  void noteVote(mlir::Operation *site);

  KernelOp kernel;
  Target target;
  unsigned groupSize, warpSize, numWarps, numSegments;
  GroupAttr group, warpGroup, segmentGroup, blockGroup;
  GroupBarrier barrier;
  /// Arrays of one element a rank that all shuffles of a type share: the n-th
  /// for it, with two halves or one.
  std::map<std::tuple<const void *, unsigned, bool>, SharedOp> exchangeArrays;
  /// The arrays of each shuffle.
  llvm::SmallVector<llvm::SmallVector<SharedOp>> exchanges;
  mlir::Value exchangeHalf; ///< The variable that says which half is next.
  /// The arrays of sites that are in no loop, in the order of these. Those in
  /// one list of operations are executed one after the other.
  using SiteArrays = llvm::SmallVector<llvm::SmallVector<SharedOp>>;
  llvm::MapVector<mlir::Block *, SiteArrays> siteArrays;
  mlir::Operation *lastSite = nullptr;
  const CollectiveReporter &reporter;
  GroupNotes notes; ///< On the site that is being expanded.
  mlir::ImplicitLocOpBuilder b;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_BLOCKEXPANDER_H
