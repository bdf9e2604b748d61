//===- Std.cpp - The standard library's modules ---------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Std/Std.h"

using namespace coll;

namespace {
struct Module {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
};
} // namespace

static constexpr Module modules[] = {
#include "Modules.inc"
};

llvm::StringRef coll::getStdModule(llvm::StringRef name) {
  for (const Module &module : modules)
    if (module.name == name)
      return module.text;
  return {};
}
