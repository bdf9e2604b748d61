//===- Target.h - The one table of chips ------------------------*- C++ -*-===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every fact about a chip is in lib/Target/Chips.inc, with its source, and is
// asked for here. Nobody else compares a chip's name.
//
//===----------------------------------------------------------------------===//

#ifndef COLL_TARGET_TARGET_H
#define COLL_TARGET_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace coll {

enum class Vendor { NVIDIA, AMD };

/// AMD instruction set families, as far as lane instructions differ.
enum class AMDFamily {
  None,
  GFX9,
  GFX90A,
  GFX940,
  GFX950,
  GFX10,
  GFX11,
  GFX12
};

/// What a chip can do beyond the common core. The name in the comment is what
/// `target.has("...")` and `collc targets` use.
enum class Feature : unsigned {
  Redux,         ///< redux: redux.sync of 32-bit integers.
  ReduxF32,      ///< redux-f32: redux.sync.{min,max}.f32.
  Cluster,       ///< cluster: thread block clusters.
  BF16Arith,     ///< bf16-arith: native bf16 add and mul.
  F16MinMax,     ///< f16-minmax: native f16 min and max.
  CpAsync,       ///< cp-async: asynchronous copies to shared memory.
  MBarrier,      ///< mbarrier
  DPP,           ///< dpp: data parallel primitives in rows of 16.
  DPPWaveShift,  ///< dpp-wave: wave_shr, row_bcast15 and row_bcast31.
  DPPRowShare,   ///< dpp-row-share: row_share (row_newbcast on gfx90a).
  DPPRowXMask,   ///< dpp-row-xmask
  Permlane16,    ///< permlane16: v_permlane16 and v_permlanex16.
  Permlane64,    ///< permlane64
  PermlaneSwap,  ///< permlane-swap: v_permlane16_swap and v_permlane32_swap.
  SplitBarrier,  ///< split-barrier: s_barrier_signal and s_barrier_wait.
  AtomicFAddF32, ///< atomic-fadd-f32: global float add without a loop.
  AtomicFAddF64, ///< atomic-fadd-f64
};
constexpr unsigned numFeatures =
    static_cast<unsigned>(Feature::AtomicFAddF64) + 1;

llvm::StringRef getFeatureName(Feature feature);

/// One row of the chip table.
struct ChipInfo {
  llvm::StringRef name; ///< "sm_90", "gfx942"
  Vendor vendor;
  AMDFamily family;   ///< None on NVIDIA.
  unsigned smVersion; ///< 90 for sm_90 and sm_90a; 0 on AMD.
  unsigned minPTX; ///< Lowest PTX ISA version for the chip, times ten (78); 0
                   ///< on AMD.
  unsigned defaultWarpSize; ///< 32, or 64 on gfx9.
  bool hasWave64Mode;       ///< gfx10 and later run in wave32 and in wave64.
  uint32_t maxSharedBytes;  ///< Shared memory a workgroup may have.
  uint64_t features;        ///< Bit i: Feature(i).

  /// What of it may be sized when the code is compiled. A block of NVIDIA's
  /// that needs more has all of it sized by the launch, which asks the driver
  /// for it. Source: the CUDA programming guide, "Shared Memory".
  uint32_t getMaxStaticSharedBytes() const {
    constexpr uint32_t nvidia = 48 * 1024;
    return vendor == Vendor::NVIDIA ? nvidia : maxSharedBytes;
  }
};

/// All chips, NVIDIA first, ascending.
llvm::ArrayRef<ChipInfo> getChips();

/// A chip in one of its modes: what code is generated for.
class Target {
public:
  /// Parses `sm_90`, `gfx942`, `gfx1100:32`, `gfx1100:64`. An unknown chip, or
  /// a wave size that it does not have, gives an error that offers what is
  /// near.
  static llvm::Expected<Target> parse(llvm::StringRef text);

  const ChipInfo &getChip() const { return *chip; }
  Vendor getVendor() const { return chip->vendor; }
  bool isNVIDIA() const { return chip->vendor == Vendor::NVIDIA; }
  bool isAMD() const { return chip->vendor == Vendor::AMD; }
  AMDFamily getFamily() const { return chip->family; }
  /// True for gfx900 to gfx950: wave64 only, row_bcast, s_nop hazards of DPP.
  bool isGFX9() const {
    return isAMD() && chip->family >= AMDFamily::GFX9 &&
           chip->family <= AMDFamily::GFX950;
  }
  unsigned getSM() const { return chip->smVersion; }
  unsigned getWarpSize() const { return warpSize; }
  bool has(Feature feature) const {
    return (chip->features >> static_cast<unsigned>(feature)) & 1;
  }
  /// As written on the command line: "sm_90", "gfx942", "gfx1100:64" (":32" is
  /// the default of chips that have both and is left out).
  std::string str() const;
  llvm::StringRef getVendorName() const {
    return isNVIDIA() ? "nvidia" : "amd";
  }

  static constexpr unsigned maxThreadsPerBlock = 1024;

  bool operator==(const Target &other) const {
    return chip == other.chip && warpSize == other.warpSize;
  }

private:
  Target(const ChipInfo *chip, unsigned warpSize)
      : chip(chip), warpSize(warpSize) {}
  const ChipInfo *chip;
  unsigned warpSize;
};

} // namespace coll

#endif // COLL_TARGET_TARGET_H
