//===- Npy.h - Arrays in files ----------------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's .npy format, versions 1 to 3, and raw little-endian data. Of .npy
// files, those are read that hold what a kernel's parameter wants:
// little-endian, in C order, of the very element type. A vector is a last
// dimension more, a struct a structured type with the leaves as fields; bf16,
// which NumPy does not have, is `<V2` (also read from `|V2` and `<u2`).
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_NPY_H
#define COLL_RUNTIME_NPY_H

#include "coll/Runtime/HostArray.h"

namespace coll {

/// Reads the bytes of a .npy file. `name` stands for it in errors.
llvm::Expected<HostArray> parseNpy(llvm::StringRef bytes, llvm::StringRef name,
                                   const StorageType &element);
llvm::Expected<HostArray> readNpyFile(llvm::StringRef path,
                                      const StorageType &element);

/// The bytes of a .npy file, of version 1 unless the header is too long for it.
std::string writeNpy(const HostArray &array);
llvm::Error writeNpyFile(llvm::StringRef path, const HostArray &array);

/// All elements of a raw file, as an array of one dimension.
llvm::Expected<HostArray> readRawFile(llvm::StringRef path,
                                      const StorageType &element);

} // namespace coll

#endif // COLL_RUNTIME_NPY_H
