//===- GroupPlan.h - How warps or blocks work together ----------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a collective of several warps, or of several blocks, does besides the
// warp-level ones that it consists of: for people, as text and as a picture.
// Nothing is generated from it.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_GROUPPLAN_H
#define COLL_PLAN_GROUPPLAN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace coll {

/// One step of the units of a group.
struct GroupStep {
  enum class Kind : uint8_t {
    Inside,  ///< Each unit does something by itself.
    Store,   ///< Units store what others will read.
    Barrier, ///< All wait for all.
    Read,    ///< Units read what was stored last.
  };
  Kind kind = Kind::Inside;
  std::string text; ///< In one line.
  /// Store and Read, of each unit: those that its value comes from; none where
  /// it has no part in it, or where that is known at run time only.
  std::vector<std::vector<unsigned>> sources;

  bool operator==(const GroupStep &) const = default;
};

/// The steps of a group.
struct GroupPlan {
  std::string unit; ///< What the group consists of: "warp", "block".
  unsigned numUnits = 0;
  /// `numUnits` is made up: the launch says how many there are.
  bool isExample = false;
  std::vector<GroupStep> steps;

  /// These add a step behind the others; `text` is one line.
  void addInside(std::string text);
  void addBarrier(std::string text);
  /// `isStored(u)`: unit u stores something.
  void addStore(std::string text,
                llvm::function_ref<bool(unsigned unit)> isStored);
  /// `isRead(u, v)`: unit u reads what unit v stored.
  void
  addRead(std::string text,
          llvm::function_ref<bool(unsigned reader, unsigned source)> isRead);

  bool operator==(const GroupPlan &) const = default;
};

} // namespace coll

#endif // COLL_PLAN_GROUPPLAN_H
