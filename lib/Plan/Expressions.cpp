//===- Expressions.cpp - What a symbolic lane holds -----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Plan/Expressions.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace coll;

std::vector<Expressions::ID> Expressions::getAtoms(ID id) const {
  if (id < firstCompound)
    return {id};
  return compounds[id - firstCompound];
}

Expressions::ID Expressions::intern(std::vector<ID> parts) {
  auto [place, isNew] = numbers.try_emplace(
      parts, static_cast<ID>(firstCompound + compounds.size()));
  if (isNew)
    compounds.push_back(std::move(parts));
  return place->second;
}

Expressions::ID Expressions::combine(ID left, ID right) {
  if (left == undefined || right == undefined)
    return undefined;
  if (isNeutral(left))
    return right;
  if (isNeutral(right))
    return left;
  if (!op.isExact) {
    if (op.isCommutative && left > right)
      std::swap(left, right);
    return intern({left, right});
  }
  std::vector<ID> atoms = getAtoms(left);
  std::vector<ID> more = getAtoms(right);
  atoms.insert(atoms.end(), more.begin(), more.end());
  std::sort(atoms.begin(), atoms.end());
  if (op.isIdempotent)
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  return atoms.size() == 1 ? atoms.front() : intern(std::move(atoms));
}

Expressions::ID Expressions::remove(ID whole, ID part) {
  if (whole == undefined || part == undefined || !op.isInvertible)
    return undefined;
  if (isNeutral(part))
    return whole;
  std::vector<ID> from = getAtoms(whole), taken = getAtoms(part), rest;
  if (!std::includes(from.begin(), from.end(), taken.begin(), taken.end()))
    return undefined;
  std::set_difference(from.begin(), from.end(), taken.begin(), taken.end(),
                      std::back_inserter(rest));
  if (rest.empty())
    return getNeutral();
  return rest.size() == 1 ? rest.front() : intern(std::move(rest));
}

void Expressions::addNodes(ID id, std::set<ID> &nodes) const {
  if (nodes.insert(id).second && id >= firstCompound)
    for (ID part : compounds[id - firstCompound])
      addNodes(part, nodes);
}

std::string Expressions::str(ID id) const {
  switch (id) {
  case undefined:
    return "undefined";
  case identity:
    return "identity";
  case neutral:
    return "neutral";
  case zero:
    return "zero";
  case init:
    return "init";
  default:
    break;
  }
  if (id < firstCompound)
    return "e" + std::to_string(id - firstElement);
  std::string text = "(";
  for (ID part : compounds[id - firstCompound]) {
    if (text.size() > 1)
      text += ' ';
    text += str(part);
  }
  return text + ")";
}
