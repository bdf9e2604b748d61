//===- VectorMachine.h - One wave that runs assembly ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TEST_UNITTESTS_SIMULATOR_VECTORMACHINE_H
#define COLL_TEST_UNITTESTS_SIMULATOR_VECTORMACHINE_H

#include "../../../lib/Simulator/Decoder.h"
#include "../../../lib/Simulator/Wave.h"
#include "llvm/ADT/bit.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace coll::sim {

/// Assembles with LLVM; an empty result and a message on stderr for what is no
/// assembly of the chip.
std::vector<uint8_t> assemble(const Target &target, llvm::StringRef text);

/// A wave with all lanes active, subnormals kept, no IEEE mode, and every
/// register initialised to 0. `run` executes straight-line assembly.
class VectorMachine {
public:
  /// "gfx90a", "gfx1100:64"
  explicit VectorMachine(llvm::StringRef target, uint64_t ulpSeed = 0);
  ~VectorMachine();

  void run(llvm::StringRef assembly);
  /// With the checks of wait states; stops at a fault and returns it.
  std::optional<Fault> runChecked(llvm::StringRef assembly);

  uint32_t &v(unsigned reg, unsigned lane = 0) {
    return wave->getVGPR(reg)[lane];
  }
  uint32_t &s(unsigned reg) { return wave->scalars[reg]; }
  float f(unsigned reg, unsigned lane = 0) {
    return llvm::bit_cast<float>(v(reg, lane));
  }
  uint64_t v64(unsigned reg, unsigned lane = 0) {
    return v(reg, lane) | static_cast<uint64_t>(v(reg + 1, lane)) << 32;
  }
  void setWide(unsigned reg, uint64_t value, unsigned lane = 0) {
    v(reg, lane) = static_cast<uint32_t>(value);
    v(reg + 1, lane) = static_cast<uint32_t>(value >> 32);
  }
  void setFloat(unsigned reg, float value, unsigned lane = 0) {
    v(reg, lane) = llvm::bit_cast<uint32_t>(value);
  }
  /// v[reg] of every lane becomes f(lane).
  void fill(unsigned reg, std::function<uint32_t(unsigned)> f) {
    for (unsigned lane = 0; lane < 64; ++lane)
      v(reg, lane) = f(lane);
  }
  unsigned size() const { return wave->size(); }
  Wave &getWave() { return *wave; }

private:
  struct State;
  std::unique_ptr<State> state;
  Wave *wave = nullptr;
  bool checksHazards = false;
};

} // namespace coll::sim

#endif // COLL_TEST_UNITTESTS_SIMULATOR_VECTORMACHINE_H
