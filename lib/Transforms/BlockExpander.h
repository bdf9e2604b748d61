//===- BlockExpander.h - One kernel's block collectives ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_BLOCKEXPANDER_H
#define COLL_LIB_TRANSFORMS_BLOCKEXPANDER_H

#include "CounterBarriers.h"
#include "coll/Target/Target.h"
#include "coll/Transforms/Combiner.h"
#include "coll/Transforms/ShuffleSource.h"
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
                GroupBarrier barrier);

  /// Replaces `op`, if it is a block collective that has an expansion.
  void expand(mlir::Operation *op);

private:
  /// Shared memory of one site: an array for each leaf. In a loop it has two
  /// halves, of which `half` is this trip's.
  struct Scratch {
    Leaves views;
    mlir::Value half;
    mlir::Value first; ///< Of a tile: the index of its part.
  };
  llvm::SmallVector<mlir::Value> getIndices(const Scratch &scratch,
                                            mlir::Value index);
  Scratch createScratch(mlir::Operation *site, mlir::TypeRange types,
                        int64_t count);
  void store(const Scratch &scratch, mlir::ValueRange values,
             mlir::Value index);
  Leaves load(const Scratch &scratch, mlir::TypeRange types, mlir::Value index);
  mlir::Value createShared(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                           mlir::Type element);
  /// The half that a variable names, made at first use, which switches to the
  /// other.
  mlir::Value takeHalf(mlir::Value &variable);
  void sync();

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
  unsigned countSerial(const Combiner &combiner, mlir::Type type,
                       Readers readers) const;
  /// Combines values of which every warp has one, in its rank 0 or its last
  /// rank at least.
  Leaves combineWarps(mlir::Operation *site, const Combiner &combiner,
                      mlir::ValueRange partials,
                      Readers holder = Readers::First);
  /// Whether this thread is that rank of its warp.
  mlir::Value isHolder(Readers holder);
  /// What `fill` gives, in the threads that `site` says need it.
  Leaves createForReaders(mlir::Operation *site, mlir::ValueRange otherwise,
                          bool needsWholeWarp,
                          llvm::function_ref<Leaves()> fill);
  /// All partials, loaded and combined by every thread.
  Leaves combineSerially(const Scratch &scratch, const Combiner &combiner,
                         mlir::TypeRange types);
  mlir::Value vote(VoteOp op);
  mlir::Value isUniform(UniformOp op);

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
  Prefix spreadByMemory(mlir::Operation *site, const Combiner &combiner,
                        const Scratch &totals, mlir::TypeRange types);
  Leaves broadcastInSegment(mlir::ValueRange values, mlir::Value from);
  Leaves scan(ScanOp op);
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

  KernelOp kernel;
  Target target;
  unsigned groupSize, warpSize, numWarps, numSegments;
  GroupAttr group, warpGroup, segmentGroup, blockGroup;
  GroupBarrier barrier;
  /// Arrays of one element a rank that all shuffles of a type share: the n-th
  /// for it, with two halves or one.
  std::map<std::tuple<const void *, unsigned, bool>, mlir::Value>
      exchangeArrays;
  mlir::Value exchangeHalf; ///< The variable that says which half is next.
  mlir::ImplicitLocOpBuilder b;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_BLOCKEXPANDER_H
