//===- TypedAST.cpp - The program after checking --------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Sema/TypedAST.h"
#include "llvm/Support/ErrorHandling.h"

using namespace coll;
using namespace coll::sema;

std::string Group::str() const {
  switch (kind) {
  case Kind::Thread:
    return "thread";
  case Kind::Warp:
    return "warp";
  case Kind::Tile:
    return "warp.tile(" + std::to_string(tileSize) + ")";
  case Kind::BlockTile:
    return "block.tile(" + std::to_string(tileSize) + ")";
  case Kind::Warps:
    return "block.warps(" + std::to_string(firstWarp) + ".." +
           std::to_string(firstWarp + numWarps) + ")";
  case Kind::Block:
    return "block";
  case Kind::Cluster:
    return "cluster";
  case Kind::Grid:
    return "grid";
  case Kind::Members:
    return name.str();
  }
  llvm_unreachable("unknown group kind");
}

/// Names in the order of the enumerators.
template <size_t N, typename E>
static llvm::StringRef nameOf(const llvm::StringLiteral (&names)[N],
                              E enumerator) {
  return names[static_cast<unsigned>(enumerator)];
}

llvm::StringRef sema::getOperatorName(BuiltinOperator op) {
  static constexpr llvm::StringLiteral names[] = {
      "add", "mul", "min", "max", "minimum", "maximum", "and", "or", "xor"};
  static_assert(std::size(names) == unsigned(BuiltinOperator::Xor) + 1);
  return nameOf(names, op);
}

llvm::StringRef sema::getBuiltinName(Builtin builtin) {
  static constexpr llvm::StringLiteral names[] = {
      "abs",          "min",           "max",        "minimum",
      "maximum",      "clamp",         "floor",      "ceil",
      "round",        "trunc",         "fma",        "sqrt",
      "rsqrt",        "popcount",      "clz",        "ctz",
      "reverse",      "rotl",          "rotr",       "byte_perm",
      "fast.exp",     "fast.exp2",     "fast.log",   "fast.log2",
      "fast.sin",     "fast.cos",      "fast.tanh",  "fast.sqrt",
      "fast.rsqrt",   "fast.rcp",      "fast.div",   "isnan",
      "isinf",        "select",        "mask.count", "mask.lowest",
      "mask.highest", "mask.contains", "mask.below", "mask.above",
      "trap",         "fence",         "pause"};
  static_assert(std::size(names) == unsigned(Builtin::Pause) + 1);
  return nameOf(names, builtin);
}

llvm::StringRef sema::getMethodName(CollectiveExpr::Method method) {
  static constexpr llvm::StringLiteral names[] = {"reduce",
                                                  "scan",
                                                  "exclusive_scan",
                                                  "scan_total",
                                                  "broadcast",
                                                  "shuffle",
                                                  "shuffle_up",
                                                  "shuffle_down",
                                                  "shuffle_xor",
                                                  "rotate",
                                                  "any",
                                                  "all",
                                                  "none",
                                                  "count",
                                                  "uniform",
                                                  "ballot",
                                                  "match",
                                                  "rank_among",
                                                  "elect",
                                                  "arg_min",
                                                  "arg_max",
                                                  "sync",
                                                  "segmented_scan",
                                                  "segmented_reduce",
                                                  "sort",
                                                  "sort_by",
                                                  "exchange",
                                                  "transpose",
                                                  "top_k",
                                                  "histogram",
                                                  "arrive",
                                                  "wait"};
  static_assert(std::size(names) == unsigned(CollectiveExpr::Method::Wait) + 1);
  return nameOf(names, method);
}

Program::Program() : types(std::make_unique<TypeContext>()) {}
Program::~Program() = default;
