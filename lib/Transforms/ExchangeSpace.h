//===- ExchangeSpace.h - Shared memory of a kernel's shuffles ---*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a shuffle of a group of several warps every thread stores its values. As a
// rule each kind of group has places of its own for them, which it uses in
// turn, so that a shuffle takes one barrier. Where all these would take too
// much room, the shuffles of all groups use one memory, with more barriers.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_TRANSFORMS_EXCHANGESPACE_H
#define COLL_LIB_TRANSFORMS_EXCHANGESPACE_H

#include "coll/Dialect/Coll/IR/Coll.h"
#include "coll/Target/Target.h"

namespace coll::ir {

/// Places of two shuffles of more than so many bytes are no longer cheap,
/// beside what else the kernel shares.
constexpr uint64_t maxExchangeBytes = 16384;

/// The bytes of values of these types of so many threads.
uint64_t countExchangeBytes(mlir::TypeRange types, uint64_t threads);
/// Whether `op` is a shuffle that warps exchange values in.
bool isExchangeOfWarps(mlir::Operation *op, KernelOp kernel,
                       const Target &target);
/// The bytes of the places of their own for all of `shuffles`, which warps
/// exchange values in.
uint64_t countShuffleBytes(KernelOp kernel, llvm::ArrayRef<ShuffleOp> shuffles);
/// The bytes of the arrays that the kernel has, but of those the launch sizes.
uint64_t countArrayBytes(KernelOp kernel);
/// An estimate, rather too high, of the bytes for the results of warps that the
/// other collectives of several warps will exchange, and for their barriers.
uint64_t countScratchBytes(KernelOp kernel, const Target &target);
/// Whether places of their own for all of `shuffles` would take too much of the
/// kernel's shared memory, of which its lists take `listBytes`.
bool needsOneMemory(KernelOp kernel, llvm::ArrayRef<ShuffleOp> shuffles,
                    uint64_t listBytes, const Target &target);

} // namespace coll::ir

#endif // COLL_LIB_TRANSFORMS_EXCHANGESPACE_H
