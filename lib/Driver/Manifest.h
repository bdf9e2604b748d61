//===- Manifest.h - What a launch must know of a kernel ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_DRIVER_MANIFEST_H
#define COLL_LIB_DRIVER_MANIFEST_H

#include "coll/Bundle/Bundle.h"
#include "llvm/Support/Error.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace coll {

/// The manifests of all kernels of a module in the coll dialect, in order.
llvm::Expected<std::vector<KernelManifest>>
buildManifests(mlir::ModuleOp module);

} // namespace coll

#endif // COLL_LIB_DRIVER_MANIFEST_H
