//===- Wave.h - The state of a wave -----------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waves, their workgroup and the launch that they belong to, with the accessors
// that handlers use.
//
// Uninitialised values travel: an instruction with an uninitialised source has
// an uninitialised result (`markVGPR`), since LLVM moves and selects values
// that nobody uses. A fault is raised where one decides something: the address
// of a memory access, M0, a branch, EXEC. Tracking is per lane of a VGPR and
// per SGPR; the result of v_cmp always counts as initialised.
//
// A handler that finds something wrong calls `wave.fault(...)` and returns; the
// main loop stops after it. There are no exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_LIB_SIMULATOR_WAVE_H
#define COLL_LIB_SIMULATOR_WAVE_H

#include "BarrierStores.h"
#include "Chip.h"
#include "DppHazards.h"
#include "Instruction.h"
#include "LineTable.h"
#include "WaitCounters.h"
#include "coll/Simulator/Simulator.h"
#include "llvm/ADT/Twine.h"
#include <bitset>
#include <cstring>

namespace coll::sim {

/// Where scalar registers are in Wave::scalars.
enum ScalarIndex : uint16_t {
  FlatScratchLo = 102, ///< gfx9; general SGPRs from gfx10 on.
  XnackMaskLo = 104,   ///< gfx9
  VCCLo = 106,
  Ttmp0 = 108, ///< ttmp0 to ttmp15
  M0Index = 124,
  ExecLo = 126,
  numScalars = 128
};

/// Bits of Wave::mode, as in the MODE register of gfx9 to gfx11.
enum ModeBit : uint32_t {
  Round32Shift = 0, ///< 2 bits: nearest even, up, down, to zero.
  Round16_64Shift = 2,
  Denorm32Shift = 4, ///< 2 bits: bit 0 keeps inputs, bit 1 keeps outputs.
  Denorm16_64Shift = 6,
  DX10Clamp = 1 << 8,
  IEEEMode = 1 << 9,
  FP16Overflow = 1 << 23,    ///< Results of f16 saturate.
  RegisterIndexing = 1 << 27 ///< gfx9: VGPRs are relative to M0.
};

enum class WaveStatus : uint8_t { Running, AtBarrier, Ended };

/// The high words of the apertures that flat addresses have.
constexpr uint64_t sharedAperture = 0x0001'0000'0000'0000;
constexpr uint64_t privateAperture = 0x0002'0000'0000'0000;

/// What all waves of a launch share. Each thread that runs waves has its own.
struct Launch {
  const Chip &chip;
  DeviceMemory &memory;
  const LaunchOptions &options;
  const KernelInfo &kernel;
  uint64_t codeAddress = 0; ///< Of the kernel's first instruction.
  Statistics statistics;
  std::optional<Fault> fault;
  uint64_t clock = 0; ///< Instructions so far: s_memtime.
  /// How often this thread's waves have changed memory, or looked at the clock:
  /// what else than their registers decides what they do.
  uint64_t changes = 0;
  /// Of the code object; null: no source lines are known.
  const LineTable *lines = nullptr;
};

/// A workgroup that is resident.
struct Workgroup {
  /// What a byte of its LDS takes on the host: itself, whether it was written,
  /// and which store wrote it.
  static constexpr uint64_t hostBytesOfLDSByte = 18;

  std::array<uint32_t, 3> id = {0, 0, 0};
  std::vector<uint8_t> lds;
  /// A byte of LDS that was written is 1 here.
  std::vector<uint8_t> ldsInitialized;
  BarrierStores barrierStores;
  unsigned numWaves = 0, numEnded = 0;
  /// Waves that have signalled the barrier (s_barrier: signal and wait).
  unsigned numArrived = 0;
  /// How often the barrier was completed.
  uint64_t barrierPhase = 0;
};

/// What breakpoints remember of a wave.
struct StopState {
  /// Of the line, where it has been.
  llvm::SmallVector<unsigned, 4> columns;
  /// At its last stop.
  std::array<uint32_t, numScalars> scalars = {};
  std::bitset<numScalars> scalarInit;
};

struct Wave {
  /// `registers` is reused if given: the VGPRs of a wave that has ended.
  Wave(Launch &launch, Workgroup &group, unsigned index,
       std::unique_ptr<uint32_t[]> registers = nullptr);

  /// Of the host's memory, for registers.
  static uint64_t getHostBytes() {
    return sizeof(Wave) + numVGPRs * 64 * sizeof(uint32_t);
  }

  Launch &launch;
  Workgroup &group;
  const Chip &chip;
  unsigned index; ///< In its group.

  uint64_t pc = 0;
  WaveStatus status = WaveStatus::Running;
  bool scc = false;
  bool yields = false; ///< s_sleep: let others run first.
  uint32_t mode = 0;
  uint32_t scalars[numScalars] = {};
  std::bitset<numScalars> scalarInit;
  /// Registers of 64 lanes: v0 to v255, then a0 to a255.
  static constexpr unsigned numVGPRs = 512;
  std::unique_ptr<uint32_t[]> vgprs;
  /// Bit i: lane i of the register has been written.
  uint64_t vgprInit[numVGPRs] = {};
  WaitCounters waits;
  HazardState hazards;

