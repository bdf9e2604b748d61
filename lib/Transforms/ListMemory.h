//===- ListMemory.h - A group's elements in shared memory -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of a group as one list: of K elements a thread, rank r holds
// those from r * K on. All sites of a kernel use the same memory, whatever the
// types of their elements. Groups are consecutive threads, and each has the
// part of the memory that is its threads', which have as many bytes each; the
// arrays of a site lie in it one after the other. A site ends with a barrier of
// its group, after which nobody of the group reads that part any more. Where
// there are sites of narrower groups, or of some warps that other groups share
// a part of, somebody may still be at one: it begins with a barrier too. Who
// has come to that has left the sites of all other groups that it is in.
//
// Where not all leaves of the elements fit, a site stores and loads some of
// them after the other, with a barrier of its group between.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_LISTMEMORY_H
#define COLL_LIB_TRANSFORMS_LISTMEMORY_H

#include "GroupNotes.h"
#include "ListLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

namespace coll::ir {

/// Elements of the same leaves.
using Elements = llvm::SmallVector<Leaves>;

/// `values` as `count` elements, and back.
Elements splitElements(mlir::ValueRange values, unsigned count);
Leaves joinElements(const Elements &elements);

/// Leaves that are in memory at the same time.
struct LeafPart {
  unsigned first, count;
  unsigned total; ///< Of all parts.

  /// Of `leaves` or the leaves of elements those of the part.
  template <typename Range> Range of(Range leaves) const {
    return leaves.slice(first, count);
  }
  Elements of(const Elements &elements) const;
  /// Nothing where it is all, else " (scalars 1 to 2 of 3)".
  std::string describe() const;
};

/// One kernel's arrays for its groups' lists.
class ListMemory {
public:
  /// `notes` are on the site that is expanded.
  ListMemory(KernelOp kernel, mlir::ImplicitLocOpBuilder &b, GroupNotes &notes)
      : kernel(kernel), b(b), notes(notes), layout(kernel.getBlockSize()) {}

  /// From now on no list has more bytes of a thread, but of one leaf.
  void setPartBytes(std::optional<uint64_t> bytes) { partBytes = bytes; }

  /// Begins a site of groups of at most `numRanks`. `isReused`: what it writes
  /// may be overwritten later, by another site or by itself in a loop; else it
  /// needs no barrier at its end. `mayMeet`: there are sites of groups
  /// that are not all of its threads, but some.
  void beginSite(unsigned numRanks, bool isReused, bool mayMeet) {
    this->numRanks = numRanks;
    this->isReused = isReused;
    mustMeet = mayMeet;
    siteBytes = 0;
  }
  /// Ends a site.
  void endSite();
  /// Ends the last site: how much memory there is is known now.
  void complete();

  /// The elements at `places` (`i32`) of the group's list.
  Elements gather(GroupAttr group, const Elements &elements,
                  mlir::ValueRange places);
  /// The own elements after each went to its place.
  Elements scatter(GroupAttr group, const Elements &elements,
                   mlir::ValueRange places);
  /// The first `count` elements of the group's list, in every thread.
  Elements getFirst(GroupAttr group, const Elements &elements, unsigned count);

  /// Passes the leaves through the memory, as many at a time as fit.
  void passParts(GroupAttr group, uint64_t slots, mlir::TypeRange leaves,
                 llvm::function_ref<void(LeafPart)> pass);
  /// Whether that is all at a time.
  bool fits(uint64_t slots, mlir::TypeRange leaves) {
    return countFitting(slots, leaves) == leaves.size();
  }

  /// Stores leaves at a place of a list of `slots` elements a thread.
  void store(GroupAttr group, int64_t slots, mlir::ValueRange values,
             mlir::Value place);
  Leaves load(GroupAttr group, int64_t slots, mlir::TypeRange leaves,
              mlir::Value place);
  /// A barrier for the arrays; other memory is not its business.
  void sync(GroupAttr group);
  /// The barriers at the beginning and the end of a site, if it needs them.
  void start(GroupAttr group);
  void finish(GroupAttr group);
  mlir::Value rank(GroupAttr group);
  unsigned getBlockSize() { return kernel.getBlockSize(); }

private:
  /// An array, from the first thread's part on.
  struct Array {
    SharedOp shared;
    /// Elements in the memory of a thread, if it was asked for.
    mlir::arith::ConstantOp perThread;
  };
  /// Of lists of `slots` elements a thread, the arrays of their leaves.
  llvm::SmallVector<Array *> getArrays(int64_t slots, mlir::TypeRange leaves);
  Array &getArray(mlir::Type stored, uint64_t offset);
  /// How many of the first leaves fit at a time, one at least.
  unsigned countFitting(uint64_t slots, mlir::TypeRange leaves);
  mlir::Value cast(mlir::Value value, mlir::Type type);
  mlir::Value getIndex(Array &array, GroupAttr group, mlir::Value place);
  void storeOwn(GroupAttr group, const Elements &elements);

  KernelOp kernel;
  mlir::ImplicitLocOpBuilder &b;
  GroupNotes &notes;
  // Of the site.
  unsigned numRanks = 1;
  uint64_t siteBytes = 0; ///< Of one group.
  bool isReused = true, mustMeet = true;
  /// By the type of the elements and the offset in a group's part, in bytes.
  llvm::MapVector<std::pair<mlir::Type, uint64_t>, std::unique_ptr<Array>>
      arrays;
  ListLayout layout;
  std::optional<uint64_t> partBytes;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_LISTMEMORY_H
