//===- LaneWaits.h - Threads of a warp that wait for each other -*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock that several lanes of a warp try to take at once: one of them gets it,
// and the others come back in the next trip of their loop. Where the one gives
// it back in an arm of a branch in that loop, this device's order of arms lets
// all of them have it in turn. Others may run those that try again first, and
// for ever. So it is a fault to try for a place again that another lane of the
// warp had taken in the same instruction, and has changed while this lane was
// not with it. Who has looked at the place in between, or expects something
// else than before, does not try for a lock.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_INTERPRETER_LANEWAITS_H
#define COLL_LIB_INTERPRETER_LANEWAITS_H

#include <array>
#include <bit>
#include <cstdint>

namespace coll::ref {

struct Inst;

/// Of a warp: which lanes have not got what another lane took.
class LaneWaits {
public:
  struct Wait {
    const Inst *taken = nullptr;    ///< The atomic.
    const uint8_t *place = nullptr; ///< In the host's memory.
    uint64_t expected = 0;          ///< What a compare_exchange expected there.
    unsigned holder = 0;            ///< The lane that has it.
    const Inst *changed = nullptr;  ///< By which it has given it back, or null.
  };

  void reset() { lanes = 0; }
  bool isEmpty() const { return lanes == 0; }

  /// `lane` did not get `place` by `inst`, because `holder` did.
  void noteTaken(unsigned lane, const Inst &inst, const uint8_t *place,
                 uint64_t expected, unsigned holder) {
    lanes |= uint64_t(1) << lane;
    waits[lane] = {&inst, place, expected, holder, nullptr};
  }
  /// `writer` writes `size` bytes from `place` on, together with `active`.
  void noteWrite(unsigned writer, const Inst &inst, const uint8_t *place,
                 unsigned size, uint64_t active) {
    for (uint64_t left = lanes & ~active; left; left &= left - 1) {
      Wait &wait = waits[std::countr_zero(left)];
      if (wait.holder == writer && wait.place >= place &&
          wait.place < place + size)
        wait.changed = &inst;
    }
  }
  /// `lane` reads `place`.
  void noteRead(unsigned lane, const uint8_t *place) {
    if ((lanes >> lane & 1) && waits[lane].place == place)
      lanes &= ~(uint64_t(1) << lane);
  }
  /// `lane` tries for `place`: the wait that ends with it, or null.
  const Wait *findEnd(unsigned lane, const Inst &inst, const uint8_t *place,
                      uint64_t expected) {
    if (!(lanes >> lane & 1))
      return nullptr;
    const Wait &wait = waits[lane];
    bool isSame = wait.taken == &inst && wait.place == place;
    noteRead(lane, place);
    return isSame && wait.changed && wait.expected == expected ? &wait
                                                               : nullptr;
  }

private:
  uint64_t lanes = 0;
  std::array<Wait, 64> waits;
};

} // namespace coll::ref

#endif // COLL_LIB_INTERPRETER_LANEWAITS_H
