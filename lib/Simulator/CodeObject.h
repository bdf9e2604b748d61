//===- CodeObject.h - A code object in device memory ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_CODEOBJECT_H
#define COLL_LIB_SIMULATOR_CODEOBJECT_H

#include "coll/Simulator/Simulator.h"

namespace coll::sim {

/// A half-open range of device addresses.
struct AddressRange {
  uint64_t begin = 0, end = 0;
};

/// The segments of a code object, loaded and relocated, and its kernels.
struct CodeObject {
  uint64_t base = 0; ///< Device address of the object's address 0.
  uint64_t size = 0;
  AddressRange code; ///< From the first to the last executable byte.
  std::vector<KernelInfo> kernels;
};

/// Loads an ELF file of version 5 or 6 for `target`.
llvm::Expected<CodeObject> loadCodeObject(llvm::ArrayRef<uint8_t> bytes,
                                          const Target &target,
                                          DeviceMemory &memory);

/// Reads the kernels from the text of the metadata note: names, sizes,
/// parameters. The target that it names must be that of `target`.
llvm::Expected<std::vector<KernelInfo>> readMetadata(llvm::StringRef blob,
                                                     const Target &target);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_CODEOBJECT_H
