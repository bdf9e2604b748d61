//===- SortNetwork.cpp - Sorting by comparisons of pairs ------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SortNetwork.h"
#include "SortKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

using arith::CmpIPredicate;

SortNetwork::SortNetwork(ImplicitLocOpBuilder &b, ListMemory &memory,
                         GroupNotes &notes, const Target &target,
                         GroupAttr group, unsigned numRanks, bool isFull,
                         unsigned numKeys)
    : b(b), memory(memory), notes(notes), target(target), group(group),
      lanes(group), numLanes(target.getWarpSize()), numRanks(numRanks),
      isFull(isFull), numKeys(numKeys), rank(memory.rank(group)) {
  if (group.isBlock() || numRanks > numLanes)
    lanes = GroupAttr::get(b.getContext(), GroupKind::Warp, 0);
}

void SortNetwork::sort(Elements &elements) {
  sortOwn(elements);
  unsigned levels = llvm::Log2_32_Ceil(numRanks);
  for (unsigned level = 1; level <= levels; ++level) {
    step(elements, (1u << level) - 1, /*mirrored=*/true);
    for (unsigned distance = (1u << level) / 4; distance != 0; distance /= 2)
      step(elements, distance, /*mirrored=*/false);
    mergeOwn(elements);
  }
  if (numPasses != 0 && numHalves == 2)
    memory.finish(group);
}

//===----------------------------------------------------------------------===//
// Inside a thread
//===----------------------------------------------------------------------===//

Value SortNetwork::isLess(ValueRange left, ValueRange right) {
  return SortKeys::isLess(b, left.take_front(numKeys),
                          right.take_front(numKeys));
}

void SortNetwork::compare(Leaves &low, Leaves &high) {
  if (low.size() == 1) {
    Value least = arith::MinUIOp::create(b, low[0], high[0]);
    Value greatest = arith::MaxUIOp::create(b, low[0], high[0]);
    low = {least};
    high = {greatest};
    return;
  }
  Value isSwapped = isLess(high, low);
  Leaves least = createSelect(b, isSwapped, high, low);
  high = createSelect(b, isSwapped, low, high);
  low = least;
}

/// Batcher's merge exchange, which works for any number of elements: Knuth, The
/// Art of Computer Programming, 5.2.2, algorithm M.
void SortNetwork::sortOwn(Elements &elements) {
  unsigned count = elements.size();
  if (count < 2)
    return;
  notes.inside("every thread sorts its " + Twine(count) + " elements");
  unsigned top = 1u << (llvm::Log2_32_Ceil(count) - 1);
  for (unsigned p = top; p != 0; p /= 2) {
    unsigned q = top, r = 0;
    for (unsigned d = p;; d = q - p, q /= 2, r = p) {
      for (unsigned i = 0; i + d < count; ++i)
        if ((i & p) == r)
          compare(elements[i], elements[i + d]);
      if (q == p)
        break;
    }
  }
}

/// Sorts elements that are bitonic.
void SortNetwork::mergeOwn(Elements &elements) {
  unsigned count = elements.size();
  if (!llvm::isPowerOf2_32(count))
    return sortOwn(elements);
  if (count > 1)
    notes.inside("every thread merges its " + Twine(count) + " elements");
  for (unsigned distance = count / 2; distance != 0; distance /= 2)
    for (unsigned i = 0; i != count; ++i)
      if ((i & distance) == 0)
        compare(elements[i], elements[i + distance]);
}

//===----------------------------------------------------------------------===//
// Between threads
//===----------------------------------------------------------------------===//

Value SortNetwork::isInside(Value partner) {
  Value size = group.isBlock()
                   ? createI32(b, numRanks)
                   : SizeOp::create(b, b.getI32Type(), group).getResult();
  return arith::CmpIOp::create(b, CmpIPredicate::ult, partner, size);
}

void SortNetwork::step(Elements &elements, unsigned mask, bool mirrored) {
  Elements others = fetch(elements, mask);
  if (mirrored)
    std::reverse(others.begin(), others.end());
  unsigned top = llvm::bit_floor(mask);
  Value side = arith::AndIOp::create(b, rank, createI32(b, top));
  Value isUpper =
      arith::CmpIOp::create(b, CmpIPredicate::ne, side, createI32(b, 0));
  Value inside;
  // A thread alone gets its own elements, which in reverse are others.
  if (!isFull && elements.size() > 1)
    inside = isInside(arith::XOrIOp::create(b, rank, createI32(b, mask)));
  for (auto [own, other] : llvm::zip_equal(elements, others)) {
    Value takes = arith::XOrIOp::create(b, isLess(other, own), isUpper);
    if (inside)
      takes = arith::AndIOp::create(b, takes, inside);
    own = createSelect(b, takes, other, own);
  }
}

Elements SortNetwork::fetch(const Elements &elements, unsigned mask) {
  return mask < numLanes ? shuffle(elements, mask)
                         : passThroughMemory(elements, mask);
}

Elements SortNetwork::shuffle(const Elements &elements, unsigned mask) {
  notes.inside("every rank i compares its elements with those of rank i^" +
               Twine(mask) + ": shuffle_xor over " + describeGroup(lanes));
  Leaves values = joinElements(elements);
  auto op =
      ShuffleOp::create(b, ValueRange(values).getTypes(), ShuffleKind::Xor,
                        lanes, values, createI32(b, mask), ValueRange());
  return splitElements(op.getResults(), elements.size());
}

unsigned SortNetwork::getNumHalves(const Target &target, unsigned blockSize,
                                   unsigned count, TypeRange leaves) {
  uint64_t bytes = 0;
  for (Type leaf : leaves)
    bytes += uint64_t(leaf.getIntOrFloatBitWidth()) / 8 * count;
  uint64_t most = target.getChip().getMaxStaticSharedBytes() / 2;
  return 2 * bytes * blockSize <= most ? 2 : 1;
}

/// Where there is room for them, two halves are used in turn, so that one
/// barrier a step is enough: who writes a half has passed the barrier of the
/// step between, as have all who read it.
Elements SortNetwork::passThroughMemory(const Elements &elements,
                                        unsigned mask) {
  unsigned count = elements.size();
  SmallVector<Type> leaves(ValueRange(elements.front()).getTypes());
  numHalves = getNumHalves(target, memory.getBlockSize(), count, leaves);
  if (!memory.fits(count * numHalves, leaves))
    numHalves = 1;
  unsigned slots = count * numHalves;
  unsigned start = numPasses++ % numHalves * count * numRanks;
  auto getPlace = [&](Value owner, unsigned k) -> Value {
    return arith::AddIOp::create(b, owner, createI32(b, start + k * numRanks));
  };
  Elements others(count);
  memory.start(group);
  memory.passParts(group, slots, leaves, [&](LeafPart part) {
    notes.store("every thread stores its elements" + part.describe());
    for (auto [k, element] : llvm::enumerate(part.of(elements)))
      memory.store(group, slots, element, getPlace(rank, k));
    memory.sync(group);
    notes.read("every rank i loads the elements of rank i^" + Twine(mask) +
                   " and compares its own with them",
               [&](unsigned reader, unsigned source) {
                 return source == (reader ^ (mask / numLanes));
               });
    Value partner = arith::XOrIOp::create(b, rank, createI32(b, mask));
    if (!isFull)
      partner = arith::SelectOp::create(b, isInside(partner), partner, rank);
    for (auto [k, other] : llvm::enumerate(others))
      other.append(memory.load(group, slots, part.of(TypeRange(leaves)),
                               getPlace(partner, k)));
  });
  if (numHalves == 1)
    memory.sync(group);
  return others;
}
