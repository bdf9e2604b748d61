//===- Atomics.cpp - Atomic kinds and orders as LLVM names them -----------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Atomics.h"

using namespace mlir;
using namespace coll;
using namespace coll::ir;

LLVM::AtomicBinOp coll::getBinOp(AtomicKind kind) {
  switch (kind) {
  case AtomicKind::Add:
    return LLVM::AtomicBinOp::add;
  case AtomicKind::Sub:
    return LLVM::AtomicBinOp::sub;
  case AtomicKind::SMin:
    return LLVM::AtomicBinOp::min;
  case AtomicKind::SMax:
    return LLVM::AtomicBinOp::max;
  case AtomicKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case AtomicKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case AtomicKind::And:
    return LLVM::AtomicBinOp::_and;
  case AtomicKind::Or:
    return LLVM::AtomicBinOp::_or;
  case AtomicKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case AtomicKind::Exchange:
    return LLVM::AtomicBinOp::xchg;
  case AtomicKind::FAdd:
    return LLVM::AtomicBinOp::fadd;
  case AtomicKind::FMin:
  case AtomicKind::FMax:
    break;
  }
  llvm_unreachable("float min and max are written with integers");
}

LLVM::AtomicOrdering coll::getOrdering(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Relaxed:
    return LLVM::AtomicOrdering::monotonic;
  case MemoryOrder::Acquire:
    return LLVM::AtomicOrdering::acquire;
  case MemoryOrder::Release:
    return LLVM::AtomicOrdering::release;
  case MemoryOrder::AcqRel:
    return LLVM::AtomicOrdering::acq_rel;
  case MemoryOrder::SeqCst:
    return LLVM::AtomicOrdering::seq_cst;
  }
  llvm_unreachable("all orders are handled");
}
