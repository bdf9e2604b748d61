//===- Targets.cpp - collc targets ----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileFlags.h"
#include "coll/Commands/Commands.h"
#include "coll/Target/Target.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll;

/// One line a chip: name, vendor, warp widths, shared memory, ISA, features.
static void printChip(const ChipInfo &chip) {
  std::string warps = std::to_string(chip.defaultWarpSize);
  if (chip.hasWave64Mode)
    warps += ", 64";
  std::string isa;
  if (chip.vendor == Vendor::NVIDIA)
    isa = "ptx " + std::to_string(chip.minPTX / 10) + "." +
          std::to_string(chip.minPTX % 10);
  llvm::outs() << llvm::format(
      "%-8s  %-6s  %-6s  %4u KiB  %-7s ", chip.name.str().c_str(),
      chip.vendor == Vendor::NVIDIA ? "nvidia" : "amd", warps.c_str(),
      chip.maxSharedBytes / 1024, isa.c_str());
  for (unsigned i = 0; i < numFeatures; ++i)
    if ((chip.features >> i) & 1)
      llvm::outs() << ' ' << getFeatureName(static_cast<Feature>(i));
  llvm::outs() << '\n';
}

int coll::runTargetsCommand() {
  llvm::outs() << "chip      vendor  warps   shared    isa      features\n";
  for (const ChipInfo &chip : getChips())
    printChip(chip);
  llvm::outs() << "\nA chip with two warp widths compiles for the first; "
                  "'gfx1100:64' asks for the second.\n";
  return ExitDone;
}
