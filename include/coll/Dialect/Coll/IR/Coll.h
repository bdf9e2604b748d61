//===- Coll.h - The coll dialect --------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_DIALECT_COLL_IR_COLL_H
#define COLL_DIALECT_COLL_IR_COLL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "coll/Dialect/Coll/IR/CollEnums.h.inc"

namespace coll::ir {
/// What every collective reads and writes, so that none is moved, merged or
/// removed: its result depends on which threads execute it.
struct GroupResource : public mlir::SideEffects::Resource::Base<GroupResource> {
  mlir::StringRef getName() final { return "group"; }
};

/// What an operation with an attribute `group` must fulfil: it has an operand
/// of type `!coll.group` if and only if that is `members`. An error if not.
mlir::LogicalResult verifyGroup(mlir::Operation *op);

/// Of an operation about a group.
template <typename ConcreteType>
struct OfGroup : mlir::OpTrait::TraitBase<ConcreteType, OfGroup> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyGroup(op);
  }
};
} // namespace coll::ir

#include "coll/Dialect/Coll/IR/CollDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "coll/Dialect/Coll/IR/CollAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "coll/Dialect/Coll/IR/CollTypes.h.inc"

namespace coll::ir {
/// The group of an operation: the attribute and, of `members`, the value.
struct GroupRef {
  GroupRef(GroupAttr attr, mlir::Value members = {})
      : attr(attr), members(members) {}
  operator GroupAttr() const { return attr; }

  GroupAttr attr;
  mlir::Value members; ///< Null unless `attr` is `members`.
};

/// The value of type `!coll.group` among the operands of `op`; null if it has
/// none, as its group is another than `members`.
mlir::Value getMembers(mlir::Operation *op);
/// The group of an operation about a group.
GroupRef getGroup(mlir::Operation *op);
} // namespace coll::ir

#define GET_OP_CLASSES
#include "coll/Dialect/Coll/IR/CollOps.h.inc"

#endif // COLL_DIALECT_COLL_IR_COLL_H
