//===- ListMemory.h - A group's elements in shared memory -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of a group as one list: of K elements a thread, rank r holds
// those from r * K on. Groups are consecutive threads, and each has the part of
// an array that is its threads'. All sites of a kernel use the same arrays: a
// site ends with a barrier of its group, after which nobody of the group reads
// that part any more. Where there are sites of narrower groups, which may still
// be at one, it begins with a barrier too.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_LISTMEMORY_H
#define COLL_LIB_TRANSFORMS_LISTMEMORY_H

#include "coll/Transforms/Combiner.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <map>

namespace coll::ir {

/// Elements of the same leaves.
using Elements = llvm::SmallVector<Leaves>;

/// `values` as `count` elements, and back.
Elements splitElements(mlir::ValueRange values, unsigned count);
Leaves joinElements(const Elements &elements);

/// One kernel's arrays for its groups' lists.
class ListMemory {
public:
  ListMemory(KernelOp kernel, mlir::ImplicitLocOpBuilder &b)
      : kernel(kernel), b(b) {}

  /// Begins a site. `isReused`: what it writes may be overwritten later, by
  /// another site or by itself in a loop; else it needs no barrier at its end.
  /// `isWidened`: there are sites of narrower groups.
  void beginSite(bool isReused, bool isWidened) {
    this->isReused = isReused;
    mustMeet = isWidened;
  }

  /// The elements at `places` (`i32`) of the group's list.
  Elements gather(GroupAttr group, const Elements &elements,
                  mlir::ValueRange places);
  /// The own elements after each went to its place.
  Elements scatter(GroupAttr group, const Elements &elements,
                   mlir::ValueRange places);
  /// The first `count` elements of the group's list, in every thread.
  Elements getFirst(GroupAttr group, const Elements &elements, unsigned count);

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
  struct Array {
    SharedOp shared;
    mlir::arith::ConstantOp
        slots; ///< Elements a thread, the most of all sites.
    int64_t numSlots = 0;
  };
  /// The `number`-th array for values like `type`, with so many slots.
  Array &getArray(mlir::Type type, unsigned number, int64_t slots);
  /// Values are kept as integers, so that types of one width share arrays.
  mlir::Type getStoredType(mlir::Type type);
  mlir::Value cast(mlir::Value value, mlir::Type type);
  mlir::Value getIndex(Array &array, GroupAttr group, mlir::Value place);
  void storeOwn(GroupAttr group, const Elements &elements);

  KernelOp kernel;
  mlir::ImplicitLocOpBuilder &b;
  bool isReused = true, mustMeet = true;
  std::map<std::pair<const void *, unsigned>, Array> arrays;
};

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_LISTMEMORY_H
