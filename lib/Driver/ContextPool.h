//===- ContextPool.h - Contexts with their dialects, used again -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_DRIVER_CONTEXTPOOL_H
#define COLL_LIB_DRIVER_CONTEXTPOOL_H

#include "mlir/IR/MLIRContext.h"
#include <memory>

namespace coll {

/// A single-threaded context with the dialects that IRGen and the lowering
/// need. Loading those takes a tenth of a small compilation, so that a context
/// goes back to a pool of the process when this ends, and serves the next
/// compilation. Any thread may make one.
class PooledContext {
public:
  PooledContext();
  ~PooledContext();
  PooledContext(const PooledContext &) = delete;
  PooledContext &operator=(const PooledContext &) = delete;

  mlir::MLIRContext &operator*() const { return *context; }
  mlir::MLIRContext *operator->() const { return context.get(); }

private:
  std::unique_ptr<mlir::MLIRContext> context;
  /// How many compilations it has served. A context keeps every type,
  /// attribute and location for ever.
  unsigned uses = 0;
};

} // namespace coll

#endif // COLL_LIB_DRIVER_CONTEXTPOOL_H
