//===- PlanTestUtils.h - Keys for the tests of plans ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_UNITTESTS_PLAN_PLANTESTUTILS_H
#define COLL_UNITTESTS_PLAN_PLANTESTUTILS_H

#include "coll/Plan/Strategy.h"
#include <vector>

namespace coll {

inline Target getTarget(llvm::StringRef name) {
  return llvm::cantFail(Target::parse(name));
}

/// An operator on an element, by a name for messages.
struct OperatorCase {
  ElementInfo element;
  OperatorInfo op;
};

inline OperatorCase getBuiltin(OperatorKind kind, ElementInfo element) {
  return {element, OperatorInfo::builtin(kind, element)};
}

inline OperatorCase getCustom(bool isCommutative, bool hasIdentity,
                              bool isTotal = false) {
  ElementInfo pair{{LeafType{}, LeafType{}}};
  return {pair, OperatorInfo::custom(isCommutative, hasIdentity, 3, isTotal)};
}

/// Of pairs of words, whose neutral value is known: one word of it is zero.
inline OperatorCase getCustomWithNeutral(bool isCommutative) {
  OperatorCase result = getCustom(isCommutative, /*hasIdentity=*/true);
  result.op = result.op.withNeutral(/*zeroWords=*/1);
  return result;
}

/// arg_min or arg_max of `value`.
inline OperatorCase getArgument(OperatorKind kind, LeafType value) {
  return {ElementInfo{{value, LeafType{}}}, OperatorInfo::argument(kind, 9)};
}

/// Every class of operators that plans tell apart.
std::vector<OperatorCase> getOperatorCases();

/// Every chip and width, one of each set of lane instructions.
std::vector<Target> getLaneTargets();

inline PlanKey getKey(CollectiveKind kind, const OperatorCase &op,
                      unsigned groupSize, const Target &target,
                      Presence presence = Presence::full()) {
  return {kind, op.op, op.element, groupSize, presence, target};
}

} // namespace coll

#endif // COLL_UNITTESTS_PLAN_PLANTESTUTILS_H
