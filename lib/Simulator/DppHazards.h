//===- DppHazards.h - Wait states that gfx9 asks for ------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On gfx9 some results of VALU instructions reach some readers late, and it is
// the program that has to wait: with other instructions, each of which is one
// wait state, or with s_nop. The simulator computes the right result, and
// reports what a chip might get wrong:
//
//   VALU writes               before reading                      wait states
//   a VGPR                    it as source 0 of DPP                         2
//   EXEC                      any DPP                                       5
//   an SGPR                   it as lane select                             4
//   VCC                       it in v_div_fmas                              4
//   an SGPR                   it in a memory instruction                    5
// and on gfx940 and later
//   an SGPR                   it in a VALU instruction                      2
//   EXEC                      a lane instruction                            4
//   a VGPR                    it in v_readlane, v_readfirstlane             1
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_DPPHAZARDS_H
#define COLL_LIB_SIMULATOR_DPPHAZARDS_H

#include <cstdint>

namespace coll::sim {

struct DecodedInst;
struct Wave;

/// When VALU instructions last wrote what, in wait states of the wave. The
/// numbers start high enough for everything to be long ago.
struct HazardState {
  uint64_t now = 16;
  uint64_t vgprs[512] = {};
  uint64_t scalars[128] = {};
};

/// Reports a fault if `inst` reads too early, then takes note of its writes.
/// To be called for every instruction, before it is carried out.
void checkHazards(Wave &wave, const DecodedInst &inst);

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_DPPHAZARDS_H
