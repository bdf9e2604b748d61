//===- Registers.cpp - How many registers a thread has --------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Target/Registers.h"

using namespace coll;

unsigned coll::getMaxRegisters(const Target &target) {
  if (target.isNVIDIA())
    return 255;
  AMDFamily family = target.getFamily();
  bool isUnified = family >= AMDFamily::GFX90A && family <= AMDFamily::GFX950;
  return isUnified ? 512 : 256;
}
