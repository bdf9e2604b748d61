//===- ProgramMachine.h - Code objects to launch in tests -------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_UNITTESTS_SIMULATOR_PROGRAMMACHINE_H
#define COLL_UNITTESTS_SIMULATOR_PROGRAMMACHINE_H

#include "coll/Simulator/Simulator.h"
#include <cstring>

namespace coll::sim {

/// A code object made of LLVM IR by LLVM's back end.
std::string compile(llvm::StringRef chip, llvm::StringRef ir,
                    unsigned version = 5);

/// A loaded object with an output array, of which its kernel "k" gets the
/// address.
class Machine {
public:
  Machine(llvm::StringRef chip, llvm::StringRef object);
  LaunchResult launch(const LaunchOptions &options);
  uint32_t at(unsigned index) const;

private:
  static constexpr uint64_t outBytes = 1 << 16;
  DeviceMemory memory{1 << 26};

public:
  std::unique_ptr<Program> program;

private:
  uint64_t out;
};

} // namespace coll::sim

#endif // COLL_UNITTESTS_SIMULATOR_PROGRAMMACHINE_H
