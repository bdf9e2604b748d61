//===- Scope.cpp - Local names --------------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scope.h"

using namespace coll;
using namespace coll::sema;

void Scopes::pop() {
  unsigned mark = marks.pop_back_val();
  while (entries.size() > mark) {
    const Entry &entry = entries.back();
    if (entry.shadowed == none)
      visible.erase(entry.name);
    else
      visible[entry.name] = entry.shadowed;
    entries.pop_back();
  }
}

const Symbol *Scopes::lookup(llvm::StringRef name) const {
  auto it = visible.find(name);
  return it == visible.end() ? nullptr : &entries[it->second].symbol;
}

const Symbol *Scopes::declare(llvm::StringRef name, Symbol symbol) {
  unsigned mark = marks.empty() ? 0 : marks.back();
  auto [it, isNew] = visible.try_emplace(name, entries.size());
  unsigned shadowed = isNew ? none : it->second;
  if (!isNew && shadowed >= mark)
    return &entries[shadowed].symbol;
  it->second = entries.size();
  entries.push_back({name, symbol, shadowed});
  return nullptr;
}

void Scopes::list(llvm::SmallVectorImpl<llvm::StringRef> &names) const {
  for (const auto &[name, index] : visible)
    names.push_back(name);
}
