//===- SharedObjects.h - Where a block's shared arrays lie ------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each shared array of a kernel is a global of its own, and all overlays of one
// name are one. Where a kernel has more than may be sized when it is
// compiled, all of them lie in one global without a size, one after the other,
// and a launch asks for the bytes.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_LOWERING_SHAREDOBJECTS_H
#define COLL_LIB_LOWERING_SHAREDOBJECTS_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Target/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace coll {

/// Bytes of a view whose shape is static.
uint64_t getStaticSize(ir::ViewType type);

class SharedObjects {
public:
  /// Of the arrays that `kernel` has now.
  SharedObjects(ir::KernelOp kernel, const Target &target);

  /// All bytes but those of an array that the launch sizes.
  uint64_t getBytes() const { return bytes; }
  /// Whether there is an array that the launch sizes.
  bool hasDynamicArray() const { return bool(dynamicArray); }
  /// What a launch has to ask for, besides the bytes of such an array.
  uint64_t getLaunchBytes() const { return isSizedByLaunch ? bytes : 0; }

  /// Fails, with an error at an array, if a block has not so much.
  mlir::LogicalResult check() const;
  /// The address of an array's first element, at `b`.
  mlir::Value getAddress(mlir::ImplicitLocOpBuilder &b, ir::SharedOp op);

private:
  struct Object {
    ir::SharedOp op; ///< It, or a part of it.
    uint64_t offset = 0, bytes = 0, alignment = 1;
    mlir::LLVM::GlobalOp global; ///< Once it is made.
  };

  Object &getObject(ir::SharedOp op);
  void note(ir::SharedOp op);
  /// Puts it behind all others.
  void place(Object &object);
  mlir::Value getGlobalAddress(mlir::ImplicitLocOpBuilder &b, Object &object,
                               llvm::StringRef name, bool isExternal);

  ir::KernelOp kernel;
  const Target &target;
  uint64_t bytes = 0;
  bool isSizedByLaunch = false;
  ir::SharedOp dynamicArray;
  ir::SharedOp firstBeyond; ///< Where the limit is reached, if it is.
  llvm::DenseMap<mlir::Operation *, Object> arrays;
  llvm::MapVector<llvm::StringRef, Object> overlays; ///< By their name.
  Object whole;
};

} // namespace coll

#endif // COLL_LIB_LOWERING_SHAREDOBJECTS_H
