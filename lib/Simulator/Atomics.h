//===- Atomics.h - What an atomic makes of a place in memory ----*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_ATOMICS_H
#define COLL_LIB_SIMULATOR_ATOMICS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstdint>

namespace coll::sim {

/// The operation of an atomic, in the terms of AMD's instruction set documents.
enum class AtomicOp : uint8_t {
  Add,
  Sub,
  ReverseSub, ///< data - memory
  MinI,
  MaxI,
  MinU,
  MaxU,
  And,
  Or,
  Xor,
  MaskOr,         ///< (memory & ~data) | second data
  Increment,      ///< Wraps to 0 after `data`.
  Decrement,      ///< Wraps to `data` after 0, and from beyond it.
  ConditionalSub, ///< memory - data if that is not negative.
  SaturatingSub,  ///< At least 0.
  Wrap,           ///< memory - data, or + second data if that is negative.
  Swap,
  CompareSwap,  ///< data if memory has the bits of the second data.
  CompareSwapF, ///< The same with a comparison of floats.
  AddF,
  MinF,
  MaxF,
  AddPackedF16,
  AddPackedBF16
};

/// Whether the operation has a second data operand.
bool hasSecondData(AtomicOp op);

/// An operation on a place of 4 or 8 bytes.
struct AtomicKind {
  AtomicOp op = AtomicOp::Add;
  uint8_t bytes = 4;
};

/// Calls `found(name, kind)` for what may follow "flat_atomic_" and kin in a
/// mnemonic of any generation: "add", "add_x2", "add_u64", "pk_add_f16".
void forEachFlatAtomic(llvm::function_ref<void(llvm::Twine, AtomicKind)> found);
/// Calls `found(stem, type, kind)` for what may follow "ds_", with "rtn_"
/// between stem and type: "add_" and "u32".
void forEachLdsAtomic(
    llvm::function_ref<void(llvm::Twine, llvm::Twine, AtomicKind)> found);

/// How float operands and results are treated.
struct AtomicFloatMode {
  bool flushF32 = false; ///< Subnormal f32 become 0 with their sign.
  bool flushF64 = false; ///< Subnormal f64 and f16 too.
};

/// What memory holds after the operation. Values are in the low `kind.bytes`
/// bytes; the result has zeros above.
uint64_t evaluateAtomic(AtomicKind kind, uint64_t memory, uint64_t data,
                        uint64_t second, AtomicFloatMode mode);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_ATOMICS_H
