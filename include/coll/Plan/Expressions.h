//===- Expressions.h - What a symbolic lane holds ---------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interned expressions over the elements of a group: equal expressions, equal
// numbers. How far an operator lets expressions be equal is decided here:
// exact operators see a multiset of elements (a set, if idempotent),
// commutative ones a tree without order of children, others the ordered tree.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_PLAN_EXPRESSIONS_H
#define COLL_PLAN_EXPRESSIONS_H

#include "coll/Plan/Key.h"
#include <map>
#include <set>
#include <vector>

namespace coll {

class Expressions {
public:
  using ID = unsigned;
  /// The atoms; lane l's element is `firstElement + l`.
  enum : ID { undefined, identity, neutral, zero, init, firstElement };

  explicit Expressions(const OperatorInfo &op) : op(op) {}

  /// op(left, right), which is undefined if either is.
  ID combine(ID left, ID right);
  /// `whole` without `part`: the inverse of an exact, invertible operator;
  /// undefined where `part` is not in `whole`.
  ID remove(ID whole, ID part);
  /// True for what a builtin operator may see but no user's operator.
  bool isFiller(ID id) const {
    return id == undefined || id == neutral || id == zero;
  }
  /// The constants of the operator, by what they are equal to.
  ID getIdentity() const { return identity; }
  ID getNeutral() const { return op.isIdentityNeutral ? identity : neutral; }
  ID getZero() const {
    if (op.isZeroNeutral)
      return getNeutral();
    return op.isZeroIdentity ? identity : zero;
  }

  /// Adds an expression and all that it is made of, of an operator that is not
  /// exact.
  void addNodes(ID id, std::set<ID> &nodes) const;

  std::string str(ID id) const;

private:
  static constexpr ID firstCompound = firstElement + 64;

  bool isNeutral(ID id) const {
    return (op.hasNeutral && id == neutral) ||
           (op.isIdentityNeutral && id == identity);
  }
  /// The atoms of an exact operator's expression.
  std::vector<ID> getAtoms(ID id) const;
  ID intern(std::vector<ID> parts);

  OperatorInfo op;
  std::map<std::vector<ID>, ID> numbers;
  std::vector<std::vector<ID>> compounds;
};

} // namespace coll

#endif // COLL_PLAN_EXPRESSIONS_H
