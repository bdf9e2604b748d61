//===- Order.cpp - sort, top_k and exchange -------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plain way: the group's elements as one list, in blocked arrangement. A
// table has a row for each scalar of each of a thread's elements.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace coll;
using namespace coll::ref;

/// Whether key `a` comes before `b` in ascending order, NaNs apart.
static bool isLess(const CollectiveInfo &info, uint64_t a, uint64_t b) {
  if (!isFloat(info.argType)) {
    if (!info.isSigned)
      return a < b;
    unsigned bits = getBitWidth(info.argType);
    return llvm::SignExtend64(a, bits) < llvm::SignExtend64(b, bits);
  }
  double x = toDouble(a, info.argType), y = toDouble(b, info.argType);
  if (x == y)
    return std::signbit(x) && !std::signbit(y);
  return x < y;
}

static bool comesBefore(const CollectiveInfo &info, uint64_t a, uint64_t b) {
  if (isFloat(info.argType)) {
    bool isLeftNaN = std::isnan(toDouble(a, info.argType));
    bool isRightNaN = std::isnan(toDouble(b, info.argType));
    if (isLeftNaN || isRightNaN)
      return !isLeftNaN && isRightNaN;
  }
  return info.isDescending ? isLess(info, b, a) : isLess(info, a, b);
}

/// The places of the list's elements in the order of their keys.
static std::vector<uint32_t> findOrder(const CollectiveInfo &info,
                                       const Table &in) {
  unsigned count = info.elements;
  auto key = [&](uint32_t place) { return in[place % count][place / count]; };
  std::vector<uint32_t> order(size_t(in.getRanks()) * count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return comesBefore(info, key(a), key(b));
  });
  return order;
}

void Machine::sort(const CollectiveInfo &info, const Table &in, Table &out) {
  unsigned count = info.elements;
  size_t width = info.extras.size() / count;
  for (auto [place, from] : llvm::enumerate(findOrder(info, in))) {
    unsigned rank = place / count, k = place % count;
    unsigned fromRank = from / count, fromK = from % count;
    out[k][rank] = in[fromK][fromRank];
    for (size_t i = 0; i != width; ++i)
      out[count + k * width + i][rank] =
          in[count + fromK * width + i][fromRank];
  }
}

/// The identity of a maximum.
static uint64_t getLowest(const CollectiveInfo &info) {
  unsigned bits = getBitWidth(info.argType);
  if (!isFloat(info.argType))
    return info.isSigned ? uint64_t(1) << (bits - 1) : 0;
  bool isHalf = info.argType == Scalar::F16;
  unsigned exponent = bits == 64 ? 11 : isHalf ? 5 : 8;
  return llvm::maskTrailingOnes<uint64_t>(exponent + 1)
         << (bits - 1 - exponent);
}

void Machine::topK(const CollectiveInfo &info, const Table &in, Table &out) {
  size_t count = out.getRows() / 2;
  std::vector<uint32_t> order = findOrder(info, in);
  for (size_t i = 0; i != count; ++i) {
    uint64_t value = getLowest(info), place = 0xffffffff;
    if (i < order.size()) {
      place = order[i];
      value = in[place % info.elements][place / info.elements];
    }
    std::fill_n(out[i], out.getRanks(), value);
    std::fill_n(out[count + i], out.getRanks(), place);
  }
}

bool Machine::exchangePlaces(llvm::ArrayRef<Member> members, const Inst &inst,
                             const Table &in, Table &out) {
  const CollectiveInfo &info = kernel.collectives[inst.info];
  unsigned count = info.elements;
  size_t width = info.values.size() / count;
  std::vector<bool> isTaken(members.size() * count);
  for (auto [rank, member] : llvm::enumerate(members))
    for (unsigned k = 0; k != count; ++k) {
      uint64_t place = in[info.values.size() + k][rank];
      bool isOutside = place >= isTaken.size();
      if (isOutside || isTaken[place])
        return fault(FaultKind::BadOperand, inst, *member.warp, member.lane,
                     info.name + " to place " + llvm::Twine(int32_t(place)) +
                         (isOutside ? " of " + llvm::Twine(isTaken.size()).str()
                                    : ", where another element goes too"));
      isTaken[place] = true;
      for (size_t i = 0; i != width; ++i)
        out[place % count * width + i][place / count] = in[k * width + i][rank];
    }
  return true;
}
