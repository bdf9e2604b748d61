//===- ReadFile.h - Whole files, but no endless ones ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_SUPPORT_READFILE_H
#define COLL_SUPPORT_READFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace coll {

/// The bytes of a file (`-`: of standard input), with a null character after
/// them. The error says "cannot read 'PATH': ..." with the system's reason; a
/// device such as /dev/zero, which has no end, is refused.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path);

} // namespace coll

#endif // COLL_SUPPORT_READFILE_H
