//===- MemoryLowering.h - One kernel's views and accesses -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view never leaves the block structure as a value: it is made from a
// parameter, a variable or another view. So it needs no representation, only
// the values that describe it, kept beside the IR while the kernel is walked.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_MEMORYLOWERING_H
#define COLL_LIB_LOWERING_MEMORYLOWERING_H

#include "SharedObjects.h"
#include "coll/Lowering/TargetEmitter.h"
#include "llvm/ADT/DenseMap.h"

namespace coll {

class MemoryLowering {
public:
  MemoryLowering(ir::KernelOp kernel, const TargetEmitter &target,
                 bool checkBounds);

  /// Lowers everything in the kernel that touches memory. Its block arguments
  /// become those of docs/design.md.
  mlir::LogicalResult run();
  /// Bytes of shared memory that a launch has to ask for, besides those of an
  /// array that it sizes.
  uint64_t getLaunchSharedBytes() const { return shared.getLaunchBytes(); }

private:
  using Value = mlir::Value;

  struct View {
    ir::ViewType type;
    Value base;
    ir::Leaves extents;
    ir::Leaves strides; ///< In bytes.
    uint64_t alignment; ///< Of every element.
  };

  /// The view that `op` works on. (A parameter's value has a pointer's type
  /// already, so `op.getView()` would not do.)
  template <typename ViewUser> const View &getView(ViewUser op) const {
    return views.find(op.getViewMutable().get())->second;
  }

  // Parameters.
  void lowerParameters();
  View createParameter(ir::ParamAttr param, ir::ViewType type, Value base,
                       mlir::ValueRange extents);

  // Declarations.
  View lowerVar(ir::VarOp op);
  View lowerShared(ir::SharedOp op);
  View lowerWorkspace(ir::WorkspaceOp op);
  View lowerPeer(ir::PeerOp op);

  // Views of views.
  View lowerSlice(ir::SliceOp op);
  View lowerField(ir::FieldOp op);
  View lowerFlat(ir::FlatOp op);
  View lowerRecast(ir::RecastOp op);

  // Accesses.
  /// The address of an element, after the check of the indices.
  Value getAddress(const View &view, mlir::ValueRange indices);
  void checkIndices(const View &view, mlir::ValueRange indices);
  Value getLeafAddress(Value element, uint64_t offset);
  ir::Leaves load(ir::LoadOp op);
  void store(ir::StoreOp op);
  Value loadLeaf(mlir::Type type, Value address, uint64_t alignment);
  void storeLeaf(Value value, Value address, uint64_t alignment);

  // Atomics.
  AtomicAccess getAccess(const View &view, mlir::ValueRange indices,
                         ir::MemoryOrder order, ir::MemoryScope scope);
  Value atomicRMW(ir::AtomicRMWOp op);
  Value floatMinMax(const AtomicAccess &access, bool isMin, Value value);
  Value atomicCAS(ir::AtomicCASOp op);
  Value atomicLoad(ir::AtomicLoadOp op);
  void atomicStore(ir::AtomicStoreOp op);

  mlir::LogicalResult lower(mlir::Operation *op);
  void trapIf(Value condition);

  /// Row-major strides for `type` from its extents.
  ir::Leaves createStrides(ir::ViewType type, mlir::ValueRange extents);
  ir::Leaves createExtents(ir::ViewType type);
  Value multiply(Value left, Value right);
  Value addBytes(Value pointer, Value bytes);
  mlir::Type getPointerType(ir::MemorySpace space);

  ir::KernelOp kernel;
  const TargetEmitter &target;
  bool checkBounds;
  mlir::ImplicitLocOpBuilder b;
  llvm::DenseMap<Value, View> views;
  llvm::SmallVector<mlir::Operation *> dead;
  SharedObjects shared;
};

} // namespace coll

#endif // COLL_LIB_LOWERING_MEMORYLOWERING_H
