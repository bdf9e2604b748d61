//===- MethodName.cpp - What the language calls a collective --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/MethodName.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace coll::ir;
using llvm::StringRef;

static StringRef getShuffleName(ShuffleKind kind) {
  switch (kind) {
  case ShuffleKind::Idx:
    return "shuffle";
  case ShuffleKind::Up:
    return "shuffle_up";
  case ShuffleKind::Down:
    return "shuffle_down";
  case ShuffleKind::Xor:
    return "shuffle_xor";
  case ShuffleKind::Rotate:
    return "rotate";
  }
  llvm_unreachable("unknown shuffle");
}

static StringRef getArgName(CombineKind kind) {
  bool isMin = kind == CombineKind::SMin || kind == CombineKind::UMin ||
               kind == CombineKind::MinNum;
  return isMin ? "arg_min" : "arg_max";
}

StringRef coll::ir::getMethodName(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, StringRef>(op)
      .Case([](ShuffleOp op) { return getShuffleName(op.getKind()); })
      .Case([](VoteOp op) { return stringifyVoteKind(op.getKind()); })
      .Case([](PopulationOp) { return "count"; })
      .Case([](ArgReduceOp op) { return getArgName(op.getKind()); })
      .Default(
          [](mlir::Operation *op) { return op->getName().stripDialect(); });
}
