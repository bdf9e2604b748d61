//===- MethodName.h - What the language calls a collective ---- -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DIALECT_COLL_IR_METHODNAME_H
#define COLL_DIALECT_COLL_IR_METHODNAME_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

namespace coll::ir {

/// The method of a group that a collective is: "any" for `coll.vote any`,
/// "count" for `coll.population`, "shuffle_up" for `coll.shuffle up`.
llvm::StringRef getMethodName(mlir::Operation *op);

/// The call in the source that IRGen notes in the location of a collective: its
/// name, "warp.exclusive_scan", and its options: "init", "reverse", and of an
/// operator of the program's own its name, "op = merge". Null if there is none.
mlir::ArrayAttr findCall(mlir::Location loc);

/// The attribute of the `coll.yield` of a collective's operator that says what
/// the source calls the operator, for people: "merge", "lambda". It stays with
/// the region, whichever collective gets that.
inline constexpr llvm::StringLiteral operatorNameAttr = "operator";

/// "warp.exclusive_scan": the call, or else the method of `group`.
std::string getCallName(mlir::Operation *op, llvm::StringRef group);

} // namespace coll::ir

#endif // COLL_DIALECT_COLL_IR_METHODNAME_H
