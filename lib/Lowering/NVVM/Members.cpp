//===- Members.cpp - Groups that are made at run time ---------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Here the members are those of the one group. Parts of a warp that execute an
// instruction together give it different masks, and it is issued once for each.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

static std::optional<NVVM::ReduxKind> getReduxKind(CombineKind kind) {
  switch (kind) {
  case CombineKind::Add:
    return NVVM::ReduxKind::ADD;
  case CombineKind::SMin:
    return NVVM::ReduxKind::MIN;
  case CombineKind::SMax:
    return NVVM::ReduxKind::MAX;
  case CombineKind::UMin:
    return NVVM::ReduxKind::UMIN;
  case CombineKind::UMax:
    return NVVM::ReduxKind::UMAX;
  case CombineKind::And:
    return NVVM::ReduxKind::AND;
  case CombineKind::Or:
    return NVVM::ReduxKind::OR;
  case CombineKind::Xor:
    return NVVM::ReduxKind::XOR;
  default:
    return std::nullopt;
  }
}

Value NVVMEmitter::reduceMembers(Builder &b, CombineKind kind, Value word,
                                 Value members) const {
  std::optional<NVVM::ReduxKind> redux = getReduxKind(kind);
  if (!redux || !target.has(Feature::Redux))
    return {};
  return NVVM::ReduxOp::create(b, b.getI32Type(), word, *redux, members);
}

void NVVMEmitter::syncMembers(Builder &b, Value members) const {
  NVVM::SyncWarpOp::create(b, members);
}
