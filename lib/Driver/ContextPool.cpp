//===- ContextPool.cpp - Contexts with their dialects, used again ---------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextPool.h"
#include "coll/Dialect/Coll/IR/Coll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <mutex>

using namespace coll;

namespace {
struct Pool {
  /// As many as compile at once on the threads of a usual host program.
  static constexpr size_t maxIdle = 4;
  /// Bounds what a context collects.
  static constexpr unsigned maxUses = 32;

  struct Idle {
    std::unique_ptr<mlir::MLIRContext> context;
    unsigned uses;
  };
  std::mutex mutex;
  llvm::SmallVector<Idle, maxIdle> idle;
};
} // namespace

/// Lives as long as the process: no order of destruction to get wrong.
static Pool &getPool() {
  static Pool *pool = new Pool;
  return *pool;
}

static std::unique_ptr<mlir::MLIRContext> createContext() {
  // One module of a few kernels: threads would cost more than they save.
  auto context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<ir::CollDialect, mlir::arith::ArithDialect,
                       mlir::math::MathDialect, mlir::vector::VectorDialect,
                       mlir::LLVM::LLVMDialect>();
  // Users see their own source, not the operation.
  context->printOpOnDiagnostic(false);
  return context;
}

PooledContext::PooledContext() {
  Pool &pool = getPool();
  {
    std::lock_guard<std::mutex> lock(pool.mutex);
    if (!pool.idle.empty()) {
      Pool::Idle last = pool.idle.pop_back_val();
      context = std::move(last.context);
      uses = last.uses;
    }
  }
  if (!context)
    context = createContext();
  ++uses;
}

PooledContext::~PooledContext() {
  Pool &pool = getPool();
  if (uses == Pool::maxUses)
    return;
  std::lock_guard<std::mutex> lock(pool.mutex);
  if (pool.idle.size() < Pool::maxIdle)
    pool.idle.push_back({std::move(context), uses});
}