  /// Private memory: `scratchBytes` a lane at device address `scratchBase`,
  /// interleaved by dwords: byte o of lane l is at
  /// scratchBase + (o / 4 * waveSize + l) * 4 + o % 4.
  uint64_t scratchBase = 0;
  uint32_t scratchBytes = 0;
  /// The barrier's phase when this wave signalled it last, plus 1; 0: never.
  uint64_t signalledPhase = 0;

  /// Null until the wave has been at the launch's breakpoint.
  std::unique_ptr<StopState> stops;

  /// Addresses of the last instructions, the newest at numExecuted - 1, for
  /// faults of those that have no source line.
  std::array<uint64_t, 64> recent = {};
  uint64_t numExecuted = 0;
  void noteExecuted(uint64_t address) {
    recent[numExecuted++ % recent.size()] = address;
  }

  /// The instruction that is being executed, for faults.
  const DecodedInst *current = nullptr;
  /// The last one that looked at memory since the waves' state was noted.
  const DecodedInst *look = nullptr;
  /// Reports at `current`; the first fault of a launch stays.
  void fault(FaultKind kind, const llvm::Twine &message,
             std::optional<unsigned> lane = std::nullopt);

  unsigned size() const { return chip.getWaveSize(); }

  //===--------------------------------------------------------------------===//
  // Scalar registers
  //===--------------------------------------------------------------------===//

  uint64_t getPair(unsigned index) const {
    uint64_t value;
    std::memcpy(&value, &scalars[index], sizeof value);
    return value;
  }
  void setPair(unsigned index, uint64_t value) {
    std::memcpy(&scalars[index], &value, sizeof value);
    scalarInit.set(index).set(index + 1);
  }
  uint64_t getExec() const { return getPair(ExecLo) & chip.getAllLanes(); }
  void setExec(uint64_t lanes) { setPair(ExecLo, lanes); }
  uint64_t getVCC() const { return getPair(VCCLo) & chip.getAllLanes(); }
  uint32_t getM0() const { return scalars[M0Index]; }

  /// A scalar or constant operand, without modifiers.
  uint32_t readScalar32(const Operand &operand) const;
  uint64_t readScalar64(const Operand &operand) const;
  void writeScalar32(const Operand &operand, uint32_t value);
  void writeScalar64(const Operand &operand, uint64_t value);
  /// A mask of lanes: 32 bits wide in wave32, 64 in wave64.
  uint64_t readLaneMask(const Operand &operand) const {
    return size() == 64 ? readScalar64(operand) : readScalar32(operand);
  }
  void writeLaneMask(const Operand &operand, uint64_t lanes) {
    if (size() == 64)
      writeScalar64(operand, lanes);
    else
      writeScalar32(operand, static_cast<uint32_t>(lanes));
  }
  /// False if one of a scalar operand's registers was never written.
  bool isInitialized(const Operand &operand) const;

  //===--------------------------------------------------------------------===//
  // Vector registers
  //===--------------------------------------------------------------------===//

  /// The 64 lanes of a register; 64-bit values take two.
  uint32_t *getVGPR(unsigned reg) { return &vgprs[size_t(reg) * 64]; }
  const uint32_t *getVGPR(unsigned reg) const {
    return &vgprs[size_t(reg) * 64];
  }

  /// One lane of an operand of any kind, without modifiers; `dword` of a wide
  /// one. For code that is not worth a loop over lanes.
  uint32_t readLane(const Operand &operand, unsigned lane,
                    unsigned dword = 0) const;
  uint64_t readLane64(const Operand &operand, unsigned lane) const;
  /// Lanes in which all registers of an operand are initialised.
  uint64_t getInitializedLanes(const Operand &operand) const;
  /// After a write of `lanes` of a register.
  void markVGPR(unsigned reg, uint64_t lanes, uint64_t initialized) {
    vgprInit[reg] = (vgprInit[reg] & ~lanes) | (initialized & lanes);
  }

  //===--------------------------------------------------------------------===//
  // Modes
  //===--------------------------------------------------------------------===//

  unsigned getRound32() const { return mode >> Round32Shift & 3; }
  unsigned getRound16_64() const { return mode >> Round16_64Shift & 3; }
  unsigned getDenorm32() const { return mode >> Denorm32Shift & 3; }
  unsigned getDenorm16_64() const { return mode >> Denorm16_64Shift & 3; }
  bool isIEEE() const { return chip.hasIEEEMode() && (mode & IEEEMode); }
  bool isDX10Clamp() const { return !chip.hasIEEEMode() || (mode & DX10Clamp); }
};

} // namespace coll::sim

#endif // COLL_LIB_SIMULATOR_WAVE_H
