//===- Shared.cpp - Declarations of block-shared memory -------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "llvm/Support/MathExtras.h"

using namespace coll;
using namespace coll::sema;

void Checker::checkShared(const ast::SharedStmt &stmt, StmtList &out) {
  Expr *dynamicExtent = nullptr;
  const auto *view = llvm::dyn_cast<ast::ViewType>(stmt.getType());
  const Type *type = view ? resolveSharedView(*view, dynamicExtent)
                          : resolveType(stmt.getType());
  unsigned alignment = 0;
  if (stmt.getAlignment()) {
    std::optional<int64_t> value =
        requireConstantInt(stmt.getAlignment(), "an alignment", 1, 1024);
    if (value && !llvm::isPowerOf2_64(*value))
      error(stmt.getAlignment()->getLoc(),
            "an alignment must be a power of two, got " + llvm::Twine(*value));
    else
      alignment = value.value_or(0);
  }
  Variable *variable =
      declareVariable(stmt.getName(), type, Variable::Storage::Shared);
  if (type->isError())
    return;
  variable->alignment = alignment;
  variable->dynamicExtent = dynamicExtent;
  if (dynamicExtent && !declareDynamicShared(variable))
    return;
  uint64_t align = std::max<uint64_t>(alignment, type->getAlignment());
  current->sharedBytes =
      llvm::alignTo(current->sharedBytes, align) + type->getSize();
  auto *declare = makeStmt<DeclareStmt>(stmt.getLoc());
  declare->variable = variable;
  out.push_back(declare);
}

/// `shared buf: [e]T` with a constant e is an array; otherwise the launch
/// decides its size.
const Type *Checker::resolveSharedView(const ast::ViewType &view,
                                       Expr *&dynamicExtent) {
  const Type *element = resolveViewElement(view);
  if (view.getPitch())
    error(view.getPitch().getLoc(), "a shared array has no pitch");
  if (view.getExtents().size() > 1) {
    error(view.getLoc(), "a shared array of run-time size with more than one "
                         "dimension is not supported yet");
    return types.getError();
  }
  Expr *extent = checkIndex(view.getExtents().front());
  if (extent->getType()->isError() || element->isError())
    return types.getError();
  if (std::optional<llvm::APSInt> constant = getInteger(extent)) {
    if (*constant >= 0 && *constant <= UINT32_MAX)
      return makeArray(element, constant->getExtValue(), view.getLoc());
    error(extent->getLoc(), "the length of an array must be from 0 to "
                            "4294967295");
    return types.getError();
  }
  if (!makeLaunchExpr(extent, "the length of a shared array"))
    return types.getError();
  dynamicExtent = extent;
  return types.getView(element, {Extent()}, /*isMut=*/true, /*shared=*/true);
}

bool Checker::declareDynamicShared(Variable *variable) {
  if (!current->kernel) {
    error(variable->loc, "only a kernel may declare a shared array whose size "
                         "is known at launch");
    return false;
  }
  if (Variable *first = current->dynamicShared) {
    error(variable->loc, "a kernel has at most one shared array whose size is "
                         "known at launch")
        .note(first->loc, "the first one is '" + first->name + "'");
    return false;
  }
  current->dynamicShared = variable;
  return true;
}
