//===- Trace.cpp - Watching waves -----------------------------------------===//
//
// Part of the Coll project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace coll::sim;
using namespace llvm;

/// Calls `visit` with each VGPR that an instruction defines.
template <typename Visit>
static void forEachVGPRDef(const DecodedInst &inst, Visit visit) {
  for (const DecodedInst *half = &inst; half; half = half->second.get())
    for (const Operand &def : half->getDefs())
      if (def.isVGPR())
        for (unsigned i = 0; i != def.dwords; ++i)
          visit(def.index + i);
}

TraceRecord::TraceRecord(const Wave &wave, const DecodedInst &inst)
    : inst(inst), scc(wave.scc) {
  std::copy(std::begin(wave.scalars), std::end(wave.scalars), scalars.begin());
  forEachVGPRDef(inst, [&](unsigned reg) {
    lanes.append(wave.getVGPR(reg), wave.getVGPR(reg) + 64);
  });
}

static void printScalarName(raw_ostream &os, unsigned index, const Wave &wave) {
  if (index == VCCLo || index == VCCLo + 1)
    os << (index == VCCLo ? "vcc_lo" : "vcc_hi");
  else if (index == ExecLo || index == ExecLo + 1)
    os << (index == ExecLo ? "exec_lo" : "exec_hi");
  else if (index == M0Index)
    os << "m0";
  else if (index >= Ttmp0 && index < M0Index)
    os << "ttmp" << index - Ttmp0;
  else
    os << "s" << index;
}

//===----------------------------------------------------------------------===//
// Breakpoints
//===----------------------------------------------------------------------===//

/// EXEC, VCC, SCC and M0, and the SGPRs that changed since the last stop.
static void printScalars(raw_ostream &os, const Wave &wave) {
  uint64_t vcc = wave.getVCC();
  os << format("  exec=0x%" PRIx64, wave.getExec());
  if (wave.scalarInit.test(VCCLo))
    os << format(" vcc=0x%" PRIx64, vcc);
  os << " scc=" << wave.scc;
  if (wave.scalarInit.test(M0Index))
    os << format(" m0=0x%x", wave.getM0());
  os << "\n";
  unsigned column = 0;
  for (unsigned i = 0; i != VCCLo; ++i) {
    bool isNew = wave.scalars[i] != wave.stops->scalars[i] ||
                 !wave.stops->scalarInit.test(i);
    if (!wave.scalarInit.test(i) || !isNew)
      continue;
    os << (column % 8 == 0 ? "  " : " ");
    printScalarName(os, i, wave);
    os << format("=0x%x", wave.scalars[i]);
    if (++column % 8 == 0)
      os << "\n";
  }
  if (column % 8 != 0)
    os << "\n";
}

/// The value of a register that is the same in all active lanes.
static std::optional<uint32_t> getUniform(const Wave &wave, unsigned reg) {
  uint64_t exec = wave.getExec();
  if (!exec || (exec & ~wave.vgprInit[reg]))
    return std::nullopt;
  const uint32_t *lanes = wave.getVGPR(reg);
  uint32_t first = lanes[countr_zero(exec)];
  for (unsigned lane = 0; lane != wave.size(); ++lane)
    if ((exec >> lane & 1) && lanes[lane] != first)
      return std::nullopt;
  return first;
}

/// Eight lanes a line, a dot for one that is not active; one number for all
/// where they are the same.
static void printLanes(raw_ostream &os, const Wave &wave, unsigned reg) {
  uint64_t exec = wave.getExec();
  if (std::optional<uint32_t> value = getUniform(wave, reg)) {
    std::string name = (reg < 256 ? "v" : "a") + std::to_string(reg % 256);
    os << "  " << left_justify(name, 8) << format(" %9x", *value)
       << " in all lanes\n";
    return;
  }
  for (unsigned first = 0; first != wave.size(); first += 8) {
    if (!(exec >> first & 0xff))
      continue;
    std::string name = (reg < 256 ? "v" : "a") + std::to_string(reg % 256) +
                       "[" + std::to_string(first) + "]";
    os << "  " << left_justify(name, 8);
    for (unsigned lane = first; lane != first + 8; ++lane) {
      if (!(exec >> lane & 1))
        os << "         .";
      else if (!(wave.vgprInit[reg] >> lane & 1))
        os << " undefined";
      else
        os << format(" %9x", wave.getVGPR(reg)[lane]);
    }
    os << "\n";
  }
}

static void printStop(raw_ostream &os, const Wave &wave,
                      const DecodedInst &inst, const SourceLocation &location) {
  const std::array<uint32_t, 3> &id = wave.group.id;
  os << location.str() << ": kernel '" << wave.launch.kernel.name
     << "', block (" << id[0] << ", " << id[1] << ", " << id[2] << "), wave "
     << wave.index << ", at +0x"
     << utohexstr(inst.address - wave.launch.codeAddress, /*LowerCase=*/true)
     << ": " << inst.text << "\n";
  printScalars(os, wave);
  SmallVector<unsigned, 16> printed;
  for (const DecodedInst *half = &inst; half; half = half->second.get())
    for (const Operand &source : half->getSources())
      for (unsigned i = 0; source.isVGPR() && i != source.dwords; ++i)
        if (unsigned reg = source.index + i; !is_contained(printed, reg)) {
          printed.push_back(reg);
          printLanes(os, wave, reg);
        }
}

void coll::sim::stopAtBreakpoint(Wave &wave, const DecodedInst &inst) {
  const Launch &launch = wave.launch;
  // What a wait is for comes after it.
  if (!launch.options.breakpoint || !launch.lines ||
      inst.instClass == InstClass::Wait)
    return;
  std::optional<SourceLocation> location = launch.lines->find(inst.address);
  if (!location ||
      !launch.options.breakpoint->matches(location->file, location->line))
    return;
  if (!wave.stops)
    wave.stops = std::make_unique<StopState>();
  StopState &stops = *wave.stops;
  if (is_contained(stops.columns, location->column))
    return;
  printStop(*launch.options.stops, wave, inst, *location);
  stops.columns.push_back(location->column);
  std::copy(std::begin(wave.scalars), std::end(wave.scalars),
            stops.scalars.begin());
  stops.scalarInit = wave.scalarInit;
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

void TraceRecord::print(raw_ostream &os, const Wave &wave) const {
  const std::array<uint32_t, 3> &id = wave.group.id;
  os << "(" << id[0] << "," << id[1] << "," << id[2] << ") w" << wave.index
     << format(" +0x%04" PRIx64 " ", inst.address - wave.launch.codeAddress)
     << inst.text << " ;";
  for (unsigned i = 0; i != numScalars; ++i) {
    if (scalars[i] == wave.scalars[i])
      continue;
    os << " ";
    printScalarName(os, i, wave);
    os << format("=0x%x", wave.scalars[i]);
  }
  if (scc != wave.scc)
    os << " scc=" << wave.scc;
  const uint32_t *old = lanes.data();
  forEachVGPRDef(inst, [&](unsigned reg) {
    bool isFirst = true;
    for (unsigned lane = 0; lane != wave.size(); ++lane) {
      uint32_t value = wave.getVGPR(reg)[lane];
      if (value == old[lane])
        continue;
      if (isFirst)
        os << (reg < 256 ? " v" : " a") << reg % 256 << "=[";
      os << (isFirst ? "" : " ") << lane << format(":0x%x", value);
      isFirst = false;
    }
    os << (isFirst ? "" : "]");
    if (~wave.vgprInit[reg] & wave.getExec())
      os << (reg < 256 ? " v" : " a") << reg % 256 << "=undefined";
    old += 64;
  });
  os << "\n";
}
