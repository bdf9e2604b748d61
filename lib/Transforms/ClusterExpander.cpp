//===- ClusterExpander.cpp - Collectives of a cluster of blocks -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block publishes is in its shared memory, in one of two halves that are
// used in turn, and the others read it there after the cluster's barrier. A
// block that writes a half has passed the barrier after the other one was
// written, and so have all that still read this half from the time before.
// coll-end-clusters sees to it that no block ends before all have read.
//
//===----------------------------------------------------------------------===//

#include "BlocksExpander.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

namespace {
class ClusterExpander : public BlocksExpander {
public:
  ClusterExpander(KernelOp kernel, const Target &target)
      : BlocksExpander(kernel, target), numBlocks(kernel.getCluster()),
        group(GroupAttr::get(kernel.getContext(), GroupKind::Cluster, 0)) {}

protected:
  void sync() override;
  void publish(ValueRange values, int64_t leader) override;
  Leaves load(TypeRange types, Value block) override;
  /// Clusters extend in x.
  Value blockIndex(ImplicitLocOpBuilder &at) override {
    return arith::RemUIOp::create(at, BlockIdOp::create(at, Dimension::X),
                                  createI64(at, numBlocks));
  }
  Value blockCount(ImplicitLocOpBuilder &at) override {
    return createI64(at, numBlocks);
  }
  Leaves combineAll(const Combiner &combiner, TypeRange types) override;
  Prefix combineBefore(const Combiner &combiner, TypeRange types, Order order,
                       bool needsTotal) override;

private:
  Value getArray(Type type, unsigned number);
  Value getHalf();

  int64_t numBlocks;
  GroupAttr group;
  Value half; ///< The variable that says which half is in use.
  llvm::DenseMap<std::pair<Type, unsigned>, Value> arrays;
};
} // namespace

void ClusterExpander::sync() {
  ++numBarriers;
  SyncOp::create(b, group);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Value ClusterExpander::getArray(Type type, unsigned number) {
  Value &array = arrays[{type, number}];
  if (array)
    return array;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto view = ViewType::get(b.getContext(), {2}, type, MemorySpace::Shared);
  array = SharedOp::create(b, view, b.getStringAttr("cluster"), Value(),
                           StringAttr(), b.getI64IntegerAttr(16));
  return array;
}

Value ClusterExpander::getHalf() {
  return LoadOp::create(b, TypeRange(b.getI64Type()), half, ValueRange())
      .getResult(0);
}

void ClusterExpander::publish(ValueRange values, int64_t leader) {
  if (!half)
    half = createHalfVariable(b, kernel);
  countSlot(values.getTypes());
  Value other = arith::XOrIOp::create(b, getHalf(), createI64(b, 1));
  StoreOp::create(b, ValueRange(other), half, ValueRange());
  createIf(b, {}, isEqual(blockRank(), leader), [&] {
    llvm::SmallDenseMap<Type, unsigned> used;
    for (Value value : values) {
      Value array = getArray(value.getType(), used[value.getType()]++);
      StoreOp::create(b, ValueRange(value), array, ValueRange(other));
    }
    return Leaves();
  });
  sync();
}

Leaves ClusterExpander::load(TypeRange types, Value block) {
  Value index = arith::TruncIOp::create(b, b.getI32Type(), block);
  index = arith::MinUIOp::create(b, index, createI32(b, numBlocks - 1));
  llvm::SmallDenseMap<Type, unsigned> used;
  Leaves values;
  for (Type type : types) {
    auto view = ViewType::get(b.getContext(), {2}, type, MemorySpace::Peer);
    Value peer = PeerOp::create(b, view, getArray(type, used[type]++), index);
    values.push_back(
        LoadOp::create(b, TypeRange(type), peer, ValueRange(getHalf()))
            .getResult(0));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Few blocks, one after the other
//===----------------------------------------------------------------------===//

Leaves ClusterExpander::combineAll(const Combiner &combiner, TypeRange types) {
  SmallVector<Leaves> results;
  for (int64_t block = 0; block != numBlocks; ++block)
    results.push_back(load(types, createI64(b, block)));
  return combiner.combineTree(b, std::move(results));
}

BlocksExpander::Prefix ClusterExpander::combineBefore(const Combiner &combiner,
                                                      TypeRange types,
                                                      Order order,
                                                      bool needsTotal) {
  Value own = position(order);
  auto loadAt = [&](int64_t place) {
    int64_t block = order.isReverse ? numBlocks - 1 - place : place;
    return load(types, createI64(b, block));
  };
  Leaves running = loadAt(0);
  Prefix prefix{running, {}};
  for (int64_t place = 1; place != numBlocks; ++place) {
    Value isThere =
        arith::CmpIOp::create(b, CmpIPredicate::ugt, own, createI64(b, place));
    if (needsTotal || place + 1 != numBlocks)
      running = combiner.combine(b, running, loadAt(place));
    prefix.before = createSelect(b, isThere, running, prefix.before);
  }
  prefix.total = running;
  return prefix;
}

std::unique_ptr<BlocksExpander>
coll::ir::createClusterExpander(KernelOp kernel, const Target &target) {
  return std::make_unique<ClusterExpander>(kernel, target);
}
