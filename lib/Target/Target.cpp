//===- Target.cpp - The one table of chips --------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "coll/Target/Target.h"
#include "coll/Support/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

using namespace coll;

namespace {
constexpr uint64_t bits() { return 0; }
template <typename... Rest>
constexpr uint64_t bits(Feature feature, Rest... rest) {
  return (uint64_t(1) << static_cast<unsigned>(feature)) | bits(rest...);
}

using enum Feature;
#include "Chips.inc"
} // namespace

llvm::StringRef coll::getFeatureName(Feature feature) {
  switch (feature) {
  case Redux:
    return "redux";
  case ReduxF32:
    return "redux-f32";
  case Cluster:
    return "cluster";
  case BF16Arith:
    return "bf16-arith";
  case F16MinMax:
    return "f16-minmax";
  case CpAsync:
    return "cp-async";
  case MBarrier:
    return "mbarrier";
  case DPP:
    return "dpp";
  case DPPWaveShift:
    return "dpp-wave";
  case DPPRowShare:
    return "dpp-row-share";
  case DPPRowXMask:
    return "dpp-row-xmask";
  case Permlane16:
    return "permlane16";
  case Permlane64:
    return "permlane64";
  case PermlaneSwap:
    return "permlane-swap";
  case SplitBarrier:
    return "split-barrier";
  case AtomicFAddF32:
    return "atomic-fadd-f32";
  case AtomicFAddF64:
    return "atomic-fadd-f64";
  }
  llvm_unreachable("unknown feature");
}

llvm::ArrayRef<ChipInfo> coll::getChips() { return chips; }

llvm::Expected<Target> Target::parse(llvm::StringRef text) {
  auto [name, mode] = text.split(':');
  const ChipInfo *chip = nullptr;
  llvm::SmallVector<llvm::StringRef> names;
  for (const ChipInfo &candidate : chips) {
    names.push_back(candidate.name);
    if (candidate.name == name)
      chip = &candidate;
  }
  if (!chip) {
    std::string message = ("unknown chip '" + name + "'").str();
    if (llvm::StringRef near = nearestName(name, names); !near.empty())
      message += ("; did you mean '" + near + "'?").str();
    message += " ('collc targets' lists all)";
    return llvm::createStringError(message);
  }
  if (!text.contains(':'))
    return Target(chip, chip->defaultWarpSize);
  unsigned size = 0;
  if (mode.getAsInteger(10, size) || (size != 32 && size != 64))
    return llvm::createStringError("wave size '" + mode + "' of '" + text +
                                   "' is neither 32 nor 64");
  if (size != chip->defaultWarpSize && !(size == 64 && chip->hasWave64Mode))
    return llvm::createStringError("'" + name + "' has no warps of " +
                                   llvm::Twine(size) + " threads");
  return Target(chip, size);
}

std::string Target::str() const {
  std::string text = chip->name.str();
  if (warpSize != chip->defaultWarpSize)
    text += ":" + std::to_string(warpSize);
  return text;
}
