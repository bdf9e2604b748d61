//===- RewriteSigns.h - Negations and magnitudes in PTX ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_CODEGEN_REWRITESIGNS_H
#define COLL_LIB_CODEGEN_REWRITESIGNS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace coll {

/// PTX as LLVM writes it, without the negations and magnitudes of integers that
/// ptxas gets wrong.
std::string rewriteSigns(llvm::StringRef ptx);

} // namespace coll

#endif // COLL_LIB_CODEGEN_REWRITESIGNS_H
