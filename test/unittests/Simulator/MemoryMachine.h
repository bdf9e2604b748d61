//===- MemoryMachine.h - A wave with memory that runs assembly --*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_SIMULATOR_MEMORYMACHINE_H
#define COLL_TEST_UNITTESTS_SIMULATOR_MEMORYMACHINE_H

#include "VectorMachine.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace coll::sim {

/// A wave with all lanes active, all registers initialised to 0, 1 KiB of LDS
/// and 64 bytes of private memory a lane. Instructions are checked for loads in
/// flight as in a launch.
class MemoryMachine {
public:
  explicit MemoryMachine(llvm::StringRef target, unsigned numWaves = 1);
  ~MemoryMachine();

  /// Everything below is about this wave of the group; 0 at first.
  void select(unsigned wave);

  /// Runs straight-line assembly; the first fault as "kind[lane]: message", or
  /// "" if there was none. A machine that faulted is done.
  std::string run(llvm::StringRef assembly);

  Wave &getWave();
  Workgroup &getGroup();
  DeviceMemory &getMemory();

  /// New device memory; `dwords` are its first ones.
  uint64_t allocate(uint64_t bytes, std::vector<uint32_t> dwords = {});
  uint32_t getDword(uint64_t address);

  uint32_t &v(unsigned reg, unsigned lane = 0);
  uint32_t &s(unsigned reg);
  uint64_t v64(unsigned reg, unsigned lane = 0);
  void setScalars(unsigned reg, uint64_t value);
  /// v[reg] of every lane becomes f(lane).
  void fill(unsigned reg, llvm::function_ref<uint32_t(unsigned)> f);
  /// v[reg, reg + 1] of every lane.
  void fillWide(unsigned reg, llvm::function_ref<uint64_t(unsigned)> f);
  /// A dword of LDS, which becomes initialised when it is set.
  uint32_t getLds(uint32_t address);
  void setLds(uint32_t address, uint32_t value);

private:
  void initialize(Wave &wave);
  struct State;
  std::unique_ptr<State> state;
};

} // namespace coll::sim

#endif // COLL_TEST_UNITTESTS_SIMULATOR_MEMORYMACHINE_H
