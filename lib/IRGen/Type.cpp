//===- Type.cpp - Types of leaves, layouts in memory ----------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace coll;
using namespace coll::irgen;
using namespace mlir;
using sema::ScalarKind;

static Type getScalarType(ScalarKind kind, MLIRContext *context) {
  switch (kind) {
  case ScalarKind::F16:
    return Float16Type::get(context);
  case ScalarKind::BF16:
    return BFloat16Type::get(context);
  case ScalarKind::F32:
    return Float32Type::get(context);
  case ScalarKind::F64:
    return Float64Type::get(context);
  default:
    return IntegerType::get(context, sema::getBitWidth(kind));
  }
}

Type irgen::getLeafType(const sema::Type *leaf, MLIRContext *context) {
  Type scalar = getScalarType(leaf->getScalarKind(), context);
  if (leaf->isVector())
    return VectorType::get({static_cast<int64_t>(leaf->getCount())}, scalar);
  return scalar;
}

MemoryLayout irgen::getLayout(const sema::Type *type, MLIRContext *context) {
  MemoryLayout layout;
  for (; type->isArray(); type = type->getElement())
    layout.dims.push_back(type->getCount());
  if (!type->isStruct() && !type->isTuple() && !type->isToken()) {
    layout.element = getLeafType(type, context);
    return layout;
  }
  SmallVector<Type> leaves;
  SmallVector<uint64_t> offsets;
  for (const sema::Leaf &leaf : type->getLeaves()) {
    leaves.push_back(getLeafType(leaf.type, context));
    offsets.push_back(leaf.offset);
  }
  layout.element = ir::StructType::get(context, type->str(), type->getSize(),
                                       type->getAlignment(), leaves, offsets);
  return layout;
}

MemberInfo irgen::getMember(const sema::Type *type, unsigned index) {
  if (type->isStruct()) {
    const sema::StructField &field = type->getFields()[index];
    return {field.type, field.offset, field.firstLeaf};
  }
  unsigned firstLeaf = 0;
  for (const sema::Type *member : type->getMembers().take_front(index))
    firstLeaf += member->getLeaves().size();
  const sema::Type *member = type->getMembers()[index];
  uint64_t offset =
      member->getLeaves().empty() ? 0 : type->getLeaves()[firstLeaf].offset;
  return {member, offset, firstLeaf};
}
