//===- ReferenceDevice.h - The device that needs no GPU ---------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter of the coll dialect behind the interface of a device. A
// launch runs on the calling thread and has ended when it returns.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_RUNTIME_REFERENCEDEVICE_H
#define COLL_RUNTIME_REFERENCEDEVICE_H

#include "coll/Runtime/Device.h"

namespace coll {

/// A thread of a kernel did what the semantics forbid: the program is wrong,
/// not the device.
class KernelFault : public llvm::ErrorInfo<KernelFault> {
public:
  static char ID;

  /// `kind` is a stable name, "race"; `text` has the place, the message and its
  /// notes, `file:3:5: error: ...`, a line each.
  KernelFault(std::string kind, std::string text)
      : kind(std::move(kind)), text(std::move(text)) {}

  llvm::StringRef getKind() const { return kind; }
  llvm::StringRef getText() const { return text; }

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string kind, text;
};

/// `warpSize` is 32 or 64. Images are of kind CollIR, for "reference" or
/// "reference:64". `maxInstructions` is how many one warp may execute before a
/// launch is given up; 0: 20 million.
std::unique_ptr<Device> openReferenceDevice(unsigned warpSize,
                                            uint64_t maxInstructions = 0);

} // namespace coll

#endif // COLL_RUNTIME_REFERENCEDEVICE_H
