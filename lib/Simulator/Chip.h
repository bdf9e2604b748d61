//===- Chip.h - What a simulated family has ---------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction sets differ in renamed instructions, which the handler tables
// list under each name, and in behaviour, which is asked for here. Handlers
// never compare names of chips.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_CHIP_H
#define COLL_LIB_SIMULATOR_CHIP_H

#include "coll/Target/Target.h"

namespace coll::sim {

class Chip {
public:
  explicit Chip(const Target &target)
      : target(target), family(target.getFamily()),
        waveSize(target.getWarpSize()) {}

  const Target &getTarget() const { return target; }
  AMDFamily getFamily() const { return family; }
  /// 32 or 64. A VGPR has 64 slots in either case.
  unsigned getWaveSize() const { return waveSize; }
  /// All lanes of a wave as a mask.
  uint64_t getAllLanes() const { return waveSize == 64 ? ~0ull : 0xffffffffu; }

  bool isGFX9() const { return family <= AMDFamily::GFX950; }
  bool isGFX90APlus() const { return isGFX9() && family >= AMDFamily::GFX90A; }
  bool isGFX940Plus() const { return isGFX9() && family >= AMDFamily::GFX940; }
  bool isGFX10Plus() const { return family >= AMDFamily::GFX10; }
  bool isGFX11Plus() const { return family >= AMDFamily::GFX11; }
  bool isGFX12Plus() const { return family >= AMDFamily::GFX12; }

  /// Work-item ids x, y, z share v0, 10 bits each (gfx90a, gfx940, gfx11 and
  /// later); else they are in v0, v1, v2.
  bool hasPackedWorkitemIds() const { return isGFX90APlus() || isGFX11Plus(); }
  /// FLAT_SCRATCH is set by the hardware: no private segment buffer or wave
  /// offset in SGPRs.
  bool hasArchitectedFlatScratch() const {
    return isGFX940Plus() || isGFX11Plus();
  }
  /// The workgroup's ids are in ttmp9 (x) and ttmp7 (y low half, z high half).
  bool hasArchitectedGroupIds() const { return isGFX12Plus(); }
  /// A 16-bit result of a VOP1 to VOP3 instruction clears the upper half of
  /// its register (gfx9); later chips keep it.
  bool clearsHighHalf() const { return isGFX9(); }
  /// v_cmpx writes EXEC only; gfx9 writes its scalar destination too.
  bool compareWritesExecOnly() const { return isGFX10Plus(); }
  /// Denormals, rounding and IEEE mode are as the MODE register says; gfx12
  /// has no IEEE and no DX10_CLAMP bit.
  bool hasIEEEMode() const { return !isGFX12Plus(); }
  /// Dependent DPP and lane instructions need s_nop between them.
  bool needsWaitStates() const { return isGFX9(); }
  /// loadcnt, dscnt and kin instead of vmcnt and lgkmcnt.
  bool hasSplitCounters() const { return isGFX12Plus(); }

private:
  Target target;
  AMDFamily family;
  unsigned waveSize;
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_CHIP_H
