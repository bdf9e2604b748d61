//===- MethodName.cpp - What the language calls a collective --------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Dialect/Coll/IR/MethodName.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "llvm/ADT/STLExtras.h"
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

mlir::ArrayAttr coll::ir::findCall(mlir::Location loc) {
  while (auto site = llvm::dyn_cast<mlir::CallSiteLoc>(loc))
    loc = site.getCallee();
  auto call = loc->findInstanceOf<mlir::FusedLocWith<mlir::ArrayAttr>>();
  if (!call || call.getMetadata().empty() ||
      !llvm::all_of(call.getMetadata(), llvm::IsaPred<mlir::StringAttr>))
    return {};
  return call.getMetadata();
}

std::string coll::ir::getCallName(mlir::Operation *op, StringRef group) {
  if (mlir::ArrayAttr call = findCall(op->getLoc()))
    return llvm::cast<mlir::StringAttr>(call[0]).str();
  return (group + "." + getMethodName(op)).str();
}

StringRef coll::ir::getMethodName(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, StringRef>(op)
      .Case([](ShuffleOp op) { return getShuffleName(op.getKind()); })
      .Case([](VoteOp op) { return stringifyVoteKind(op.getKind()); })
      .Case([](PopulationOp) { return "count"; })
      .Case(
          [](SortOp op) { return op.getValues().empty() ? "sort" : "sort_by"; })
      .Case([](ArgReduceOp op) { return getArgName(op.getKind()); })
      .Default(
          [](mlir::Operation *op) { return op->getName().stripDialect(); });
}
